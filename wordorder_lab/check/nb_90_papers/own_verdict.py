"""Exercise 90.1: the judge of a claim, as one's own function of a difference and its p."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of
from wordorder_lab.experiments.measures.claims import NOT, OPPOSITE, REPRODUCED, SAME, verdict_of

LEVEL = 0.05
NAMES = (REPRODUCED, SAME, NOT, OPPOSITE)


def verdict(difference: float, p: float) -> str:
    """What ``experiments/claims.py`` says of a claim that one thing is better than another."""
    return verdict_of(difference, p < LEVEL)


def cases() -> Iterator[tuple[float, float]]:
    """Differences with their p: those at the borders first, then some at random, the same ones."""
    yield from ((2.0, 0.001), (2.0, 0.3), (-2.0, 0.3), (-2.0, 0.001), (0.0, 1.0))
    yield from ((0.4, 0.05), (-0.4, 0.05), (0.4, 0.0499), (-0.4, 0.0499))
    chance = random.Random(90)
    for _ in range(40):
        yield round(chance.uniform(-3, 3), 2), round(chance.uniform(0.001, 0.2), 3)


def _judge(answer: Any) -> str:
    own = function_of(answer, "verdict")
    for difference, p in cases():
        yours, right = own(difference, p), verdict(difference, p)
        about = f"verdict({difference:g}, {p:g})"
        if yours not in NAMES:
            raise Wrong(f"{about} gave {yours!r}, which is none of {', '.join(NAMES)}.")
        if yours != right:
            raise Wrong(f"{about} gave {yours!r}, and it is {right!r}.")
    return "Now you can judge every line of this notebook that has a difference and a p."


def _solve() -> str:
    return (
        "def verdict(difference, p):\n"
        "    if difference > 0:\n"
        f"        return {REPRODUCED!r} if p < 0.05 else {SAME!r}\n"
        f"    return {OPPOSITE!r} if difference < 0 and p < 0.05 else {NOT!r}"
    )


EXERCISES = (
    Exercise(
        "90.1",
        "Judge a claim by a difference and its p.",
        (
            "Two questions: which way does it go, and could chance have done it? Four answers.",
            "The level is 0.05, and a p of exactly 0.05 is not below it.",
            "No difference at all is not the paper's direction.",
        ),
        _judge,
        _solve,
    ),
)
