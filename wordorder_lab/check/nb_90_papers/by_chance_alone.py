"""Exercise 90.2: what two hundred tests of nothing at all would give."""

from __future__ import annotations

from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, is_number

CLAIMS, LEVEL = 200, 0.05
BY_CHANCE = (CLAIMS * LEVEL / 2, CLAIMS * LEVEL / 2, CLAIMS * (1 - LEVEL))
"""Reproduced, opposite, and what is not significant either way."""
ASKED = ("Reproduced", "Opposite", "Rings and crosses")


def _judge(answer: Any) -> str:
    if not isinstance(answer, tuple | list) or len(answer) != len(ASKED):
        raise Wrong("Three numbers are wanted: reproduced, opposite, and the rest together.")
    for what, yours, right in zip(ASKED, answer, BY_CHANCE, strict=True):
        if not is_number(yours):
            raise Wrong(f"{what}: a number is wanted, not {yours!r}.")
        if abs(yours - right) > 1e-9:
            both = " (So many are significant in one direction or the other.)"
            told = both if abs(yours - CLAIMS * LEVEL) < 1e-9 else ""
            raise Wrong(f"{what}: not {yours:g}.{told}")
    return "Compare the first picture: how far is it from that, and on which side?"


def _solve() -> str:
    up, down, rest = BY_CHANCE
    return (
        f"Of {CLAIMS} tests at {LEVEL:g} {up + down:g} come out though nothing is there, half of "
        f"them in the paper's direction: {up:g} reproduced, {down:g} opposite, {rest:g} neither."
    )


EXERCISES = (
    Exercise(
        "90.2",
        "Two hundred claims of which none is true: what comes out?",
        (
            "A test at 5 % comes out in 5 of 100 cases though nothing is there.",
            "The test has two sides. Which of them is the paper's?",
            "What is left of the 200 is not significant.",
        ),
        _judge,
        _solve,
    ),
)
