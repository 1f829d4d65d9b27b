"""The board of constraints: one sentence, and every choice of constraints solved beforehand.

A page with a check box for each family of constraints. What each choice keeps is in the page; which
rows the words that are kept would break, the page reckons itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from wordorder_lab.structures.messages import cited
from wordorder_lab.widgets.module import BOARD
from wordorder_lab.widgets.page import OnPage

MOST_FAMILIES = 8
"""n families are switched in 2^n ways, each of which is solved."""


class Row(Protocol):
    """A row of a programme: lower <= sum of coefficients[i] kept(indices[i]) <= upper."""

    @property
    def name(self) -> str:
        """Its family."""

    @property
    def says(self) -> str:
        """What it demands, in plain words."""

    @property
    def indices(self) -> Sequence[int]:
        """The words it is about, from 0."""

    @property
    def coefficients(self) -> Sequence[float]:
        """How often each of them counts."""

    @property
    def lower(self) -> float:
        """The least its sum may be; minus infinity: no bound."""

    @property
    def upper(self) -> float:
        """The most its sum may be; infinity: no bound."""


class Solved(NamedTuple):
    """What a programme keeps, places of words from 0, and its value."""

    kept: Sequence[int]
    score: float


Solve = Callable[[Sequence[str]], Solved]
"""The programme under these families of constraints."""


class Board(OnPage):
    """A board: an iframe in a notebook, or a page of its own by ``to_html``.

    ``rows`` are all rows there are for the words; ``solve`` is called for each choice of their
    families, unless what fewer of them gave obeys all of it already, and so is the best here, too.
    Raises ``ValueError`` for no words, and for too many families.
    """

    entry = BOARD

    def __init__(
        self, words: Sequence[str], rows: Sequence[Row], solve: Solve, title: str | None = None
    ) -> None:
        self.words = [*words]
        self.rows = [*rows]
        self.families = list(dict.fromkeys(row.name for row in self.rows))
        if not self.words:
            raise ValueError("a board is about a sentence: it has one word at least")
        if len(self.families) > MOST_FAMILIES:
            raise ValueError(
                f"{len(self.families)} families can be switched in too many ways: choose at most "
                f"{MOST_FAMILIES} of {', '.join(self.families)}"
            )
        self.title = title or f"Constraints: {' '.join(self.words[:12])}"
        self.solved = self._solve_all(solve)

    def _solve_all(self, solve: Solve) -> list[Solved]:
        """One solution for each choice; bit i of its place says that family i is switched on."""
        solved: list[Solved] = []
        for choice in range(2 ** len(self.families)):
            names = [name for i, name in enumerate(self.families) if choice >> i & 1]
            rows = [row for row in self.rows if row.name in names]
            fewer = [choice & ~(1 << i) for i in range(len(self.families)) if choice >> i & 1]
            good = (one for one in fewer if all(obeys(row, solved[one].kept) for row in rows))
            if (found := next(good, None)) is not None:
                solved.append(solved[found])
            else:
                answer = solve(names)
                solved.append(Solved([int(i) for i in answer.kept], float(answer.score)))
        return solved

    def kept(self, *names: str) -> tuple[str, ...]:
        """The words that stay under these families. Raises ``ValueError`` for one it has not."""
        unknown = [name for name in names if name not in self.families]
        if unknown:
            have = ", ".join(self.families) or "none"
            raise ValueError(f"no family {cited(unknown[0])} here; there are {have}")
        choice = sum(1 << i for i, name in enumerate(self.families) if name in names)
        return tuple(self.words[i] for i in self.solved[choice].kept)

    def contents(self) -> dict[str, object]:
        """The board as plain data."""
        bound = {math.inf: None, -math.inf: None}
        rows = [
            {
                "family": self.families.index(row.name),
                "says": row.says,
                "words": [int(i) for i in row.indices],
                "times": [float(one) for one in row.coefficients],
                "lower": bound.get(row.lower, row.lower),
                "upper": bound.get(row.upper, row.upper),
            }
            for row in self.rows
        ]
        solved = [[list(kept), score] for kept, score in self.solved]
        return {"words": self.words, "families": self.families, "rows": rows, "solved": solved}


def obeys(row: Row, kept: Sequence[int]) -> bool:
    """Whether these kept words obey a row."""
    there, value = {*kept}, 0.0
    for index, coefficient in zip(row.indices, row.coefficients, strict=True):
        value += coefficient if index in there else 0.0
    return row.lower - 1e-9 <= value <= row.upper + 1e-9
