"""The gold derivation of Cohn & Lapata (2009), Algorithm 5, against all derivations of a target."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest
from nltk.tree import Tree
from transduction_cases import Case
from transduction_examples import FIGURE_3, FIGURE_6, SOURCE, TARGET
from transduction_oracles import naive_loss

from wordorder_lab.models import kneser_ney
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.phrase_tree import phrase_nodes
from wordorder_lab.transduction.chart import StsgChart
from wordorder_lab.transduction.gold import GOLD, NoDerivation, gold_derivation
from wordorder_lab.transduction.grammar import (
    GrammarSettings,
    SynchronousGrammar,
    extract_grammar,
    read_grammar,
)
from wordorder_lab.transduction.losses import LOSSES, compression_loss
from wordorder_lab.transduction.problem import BEAMS, TransductionInput, transduction_problem


@cache
def case(seed: int) -> Case:
    """A small tree whose targets have many derivations."""
    return Case(seed, spurious=True)


SEEDS = range(16)


def target_of(one: Case, seed: int) -> Tree:
    """The target of a derivation: the one with most of them, or for every fourth seed any."""
    counts = Counter(d.tree.freeze() for d in one.derivations)
    most = max(counts, key=lambda tree: (counts[tree], str(tree)))
    found = random.Random(seed).choice(sorted(counts, key=str)) if seed % 4 == 0 else most
    return Tree.convert(found)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.slow
def test_the_gold_derivation_is_the_best_of_all(seed: int) -> None:
    """By rules, by the highest and the lowest score, and any: each of this very target."""
    one = case(seed)
    target = target_of(one, seed)
    scores = list(one.given().scores)
    same = {
        one.key(d): (len(d.steps), score)
        for d, score in zip(one.derivations, one.scores)
        if d.tree == target
    }
    # The n-grams of one target are the same in all its derivations.
    ngrams = one.ngram_weight * one.ngrams.score(target.leaves())
    found = {}
    for gold in GOLD:
        derivation = gold_derivation(one.problem, phrase_nodes(target), gold, scores, "seed")
        assert one.problem.target_tree(derivation) == target
        found[gold] = one.key(derivation)
        score = 0.0
        for a in derivation:
            score += scores[a]
        assert same[found[gold]] == (len(derivation), pytest.approx(score + ngrams, abs=1e-9))
    rules, by_score = zip(*same.values())
    assert same[found["max-rules"]][0] == max(rules)
    longest = [one.numbers(d) for d in one.derivations if d.tree == target]
    longest = [numbers for numbers in longest if len(numbers) == max(rules)]
    assert found["max-rules"] == one.key(min(longest))  # equal ones: the rule that comes first
    assert same[found["max-score"]][1] == pytest.approx(max(by_score), abs=1e-9)
    assert same[found["min-score"]][1] == pytest.approx(min(by_score), abs=1e-9)


def test_the_cases_have_a_choice() -> None:
    """Most targets above have several derivations, some with more rules than others."""
    several = lengths = 0
    for seed in SEEDS:
        one = case(seed)
        target = target_of(one, seed)
        rules = [len(d.steps) for d in one.derivations if d.tree == target]
        several += len(rules) > 1
        lengths += len(set(rules)) > 1
    assert several >= 8 and lengths >= 4


def test_a_random_derivation_is_any_of_them_as_often_as_another() -> None:
    """Chi-square over 150 draws for each; the bound is far out, at 5 standard deviations."""
    tested = 0
    for seed in SEEDS:
        one = case(seed)
        target = target_of(one, seed)
        ways = [one.key(d) for d in one.derivations if d.tree == target]
        if not 3 <= len(ways) <= 12:
            continue
        tested += 1
        nodes = phrase_nodes(target)
        draws = [gold_derivation(one.problem, nodes, "random", seed=f"{i}") for i in range(600)]
        assert draws[0] == gold_derivation(one.problem, nodes, "random", seed="0")
        counts = Counter(map(one.key, draws))
        assert set(counts) <= set(ways)
        expected = len(draws) / len(ways)
        chi_square = sum((counts[way] - expected) ** 2 / expected for way in ways)
        freedom = len(ways) - 1
        assert chi_square < freedom + 5 * (2 * freedom) ** 0.5
        if tested == 3:
            break
    assert tested == 3


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_pair_has_a_derivation_under_its_own_rules(depth: int) -> None:
    """Of Figure 6: 12 minimal rules, however many more there are."""
    grammar = extract_grammar([FIGURE_6], GrammarSettings(depth=depth))
    problem = transduction_problem(phrase_nodes(SOURCE), grammar)
    derivation = gold_derivation(problem, phrase_nodes(TARGET))
    assert problem.target_tree(derivation) == TARGET and len(derivation) == 12


@pytest.mark.parametrize(
    "target",
    [
        "(S (NN rain))",  # a word that no rule makes
        "(S (CC and) (CC and))",
        "(X (CC and))",  # a root that there is not
        "(S (S-bar (WHNP (WP which))) (CC and))",  # a child that no rule leaves alone
    ],
)
def test_no_derivation(target: str) -> None:
    problem = transduction_problem(phrase_nodes(SOURCE), SynchronousGrammar({}, []))
    for gold in GOLD:
        scores = [0.0] * len(problem.applications)
        with pytest.raises(NoDerivation, match="no derivation of this grammar"):
            gold_derivation(problem, phrase_nodes(Tree.fromstring(target)), gold, scores)


def test_golds_that_there_are_not() -> None:
    problem = transduction_problem(phrase_nodes(SOURCE), SynchronousGrammar({}, []))
    nodes = phrase_nodes(SOURCE)
    with pytest.raises(ValueError, match=r"max-rules, .*not 'best'"):
        gold_derivation(problem, nodes, "best")
    for gold in ("max-score", "min-score"):
        with pytest.raises(ValueError, match="no scores"):
            gold_derivation(problem, nodes, gold)


NO_RULES = SynchronousGrammar({}, [])
BIGRAMS = kneser_ney.estimate_ngrams([["a", "b"]], 2)


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


def test_a_pair_without_aligned_words() -> None:
    with pytest.raises(ValueError, match="figure-6: no word of the two sentences is aligned"):
        extract_grammar([FIGURE_6, CompressionPair(SOURCE, (TARGET,), (), "figure-6")])


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
