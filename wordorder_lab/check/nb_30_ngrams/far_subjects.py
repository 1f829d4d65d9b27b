"""Exercise 30.7: how far an n-gram has to see, from the verb back to its subject."""

from __future__ import annotations

from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, is_number

FAR = (
    {"sentence": "The exporters have apologized .", "subject": "exporters", "verb": "have"},
    {"sentence": "The exporters also have a plan .", "subject": "exporters", "verb": "have"},
    {
        "sentence": "The exporters near the harbour have apologized .",
        "subject": "exporters",
        "verb": "have",
    },
    {
        "sentence": "The exporter who met the ministers has apologized .",
        "subject": "exporter",
        "verb": "has",
    },
    {
        "sentence": "Clues that the young detective had found have led to an arrest .",
        "subject": "Clues",
        "verb": "have",
    },
)
"""Sentences whose verb agrees with a subject further and further away."""


def order_needed(row: dict[str, str]) -> int:
    """The smallest order of a model that sees the subject from where the verb stands."""
    words = row["sentence"].split()
    return words.index(row["verb"]) - words.index(row["subject"]) + 1


def _judge(answer: Any) -> str:
    if not isinstance(answer, tuple | list) or len(answer) != len(FAR):
        raise Wrong(f"Hand in a list of {len(FAR)} whole numbers, one a sentence.")
    for yours, row in zip(answer, FAR, strict=True):
        if not is_number(yours, whole=True):
            raise Wrong(f"A whole number is wanted, not {yours!r}.")
        right = order_needed(row)
        if yours != right:
            raise Wrong(f"For '{row['sentence']}' it is not {yours:g}.{_mixed_up(yours, right)}")
    return "A 5-gram sees three of the five subjects; a tree has each of them one arc away."


def _mixed_up(yours: float, right: int) -> str:
    if yours == right - 1:
        return " An n-gram has the verb, too: count both ends."
    if yours == right - 2:
        return " That many stand between them: count both ends, too."
    return ""


def _solve() -> str:
    return "\n".join(f"{order_needed(row)}: {row['sentence']}" for row in FAR)


EXERCISES = (
    Exercise(
        "30.7",
        "Which order must a model have to see the subject from where the verb stands?",
        (
            "A bigram sees the word right before. With nothing in between, 2 is enough.",
            "Count from the noun to the verb, both ends included.",
        ),
        _judge,
        _solve,
    ),
)
