"""Algorithm 4 on flat arrays: the twin of ``best_first_dependency``.

The loop is one kernel that runs until a goal, an empty agenda or a limit, and comes back when an
array is full. With a trace it comes back after every step, so that events are told in the order of
the reference engine.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from wordorder_lab.decoders.agenda_fast import add_to_chart, pop_best
from wordorder_lab.decoders.default_output import default_output
from wordorder_lab.decoders.dependency_expand_fast import expand
from wordorder_lab.decoders.dependency_search_fast import FastSearch
from wordorder_lab.decoders.edge_arrays_fast import (
    AT,
    CHART,
    CURRENT,
    DONE,
    DROPPED,
    EDGES,
    EMPTY,
    GOAL_POPPED,
    HEAP,
    POPPED,
    SIZE,
    UNITS,
)
from wordorder_lab.features.edge_keys import EdgeKeys
from wordorder_lab.models.edge_table_fast import EdgeTable
from wordorder_lab.structures.kernel_fast import kernel
from wordorder_lab.structures.limits import Limits
from wordorder_lab.structures.ordering import Ordering, join
from wordorder_lab.structures.problem import OrderingProblem

STRIDE = 10_000
"""Edges between two looks at the clock, where there is a limit in seconds."""

NEVER = np.iinfo(np.int64).max


@kernel
def search_on(expansions, most_edges, row, numbers, names, program, edges, tables, model, state):
    """The loop of Algorithm 4 until so many edges are popped or made, or something happens."""
    while True:
        if state[AT] < 0:
            if state[HEAP] == 0:
                return EMPTY
            if state[POPPED] >= expansions or state[EDGES] >= most_edges:
                return DONE
            edge = pop_best(edges, state)
            state[CURRENT] = edge
            if edges.ints[edge, SIZE] == state[UNITS]:
                return GOAL_POPPED
        edge = state[CURRENT]
        status = expand(edge, row, numbers, names, program, edges, tables, model, state)
        if status != DONE:
            return status
        add_to_chart(edge, edges, state)


class FastBestFirst:
    """A decoder with the fixed weights of a table; one search at a time."""

    def __init__(
        self, keys: EdgeKeys, table: EdgeTable, beam: int, chart: str, scaled: bool
    ) -> None:
        self.search = FastSearch(keys, table, beam, chart, scaled, learning=False)

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
            status = search.call(search_on, expansions, most_edges)
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
            found = [join([search.edge(goal)], search.scaled) for goal in goals]
        else:
            chart = [search.edge(int(e)) for e in search.edges.chart[: state[CHART]]]
            size, can_combine = int(state[UNITS]), search.links.can_combine
            found = [join(default_output(chart, can_combine, size, default), search.scaled)]
        counters = {
            "expansions": int(state[POPPED]),
            "edges": int(state[EDGES]),
            "goals": len(goals),
            "dropped": int(state[DROPPED]),
        }
        return found, stopped, counters
