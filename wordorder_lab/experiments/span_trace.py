"""The spans that a search puts together, with their words, taken from its events as they come.

The span-length view counts lengths (``trace.spans``, which says which event makes which span).
Here the words are wanted, too, and no event is kept: a long best-first search makes half a million.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wordorder_lab.metrics.spans import JOINS, Span, count_length
from wordorder_lab.trace.beam import shifted

Stack = tuple[Span, ...]


class SpanTrace:
    """A trace for one search of either system.

    ``spans`` are those that it kept: of the edges that entered the chart or were a goal, or of the
    states that entered a beam. ``made`` counts all edges, or all candidates, by length: entry ``i``
    is how many have ``i`` words. ``joined`` counts those of them with two units or more.
    """

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.made: list[int] = []
        self.joined: list[int] = []
        self._units: list[str] = []
        self._shifts: dict[str, Span] = {}
        self._edges: list[tuple[int, int]] = [(0, 0)]
        self._lengths: list[int] = [0]
        self._joined: list[bool] = [False]
        self._spans: dict[int, Span] = {}
        self._before: dict[int, Stack] = {}
        self._candidates: dict[int, tuple[int, str]] = {}
        self._after: dict[int, Stack] = {0: ()}

    def __getattr__(self, kind: str) -> Callable[..., None]:
        """The other kinds of events say nothing about spans."""
        if kind.startswith("_"):
            raise AttributeError(kind)
        return _nothing

    def begin(self, units: Sequence[str], *_: Any) -> None:
        """Note the units, which SHIFT names."""
        self._units = list(units)

    def _count(self, length: int, joined: bool) -> None:
        count_length(self.made, length)
        if joined:
            count_length(self.joined, length)

    # --- best-first ---------------------------------------------------------------------------

    def leaf(self, serial: int, item: int, form: str, *_: Any) -> None:
        """A leaf edge is a span of one unit."""
        self._spans[serial] = Span(tuple(form.split(" ")))
        self._edges.append((0, 0))
        self._joined.append(False)
        self._lengths.append(len(self._spans[serial].words))
        self._count(self._lengths[-1], joined=False)

    def edge(self, serial: int, left: int, right: int, *_: Any) -> None:
        """An edge is the spans of its parts side by side; a unary one is the same span again."""
        self._edges.append((left, right))
        self._lengths.append(self._lengths[left] + self._lengths[right])
        self._joined.append(right > 0 or self._joined[left])
        self._count(self._lengths[-1], joined=self._joined[-1])

    def charted(self, serial: int, *_: Any) -> None:
        """The edge is kept."""
        self.spans.append(self._span(serial))

    goal = charted

    def _span(self, serial: int) -> Span:
        """Of most edges nobody asks for the words."""
        if serial not in self._spans:
            left, right = self._edges[serial]  # popped edges are made of charted ones: no deep call
            span = self._span(left)
            self._spans[serial] = span.join(self._span(right)) if right else span
        return self._spans[serial]

    # --- transition system ----------------------------------------------------------------------

    def step(self, step: int) -> None:
        """The states that were kept are the beam now."""
        self._before, self._candidates, self._after = self._after, {}, {}

    def candidate(self, serial: int, parent: int, action: str, score: float) -> None:
        """A candidate has one new span on top of its stack."""
        self._candidates[serial] = parent, action
        if action in JOINS:
            left, right = self._before[parent][-2:]
            self._count(len(left.words) + len(right.words), joined=True)
        else:
            self._count(len(self._shift(action).words), joined=False)

    def kept(self, serial: int, rank: int) -> None:
        """The candidate entered the beam."""
        parent, action = self._candidates[serial]
        stack = self._before[parent]
        if action in JOINS:
            stack = (*stack[:-2], stack[-2].join(stack[-1]))
        else:
            stack = (*stack, self._shift(action))
        self._after[serial] = stack
        self.spans.append(stack[-1])

    def _shift(self, action: str) -> Span:
        if action not in self._shifts:
            unit, _ = shifted(action, self._units)
            self._shifts[action] = Span(tuple(unit.split(" ")))
        return self._shifts[action]


def _nothing(*_: Any) -> None:
    pass
