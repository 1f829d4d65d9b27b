"""Trees that no rule was learned from, and input that cannot be: a result, or one clear error."""

from __future__ import annotations

import pytest
from nltk.tree import Tree
from transduction_examples import FIGURE_3, FIGURE_6, SOURCE, TARGET
from transduction_oracles import naive_loss

from wordorder_lab.models import kneser_ney
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.phrase_tree import phrase_nodes
from wordorder_lab.transduction.chart import StsgChart
from wordorder_lab.transduction.gold import gold_derivation
from wordorder_lab.transduction.grammar import (
    GrammarSettings,
    SynchronousGrammar,
    extract_grammar,
    read_grammar,
)
from wordorder_lab.transduction.losses import LOSSES, compression_loss
from wordorder_lab.transduction.problem import BEAMS, TransductionInput, transduction_problem

NO_RULES = SynchronousGrammar({}, [])
BIGRAMS = kneser_ney.estimate([["a", "b"]], 2)


def copied(source: Tree, grammar: SynchronousGrammar) -> Tree:
    """The best output where copying costs nothing and all else does."""
    problem = transduction_problem(phrase_nodes(source), grammar)
    costs = [0.0 if one.rule.source == one.rule.target else -1.0 for one in problem.applications]
    found = StsgChart(TransductionInput(problem, costs, BIGRAMS, 0.0)).run()
    return problem.target_tree(found.best[0].applications)


@pytest.mark.parametrize(
    "text",
    [
        "(NN rain)",
        "(S (NP (XX blork)) (QQ (NP (FOO (BAR baz)))))",
        "(S (S (S (NP (NP (NP (NN rain)))))))",
        f"(NP {' '.join(f'(NN{i} w{i})' for i in range(12))})",
    ],
)
def test_a_tree_of_unseen_things_can_be_copied(text: str) -> None:
    """Unseen labels, words and productions, one word, unary chains, wide nodes, odd words."""
    source = Tree.fromstring(text)
    for grammar in (NO_RULES, read_grammar(FIGURE_3, ["S"])):
        assert copied(source, grammar) == source


def test_words_and_labels_may_look_like_notation() -> None:
    odd = ["[NN", "a_1", "\\", "<s>", "</s>", "<unk>", "_eps", "a,b", " ", "(", "α", "->", "]"]
    source = Tree("S", [Tree(label, [word]) for label, word in zip(odd, odd[::-1])])
    assert copied(source, NO_RULES) == source


def test_a_word_that_looks_like_a_mark_is_a_word() -> None:
    """The n-gram loss has marks of its own for the beginning and the end."""
    source = Tree.fromstring("(S (A <s>) (B </s>) (A <s>))")
    problem = transduction_problem(phrase_nodes(source), NO_RULES)
    for reference in (source, Tree.fromstring("(S (A <s>))"), Tree.fromstring("(S (A rain))")):
        for name in LOSSES:
            loss = compression_loss(name, reference)
            scores = [0.0] * len(problem.applications)
            given = TransductionInput(problem, scores, BIGRAMS, 1.0, loss)
            for derived in StsgChart(given, BEAMS["exact"]).run(100).best:
                tree = problem.target_tree(derived.applications)
                assert derived.loss == pytest.approx(naive_loss(name, tree, reference))


@pytest.mark.parametrize(
    ("alignment", "told"),
    [
        (((1, 0), (10, 3)), "figure-6: the alignment has 10-3, which points outside"),
        (((1, 4),), "figure-6: the alignment has 1-4, which points outside .* of 10 and 4 words"),
        (((-1, 0),), "figure-6: the alignment has -1-0, which points outside"),
        ((), "figure-6: no word of the two sentences is aligned"),
    ],
)
def test_an_alignment_that_cannot_be(alignment: tuple[tuple[int, int], ...], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        extract_grammar([FIGURE_6, CompressionPair(SOURCE, (TARGET,), alignment, "figure-6")])


def test_a_target_that_is_empty_somewhere() -> None:
    """An empty compression is refused when the pair is made."""
    pair = CompressionPair(SOURCE, (Tree("S", [Tree("NP", []), TARGET]),), ((1, 0),))
    with pytest.raises(ValueError, match="a pair without a name: the node NP is empty"):
        extract_grammar([pair])
    with pytest.raises(ValueError, match="a pair without a name: a tree has no words"):
        CompressionPair(SOURCE, (Tree("S", []),), ())


def test_a_unary_chain_of_one_label_is_learned_like_any_other() -> None:
    """Each node of the chain is aligned to each: rules neither loop nor get lost."""
    source = Tree.fromstring("(NP (NP (NP (NP (DT the) (NN rain)))))")
    target = Tree.fromstring("(NP (NP (NN rain)))")
    pair = CompressionPair(source, (target,), ((1, 0),))
    for depth in (0, 1, 2):
        grammar = extract_grammar([pair], GrammarSettings(depth=depth))
        problem = transduction_problem(phrase_nodes(source), grammar)
        assert problem.target_tree(gold_derivation(problem, phrase_nodes(target))) == target
        assert copied(source, grammar) == source
