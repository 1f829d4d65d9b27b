"""Algorithms 2 and 3 on flat arrays, for edges of any grammar: the twin of ``guided_learning``.

A difference is kept with the sentence's features in the order in which they were first met: those
of e+ first, sub-edge by sub-edge, then those of e-.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from wordorder_lab.best_first import arrays_fast as arrays
from wordorder_lab.best_first.dependency_fast import FastDependencySearch
from wordorder_lab.best_first.features import show
from wordorder_lab.best_first.features_fast import local_again
from wordorder_lab.best_first.gold import GuidedExample
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.packed_weights import RawEdgeWeights
from wordorder_lab.best_first.search_fast import FastSearch
from wordorder_lab.best_first.settings import GuidedSettings
from wordorder_lab.best_first.updates import (
    EXPAND,
    LARGE_MARGIN,
    OUTCOMES,
    PERCEPTRON,
    REASONS,
    SCALED,
    STOP,
)
from wordorder_lab.best_first.weights_fast import KEY, NUMBERED, EdgeTable, find
from wordorder_lab.runtime.kernel_fast import in_python, kernel
from wordorder_lab.structures.trace import Trace, UpdateStatistics

PERCEPTRON_STEP, LARGE_MARGIN_STEP, SCALED_STEP = range(3)


NUMBERS = {PERCEPTRON: PERCEPTRON_STEP, LARGE_MARGIN: LARGE_MARGIN_STEP, SCALED: SCALED_STEP}
"""The updates as the kernels know them."""


class FastGuided:
    """The learner: ``learn`` takes prepared examples; ``raw`` is what it has learned so far.
    ``search`` is the search with its grammar."""

    def __init__(
        self,
        keys: EdgeKeys,
        settings: GuidedSettings,
        search: Callable[..., FastSearch] = FastDependencySearch,
    ) -> None:
        self.keys, self.settings = keys, settings
        self.update = NUMBERS.get(settings.update, PERCEPTRON_STEP)
        self.table = EdgeTable()
        self.search = search(keys, self.table, learning=True)
        self.updates = dict.fromkeys(REASONS, 0)
        self.sentences = dict.fromkeys(OUTCOMES, 0)
        self.statistics = UpdateStatistics()

    def prepare(self, examples: Sequence[GuidedExample]) -> None:
        """Keep the examples."""
        self.examples = examples

    def learn(self, order: Sequence[int], trace: Trace | None = None) -> None:
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
        """One sentence: Algorithm 2 or 3, or up to the first update."""
        search = self.search
        self.statistics = UpdateStatistics()
        search.begin(example.problem, self.settings.search, example.gold_edges(), self.trace)
        while not self._timeout():
            e = search.pop(self.trace)
            gold = bool(search.edges.ints[e, arrays.GOLD] >= 0)
            self.statistics.popped(gold)
            if gold and search.is_goal(e):
                if self.trace is not None:
                    self.trace.goal(e + 1, float(search.edges.score[e]))
                return "finished"
            if not gold:
                plus = int(arrays.min_gold(search.edges, search.state))
                if plus < 0:
                    raise ValueError("no gold edge is left: the bag does not allow the gold tree")
                updated = self._update("agenda", plus, e)
                if updated and self.settings.negatives == STOP:
                    return "stopped"
                if updated:
                    self._rescore(e if self.settings.negatives == EXPAND else -1, plus)
                if self.settings.negatives != EXPAND:
                    if self.trace is not None:
                        self.trace.pruned(e + 1, "discarded")
                    continue
            if self._survives(e):
                self._expand(e)
        return "limit"

    def _timeout(self) -> bool:
        state = self.search.state
        most = self.settings.expansions
        full = most is not None and state[arrays.POPPED] >= most
        return bool(full or state[arrays.HEAP] == 0)

    def _survives(self, e: int) -> bool:
        """DPCHARTPRUNE: whether ``e`` is to be expanded, or loses to an edge of the chart."""
        loser, winner = self.search.compare(e)
        gold = self.search.edges.ints[:, arrays.GOLD]
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
        search.edges.expanded[search.state[arrays.EXPANDED]] = e
        search.state[arrays.EXPANDED] += 1
        in_python(arrays.insert)(e, search.edges, search.state)
        if self.trace is not None:
            self.trace.charted(e + 1)
        self._prune(e)

    def _prune(self, e: int) -> None:
        """Drop what is too much in the beam of ``e``; gold edges stay, and learning follows."""
        edges, state = self.search.edges, self.search.state
        while (lowest := int(arrays.lowest_if_full(e, edges, state))) >= 0:
            if edges.ints[lowest, arrays.GOLD] < 0:
                self.search.drop(lowest, "beam", self.trace)
                continue
            minus = int(arrays.max_non_gold(e, edges, state))
            if minus < 0:
                self.updates["overfull"] += 1
                return
            self._keep_gold("chart", lowest, minus, e)

    def _keep_gold(self, reason: str, gold: int, negative: int, e: int) -> None:
        """Update for a gold edge that was about to leave the chart; the negative one goes. The
        negative one is not rescored, but ``e`` is, if it is not in the chart."""
        search = self.search
        updated = self._update(reason, gold, negative)
        before = self._scores() if updated else None
        search.drop(negative, "negative")
        if updated:
            if e != negative and not search.in_chart(e):
                rescore(e, search.edges, search.tables, search.state)
            rescore_chart(search.edges, search.tables, search.state)
            self._trace_scores(before)
        if self.trace is not None:
            self.trace.pruned(negative + 1, "negative")

    def _update(self, reason: str, plus: int, minus: int) -> bool:
        """UPDATEPARAMETERS; whether anything has changed."""
        search = self.search
        edges, tables, state = search.edges, search.tables, search.state
        good, bad = (float(fresh_total(e, edges, tables, state)) for e in (plus, minus))
        if search.settings.scaled:
            good /= int(edges.ints[plus, arrays.ACTIONS])
            bad /= int(edges.ints[minus, arrays.ACTIONS])
        longest = max(edges.ints[e, arrays.ACTIONS] for e in (plus, minus))
        todo = np.empty(int(longest) + 1, np.int64)  # all that waits on the way through an edge
        norm2 = float(difference(self.update, plus, minus, todo, edges, tables, state))
        step = 1.0
        if norm2 == 0.0:
            reason, step = "equal", 0.0
        elif self.update != PERCEPTRON_STEP:
            step = (bad - good + 1) / norm2
            if step <= 0:
                reason, step = "satisfied", 0.0
        self.updates[reason] += 1
        if step:
            self.statistics.updated(good - bad)
        if self.trace is not None:
            example = int(self.table.used[1])
            self.trace.edge_update(example, reason, plus + 1, minus + 1, good - bad, step)
        if step == 0.0:
            return False
        self._apply(step)
        return True

    def _apply(self, step: float) -> None:
        search, table = self.search, self.table
        touched = int(search.state[arrays.TOUCHED])
        table.make_room(touched)
        tables = search.tables
        before = tables.weights[tables.touched[:touched], arrays.WEIGHT].copy()
        apply(step, search.model, table.keys, table.used, tables, search.state)
        if self.trace is not None:
            for i in range(touched):
                feature = tables.touched[i]
                if tables.weights[feature, arrays.CHANGE] != 0:
                    name = show(self.keys.templates, self.keys.feature(tables.features[feature, 0]))
                    after = float(tables.weights[feature, arrays.WEIGHT])
                    self.trace.weight(name, "", float(before[i]), after)

    def _rescore(self, e: int, plus: int) -> None:
        """RECOMPUTESCORES after an update against the agenda: e if it goes on, chart, agenda."""
        search = self.search
        edges, tables, state = search.edges, search.tables, search.state
        before = self._scores()
        if e >= 0:
            rescore(e, edges, tables, state)
        rescore_chart(edges, tables, state)
        rescore_agenda(plus, edges, tables, state)
        self._trace_scores(before)

    def _scores(self) -> np.ndarray | None:
        if self.trace is None:
            return None
        return self.search.edges.score[: self.search.state[arrays.EDGES]].copy()

    def _trace_scores(self, before: np.ndarray | None) -> None:
        if before is None or self.trace is None:
            return
        after = self.search.edges.score[: len(before)]
        for edge in np.flatnonzero(before != after):
            self.trace.rescored(int(edge) + 1, float(after[edge]))


# --- differences of features, updates, rescoring --------------------------------------------


@kernel(borrows=True)
def fresh_total(edge, edges, tables, state):
    """f(e) under the present weights, from the bottom up; stored scores stay as they are."""
    for at in range(state[arrays.FRESH], state[arrays.EXPANDED]):
        below = edges.expanded[at]
        edges.fresh[below] = total_of(below, edges, tables)
    state[arrays.FRESH] = state[arrays.EXPANDED]
    return total_of(edge, edges, tables)


@kernel(borrows=True)
def total_of(edge, edges, tables):
    """The same, where its sub-edges have it already."""
    local = local_again(edge, edges, tables)
    left, right = edges.ints[edge, arrays.LEFT], edges.ints[edge, arrays.RIGHT]
    if left < 0:
        return local
    if right < 0:
        return edges.fresh[left] + local
    return edges.fresh[left] + edges.fresh[right] + local


@kernel(borrows=True)
def count(edge, column, edges, tables, state):
    """phi(e): count the features of an edge's last action."""
    taken, weights = tables.taken, tables.weights
    for g in range(edges.used.shape[1]):
        entry = edges.used[edge, g]
        if entry < 0:
            continue
        for mention in range(tables.lines[entry, arrays.BEGIN], tables.lines[entry, arrays.END]):
            feature = taken[mention, arrays.FEATURE]
            if weights[feature, arrays.PLUS] == 0 and weights[feature, arrays.MINUS] == 0:
                tables.touched[state[arrays.TOUCHED]] = feature
                state[arrays.TOUCHED] += 1
            weights[feature, column] += 1


