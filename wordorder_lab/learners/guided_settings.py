"""What guided learning can be told, and what it counts, in both engines."""

from __future__ import annotations

from typing import Any, Protocol

from wordorder_lab.learners.edge_updates import UPDATES
from wordorder_lab.structures.chart import CHARTS
from wordorder_lab.structures.problem import OrderingProblem

EXPAND, DISCARD, STOP = "expand", "discard", "stop"
NEGATIVES = (EXPAND, DISCARD, STOP)
"""What becomes of a popped edge that is not gold: Algorithm 3, Algorithm 2, Zhang (2013)."""

REASONS = ("agenda", "chart", "signature", "equal", "satisfied", "overfull")
"""Why there was an update, or none."""
OUTCOMES = ("finished", "limit", "stopped")
"""How the search on a sentence ended."""


class GuidedExample(Protocol):
    """A training sentence of any grammar: its bag made ready, and what is gold in a search."""

    @property
    def problem(self) -> OrderingProblem:
        """The bag."""

    def gold_edges(self) -> Any:
        """The gold structures: ``of(edge)`` gives the number of an edge's, or -1; ``numbers`` are
        those of all of them."""


def check_settings(update: str, negatives: str, chart: str, beam: int) -> None:
    """Raise ``ValueError`` for a setting that there is not."""
    for name, value, values in (
        ("update", update, UPDATES),
        ("negatives", negatives, NEGATIVES),
        ("chart", chart, CHARTS),
    ):
        if value not in values:
            raise ValueError(f"the {name} {value!r} is none of {', '.join(values)}")
    if beam < 0:
        raise ValueError(f"the beam ({beam}) is at least 1, or 0 for no bound")
