"""Chart decoding with a synchronous tree substitution grammar: the engine to read.

Cohn & Lapata (2009), section 3.4, Algorithm 4. For every source node, children before parents, and
every target category there is a cell; its items are the target trees found so far, one for each
n-gram context (and each value of the loss's arguments, section 3.5), with the best score and the
ways to reach it. Line 14 chooses an item for every variable, in every way; cube pruning looks at
the most promising choices alone.

    for all cells (v, t), bottom-up                                       lines 5-6
        for combinations of a rule that matches and an item a variable    lines 6, 11-14
            combine: join yields, score new n-grams, add up               lines 7-20
            if there is no such item, or the score is higher: keep it     lines 21-24
        the items of the cell, best first, within the beam
    finish at the root: add what n-grams the end makes; follow back-pointers   lines 27-28

A worked example, with the paper's sentence in section 3.4: "the fast car skidded to a halt". Three
weights fit on paper: 1 for log-probabilities, 1.5 for a target word, -0.25 for a rule whose target
is shorter. The trigrams are of six lines, the loss is the tokens' Hamming loss against "the car
skidded". (``check/small_transducer.py`` has sentence and model; a test works it all out.)
The docstrings of ``Item``, ``combine``, ``heuristic`` and ``estimate`` go on from here.

Differences
- *Paper silent*, section 3.4: items of a cell are compared by their score plus that of the words
  which still wait for their n-gram context, taken as unigrams; and by their partial loss where
  there is one.
- *Our reading*, section 6.1: the beam counts unique items of a cell, and all combinations that it
  takes. Without cube pruning all combinations are made and then the best unique items kept.
- *Our reading*, Algorithm 2: line 10 starts from 0; we start from the score of the rule, then add
  those of the variables from the first to the last, then that of the n-grams.
- *Paper silent*: of equal scores, the item that was made first is better.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from wordorder_lab.structures.trace import Trace
from wordorder_lab.transduction.boundary_ngrams import BoundaryNGrams
from wordorder_lab.transduction.cube_pruning import Combination, Grid, Ranks, best_first
from wordorder_lab.transduction.k_best import Derivations, Goal, Hyperedge
from wordorder_lab.transduction.problem import (
    BEAMS,
    Beam,
    Derived,
    Transduced,
    TransductionInput,
    check_search,
)

Key = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""What tells the items of a cell apart: left and right words, loss arguments."""


class Item:
    """A target tree for a cell, by its words at both edges and its loss arguments.

    ``score`` is the best found, ``inside`` the same with unigram scores of the words that wait,
    ``estimate`` with the partial loss as well. ``edges`` are the ways to reach it.

    In the example [NP the fast car] is known by (the fast, fast car). It is a copy of three words.
    "car" has two words before it and is scored; "the" and "fast" wait for theirs. One word is not
    in the reference:

        score     0 + 1.500 + 1.500 + 1.500 + log p(car | the fast) = 4.500 - 1.035 = 3.465
        inside    3.465 + log p(the) + log p(fast) = 3.465 - 2.738 - 2.437 = -1.710
        estimate  -1.710 + 1 (false positives) + 0 (missing) = -0.710

    Why not compare scores? [NP car] has 1.250, -1.187 and 0.813. By score it is far behind. But two
    words of the longer phrase have yet to pay for their n-grams, and only one of its own. Inside,
    where unigrams stand in for these, it is ahead.
    """

    __slots__ = ("counts", "edges", "estimate", "inside", "left", "right", "score", "serial")

    def __init__(
        self, serial: int, left: tuple[int, ...], right: tuple[int, ...], counts: tuple[int, ...]
    ) -> None:
        self.serial, self.left, self.right, self.counts = serial, left, right, counts
        self.score = self.inside = self.estimate = -float("inf")
        self.edges: list[Hyperedge] = []


class Combined(NamedTuple):
    """What a combination gives: the key of its item, its score, what its n-grams add."""

    key: Key
    score: float
    ngrams: float


