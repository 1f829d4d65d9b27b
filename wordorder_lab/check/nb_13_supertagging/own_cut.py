"""Exercise 13.2: a student's own beta cut, held against the supertagger's."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of, is_number
from wordorder_lab.supertagging.forward_backward import cut

BETAS = (0.0, 0.01, 0.1, 0.5, 1.0)
HAND_MADE: tuple[tuple[Sequence[float], float], ...] = (
    ((0.6, 0.3, 0.06, 0.04), 0.1),
    ((0.3, 0.02, 0.015, 0.01), 0.05),
    ((0.2, 0.5, 0.25, 0.05), 0.5),
    ((0.4, 0.4, 0.2), 1.0),
    ((1.0,), 0.075),
)
"""Above the cut and below; unsorted ones; exactly on the line; two that are best; only one."""


def cases() -> Iterator[tuple[Sequence[float], float]]:
    """Probabilities with a beta: those made by hand, then some at random, always the same."""
    yield from HAND_MADE
    chance = random.Random(13)
    for _ in range(50):
        weights = [chance.random() ** 6 for _ in range(chance.randint(1, 9))]
        yield [weight / sum(weights) for weight in weights], chance.choice(BETAS)


def _judge_cut(answer: Any) -> str:
    own = function_of(answer, "kept")
    for probabilities, beta in cases():
        yours = own(list(probabilities), beta)
        right = sorted(cut(probabilities, beta))
        about = f"kept({[round(one, 3) for one in probabilities]}, {beta})"
        if not isinstance(yours, list | tuple | set) or not all(
            is_number(place, whole=True) for place in yours
        ):
            raise Wrong(f"{about} gave {yours!r}: a list of places is wanted, counted from 0.")
        if sorted(yours) != right:
            raise Wrong(f"{about} gave {sorted(yours)}, and the supertagger keeps {right}.")
    return "The best of a word always stays, whatever beta: there is no word without a category."


def _solve_cut() -> str:
    return (
        "def kept(probabilities, beta):\n"
        "    least = beta * max(probabilities)\n"
        "    return [i for i, p in enumerate(probabilities) if p >= least]"
    )


EXERCISES = (
    Exercise(
        "13.2",
        "Write the beta cut.",
        (
            "Beta is no probability: it is a share of the best category's.",
            "At least that share: who is exactly on the line stays.",
            "The places of the list are wanted, not the probabilities; it need not be sorted.",
        ),
        _judge_cut,
        _solve_cut,
    ),
)
