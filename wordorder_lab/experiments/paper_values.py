"""A paper's printed values beside ours: which of our rows each belongs to, and how far apart.

A value of the paper (an entry of ``paper.values``) says under which settings something was
measured, and what came out. It belongs to those of our rows that have all these settings. Where
several have, the epoch with the best BLEU stands for a training, the development part for several
splits, and what else differs is a line each.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from statistics import fmean
from typing import Any, NamedTuple

from wordorder_lab.experiments.measures import tables
from wordorder_lab.experiments.measures.epochs import best_epoch
from wordorder_lab.experiments.measures.measure import TIMES as TIMES
from wordorder_lab.experiments.runs.settings import DECODE, FLOOR, setting_names

OURS = {"bleu": "bleu_cased", "ms": "ms_per_sentence", "f": "f1"}
MEASURED = tuple(
    """
    bleu_cased bleu_13a_lc ms_per_sentence brevity exact_match timeouts precision recall f1 rate
    relation_f1 loss_sum rules rating
    """.split()
)
"""What is not a setting but came out, whether or not our rows have it; so is any fraction that is
no setting."""
BY_SENTENCE = {"ms_per_sentence": "ms"}
"""Columns of rows that are a sentence each, whose mean is the quantity."""
REMARKS = ("note", "footnote")
"""What a value says about itself: shown and not compared."""
MOST = 6
"""So many rows of ours stand beside one value; of more, the first."""


class Pair(NamedTuple):
    """One printed number and ours: ``ours`` is ``None`` where it was not run here.

    ``of`` are the paper's settings, ``which`` says what else is to be known about our row,
    ``interval`` are the ends of its 95 % interval, if it has one, and ``row`` is its place in the
    record, or that of the first row that went into it.
    """

    of: tables.Record
    quantity: str
    paper: float | str
    ours: float | None = None
    interval: tuple[float, float] | None = None
    which: str = ""
    row: int | None = None

    @property
    def comparable(self) -> bool:
        """Whether the paper's and ours are both numbers."""
        return self.ours is not None and not isinstance(self.paper, str)

    @property
    def difference(self) -> float | None:
        """Ours less the paper's; ``None`` unless both are numbers, and of ``TIMES``."""
        if self.ours is None or isinstance(self.paper, str) or self.quantity in TIMES:
            return None
        return self.ours - self.paper


def pairs(record: tables.Record) -> list[Pair]:
    """Every number that the paper prints with ours, in the order of its values. Where what the
    paper prints was itself scored here (its outputs), these are its numbers."""
    rows = [_with_grammar(row) for row in record["rows"]]
    values = record.get("paper", {}).get("values", [])
    found = [pair for value in values for pair in _pairs(value, rows)]
    for row in record.get("together", []):
        names = [n for n in row if _is_number(row[n]) and tables.PAPER + n in row]
        of = {k: v for k, v in row.items() if k.removeprefix(tables.PAPER) not in names}
        for n in names:
            paper, interval = row[tables.PAPER + n], _interval(row, n)
            found.append(Pair(of, n, paper, row[n], interval, "both scored here"))
    return found


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _with_grammar(row: tables.Record) -> tables.Record:
    """The papers tell grammars apart; of our systems, the name does."""
    system = row.get("system")
    if "grammar" in row or not isinstance(system, str) or system == FLOOR:
        return row
    return {**row, "grammar": "CCG" if "ccg" in system else "dependency"}


def _pairs(value: tables.Record, rows: tables.Rows) -> list[Pair]:
    results = {k: v for k, v in value.items() if _measured(k, rows)}
    of = {k: v for k, v in value.items() if k not in results}
    mine = _having(of, rows)
    return [
        pair._replace(row=None if first is None else rows.index(first))
        for name, printed in results.items()
        for pair, first in _of_quantity(of, OURS.get(name, name), printed, mine)
    ]


def _measured(name: str, rows: tables.Rows) -> bool:
    if OURS.get(name, name) in MEASURED:
        return True
    if is_setting(name, rows) or _column(name, rows) != name:
        return False
    return any(isinstance(row.get(name), float) for row in rows)


def _column(name: str, rows: tables.Rows) -> str | None:
    """What our rows call a setting; that of the search before that of the training."""
    return next((n for n in (DECODE + name, name) if any(n in row for row in rows)), None)


def _having(of: tables.Record, rows: tables.Rows) -> tables.Rows:
    """The rows with these settings; a setting that no row has, none has. The spans that a search
    kept are beside no value of the paper (``measures.spans``), and where all lengths are taken
    together, it is the same in which unit they are counted."""
    rows = [row for row in rows if "spans" in of or row.get("spans") != "kept"]
    if of.get("length") == "all":
        rows = [row for row in rows if row.get("length_in") == rows[0].get("length_in")]
    for name, wanted in of.items():
        if name not in REMARKS:
            column = _column(name, rows) or name
            rows = [row for row in rows if column in row and _plain(row[column]) == _plain(wanted)]
    return rows