@kernel(borrows=True)
def count_all(edge, column, todo, edges, tables, state):
    """Phi(e): the same for all its sub-edges in post-order; ``todo`` has room for a derivation."""
    todo[0] = edge
    n = 1
    while n > 0:
        here = todo[n - 1]
        if here >= 0 and edges.ints[here, arrays.LEFT] >= 0:
            todo[n - 1] = -1 - here  # its turn comes after its parts
            if edges.ints[here, arrays.RIGHT] >= 0:
                todo[n] = edges.ints[here, arrays.RIGHT]
                n += 1
            todo[n] = edges.ints[here, arrays.LEFT]
            n += 1
        else:
            n -= 1
            count(here if here >= 0 else -1 - here, column, edges, tables, state)


@kernel(borrows=True)
def difference(update, plus, minus, todo, edges, tables, state):
    """Fill in the difference of two edges; returns its squared length."""
    state[arrays.TOUCHED] = 0
    if update == PERCEPTRON_STEP:
        count(plus, arrays.PLUS, edges, tables, state)
        count(minus, arrays.MINUS, edges, tables, state)
    else:
        count_all(plus, arrays.PLUS, todo, edges, tables, state)
        count_all(minus, arrays.MINUS, todo, edges, tables, state)
    if update == SCALED_STEP:
        ints = edges.ints
        return settle(ints[plus, arrays.ACTIONS], ints[minus, arrays.ACTIONS], tables, state)
    return settle(1, 1, tables, state)


