"""A race as a page: what each model had found at any time, on one clock.

The rows are computed elsewhere, by whoever may run models; here they are data.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from wordorder_lab.widgets.module import RACE
from wordorder_lab.widgets.page import OnPage

if TYPE_CHECKING:
    import pandas


class Row(NamedTuple):
    """An output, and after how many expansions, seconds (if they were measured) and things made."""

    expansions: int
    seconds: float | None
    made: int
    text: str
    score: float
    bleu: float | None
    exact: bool | None


class Racer(NamedTuple):
    """A model in the race: its outputs as they came, the last at its end; ``made`` is what it
    makes, "candidates" or "edges", ``cut`` counts events without room in its log."""

    name: str
    system: str
    rows: tuple[Row, ...]
    stopped: str
    cut: int
    made: str


class RacePage(OnPage):
    """A race as a page, in an iframe where there is no kernel."""

    entry = RACE

    def __init__(self, racers: Sequence[Racer], title: str, gold: str | None) -> None:
        self.racers, self.title, self.gold = racers, title, gold

    @property
    def frame(self) -> pandas.DataFrame:
        """A row an output: model, system, expansions, seconds, made, text, score, BLEU, exact."""
        import pandas

        rows = [(one.name, one.system, *row) for one in self.racers for row in one.rows]
        return pandas.DataFrame(rows, columns=["model", "system", *Row._fields])

    def contents(self) -> dict[str, object]:
        """The same as plain data."""
        racers = [
            {**one._asdict(), "rows": [row._asdict() for row in one.rows]} for one in self.racers
        ]
        return {"title": self.title, "gold": self.gold, "racers": racers}
