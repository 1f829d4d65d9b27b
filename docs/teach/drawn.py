"""Questions that are drawn by a seed and answered by an engine: for the exam and for the sheets.

A kind of question has axes: words, weights, shapes. A point on all of them is one question. The
points are numbered, neighbours far apart, and a seed takes the points ``seed``, ``seed + SEEDS``,
``seed + 2 · SEEDS`` ..., until one makes a good question (no ties, no beam that loses nothing). So
two seeds never share a question, and what a question is worth stands in its kind.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

SEEDS = 1000
"""Seeds are 0 to ``SEEDS - 1``: so many exams have no question in common."""


class Item(NamedTuple):
    """What is asked, a form to write in, the key (all Markdown), and points with what earns them.

    ``form`` is the key's table with nothing in it, or empty where an answer is a line of text.
    """

    asks: str
    key: str
    rubric: tuple[tuple[int, str], ...]
    form: str = ""


Make = Callable[..., Item | None]


class Kind(NamedTuple):
    """A kind of question: its weight, its minutes on paper, and what makes one of it."""

    name: str
    session: int
    points: int
    minutes: int
    axes: tuple[Sequence[Any], ...]
    make: Make

    @property
    def size(self) -> int:
        """How many points there are."""
        return math.prod(map(len, self.axes))

    def at(self, number: int) -> list[Any]:
        """The values of a point. Each number below ``size`` has one of its own."""
        step = int(self.size * 0.618)
        while math.gcd(step, self.size) != 1:
            step += 1
        left, values = number * step % self.size, []
        for axis in self.axes:
            left, place = divmod(left, len(axis))
            values.append(axis[place])
        return values


KINDS: dict[str, Kind] = {}
"""By the name of the function that makes one."""


def kind(
    name: str, session: int, points: int, minutes: int, *axes: Sequence[Any]
) -> Callable[[Make], Make]:
    """Enter a function as a kind of question. It takes a value of each axis; ``None`` is no good
    question."""

    def entered(make: Make) -> Make:
        KINDS[make.__name__] = Kind(name, session, points, minutes, axes, make)
        return make

    return entered


def drawn(name: str, seed: int) -> Item:
    """The question of a kind for a seed. Raises ``ValueError`` for a seed that there is not."""
    if not 0 <= seed < SEEDS:
        raise ValueError(f"a seed is a number from 0 to {SEEDS - 1}, not {seed}")
    one = KINDS[name]
    points = (one.at(number) for number in range(seed, one.size, SEEDS))
    item = next((item for values in points if (item := one.make(*values))), None)
    if item is None:
        raise ValueError(f"seed {seed} has no good question of the kind {name!r}: take another one")
    return item


# --- Markdown -------------------------------------------------------------------------------------


def table(rows: Sequence[Mapping[str, Any]], names: Sequence[str] | None = None) -> str:
    """Rows as a table of Markdown; bars inside a cell do not end it."""
    names = [*(names or rows[0])]
    cells = [[str(row.get(name, "")).replace("|", "\\|") for name in names] for row in rows]
    lines = [names, ["---"] * len(names), *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def blank(rows: Sequence[Mapping[str, Any]], *given: str) -> str:
    """The same table to write in: only the columns ``given`` keep what stands in them."""
    return table([{name: row[name] if name in given else "" for name in row} for row in rows])


def no_tie(values: Sequence[float], kept: int = 1) -> bool:
    """Whether the best ``kept`` of these numbers are no matter of which was made first."""
    ranked = sorted(values, reverse=True)[: kept + 1]
    return all(better - worse > 1e-9 for better, worse in pairwise(ranked))
