"""The losses of ``compression_losses`` for kernels: their arguments add up, and have a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from wordorder_lab.decoders.compression_losses import EDIT, END, HAMMING, START, Loss
from wordorder_lab.structures.kernel_fast import kernel
from wordorder_lab.structures.transduction import TransductionProblem

KIND, ITEMS_OF_REFERENCE, REACH = range(3)
"""What ``LossTable.numbers`` holds; kind 0 is no loss."""

PENALTY, FACTOR = range(2)
"""What ``LossTable.factors`` holds."""


class LossTable(NamedTuple):
    """A loss on one problem.

    ``own[a]`` are the arguments of application ``a`` alone, ``caps`` as in ``Loss``. ``reference``:
    the n-grams of the reference as ``code`` gives them, ascending; only for a loss on n-grams.
    """

    own: np.ndarray
    caps: np.ndarray
    reference: np.ndarray
    numbers: np.ndarray
    factors: np.ndarray


@dataclass(frozen=True)
class FastLoss:
    """A loss with its numbers; like those of the problem, a learner makes them once."""

    loss: Loss | None
    problem: TransductionProblem
    table: LossTable

    @property
    def reach(self) -> int:
        """Words that a seam must see on each side."""
        return int(self.table.numbers[REACH])

    @classmethod
    def of(cls, loss: Loss | None, problem: TransductionProblem) -> FastLoss:
        """The numbers of a loss, or of none."""
        n = len(problem.applications)
        if loss is None:
            none = np.zeros(0, np.int64)
            nothing = np.zeros((n, 0), np.int64), none, none, np.zeros(3, np.int64), np.zeros(2)
            return cls(None, problem, LossTable(*nothing))
        own = [loss.of_rule(one.rule.target) for one in problem.applications]
        table = LossTable(
            np.array(own, np.int64).reshape(n, loss.width),
            np.array(loss.caps, np.int64),
            np.array(sorted(_codes(loss, problem)), np.int64),
            np.array([loss.kind, loss.length, loss.reach], np.int64),
            np.array([loss.penalty, loss.factor], np.float64),
        )
        return cls(loss, problem, table)


def _codes(loss: Loss, problem: TransductionProblem) -> set[int]:
    """The n-grams of the reference; those of words that the problem does not have are left out."""
    if not loss.reach:
        return set()
    n = len(problem.words)
    known = {word: i for i, word in enumerate(problem.words)} | {START[0]: n, END[0]: n + 1}
    found = set()
    for ngram in loss.places:
        code = 0
        for word in ngram:  # type: ignore[attr-defined]
            if word not in known:
                break
            code = code * (n + 3) + known[word] + 1
        else:
            found.add(code)
    return found


@kernel(inline="always")
def has(codes, code):
    """Whether a number is among ascending ones."""
    low, high = 0, len(codes)
    while low < high:
        middle = (low + high) >> 1
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    return low < len(codes) and codes[low] == code


@kernel(inline="always")
def cap(counts, caps):
    """What is above its bound goes into the last argument.

    As counts only grow, it is the same once at the end as after every addition.
    """
    last = len(caps) - 1
    for i in range(len(caps)):
        if 0 <= caps[i] < counts[i]:
            counts[last] += counts[i] - caps[i]
            counts[i] = caps[i]


@kernel(inline="always")
def value(counts, numbers, factors):
    """``Loss.value``; 0 where there is no loss."""
    kind, length = numbers[KIND], numbers[ITEMS_OF_REFERENCE]
    factor = factors[FACTOR]
    if kind == 0:
        return 0.0
    if kind == HAMMING:
        short = float(max(length - (counts[0] + counts[1]), 0))
        return factor * (counts[1] + factors[PENALTY] * short)
    matched = 0
    last = len(counts) - 1
    for i in range(last):
        matched += counts[i]
    found = matched + counts[last]
    if kind == EDIT:
        return factor * float(found + length - 2 * matched)
    if matched == 0:
        return factor
    precision, recall = matched / found, matched / length
    return factor * (1 - 2 * precision * recall / (precision + recall))
