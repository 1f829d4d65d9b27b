r"""Exercise 01.4: lexical categories that derive three sentences, tried out by a small parser."""

from __future__ import annotations

from typing import Any

from wordorder_lab.check.common.exercise import Exercise, NotAnswered, Wrong, is_blank
from wordorder_lab.check.nb_00_01.small_parser import derivation_of, parsed
from wordorder_lab.structures.category import Category, CategoryError

SENTENCES = (
    "she gave him flowers",
    "she never gave him flowers",
    "she has never given him flowers",
)
"""What the categories of exercise 01.4 have to derive."""
GIVEN = {
    "she": "NP",
    "him": "NP",
    "flowers": "N",
    "has": r"(S[dcl]\NP)/(S[pt]\NP)",
    "given": r"((S[pt]\NP)/NP)/NP",
}


def _judge_categories(answer: Any) -> str:
    if not isinstance(answer, dict) or {*answer} != {"gave", "never"}:
        raise Wrong('Give a dictionary: {"gave": ..., "never": ...}.')
    if is_blank(list(answer.values())):
        raise NotAnswered
    try:
        categories = {word: str(Category.parse(str(text))) for word, text in answer.items()}
    except CategoryError as error:
        raise Wrong(f"{error}.") from None
    for sentence in SENTENCES:
        words = [(word, "", {**GIVEN, **categories}[word]) for word in sentence.split()]
        if derivation_of(words, "S[dcl]") is None:
            raise Wrong(f"{sentence!r} does not become S[dcl]. {_how_far(words)}")
    return "Three sentences from two categories: S without a feature stands for any S."


def _how_far(words: list[tuple[str, str, str]]) -> str:
    """The longest phrase that comes out, the one furthest right if there are several."""
    built = {span: categories for span, categories in parsed(words).items() if categories}
    start, end = max(built, key=lambda span: (span[1] - span[0], span[0]))
    if end - start == 1:
        return "No two words join."
    phrase = " ".join(word for word, _, _ in words[start:end])
    names = " or ".join(sorted(map(str, built[start, end])))
    return f"The longest phrase is {phrase!r}, which is {names}."


def _solve_categories() -> str:
    return r'categories = {"gave": r"((S[dcl]\NP)/NP)/NP", "never": r"(S\NP)/(S\NP)"}'


EXERCISES = (
    Exercise(
        "01.4",
        "Find categories for gave and never.",
        (
            "gave him flowers is S[dcl]\\NP, like slept. What does gave lack?",
            "never stands before a verb phrase, and the two are a verb phrase again.",
            "never given is S[pt]\\NP, never gave is S[dcl]\\NP. Which S goes with both?",
        ),
        _judge_categories,
        _solve_categories,
    ),
)
