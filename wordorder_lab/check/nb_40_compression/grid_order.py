"""Exercise 40.4: cube pruning by hand: in which order are combinations taken?

Two rules match: one with two variables, one with one. The numbers are ours; what is right is what
the decoder's own queue says.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import count
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong
from wordorder_lab.check.common.moments import Moment
from wordorder_lab.trace.log import EventLog
from wordorder_lab.transduction.cube_pruning import Combination, Grid, Ranks, best_first

ROWS = (-1.0, -2.5, -3.0)
"""What the items for variable 1 of the first rule seem to be worth, best first."""

COLUMNS = (-2.0, -2.25, -4.5)
"""The same for its variable 2."""

ALONE = (-0.5, -1.4, -3.5)
"""The same for the only variable of the second rule."""

SCORES = (0.0, -3.25)
"""The scores of the two rules."""

TAKEN = 7
"""So many combinations are asked for."""


def heuristic(rule: int, ranks: Ranks) -> float:
    """What a combination seems to be worth: the rule, and the items chosen."""
    if rule == 0:
        return SCORES[0] + ROWS[ranks[0]] + COLUMNS[ranks[1]]
    return SCORES[1] + ALONE[ranks[0]]


def taken() -> list[Combination]:
    """The first combinations, in the order in which cube pruning takes them."""
    grids = [Grid(0, (len(ROWS), len(COLUMNS))), Grid(1, (len(ALONE),))]
    combinations = best_first(grids, heuristic)
    return [next(combinations) for _ in range(TAKEN)]


def grid_asked() -> list[dict[str, str]]:
    """The numbers of the exercise as rows of a table."""
    sides = (("rule 1, variable 1", ROWS), ("rule 1, variable 2", COLUMNS), ("rule 2", ALONE))
    names = [f"item {rank}" for rank in range(len(ROWS))]
    return [
        {"items for": side, **{name: f"{value:g}" for name, value in zip(names, values)}}
        for side, values in sides
    ]


LEAVES = (("X", ROWS), ("Y", COLUMNS), ("Z", ALONE))
"""The parts of the sentence that is played: each becomes one of three words."""


@cache
def played() -> EventLog:
    """The last cell of such a search, with cells below it that have just these items."""
    log = EventLog()
    words = [label.lower() for label, _ in LEAVES]
    log.begin(words, [1, 1, 1], 3 * len(ROWS) + 2, TAKEN)
    log.source([*(label for label, _ in LEAVES), "S"], [3, 3, 3, -1], [*words, ""])
    pairs = [(node, label, values) for node, (label, values) in enumerate(LEAVES)]
    numbers = count()
    for node, label, values in pairs:
        for rank, value in enumerate(values, 1):
            rule = f"<{label}, {label}> -> <[{label} {words[node]}], [{label} {words[node]}{rank}]>"
            log.application(next(numbers), node, label, rule, "extracted", [], [], value)
    for rule, children, gone, score in (
        ("<S, S> -> <[S X_1 Y_2 Z_eps], [S X_1 Y_2]>", [0, 1], [2], SCORES[0]),
        ("<S, S> -> <[S X_eps Y_eps Z_1], [S Z_1]>", [2], [0, 1], SCORES[1]),
    ):
        log.application(next(numbers), 3, "S", rule, "extracted", children, gone, score)
    for node, label, values in pairs:
        log.cell(node, node, label)
        items = [len(values) * node + rank for rank in range(1, len(values) + 1)]
        for item, value in zip(items, values):
            log.combined(item, item - 1, [], value, value, 0.0, 0.0, item, "new")
        log.filled(node, items)
    log.cell(3, 3, "S")
    below = 3 * len(ROWS)
    for item, made in enumerate(taken(), below + 1):
        ranks, worth = [*made.ranks], made.heuristic
        log.combined(item, below + made.application, ranks, worth, worth, 0.0, 0.0, item, "new")
    log.filled(3, [below + place for place in range(1, TAKEN + 1)])
    return log


def before_it_is_taken(place: int) -> Moment:
    """The search before the combination of this place, from 1: what waits at the border?"""
    log = played()
    at = len(log) - 1 - TAKEN + place - 1
    return Moment(log, at, f"Which combination is number {place}?", "transduction")


def _judge(answer: Any) -> str:
    if isinstance(answer, str) or not isinstance(answer, Sequence) or len(answer) != TAKEN:
        raise Wrong(f"A list of {TAKEN} answers is wanted.")
    for place, (given, right) in enumerate(zip(answer, taken(), strict=True), 1):
        yours = _ranks(given)
        if yours != right.ranks:
            worth = heuristic(0 if len(yours) == 2 else 1, yours)
            why = f"it seems to be worth {worth:g}, and there is something with {right.heuristic:g}"
            if yours in [before.ranks for before in taken()[: place - 1]]:
                why = "it has been taken already"
            raise Wrong(f"Number {place}, {given!r}: {why}.", before_it_is_taken(place))
    seen = len(ROWS) * len(COLUMNS) + len(ALONE)
    return f"{TAKEN} of {seen} combinations, and no other was looked at but their neighbours."


def _ranks(answer: Any) -> Ranks:
    """An answer such as (0, 1), (2,) or 2 as places in a grid."""
    places = (answer,) if isinstance(answer, int) else answer
    if not isinstance(places, Sequence) or len(places) not in (1, 2) or isinstance(places, str):
        raise Wrong(
            f"(0, 1) is a combination of rule 1, (0,) one of rule 2; {answer!r} is neither."
        )
    if any(not isinstance(rank, int) or not 0 <= rank < len(ROWS) for rank in places):
        raise Wrong(f"Items have the numbers 0 to {len(ROWS) - 1}: {answer!r} has others.")
    return tuple(places)


def _solve() -> str:
    worths = [f"{combination.ranks} {combination.heuristic:g}" for combination in taken()]
    return f"{[combination.ranks for combination in taken()]}: {', '.join(worths)}."


EXERCISES = (
    Exercise(
        "40.4",
        "In which order does cube pruning take these combinations?",
        (
            "Both rules are in one queue. At first it has the best corner of each: (0, 0) and "
            "(0,). What are they worth?",
            "When a combination is taken, its neighbours come into the queue: one step on in one "
            "of the dimensions. Everything else is not even looked at.",
            "Write the nine sums of rule 1 down, and the three of rule 2. Since items are sorted, "
            "the order is that of the sums.",
        ),
        _judge,
        _solve,
    ),
)
