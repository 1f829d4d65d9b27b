"""Names and colours that all pictures of records share."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

AXES = {
    "epoch": "epoch",
    "bleu_cased": "BLEU, cased",
    "length": "units in the sentence",
    "ms": "milliseconds",
    "ms_per_sentence": "milliseconds a sentence",
    "brevity": "brevity (words out / words in)",
    "timeouts": "share of time-outs",
    "no_goal": "share without a goal",
    "spanning": "share found as a whole",
    "category_precision": "precision of lexical categories",
    "epoch_seconds": "seconds of training",
    "decode_beam": "edges that a beam of the chart keeps",
    "rate": "compression rate (words out / words in)",
    "relation_f1": "F1 of head-word relations",
    "loss_sum": "loss, all sentences together",
    "rules": "rules of the grammar",
    "deeper_share": "share of rules that an SCFG cannot have",
    "category_share": "share of rules between two categories (X not Y)",
}
NAMES = {"pos": {0: "no POS given", 1: "POS given"}}
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Okabe and Ito's, which colour-blind people can tell apart."""


def label(name: str, value: Any) -> str:
    """A value of a column in words: ``pos`` 1 is "POS given"."""
    named: Mapping[Any, str] = NAMES.get(name, {})
    return named.get(value, f"{name} {value}")


def plain_ticks(axis: Any, low: float, high: float) -> None:
    """Ticks at 1, 2, 5, 10 and so on, written out: a length of 2 * 10^1 is hard to read."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [digit * 10.0**power for power in powers for digit in (1, 2, 5)]
    shown = [tick for tick in ticks if low / 1.5 <= tick <= high * 1.5]
    axis.set_ticks(shown, labels=[f"{tick:g}" for tick in shown])
    axis.set_ticks([], minor=True)


def grouped(
    results: Sequence[Mapping[str, Any]], names: Sequence[str]
) -> list[tuple[dict[str, Any], list[Mapping[str, Any]]]]:
    """Results by these values, in the order in which they first come; a list is told as a text."""
    groups: dict[tuple, list[Mapping[str, Any]]] = {}
    for one in results:
        values = (one.get(name) for name in names)
        key = tuple(", ".join(map(str, v)) if isinstance(v, list) else v for v in values)
        groups.setdefault(key, []).append(one)
    return [(dict(zip(names, key)), group) for key, group in groups.items()]


BETA = "beta="
"""Begins how a supertagger's categories are called as a setting: ``"beta=0.075"``."""


def run_name(row: Mapping[str, Any]) -> str:
    """What a run is called: its system and, where a supertagger gave the categories, its β."""
    categories = str(row.get("categories", ""))
    named = f", {categories_name(categories)}" if categories.startswith(BETA) else ""
    return f"{row['system']}{named}"


def categories_name(categories: str) -> str:
    """Where categories come from, as a legend says it: "β = 0.075"."""
    if not categories.startswith(BETA):
        return categories
    return f"β = {categories.removeprefix(BETA)}"


THINGS = {"pos": "POS", "deps": "dependencies"}


def share_name(name: str, share: float) -> str:
    """A share in words: "no POS", "50 % POS", "all dependencies"."""
    amount = "no" if share == 0 else "all" if share == 1 else f"{100 * share:g} %"
    return f"{amount} {THINGS[name]}"


def aligned(table: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines, the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*table)]
    lines = []
    for first, *others in table:
        cells = (cell.rjust(width) for cell, width in zip(others, widths[1:]))
        lines.append("  ".join([f"  {first:<{widths[0]}}", *cells]).rstrip())
    return lines
