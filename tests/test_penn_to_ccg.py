"""Penn trees to CCG derivations, by the constructions of the literature; then the whole sample."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from nltk.tree import Tree

from wordorder_lab.corpora.penn_corpora import PennTree
from wordorder_lab.corpora.penn_derivations import tagged_words
from wordorder_lab.corpora.penn_to_ccg.convert import MAX_LEVELS, REASONS, to_derivation
from wordorder_lab.corpora.readers.corpus import CorpusError, Splits
from wordorder_lab.corpora.readers.penn import to_sentence
from wordorder_lab.corpora.treebanks import load_trees
from wordorder_lab.structures.derivation import Derivation

VP = r"S\NP"
ADVERB = rf"({VP})\({VP})"


def derived(text: str) -> Derivation:
    conversion = to_derivation(Tree.fromstring(text))
    assert conversion.derivation is not None, conversion.detail
    assert conversion.reason == "" and conversion.derivation.problem() is None
    return conversion.derivation


def categories(derivation: Derivation) -> dict[str, str]:
    """The category of every word; no test sentence has a word twice with two categories."""
    return {leaf.word: leaf.category.text for leaf in derivation.leaves()}


CONSTRUCTIONS = Path(__file__).with_name("penn_constructions.txt")
"""Construction; tree; the category of the whole, rules that must occur, some words with theirs."""


def constructions() -> dict[str, tuple[str, str, list[str], dict[str, str]]]:
    found = {}
    for block in CONSTRUCTIONS.read_text("utf-8").replace("\n", " ").split("# ")[1:]:
        name, _, rest = block.partition(" (")
        tree, _, rest = rest.partition(" -> ")
        steps, _, words = rest.partition(": ")
        whole, _, needed = steps.partition(" by ")
        pairs = dict(pair.split() for pair in words.split(" | "))
        found[name] = f"({tree}", whole, needed.split(), pairs
    return found


EVERY = constructions()


@pytest.mark.parametrize("construction", EVERY)
def test_construction(construction: str) -> None:
    text, whole, needed, words = EVERY[construction]
    derivation = derived(text)
    assert derivation.category.text == whole
    given = categories(derivation)
    assert {word: given[word] for word in words} == words
    assert {*needed} <= {node.rule for node in derivation.nodes()}


@pytest.mark.parametrize(
    "behind",
    [
        "(VP (VBZ is) (NP-PRD (NNP Kim)) (SBAR {}))",
        "(VP (VBZ is) (NP (NNP Kim)) (SBAR-NOM {}))",
        "(VP (VBZ is) (NP-PRD (NNP Kim)) (, ,) (SBAR {}))",
        "(VP (VBZ is) (NP-PRD (NNP Kim))) (SBAR {})",
        "(VP (MD will) (VP (VB be) (NP-PRD (NNP Kim)) (SBAR {})))",
    ],
)
@pytest.mark.parametrize(
    ("relative", "who"),
    [
        ("(WHNP-1 (WP who)) (S (NP-SBJ (-NONE- *T*-1)) (VP (VBZ sings)))", r"(S[dcl]\NP)"),
        (
            "(WHNP-1 (WP who)) (S (NP-SBJ (PRP I)) (VP (VBP see) (NP (-NONE- *T*-1))))",
            "(S[dcl]/NP)",
        ),
        ("(WHNP-1 (-NONE- 0)) (S (NP-SBJ (PRP I)) (VP (VBP see) (NP (-NONE- *T*-1))))", ""),
    ],
)
def test_clefts_have_one_analysis(behind: str, relative: str, who: str) -> None:
    """Wherever the Treebank attaches the clause, it modifies what stands behind the verb."""
    derivation = derived(f"(S-CLF (NP-SBJ (PRP it)) {behind.format(relative)})")
    given = categories(derivation)
    copula = given.get("is", given.get("be"))
    assert derivation.category.text == "S[dcl]" and given["it"] == "NP"
    assert copula in (r"(S[dcl]\NP)/NP", r"(S[b]\NP)/NP")
    assert given.get("who", "") == (who and rf"(NP\NP)/{who}")


def test_a_head_is_the_verb_and_not_its_modifier() -> None:
    text, *_ = EVERY["a transitive clause with a compound and an adverbial"]
    assert derived(text).heads().index(-1) == 3


def test_one_word_and_a_phrase_that_is_no_sentence() -> None:
    assert derived("(INTJ (UH Yes))").category.text == "S[intj]"
    assert derived("(NP (NNP Rome))").category.text == "NP"
    assert derived("(S (NP-SBJ (-NONE- *)) (VP (VB Go)) (. !))").category.text == r"S[b]\NP"


def test_the_steps_are_shown_on_request_also_of_a_failure() -> None:
    tree = Tree.fromstring(EVERY["an object relative"][0])
    assert to_derivation(tree).steps == ()
    steps = dict(to_derivation(tree, steps=True).steps)
    assert list(steps) == ["Penn", "preprocessed", "constituent types", "binarised", "categories"]
    assert steps["Penn"] == tree
    assert steps["binarised"].leaves() == steps["preprocessed"].leaves()
    assert max(len(node) for node in steps["binarised"].subtrees()) == 2
    empty = to_derivation(Tree.fromstring("(S (NP-SBJ (-NONE- *)))"), steps=True)
    assert [name for name, _ in empty.steps] == ["Penn"]


def nested(levels: int) -> Tree:
    tree = Tree("NP", [Tree("NN", ["end"])])
    for _ in range(levels):
        tree = Tree(
            "NP", [Tree("NP", [Tree("NN", ["part"])]), Tree("PP", [Tree("IN", ["of"]), tree])]
        )
    return tree


OPEN_TRACE = (
    "(S (NP-SBJ (PRP it)) (VP (VBZ is) (ADJP-PRD (JJ clear)) (SBAR (SBAR (WHNP-1 (WP who))"
    " (S (NP-SBJ (-NONE- *T*-1)) (VP (POS 's) (ADJP-PRD (JJ hot))))) (: --) (NN and) (SBAR"
    " (WHNP-2 (WP who)) (S (NP-SBJ (-NONE- *T*-2)) (VP (VBZ sings)))))))"
)
CLUSTER = (
    "(S (NP-SBJ (PRP we)) (VP (VP (VBD ate) (NP-1 (NNS figs)) (PP-2 (IN in) (NP (NNP May))))"
    " (CC and) (VP (NP=1 (NNS plums)) (PP=2 (IN in) (NP (NNP June))))))"
)
UNLIKE_CLAUSES = (
    "(S (S (NP-SBJ (-NONE- *)) (VP (VB wait))) (CC and) (S (NP-SBJ (PRP it)) (VP (MD will)"
    " (VP (VB rain)))))"
)
UNLIKE_SMALL_CLAUSE = (
    "(S (NP-SBJ (PRP we)) (VP (VBP find) (UCP (S (NP-SBJ (NNP Kim)) (ADJP-PRD (JJ tall))) (CC and)"
    " (SBAR (IN that) (S (NP-SBJ (PRP it)) (VP (VBZ rains)))))))"
)


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        (Tree("S", [Tree("-NONE-", ["*"])]), "no words"),
        (Tree("S", []), "no tree of ours"),
        (Tree("NP", [("base", "NP")]), "no tree of ours"),
        (Tree("NP", ["two", "words"]), "no tree of ours"),
        (nested(2000), "too deep"),
        (Tree("NP", [Tree("NN", ["word"]) for _ in range(5000)]), "too deep"),
        (Tree.fromstring(OPEN_TRACE), "trace"),
        (Tree.fromstring(CLUSTER), "argument cluster"),
        (Tree.fromstring(UNLIKE_CLAUSES), "unary step"),
        (Tree.fromstring(UNLIKE_SMALL_CLAUSE), "coordination"),
    ],
)
def test_what_cannot_be_converted_has_a_reason(tree: Tree, reason: str) -> None:
    conversion = to_derivation(tree)
    assert conversion.derivation is None and conversion.reason == reason
    assert conversion.detail and "\n" not in conversion.detail


def test_what_is_just_not_too_deep_stays_far_from_the_limit_of_recursion() -> None:
    def from_deep_inside(frames: int) -> Derivation | None:
        return from_deep_inside(frames - 1) if frames else to_derivation(tree).derivation

    tree = nested(MAX_LEVELS // 6 - 1)
    assert from_deep_inside(200) is not None


@pytest.fixture(scope="module")
def sample() -> Splits[PennTree]:
    """NLTK's sample; its conversion is kept in the cache of the user."""
    try:
        return load_trees("ptb-sample")
    except CorpusError as error:
        pytest.skip(str(error))


