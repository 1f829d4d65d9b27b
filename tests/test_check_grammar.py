r"""Exercises 01.1 to 01.4: the solutions are right, and wrong answers are told where."""

from __future__ import annotations

from typing import Any

from exercise_cases import wrong_answers

from wordorder_lab.check import Desk
from wordorder_lab.check.nb_01 import derivation_of, parsed, plans, tagged
from wordorder_lab.corpora import load_corpus

PENN = ["The owner 's", "the old harbour", "its boats", "us", "this year"]
CCG = ["The owner", *PENN[1:]]
GAVE, NEVER = r"((S[dcl]\NP)/NP)/NP", r"(S\NP)/(S\NP)"


def of_words_too(node: Any) -> list[tuple]:
    here = tuple(str(child.category) for child in node.children), str(node.category)
    return [here, *(step for child in node.children for step in of_words_too(child))]


def top_only(node: Any) -> list[tuple]:
    return of_words_too(node)[:1]


def right_steps(node: Any) -> list[tuple]:
    return [step for step in of_words_too(node) if step[0]]


WRONG: list[tuple[str, Any, str]] = [
    ("01.1", (PENN[1:], CCG), "In penn a phrase of 3 words is missing"),
    ("01.1", ([*PENN, "plans"], CCG), "'plans' is too many: it is no NP but NNS"),
    ("01.1", (PENN, [*CCG, "The owner 's"]), "it is no NP but NP[nb]/N"),
    ("01.1", ([*PENN, "The owner 's plans"], CCG), "it has an NP inside"),
    ("01.1", (PENN, [*CCG, "and its boats"]), "it is a conjunct"),
    ("01.1", (PENN, [*CCG, "plans for"]), "it is no phrase"),
    ("01.1", ([*PENN, "us"], CCG), "'us' is too many: it is in the list already"),
    ("01.1", (PENN, "us"), "ccg is a list of strings"),
    ("01.1", (["The owner's", *PENN[1:]], CCG), 'write "The owner\'s" as in the picture'),
    ("01.1", (PENN, ["the owner", *CCG[1:]]), "any two words: 'The owner'."),
    ("01.1", PENN, "two lists"),
    ("01.2", ["fa"] * 7, r"joins NP and S[dcl]\NP, which gives S[dcl]: it is not 'fa'"),
    ("01.2", ["fa", "ba", ">B", "bx", "conj", "conj", "rp"], "'>B' is none of"),
    ("01.3", of_words_too, "is too many"),
    ("01.3", top_only, "is missing"),
    ("01.3", lambda node: {*right_steps(node)}, "is there 2 times, and you have it once"),
    ("01.3", lambda node: 2 * right_steps(node), "is there once, and you have it 2 times"),
    ("01.3", lambda node: node.category, "a list of pairs such as"),
    ("01.4", {"gave": GAVE}, "Give a dictionary"),
    ("01.4", {"gave": GAVE[1:], "never": NEVER}, "a closing bracket too many"),
    ("01.4", {"gave": r"(S[dcl]\NP)/NP", "never": NEVER}, "'she gave him flowers' does not become"),
    ("01.4", {"gave": GAVE, "never": r"(S[dcl]\NP)/(S[dcl]\NP)"}, r"never given him flowers' does"),
]
test_wrong_answers_are_told_where = wrong_answers(WRONG)


def test_a_leaf_is_no_rule() -> None:
    """It is not offered, and not taken."""
    told = Desk()("01.2", ["leaf", *[">"] * 6])
    assert told.right is False and "'leaf' is none of" in told.text
    assert told.text.count("leaf") == 1


def test_answers_still_blank() -> None:
    for number, blank in (("01.1", (..., ...)), ("01.2", [...]), ("01.3", lambda node: ...)):
        assert Desk()(number, blank).right is None
    assert Desk()("01.4", {"gave": GAVE, "never": ...}).right is None


def test_the_small_parser_derives_what_a_grammar_wrote() -> None:
    """Short sentences of the Gazette come out of their own lexical categories."""
    tried = 0
    for sentence in load_corpus("gazette", units="words").dev:
        one = sentence.derivation
        assert one is not None
        rules = {node.rule for node in one.nodes() if len(node.children) == 1}
        if len(sentence) > 9 or not rules <= {"leaf", "tc"}:
            continue
        words = [(leaf.word, leaf.pos, str(leaf.category)) for leaf in one.leaves()]
        changes = {
            str(node.children[0].category): str(node.category)
            for node in one.nodes()
            if len(node.children) == 1
        }
        found = derivation_of(words, str(one.category), changes)
        assert found is not None and found.words() == sentence.surface
        assert found.problem() is None
        tried += 1
    assert tried > 20


def test_what_the_small_parser_does_not_build() -> None:
    chart = parsed(tagged(r"Ada:NNP:N of:IN:(NP\NP)/NP"))
    assert [str(category) for category in chart[0, 1]] == ["N", "NP"] and not chart[0, 2]
    assert derivation_of(tagged(r"slept:VBD:S[dcl]\NP Ada:NNP:N"), "S[dcl]") is None
    assert plans()[1].problem() is None
