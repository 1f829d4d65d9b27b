"""Notebook 33, exploring errors: whose fault an error is, risk step by step, two tests by hand."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from wordorder_lab.check.judges import Case, Number, Numbers, OneOf, exercise

RIGHT, SEARCH, MODEL, OPEN = "right", "search error", "model error", "cannot be told"
VERDICTS = (RIGHT, SEARCH, MODEL, OPEN)


class Row(NamedTuple):
    """A search as an explorer's frame has it."""

    exact: bool
    score: float
    gold_score: float | None
    fate: str


SEARCHES = (
    Row(False, 9.0, 11.5, "cut"),
    Row(False, 14.2, 13.9, "cut"),
    Row(True, 12.5, 12.5, "won"),
    Row(False, 8.0, 7.5, "outscored"),
    Row(False, 21.3, None, "cut"),
    Row(True, 10.4, 10.1, "outscored"),
)


def verdict_on(search: Row) -> str:
    """One of ``VERDICTS``."""
    if search.exact:
        return RIGHT
    if search.gold_score is None:
        return OPEN
    return SEARCH if search.gold_score > search.score else MODEL


def _in_words(search: Row) -> str:
    return ", ".join(f"{name} {value}" for name, value in search._asdict().items())


_ROWS = [Case(f"Row {n} ({_in_words(one)})", verdict_on(one)) for n, one in enumerate(SEARCHES)]


@exercise("33.1", _ROWS, OneOf(VERDICTS))
def faults() -> list[str]:
    """Say of six searches whether they are right, a search error, a model error, or open.

    - Look at exact first: what is right is no error, whatever happened to gold.
    - Then compare the two scores. Which of the two sentences does the model like better?
    - A cut says when gold went, not whose fault it was. And what has no score cannot be compared.

    0. Gold scores more than the output, so the model would have chosen it: the beam cut it.
    1. The row to remember: gold was cut, but a search that kept it would still have put this output
       before it.
    2. The output is the sentence.
    3. Gold was there at the end, and the model likes another sentence better.
    4. Nobody knows what gold scores, since the search never made it whole.
    5. Every word is in its place; only the tree is another one.

    Right: And row 1 is why it is not enough to see that gold was cut.
    """
    return ["search error", "model error", "right", "model error", "cannot be told", "right"]


def _searches() -> Iterator[Case]:
    rng = random.Random(33)
    searches: list[tuple[list[int | None], list[int]]] = [
        ([1, None], [3, 3]),
        ([2, 2, None, 4], [5, 3, 3, 5]),
        ([None, None], [2, 4]),
        ([1, 1], [3, 5]),
    ]
    for _ in range(100):
        steps = [2 * rng.randint(2, 6) - 1 for _ in range(rng.randint(1, 8))]
        searches.append(([rng.choice([None, *range(1, last + 1)]) for last in steps], steps))
    for lost, steps in searches:
        yield Case(f"For lost = {lost} and steps = {steps}", risk(lost, steps), (lost, steps))


RISKS = Numbers(
    "a list of numbers, one a step,",
    lambda place: f"the risk of step {place + 1}",
    divides="Where none has gold any more, say 0.",
)


@exercise("33.2", _searches, RISKS)
def risk(lost: list[int | None], steps: list[int]) -> list[float]:
    """Write the risk of losing gold at each step, of the searches that still have it.

    - Two counts a step: who loses gold there, and who could have.
    - Who could have: the search still runs (steps), and gold was not lost before.
    - There are as many numbers as the longest search has steps; where nobody has gold any more the
      risk is 0.

    A search counts below the line as long as it runs and gold is there. For `fresh` of the
    notebook: `risk([None if fate != "cut" else step for fate, step in ...], 2 * n - 1)`; step 3 is
    the worst.

    Right: The same risks for {count} sets of searches.
    """
    shares = []
    for step in range(1, max(steps) + 1):
        still = [at for at, last in zip(lost, steps) if last >= step and (at is None or at >= step)]
        shares.append(still.count(step) / len(still) if still else 0)
    return shares


def _samples() -> Iterator[Case]:
    """Whole numbers, whose sums are exact in whatever order they are made."""
    samples = [[5], [3, 3, 3], [0, 4, -4], [-9, -2, -6, -1], [1, 2, 3, 4, 5]]
    rng = random.Random(33)
    samples += [[rng.randint(-20, 40) for _ in range(rng.randint(1, 8))] for _ in range(60)]
    for differences in samples:
        ways = product((1, -1), repeat=len(differences))
        sums = [sum(s * d for s, d in zip(way, differences)) for way in ways]
        seen, n = sum(differences), len(sums)
        beyond = sum(abs(each) > abs(seen) for each in sums) / n
        one_sided = sum(each >= seen for each in sums) / n
        but_for = "What is just as far from 0 counts, too: the signs as they were seen among it."
        mistakes = (beyond, but_for), (one_sided, "Far from 0 on the other side is far, too.")
        yield Case(f"For {differences}", p_value([*differences]), (differences,), mistakes)


@exercise("33.3", _samples, Number())
def p_value(differences: list[float]) -> float:
    """Write a permutation test of paired differences: flip their signs in all ways.

    - If there is no difference between the systems, their names might be exchanged for each
      sentence: the sign of its difference flips.
    - product([1, -1], repeat=n) gives all 2 ** n ways. Make the sum for each.
    - p is the share of ways whose sum is at least as far from 0 as the one that was seen, to either
      side. The one that was seen is among them.

    If both systems were the same, each difference could as well have had the other sign. The signs
    as they were seen are one of the ways, so p is never 0.

    Right: The same p for {count} samples: an exact test, without any table.
    """
    seen = abs(sum(differences))
    ways = list(product([1, -1], repeat=len(differences)))
    sums = [abs(sum(s * d for s, d in zip(way, differences))) for way in ways]
    return sum(size >= seen for size in sums) / len(ways)


TWENTY = [
    Case("How many come out below 0.05", 1.0),
    Case("The chance of at least one", 1 - 0.95**20),
    Case("The level", 0.05 / 20),
]


@exercise("33.4", TWENTY, Number(share=0.01))
def looks() -> tuple[float, float, float]:
    """Twenty hypotheses that are all false, each tested at 0.05: what happens?

    - Each comes out with a chance of 0.05. How many of twenty, on average?
    - At least one: that is everything but none at all. None: 0.95 times itself, and so on.
    - For all twenty together to stay at 0.05, each gets its share of it.

    One of twenty, by chance alone; and of three such series nearly two have at least one. 0.05 / 20
    is the level after Bonferroni: with it the chance of any false alarm is at most 0.05.

    Right: So one of twenty guesses comes out, whatever the systems do: say how many you made.
    """
    return (20 * 0.05, 1 - 0.95**20, 0.05 / 20)
