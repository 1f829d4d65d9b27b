"""A best-first search as a table, a row a pop: what one would write on paper beside Algorithm 4.

The notebooks show it; the players show the same, for searches that are longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

COLUMNS = (
    "pop",
    "agenda before",
    "popped",
    "score",
    "update",
    "new scores",
    "made",
    "chart after",
)
"""In the order of Algorithm 3."""


class PopTable:
    """Reads a log event by event; ``rows`` has a dictionary for each pop.

    A dependency edge is told with arrows, a CCG edge by its words and category. Columns are
    ``COLUMNS``: the top of the agenda and how many more there are; the popped edge and its score;
    in learning the update (positive over negative edge, margin and step) and the new scores; how
    many edges were made; the chart.
    """

    def __init__(self, log: Iterable[tuple], top: int = 4) -> None:
        self.top = top
        self.text: dict[int, str] = {}
        self.words: dict[int, str] = {}
        self.scores: dict[int, float] = {}
        self.agenda: set[int] = set()
        self.chart: list[int] = []
        self.rows: list[dict[str, Any]] = []
        steps: dict[str, Callable[..., None]] = {
            "leaf": self._leaf,
            "edge": self._edge,
            "popped": self._popped,
            "charted": self.chart.append,
            "pruned": self._pruned,
            "edge_update": self._updated,
            "rescored": self._rescored,
        }
        for kind, *values in log:
            if kind in steps:
                steps[kind](*values)
            if self.rows:
                self.rows[-1]["chart after"] = " | ".join(self.text[edge] for edge in self.chart)

    def _leaf(
        self,
        serial: int,
        item: int,
        form: str,
        pos: str,
        score: float,
        gold: int,
        category: str = "",
    ) -> None:
        self._made(serial, form, form, score, category)

    def _edge(
        self,
        serial: int,
        left: int,
        right: int,
        action: str,
        score: float,
        gold: int,
        category: str = "",
    ) -> None:
        parts = [part for part in (left, right) if part]  # a unary rule has one
        words = " ".join(self.words[part] for part in parts)
        texts = (self.text[part] for part in parts)
        bracketed = (f"({text})" if _has_arrow(text) else text for text in texts)
        arrow = "→" if action == "HeadLeft" else "←"
        self._made(serial, words, f" {arrow} ".join(bracketed), score, category)

    def _made(self, serial: int, words: str, text: str, score: float, category: str) -> None:
        self.words[serial], self.scores[serial] = words, score
        self.text[serial] = f"{words} · {category}" if category else text
        self.agenda.add(serial)
        if self.rows:
            self.rows[-1]["made"] += 1

    def _popped(self, serial: int, score: float) -> None:
        ranked = sorted(self.agenda, key=lambda edge: (-self.scores[edge], edge))
        shown = [f"{self.text[edge]}: {self.scores[edge]:.2f}" for edge in ranked[: self.top]]
        more = [f"{len(ranked) - self.top} more"] * (len(ranked) > self.top)
        self.rows.append(
            {
                "pop": len(self.rows) + 1,
                "agenda before": " | ".join(shown + more),
                "popped": self.text[serial],
                "score": f"{score:.2f}",
                "made": 0,
            }
        )
        self.agenda.remove(serial)

    def _pruned(self, serial: int, reason: str) -> None:
        if serial in self.chart:
            self.chart.remove(serial)

    def _updated(
        self, example: int, reason: str, positive: int, negative: int, margin: float, step: float
    ) -> None:
        row = self.rows[-1]
        update = (
            f"{reason}: {self.text[positive]}  over  {self.text[negative]}, "
            f"margin {margin:.2f}, step {step:.2f}"
        )
        row["update"] = "; ".join(filter(None, [row.get("update"), update]))

    def _rescored(self, serial: int, score: float) -> None:
        self.scores[serial] = score
        row = self.rows[-1]
        rescored = f"{self.text[serial]}: {score:.2f}"
        row["new scores"] = " | ".join(filter(None, [row.get("new scores"), rescored]))


def _has_arrow(text: str) -> bool:
    return " → " in text or " ← " in text


def pop_by_pop(log: Iterable[tuple], top: int = 4) -> list[dict[str, Any]]:
    """The rows of a ``PopTable``; each has the columns of all."""
    rows = PopTable(log, top).rows
    names = [name for name in COLUMNS if any(name in row for row in rows)]
    return [{name: row.get(name, "") for name in names} for row in rows]
