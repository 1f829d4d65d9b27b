"""Exercise 50.1: which forms of a lemma go into the bag?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, NotAnswered, Wrong

ASKED: tuple[tuple[str, str, str, frozenset[str]], ...] = (
    ("a", "determiner", "", frozenset({"a", "an"})),
    ("go", "verb", "past tense, finite", frozenset({"went"})),
    ("child", "noun", "plural", frozenset({"children"})),
    ("be", "auxiliary", "present tense; its subject: who", frozenset({"is", "are"})),
    ("be", "auxiliary", "present tense; its subject: the children", frozenset({"are"})),
)
"""Lemma, tag, what is known, and the forms; short ones ('s, 're) are left out here."""


def asked_rows() -> list[dict[str, str]]:
    """What is asked, as rows."""
    return [
        {"": str(number), "lemma": lemma, "tag": tag, "known": known}
        for number, (lemma, tag, known, _) in enumerate(ASKED, 1)
    ]


def _judge(answer: Any) -> str:
    if isinstance(answer, str) or not isinstance(answer, Sequence) or len(answer) != len(ASKED):
        raise Wrong(f"A list of {len(ASKED)} lists of forms is wanted, one a row.")
    for number, (own, (lemma, tag, known, right)) in enumerate(zip(answer, ASKED), 1):
        if isinstance(own, str) or not isinstance(own, Sequence | set | frozenset):
            raise Wrong(f"Row {number}: a list of forms is wanted, also where there is one form.")
        if any(form is ... for form in own):
            raise NotAnswered
        about = f"Row {number}, {lemma} ({', '.join(filter(None, (tag, known)))})"
        if more := sorted(set(map(str, own)) - right):
            raise Wrong(f"{about}: {more[0]} does not fit what is known.")
        if right - set(own):
            raise Wrong(f"{about}: there is one more that nothing rules out yet.")
    return "Two of five are open: what is known rules the others' forms out before any search."


def _solve() -> str:
    return repr([sorted(right) for *_, right in ASKED])


EXERCISES = (
    Exercise(
        "50.1",
        "Which forms go into the bag?",
        (
            "What is known of the lemma itself comes first: number, tense.",
            "Then the subject. Who is it in row 4: one, or several?",
            "Which row depends on the word that comes after it, which nobody knows before the "
            "order is known?",
        ),
        _judge,
        _solve,
    ),
)
