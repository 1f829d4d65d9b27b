"""Whose fault is a wrong output, the search's or the model's? ``wl.errors`` and its summary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wordorder_lab.exploring.explore import exploration
from wordorder_lab.metrics.ordering import LIU_2015_FIGURE_8_BINS
from wordorder_lab.systems.gold_score import FAULTS

if TYPE_CHECKING:
    import pandas


def errors(model: Any, sentences: Sequence[Any], **how: Any) -> pandas.DataFrame:
    """One row a sentence, as ``wl.explore`` shows it; the column ``fault`` says whose fault it is.

    Of a wrong output the model's score is compared with that of the gold structure: where gold
    scores more, the search has not found it (*search error*); where it scores less, the model likes
    the wrong one better (*model error*); equal scores are a *tie*. An output that a search has put
    together when it was stopped is a search error. *unknown*: the model cannot build gold at all.

    ``how`` is as for ``wl.explore``: ``pos``, ``deps``, ``seed``, ``engine``, ``jobs``, settings of
    the search. Raises ``ValueError`` as ``wl.explore``.
    """
    return exploration(model, sentences, **how).frame


def by_length(frame: pandas.DataFrame) -> list[dict[str, Any]]:
    """How many outputs are whose fault, for sentences of so many words, and in all (the last row).

    Lengths without a sentence are left out.
    """
    rows = []
    for low, high in LIU_2015_FIGURE_8_BINS:
        some = frame[frame["words"].between(low, high)]
        if len(some):
            rows.append({"length": f"{low}-{high}", **_counted(some)})
    return [*rows, {"length": "all", **_counted(frame)}]


def fault_lines(rows: Sequence[dict[str, Any]]) -> list[str]:
    """The same as a table to print."""
    heads = ("sentences", *FAULTS)
    lines = [f"{'words':<9}" + "".join(f"{name:>14}" for name in heads)]
    for row in rows:
        lines.append(f"{row['length']:<9}" + "".join(f"{row[name]:>14,}" for name in heads))
    return lines


def _counted(frame: pandas.DataFrame) -> dict[str, int]:
    counts = frame["fault"].value_counts()
    return {"sentences": len(frame), **{name: int(counts.get(name, 0)) for name in FAULTS}}
