"""Exercise 42.5: a constraint of one's own: a currency sign and its number stay together.

Judged by enumeration: of short tagged sentences every choice of words either obeys the rows or does
not, and must do so where it should.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations
from typing import Any

from wordorder_lab.check.common.exercise import (
    Exercise,
    NotAnswered,
    Wrong,
    function_of,
    is_number,
)
from wordorder_lab.check.nb_42_real_text.which_constraint import points_as_scores
from wordorder_lab.deletion.constraints import Constraint
from wordorder_lab.deletion.integer_programme import solve

SIGN, NUMBER = "$", "CD"
"""The tags that are asked about."""
SENTENCES: dict[tuple[str, ...], tuple[tuple[str, ...], tuple[float, ...]]] = {
    ("reserves", "rose", "by", "$", "350", "."): (
        ("NNS", "VBD", "IN", "$", "CD", "."),
        (2.0, 3.0, 0.5, -1.0, 1.5, 0.5),
    ),
    ("ten", "banks", "paid", "$", "9", "."): (
        ("CD", "NNS", "VBD", "$", "CD", "."),
        (-1.0, 1.0, 2.0, 1.0, -0.5, 0.5),
    ),
    ("a", "$", "sign", "costs", "$", "5", "."): (
        ("DT", "$", "NN", "VBZ", "$", "CD", "."),
        (-1.0, -0.5, 1.0, 1.0, 0.4, 0.6, 0.5),
    ),
    ("banks", "paid", "ten", "clerks", "."): (
        ("NNS", "VBD", "CD", "NNS", "."),
        (1.0, 1.0, -0.5, 1.0, 0.5),
    ),
}
"""Words, with their tags and with what keeping each of them brings; the numbers are ours."""


def obeys(tags: Sequence[str], kept: Sequence[int]) -> bool:
    """Whether each sign right before a number stays or goes with it."""
    there = {*kept}
    return all(
        (i in there) == (i + 1 in there)
        for i in range(len(tags) - 1)
        if tags[i] == SIGN and tags[i + 1] == NUMBER
    )


def choices(words: int) -> Iterator[tuple[int, ...]]:
    """Every choice of places but the empty one."""
    return chain.from_iterable(combinations(range(words), size) for size in range(1, words + 1))


def rows_of(
    answer: Callable[..., Any], words: Sequence[str], tags: Sequence[str]
) -> list[Constraint]:
    """The student's rows for a sentence. Raises ``Wrong`` for what are none."""
    given = answer(list(words), list(tags))
    about = f"For {' '.join(words)!r}"
    if not isinstance(given, list | tuple):
        raise Wrong(f"{about} it gave {given!r}: a list of rows is wanted, empty where none is.")
    rows = []
    for one in given:
        if not isinstance(one, list | tuple) or len(one) != 4:
            raise Wrong(f"{about}: a row is (places, factors, lower, upper), not {one!r}.")
        places, factors, lower, upper = one
        if len(places) != len(factors) or not all(
            is_number(place, whole=True) and 0 <= place < len(words) for place in places
        ):
            raise Wrong(f"{about}: {one!r} wants places of words, from 0, and a factor for each.")
        rows.append(Constraint("own", "own", tuple(places), tuple(factors), lower, upper))
    return rows


def with_own_rows(answer: Callable[..., Any]) -> list[dict[str, str]]:
    """Each sentence, what stays without any rows and with those of ``answer``, as rows.

    Where ``answer`` returns ``...`` it has no rows yet.
    """
    shown = []
    for words, (tags, points) in SENTENCES.items():
        told = {"sentence": " ".join(words), "without": _stays(words, points, [])}
        try:
            rows = rows_of(function_of(answer, "rows"), words, tags)
            told["with your rows"] = _stays(words, points, rows)
        except NotAnswered:
            told["with your rows"] = "no rows yet"
        shown.append(told)
    return shown


def _stays(words: Sequence[str], points: Sequence[float], rows: list[Constraint]) -> str:
    found = solve(points_as_scores(points), rows)
    return "nothing can" if found is None else " ".join(words[place] for place in found.kept)


def _judge(answer: Any) -> str:
    own = function_of(answer, "rows")
    for words, (tags, _) in SENTENCES.items():
        rows = rows_of(own, words, tags)
        for kept in choices(len(words)):
            yours = all(row.holds(kept) for row in rows)
            if yours != obeys(tags, kept):
                text = " ".join(words[place] for place in kept)
                says = "allow" if yours else "forbid"
                raise Wrong(f"Of {' '.join(words)!r} your rows {says} this: {text!r}")
    shown = with_own_rows(answer)
    mended = [one["sentence"] for one in shown if one["without"] != one["with your rows"]]
    return f"It mends {len(mended)} of the {len(shown)} sentences: {'; '.join(mended)}"


def _solve() -> str:
    return (
        "def rows(words, tags):\n"
        "    pairs = zip(range(len(tags)), tags, tags[1:])\n"
        '    signs = [i for i, sign, number in pairs if (sign, number) == ("$", "CD")]\n'
        "    return [([i, i + 1], [1, -1], 0, 0) for i in signs]"
    )


EXERCISES = (
    Exercise(
        "42.5",
        "A constraint of one's own: no dollars without a number.",
        (
            "Look for places i with the tag $ at i and CD at i + 1. Another $ has no row.",
            "Both stay or both go: the difference of the two variables is 0.",
            "A row for each such place: ([i, i + 1], [1, -1], 0, 0).",
        ),
        _judge,
        _solve,
    ),
)
