"""A table of sentences to explore: what it is given, its filters, and its page.

A filter is data: ``{"bleu": [0, 40], "exact": False, "error": ["punctuation"], "text": "board"}``.
Of a number both ends belong to the range, and ``None`` leaves an end open; what is missing is in no
range. ``text`` looks for letters, small or capital, in all texts of a row.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.messages import cited
from wordorder_lab.widgets.module import EXPLORER
from wordorder_lab.widgets.page import OnPage, frame, page_text, write_page

if TYPE_CHECKING:
    import pandas

NUMBERS = ("whole", "number")
KINDS = (*NUMBERS, "flag", "choice", "text")
TEXT = "text"
"""The name of the filter that looks into all columns of texts."""
SAVED = {".csv": None, ".conllu": "conllu"}
"""End of a file's name -> the column that is written; all other files get what one types."""
TYPED = ("bag", "tree")
MEASURE = re.compile("(bleu|relation_f1)(_[ab])?|difference")
"""Columns whose mean over the selection is said."""
DOUBTS = ("doubts", "doubts_a", "doubts_b")
"""Columns that are said of the row that is looked at; who finds words does not look there."""

Filter = Mapping[str, Any]
Measure = Callable[[Sequence[Sequence[float]]], Sequence[Sequence[float]]]
"""Of each column of values: mean, lower and upper end of its interval, p of being 0."""
Record = Callable[[int, int], Mapping[str, object]]
"""What a player is given for a row, by its place, and a model."""


@dataclass(frozen=True)
class Column:
    """A column of the frame, of one of ``KINDS``; ``shown`` in the table or not, with a
    ``histogram`` above it or not; ``values`` gives an order to what a choice may be."""

    name: str
    label: str
    kind: str
    says: str = ""
    histogram: bool = False
    shown: bool = True
    values: Sequence[str] = ()


@dataclass(frozen=True)
class Table:
    """All that an explorer is given: rows, columns, the models' names, a title, recordings."""

    frame: pandas.DataFrame = field(repr=False)
    columns: Sequence[Column]
    names: Sequence[str]
    title: str
    record: Record = field(repr=False)
    measure: Measure = field(repr=False)
    """Says in Python what ``explorer/measured.js`` says of a selection."""
    plays: bool = True
    """Whether there are searches to play: a system may have no steps."""

    @property
    def typed(self) -> str:
        """The column that holds what one types of a row: its bag, or its tree."""
        return next(name for name in TYPED if name in self.frame)

    def data(self, places: Sequence[int] = (), live: bool = False) -> dict[str, object]:
        """The same as plain data, with recordings of the rows at these places."""
        more = [name for name in (self.typed, "conllu", *DOUBTS) if name in self.frame]
        names = [*(column.name for column in self.columns), *more]
        recorded = places if self.plays else ()
        plays = {
            f"{place} {which}": self.record(place, which)
            for place in progress_bar(recorded, desc="recording", delay=2, leave=False)
            for which in range(len(self.names))
        }
        return {
            "title": self.title,
            "names": [str(name) for name in self.names],
            "columns": [asdict(column) for column in self.columns],
            "values": {  # what is missing as JSON has it
                name: [None if one != one else one for one in self.frame[name].tolist()]
                for name in names
            },
            "rows": len(self.frame),
            "typed": self.typed,
            "plays": plays,
            "live": live and self.plays,
        }

    def worst(self, number: int) -> list[int]:
        """The places of rows that are worth a look: the greatest differences, or least scores."""
        by = next(name for name in ("difference", "bleu", "relation_f1") if name in self.frame)
        badness = -self.frame[by].abs() if by == "difference" else self.frame[by]
        ranked = badness.reset_index(drop=True).sort_values(kind="stable")
        return [int(place) for place in ranked.index[:number]]


def check_filter(chosen: Filter, columns: Sequence[Column]) -> None:
    """Raise ``ValueError`` for a filter that is none, naming what would be one."""
    kinds = {TEXT: TEXT} | {one.name: one.kind for one in columns if one.kind != TEXT}
    for name, wanted in chosen.items():
        if name not in kinds:
            raise ValueError(f"no filter {cited(name)}; there are {', '.join(kinds)}")
        fits, description = WANTED[kinds[name]]
        if not fits(wanted):
            raise ValueError(f"the filter {cited(name)} is {description}, not {cited(wanted)}")


def _is_list(wanted: object) -> bool:
    return isinstance(wanted, Sequence) and not isinstance(wanted, str)


