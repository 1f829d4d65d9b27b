"""Exercise 42.3: what the unigram F1 of *keep all* is, when only the rate is known."""

from __future__ import annotations

from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of, is_number
from wordorder_lab.metrics.compression import ngram_f1

SIZES = ((10, 10), (10, 9), (20, 15), (10, 7), (12, 8), (30, 11), (40, 1))
"""Words in the sentence, words that a person keeps."""
NEAR = 1e-6


def measured(words: int, kept: int) -> float:
    """The metric's answer: every word against the first ``kept`` of them; all are different."""
    source = [f"w{i}" for i in range(words)]
    return ngram_f1(source, source[:kept], 1)


def _judge(answer: Any) -> str:
    own = function_of(answer, "keep_all_f1")
    for words, kept in SIZES:
        rate, right = kept / words, measured(words, kept)
        yours = own(rate)
        if not is_number(yours):
            raise Wrong(f"keep_all_f1({rate:.3g}) gave {yours!r}: a number is wanted.")
        if abs(yours - right) > NEAR:
            raise Wrong(
                f"A person keeps {kept} of {words} words, a rate of {rate:.3g}. Whoever keeps all "
                f"has a unigram F1 of {right:.3f}; your function says {yours:.3f}."
            )
    return (
        "So 80 % are for nothing wherever people keep two words of three. The number says how much "
        "people keep, and nothing about the system."
    )


def _solve() -> str:
    return "def keep_all_f1(rate):\n    return 2 * rate / (1 + rate)"


EXERCISES = (
    Exercise(
        "42.3",
        "The unigram F1 of keep all, from the rate alone.",
        (
            "Say the sentence has n words, of which a person keeps r · n. How many of the output's "
            "words are right?",
            "All words of the reference are there, so recall is 1. Precision is r.",
            "F1 = 2 · precision · recall / (precision + recall).",
        ),
        _judge,
        _solve,
    ),
)
