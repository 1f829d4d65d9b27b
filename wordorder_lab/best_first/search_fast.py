"""A best-first search on flat arrays, step by step, whatever the grammar.

The decoder and the learner take these steps; what differs between them is their loop. A grammar
says what its leaves are (``begin``), what comes of an edge (its kernel ``expand``), and how a line
of the arrays is told as an edge.

The loop is one kernel of the grammar that runs until a goal, an empty agenda or a limit, and comes
back when an array is full. With a trace it comes back after every step, so that events are told in
the order of the reference engine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from wordorder_lab.best_first.arrays_fast import (
    AT,
    BEAM,
    BY_SIZE,
    CHART,
    CURRENT,
    DONE,
    DROPPED,
    EDGES,
    EMPTY,
    GOAL_POPPED,
    GOLD,
    HEAP,
    IS_SCALED,
    LEARNING,
    LEFT,
    POPPED,
    RIGHT,
    Edges,
    Room,
    Tables,
    add_to_chart,
    pop_best,
    remove,
)
from wordorder_lab.best_first.chart import SIZES
from wordorder_lab.best_first.default_output import default_output
from wordorder_lab.best_first.edge import Edge
from wordorder_lab.best_first.features_fast import EdgeProgram, Model
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.limits import Limits
from wordorder_lab.best_first.ordering import Ordering, join
from wordorder_lab.best_first.weights_fast import EdgeTable
from wordorder_lab.structures.problem import Item, OrderingProblem

UNKNOWN_GOLD = -1
MANY = 1 << 40
"""A beam that is never full."""


class FastSearch:
    """The arrays of a search, and its steps; an edge is its line, its serial less 1.

    ``expand_kernel`` makes all that comes of an edge. ``columns`` is how many a line of
    ``Edges.ints`` has, ``width`` how many slots a row of the templates' program.
    """

    expand_kernel: Callable[..., int]
    items: Sequence[Item]

    def __init__(
        self,
        program: EdgeProgram,
        columns: int,
        width: int,
        keys: EdgeKeys,
        table: EdgeTable,
        *,
        beam: int,
        chart: str,
        scaled: bool,
        learning: bool,
    ) -> None:
        self.program, self.keys, self.table, self.scaled = program, keys, table, scaled
        self.room = Room(columns, len(program.groups), learning)
        self.row = np.zeros(width, np.int64)
        settings = {
            BEAM: min(beam, MANY),
            BY_SIZE: chart == SIZES,
            IS_SCALED: scaled,
            LEARNING: learning,
        }
        for place, value in settings.items():
            self.state[place] = value

    # --- what a grammar says ----------------------------------------------------------------

    def begin(self, problem: OrderingProblem, gold: Any, trace: Any) -> None:
        """INITAGENDA, INITCHART: forget the last search; the leaves are on the agenda."""
        raise NotImplementedError

    @property
    def constants(self) -> tuple:
        """What kernels need to know of grammar and problem."""
        raise NotImplementedError

    def is_goal(self, edge: int) -> bool:
        """GOALTEST."""
        raise NotImplementedError

    def can_combine(self, left: Sequence[int], right: Sequence[int]) -> bool:
        """CANCOMBINE as far as it concerns the words, by their counts in two phrases."""
        raise NotImplementedError

    least: Sequence[int]
    """The counts that a whole sentence has at least."""

    def told(self, edge: int) -> tuple[str, tuple[str, ...]]:
        """The action of an edge, and what its events say after its score: its category, in CCG."""
        raise NotImplementedError

    def built(self, line: int, left: Edge | None, right: Edge | None) -> Edge:
        """An edge as an object, of its parts; scores and gold are filled in by ``edge``."""
        raise NotImplementedError

    def compare(self, edge: int) -> tuple[int, int]:
        """DPCHARTPRUNE's pair, the loser and the winner; the loser is -1 where there is none."""
        return -1, edge

    # --- the steps --------------------------------------------------------------------------

    @property
    def state(self) -> np.ndarray:
        """The numbers of ``arrays_fast``."""
        return self.room.state

    @property
    def edges(self) -> Edges:
        """The edges, which move when they grow."""
        return self.room.edges

    @property
    def tables(self) -> Tables:
        """The summed weights, likewise."""
        return self.room.tables

    @property
    def model(self) -> Model:
        """All weights."""
        return Model(self.table.places, self.table.values)

    @property
    def arrays(self) -> tuple[Edges, Tables, np.ndarray]:
        """What a kernel writes into."""
        return self.edges, self.tables, self.state

    def call(self, step: Callable, *first: Any) -> int:
        """Call a kernel with these arguments and then all that the search consists of."""
        written = self.edges, self.tables, self.model, self.state
        return step(*first, self.row, *self.constants, self.program, *written)

    def pop(self, trace: Any = None) -> int:
        """POPBEST."""
        edge = int(pop_best(self.edges, self.state))
        if trace is not None:
            trace.popped(edge + 1, float(self.edges.score[edge]))
        return edge

    def expand(self, edge: int, trace: Any = None) -> None:
        """Make all that comes of an edge; it is on the agenda then."""
        self.state[CURRENT] = edge
        first = int(self.state[EDGES])
        while (full := self.call(type(self).expand_kernel, edge)) != DONE:
            self.room.grow(full)
        if trace is not None:
            for new in range(first, int(self.state[EDGES])):
                left, right, gold = (int(n) for n in self.edges.ints[new, [LEFT, RIGHT, GOLD]])
                action, more = self.told(new)
                score = float(self.edges.score[new])
                parts = left + 1, right + 1
                trace.edge(new + 1, *parts, action, score, self.told_gold(gold), *more)

    def trace_leaf(self, trace: Any, edge: int, item: int) -> None:
        """Tell of the leaf of an item."""
        told, (_, more) = self.items[item], self.told(edge)
        gold = self.told_gold(int(self.edges.ints[edge, GOLD]))
        score = float(self.edges.score[edge])
        trace.leaf(edge + 1, item, told.form, told.pos, score, gold, *more)

    def told_gold(self, gold: int) -> int:
        """1, 0, or -1 where nothing is known of gold."""
        return int(gold >= 0) if self.traces_gold else UNKNOWN_GOLD

    traces_gold = False

    def in_chart(self, edge: int) -> bool:
        """Whether an edge is in the chart."""
        return bool((self.edges.chart[: self.state[CHART]] == edge).any())

    def drop(self, edge: int, reason: str, trace: Any = None) -> None:
        """An edge is out: off the chart, or popped and not put there."""
        if self.in_chart(edge):
            remove(edge, self.edges, self.state)
        if trace is not None:
            trace.pruned(edge + 1, reason)

    def edge(self, line: int, built: dict[int, Edge] | None = None) -> Edge:
        """An edge as an object, with all that it was built of; ``built`` keeps these by line."""
        ints = self.edges.ints
        built = {} if built is None else built
        todo = [] if line in built else [line]
        while todo:
            here = todo[-1]
            left, right = int(ints[here, LEFT]), int(ints[here, RIGHT])
            waiting = [part for part in (right, left) if part >= 0 and part not in built]
            if waiting:
                todo += waiting
                continue
            made = built[todo.pop()] = self.built(here, built.get(left), built.get(right))
            made.gold = int(ints[here, GOLD])
            made.total = float(self.edges.total[here])
            made.score = float(self.edges.score[here])
        return built[line]


