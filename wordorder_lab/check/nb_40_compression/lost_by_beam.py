"""Exercise 40.6: a sentence and a beam with which cube pruning loses the best derivation.

There are many right answers. A derivation that a wider beam finds, and that scores higher, proves
the loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, is_number
from wordorder_lab.check.common.moments import Moment
from wordorder_lab.structures.compression import Compression, CompressionPair
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.trace.log import EventLog

SMALLEST, WIDE = 2, 1000
"""Unique items a cell: the smallest beam that counts, and the beam that finds what was lost."""


def loss_at(model: CompressionModel, pair: CompressionPair, beam: int) -> tuple[float, Compression]:
    """By how much the best output of this beam scores below that of a wide one, and that one."""
    best = model.compress(pair.source, beam=WIDE)
    return best.score - model.compress(pair.source, beam=beam).score, best


def _judge(answer: Any, model: CompressionModel, pairs: Sequence[CompressionPair]) -> str:
    if isinstance(answer, str) or not isinstance(answer, Sequence) or len(answer) != 2:
        raise Wrong("Two numbers are wanted: that of a pair, and a beam.")
    number, beam = answer
    if not is_number(number, whole=True) or not 0 <= number < len(pairs):
        raise Wrong(f"Pairs have the numbers 0 to {len(pairs) - 1}, not {number!r}.")
    if not is_number(beam, whole=True) or not SMALLEST <= beam < WIDE:
        raise Wrong(f"A beam is a whole number from {SMALLEST} up and below {WIDE}, not {beam!r}.")
    lost, best = loss_at(model, pairs[int(number)], int(beam))
    log = EventLog()
    small = model.compress(pairs[int(number)].source, beam=int(beam), trace=log)
    if lost <= 0:
        said = f"With {beam} items {small.text!r} is found, and nothing better with {WIDE}."
        raise Wrong(said, Moment(log, len(log), f"{beam} items a cell"))
    same = " The words are the same; the derivation is another." if small.text == best.text else ""
    return (
        f"With {beam} items {small.text!r}, {small.score:.3f}; with {WIDE} {best.text!r}, "
        f"{best.score:.3f}: a search error of {lost:.3f}.{same}"
    )


def _solve(model: CompressionModel, pairs: Sequence[CompressionPair]) -> str:
    for beam in (10, 5, 3, SMALLEST):
        for number, pair in enumerate(pairs):
            if loss_at(model, pair, beam)[0] > 0:
                return f"({number}, {beam}): {_judge((number, beam), model, pairs)}"
    return "This model loses nothing, with none of the beams tried; train one on more pairs."


EXERCISES = (
    Exercise(
        "40.6",
        "Find a sentence and a beam that lose the best derivation.",
        (
            "Compare scores, not words: a derivation is lost where the score with a small beam is "
            "below that with a large one.",
            "The longer the sentence and the smaller the beam, the sooner. Write two loops.",
            f"model.compress(pairs[i].source, beam=2).score against beam={WIDE}. Beware of "
            "differences that are only rounding: here both engines add in one order, so there are "
            "none.",
        ),
        _judge,
        _solve,
        needs=("model", "pairs"),
    ),
)
