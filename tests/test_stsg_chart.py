"""The chart of Cohn & Lapata (2009), Algorithm 4, against all derivations of small trees."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

import pytest
from nltk.tree import Tree
from transduction_cases import LABELS, Case, random_tree
from transduction_oracles import bag, grown, naive_loss

from wordorder_lab.check.small_transducer import FAST_CAR, by_hand, derivation_count
from wordorder_lab.models import kneser_ney
from wordorder_lab.structures.phrase_tree import phrase_nodes
from wordorder_lab.trace.log import EventLog
from wordorder_lab.transduction.chart import Item, StsgChart
from wordorder_lab.transduction.cube_pruning import Combination, Grid, best_first
from wordorder_lab.transduction.grammar import DELETE, read_grammar
from wordorder_lab.transduction.losses import LOSSES, Loss, compression_loss
from wordorder_lab.transduction.problem import (
    BEAMS,
    Beam,
    Transduced,
    TransductionInput,
    transduction_problem,
)

EXACT = BEAMS["exact"]
CASES = [(seed, order) for seed in range(8) for order in (1, 2, 3)]
CLOSE = 1e-9
WHOLE = "<S, S> -> <[S NP_1 VP_2], [S NP_1 VP_2]>"

case = cache(Case)


def reference_for(one: Case, seed: int) -> Tree:
    """A tree to lose against: of a derivation, or any that may have words of its own."""
    chance = random.Random(f"reference {seed}")
    if chance.random() < 0.7:
        return chance.choice(one.derivations).tree
    return random_tree(chance, chance.randint(1, 6))


def worked_example(name: str | None = "hamming-tokens") -> TransductionInput:
    """The fast car, against "the car skidded", by this loss."""
    model = by_hand()
    problem = model.problem(FAST_CAR)
    reference = Tree.fromstring("(S (NP (DT the) (NN car)) (VP (VBD skidded)))")
    loss = compression_loss(name, reference) if name else None
    return TransductionInput(problem, model.scores(problem), model.ngrams, 1.0, loss)


def item_of(chart: StsgChart, category: str, left: str, right: str) -> Item:
    """The item of the first cell of a category with these words at its edges."""
    cell = next(i for i, (_, label) in enumerate(chart.problem.cells) if label == category)
    edges = [tuple(map(chart.boundaries.numbers.get, words.split())) for words in (left, right)]
    (item,) = (item for item in chart.cells[cell] if [item.left, item.right] == edges)
    return item


def test_the_docstrings_work_out_what_the_chart_does() -> None:
    """``Item``, ``heuristic``, ``combine`` and ``estimate``, from the model's parts."""
    given = worked_example()
    chart = StsgChart(given, EXACT)
    chart.run()

    def log(word: str, before: str = "") -> float:
        context = [given.ngrams.word_id(earlier) for earlier in before.split()]
        return given.ngrams.log_prob(context, given.ngrams.word_id(word))

    noun, car = item_of(chart, "NP", "the fast", "fast car"), item_of(chart, "NP", "car", "car")
    verb = item_of(chart, "VP", "skidded to", "a halt")
    whole = item_of(chart, "S", "the fast", "a halt")
    scored, the, fast = log("car", "the fast"), log("the"), log("fast")
    seams = log("skidded", "fast car"), log("to", "car skidded")
    (rule,) = (a for a, used in enumerate(chart.problem.applications) if str(used.rule) == WHOLE)
    ranks = next(r for r in product(range(3), range(4)) if chart.parts(rule, r) == [noun, verb])
    guess = chart.heuristic(rule, ranks)
    made = chart.combine(Combination(rule, ranks, guess))

    for text, of in (
        (f"log p(car | the fast) = 4.500 - {-scored:.3f} = {noun.score:.3f}", Item),
        (f"{noun.score:.3f} - {-the:.3f} - {-fast:.3f} = {noun.inside:.3f}", Item),
        (f"{noun.inside:.3f} + 1 (false positives) + 0 (missing) = {noun.estimate:.3f}", Item),
        (f"[NP car] has {car.score:.3f}, {car.inside:.3f} and {car.estimate:.3f}", Item),
        (f"0 - {-noun.inside:.3f} + {verb.inside:.3f} + 4 = {guess:.3f}", chart.heuristic),
        (f"= {seams[0]:.3f} - {-seams[1]:.3f} = {made.ngrams:.3f}", chart.combine),
        (
            f"{noun.score:.3f} + {verb.score:.3f} - {-made.ngrams:.3f} = {made.score:.3f}",
            chart.combine,
        ),
        (f"{whole.score:.3f} - {-the:.3f} - {-fast:.3f} = {whole.inside:.3f}", chart.estimate),
        (f"{whole.inside:.3f} + 4 = {whole.estimate:.3f}", chart.estimate),
        (f"The heuristic had {guess:.3f}", chart.estimate),
    ):
        assert text in str(of.__doc__)
    assert [noun.score, noun.inside] == pytest.approx([4.5 + scored, 4.5 + scored + the + fast])
    assert (noun.counts, whole.counts) == ((2, 1), (3, 4))
    assert noun.estimate == pytest.approx(noun.inside + 1)
    assert whole.score == made.score == pytest.approx(noun.score + verb.score + sum(seams))


