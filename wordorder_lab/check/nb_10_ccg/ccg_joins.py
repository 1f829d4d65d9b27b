r"""Exercise 10.1: which rule joins two edges of the search by hand, and if none does, why not?"""

from __future__ import annotations

from functools import cache
from typing import Any

from wordorder_lab.best_first.edge import Edge
from wordorder_lab.check.common.exercise import Exercise, Wrong
from wordorder_lab.check.common.moments import Moment, when_charted
from wordorder_lab.check.nb_10_ccg.ccg_by_hand import OnPaper, search_by_hand
from wordorder_lab.trace.log import EventLog

NO_RULE, SAME_WORD = "no rule", "same word"
SIGNS = (">", "<", ">B", "<B", "<B×", ">T", "<T")

PAIRS = ((1, 4), (3, 1), (5, 3), (11, 1), (10, 6), (8, 1), (8, 2), (3, 4))
"""Pairs of edges by their numbers, the left one first."""


@cache
def finished() -> tuple[OnPaper, dict[int, Edge]]:
    """The search of section 2 at its end, and its edges by number."""
    search = search_by_hand(trace=EventLog())
    search.run()
    return search, {edge.serial: edge for edge in search.made}


def pairs_asked() -> list[dict[str, Any]]:
    """The pairs as rows of a table."""
    search, edges = finished()
    sides = [[f"{serial}: {search.told(edges[serial])}" for serial in pair] for pair in PAIRS]
    return [{"left": left, "right": right} for left, right in sides]


def joins_asked() -> list[str]:
    """The sign of the rule that joins each pair, or why there is none."""
    search, edges = finished()
    return [_join(search, edges[left], edges[right]) for left, right in PAIRS]


def _join(search: OnPaper, left: Edge, right: Edge) -> str:
    if not search.can_combine(left.counts, right.counts):
        return SAME_WORD
    rules = search.rules.binary_of(left, right)
    return rules[0].action.split()[0] if rules else NO_RULE


def both_there(pair: tuple[int, int], title: str) -> Moment:
    """Where both edges of a pair are in the chart; the end if one of them never is."""
    log = finished()[0].trace
    assert isinstance(log, EventLog)
    return Moment(log, when_charted(log, pair), title, "chart")


def _judge_joins(answer: Any) -> str:
    there = (*SIGNS, NO_RULE, SAME_WORD)
    if not isinstance(answer, tuple | list) or len(answer) != len(PAIRS):
        raise Wrong(f"A list of {len(PAIRS)} answers is wanted, one a pair.")
    rows = zip(answer, joins_asked(), pairs_asked(), PAIRS, strict=True)
    for yours, right, row, pair in rows:
        if yours not in there:
            raise Wrong(f"{yours!r} is none of {', '.join(map(repr, there))}.")
        if yours != right:
            said = f"{row['left']}, then {row['right']}"
            raise Wrong(f"{said}: it is not {yours!r}.", both_there(pair, f"{said}?"))
    return "The words must be there, and the rule must be on the list. Nobody asks for more."


def _solve_joins() -> str:
    return (
        f"{joins_asked()}. In the last but one, application would give a sentence; but nobody has "
        "seen S/NP followed by NP, so the grammar does not know it."
    )


EXERCISES = (
    Exercise(
        "10.1",
        "Which rule joins two edges, and if none does, why not?",
        (
            "First look at the words: each of the three is in the bag once.",
            "Then look for the two categories, in this order, in the list of five rules.",
            "What the list does not have is no rule, however well the categories would fit.",
        ),
        _judge_joins,
        _solve_joins,
    ),
)
