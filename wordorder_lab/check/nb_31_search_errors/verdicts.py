"""Exercises 31.1 and 31.5: both may be at fault, and one sentence has many derivations."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of, is_number
from wordorder_lab.check.common.workbench import derivations
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.problem import OrderingProblem

# --- 31.1: search, model, or both -----------------------------------------------------------------

SEARCH, MODEL = "search", "model"
EQUAL = 1e-9
"""Scores that differ by less have been added up in another order."""


def faults(score: float, gold: float, best: float) -> set[str]:
    """Whose fault a wrong output is, if the best score of all is known."""
    found = set()
    if best > score + EQUAL:
        found.add(SEARCH)
    if best > gold + EQUAL:
        found.add(MODEL)
    return found


@cache
def _cases() -> tuple[tuple[float, float, float], ...]:
    fixed = [
        (-9.0, -7.0, -7.0),
        (-7.0, -9.0, -7.0),
        (-9.0, -8.0, -7.0),
        (-8.0, -9.0, -7.0),
        (-7.0, -7.0, -7.0),
        (0.3, 0.3, 0.1 + 0.2),
        (-8.0, -8.0, -7.0),
    ]
    chance = random.Random(31)
    for _ in range(60):
        score, gold = chance.randint(-20, 20) / 2, chance.randint(-20, 20) / 2
        fixed.append((score, gold, max(score, gold) + chance.choice([0, 0, 0.5, 3])))
    return tuple(fixed)


def _judge_faults(answer: Any) -> str:
    function = function_of(answer, "faults")
    for score, gold, best in _cases():
        yours, right = function(score, gold, best), faults(score, gold, best)
        where = f"For an output of {score:g}, gold of {gold:g} and a best score of {best:g}"
        if not isinstance(yours, set | frozenset) or not yours <= {SEARCH, MODEL}:
            raise Wrong(f'{where}: a set is wanted, with "search" and "model" in it or not.')
        if yours != right:
            near = " These differ by rounding alone." if 0 < abs(score - best) < EQUAL else ""
            wanted = " and ".join(sorted(right)) or "nobody"
            raise Wrong(f"{where}: the fault is with {wanted}.{near}")
    return "And where both are at fault, a better search alone would not bring gold."


def _solve_faults() -> str:
    return (
        "def faults(score, gold, best):\n"
        "    found = set()\n"
        "    if best > score + 1e-9:\n"
        '        found.add("search")\n'
        "    if best > gold + 1e-9:\n"
        '        found.add("model")\n'
        "    return found\n"
        "Each is asked by itself: did the search find the best, and is gold the best?"
    )


# --- 31.5: the derivations of one sentence --------------------------------------------------------

WALKED = range(1, 7)
"""Sentences of so many words are walked through."""


@cache
def walked(n: int) -> int:
    """How many derivations n words have that may come in one order only, all of them walked."""
    words = [f"word {place}" for place in range(n)]
    bag = WordBag(words, before=[(place, place + 1) for place in range(n - 1)])
    return sum(1 for _ in derivations(OrderingProblem.of(bag, lambda unit: ("X",))))


def _judge_count(answer: Any) -> str:
    count = function_of(answer, "count")
    for n in WALKED:
        yours = count(n)
        if not is_number(yours, whole=True):
            raise Wrong(f"For {n} words: a whole number is wanted, not {yours!r}.")
        if yours != walked(n):
            raise Wrong(f"{n} words in one order have {walked(n):,} derivations, not {yours:,}.")
    return f"A sentence of 15 words has {count(15):,}; its gold score is that of one or two."


def _solve_count() -> str:
    return (
        "def count(n):\n"
        "    return comb(2 * n - 2, n - 1) // n * 2 ** (n - 1)\n"
        "With the order given, SHIFT has no choice. What is left: which two neighbours are joined "
        "first, as one puts brackets (the Catalan number of n - 1), and for each of the n - 1 "
        "joins LEFTARC or RIGHTARC."
    )


EXERCISES = (
    Exercise(
        "31.1",
        "Say of a wrong output whether the search is at fault, the model, or both.",
        (
            "Ask twice. Of the search: was there anything with a higher score?",
            "Of the model: would a search that misses nothing have found gold?",
            "The two questions do not exclude each other. And 0.1 + 0.2 is not 0.3 to a computer.",
        ),
        _judge_faults,
        _solve_faults,
    ),
    Exercise(
        "31.5",
        "How many derivations has a sentence of n words whose order is fixed?",
        (
            "Take three words. When may the first two be joined, and with which arcs?",
            "Which neighbours are joined first is a way to put brackets: 1, 1, 2, 5, 14 ways.",
            "There are n - 1 joins, and each is a LEFTARC or a RIGHTARC.",
        ),
        _judge_count,
        _solve_count,
    ),
)