@pytest.mark.parametrize(("seed", "order"), CASES)
@pytest.mark.slow
def test_an_exact_search_finds_what_enumeration_finds(seed: int, order: int) -> None:
    """The best, the k best with repetitions, and all: with cube pruning and without."""
    one = case(seed, order)
    ranked = sorted(one.scores, reverse=True)
    assert derivation_count(one.problem) == len(ranked)
    score_of = dict(zip(map(one.key, one.derivations), one.scores))
    assert len(score_of) == len(ranked)
    for search in ("cube", "exhaustive"):
        found = StsgChart(one.given(), EXACT, search).run(len(ranked) + 5)
        assert [best.score for best in found.best] == pytest.approx(ranked, abs=CLOSE)
        keys = [one.key(best.applications) for best in found.best]
        assert len(set(keys)) == len(keys)
        assert [score_of[key] for key in keys] == pytest.approx(ranked, abs=CLOSE)
        assert StsgChart(one.given(), EXACT, search).run(3).best == found.best[:3]


def test_the_cases_have_what_an_stsg_has() -> None:
    """Reordering, words that are put in, categories that change, deep rules: in derivations.

    All target categories come up as cells, or the other tests prove less than they say.
    """
    seen: Counter[str] = Counter()
    cells: set[str] = set()
    for one in (case(*which) for which in CASES):
        cells |= {category for _, category in one.problem.cells}
        for step in {step for derivation in one.derivations for step in derivation.steps}:
            alpha, gamma = step.rule.source, step.rule.target
            seen["category"] += step.rule.roots[0] != step.rule.roots[1]
            seen["reordering"] += alpha.variables() != sorted(alpha.variables())
            seen["new words"] += not set(gamma.words()) <= set(alpha.words())
            seen["deep"] += alpha.levels() > 1 and gamma.levels() > 1
            seen["variable alone"] += gamma.is_frontier and not step.origin & DELETE
            labels = [leaf.label for leaf in gamma.frontier() if not isinstance(leaf, str)]
            seen["one category twice"] += len(set(labels)) < len(labels)
    names = ("category", "reordering", "new words", "deep", "variable alone", "one category twice")
    assert all(seen[name] >= 4 for name in names), seen
    assert cells >= {*LABELS}


def loss_of(name: str, one: Case, seed: int) -> tuple[Loss, list[float]]:
    """A loss against some reference, and its value for every derivation by the oracle."""
    penalty, factor = (0.0, 0.5, 1.0)[seed % 3], (1.0, 2.5)[seed % 2]
    reference = reference_for(one, seed)
    values = [factor * naive_loss(name, d.tree, reference, penalty) for d in one.derivations]
    return compression_loss(name, reference, penalty, factor), values


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize(("seed", "order"), CASES[::2])
def test_a_loss_augmented_search_finds_what_enumeration_finds(
    seed: int, order: int, name: str
) -> None:
    """Equation 11: the highest sum of score and loss, each of them right."""
    one = case(seed, order)
    loss, values = loss_of(name, one, seed)
    both = [score + value for score, value in zip(one.scores, values)]
    ranked = sorted(both, reverse=True)
    right = dict(zip(map(one.key, one.derivations), zip(one.scores, values)))
    for search in ("cube", "exhaustive"):
        found = StsgChart(one.given(loss), EXACT, search).run(20).best
        assert [d.score + d.loss for d in found] == pytest.approx(ranked[:20], abs=CLOSE)
        for d in found:
            assert (d.score, d.loss) == pytest.approx(right[one.key(d.applications)], abs=CLOSE)


