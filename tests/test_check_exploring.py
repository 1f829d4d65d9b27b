"""Exercises 32.1 to 33.4: the solutions are right, and wrong answers are told where."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from exercise_cases import wrong_answers

from wordorder_lab.analysis.gold_score import UNKNOWN, fault_of
from wordorder_lab.check import Desk
from wordorder_lab.check.nb_32 import projective_trees
from wordorder_lab.check.nb_33 import OPEN, SEARCHES, Row, p_value, risk, verdict_on
from wordorder_lab.exploring.rows import frame_of

FAULTS = ["search error", "model error", "right", "model error", "cannot be told", "right"]


def by_fate() -> list[str]:
    """What one says who takes every cut for a search error."""
    kinds = {"cut": "search error", "outscored": "model error", "won": "right"}
    return [kinds[search.fate] for search in SEARCHES]


def of_all(lost: list[int | None], steps: list[int]) -> list[float]:
    """Shares of all searches, also of those that lost gold long ago."""
    return [lost.count(step) / len(lost) for step in range(1, max(steps) + 1)]


def dividing(lost: list[int | None], steps: list[int]) -> list[float]:
    shares = []
    for step in range(1, max(steps) + 1):
        pairs = zip(lost, steps, strict=True)
        still = [at for at, last in pairs if last >= step and (at is None or at >= step)]
        shares.append(still.count(step) / len(still))
    return shares


def sums(differences: list[float]) -> list[float]:
    ways = product((1, -1), repeat=len(differences))
    return [sum(s * d for s, d in zip(way, differences, strict=True)) for way in ways]


def one_sided(differences: list[float]) -> float:
    return float(np.mean([size >= sum(differences) for size in sums(differences)]))


def beyond(differences: list[float]) -> float:
    return float(np.mean([abs(size) > abs(sum(differences)) for size in sums(differences)]))


def test_faults_are_what_the_laboratory_calls_them() -> None:
    """Exercise 33.1; what cannot be told has no gold score, which ``wl.errors`` calls unknown."""
    for row in SEARCHES:
        fault = fault_of(row.exact, True, row.score, row.gold_score)
        assert verdict_on(row) == {UNKNOWN: OPEN}.get(fault, fault)


WRONG: list[tuple[str, Any, str]] = [
    ("33.1", by_fate(), "Row 1 (exact False, score 14.2"),
    ("33.1", "right", "A list of 6 answers"),
    ("33.1", ["right"] * 6, "fate cut): it is not 'right'"),
    ("33.1", ["gold was cut"] * 6, "'gold was cut' is none of 'right', 'search error'"),
    ("33.1", [*FAULTS[:4], "search error", "right"], "gold_score None"),
    ("33.2", of_all, "lost = [2, 2, None, 4] and steps = [5, 3, 3, 5]: the risk of step 4 is 1, n"),
    ("33.2", dividing, "steps = [5, 3, 3, 5]: you divide by zero"),
    ("33.2", lambda lost, steps: [0.5], "3 numbers are wanted, and you give 1"),
    ("33.2", lambda lost, steps: 0.5, "a list of numbers, one a step"),
    ("33.3", one_sided, "For [5]: it is 1, not 0.5"),
    ("33.3", one_sided, "on the other side"),
    ("33.3", beyond, "just as far"),
    ("33.4", (1, 0.05, 0.0025), "The chance of at least one: it is not 0.05"),
    ("33.4", (1, 1, 0.0025), "The chance of at least one: it is not 1"),
    ("33.4", (1, "many", 0.0025), "a number is wanted, not 'many'"),
]
test_wrong_answers_are_told_where = wrong_answers(WRONG)


def test_arrays_are_answers() -> None:
    assert Desk()("33.2", lambda lost, steps: np.array(risk(lost, steps))).right
    assert Desk()("33.3", lambda differences: np.float64(p_value(differences))).right


def test_risks_multiply_to_what_is_left() -> None:
    """Gold survives step after step: the product over all steps is the share that kept it."""
    lost, steps = [3, None, 1, 3, None, 5], [5] * 6
    kept = np.prod([1 - share for share in risk(lost, steps)])
    assert kept == pytest.approx(2 / 6)


def test_the_permutation_test_is_scipys() -> None:
    from scipy.stats import permutation_test

    for differences in ([3.0, -1, 4, 1, -5, 9], [2.0, 2, 2, 2], [7.0, -7]):
        theirs = permutation_test(
            (np.array(differences),), np.sum, permutation_type="samples", n_resamples=np.inf
        )
        assert p_value(differences) == pytest.approx(theirs.pvalue)


def test_the_rows_have_the_names_of_the_frame() -> None:
    """What is asked about is what an explorer shows."""
    columns = {
        "name": "",
        "words": 0,
        "reference": "",
        "bag": "",
        "conllu": "",
        **SEARCHES[4]._asdict(),
    }
    frame = frame_of([[columns]], shortens=False)
    assert {*Row._fields} <= {*frame.columns} and frame["gold_score"].isna().all()


# --- notebook 32: spans -------------------------------------------------------------------------


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


WRONG_SPANS: list[tuple[str, Any, str]] = [
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
test_wrong_spans_are_told_where = wrong_answers(WRONG_SPANS)


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
