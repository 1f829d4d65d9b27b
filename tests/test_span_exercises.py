"""Exercises 32.1 to 32.3: the solutions are right, and wrong answers are told where."""

from __future__ import annotations

import runpy
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wordorder_lab.check import Desk
from wordorder_lab.check.desk import EXERCISES
from wordorder_lab.check.nb_32 import projective_trees

SOLUTIONS = Path(__file__).resolve().parents[1] / "notebooks" / "solutions"


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


# An exercise, a wrong answer, and what is said about it.
WRONG: list[tuple[str, Any, str]] = [
    ("32.1", ([6, 7, 10], [3, 10]), "3 words is missing: 'saw the dog' or 'in the park'"),
    ("32.1", 5, "two lists"),
    ("32.1", (3, 10), "built is a list"),
    ("32.1", ([3, 3, 6, 7, 10, 1], [3, 10]), "In built there is one span too many, of length 1"),
    ("32.1", ([3, 3, 6, 7, 10], [10]), "In below a span of 3 words is missing: 'in the park'"),
    ("32.2", subtrees, "With the heads [-1, 0] the span (0, 0) is missing"),
    ("32.2", lambda heads: [(0, 0), (0, 0)], "once more (0, 0), which is not built"),
    ("32.2", lambda heads: len(heads), "A list of pairs"),
    ("32.3", without_counts, "made = ['the dog', 'the dog'] and gold = ['the dog']"),
    ("32.3", lambda made, gold: (len({*made} & {*gold}) / len(made), 0, 0), "divide by zero"),
    ("32.3", lambda made, gold: 0.5, "Three numbers"),
    ("32.3", lambda made, gold: (0, 0), "Three numbers"),
    (
        "32.3",
        lambda made, gold: (float("nan"),) * 3,
        "made = [] and gold = ['of']: [nan, nan, nan]",
    ),
]


@pytest.mark.parametrize(("number", "answer", "says"), WRONG)
def test_wrong_answers_are_told_where(number: str, answer: Any, says: str) -> None:
    told = Desk()(number, answer)
    assert told.right is False and says in told.text, told.text


def test_the_solutions(capsys: pytest.CaptureFixture[str]) -> None:
    found = runpy.run_path(str(SOLUTIONS / "32_span_lengths.py"))
    desk = Desk()
    lengths = found["built_lengths"], found["below_lengths"]
    for number, answer in zip(
        ("32.1", "32.2", "32.3"), (lengths, found["built_places"], found["score"])
    ):
        assert desk(number, answer).right, number
        for _ in EXERCISES[number].hints:
            desk.hint(number)
        shown = desk.solution(number).text
        if number != "32.1":  # the code that is shown is right, too
            code: dict[str, Any] = {"Counter": Counter}
            lines = shown.partition("def ")[2].split("\n")
            body = [line for line in lines[1:] if line.startswith("    ") or not line]
            exec("\n".join(["def " + lines[0], *body]), code)
            name = lines[0].partition("(")[0]
            assert desk(number, code[name]).right
    assert capsys.readouterr().out == ""


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