@pytest.mark.parametrize("beam", [Beam(1, 1), Beam(2, 3), Beam(3, 0), Beam(0, 4)])
def test_a_narrow_beam_finds_a_derivation_and_its_score(beam: Beam) -> None:
    best_found = 0
    for seed, order in CASES[:12]:
        one = case(seed, order)
        score_of = dict(zip(map(one.key, one.derivations), one.scores))
        given = one.given()
        found = StsgChart(given, beam).run(4).best
        assert found
        for derived in found:
            assert derived.score == pytest.approx(score_of[one.key(derived.applications)])
        assert sorted((d.score for d in found), reverse=True) == [d.score for d in found]
        best_found += found[0].score == pytest.approx(max(one.scores), abs=CLOSE)
    assert best_found >= 3


@pytest.mark.parametrize("name", [None, *LOSSES])
def test_a_wide_beam_finds_the_best(name: str | None) -> None:
    for seed, order in CASES[1::5]:
        one = case(seed, order)
        loss = loss_of(name, one, seed)[0] if name else None
        exact = StsgChart(one.given(loss), EXACT).run(5)
        for beam in (Beam(10**6, 0), Beam(0, 10**6)):
            assert StsgChart(one.given(loss), beam).run(5) == exact


def wide_case() -> TransductionInput:
    """Sixteen words in pairs of pairs, of which either or both may stay, in either order."""
    tree = [Tree("A", [f"w{i}"]) for i in range(16)]
    while len(tree) > 1:
        tree = [Tree("A", tree[i : i + 2]) for i in range(0, len(tree), 2)]
    rules = ["<A, A> -> <[A A_eps A_1], [A A_1]>", "<A, A> -> <[A A_2 A_1], [A A_1 A_2]>"]
    problem = transduction_problem(phrase_nodes(tree[0]), read_grammar(rules, ["A"]))
    chance = random.Random(1)
    scores = [chance.gauss(0, 1) for _ in problem.applications]
    ngrams = kneser_ney.estimate_ngrams([tree[0].leaves()], 3)
    return TransductionInput(problem, scores, ngrams, 1.0)


@pytest.mark.parametrize("name", ["experiments", "training"])
def test_the_beams_of_the_paper(name: str) -> None:
    """100 unique items or 200 in all (training: 200 or 500), whichever comes first, section 6.1."""
    unique, total = BEAMS[name]
    assert (unique, total) == {"experiments": (100, 200), "training": (200, 500)}[name]
    log = EventLog()
    result = StsgChart(wide_case(), BEAMS[name], trace=log).run()
    taken, new = [], []
    for kind, *event in log:
        if kind == "cell":
            taken.append(0)
            new.append(0)
        elif kind == "combined":
            assert new[-1] < unique and taken[-1] < total  # nothing is taken once it is full
            taken[-1] += 1
            new[-1] += event[-1] == "new"
        elif kind == "filled":
            assert len(event[1]) == new[-1]
    assert unique in new and max(taken) <= total
    assert result.counters == {"combinations": sum(taken), "items": sum(new)}


def test_a_total_stops_a_cell_that_makes_few_items() -> None:
    """A unigram model has one item a cell, so only the number of combinations can stop it."""
    wide = wide_case()
    unigrams = kneser_ney.estimate_ngrams([["w1"]], 1)
    given = TransductionInput(wide.problem, wide.scores, unigrams, 1.0)
    log = EventLog()
    StsgChart(given, Beam(100, 3), trace=log).run()
    rules = [len(one) for one in wide.problem.in_cell]
    numbers = [event[1] for event in log if event[0] == "cell"]
    cells = [i for i, event in enumerate(log.events) if event[0] == "cell"]
    ends = [*cells[1:], len(log)]
    taken = [
        sum(event[0] == "combined" for event in log.events[begin:end])
        for begin, end in zip(cells, ends)
    ]
    assert taken == [min(rules[number], 3) for number in numbers] and max(rules) > 3


@pytest.mark.parametrize("beam", [Beam(-1, 0), Beam(0, -1)])
def test_beams_and_searches_that_there_are_not(beam: Beam) -> None:
    given = case(0, 1).given()
    with pytest.raises(ValueError, match="0 for no bound"):
        StsgChart(given, beam)
    with pytest.raises(ValueError, match="takes no second number"):
        StsgChart(given, Beam(0, 1), "exhaustive")
    with pytest.raises(ValueError, match="choose one of cube, exhaustive"):
        StsgChart(given, EXACT, "greedy")


