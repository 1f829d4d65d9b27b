"""A best-first decoder on flat arrays: the twin of ``best_first``, whatever the grammar.

The loop is one kernel of the grammar that runs until a goal, an empty agenda or a limit, and comes
back when an array is full. With a trace it comes back after every step, so that events are told in
the order of the reference engine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from wordorder_lab.decoders.agenda_fast import add_to_chart
from wordorder_lab.decoders.default_output import default_output
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
)
from wordorder_lab.decoders.search_fast import FastSearch
from wordorder_lab.structures.edge import Edge
from wordorder_lab.structures.limits import Limits
from wordorder_lab.structures.ordering import Ordering, join
from wordorder_lab.structures.problem import OrderingProblem

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
