"""The storybook: everyday sentences drawn from its grammar, and what a broken grammar is told."""

from __future__ import annotations

import random
import re

import pytest

from storybook_generator import FOLDER, Storybook, sentences
from storybook_words import StorybookError, read_lexicon
from wordorder_lab.structures.trees import is_projective

TAGS = set(
    ". , NN NNS NNP VB VBD VBZ VBP VBG VBN MD DT PDT JJ JJR JJS RB RBR RP PRP PRP$ IN TO CC CD EX "
    "WP WP$ WDT WRB UH POS".split()
)


@pytest.fixture(scope="module")
def drawn():
    return list(sentences(2_000, seed=7))


def test_a_seed_is_a_book(drawn) -> None:
    assert list(sentences(200, seed=7)) == drawn[:200]
    assert list(sentences(200, seed=8)) != drawn[:200]
    assert len({sentence.text for sentence in drawn}) == 2_000


def test_trees_and_tags(drawn) -> None:
    for sentence in drawn:
        heads = [token.head for token in sentence]
        assert is_projective(heads), sentence.text
        assert {token.pos for token in sentence} <= TAGS, sentence.text
        assert sentence.text == sentence.text.lower()
        assert heads[-1] == heads.index(-1) and sentence.tokens[-1].pos == "."
        for word, tag, head in zip(sentence.surface, sentence.tree.pos, heads):
            # Nothing hangs from the small words, but for "there is", answers and a few phrases.
            if tag in {"DT", "PRP$", "TO", "POS"}:
                assert head != -1 or word in {"that", "this", "these", "those", "all"}


WRONG = re.compile(
    r"\bi (?:are|is|were|has|does)\b|\b(?:he|she|it) (?:are|am|were|have|do)\b"
    r"|\b(?:you|we|they) (?:is|am|was|has|does)\b"
    r"|\ba (?=[aeio])\w+|\ban (?![aeiou]|hour|honest)\w+"
    r"|\b(?:the|a|an) (?:the|a|an|my|his|her|some)\b"
    r"|\b(?:did|does|do|can|must|should) (?:not )?(?:was|were|is|are|had|has|went|ate|saw)\b"
    r"|\bto (?:was|were|had|went|ate|saw)\b|\b(?:has|have|had) (?:go|eat|went|ate|took)\b"
    r"|\b(?P<word>\w+) (?P=word)\b|\b(?:up|away) (?:it|me|him|them|us)\b"
)
"""What English does not say, looked for in the words alone."""


def test_verbs_agree_and_nouns_are_counted(drawn) -> None:
    few = {"two", "three", "four", "five", "six", "seven", "ten", "these", "those", "many", "few"}
    for sentence in drawn:
        # Questions turn subject and verb round, "did he have": the pairs are statements'.
        if "?" not in sentence.surface and "and" not in sentence.surface:
            assert not WRONG.search(sentence.text), sentence.text
        for token in sentence:
            if token.head >= 0 and sentence.tokens[token.head].pos in {"NN", "NNS"}:
                assert token.words[0] not in few or sentence.tokens[token.head].pos == "NNS", (
                    sentence.text
                )
    assert WRONG.search("he have it") and WRONG.search("a apple") and WRONG.search("the the")


def test_regular_and_irregular_forms() -> None:
    lexicon = read_lexicon(FOLDER / "lexicon.txt")
    words = {phrase[0][:2] for phrases in lexicon.values() for phrase in phrases}
    right = """foxes/NNS cherries/NNS monkeys/NNS leaves/NNS children/NNS geese/NNS stopped/VBD
        carried/VBD played/VBD visited/VBD ate/VBD eaten/VBN lying/VBG making/VBG swimming/VBG
        seeing/VBG watches/VBZ carries/VBZ goes/VBZ has/VBZ bigger/JJR happier/JJR nicest/JJS
        better/JJR best/JJS"""
    assert {tuple(word.split("/")) for word in right.split()} <= words


def test_every_rule_is_used() -> None:
    book = Storybook()
    assert all(book.sentences(20_000, seed=1))
    places = {one.place for ways in book.rules.values() for one in ways}
    assert sorted(places - book.used) == []


@pytest.mark.parametrize(
    ("grammar", "lexicon", "says"),
    [
        ("S -> *NP ./.\nNP -> dog.sg", "noun dog: dog", ""),
        ("S -> *NP ./.", "noun dog: dog", "grammar.txt:1:1: there is no rule and no word for NP"),
        ("S -> dog.sg ./.", "noun dog: dog", "grammar.txt:1:1: wanted are children"),
        ("S -> *dog.sg\n  | *dog.sg *dog.sg", "noun dog: dog", "grammar.txt:2:1: wanted are"),
        ("S -> *dog.{n}", "noun dog: dog", "grammar.txt:1:1: no line above says 'let n = ...'"),
        ("S -> *NP ./.\n\nNP -> the/DT *NP", "noun dog: dog", "grammar.txt:3:1: NP has no end"),
        ("S -> dog.sg\nlet us go", "noun dog: dog", "grammar.txt:2: neither"),
        ("NP -> dog.sg", "noun dog: dog", "grammar.txt:1: there is no rule for S"),
        ("S -> dog.sg", "noun dog: cat dog\nnoun dog: cat", "lexicon.txt:2: cat is in dog twice"),
        ("S -> dog.sg", "nuon dog: dog", "lexicon.txt:1: not 'kind class"),
        ("S -> dog.sg", "noun dog: dog//dogs", "lexicon.txt:1: not 'kind class"),
    ],
)
def test_broken_files_say_where(grammar: str, lexicon: str, says: str, tmp_path) -> None:
    (tmp_path / "grammar.txt").write_text(grammar, encoding="utf-8")
    (tmp_path / "lexicon.txt").write_text(lexicon, encoding="utf-8")
    if says:
        with pytest.raises(StorybookError, match=re.escape(says)):
            Storybook(tmp_path)
    else:
        book = Storybook(tmp_path)
        assert [one.text for one in book.sentences(1, seed=0)] == ["dog ."]
        with pytest.raises(ValueError, match="1 of 2"):
            list(book.sentences(2, seed=0))


def test_a_rule_that_calls_itself_comes_to_an_end(tmp_path) -> None:
    (tmp_path / "lexicon.txt").write_text("words NN dog: dog cat hen cow pig", encoding="utf-8")
    (tmp_path / "grammar.txt").write_text("S -> *dog MORE\nMORE -> 9999 very/RB *MORE | too/RB")
    book = Storybook(tmp_path)
    phrase = book._drawn("S", 0, random.Random(0), set())
    assert 20 < len(phrase) < 40


def test_every_machine_draws_the_same(tmp_path) -> None:
    (tmp_path / "lexicon.txt").write_text("words NN dog: dog cat hen cow pig", encoding="utf-8")
    (tmp_path / "grammar.txt").write_text("S -> 3 *dog ?a/DT | *dog ?(*b/IN c/CC)")
    drawn = [one.text for one in Storybook(tmp_path).sentences(8, seed=0)]
    assert drawn == ["hen b c", "hen", "cat", "pig", "hen a", "pig a", "dog", "cow"]
