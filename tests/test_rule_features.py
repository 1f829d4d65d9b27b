"""Features of rules: Table 2 of Cohn & Lapata (2009), what section 4 says, and how they add up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.tree import Tree
from transduction_cases import Case
from transduction_examples import (
    DELETIONS,
    EQUATION_3,
    FIGURE_3,
    FIGURE_7,
    TABLE_2,
    TABLE_2_RULE,
    parse_elementary_tree,
)
from transduction_oracles import score_of

from wordorder_lab.structures.phrase_tree import phrase_nodes
from wordorder_lab.structures.synchronous_rule import (
    EPSILON,
    ElementaryTree,
    parse_rule,
    synchronous_rule,
)
from wordorder_lab.transduction.features import (
    NGRAM,
    NGRAM_ID,
    RuleFeatures,
    application_scores,
    derivation_features,
)
from wordorder_lab.transduction.grammar import COPY, DELETE, EXTRACTED, read_grammar
from wordorder_lab.transduction.problem import TransductionProblem, transduction_problem
from wordorder_lab.transduction.templates import (
    SOURCE_TERMINALS,
    load_templates,
    parse_templates,
)

TEMPLATES = load_templates()


def features_of(text: str, origin: int = EXTRACTED) -> dict[str, float]:
    found = list(TEMPLATES.features(parse_rule(text), origin))
    assert len(dict(found)) == len(found)  # no name twice
    return dict(found)


def test_the_features_of_table_2() -> None:
    assert features_of(TABLE_2_RULE) == TABLE_2


def activists() -> TransductionProblem:
    source = Tree.fromstring("(NP (CD ten) (ADJP (RB very) (JJ loud)) (NNS activists))")
    return transduction_problem(phrase_nodes(source), read_grammar([TABLE_2_RULE], ["NNS"]))


def test_source_terminals_are_those_that_an_application_consumes() -> None:
    """Table 2 counts them in the tree: here the rule's own and three that it deletes."""
    problem = activists()
    features = RuleFeatures(TEMPLATES)
    rows = features.rows(problem)
    names = features.names()
    (one,) = (a for a, this in enumerate(problem.applications) if str(this.rule) == TABLE_2_RULE)
    here = slice(rows.starts[one], rows.starts[one + 1])
    found = {names[i]: value for i, value in zip(rows.ids[here], rows.values[here])}
    assert found == {**TABLE_2, SOURCE_TERMINALS: 4}
    assert all(rows.values)  # a feature of value 0 is left out
    consumed = {str(this.rule): this.consumed for this in problem.applications}
    assert consumed["<NNS, NNS> -> <[NNS activists], [NNS activists]>"] == 1
    assert consumed["<NP, NNS> -> <[NP CD_eps ADJP_eps NNS_1], NNS_1>"] == 3
    assert consumed["<NP, NP> -> <[NP CD_1 ADJP_2 NNS_3], [NP CD_1 ADJP_2 NNS_3]>"] == 0


def test_a_copied_word() -> None:
    """Both sides are equal, with and without words; no length changes. It is copied and learned."""
    assert features_of("<NN, NN> -> <[NN rain], [NN rain]>", EXTRACTED | COPY) == dict.fromkeys(
        [
            "Type: extracted",
            "Type: copy",
            "Root: X = NN",
            "Root: Y = NN",
            "Root: X = NN ∧ Y = NN",
            "Identity: α = [NN rain]",
            "Identity: γ = [NN rain]",
            "Identity: α = [NN rain] ∧ γ = [NN rain]",
            "Identity: α = γ",
            "UnlexId: unlex. α = NN",
            "UnlexId: unlex. γ = NN",
            "UnlexId: unlex. α = NN ∧ γ = NN",
            "UnlexId: unlex. α = γ",
            "Rule count: 1",
            "Word count: target terminals",
            "Yield: terminals source = [rain] ∧ target = [rain]",
            "Yield: terminal rain in both source and target",
            "Yield: non-terminals source = [NN] ∧ target = [NN]",
            "Yield: non-terminal NN in both source and target",
        ],
        1.0,
    )


def test_what_differs_between_rules_that_are_nearly_alike() -> None:
    """Indices count in the whole rule alone; words not in what is unlexicalised."""
    straight = features_of("<PP, PP> -> <[PP IN_1 NP_2], [PP IN_1 NP_2]>")
    swapped = features_of("<PP, PP> -> <[PP IN_1 NP_2], [PP NP_2 IN_1]>")
    assert set(straight) - set(swapped) == {
        "Identity: γ = [PP IN NP]",
        "Identity: α = [PP IN_1 NP_2] ∧ γ = [PP IN_1 NP_2]",
        "Identity: α = γ",
        "UnlexId: unlex. γ = [PP IN NP]",
        "UnlexId: unlex. α = [PP IN_1 NP_2] ∧ γ = [PP IN_1 NP_2]",
        "UnlexId: unlex. α = γ",
        "Yield: non-terminals source = [IN, NP] ∧ target = [IN, NP]",
    }
    same = features_of("<NP, NP> -> <[NP NN_1 NN_2], [NP NN_2 NN_1]>")
    assert {"Identity: α = γ", "UnlexId: unlex. α = γ"} <= same.keys()
    other_word = features_of("<NN, NN> -> <[NN rain], [NN snow]>", DELETE)
    assert "UnlexId: unlex. α = γ" in other_word and "Identity: α = γ" not in other_word
    assert other_word["Yield: terminal rain in source and not target"] == 1
    assert "Type: delete" in other_word and "Type: extracted" not in other_word
    longer = features_of("<NN, NP> -> <[NN rain], [NP [JJ heavy] [NN rain]]>")
    assert longer["Length: difference in length"] == -1
    assert longer["Word count: target terminals"] == 2 and "Length: target shorter" not in longer


