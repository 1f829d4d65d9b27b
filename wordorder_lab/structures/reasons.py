"""Reasons: what the scores in a log are made of, told after the search, and only if one asks.

Whoever searched leaves an ``Explain`` with the log. Given the events of its search it builds again
what they tell of, and asks the reference engine for the points of each step. So the search itself
costs nothing more, and both engines give the same reasons.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from wordorder_lab.structures.trace import Event

Parts = Sequence[tuple[str, float]]
"""What adds points to a score, in words or as ``template = values``, and the points, never 0."""


@dataclass(frozen=True)
class Reasons:
    """The points of the last step of each item, by its serial; in a lattice of kept words by both
    words, ``"2 5"``. With those of the items that it was made of they add up to its score.

    Points are told in units of 1 / ``divisor``. ``scaled``: a score is the sum by the number of its
    steps, as f^(e) of a best-first search is.
    """

    points: Mapping[str, Parts]
    divisor: float = 1.0
    scaled: bool = False


Explain = Callable[[Sequence[Event]], Reasons | None]
"""The reasons of one search, of its events; ``None`` where its system has none."""

NEAREST = 12
"""Of what a beam cuts in a step, so many of the nearest are explained: as many as a view shows."""


MANY = 2_000
"""Of a search with more items only those are explained that a view shows unasked."""


def shown(events: Sequence[Event]) -> set[int]:
    """The serials of the items to explain."""
    made = [event[1] for event in events if event[0] in ("candidate", "leaf", "edge")]
    if len(made) <= MANY:
        return {*made}
    return {*_of_agenda(events)} or {*_of_beam(events)}


def _of_beam(events: Sequence[Event]) -> Iterator[int]:
    """The states of a beam that are shown: those kept, gold, and the nearest that were cut."""
    nearest: list[tuple[float, int]] = []
    for kind, *values in [*events, ("step", 0)]:
        if kind == "kept":
            yield values[0]
        elif kind == "cut":
            nearest.append((values[1], values[0]))
        elif kind == "gold" and values[1] > 0:
            yield values[1]
        elif kind == "step":
            yield from [serial for _, serial in sorted(nearest)[:NEAREST]]
            nearest = []


def _of_agenda(events: Sequence[Event]) -> Iterator[int]:
    """The edges of a best-first search that are shown: those that were popped, pruned or are gold,
    and after each pop the best that wait."""
    waiting: list[tuple[float, int]] = []
    scores: dict[int, float] = {}
    for kind, *values in events:
        if kind in ("leaf", "edge"):
            scores[values[0]] = -values[4]
            insort(waiting, (-values[4], values[0]))
            if values[5] == 1:
                yield values[0]
        elif kind in ("popped", "pruned") and values[0] in scores:
            yield values[0]
            if kind == "popped":
                yield from [serial for _, serial in waiting[: NEAREST + 1]]
                place = bisect_left(waiting, (scores[values[0]], values[0]))
                del waiting[place : place + 1]