@pytest.mark.corpus
def test_damaged_trees_are_converted_or_have_a_reason(sample: Splits[PennTree]) -> None:
    """Words lost, labels exchanged, children reversed: never an exception, never other words."""
    random.seed(5)
    trees = [one.tree for one in sample.dev]
    labels = ["FOO", *{node.label() for tree in trees for node in tree.subtrees()} - {"-NONE-"}]
    labels.sort()
    for tree in random.choices(trees, k=300):
        damaged = tree.copy(deep=True)
        phrases = [node for node in damaged.subtrees() if isinstance(node[0], Tree)]
        for node in random.choices(phrases, k=3):
            match random.randrange(3):
                case 0 if len(node) > 1:
                    del node[random.randrange(len(node))]
                case 1:
                    node.set_label(random.choice(labels))
                case _:
                    node.reverse()
        derivation = to_derivation(damaged).derivation
        if derivation is not None:
            sentence = to_sentence(damaged)
            assert sentence is not None
            assert derivation.words() == sentence.surface and derivation.problem() is None


FOUND = {
    "wsj_0059.mrg:6": "S[wq]",
    "wsj_0118.mrg:180": "S[wq]",
    "wsj_0034.mrg:22": "S[dcl]",
    "wsj_0105.mrg:9": "S[dcl]",
    "wsj_0118.mrg:94": "S[dcl]",
    "wsj_0071.mrg:56": "trace",
    "wsj_0012.mrg:9": "argument cluster",
    "wsj_0118.mrg:142": "unary step",
}
"""Sentences of the sample, and the category of the whole or the reason why there is none."""
CATEGORIES = {
    ("wsj_0059.mrg:6", "WP"): r"S[wq]/(S[dcl]\NP)",
    ("wsj_0004.mrg:3", "VBP"): r"(S[dcl]\NP)/NP",
    ("wsj_0036.mrg:22", "CD"): rf"({ADVERB})/({ADVERB})",
    ("wsj_0118.mrg:180", "VBZ"): r"(S[dcl]\NP)/(S[adj]\NP)",
}
"""The category of the first word with a tag."""


