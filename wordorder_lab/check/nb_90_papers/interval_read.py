"""Exercise 90.3: what a 95 % interval says of a paper's direction, and of its size."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from wordorder_lab.check.common.exercise import (
    Exercise,
    NotAnswered,
    Wrong,
    function_of,
    is_blank,
)


def reads(low: float, high: float, printed: float) -> tuple[bool, bool]:
    """Whether the interval is above 0, as the paper's difference is, and whether that is in it."""
    return low > 0, low <= printed <= high


def cases() -> Iterator[tuple[float, float, float]]:
    """Intervals with a difference to look for: one of each kind, then some at random."""
    yield from ((1.0, 3.0, 2.0), (1.0, 3.0, 7.3), (-1.0, 3.0, 2.0), (-0.5, 0.5, 2.0))
    yield from ((-4.0, -1.0, 2.0), (0.0, 2.0, 2.0), (0.3, 0.9, 0.3))
    chance = random.Random(90)
    for _ in range(40):
        middle, half = chance.uniform(-3, 5), chance.uniform(0.2, 3)
        printed = round(chance.uniform(0.1, 6), 1)
        yield round(middle - half, 1), round(middle + half, 1), printed


def _judge(answer: Any) -> str:
    own = function_of(answer, "reads")
    for low, high, printed in cases():
        yours, right = own(low, high, printed), reads(low, high, printed)
        if is_blank(yours):
            raise NotAnswered
        about = f"reads({low:g}, {high:g}, {printed:g})"
        if not isinstance(yours, tuple | list) or len(yours) != 2:
            raise Wrong(f"{about} gave {yours!r}: a pair is wanted, direction and size.")
        for what, mine, truth in zip(("direction", "size"), yours, right, strict=True):
            if bool(mine) != truth:
                raise Wrong(f"{about}: of the {what} you say {bool(mine)}, and it is {truth}.")
    return "The two are independent: a direction may be shown, and the size not be the paper's."


def _solve() -> str:
    return "def reads(low, high, printed):\n    return low > 0, low <= printed <= high"


EXERCISES = (
    Exercise(
        "90.3",
        "Read an interval: is the direction shown, is the paper's size possible?",
        (
            "The paper's difference is above 0. When is all that ours could be above 0, too?",
            "An interval that reaches 0 has not shown a direction.",
            "The size is possible if the paper's number lies between the ends.",
        ),
        _judge,
        _solve,
    ),
)
