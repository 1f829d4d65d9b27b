"""Exercise 90.4: which rows of a table stand in another order than in the paper."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of

Rows = Sequence[tuple[float, float]]


def reversed_pairs(rows: Rows) -> list[tuple[int, int]]:
    """Pairs of places whose order in the paper is the contrary of that in ours."""
    return [
        (i, j)
        for i, j in combinations(range(len(rows)), 2)
        if (rows[i][0] - rows[j][0]) * (rows[i][1] - rows[j][1]) < 0
    ]


def cases() -> Iterator[list[tuple[float, float]]]:
    """Tables of a paper's values and ours: by hand, then some at random with a few that tie."""
    yield from ([(40.0, 33.0), (42.0, 35.0)], [(40.0, 35.0), (42.0, 33.0)], [(40.0, 33.0)])
    yield from ([(40.0, 33.0), (40.0, 35.0)], [(40.0, 33.0), (42.0, 33.0)], [])
    chance = random.Random(90)
    for _ in range(30):
        size = chance.randint(3, 6)
        yield [(chance.randint(1, 6) + 0.5, chance.randint(1, 6) + 0.5) for _ in range(size)]


def _judge(answer: Any) -> str:
    own = function_of(answer, "reversed_pairs")
    for rows in cases():
        yours, right = own([*rows]), reversed_pairs(rows)
        if not isinstance(yours, list | tuple | set):
            raise Wrong(f"For {rows} you gave {yours!r}: a list of pairs is wanted.")
        mine = {tuple(pair) if isinstance(pair, list | tuple) else pair for pair in yours}
        if missing := [pair for pair in right if pair not in mine]:
            raise Wrong(f"Of {rows} the rows {missing[0]} stand the other way round.")
        if more := mine - set(right):
            raise Wrong(f"Of {rows} you name {min(more, key=str)}, which {_why(rows)}.")
    return "The report page tells them below each table, and says whether our intervals overlap."


def _why(rows: Rows) -> str:
    return f"is no such pair (i < j, both below {len(rows)}, and no tie)"


def _solve() -> str:
    return (
        "def reversed_pairs(rows):\n"
        "    return [(i, j) for i in range(len(rows)) for j in range(i + 1, len(rows))\n"
        "            if (rows[i][0] - rows[j][0]) * (rows[i][1] - rows[j][1]) < 0]"
    )


EXERCISES = (
    Exercise(
        "90.4",
        "Find the rows that stand in another order than in the paper.",
        (
            "Go through all pairs of places, the smaller one first.",
            "In the paper one is above the other: is it above in ours, too?",
            "The two differences have contrary signs if their product is below 0.",
        ),
        _judge,
        _solve,
    ),
)