def test_every_combination_comes_once_and_in_order() -> None:
    """Lists that fall, and grids of several sizes; one has no variable, one an empty dimension."""
    chance = random.Random(3)
    columns = {
        a: [sorted((chance.random() for _ in range(n)), reverse=True) for n in lengths]
        for a, lengths in enumerate([(3, 4), (5,), (), (2, 2, 3)])
    }

    def value(application: int, ranks: tuple[int, ...]) -> float:
        return sum(column[rank] for column, rank in zip(columns[application], ranks))

    grids = [Grid(a, tuple(map(len, column))) for a, column in columns.items()]
    walked = list(best_first(grids, value))
    places = {(one.application, one.ranks) for one in walked}
    assert len(walked) == len(places) == 3 * 4 + 5 + 1 + 2 * 2 * 3
    values = [one.heuristic for one in walked]
    assert values == sorted(values, reverse=True)
    assert values == [value(one.application, one.ranks) for one in walked]


class Piece:
    """An item as the log tells it: the best tree so far, its score, and all scores of its words."""

    def __init__(self, tree: Tree, score: float) -> None:
        self.tree, self.score = tree, score


class Retold:
    """A log read event by event; every event is checked against what came before it."""

    def __init__(self, one: Case, loss: tuple[str, Tree] | None, beam: Beam, search: str) -> None:
        self.case, self.problem, self.reference = one, one.problem, loss
        given = one.given(compression_loss(*loss) if loss else None)
        self.scores, self.beam, self.search = given.scores, beam, search
        self.log = EventLog()
        self.result = StsgChart(given, beam, search, self.log).run(5)
        self.items: dict[int, Piece] = {}
        self.cells: list[list[int]] = []
        self.combinations = self.derivations = 0

    def check(self) -> Transduced:
        for kind, *event in self.log:
            getattr(self, kind)(*event)
        assert len(self.cells) == len(self.problem.cells)
        assert self.derivations == len(self.result.best)
        counters = {"combinations": self.combinations, "items": len(self.items)}
        assert self.result.counters == counters
        return self.result

    @property
    def waiting(self) -> int:
        """How many words of a piece, the first, wait for what comes before them."""
        reach = 2 if self.reference and self.reference[0] == "hamming-ngrams" else 0
        return max(self.case.ngrams.order - 1, reach)

    def unigrams(self, words: Sequence[str]) -> float:
        model = self.case.ngrams
        found = [model.log_prob((), model.word_id(word)) for word in words]
        return self.case.ngram_weight * sum(found)

    def ngrams(self, tree: Tree) -> float:
        model = self.case.ngrams
        ids = [model.word_id(word) for word in tree.leaves()]
        total = 0.0
        for i in range(self.waiting, len(ids)):
            total += model.log_prob(ids[max(0, i - model.order + 1) : i], ids[i])
        return self.case.ngram_weight * total

    def with_unigrams(self, piece: Piece) -> float:
        """Its score, and the unigrams of the words that wait."""
        return piece.score + self.unigrams(piece.tree.leaves()[: self.waiting])

    def partial_loss(self, trees: Sequence[Tree], whole: Tree) -> float:
        """The loss of a piece; of n-grams only those that are complete in one of these trees."""
        if self.reference is None:
            return 0.0
        name, gold = self.reference
        if name != "hamming-ngrams":
            return naive_loss(name, whole, gold)
        made = [
            tuple(tree.leaves()[end - n : end])
            for tree in trees
            for end in range(self.waiting + 1, len(tree.leaves()) + 1)
            for n in (1, 2, 3)
        ]
        known = bag(name, gold)
        wrong = len([one for one in made if one not in known])
        return wrong + max(known.total() - len(made), 0)

    def cell(self, cell: int, node: int, category: str) -> None:
        assert cell == len(self.cells) and self.problem.cells[cell] == (node, category)
        assert cell == 0 or self.problem.cells[cell - 1][0] <= node
        self.here: dict[int, None] = {}
        self.taken: set[tuple] = set()
        self.last = float("inf")

    def combined(self, serial: int, a: int, ranks: list[int], *told: Any) -> None:
        heuristic, score, ngrams, loss, item, outcome = told
        self.combinations += 1
        assert serial == self.combinations
        assert (a, *ranks) not in self.taken and a in self.problem.in_cell[len(self.cells)]
        self.taken.add((a, *ranks))
        cells = self.problem.child_cells[a]
        parts = [self.items[self.cells[cell][rank]] for cell, rank in zip(cells, ranks)]
        tree = grown(self.problem.applications[a].rule.target, [part.tree for part in parts])
        gain = self.ngrams(tree) - sum(self.ngrams(part.tree) for part in parts)
        assert ngrams == pytest.approx(gain, abs=1e-9)
        right = self.scores[a] + sum(part.score for part in parts) + gain
        assert score == pytest.approx(right, abs=1e-9)
        self.check_heuristic(a, parts, heuristic, tree)
        assert loss == pytest.approx(self.partial_loss([tree], tree), abs=1e-9)
        assert outcome == self.outcome(item, score)
        if outcome != "worse":
            self.items[item] = Piece(tree, score)
        self.here[item] = None

    def check_heuristic(self, a: int, parts: list[Piece], heuristic: float, tree: Tree) -> None:
        """The rule, its own words as unigrams, and its parts; the loss as far as parts tell it."""
        own = [word for word in self.problem.yields[a] if isinstance(word, str)]
        right = self.scores[a] + self.unigrams(own)
        right += sum(self.with_unigrams(part) for part in parts)
        right += self.partial_loss([part.tree for part in parts], tree)
        assert heuristic == pytest.approx(right, abs=1e-9)
        if self.reference is None and self.search == "cube":
            assert heuristic <= self.last + 1e-12  # best first
        self.last = heuristic

    def outcome(self, item: int, score: float) -> str:
        if item not in self.items:
            assert item == len(self.items) + 1
            return "new"
        assert item in self.here
        return "better" if score > self.items[item].score else "worse"

    def filled(self, cell: int, items: list[int]) -> None:
        assert cell == len(self.cells) and items and set(items) <= set(self.here)
        cut = [item for item in self.here if item not in items]
        assert not cut or len(items) == self.beam.unique
        value = {item: self.estimate(item) for item in self.here}
        ranked = [value[item] for item in items]
        assert ranked == sorted(ranked, reverse=True)
        assert all(value[item] <= min(ranked) + 1e-9 for item in cut)
        self.cells.append(items)

    def estimate(self, item: int) -> float:
        piece = self.items[item]
        return self.with_unigrams(piece) + self.partial_loss([piece.tree], piece.tree)

    def compressed(self, rank: int, score: float, applications: list[int], words: list) -> None:
        best = self.result.best[rank]
        assert rank == self.derivations
        self.derivations += 1
        assert (tuple(applications), score) == (best.applications, best.score)
        tree = self.problem.target_tree(best.applications)
        assert words == tree.leaves()
        loss = naive_loss(self.reference[0], tree, self.reference[1]) if self.reference else 0.0
        assert best.loss == pytest.approx(loss, abs=1e-9)
        above = self.result.best[rank - 1] if rank else best
        assert above.score + above.loss >= best.score + best.loss


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("search", ["cube", "exhaustive"])
def test_the_log_of_a_search_holds_together(search: str, order: int) -> None:
    for seed in range(4):
        for beam in (BEAMS["exact"], Beam(3, 0), Beam(2, 5)):
            if search == "cube" or not beam.total:
                Retold(case(seed, order), None, beam, search).check()


@pytest.mark.parametrize("name", LOSSES)
def test_the_log_of_a_search_with_a_loss_holds_together(name: str) -> None:
    for seed, order in ((0, 1), (1, 2), (2, 3), (3, 2)):
        one = case(seed, order)
        reference = one.derivations[len(one.derivations) // 3].tree
        for beam in (BEAMS["exact"], Beam(4, 0)):
            Retold(one, (name, reference), beam, "cube").check()


def test_a_search_tells_nothing_that_it_does_not_do() -> None:
    """With a trace and without, the result is the same; so is a second log of the same search."""
    one = case(1, 3)
    quiet = StsgChart(one.given(), Beam(3, 0)).run(5)
    retold = Retold(one, None, Beam(3, 0), "cube")
    assert retold.check() == quiet
    assert Retold(one, None, Beam(3, 0), "cube").log == retold.log
    assert {kind for kind, *_ in retold.log} == {"cell", "combined", "filled", "compressed"}
