"""Penn trees to dependencies, base NPs kept whole, and the agreement with NLTK's conversion."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.tree import Tree

from wordorder_lab.corpora import CorpusError, load_corpus
from wordorder_lab.corpora.agreement import agreement, parse_dp
from wordorder_lab.corpora.readers.penn import to_sentence
from wordorder_lab.structures.head_rules import YAMADA_MATSUMOTO, read_head_table
from wordorder_lab.structures.trees import is_projective, tree_problem

TREE = Tree.fromstring(
    """
    (S (NP-SBJ (NP (DT The) (NN teacher)) (PP (IN of) (NP (NNP Ada))))
       (VP (VBD asked)
           (SBAR (WHNP-1 (WP what)) (S (NP-SBJ=2 (PRP we)) (VP (VBD saw) (NP (-NONE- *T*-1))))))
       (. .))
    """
)
BARE, GIVEN = "words", "base-np"


def arcs(sentence) -> list[str]:
    """Each token as ``form/tag<head``."""
    forms = [token.form for token in sentence.tokens] + ["ROOT"]
    return [f"{token.form}/{token.pos}<{forms[token.head]}" for token in sentence.tokens]


def test_words_hang_from_the_head_of_their_phrase():
    assert arcs(to_sentence(TREE, BARE)) == [
        *("The/DT<teacher", "teacher/NN<asked", "of/IN<teacher", "Ada/NNP<of", "asked/VBD<ROOT"),
        *("what/WP<asked", "we/PRP<saw", "saw/VBD<what", "./.<asked"),
    ]


def test_base_nps_are_whole_and_traces_are_gone():
    assert arcs(to_sentence(TREE, GIVEN)) == [
        *("The teacher/NP<asked", "of/IN<The teacher", "Ada/NP<of", "asked/VBD<ROOT"),
        *("what/WP<asked", "we/NP<saw", "saw/VBD<what", "./.<asked"),
    ]
    assert to_sentence(TREE, GIVEN).tokens[0].words == ("The", "teacher")


def test_base_nps_of_one_word_may_stay_words():
    tags = [token.pos for token in to_sentence(TREE, GIVEN, min_np_words=2).tokens]
    assert tags == ["NP", "IN", "NNP", "VBD", "WP", "PRP", "VBD", "."]


def test_an_empty_np_counts_as_an_np():
    tree = Tree.fromstring("(NP (NP (-NONE- *)) (JJ old) (NNS books))")
    assert arcs(to_sentence(tree, GIVEN)) == ["old/JJ<books", "books/NNS<ROOT"]


def test_a_tree_of_traces_is_no_sentence():
    assert to_sentence(Tree.fromstring("(S (NP (-NONE- *)))"), BARE) is None
    assert to_sentence(Tree.fromstring("(S (NP (-NONE- *)))"), GIVEN) is None


@pytest.mark.parametrize(
    ("label", "children", "head"),
    [
        ("NP", "NNP POS", 1),  # one group: whichever comes first from the right
        ("NP", "NN CD", 0),
        ("VP-PRD", "ADVP MD VP", 1),
        ("PRN", "-LRB- NP-1 -RRB-", 1),  # nothing listed: punctuation is passed over
        ("PRN", ", ,", 1),  # unless there is nothing else
        ("ADVP|PRT", "JJ RB", 1),
        ("UNHEARD-OF", "NN NN", 1),
    ],
)
def test_head_rules(label, children, head):
    assert YAMADA_MATSUMOTO.head(label, children.split()) == head


def test_a_bad_head_rule_is_refused():
    with pytest.raises(ValueError, match="not 'NP r NN'"):
        read_head_table("NP r NN")


WORDS = st.builds(
    lambda tag: Tree(tag, ["w"]), st.sampled_from(["NN", "DT", ",", "CC", "VBD", "-NONE-"])
)
PHRASE = st.sampled_from(["S", "NP", "NP-SBJ", "VP", "PP", "PRN", "QP"])
TREES = st.recursive(
    WORDS, lambda below: st.builds(Tree, PHRASE, st.lists(below, min_size=1, max_size=4))
).filter(lambda tree: not isinstance(tree[0], str))


@given(TREES, st.integers(1, 3))
def test_base_nps_only_draw_words_together(tree, min_words):
    """The tree over base NPs is the tree over words with the words of each NP made one."""
    words, units = to_sentence(tree, BARE), to_sentence(tree, GIVEN, min_words)
    if words is None or units is None:
        assert words is units
        return
    assert words.surface == units.surface
    unit_of = [i for i, token in enumerate(units.tokens) for _ in token.words] + [-1]
    drawn = {(unit_of[i], unit_of[t.head]) for i, t in enumerate(words.tokens)}
    assert {(i, t.head) for i, t in enumerate(units.tokens)} == {(i, h) for i, h in drawn if i != h}
    for sentence in (words, units):
        assert sentence.tree.problem() is None and sentence.tree.is_projective()


@given(
    st.integers(1, 8).flatmap(lambda n: st.lists(st.integers(-1, n - 1), min_size=n, max_size=n))
)
def test_projective_means_that_all_between_are_below(heads):
    if tree_problem(heads):
        return

    def above(node: int) -> set[int]:
        return {node} if node < 0 else {node} | above(heads[node])

    whole = all(
        head in above(between)
        for i, head in enumerate(heads)
        for between in range(min(i, head) + 1, max(i, head))
    )
    assert is_projective(heads) == whole


def test_a_line_of_the_other_conversion_that_is_none():
    with pytest.raises(CorpusError, match=r"line 2 of some\.dp"):
        parse_dp("a\tDT\t2\nteacher\tNN\n", "some.dp")


@pytest.mark.corpus
@pytest.mark.slow
def test_every_head_is_the_one_that_nltk_has(penn_sample):
    result = agreement()
    assert (result.sentences, result.words) == (3914, 94084)
    assert result.same_heads == result.words
    assert not result.differing


@pytest.mark.corpus
@pytest.mark.slow
def test_parentheticals_need_punctuation_passed_over(penn_sample):
    result = agreement(table=YAMADA_MATSUMOTO.without_passing_over())
    assert result.differing.total() == 277
    assert sum(n for (label, _, _), n in result.differing.items() if label == "PRN") == 272
    assert "PRN: our head is -RRB-, theirs NP" in str(result)
    assert result.to_dict()["same_heads"] == pytest.approx(0.9902, abs=1e-4)


@pytest.mark.corpus
@pytest.mark.slow
def test_base_nps_of_the_sample(penn_sample):
    """Of two words and more; with those of one word there are 22,750, 5.81 a sentence."""
    corpus = load_corpus("ptb-sample", units="base-np", min_np_words=2)
    sentences = [sentence for split in corpus.splits for sentence in corpus.split(split)]
    found = [token for sentence in sentences for token in sentence if token.pos == "NP"]
    assert [len(corpus.split(split)) for split in corpus.splits] == [3355, 233, 326]
    assert len(found) == 16333
    assert all(s.tree.problem() is None and s.tree.is_projective() for s in sentences)


@pytest.fixture
def penn_sample():
    try:
        return load_corpus("ptb-sample")
    except CorpusError as error:
        pytest.skip(str(error))