@pytest.mark.corpus
def test_the_sample_has_no_open_trace_and_its_finite_verbs_are_finite(
    sample: Splits[PennTree],
) -> None:
    """All 3,914: what is left out has a reason, and two wrong tags alone are not finite."""
    trees = {tree.name: tree for tree in sample.every()}
    every = {name: tree.converted for name, tree in trees.items()}
    converted = ((name, one.derivation()) for name, one in every.items())
    made = {name: derivation for name, derivation in converted if derivation is not None}
    assert len(every) == 3914 and len(made) == 3819
    assert all(one.line or (one.reason in REASONS and one.detail) for one in every.values())
    for name, derivation in made.items():
        tagged = [(leaf.word, leaf.pos) for leaf in derivation.leaves()]
        assert tagged == tagged_words(trees[name].tree) and derivation.problem() is None
    found = {name: every[name].reason or made[name].category.text for name in FOUND}
    assert found == FOUND
    for (name, tag), category in CATEGORIES.items():
        first = next(leaf for leaf in made[name].leaves() if leaf.pos == tag)
        assert first.category.text == category, name
    assert not any("/NP" in one.category.text for one in made.values())
    leaves = [(name, leaf) for name, one in made.items() for leaf in one.leaves()]
    finite = [(n, leaf.category.text) for n, leaf in leaves if leaf.pos in ("VBZ", "VBP", "MD")]
    odd = {n for n, text in finite if "S[dcl]" not in text and "S[q]" not in text and "S" in text}
    assert odd == {"wsj_0089.mrg:52", "wsj_0118.mrg:49"}
