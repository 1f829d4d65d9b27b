"""Exercises 32.1 to 32.3: the solutions are right, and wrong answers are told where."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
from exercise_cases import wrong_answers

from wordorder_lab.check import Desk
from wordorder_lab.check.nb_32 import projective_trees


def subtrees(heads: list[int]) -> list[tuple[int, int]]:
    """What a student may hand in who has read the wrong definition."""
    inside = {i: {i} for i in range(len(heads))}
    for _ in heads:
        for i, head in enumerate(heads):
            if head >= 0:
                inside[head] |= inside[i]
    return [(min(one), max(one)) for one in inside.values()]


def without_counts(made: list[str], gold: list[str]) -> tuple[float, float, float]:
    right = sum(span in gold for span in made)
    both = len(made) + len(gold)
    return right / len(made or " "), right / len(gold or " "), 2 * right / (both or 1)


WRONG: list[tuple[str, Any, str]] = [
    ("32.1", ([6, 7, 10], [3, 10]), "3 words is missing: 'saw the dog' or 'in the park'"),
    ("32.1", 5, "two lists"),
    ("32.1", (3, 10), "built: a list of lengths"),
    ("32.1", ([3, 3, 6, 7, 10, 1], [3, 10]), "In built there is one span too many, of length 1"),
    ("32.1", ([3, 3, 6, 7, 10], [10]), "In below a span of 3 words is missing: 'in the park'"),
    ("32.2", subtrees, "With the heads [-1, 0]: (0, 0) is missing"),
    ("32.2", lambda heads: [(0, 0), (0, 0)], "(0, 0) is there once, and you have it 2 times"),
    ("32.2", lambda heads: len(heads), "a list of pairs"),
    ("32.3", without_counts, "made = ['the dog', 'the dog'] and gold = ['the dog']"),
    ("32.3", lambda made, gold: (len({*made} & {*gold}) / len(made), 0, 0), "divide by zero"),
    ("32.3", lambda made, gold: 0.5, "a list of three numbers"),
    ("32.3", lambda made, gold: (0, 0), "3 numbers are wanted, and you give 2"),
    ("32.3", lambda made, gold: (float("nan"),) * 3, "F, is wanted, not [nan, nan, nan]"),
]
test_wrong_answers_are_told_where = wrong_answers(WRONG)


def test_arrays_and_fractions_are_answers() -> None:
    assert Desk()("32.1", (np.array([3, 3, 6, 7, 10]), np.array([3, 10]))).right

    def score(made: list[str], gold: list[str]) -> np.ndarray:
        right = (Counter(made) & Counter(gold)).total()
        parts = (right, len(made)), (right, len(gold)), (2 * right, len(made) + len(gold))
        return np.array([Fraction(part, whole) if whole else Fraction(0) for part, whole in parts])

    told = Desk()("32.3", score)
    assert told.right and "Right for 204 pairs" in told.text


def test_all_projective_trees_are_looked_at() -> None:
    """1, 2, 7, 30, 143: the sequence of rooted projective trees."""
    assert [sum(1 for _ in projective_trees(n)) for n in range(1, 6)] == [1, 2, 7, 30, 143]