def test_templates_are_read_from_text_and_files(tmp_path: Path) -> None:
    told = parse_templates("# mine\nMy row  X   # the label\n\nLong  target shorter\n")
    assert told.rows == (("My row", "X"), ("Long", "target shorter"))
    assert not told.counts_source and TEMPLATES.counts_source
    rule = parse_rule("<S, NP> -> <[S NP_1 VP_eps], NP_1>")
    assert dict(told.features(rule, EXTRACTED)) == {"My row: X = S": 1, "Long: target shorter": 1}
    path = tmp_path / "mine.txt"
    path.write_text(told.text, encoding="utf-8")
    assert load_templates(str(path)).rows == told.rows
    with pytest.raises(ValueError, match=r"line 2 of templates: .* is no template"):
        parse_templates("Root  X\nRoot  Z")
    with pytest.raises(ValueError, match="has no templates"):
        parse_templates("# nothing")
    with pytest.raises(ValueError, match="there are cohn_lapata_2009_table_2"):
        load_templates("nowhere")


def test_templates_of_one_class() -> None:
    """Section 6.1: every template is over rules or over tokens, and the text says what is left."""
    rules, tokens = (TEMPLATES.only(name) for name in ("rule,ngram", "token"))
    assert sorted((*rules.rows, *tokens.rows)) == sorted(TEMPLATES.rows)
    assert {row for row, _ in tokens.rows} == {"Word count", "Yield"} and len(tokens.rows) == 5
    assert not any("non-terminal" in what for _, what in tokens.rows)
    assert tokens.counts_source and not rules.counts_source
    assert parse_templates(rules.text, rules.name) == rules
    assert TEMPLATES.only("rule,token") is TEMPLATES is TEMPLATES.only("ngram,token,rule")
    assert TEMPLATES.only("ngram").rows == () and TEMPLATES.only("ngram").text == ""
    for wrong in ("", "rules", "rule,rule", "rule;token", "all"):
        with pytest.raises(ValueError, match="one or more of rule, token, ngram"):
            TEMPLATES.only(wrong)
    with pytest.raises(ValueError, match="mine has no templates for 'token,ngram'"):
        parse_templates("# words\nRoot  X", "mine").only("token,ngram")


def test_names_get_numbers_as_they_come_and_then_no_more() -> None:
    features = RuleFeatures(TEMPLATES)
    assert features.names() == [NGRAM] and features.numbers[NGRAM] == NGRAM_ID == 0
    first = features.rows(activists())
    known = features.names()
    assert sorted(set(first.ids.tolist())) == list(range(1, len(known)))
    again = features.rows(activists())
    assert all(np.array_equal(one, other) for one, other in zip(first, again))
    features.freeze()
    other = transduction_problem(
        phrase_nodes(Tree.fromstring("(NP (NNS dogs))")), read_grammar([], ["NP"])
    )
    rows = features.rows(other)
    assert features.names() == known and len(features) == len(known)
    assert rows.starts[-1] == len(rows.ids) == len(rows.values) and max(rows.ids) < len(known)
    restored = RuleFeatures(TEMPLATES, known)
    restored.freeze()
    assert all(np.array_equal(one, two) for one, two in zip(rows, restored.rows(other)))
    with pytest.raises(ValueError, match="the first feature is"):
        RuleFeatures(TEMPLATES, known[1:])


@pytest.mark.parametrize("seed", range(6))
def test_features_of_a_derivation_times_weights_are_its_score(seed: int) -> None:
    """Equations 5 and 6, against the oracle; and the words of the source are consumed once each."""
    case = Case(seed)
    features = RuleFeatures(TEMPLATES)
    rows = features.rows(case.problem)
    weights = np.array(
        [case.ngram_weight if name == NGRAM else case.weigh(name) for name in features.names()]
    )
    for one, score in zip(case.derivations[:40], case.scores):
        derivation = case.numbers(one)
        psi = derivation_features(rows, derivation, case.ngrams.score(one.tree.leaves()))
        total = sum(weights[number] * value for number, value in psi.items())
        assert total == pytest.approx(score, abs=1e-9)
        assert score == pytest.approx(
            score_of(one, case.weigh, case.ngrams, case.ngram_weight), abs=1e-12
        )
        counts = {features.names()[number]: value for number, value in psi.items()}
        assert counts[SOURCE_TERMINALS] == len(case.source.leaves())
        assert counts["Word count: target terminals"] == len(one.tree.leaves())
        assert counts["Rule count: 1"] == len(one.steps)
        scores = application_scores(rows, weights)
        assert case.ngram_weight * psi[NGRAM_ID] + sum(
            scores[a] for a in derivation
        ) == pytest.approx(score, abs=1e-9)


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
