"""Exercise 50.6: when did which form come off the agenda?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, is_number
from wordorder_lab.structures.trace import Events
from wordorder_lab.trace.folds import search as books

FORM = "a"
ASKED = ("the first edge", "the first goal")


def first_pops(log: Events, form: str) -> tuple[int, int]:
    """The pops, from 1, of the first edge and the first goal with this form; 0: there is none."""
    state = books.start()
    edge = goal = 0
    for event in log:
        books.apply(state, event)
        if event[0] in ("popped", "goal"):
            words = [word for word, *_ in books.words_of(state, event[1])[0]]
            pop = len(state["pops"])
            if form in words:
                edge = edge or pop
                goal = goal or (pop if event[0] == "goal" else 0)
    return edge, goal


def _judge(answer: Any, log: Events) -> str:
    if isinstance(answer, str) or not isinstance(answer, Sequence) or len(answer) != len(ASKED):
        raise Wrong("Two numbers are wanted: " + " and ".join(ASKED) + f" with {FORM!r} in it.")
    for yours, right, what in zip(answer, first_pops(log, FORM), ASKED, strict=True):
        if not is_number(yours, whole=True):
            raise Wrong(f"{what}: the number of a pop is wanted, not {yours!r}.")
        if yours != right:
            raise Wrong(f"{what} with {FORM!r} in it was not popped at {yours}.")
    return "Up to its goal the two forms stood side by side on one agenda: that is joint search."


def _solve(log: Events) -> str:
    return repr(list(first_pops(log, FORM)))


EXERCISES = (
    Exercise(
        "50.6",
        "When was a popped?",
        (
            "Go back to the beginning of the player, and watch the line below the sentence: how "
            "many pops has each form had?",
            "Step forward until the line says 1 pop for a. The toolbar has the number of the pop.",
            "Goals have stars on the timeline; go from star to star, and read the words.",
        ),
        _judge,
        _solve,
        needs=("log",),
    ),
)
