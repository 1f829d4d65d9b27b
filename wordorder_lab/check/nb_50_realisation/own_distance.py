"""Exercise 50.5: DIST, as the shared tasks print it, as one's own function."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of, is_number
from wordorder_lab.metrics.realization import edit_distance

Pairs = Sequence[tuple[str, str]]
NEAR = 1e-6


def dist(pairs: Pairs) -> float:
    """100 for outputs that are their references, 0 for those that have nothing in common.

    All edits of the corpus over all lengths, each that of the longer of two texts.
    """
    edits = sum(edit_distance(output, reference) for output, reference in pairs)
    return 100 * (1 - edits / sum(max(len(one), len(other)) for one, other in pairs))


def cases() -> Iterator[list[tuple[str, str]]]:
    """Corpora of one, of two unlike ones, and some at random, always the same."""
    yield [("a honest person", "an honest person")]
    yield [("rain", "rain"), ("Tom and Sally is here", "here are Sally and Tom")]
    yield [("it is", "it 's")]
    chance = random.Random(50)
    words = ["an", "honest", "person", "is", "are", "here", "and"]
    for _ in range(10):
        some = [chance.sample(words, chance.randint(1, 6)) for _ in range(chance.randint(1, 4))]
        yield [(" ".join(chance.sample(one, len(one))), " ".join(one)) for one in some]


def _judge(answer: Any) -> str:
    own = function_of(answer, "dist")
    for pairs in cases():
        yours, right = own(list(pairs)), dist(pairs)
        about = "; ".join(f"{output!r} for {reference!r}" for output, reference in pairs)
        if not is_number(yours):
            raise Wrong(f"{about}: your function gave {yours!r}, and a number is wanted.")
        if abs(yours - right) > NEAR:
            mean = sum(dist([pair]) for pair in pairs) / len(pairs)
            hint = " (That is the mean over sentences.)" if abs(yours - mean) < NEAR else ""
            raise Wrong(f"{about}: {right:.2f}, and your function says {yours:.2f}.{hint}")
    return "One long sentence in a wrong order costs as much as many short ones."


def _solve() -> str:
    return (
        "def dist(pairs):\n"
        "    edits = sum(nb_50.edit_distance(output, reference) for output, reference in pairs)\n"
        "    signs = sum(max(len(one), len(other)) for one, other in pairs)\n"
        "    return 100 * (1 - edits / signs)"
    )


EXERCISES = (
    Exercise(
        "50.5",
        "DIST, in signs.",
        (
            "nb_50.edit_distance(output, reference) counts the signs put in, taken out or changed.",
            "Divide all edits of the corpus by all lengths; not sentence by sentence.",
            "A length is that of the longer text of the two. 100 is best.",
        ),
        _judge,
        _solve,
    ),
)
