"""Exercise 30.6: the best order of a bag for certain, without going through all orders."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations, permutations
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of

LogProb = Callable[[str, str], int]

WORDS = ("IBM", "bought", "Lotus", "in", "the", "spring", "for", "much", "money")
MOST_ASKED = 100_000
"""Held and Karp ask about ten thousand times for nine words; all orders ask 3.6 million times."""


class TooManyAsked(Exception):
    """The search has asked for more probabilities than ``MOST_ASKED``."""


@cache
def _table(seed: int) -> dict[tuple[str, str], int]:
    """Whole numbers as logarithms: their sums are the same in whatever order they are made."""
    chance = random.Random(seed)
    return {
        (before, word): -chance.randint(1, 40)
        for before in ("<s>", *WORDS)
        for word in (*WORDS, "</s>")
    }


def score_of(order: Sequence[str], log_prob: LogProb) -> int:
    """The sum over all words and the end."""
    pairs = zip(("<s>", *order), (*order, "</s>"), strict=True)
    return sum(log_prob(before, word) for before, word in pairs)


def best_score(words: Sequence[str], log_prob: LogProb) -> int:
    """That of the best order, from small sets of words to large ones."""
    best = {(frozenset([word]), word): log_prob("<s>", word) for word in words}
    for size in range(2, len(words) + 1):
        for some in map(frozenset, combinations(words, size)):
            for last in some:
                rest = some - {last}
                best[some, last] = max(best[rest, end] + log_prob(end, last) for end in rest)
    whole = frozenset(words)
    return max(best[whole, last] + log_prob(last, "</s>") for last in words)


def _judge(answer: Any) -> str:
    best_order = function_of(answer, "best_order")
    for seed in range(12):
        _check(best_order, WORDS[seed % 4 : seed % 4 + 1 + seed % 5], seed)
    asked = _check(best_order, WORDS, 30)
    return f"The best of 362,880 orders, for {asked:,} looks at the model."


def _check(best_order: Callable[..., Any], words: Sequence[str], seed: int) -> int:
    """How often it asked. Raises ``Wrong`` where the order is not the best, or it asks too much."""
    asked = 0

    def log_prob(before: str, word: str) -> int:
        nonlocal asked
        asked += 1
        if asked > MOST_ASKED:
            raise TooManyAsked
        return _table(seed)[before, word]

    try:
        yours = best_order([*words], log_prob)
    except TooManyAsked:
        raise Wrong(
            f"For {len(words)} words it asks log_prob more than {MOST_ASKED:,} times: it goes "
            "through one order after the other. What can two beginnings share?"
        ) from None
    if not isinstance(yours, tuple | list) or sorted(yours) != sorted(words):
        raise Wrong(f"An order of {list(words)} is wanted, not {yours!r}.")
    model: LogProb = lambda before, word: _table(seed)[before, word]  # noqa: E731
    score, best = score_of(yours, model), best_score(words, model)
    if score != best:
        more = " It forgets the end." if _forgets_the_end(words, yours, model) else ""
        raise Wrong(f"For {list(words)} your order scores {score}; the best one {best}.{more}")
    return asked


def _forgets_the_end(words: Sequence[str], yours: Sequence[str], model: LogProb) -> bool:
    """Whether an order is the best of a small bag if nothing comes after the last word."""

    def beginning(order: Sequence[str]) -> int:
        return score_of(order, model) - model(order[-1], "</s>")

    return len(words) < 7 and beginning(yours) == max(map(beginning, permutations(words)))


def _solve() -> str:
    return (
        "def best_order(words, log_prob):\n"
        "    best = {(frozenset([w]), w): (log_prob('<s>', w), [w]) for w in words}\n"
        "    for size in range(2, len(words) + 1):\n"
        "        for some in map(frozenset, combinations(words, size)):\n"
        "            for last in some:\n"
        "                rest = some - {last}\n"
        "                best[some, last] = max((best[rest, end][0] + log_prob(end, last),\n"
        "                                        best[rest, end][1] + [last]) for end in rest)\n"
        "    whole = frozenset(words)\n"
        "    return max((best[whole, last][0] + log_prob(last, '</s>'), best[whole, last][1])\n"
        "               for last in words)[1]\n"
        "Of all beginnings with the same words and the same last word, one goes on."
    )


EXERCISES = (
    Exercise(
        "30.6",
        "Write a search that finds the best order for certain, for a bigram model.",
        (
            "First write it for three words: try all orders. That is right, and too slow for nine.",
            "A bigram sees one word back. Which beginnings can nothing that follows tell apart?",
            "Keep, for each set of words and each last word, the best beginning. Go from sets of "
            "one word to larger ones; at the end add log_prob(last, '</s>').",
        ),
        _judge,
        _solve,
    ),
)
