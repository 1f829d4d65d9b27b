"""Exercises 33.1 to 33.4: whose fault an error is, risk step by step, and two tests by hand."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of, is_number

# --- 33.1: whose fault is it? ---------------------------------------------------------------------

RIGHT, SEARCH, MODEL, OPEN = "right", "search error", "model error", "cannot be told"
VERDICTS = (RIGHT, SEARCH, MODEL, OPEN)

SEARCHES: tuple[dict[str, Any], ...] = (
    {"exact": False, "score": 9.0, "gold_score": 11.5, "fate": "cut"},
    {"exact": False, "score": 14.2, "gold_score": 13.9, "fate": "cut"},
    {"exact": True, "score": 12.5, "gold_score": 12.5, "fate": "won"},
    {"exact": False, "score": 8.0, "gold_score": 7.5, "fate": "outscored"},
    {"exact": False, "score": 21.3, "gold_score": None, "fate": "cut"},
    {"exact": True, "score": 10.4, "gold_score": 10.1, "fate": "outscored"},
)
"""Rows as an explorer's frame has them: the searches that exercise 33.1 asks about."""
REASONS = (
    "gold scores more than the output, so the model would have chosen it: the beam cut it",
    "gold was cut, but a search that kept it would still have put this output before it",
    "the output is the sentence",
    "gold was there at the end, and the model likes another sentence better",
    "nobody knows what gold scores, since the search never made it whole",
    "every word is in its place; only the tree is another one",
)
"""Why each of them is what it is."""


def verdict_on(search: dict[str, Any]) -> str:
    """One of ``VERDICTS`` on a row of an explorer's frame."""
    if search["exact"]:
        return RIGHT
    if search["gold_score"] is None:
        return OPEN
    return SEARCH if search["gold_score"] > search["score"] else MODEL


def _judge_faults(answer: Any) -> str:
    if not isinstance(answer, tuple | list) or len(answer) != len(SEARCHES):
        raise Wrong(f"Hand in a list of {len(SEARCHES)} strings, one a row.")
    for row, (yours, search) in enumerate(zip(answer, SEARCHES, strict=True)):
        if yours not in VERDICTS:
            raise Wrong(f"{yours!r} is none of {', '.join(VERDICTS)}.")
        if yours != verdict_on(search):
            raise Wrong(f"Row {row} is no case of {yours!r}. Its row says: {_told(search)}.")
    return "And row 1 is why it is not enough to see that gold was cut."


def _told(search: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in search.items())


def _solve_faults() -> str:
    lines = [
        f"row {row}: {verdict_on(search)}; {reason}"
        for row, (search, reason) in enumerate(zip(SEARCHES, REASONS, strict=True))
    ]
    return "\n".join(lines)


# --- 33.2: risk, step by step ---------------------------------------------------------------------

Searches = tuple[list[int | None], list[int]]
"""At which step gold was lost, ``None`` where it never was, and how many steps there were."""


def risk_by_step(lost: Sequence[int | None], steps: Sequence[int]) -> list[float]:
    """For each step the share of the searches that still had gold which lost it there."""
    shares = []
    for step in range(1, max(steps, default=0) + 1):
        pairs = zip(lost, steps, strict=True)
        still = [at for at, last in pairs if last >= step and (at is None or at >= step)]
        shares.append(still.count(step) / len(still) if still else 0.0)
    return shares


@cache
def _searches() -> tuple[Searches, ...]:
    chance = random.Random(33)
    cases: list[Searches] = [
        ([1, None], [3, 3]),
        ([2, 2, None, 4], [5, 3, 3, 5]),
        ([None, None], [2, 4]),
        ([1, 1], [3, 5]),
    ]
    for _ in range(100):
        steps = [2 * chance.randint(2, 6) - 1 for _ in range(chance.randint(1, 8))]
        lost = [chance.choice([None, *range(1, last + 1)]) for last in steps]
        cases.append((lost, steps))
    return tuple(cases)


def _judge_risk(answer: Any) -> str:
    risk = function_of(answer, "risk")
    for lost, steps in _searches():
        where = f"For lost = {lost} and steps = {steps}"
        wanted = risk_by_step(lost, steps)
        try:
            yours = risk([*lost], [*steps])
        except ZeroDivisionError:
            raise Wrong(
                f"{where} you divide by zero. Where none has gold any more, say 0."
            ) from None
        yours = yours.tolist() if hasattr(yours, "tolist") else yours  # an array
        if not isinstance(yours, tuple | list) or not all(map(is_number, yours)):
            raise Wrong("A list of numbers is wanted, one a step.")
        if len(yours) != len(wanted):
            raise Wrong(
                f"{where} there are {len(wanted)} steps, and you give {len(yours)} numbers."
            )
        for step, (share, right) in enumerate(zip(yours, wanted, strict=True), 1):
            if abs(share - right) > 1e-9:
                raise Wrong(f"{where} the risk of step {step} is {right:.3g}, not {share:.3g}.")
    return f"The same risks for {len(_searches())} sets of searches."


def _solve_risk() -> str:
    return (
        "def risk(lost, steps):\n"
        "    shares = []\n"
        "    for step in range(1, max(steps) + 1):\n"
        "        still = [at for at, last in zip(lost, steps)\n"
        "                 if last >= step and (at is None or at >= step)]\n"
        "        shares.append(still.count(step) / len(still) if still else 0)\n"
        "    return shares\n"
        "A search counts below the line as long as it runs and gold is there."
    )


# --- 33.3: a permutation test ---------------------------------------------------------------------

