"""Exercise 42.6: how far two annotators agree beyond chance, as one's own function: kappa."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of, is_number

HAND_MADE: tuple[tuple[Sequence[bool], Sequence[bool]], ...] = (
    ((True, True, False, False), (True, True, False, False)),
    ((True, True, True, False), (True, True, False, False)),
    ((True, False, True, False), (False, True, False, True)),
    ((True, True, True, True), (True, True, True, False)),
)
"""All alike; one word differs; all differ; one annotator keeps everything."""
NEAR = 1e-6


def kappa(first: Sequence[bool], second: Sequence[bool]) -> float:
    """Cohen's kappa of two rows, true where a word stays: 1 all alike, 0 no better than chance.

    NaN where both give every word the same answer, since chance alone explains that.
    """
    size = len(first)
    same = sum(a == b for a, b in zip(first, second, strict=True)) / size
    one, other = sum(first) / size, sum(second) / size
    chance = one * other + (1 - one) * (1 - other)
    return math.nan if chance == 1 else (same - chance) / (1 - chance)


def cases() -> Iterator[tuple[Sequence[bool], Sequence[bool]]]:
    """Rows made by hand, then some at random, always the same."""
    yield from HAND_MADE
    chance = random.Random(42)
    for _ in range(30):
        first = [True, False, *(chance.random() < 0.7 for _ in range(chance.randint(2, 12)))]
        yield first, [one ^ (chance.random() < 0.3) for one in first]


def _judge(answer: Any) -> str:
    own = function_of(answer, "kappa")
    for first, second in cases():
        yours, right = own([*first], [*second]), kappa(first, second)
        about = f"kappa({_signs(first)}, {_signs(second)})"
        if not is_number(yours):
            raise Wrong(f"{about} gave {yours!r}: a number is wanted.")
        if abs(yours - right) > NEAR:
            alike = sum(a == b for a, b in zip(first, second)) / len(first)
            plain = " (That is how many are alike; chance is not off.)" if yours == alike else ""
            raise Wrong(f"{about} gave {yours:.3f}, and it is {right:.3f}.{plain}")
    return "Two who keep seven words of ten agree on 58 % of the words without looking at them."


def _signs(row: Sequence[bool]) -> str:
    return "".join("+" if stays else "-" for stays in row)


def _solve() -> str:
    return (
        "def kappa(first, second):\n"
        "    n = len(first)\n"
        "    same = sum(a == b for a, b in zip(first, second)) / n\n"
        "    a, b = sum(first) / n, sum(second) / n\n"
        "    chance = a * b + (1 - a) * (1 - b)\n"
        "    return (same - chance) / (1 - chance)"
    )


EXERCISES = (
    Exercise(
        "42.6",
        "Cohen's kappa of two annotators.",
        (
            "How many words get the same answer from both? That share is not yet kappa.",
            "By chance both keep a word with the product of their shares, and both drop it with "
            "the product of the other shares.",
            "kappa = (same - chance) / (1 - chance).",
        ),
        _judge,
        _solve,
    ),
)
