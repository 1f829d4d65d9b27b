"""Exercise 41.5: a length penalty that gives the outputs a certain rate.

Cohn & Lapata 2009, section 7 and footnote 17. The answer is judged by training with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, is_number
from wordorder_lab.metrics.compression import gold_rate
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.systems import train
from wordorder_lab.systems.compression_grid import HeldOut, on_held_out

NEAR, MOST = 0.04, 5.0
"""How near to the references' rate is near enough, and the largest penalty that is tried."""
TRIED = (1.0, 2.0, 1.5, 1.75, 1.25, 2.5, 3.0, 0.75, 0.5, 4.0)
"""Penalties for the solution, which shows the first that is near enough."""


def rate_with(
    penalty: float,
    pairs: Sequence[CompressionPair],
    held_out: Sequence[CompressionPair],
    how: Mapping[str, Any],
) -> HeldOut:
    """A model trained with this penalty, on pairs that it has not seen."""
    settings = {**how, "penalty": float(penalty)}
    return on_held_out(
        train("cohn-lapata-2009", pairs, progress=False, **settings), held_out, how.get("engine")
    )


def _judge(answer: Any, **given: Any) -> str:
    if not is_number(answer) or not 0 <= answer <= MOST:
        raise Wrong(f"A penalty from 0 to {MOST:g} is wanted, not {answer!r}.")
    wanted, scores = gold_rate(given["held_out"]), rate_with(answer, **given)
    if abs(scores.rate - wanted) > NEAR:
        longer = "longer" if scores.rate < wanted else "shorter"
        raise Wrong(
            f"With {float(answer):g} the rate is {scores.rate:.1%}; the references have "
            f"{wanted:.1%}. Outputs should be {longer}."
        )
    return (
        f"A rate of {scores.rate:.1%}, the references have {wanted:.1%}; relation F1 is "
        f"{scores.relation_f1:.1%}."
    )


def _solve(**given: Any) -> str:
    wanted = gold_rate(given["held_out"])
    for penalty in TRIED:
        if abs(rate_with(penalty, **given).rate - wanted) <= NEAR:
            return f"{penalty:g}: {_judge(penalty, **given)}"
    return f"None of {TRIED} is near enough with these pairs; try numbers between them."


EXERCISES = (
    Exercise(
        "41.5",
        "A length penalty that gives the references' rate.",
        (
            "A smaller penalty makes shorter outputs cheaper. Nobody says that it has to be below "
            "1; the paper wanted shorter outputs.",
            "Train with 1 and with 2, look at the rates, and go to the middle, as one looks up a "
            "word in a dictionary.",
            "A loop: for penalty in (1, 1.25, 1.5, 2): print(penalty, on_held_out(learned(**how, "
            "penalty=penalty), held_out).rate).",
        ),
        _judge,
        _solve,
        needs=("pairs", "held_out", "how"),
    ),
)
