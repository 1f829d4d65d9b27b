"""Exercise 42.1: Viterbi over a lattice of bigrams, by hand."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from wordorder_lab.check.common.exercise import Exercise, Wrong, is_number
from wordorder_lab.check.common.moments import Moment
from wordorder_lab.deletion.lattice import Path, best_paths, tell
from wordorder_lab.trace.log import EventLog

WORDS = ("rain", "that", "fell", "stopped")
"""The sentence that is asked about."""
START, END = "start", "end"
_ROWS: dict[str, dict[str, float]] = {
    START: {"rain": 1, "that": 0, "fell": 2, "stopped": -1},
    "rain": {"that": 1, "fell": 2, "stopped": 3, END: -2},
    "that": {"fell": 3, "stopped": -2, END: -2},
    "fell": {"stopped": -1, END: 1},
    "stopped": {END: 1},
}
SCORES = {(left, right): score for left, row in _ROWS.items() for right, score in row.items()}
"""What each bigram of kept words scores; all numbers are ours."""
SHORT = 2
"""So many words the second compression has."""
NEAR = 1e-6


def score_table() -> list[dict[str, Any]]:
    """The scores as rows of a table: the left word, and a column for each right one."""
    return [
        {"": left, **{right: f"{row[right]:g}" for right in (*WORDS, END) if right in row}}
        for left, row in _ROWS.items()
    ]


def scores_of_words() -> np.ndarray:
    """The scores as the search takes them: float64 of shape (6, 6)."""
    names = (START, *WORDS, END)
    scores = np.zeros((len(names), len(names)))
    for (left, right), score in SCORES.items():
        scores[names.index(left), names.index(right)] = score
    return scores


def best(length: int | None = None) -> Path:
    """The best path, of any length or of this one."""
    return best_paths(scores_of_words(), length=length)[0]


@cache
def played() -> EventLog:
    """The search of any length, from left to right."""
    log = EventLog()
    log.begin([*WORDS], [1] * len(WORDS), len(WORDS), 1)
    tell(best_paths(scores_of_words(), trace=log), log, WORDS)
    return log


def _words(path: Path) -> list[str]:
    return [WORDS[place] for place in path.kept]


def _judge(answer: Any) -> str:
    if not isinstance(answer, list | tuple) or len(answer) != 4:
        raise Wrong("Four things are wanted: words, their score, two words, their score.")
    for what, words, score, length in (
        ("the best compression", answer[0], answer[1], None),
        (f"the best one of {SHORT} words", answer[2], answer[3], SHORT),
    ):
        right = best(length)
        given = words.split() if isinstance(words, str) else list(words)
        if not all(word in WORDS for word in given):
            raise Wrong(f"{what}: its words are among {', '.join(WORDS)}.")
        if given != _words(right):
            raise Wrong(f"{what}: {_worth(given)}", Moment(played(), len(played()), "A lattice"))
        if not is_number(score) or abs(score - right.score) > NEAR:
            raise Wrong(f"{what}: the words are right, their score is not {score!r}.")
    return (
        "The best step from the start leads to fell, and neither path begins there. Nor is the "
        "shorter compression a part of the longer one: whoever wants another length has to search "
        "again."
    )


def _worth(given: list[str]) -> str:
    """What this choice scores, in words."""
    steps = [*zip([START, *given], [*given, END])]
    missing = next((step for step in steps if step not in SCORES), None)
    if missing:
        return f"{' '.join(given)} has no bigram {missing[0]} {missing[1]}: words keep their order."
    total = 0.0
    for step in steps:
        total += SCORES[step]
    return f"{' '.join(given)} scores {total:g}, and there is better of that length."


def _solve() -> str:
    whole, short = best(), best(SHORT)
    return (
        f"{_words(whole)} with {whole.score:g}, {_words(short)} with {short.score:g}. The best "
        "ways into each word, from left to right: rain 1, that 2 (over rain), fell 5 (over that), "
        "stopped 4 (over rain, or over fell); then the end."
    )


EXERCISES = (
    Exercise(
        "42.1",
        "Viterbi over bigrams of kept words, by hand.",
        (
            "Go from left to right. For each word write down the best score of a way that ends "
            "with it, and where that came from.",
            "The last step to the end counts, too: a compression may end with any word, at a "
            "price.",
            "For two words there are six pairs; try them all.",
        ),
        _judge,
        _solve,
    ),
)
