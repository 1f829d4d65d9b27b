"""Exercises 41.3 and 41.4: one constraint in closed form, and what C does.

Judged by the structured SVM itself, on problems that are small enough to be solved to the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of, is_number
from wordorder_lab.check.nb_41_svm.small_margin import KnownOutputs, one_output, three_sentences
from wordorder_lab.transduction.structured_svm import Learned, StructuredSVM, SvmSettings

PROBLEMS = 40
EXACT = 1e-9
"""The share of the gap that a run may leave."""


def solved(examples: KnownOutputs, features: int, **settings: Any) -> Learned:
    """The learner, run to the end."""
    return StructuredSVM(examples, features, SvmSettings(tolerance=EXACT, **settings)).run()


# --- 41.3: one constraint ---------------------------------------------------------------------


@cache
def problems() -> tuple[tuple[tuple[float, ...], float, float, np.ndarray], ...]:
    """Problems of one constraint, (dPsi, loss, C), each with the weights that the learner finds."""
    return tuple(
        (difference, loss, C, solved(one_output(difference, loss), len(difference), C=C).weights)
        for difference, loss, C in _made_up()
    )


def _made_up() -> Iterator[tuple[tuple[float, ...], float, float]]:
    yield (2.0, 0.0), 1.0, 0.1
    yield (2.0, 0.0), 1.0, 10.0
    yield (1.0, -1.0, 0.0), 3.0, 1.0
    yield (0.0, 0.0), 2.0, 1.0  # an output with the features of gold
    chance = np.random.default_rng(41)
    for _ in range(PROBLEMS - 4):
        difference = chance.integers(-3, 4, size=int(chance.integers(1, 5)))
        loss, C = float(chance.integers(1, 6)), float(np.exp(chance.normal(-1, 2)))
        yield tuple(map(float, difference)), loss, C


def _judge_one(answer: Any) -> str:
    weights_of = function_of(answer, "best_weights")
    for difference, loss, C, right in problems():
        try:
            given = weights_of(list(difference), loss, C)
        except ZeroDivisionError:
            raise Wrong(
                "For an output that has the features of gold, dPsi is all 0, and you divide by "
                "its length. No weights help there; which are the shortest?"
            ) from None
        values = _numbers(given, len(difference))
        if not np.allclose(values, right, rtol=1e-4, atol=1e-6):
            raise Wrong(_says(difference, loss, C, values, right))
    return f"Yours and the learner's weights are the same in {len(problems())} problems."


def _numbers(given: Any, size: int) -> list[float]:
    values = given.tolist() if isinstance(given, np.ndarray) else given
    if not isinstance(values, list | tuple) or len(values) != size:
        raise Wrong(f"A list of {size} weights is wanted here, not {given!r}.")
    if not all(is_number(value) for value in values):
        raise Wrong(f"Weights are numbers, not {given!r}.")
    return [float(value) for value in values]


def _says(
    difference: Sequence[float], loss: float, C: float, given: Sequence[float], right: np.ndarray
) -> str:
    yours, learned = (
        f"({', '.join(f'{value:.4g}' for value in weights)})" for weights in (given, right + 0.0)
    )
    margins = [float(np.dot(difference, weights)) for weights in (given, right)]
    return (
        f"dPsi = {tuple(difference)}, loss {loss:g}, C = {C:.4g}: the learner's weights are "
        f"{learned}, a margin of {margins[1]:.4g}; yours are {yours}, a margin of {margins[0]:.4g}."
    )


def best_weights(difference: Sequence[float], loss: float, C: float) -> list[float]:
    """w = a dPsi, where a closes the margin, but is at most C."""
    length = sum(value**2 for value in difference)
    a = min(C, loss / length) if length else 0.0
    return [a * value for value in difference]


ONE_TEXT = """def best_weights(difference, loss, C):
    length = sum(value**2 for value in difference)
    a = min(C, loss / length) if length else 0
    return [a * value for value in difference]"""


# --- 41.4: a larger C -------------------------------------------------------------------------

WORDS = ("up", "down", "same")
ASKED = ("the length of w", "the mean slack", "the objective", "the weights with scaling 10")
SMALL_C, LARGE_C = 0.3, 3.0


@cache
def measured() -> tuple[tuple[float, float], ...]:
    """Each of the first three numbers with a small C and with a large one; then a weight with C,
    and with features ten times as long and C / 100."""
    examples = three_sentences()
    small, large = (solved(examples, 2, C=C) for C in (SMALL_C, LARGE_C))
    scaled = solved(examples, 2, C=LARGE_C / 100, scaling=10.0)
    return (
        (float(np.linalg.norm(small.weights)), float(np.linalg.norm(large.weights))),
        (examples.mean_slack(small.weights), examples.mean_slack(large.weights)),
        (small.bound, large.bound),
        (float(np.linalg.norm(large.weights)), float(np.linalg.norm(scaled.weights))),
    )


def truth() -> list[str]:
    """Up, down or the same, as the learner has it."""
    answers = []
    for before, after in measured():
        same = bool(np.isclose(before, after, rtol=1e-4))
        answers.append("same" if same else "up" if after > before else "down")
    return answers


def _judge_c(answer: Any) -> str:
    if isinstance(answer, str) or not isinstance(answer, Sequence) or len(answer) != len(ASKED):
        raise Wrong(f"A list of {len(ASKED)} words is wanted.")
    for what, yours, right, numbers in zip(ASKED, answer, truth(), measured(), strict=True):
        if yours not in WORDS:
            raise Wrong(f"{what}: {yours!r} is none of {', '.join(WORDS)}.")
        if yours != right:
            before, after = numbers
            raise Wrong(f"{what}: from {before:.3f} to {after:.3f}, so not {yours!r}.")
    return "As the learner has it: " + "; ".join(
        f"{what} {before:.3f} → {after:.3f}" for what, (before, after) in zip(ASKED, measured())
    )


EXERCISES = (
    Exercise(
        "41.3",
        "The best weights where there is one constraint, in closed form.",
        (
            "w can only be a x dPsi: any other direction makes w longer and the margin no larger. "
            "So look for the best a, at least 0.",
            "The margin is then a |dPsi|², and the objective is a² |dPsi|² / 2 + C (loss - a "
            "|dPsi|²) as long as the margin is below the loss. Where is its derivative 0?",
            "At a = C. But beyond the a that makes margin and loss equal there is nothing to gain "
            "any more. If all of dPsi is 0, w = 0 is best.",
        ),
        _judge_one,
        lambda: f"{ONE_TEXT}\n{_judge_one(best_weights)}",
    ),
    Exercise(
        "41.4",
        "What does a larger C do?",
        (
            "C is the price of slack. What will be bought instead, when slack becomes dear?",
            "The objective: take the best weights for the large C, and look what they cost with "
            "the small one. Can the best ones for the small C cost more than that?",
            "Scaling 10: every margin is <w, 10 dPsi>. So w may be ten times as short, and |w|² is "
            "100 times as small. What must C be for the same balance? The weights that are given "
            "back are those for features as they were.",
        ),
        _judge_c,
        lambda: f"{truth()}\n{_judge_c(truth())}",
    ),
)
