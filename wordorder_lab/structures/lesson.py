"""Lesson: what a learner says in four numbers of the sentence that it has learned last."""

from __future__ import annotations

from dataclasses import dataclass


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
