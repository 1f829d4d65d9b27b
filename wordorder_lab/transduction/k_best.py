"""The k best derivations of a chart whose items are hyperedges' heads (Huang & Chiang 2005).

Both engines fill their chart with items and remember every combination that gave one; this walks
back from the goals, lazily: their algorithm 3.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Hyperedge(NamedTuple):
    """A way to reach an item: an application on other items; ``ngrams`` is what its n-grams add."""

    application: int
    tails: tuple[int, ...]
    ngrams: float


class Goal(NamedTuple):
    """An item that a whole output may be, with what its end adds, and its loss."""

    item: int
    ngrams: float
    loss: float


class Ranked(NamedTuple):
    """A derivation of an item: its score, its edge, and which derivation of each tail it takes."""

    score: float
    edge: int
    ranks: tuple[int, ...]


Waiting = tuple[float, int, int, float]
"""A derivation of a goal in the queue: what it is ranked by, goal, rank of the item's, score."""


class Derivations:
    """The derivations of every item, best first, found when they are asked for. ``edges(item)`` are
    the ways to reach an item, ``scores`` those of the applications."""

    def __init__(
        self, edges: Callable[[int], Sequence[Hyperedge]], scores: Sequence[float]
    ) -> None:
        self._edges, self._scores = edges, scores
        self._found: dict[int, list[Ranked]] = {}
        self._queues: dict[int, list[tuple[float, int, int, tuple[int, ...]]]] = {}
        self._pushed = 0

    def best(self, goals: Sequence[Goal], k: int) -> list[tuple[float, float, tuple[int, ...]]]:
        """The k best as (score, loss, applications in pre-order); goals are equal by their order.
        Best is by the sum of score and loss."""
        queue: list[Waiting] = []
        for number, goal in enumerate(goals):
            self._push_goal(queue, number, goal, 0)
        best: list[tuple[float, float, tuple[int, ...]]] = []
        while queue and len(best) < k:
            _, number, rank, score = heapq.heappop(queue)
            goal = goals[number]
            best.append((score, goal.loss, tuple(self._applications(goal.item, rank))))
            self._push_goal(queue, number, goal, rank + 1)
        return best

    def _push_goal(self, queue: list[Waiting], number: int, goal: Goal, rank: int) -> None:
        derivation = self._get(goal.item, rank)
        if derivation is not None:
            score = derivation.score + goal.ngrams
            heapq.heappush(queue, (-(score + goal.loss), number, rank, score))

    def _get(self, item: int, rank: int) -> Ranked | None:
        """The derivation of an item at this rank; ``None`` if it has fewer."""
        found = self._found.setdefault(item, [])
        if item not in self._queues:
            self._queues[item] = []
            for number, edge in enumerate(self._edges(item)):
                self._push(item, number, (0,) * len(edge.tails))
        queue = self._queues[item]
        while len(found) <= rank and queue:
            negative, _, number, ranks = heapq.heappop(queue)
            found.append(Ranked(-negative, number, ranks))
            last = max((i for i, rank_of in enumerate(ranks) if rank_of), default=0)
            for i in range(last, len(ranks)):
                self._push(item, number, (*ranks[:i], ranks[i] + 1, *ranks[i + 1 :]))
        return found[rank] if rank < len(found) else None

    def _push(self, item: int, number: int, ranks: tuple[int, ...]) -> None:
        edge = self._edges(item)[number]
        score = self._scores[edge.application]
        for tail, rank in zip(edge.tails, ranks):
            derivation = self._get(tail, rank)
            if derivation is None:
                return
            score += derivation.score
        score += edge.ngrams
        self._pushed += 1
        heapq.heappush(self._queues[item], (-score, self._pushed, number, ranks))

    def _applications(self, item: int, rank: int) -> list[int]:
        derivation = self._get(item, rank)
        assert derivation is not None
        edge = self._edges(item)[derivation.edge]
        applications = [edge.application]
        for tail, of_tail in zip(edge.tails, derivation.ranks):
            applications += self._applications(tail, of_tail)
        return applications
