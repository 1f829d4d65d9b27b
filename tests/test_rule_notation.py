"""Rules of a synchronous grammar in text: reading, printing, and what is wrong where."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.tree import Tree
from transduction_examples import DELETIONS, EQUATION_3, FIGURE_3, FIGURE_7

from wordorder_lab.structures.phrase_tree import phrase_nodes
from wordorder_lab.structures.synchronous_rule import (
    EPSILON,
    ElementaryTree,
    parse_elementary_tree,
    parse_rule,
    synchronous_rule,
)

NAMES = st.one_of(
    st.sampled_from(
        ["NP", "S-bar", "eps", "_eps", "NP_1", "\\", "[", "]", "<", ">", ",", " ", "->"]
    ),
    st.text(min_size=1, max_size=5),
    st.text("[]_\\<>, \n\t-1", min_size=1, max_size=5),
)


@st.composite
def trees(draw, depth: int = 3) -> ElementaryTree:
    """Trees whose variables are not numbered yet: each has the index 1. A word stands alone."""
    label = draw(NAMES)
    if depth < 3 and draw(st.booleans()):
        return ElementaryTree(label, (), draw(st.sampled_from([EPSILON, 1])))
    if not depth or draw(st.booleans()):
        return ElementaryTree(label, (draw(NAMES),))
    below = st.lists(trees(depth - 1), min_size=1, max_size=3)
    return ElementaryTree(label, tuple(draw(below)))


def numbered(tree: ElementaryTree, numbers: list[int]) -> ElementaryTree:
    """Its variables with these numbers from left to right; an epsilon where there is none left."""
    if tree.is_frontier:
        index = numbers.pop(0) if tree.index != EPSILON and numbers else EPSILON
        return ElementaryTree(tree.label, (), index)
    children = [c if isinstance(c, str) else numbered(c, numbers) for c in tree.children]
    return ElementaryTree(tree.label, tuple(children))


@given(trees())
def test_a_tree_comes_back_from_its_text(tree: ElementaryTree) -> None:
    tree = numbered(tree, list(range(1, 100)))
    assert parse_elementary_tree(str(tree)) == tree
    assert parse_elementary_tree(f"  {tree}\n ") == tree


@given(trees(), NAMES, st.data())
def test_a_rule_comes_back_from_its_text(source: ElementaryTree, y: str, data) -> None:
    variables = len(source.variables())
    order = data.draw(st.permutations(range(1, variables + 1)))
    variables_of = tuple(ElementaryTree("X", (), number) for number in order)
    leaves: tuple[ElementaryTree | str, ...] = variables_of or ("word",)
    rule = synchronous_rule(numbered(source, list(range(1, 100))), ElementaryTree(y, leaves))
    assert parse_rule(str(rule)) == rule and str(parse_rule(str(rule))) == rule.text
    assert rule.target.variables() == list(range(1, variables + 1))
    assert [order.index(i) + 1 for i in range(1, variables + 1)] == rule.source.variables()


def test_a_word_has_a_tag_of_its_own() -> None:
    with pytest.raises(ValueError, match="the word 'and' has no tag"):
        parse_rule("<NP, S> -> <[NP NP_1], [S and NP_1]>")


def test_the_printed_rules_come_back() -> None:
    for text in (*FIGURE_3, *FIGURE_7, *DELETIONS, EQUATION_3):
        assert str(parse_rule(text)) == text
    # Numbers are those of the target from left to right, whatever was written.
    reordered = "<PP, PP> -> <[PP IN_1 NP_2], [PP NP_2 IN_1]>"  # footnote 7
    assert str(parse_rule(reordered)) == "<PP, PP> -> <[PP IN_2 NP_1], [PP NP_1 IN_2]>"
    assert parse_rule(reordered.replace("2", "7")) == parse_rule(reordered)
    assert parse_rule("<S,NP>-><[S NP_1 VP_eps],NP_1>") == parse_rule(FIGURE_3[1])


def test_what_a_tree_says_of_itself() -> None:
    tree = parse_elementary_tree("[S [SBAR WHNP_1 S_eps] [CC and] NP_2]")
    assert (tree.size(), tree.levels()) == (7, 2)
    assert (tree.variables(), tree.words()) == ([1, 2], ["and"])
    assert [str(leaf) for leaf in tree.frontier()] == ["WHNP_1", "S_eps", "and", "NP_2"]
    assert parse_elementary_tree("NP_1").levels() == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "'<' is expected at the end"),
        ("<S, NP> <[S A_1], A_1>", "'-' is expected at 9"),
        ("<S, A> -> <[S A_1], A_1", "'>' is expected at the end"),
        ("<S, A> -> <[S A_1], A_1> x", "the end is expected at 26"),
        ("<S, A> -> <[S A_1, A_1>", "a node or word is expected at 18"),
        ("<S, A> -> <[S [A_1], A_1>", "a label without an index .* is expected at 16"),
        ("<S, A> -> <[S A_1]], A_1>", "',' is expected at 19"),
        ("<S, A> -> <[], A_1>", "a label .* is expected at 13"),
        ("<S, A> -> <[S A_1 []], A_1>", "a label .* is expected at 20"),
        ("<S, A> -> <[S A_1 [B]], A_1>", "B has no children, and an index or _eps.* at 21"),
        ("<S, A> -> <[S A_0], A_0>", "one index .* is expected at 15"),
        ("<S, A> -> <[S A_1_2], A_1>", "one index .* is expected at 15"),
        ("<S, A> -> <[S A_i], A_1>", "one index .* is expected at 15"),
        ("<S, A> -> <[S _1], A_1>", "one index .* is expected at 15"),
        ("<S, A> -> <[S A_1], A_1> \\", "backslash before nothing"),
        ("<S, A> -> <S_1, A_1>", "its source is a variable"),
        ("<S, A> -> <s, A_1>", "both sides are trees"),
        ("<S, A> -> <[S A_1], A_eps>", "only nodes of the source"),
        ("<S, A> -> <[S A_1 B_2], A_1>", "each variable stands once on either side"),
        ("<S, A> -> <[S A_1 B_1], A_1>", "each variable stands once on either side"),
        ("<S, A> -> <[S A_1], [A B_1 B_1]>", "each variable stands once on either side"),
        ("<S, A> -> <[S A_eps], [A B_1]>", "each variable stands once on either side"),
        ("<S, B> -> <[S A_1], A_1>", "says <S, B> and has trees of S and A"),
    ],
)
def test_what_is_no_rule_is_told_with_its_place(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        parse_rule(text)


@pytest.mark.parametrize(
    ("tree", "told"),
    [
        (Tree("S", []), "the node S is empty"),
        (Tree("S", [Tree("NP", [Tree("NN", ["rain"]), Tree("PRN", [])])]), "the node PRN is empty"),
        (Tree("S", [Tree("NN", ["rain"]), "falls"]), "a word below S has no tag"),
        (Tree("S", ["rain", "falls"]), "a word below S has no tag"),
        (Tree("NN", [""]), "a word below NN has no tag"),
        (Tree("S", [Tree("", ["rain"])]), "a node above 'rain' has no label"),
    ],
)
def test_a_tree_that_cannot_be(tree: Tree, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        phrase_nodes(tree)


def test_the_table_of_nodes() -> None:
    """Children before parents, the root last; the tree comes back."""
    tree = Tree.fromstring("(S (NP (DT the) (NN rain)) (VP (VBZ falls)))")
    nodes = phrase_nodes(tree)
    assert nodes.labels == ("DT", "NN", "NP", "VBZ", "VP", "S")
    assert nodes.words == ("the", "rain", "", "falls", "", "")
    assert nodes.parents == (2, 2, 5, 4, 5, -1)
    assert list(zip(nodes.begins, nodes.ends)) == [(0, 1), (1, 2), (0, 2), (2, 3), (2, 3), (0, 3)]
    assert nodes.tree(nodes.root) == tree and nodes.leaves == tree.leaves()
    assert [*nodes.below(2)] == [0, 1, 2] and [*nodes.below(nodes.root)] == [*range(6)]
