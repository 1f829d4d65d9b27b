"""Trace: whatever a search or a learner tells its events to; None, where nobody listens.

A slice takes a trace as an argument and knows nothing else of it. What each kind of event says is
declared in ``trace/events.py``, whose kinds and columns these methods have; the usual trace is an
``EventLog``. One event is one line in a loop: ``if trace is not None: trace.kept(serial, rank)``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

Event = tuple[Any, ...]
"""What a log keeps of an event: (kind, *columns)."""


class Events(Protocol):
    """Something with events in it, one after the other: a log, or a plain list."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Event]: ...


@runtime_checkable
class Trace(Protocol):
    """One method for each kind of event; its arguments are the columns, in their order.

    A column with a default came later, or only some searches have something to say there.
    """

    # A beam search and its learner.

    def begin(self, units: list[str], counts: list[int], items: int, beam: int) -> None: ...

    def step(self, step: int) -> None: ...

    def candidate(self, serial: int, parent: int, action: str, score: float) -> None: ...

    def kept(self, serial: int, rank: int) -> None: ...

    def cut(self, serial: int, margin: float) -> None: ...

    def gold(self, step: int, serial: int, rank: int) -> None: ...

    def finished(self, serial: int, score: float) -> None: ...

    def update(
        self, example: int, step: int, reason: str, gold: float, predicted: float
    ) -> None: ...

    def weight(self, feature: str, action: str, before: float, after: float) -> None: ...

    def forbidden(self, parent: int, action: str, reason: str) -> None: ...

    # Best-first search and guided learning.

    def leaf(
        self,
        serial: int,
        item: int,
        form: str,
        pos: str,
        score: float,
        gold: int,
        category: str = "",
    ) -> None: ...

    def edge(
        self,
        serial: int,
        left: int,
        right: int,
        action: str,
        score: float,
        gold: int,
        category: str = "",
    ) -> None: ...

    def popped(self, serial: int, score: float) -> None: ...

    def goal(self, serial: int, score: float) -> None: ...

    def charted(self, serial: int) -> None: ...

    def pruned(self, serial: int, reason: str) -> None: ...

    def edge_update(
        self, example: int, reason: str, positive: int, negative: int, margin: float, step: float
    ) -> None: ...

    def rescored(self, serial: int, score: float) -> None: ...

    def stopped(self, reason: str) -> None: ...

    # Tree transduction and its learner.

    def source(self, labels: list[str], parents: list[int], words: list[str]) -> None: ...

    def application(
        self,
        application: int,
        node: int,
        category: str,
        rule: str,
        origin: str,
        children: list[int],
        deleted: list[int],
        score: float,
    ) -> None: ...

    def points(self, application: int, feature: str, points: float) -> None: ...

    def cell(self, cell: int, node: int, category: str) -> None: ...

    def combined(
        self,
        serial: int,
        application: int,
        ranks: list[int],
        heuristic: float,
        score: float,
        ngrams: float,
        loss: float,
        item: int,
        outcome: str,
    ) -> None: ...

    def filled(self, cell: int, items: list[int]) -> None: ...

    def compressed(
        self, rank: int, score: float, applications: list[int], words: list[str]
    ) -> None: ...

    def violation(self, example: int, loss: float, margin: float, violation: float) -> None: ...

    def solved(
        self, iteration: int, constraints: int, primal: float, dual: float, bound: float
    ) -> None: ...

    # A training over its epochs.

    def learned(
        self,
        epoch: int,
        example: int,
        sentence: int,
        updates: int,
        margin: float,
        prefix: int,
        length: int,
    ) -> None: ...

    def epoch(
        self, epoch: int, updates: int, weights: int, norm: float, scores: list[float]
    ) -> None: ...

    # Before a search whose categories a supertagger gave.

    def supertags(self, probabilities: list[float]) -> None: ...

    # After the begin of a search whose units have several forms, or whose arcs have labels.

    def alternatives(self, types: list[int], forms: list[str]) -> None: ...

    def labels(self, labels: list[str]) -> None: ...

    # A parser's chart.

    def constituent(
        self, serial: int, start: int, end: int, label: str, score: float, left: int, right: int
    ) -> None: ...

    def out_of_beam(self, serial: int) -> None: ...

    def parsed(self, serial: int, score: float, brackets: str, fallback: int) -> None: ...

    # Compression by deletion: a lattice, and an integer programme.

    def bigram(self, left: int, right: int, score: float, total: float, back: int) -> None: ...

    def path(self, rank: int, score: float, kept: list[int], words: list[str]) -> None: ...

    def demand(self, name: str, says: str, words: list[int], broken: int) -> None: ...

    def programme(
        self, names: list[str], kept: list[int], objective: float, nodes: int
    ) -> None: ...


def of_next_search(trace: Trace | None) -> Trace | None:
    """The trace, if it wants the search that begins now; a log that takes a sample does not always.

    What is not told need not be recorded: where this is ``None``, the learner has all its speed.
    """
    skips = getattr(trace, "skips", None)
    return None if skips is not None and skips() else trace


@dataclass
class Lesson:
    """What one sentence came to; the columns of a ``learned`` event (``trace/events.py``).

    ``margin`` is the lowest one of its updates, 0 without an update. A learner that pops edges
    tells it pop by pop, and update by update.
    """

    updates: int = 0
    margin: float = 0.0
    prefix: int = 0
    length: int = 0

    def popped(self, is_gold: bool) -> None:
        """An edge was popped: it belongs to the prefix as long as all were gold."""
        if is_gold and self.prefix == self.length:
            self.prefix += 1
        self.length += 1

    def updated(self, margin: float) -> None:
        """The weights have moved; the positive side was ahead by ``margin`` before."""
        self.margin = margin if not self.updates else min(self.margin, margin)
        self.updates += 1
