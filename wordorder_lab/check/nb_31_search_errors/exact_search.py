"""Exercises 31.2 and 31.3: Held and Karp by oneself, and a bag on which a greedy search fails."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise, permutations
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of, is_number, numbers_of

START, END = "<s>", "</s>"
LogProb = Callable[[str, str], float]
"""The logarithm of the probability of a word (the second) behind a word (the first)."""
Scores = dict[tuple[str, str], float]

# --- 31.2: exact search over a bag ----------------------------------------------------------------

LARGE = 10
"""Words of the largest bag: 3,628,800 orders, 1,024 sub-bags."""
MOST_CALLS = 200_000
"""Of the log-probability, for the largest bag: several times what Held and Karp need."""


def score_of(order: Sequence[str], log_prob: LogProb) -> float:
    """The score of a sentence, with its beginning and its end."""
    path = [START, *order, END]
    total = 0.0
    for before, word in pairwise(path):
        total += log_prob(before, word)
    return total


def brute_force(words: Sequence[str], log_prob: LogProb) -> float:
    """The best score of all orders."""
    return max(score_of(order, log_prob) for order in permutations(words))


def held_karp(words: Sequence[str], log_prob: LogProb) -> float:
    """The same by sub-bags and last words."""
    best: dict[tuple[frozenset[int], str], float] = {(frozenset(), START): 0.0}
    for _ in words:
        longer: dict[tuple[frozenset[int], str], float] = {}
        for (used, last), score in best.items():
            for place in set(range(len(words))) - used:
                key = used | {place}, words[place]
                reached = score + log_prob(last, words[place])
                longer[key] = max(reached, longer.get(key, reached))
        best = longer
    return max(score + log_prob(last, END) for (_, last), score in best.items())


def _table(words: Sequence[str], chance: random.Random) -> Scores:
    """Whole numbers, whose sums are exact however they are made."""
    ends = sorted({*words, START, END})
    return {(one, other): float(-chance.randint(1, 20)) for one in ends for other in ends}


@cache
def _bags() -> tuple[tuple[tuple[str, ...], Scores, float], ...]:
    chance = random.Random(312)
    bags = [("a",), ("a", "b"), ("a", "a"), ("a", "b", "a", "b")]
    bags += [tuple("abcdef"[: chance.randint(3, 6)]) for _ in range(40)]
    cases = [(words, _table(words, chance)) for words in bags]
    return tuple((words, table, brute_force(words, _asked(table))) for words, table in cases)


def _asked(table: Scores) -> LogProb:
    return lambda one, other: table[one, other]


def _judge_exact(answer: Any) -> str:
    best_score = function_of(answer, "best_score")
    for words, table, right in _bags():
        yours = best_score([*words], _asked(table))
        if not is_number(yours):
            raise Wrong(f"A number is wanted, not {yours!r}.")
        if abs(yours - right) > 1e-9:
            raise Wrong(f"For {' '.join(words)} and {_shown(table)} it is {right:g}, not {yours:g}")
    return _judge_large(best_score)


def _judge_large(best_score: Callable[..., Any]) -> str:
    words = tuple("abcdefghijklm"[:LARGE])
    table, calls = _table(words, random.Random(313)), 0

    def counted(one: str, other: str) -> float:
        """The table, for so many questions."""
        nonlocal calls
        calls += 1
        if calls > MOST_CALLS:
            raise Wrong(
                f"All scores are right, but for {LARGE} words you have asked {MOST_CALLS:,} times. "
                "Do you go through all orders? Keep the best beginning of each sub-bag and last "
                "word."
            )
        return table[one, other]

    yours, right = best_score([*words], counted), held_karp(words, _asked(table))
    if abs(yours - right) > 1e-9:
        raise Wrong(f"For a bag of {LARGE} words it is {right:g}, not {yours:g}.")
    return f"And {calls:,} questions for {LARGE} words, which have 3,628,800 orders."


def _shown(table: Scores) -> str:
    pairs = sorted(pair for pair in table if pair[0] != END and pair[1] != START)
    some = ", ".join(f"{one} {other}: {table[one, other]:g}" for one, other in pairs[:6])
    return f"{{{some}{', ...' if len(pairs) > 6 else ''}}}"


def _solve_exact() -> str:
    return (
        "def best_score(words, log_prob):\n"
        '    best = {(frozenset(), "<s>"): 0.0}\n'
        "    for _ in words:\n"
        "        longer = {}\n"
        "        for (used, last), score in best.items():\n"
        "            for place in set(range(len(words))) - used:\n"
        "                key = used | {place}, words[place]\n"
        "                reached = score + log_prob(last, words[place])\n"
        "                longer[key] = max(reached, longer.get(key, reached))\n"
        "        best = longer\n"
        '    return max(score + log_prob(last, "</s>") for (_, last), score in best.items())\n'
        "Of all beginnings with the same words and the same last word only the best can win."
    )


# --- 31.3: a trap for a narrow beam ---------------------------------------------------------------

WORDS = ("a", "b", "c")
NEEDED = tuple((one, other) for one in (START, *WORDS) for other in WORDS if one != other)
"""The pairs that a trap gives a score; the end costs nothing."""


def beam_search(scores: Mapping[tuple[str, str], float], beam: int) -> tuple[str, ...]:
    """The order that a beam finds; of equal beginnings those that come first in the alphabet."""
    kept: list[tuple[float, tuple[str, ...]]] = [(0.0, ())]
    for _ in WORDS:
        longer = [
            (score + scores[(*(order or (START,)),)[-1], word], (*order, word))
            for score, order in kept
            for word in WORDS
            if word not in order
        ]
        kept = sorted(longer, key=lambda one: (-one[0], one[1]))[:beam]
    return kept[0][1]


def _judge_trap(answer: Any) -> str:
    scores = _trap(answer)
    totals = {
        order: score_of(order, lambda a, b: scores.get((a, b), 0.0))
        for order in permutations(WORDS)
    }
    best = max(totals.values())
    one, two = beam_search(scores, 1), beam_search(scores, 2)
    if totals[one] == best:
        raise Wrong(f"Beam 1 finds {' '.join(one)}, {best:g}: nothing scores more.")
    if totals[two] != best:
        (first, *_) = [order for order in totals if totals[order] == best]
        raise Wrong(
            f"Beam 1 is trapped, and so is beam 2: it finds {' '.join(two)}, {totals[two]:g}, "
            f"where {' '.join(first)} has {best:g}."
        )
    return f"Beam 1 ends with {' '.join(one)} ({totals[one]:g}), beam 2 with {' '.join(two)}."


def _trap(answer: Any) -> dict[tuple[str, str], float]:
    if not isinstance(answer, Mapping):
        raise Wrong('Hand in a dictionary from pairs to scores: {("<s>", "a"): -1, ...}.')
    if missing := [pair for pair in NEEDED if pair not in answer]:
        raise Wrong(f"The pair {missing[0]} has no score; {len(NEEDED)} pairs need one.")
    scores = numbers_of(answer, NEEDED)
    for pair, score in scores.items():
        if score > 0:
            raise Wrong(f"{pair}: a logarithm of a probability is at most 0, not {score:g}.")
    return scores


def _solve_trap() -> str:
    return (
        f"{a_trap()}\n"
        "a is the best beginning by a little, and whatever follows a is dear: beam 1 has paid "
        "before it sees the price. Beam 2 has kept b, too."
    )


def a_trap() -> Scores:
    """One of many: every step costs 1, the first word a nothing, and what follows a 9."""
    cheap = {pair: -9.0 if pair[0] == "a" else -1.0 for pair in NEEDED}
    return {**cheap, (START, "a"): 0.0}


EXERCISES = (
    Exercise(
        "31.2",
        "Write an exact search for a bag under a bigram model.",
        (
            "What has to be known of a beginning, so that one can go on from it?",
            "Which words it has used, and the last one. Of all beginnings that agree in these "
            "only the best one matters.",
            "Go through beginnings of 1, 2, 3 ... words in a dictionary with the key (used, last); "
            "use places instead of words, as a word may come twice. The end </s> has a score, too.",
        ),
        _judge_exact,
        _solve_exact,
    ),
    Exercise(
        "31.3",
        "Build a trap: bigram scores of three words with which beam 1 fails and beam 2 does not.",
        (
            "Beam 1 takes what looks best now. What should it find out too late?",
            "Let one word begin a little better than the others, and let all that follows it cost "
            "a lot.",
            "The best order has to begin with the word that is second after <s>.",
        ),
        _judge_trap,
        _solve_trap,
    ),
)
