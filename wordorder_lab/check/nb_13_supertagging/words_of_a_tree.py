r"""Exercise 13.1: the categories of words, by hand, from a Penn tree."""

from __future__ import annotations

from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong
from wordorder_lab.check.nb_13_supertagging.steps_shown import GAVE, derivation_of
from wordorder_lab.structures.category import Category, CategoryError

ASKED = ("gave", "the", "letter", "yesterday")


def right_categories() -> list[str]:
    """What the conversion gives the words of ``ASKED``."""
    categories = {leaf.word: str(leaf.category) for leaf in derivation_of(GAVE).leaves()}
    return [categories[word] for word in ASKED]


def _judge_categories(answer: Any) -> str:
    if not isinstance(answer, list | tuple) or len(answer) != len(ASKED):
        raise Wrong(f"A list of {len(ASKED)} categories is wanted, one a word.")
    for yours, right, word in zip(answer, right_categories(), ASKED, strict=True):
        try:
            category = str(Category.parse(str(yours)))
        except CategoryError as error:
            raise Wrong(f"{word}: {yours!r} is no category: {error}") from None
        if category == right:
            continue
        if _bare(category) == _bare(right):
            raise Wrong(f"{word}: the slashes are right; a feature in brackets is not.")
        raise Wrong(f"{word}: {category} is not what the steps give it.")
    return "The verb says what it takes; an adjunct says what it leaves as it was."


def _bare(category: str) -> str:
    return "".join(part.split("[")[0] for part in category.split("]"))


def _solve_categories() -> str:
    return (
        f"{right_categories()}. Two NPs behind the verb are complements, so the verb takes them, "
        "the nearest first, and at last its subject. The third has the tag TMP: an adjunct, which "
        "takes a verb phrase and gives one back."
    )


EXERCISES = (
    Exercise(
        "13.1",
        "Give the categories of words in a Penn tree.",
        (
            "From the root down: the VP is S[dcl]\\NP. Which of its children are complements?",
            "The verb takes its nearest complement first, so that is the outermost argument.",
            "NP-TMP is an adjunct: X\\X, where X is what stands before it, without a feature. "
            "And a determiner makes an NP of an N, with the feature nb.",
        ),
        _judge_categories,
        _solve_categories,
    ),
)