class StsgChart:
    """Algorithm 4 on one source tree; ``run`` does it. ``search`` is "cube" or "exhaustive".
    ``trace`` gets every event of the search."""

    def __init__(
        self,
        given: TransductionInput,
        beam: Beam = BEAMS["experiments"],
        search: str = "cube",
        trace: Trace | None = None,
    ) -> None:
        check_search(search, beam)
        self.given, self.beam, self.search, self.trace = given, beam, search, trace
        self.problem, self.loss = given.problem, given.loss
        self.boundaries = BoundaryNGrams(given.problem, given.ngrams, given.loss)
        self.items: list[Item] = []
        self.cells: list[list[Item]] = []
        self.combinations = 0
        self.own_counts = [
            self.loss.of_rule(one.rule.target) if self.loss else ()
            for one in self.problem.applications
        ]
        self.own_unigrams = [
            given.ngram_weight
            * self.boundaries.unigram_score(
                [self.boundaries.numbers[w] for w in one if isinstance(w, str)]
            )
            for one in self.problem.yields
        ]

    def run(self, k: int = 1) -> Transduced:
        """The ``k`` best derivations, by score plus loss; fewer if the chart has fewer."""
        for cell in range(len(self.problem.cells)):
            if self.trace is not None:
                self.trace.cell(cell, *self.problem.cells[cell])
            self.fill(cell)
        return self.finish(k)

    def fill(self, cell: int) -> None:
        """Lines 6-25 for one source node and one target category."""
        by_key: dict[Key, Item] = {}
        for taken, combination in enumerate(self.choose(cell), 1):
            self.add(combination, self.combine(combination), by_key)
            if len(by_key) == self.beam.unique and self.search == "cube":
                break
            if taken == self.beam.total:
                break
        items = sorted(by_key.values(), key=lambda item: (-item.estimate, item.serial))
        if self.beam.unique:
            items = items[: self.beam.unique]
        self.cells.append(items)
        if self.trace is not None:
            self.trace.filled(cell, [item.serial for item in items])

    def choose(self, cell: int) -> Iterator[Combination]:
        """Line 14 in every way: applications of the cell, with an item for every variable."""
        grids = [Grid(a, self.lengths(a)) for a in self.problem.in_cell[cell]]
        if self.search == "cube":
            yield from best_first(grids, self.heuristic)
            return
        for grid in grids:
            for ranks in product(*map(range, grid.lengths)):
                yield Combination(grid.application, ranks, self.heuristic(grid.application, ranks))

    def lengths(self, application: int) -> tuple[int, ...]:
        """How many items there are for each variable."""
        return tuple(len(self.cells[cell]) for cell in self.problem.child_cells[application])

    def parts(self, application: int, ranks: Ranks) -> list[Item]:
        """The items at these ranks."""
        cells = self.problem.child_cells[application]
        return [self.cells[cell][rank] for cell, rank in zip(cells, ranks)]

    def heuristic(self, application: int, ranks: Ranks) -> float:
        """What a combination seems to be worth before its seams are looked at.

        For the whole sentence of the example, rule [S NP_1 VP_2] with [NP the fast car] and
        [VP skidded to a halt], which are worth -1.710 and 0.373 inside. Of the seven words, four
        are not in the reference:

            0 - 1.710 + 0.373 + 4 = 2.662
        """
        parts = self.parts(application, ranks)
        value = self.given.scores[application]
        for item in parts:
            value += item.inside
        value += self.own_unigrams[application]
        return value + self.partial_loss(self.counts(application, parts))

    def counts(self, application: int, parts: Sequence[Item]) -> list[int]:
        """The loss arguments of the rule and of its parts together."""
        counts = list(self.own_counts[application])
        if self.loss is not None:
            for item in parts:
                self.loss.added(counts, item.counts)
        return counts

    def partial_loss(self, counts: Sequence[int]) -> float:
        """The loss of a piece as if it were all."""
        return self.loss.value(counts) if self.loss is not None else 0.0

    def combine(self, combination: Combination) -> Combined:
        """Lines 7-20: yields joined, n-grams at the seams scored, everything added up.

        The same combination: the parts score 3.465 and 5.548. "skidded" and "to" waited, and have
        two words before them now:

            n-grams  log p(skidded | fast car) + log p(to | car skidded) = -1.699 - 0.924 = -2.623
            score    0 + 3.465 + 5.548 - 2.623 = 6.390
        """
        application, ranks, _ = combination
        parts = self.parts(application, ranks)
        joined = self.boundaries.joined(self.problem.yields[application], parts)
        counts = self.counts(application, parts)
        if self.loss is not None and self.loss.reach:
            self.loss.added(counts, (joined.matched, joined.missed))
        score = self.given.scores[application]
        for item in parts:
            score += item.score
        ngrams = self.given.ngram_weight * joined.gain
        score += ngrams
        return Combined((joined.left, joined.right, tuple(counts)), score, ngrams)

    def add(self, combination: Combination, made: Combined, by_key: dict[Key, Item]) -> None:
        """Lines 21-24: a new item, or another way to reach one."""
        item = by_key.get(made.key)
        outcome = "worse"
        if item is None:
            item = by_key[made.key] = Item(len(self.items) + 1, *made.key)
            self.items.append(item)
            outcome = "new"
        elif made.score > item.score:
            outcome = "better"
        parts = self.parts(combination.application, combination.ranks)
        tails = tuple(part.serial - 1 for part in parts)
        item.edges.append(Hyperedge(combination.application, tails, made.ngrams))
        if outcome != "worse":
            self.estimate(item, made.score)
        self.combinations += 1
        if self.trace is not None:
            a, ranks, heuristic = combination
            loss, serial = self.partial_loss(item.counts), self.combinations
            self.trace.combined(
                serial,
                a,
                list(ranks),
                heuristic,
                made.score,
                made.ngrams,
                loss,
                item.serial,
                outcome,
            )

    def estimate(self, item: Item, score: float) -> None:
        """What an item is compared by, from its score.

        For the item of this combination, where "the fast" still waits for the start of a sentence:

            inside    6.390 - 2.738 - 2.437 = 1.214
            estimate  1.214 + 4 = 5.214

        The heuristic had 2.662: the seams were better than the unigrams that stood for them.
        """
        item.score = score
        waiting = self.boundaries.unigram_score(item.left)
        item.inside = score + self.given.ngram_weight * waiting
        item.estimate = item.inside + self.partial_loss(item.counts)

    def finish(self, k: int) -> Transduced:
        """Lines 27-28: the best items of the root between start and end, and how they were made."""
        goals = []
        for cell in self.problem.roots:
            for item in self.cells[cell]:
                end = self.boundaries.ended(item)
                counts = list(item.counts)
                if self.loss is not None and self.loss.reach:
                    self.loss.added(counts, (end.matched, end.missed))
                ngrams = self.given.ngram_weight * end.gain
                goals.append(Goal(item.serial - 1, ngrams, self.partial_loss(counts)))
        derivations = Derivations(lambda i: self.items[i].edges, self.given.scores)
        best = tuple(Derived(apps, *rest) for *rest, apps in derivations.best(goals, k))
        if self.trace is not None:
            for rank, derived in enumerate(best):
                words = self.problem.target_tree(derived.applications).leaves()
                self.trace.compressed(rank, derived.score, list(derived.applications), words)
        return Transduced(best, {"combinations": self.combinations, "items": len(self.items)})
