"""Exercise 31.4: the first goal that a best-first search pops need not be the best one.

A small search over three words whose order is fixed: three leaves, two pairs, and two goals, one of
either pair. As in Zhang and Clark (2015) the agenda is ranked by the score divided by the actions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from wordorder_lab.check.common.exercise import Exercise, Wrong, numbers_of

PARTS: dict[str, tuple[str, ...]] = {
    "a": (),
    "b": (),
    "c": (),
    "ab": ("a", "b"),
    "bc": ("b", "c"),
    "(ab)c": ("ab", "c"),
    "a(bc)": ("a", "bc"),
}
"""The edges, and what each is made of; the last two are goals."""
GOALS = ("(ab)c", "a(bc)")


class Pop(NamedTuple):
    """An edge that was popped, its score and its score a action."""

    edge: str
    score: float
    scaled: float


def actions_of(edge: str) -> int:
    """A leaf is one action, and so is each join."""
    return 1 + sum(actions_of(part) for part in PARTS[edge])


def total_of(edge: str, own: Mapping[str, float]) -> float:
    """What an edge adds, and all that its parts have."""
    total = own[edge]
    for part in PARTS[edge]:
        total += total_of(part, own)
    return total


def pops_of(own: Mapping[str, float]) -> list[Pop]:
    """The search, pop by pop, up to the first goal; of equal edges the one made first."""
    agenda, chart, pops = ["a", "b", "c"], set(), []
    while True:
        ranked = [(total_of(edge, own) / actions_of(edge), edge) for edge in agenda]
        scaled, edge = max(ranked, key=lambda one: one[0])
        agenda.remove(edge)
        chart.add(edge)
        pops.append(Pop(edge, total_of(edge, own), scaled))
        if edge in GOALS:
            return pops
        agenda += [made for made, parts in PARTS.items() if edge in parts and chart >= {*parts}]


def _judge_popped(answer: Any) -> str:
    own = _own(answer)
    pops = pops_of(own)
    first = pops[-1]
    (other,) = [goal for goal in GOALS if goal != first.edge]
    told = ", ".join(f"{pop.edge} {pop.scaled:.3g}" for pop in pops)
    if total_of(other, own) <= first.score:
        raise Wrong(
            f"The pops are {told}. The goal {first.edge} has {first.score:g}, and {other} would "
            f"have {total_of(other, own):g}: the first one is no worse."
        )
    return f"The pops are {told}; {other} would have had {total_of(other, own):g}."


def _own(answer: Any) -> dict[str, float]:
    if not isinstance(answer, Mapping) or set(answer) != set(PARTS):
        raise Wrong(f"Hand in a dictionary with a number for each of {', '.join(PARTS)}.")
    return numbers_of(answer, PARTS)


def _solve_popped() -> str:
    return (
        f"{a_late_goal()}\n"
        "The pair bc is poor, so it waits in the agenda. The goal made of it would be the best, "
        "but nobody sees that before the pair is popped, and (ab)c is popped first."
    )


def a_late_goal() -> dict[str, float]:
    """One answer of many."""
    return {"a": 1.0, "b": 1.0, "c": 1.0, "ab": 0.0, "bc": -5.0, "(ab)c": 0.0, "a(bc)": 20.0}


EXERCISES = (
    Exercise(
        "31.4",
        "Give seven edges scores such that the first goal that is popped is not the best.",
        (
            "The agenda ranks what is there. Which goal is not there yet when the first is popped?",
            "Its pair waits in the agenda: what does that say about the pair's score?",
            "Make bc poor and a(bc) rich, so rich that the goal as a whole is ahead.",
        ),
        _judge_popped,
        _solve_popped,
    ),
)