MOST = 8
"""Differences that are handed in at most: 2 ** 8 ways to set their signs."""


def sign_flip(differences: Sequence[float]) -> float:
    """The share of all ways to set the signs with a sum at least as far from 0."""
    sums = _sums(differences)
    return sum(abs(each) >= abs(sum(differences)) for each in sums) / len(sums)


def _sums(differences: Sequence[float]) -> list[float]:
    ways = product((1, -1), repeat=len(differences))
    return [sum(s * d for s, d in zip(way, differences, strict=True)) for way in ways]


@cache
def _samples() -> tuple[list[int], ...]:
    return tuple(_some_samples())


def _some_samples() -> Iterator[list[int]]:
    """Whole numbers, whose sums are exact in whatever order they are made."""
    yield from ([5], [3, 3, 3], [0, 4, -4], [-9, -2, -6, -1], [1, 2, 3, 4, 5])
    chance = random.Random(33)
    for _ in range(60):
        yield [chance.randint(-20, 40) for _ in range(chance.randint(1, MOST))]


def _judge_flips(answer: Any) -> str:
    p_value = function_of(answer, "p_value")
    for differences in _samples():
        yours, right = p_value([*differences]), sign_flip(differences)
        if not is_number(yours):
            raise Wrong(f"A number between 0 and 1 is wanted, not {yours!r}.")
        if abs(yours - right) > 1e-9:
            more = _mistaken(yours, differences)
            raise Wrong(f"For {differences} it is {right:.4g}, not {yours:.4g}.{more}")
    return f"The same p for {len(_samples())} samples: an exact test, without any table."


def _mistaken(yours: float, differences: Sequence[float]) -> str:
    sums, seen = _sums(differences), sum(differences)
    one_sided = sum(each >= seen for each in sums) / len(sums)
    beyond = sum(abs(each) > abs(seen) for each in sums) / len(sums)
    if abs(yours - beyond) < 1e-9:
        return " What is just as far from 0 counts, too: the signs as they were seen among it."
    if abs(yours - one_sided) < 1e-9:
        return " Far from 0 on the other side is far, too."
    return ""


def _solve_flips() -> str:
    return (
        "def p_value(differences):\n"
        "    seen = abs(sum(differences))\n"
        "    ways = list(product([1, -1], repeat=len(differences)))\n"
        "    sums = [abs(sum(s * d for s, d in zip(way, differences))) for way in ways]\n"
        "    return sum(size >= seen for size in sums) / len(ways)\n"
        "If both systems were the same, each difference could as well have had the other sign."
    )


# --- 33.4: twenty looks ---------------------------------------------------------------------------

LOOKS, LEVEL = 20, 0.05
TWENTY_LOOKS = (LOOKS * LEVEL, 1 - (1 - LEVEL) ** LOOKS, LEVEL / LOOKS)
"""False alarms to expect, the chance of one or more, the level that each look may have."""


def _judge_looks(answer: Any) -> str:
    asked = ("The number that comes out below 0.05", "The chance of at least one", "The level")
    if not isinstance(answer, tuple | list) or len(answer) != len(asked):
        raise Wrong("Hand in three numbers: how many, the chance of at least one, the level.")
    for what, yours, right in zip(asked, answer, TWENTY_LOOKS, strict=True):
        if not is_number(yours):
            raise Wrong(f"{what}: a number is wanted, not {yours!r}.")
        if abs(yours - right) > 0.01 * right:
            raise Wrong(f"{what} is not {yours:g}.")
    return "So one of twenty guesses comes out, whatever the systems do: say how many you made."


def _solve_looks() -> str:
    many, chance, level = TWENTY_LOOKS
    return (
        f"20 · 0.05 = {many:g} of them; 1 - 0.95 ** 20 = {chance:.4f}; 0.05 / 20 = {level:g}, "
        "after Bonferroni. With that level the chance of any false alarm is at most 0.05."
    )


EXERCISES = (
    Exercise(
        "33.1",
        "Say of six searches whether they are right, a search error, a model error, or open.",
        (
            "Look at exact first: what is right is no error, whatever happened to gold.",
            "Then compare the two scores. Which of the two sentences does the model like better?",
            "A cut says when gold went, not whose fault it was. And what has no score cannot be "
            "compared.",
        ),
        _judge_faults,
        _solve_faults,
    ),
    Exercise(
        "33.2",
        "Write the risk of losing gold at each step, of the searches that still have it.",
        (
            "Two counts a step: who loses gold there, and who could have.",
            "Who could have: the search still runs (steps), and gold was not lost before.",
            "There are as many numbers as the longest search has steps; where nobody has gold any "
            "more the risk is 0.",
        ),
        _judge_risk,
        _solve_risk,
    ),
    Exercise(
        "33.3",
        "Write a permutation test of paired differences: flip their signs in all ways.",
        (
            "If there is no difference between the systems, their names might be exchanged for "
            "each sentence: the sign of its difference flips.",
            "product([1, -1], repeat=n) gives all 2 ** n ways. Make the sum for each.",
            "p is the share of ways whose sum is at least as far from 0 as the one that was seen, "
            "to either side. The one that was seen is among them.",
        ),
        _judge_flips,
        _solve_flips,
    ),
    Exercise(
        "33.4",
        "Twenty hypotheses that are all false, each tested at 0.05: what happens?",
        (
            "Each comes out with a chance of 0.05. How many of twenty, on average?",
            "At least one: that is everything but none at all. None: 0.95 times itself, and so on.",
            "For all twenty together to stay at 0.05, each gets its share of it.",
        ),
        _judge_looks,
        _solve_looks,
    ),
)