def _plain(value: object) -> object:
    """``Zhang (2013)`` and ``zhang-2013`` are one system."""
    return "-".join(re.findall("[a-z0-9]+", value.lower())) if isinstance(value, str) else value


def _of_quantity(
    of: tables.Record, name: str, printed: Any, rows: tables.Rows
) -> list[tuple[Pair, tables.Record | None]]:
    """The pairs of one value, each with the (first) row of ours that it is about."""
    single = BY_SENTENCE.get(name, name)
    mean = single != name and not any(name in row for row in rows)
    known = [row for row in rows if _is_number(row.get(single if mean else name))]
    dev = ""
    if len({row.get("split") for row in known}) > 1:
        known, dev = [row for row in known if row.get("split") == "dev"] or known, "dev"
    found: list[tuple[Pair, tables.Record | None]] = []
    for key, group in tables.grouped(known, _telling(known)):
        row: tables.Record = group[0]
        interval = None
        if mean:
            note = f"mean of {len(group)} sentences"
            ours = fmean(one[single] for one in group)
        else:
            row, note = _standing_for(group)
            ours, interval = row[name], _interval(row, name)
        parts = (dev, *(setting_in_words(k, v) for k, v in key.items() if v is not None), note)
        which = ", ".join(filter(None, parts))
        found.append((Pair(of, name, printed, ours, interval, which), row))
    if len(found) > MOST:
        pair, first = found[0]
        found = [(pair._replace(which=f"the first of {len(found)}: {pair.which}"), first)]
    return found or [(Pair(of, name, printed), None)]


def _telling(rows: tables.Rows) -> list[str]:
    every = dict.fromkeys(name for row in rows for name in row)
    names = [name for name in every if is_setting(name, rows)]
    return [name for name in names if len({repr(row.get(name)) for row in rows}) > 1]


def is_setting(name: str, rows: tables.Rows) -> bool:
    """Whether a column says how a row was made, and not what came out."""
    known = {*setting_names(rows), *tables.TRAINED, "training_seed"}
    if name in known or name.startswith(DECODE):
        return True
    return any(isinstance(row.get(name), str | bool) for row in rows)


def _standing_for(rows: tables.Rows) -> tuple[tables.Record, str]:
    """One row of those that differ in nothing but the epoch (or in what is not a setting)."""
    if len(rows) == 1:
        return rows[0], ""
    if all("epoch" in row and "bleu_cased" in row for row in rows):
        best = best_epoch(rows)
        return best, f"epoch {best['epoch']}, the best of {len(rows)}"
    return rows[-1], f"the last of {len(rows)} rows"


def _interval(row: tables.Record, name: str) -> tuple[float, float] | None:
    ends = row.get(f"{name}_interval")
    return (ends[0], ends[1]) if isinstance(ends, list | tuple) and len(ends) == 2 else None


def setting_in_words(name: str, value: Any) -> str:
    """A setting in words: "50 % POS", "beam 64", "scaled"."""
    if name == "least_units":  # no paper says it
        return f"{tables.units_description(value)} (our reading)"
    name = name.removeprefix(DECODE)
    return f"{value:g} s" if name == "seconds" else tables.in_words(name, value)


class Reversal(NamedTuple):
    """Two values of the paper, the higher first, where ours of the second is the higher one."""

    high: Pair
    low: Pair

    @property
    def differ(self) -> list[str]:
        """The paper's settings that tell the two apart."""
        one, other = self.high.of, self.low.of
        return [name for name in {**one, **other} if one.get(name) != other.get(name)]

    @property
    def close(self) -> bool:
        """Whether the 95 % intervals of ours overlap."""
        if self.high.interval is None or self.low.interval is None:
            return False
        return self.low.interval[0] <= self.high.interval[1]


def reversals(mine: Sequence[Pair]) -> list[Reversal]:
    """All of them among the pairs of one quantity; first those of the fewest different settings.
    Where several of our rows stand beside a value, those are compared that differ in nothing else,
    and the first of each."""
    known = [pair for pair in mine if pair.comparable]
    firsts = {id(next(one for one in known if one.of == pair.of)) for pair in known}
    found = []
    for pair in combinations(known, 2):
        one, other = pair
        alike = one.which == other.which or {id(one), id(other)} <= firsts
        if one.of == other.of or not alike:
            continue
        low, high = sorted(pair, key=lambda one: float(one.paper))
        if float(low.paper) < float(high.paper) and (high.ours or 0.0) < (low.ours or 0.0):
            found.append(Reversal(high, low))
    return sorted(found, key=lambda one: len(one.differ))