# --- A best-first decoder on flat arrays: the twin of ``search``, whatever the grammar ----


STRIDE = 10_000
"""Edges between two looks at the clock, where there is a limit in seconds."""

NEVER = np.iinfo(np.int64).max


class FastBestFirst:
    """A decoder with the fixed weights of a search's table; one search at a time.

    ``search_on`` is the grammar's loop.
    """

    def __init__(self, search: FastSearch, search_on: Callable[..., int]) -> None:
        self.search, self.search_on = search, search_on

    def run(
        self,
        problem: OrderingProblem,
        k: int = 1,
        limits: Limits = Limits(),  # noqa: B008  (it cannot be changed)
        default: str = "2015",
        trace: Any = None,
    ) -> tuple[list[Ordering], str, dict[str, int]]:
        """The best of up to ``k`` goals or one default output; why it ended; how much work it was.

        Raises ``ValueError`` for a bag with more than the keys of groups hold.
        """
        search = self.search
        began = time.perf_counter()
        search.begin(problem, None, trace)
        goals: list[int] = []
        stopped = self._stopped(goals, k, limits, 0.0)
        while stopped is None:
            status = self._step(limits, trace)
            if status == GOAL_POPPED:
                goals.append(int(search.state[CURRENT]))
                if trace is not None:
                    trace.goal(goals[-1] + 1, float(search.edges.score[goals[-1]]))
            stopped = self._stopped(goals, k, limits, time.perf_counter() - began)
        return self._finish(goals, stopped, default, trace)

    def _stopped(self, goals: list[int], k: int, limits: Limits, seconds: float) -> str | None:
        """Why the search ends here, if it does."""
        state = self.search.state
        if len(goals) >= k:
            return "complete"
        if state[AT] < 0 and state[HEAP] == 0:
            return "agenda empty"
        return limits.reached(int(state[POPPED]), int(state[EDGES]), seconds)

    def _step(self, limits: Limits, trace: Any) -> int:
        search = self.search
        expansions = NEVER if limits.expansions is None else min(limits.expansions, NEVER)
        if trace is not None:
            return self._traced(trace)
        most_edges = NEVER if limits.edges is None else min(limits.edges, NEVER)
        if limits.seconds is not None:
            most_edges = min(most_edges, int(search.state[EDGES]) + STRIDE)
        while True:
            status = search.call(self.search_on, expansions, most_edges)
            if status in (DONE, EMPTY, GOAL_POPPED):
                return status
            search.room.grow(status)

    def _traced(self, trace: Any) -> int:
        """One expansion with its events."""
        search = self.search
        edge = search.pop(trace)
        search.state[CURRENT] = edge
        if search.is_goal(edge):
            return GOAL_POPPED
        loser, _ = search.compare(edge)
        if loser >= 0:
            search.drop(loser, "signature", trace)
        if loser == edge:
            return DONE
        search.expand(edge, trace)
        dropped = int(add_to_chart(edge, search.edges, search.state))
        trace.charted(edge + 1)
        if dropped >= 0:
            trace.pruned(dropped + 1, "beam")
        return DONE

    def _finish(
        self, goals: list[int], stopped: str, default: str, trace: Any
    ) -> tuple[list[Ordering], str, dict[str, int]]:
        search = self.search
        state, score = search.state, search.edges.score
        goals.sort(key=lambda edge: (-score[edge], edge))
        if trace is not None:
            if goals:
                trace.finished(goals[0] + 1, float(score[goals[0]]))
            trace.stopped(stopped)
        if goals:
            found = [join([search.edge(goal)], search.scaled, search.items) for goal in goals]
        else:
            built: dict[int, Edge] = {}
            chart = [search.edge(int(e), built) for e in search.edges.chart[: state[CHART]]]
            pieces = default_output(chart, search.can_combine, search.least, default)
            found = [join(pieces, search.scaled, search.items)]
        counters = {
            "expansions": int(state[POPPED]),
            "edges": int(state[EDGES]),
            "goals": len(goals),
            "dropped": int(state[DROPPED]),
        }
        return found, stopped, counters