def _is_range(wanted: Any) -> bool:
    return (_is_list(wanted) and len(wanted) == 2) and all(
        end is None or (isinstance(end, int | float) and not isinstance(end, bool) and end == end)
        for end in wanted
    )


WANTED: dict[str, tuple[Callable[[object], bool], str]] = {
    **dict.fromkeys(NUMBERS, (_is_range, "[least, most]")),
    "flag": (lambda wanted: isinstance(wanted, bool), "True or False"),
    "choice": (_is_list, "a list of its values"),
    TEXT: (lambda wanted: isinstance(wanted, str), "a string"),
}
"""What the filter of each kind of column may be, and how a message says so."""


def selected(rows: pandas.DataFrame, chosen: Filter, columns: Sequence[Column]) -> pandas.DataFrame:
    """The rows that a filter selects. Raises ``ValueError`` as ``check_filter``."""
    import pandas

    check_filter(chosen, columns)
    kinds = {column.name: column.kind for column in columns}
    keeps = pandas.Series(True, index=rows.index)
    for name, wanted in chosen.items():
        if name == TEXT:
            texts = [rows[text] for text, kind in kinds.items() if kind == TEXT]
            has = [text.str.lower().str.contains(wanted.lower(), regex=False) for text in texts]
            keeps &= pandas.concat(has, axis=1).any(axis=1)
        elif kinds[name] == "choice":
            keeps &= rows[name].isin(wanted)
        elif kinds[name] == "flag":
            keeps &= rows[name] == wanted
        else:
            low, high = wanted
            keeps &= rows[name].notna()
            keeps &= True if low is None else rows[name] >= low
            keeps &= True if high is None else rows[name] <= high
    return rows[keeps]


class Exploring(OnPage):
    """What a live explorer and a page have in common: the frame, the selection, what is saved."""

    filter: Any

    def __init__(self, table: Table, recordings: int = 0) -> None:
        self.table, self.recordings, self.title = table, recordings, table.title
        self.played: list[int] = []
        """The places of rows that were played here; a page has them, too."""

    @property
    def frame(self) -> pandas.DataFrame:
        """All rows."""
        return self.table.frame

    @property
    def selected(self) -> pandas.DataFrame:
        """The rows that the filter selects, in the order of the sentences."""
        return selected(self.table.frame, self.filter, self.table.columns)

    @property
    def measured(self) -> pandas.DataFrame:
        """The mean of each measure over the selection, its 95 % interval and p, as the explorer
        says them (``metrics/significance``); p is of use for the difference of two models alone."""
        import pandas

        names = [one.name for one in self.table.columns if MEASURE.fullmatch(one.name)]
        means = self.table.measure([self.selected[name].tolist() for name in names])
        return pandas.DataFrame(means, index=names, columns=["mean", "low", "high", "p_value"])

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the selection as one types it, or as ``.conllu`` or ``.csv``.

        Raises ``ValueError`` for an empty one and for trees in CoNLL-U, ``OSError`` where it cannot
        be written.
        """
        rows, end = self.selected, Path(path).suffix
        if not len(rows):
            raise ValueError("no row is selected: widen the filter")
        column = SAVED.get(end, self.table.typed)
        if column is None:
            text = rows.to_csv(index=False)
        elif column not in rows:
            raise ValueError(f"there are trees here, no bags: take another name than {path}")
        else:
            text = "".join(one if one.endswith("\n") else f"{one}\n" for one in rows[column])
        return write_page(path, text)

    def page(self, recordings: int | None = None) -> str:
        """The explorer as a page that needs nothing else. To play has it this many sentences, or as
        many as the explorer was made with, and those that were played before."""
        chosen = self.recordings if recordings is None else recordings
        data = self.table.data([*dict.fromkeys([*self.table.worst(chosen), *self.played])])
        return page_text({**data, "filter": dict(self.filter)}, self.title, EXPLORER)

    def to_html(self, path: str | os.PathLike[str], recordings: int | None = None) -> Path:
        """Write that page. Raises ``OSError`` where it cannot be written."""
        return write_page(path, self.page(recordings))

    def _repr_html_(self) -> str:
        return frame(self.page(), self.title)


class ExplorerPage(Exploring):
    """An explorer without a kernel: the page, in an iframe; ``filter`` is set in Python alone."""

    def __init__(self, table: Table, recordings: int = 0) -> None:
        super().__init__(table, recordings)
        self.filter = {}