@kernel(borrows=True)
def settle(of_plus, of_minus, tables, state):
    """Make a difference of what has been counted, each divided; returns its squared length."""
    weights = tables.weights
    norm2 = 0.0
    for i in range(state[arrays.TOUCHED]):
        feature = tables.touched[i]
        one = weights[feature, arrays.PLUS] / of_plus
        change = one - weights[feature, arrays.MINUS] / of_minus
        weights[feature, arrays.CHANGE] = change
        weights[feature, arrays.PLUS] = weights[feature, arrays.MINUS] = 0
        norm2 += change * change
    return norm2


@kernel(borrows=True)
def apply(step, model, keys, used, tables, state):
    """Move the weights by ``step`` times the difference; there must be room for new ones. ``used``
    are the table's counts of weights and of examples."""
    weights, features = tables.weights, tables.features
    for i in range(state[arrays.TOUCHED]):
        feature = tables.touched[i]
        change = step * weights[feature, arrays.CHANGE]
        if weights[feature, arrays.CHANGE] == 0:
            continue
        number = features[feature, NUMBERED]
        if number < 0:
            number = used[0]
            used[0] += 1
            at = find(model.places, features[feature, KEY])
            model.places[at, KEY] = keys[number] = features[feature, KEY]
            model.places[at, NUMBERED] = number
            features[feature, NUMBERED] = number
        model.values[number, arrays.WEIGHT] += change
        model.values[number, 1] += used[1] * change
        weights[feature, arrays.WEIGHT] = model.values[number, arrays.WEIGHT]
        mention = features[feature, arrays.MENTION]
        while mention >= 0:
            tables.stale[tables.taken[mention, arrays.ENTRY]] = True
            mention = tables.taken[mention, arrays.NEXT]
    state[arrays.FRESH] = 0


@kernel(borrows=True)
def rescore(edge, edges, tables, state):
    """RECOMPUTESCORES of one edge."""
    edges.total[edge] = fresh_total(edge, edges, tables, state)
    arrays.rank(edge, edges, state)


@kernel(borrows=True)
def rescore_chart(edges, tables, state):
    """RECOMPUTESCORES of every edge in the chart."""
    for at in range(state[arrays.CHART]):
        rescore(edges.chart[at], edges, tables, state)


@kernel(borrows=True)
def rescore_agenda(plus, edges, tables, state):
    """RECOMPUTESCORES from the top of the agenda down to e+; the edges below keep their scores."""
    own = edges.score[plus]
    fresh_total(plus, edges, tables, state)
    total, score, heap = edges.total, edges.score, edges.heap
    for at in range(state[arrays.HEAP]):
        edge = heap[at]
        if score[edge] > own or (score[edge] == own and edge <= plus):
            total[edge] = total_of(edge, edges, tables)
            value = total[edge]
            score[edge] = (
                value / edges.ints[edge, arrays.ACTIONS] if state[arrays.IS_SCALED] else value
            )
    arrays.sort_again(edges, state)
