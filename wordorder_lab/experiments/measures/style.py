"""Names and colours that all pictures of records share."""

from __future__ import annotations

import math
from collections.abc import Mapping
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
