"""Algorithms 2 and 3 on flat arrays: the twin of ``guided_learning``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from wordorder_lab.decoders.agenda_fast import (
    insert,
    lowest_if_full,
    max_non_gold,
    min_gold,
)
from wordorder_lab.decoders.dependency_search_fast import FastDependencySearch
from wordorder_lab.decoders.edge_arrays_fast import (
    ACTIONS,
    EDGES,
    EXPANDED,
    GOLD,
    HEAP,
    POPPED,
    TOUCHED,
)
from wordorder_lab.decoders.search_fast import FastSearch
from wordorder_lab.features.edge_keys import EdgeKeys
from wordorder_lab.features.edge_scores import show
from wordorder_lab.learners import guided_kernels_fast as kernels
from wordorder_lab.learners.edge_updates import LARGE_MARGIN, PERCEPTRON, SCALED
from wordorder_lab.learners.guided_settings import (
    EXPAND,
    OUTCOMES,
    REASONS,
    STOP,
    GuidedExample,
    check_settings,
)
from wordorder_lab.models.edge_table_fast import EdgeTable
from wordorder_lab.models.edge_weights import RawEdgeWeights

NUMBERS = {
    PERCEPTRON: kernels.PERCEPTRON,
    LARGE_MARGIN: kernels.LARGE_MARGIN,
    SCALED: kernels.SCALED_MARGIN,
}
"""The updates as the kernels know them."""


class FastGuided:
    """The learner: ``learn`` takes prepared examples; ``raw`` is what it has learned so far.

    ``search`` is the search with its grammar. Raises ``ValueError`` for a setting that there is
    not.
    """

    def __init__(
        self,
        keys: EdgeKeys,
        *,
        beam: int,
        chart: str,
        update: str,
        negatives: str,
        expansions: int | None,
        search: Callable[..., FastSearch] = FastDependencySearch,
    ) -> None:
        check_settings(update, negatives, chart, beam)
        self.keys, self.update, self.negatives = keys, NUMBERS[update], negatives
        self.expansions = expansions
        self.table = EdgeTable()
        how = {"beam": beam, "chart": chart, "scaled": update == SCALED}
        self.search = search(keys, self.table, **how, learning=True)
        self.updates = dict.fromkeys(REASONS, 0)
        self.sentences = dict.fromkeys(OUTCOMES, 0)

    def prepare(self, examples: Sequence[GuidedExample]) -> None:
        """Keep the examples."""
        self.examples = examples

    def learn(self, order: Sequence[int], trace: Any = None) -> None:
        """Learn the prepared examples with these indices, in this order."""
        self.trace = trace
        for i in order:
            end = self._learn_one(self.examples[i])
            self.sentences[end] += 1
            if trace is not None:
                trace.stopped(end)
            self.table.used[1] += 1

    def raw(self) -> RawEdgeWeights:
        """Everything learned so far."""
        return self.table.raw()

    def restore(self, raw: RawEdgeWeights) -> None:
        """Go on from there."""
        self.table = self.search.table = EdgeTable.of_raw(raw)

    def _learn_one(self, example: GuidedExample) -> str:
        """One sentence: Algorithm 2, Algorithm 3, or Zhang 2013."""
        search = self.search
        search.begin(example.problem, example.gold_edges(), self.trace)
        while not self._timeout():
            e = search.pop(self.trace)
            gold = search.edges.ints[e, GOLD] >= 0
            if gold and search.is_goal(e):
                if self.trace is not None:
                    self.trace.goal(e + 1, float(search.edges.score[e]))
                return "finished"
            if not gold:
                plus = int(min_gold(search.edges, search.state))
                if plus < 0:
                    raise ValueError("no gold edge is left: the bag does not allow the gold tree")
                updated = self._update("agenda", plus, e)
                if updated and self.negatives == STOP:
                    return "stopped"
                if updated:
                    self._rescore(e if self.negatives == EXPAND else -1, plus)
                if self.negatives != EXPAND:
                    if self.trace is not None:
                        self.trace.pruned(e + 1, "discarded")
                    continue
            if self._survives(e):
                self._expand(e)
        return "limit"

    def _timeout(self) -> bool:
        state = self.search.state
        full = self.expansions is not None and state[POPPED] >= self.expansions
        return full or state[HEAP] == 0

    def _survives(self, e: int) -> bool:
        """DPCHARTPRUNE: whether ``e`` is to be expanded, or loses to an edge of the chart."""
        loser, winner = self.search.compare(e)
        gold = self.search.edges.ints[:, GOLD]
        if loser < 0 or (gold[loser] >= 0 and gold[winner] >= 0):
            return True
        if gold[loser] >= 0:
            self._keep_gold("signature", loser, winner, e)
            return winner != e
        self.search.drop(loser, "signature", self.trace)
        return loser != e

    def _expand(self, e: int) -> None:
        search = self.search
        search.expand(e, self.trace)
        search.edges.expanded[search.state[EXPANDED]] = e
        search.state[EXPANDED] += 1
        insert(e, search.edges, search.state)
        if self.trace is not None:
            self.trace.charted(e + 1)
        self._prune(e)

    def _prune(self, e: int) -> None:
        """Drop what is too much in the beam of ``e``; gold edges stay, and learning follows."""
        edges, state = self.search.edges, self.search.state
        while (lowest := int(lowest_if_full(e, edges, state))) >= 0:
            if edges.ints[lowest, GOLD] < 0:
                self.search.drop(lowest, "beam", self.trace)
                continue
            minus = int(max_non_gold(e, edges, state))
            if minus < 0:
                self.updates["overfull"] += 1
                return
            self._keep_gold("chart", lowest, minus, e)

    def _keep_gold(self, reason: str, gold: int, negative: int, e: int) -> None:
        """Update for a gold edge that was about to leave the chart; the negative one goes.

        The negative one is not rescored, but ``e`` is, if it is not in the chart.
        """
        search = self.search
        updated = self._update(reason, gold, negative)
        before = self._scores() if updated else None
        search.drop(negative, "negative")
        if updated:
            if e != negative and not search.in_chart(e):
                kernels.rescore(e, *search.arrays)
            kernels.rescore_chart(*search.arrays)
            self._trace_scores(before)
        if self.trace is not None:
            self.trace.pruned(negative + 1, "negative")

    def _update(self, reason: str, plus: int, minus: int) -> bool:
        """UPDATEPARAMETERS; whether anything has changed."""
        search = self.search
        arrays = search.arrays
        good, bad = (float(kernels.fresh_total(e, *arrays)) for e in (plus, minus))
        if search.scaled:
            good /= int(search.edges.ints[plus, ACTIONS])
            bad /= int(search.edges.ints[minus, ACTIONS])
        longest = max(search.edges.ints[e, ACTIONS] for e in (plus, minus))
        todo = np.empty(int(longest) + 1, np.int64)  # all that waits on the way through an edge
        norm2 = float(kernels.difference(self.update, plus, minus, todo, *arrays))
        step = 1.0
        if norm2 == 0.0:
            reason, step = "equal", 0.0
        elif self.update != kernels.PERCEPTRON:
            step = (bad - good + 1) / norm2
            if step <= 0:
                reason, step = "satisfied", 0.0
        self.updates[reason] += 1
        if self.trace is not None:
            example = int(self.table.used[1])
            self.trace.edge_update(example, reason, plus + 1, minus + 1, good - bad, step)
        if step == 0.0:
            return False
        self._apply(step)
        return True

    def _apply(self, step: float) -> None:
        search, table = self.search, self.table
        touched = int(search.state[TOUCHED])
        table.make_room(touched)
        tables = search.tables
        before = tables.weights[tables.touched[:touched], kernels.WEIGHT].copy()
        kernels.apply(step, search.model, table.keys, table.used, tables, search.state)
        if self.trace is not None:
            for i in range(touched):
                feature = tables.touched[i]
                if tables.weights[feature, kernels.CHANGE] != 0:
                    name = show(self.keys.templates, self.keys.feature(tables.features[feature, 0]))
                    after = float(tables.weights[feature, kernels.WEIGHT])
                    self.trace.weight(name, "", float(before[i]), after)

    def _rescore(self, e: int, plus: int) -> None:
        """RECOMPUTESCORES after an update against the agenda: e if it goes on, chart, agenda."""
        arrays = self.search.arrays
        before = self._scores()
        if e >= 0:
            kernels.rescore(e, *arrays)
        kernels.rescore_chart(*arrays)
        kernels.rescore_agenda(plus, *arrays)
        self._trace_scores(before)

    def _scores(self) -> np.ndarray | None:
        if self.trace is None:
            return None
        return self.search.edges.score[: self.search.state[EDGES]].copy()

    def _trace_scores(self, before: np.ndarray | None) -> None:
        if before is None:
            return
        after = self.search.edges.score[: len(before)]
        for edge in np.flatnonzero(before != after):
            self.trace.rescored(int(edge) + 1, float(after[edge]))
