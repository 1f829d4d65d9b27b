"""What both systems of Clarke & Lapata (2008) do with the scores of a sentence: solve a programme.

The settings of such a search, and the search: rows by the names of constraints, words to keep and
lengths, the k best by leaving out what was found.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from nltk.tree import Tree

from wordorder_lab.deletion.constraints import (
    NAMES,
    Constraint,
    always,
    check_names,
    constraints,
    kept_rows,
)
from wordorder_lab.deletion.integer_programme import Solution, path_score, solve
from wordorder_lab.deletion.lattice import Path
from wordorder_lab.structures.deletion import DeletionSentence
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems.mcdonald_2006 import Search, begin_trace, check_lengths, wanted_length
from wordorder_lab.systems.setting import setting

ALL, NONE = "all", "none"
Given = Tree | str | DeletionSentence
"""What is compressed: a tree, its brackets, or a sentence with tags and perhaps without a tree."""
GIVEN_UP = (
    *("brackets", "pronouns", "possessives", "negation", "arguments", "coordination"),
    *("modifiers", "verb"),
)
"""Where no choice of words obeys everything, these are given up one after the other."""
MOST_OUTPUTS = 100
"""Each of the k best takes a programme of its own."""


def length_or_fraction(text: str) -> int | float:
    """A number of words from 1 up, or a fraction of them above 0 and below 1."""
    value: int | float = int(text) if text.isdecimal() else float(text)
    if not is_length(value):
        raise ValueError(f"{cited(text)} is {LENGTHS}")
    return value


LENGTHS = "a number of words from 1 up, or a fraction of the sentence above 0 and below 1"


@dataclass(frozen=True)
class ProgrammeSearch(Search):
    """What may be set when a sentence is compressed by an integer programme."""

    constraints: str | Sequence[str] = setting(
        ALL,
        f"what the output obeys: all, none, or names with commas between, of {', '.join(NAMES)}",
        metavar="all|none|NAMES",
    )
    keep: Sequence[str] | None = setting(
        None, "this word stays (may be given several times)", metavar="WORD", several=True
    )
    least: int | float | None = setting(
        None,
        "at least so many words stay, or this fraction of them (1 word if nothing is said)",
        metavar="N|SHARE",
        parse=length_or_fraction,
    )
    most: int | float | None = setting(
        None,
        "at most so many words stay, or this fraction of them (all if nothing is said)",
        metavar="N|SHARE",
        parse=length_or_fraction,
    )


class ProgrammeProblem(NamedTuple):
    """A sentence made ready: the scores of its steps, every row, points for each word, and the rows
    that are never given up (``constraints.always``)."""

    sentence: DeletionSentence
    scores: np.ndarray
    rows: tuple[Constraint, ...]
    significance: tuple[float, ...] = ()
    always: tuple[Constraint, ...] = ()


class Searched(NamedTuple):
    """The outputs, best first, and the families of constraints that had to be given up."""

    paths: list[Path]
    given_up: tuple[str, ...]


class Answer(NamedTuple):
    """What a search found: the outputs, best first, and the families that had to be given up."""

    solutions: tuple[Solution, ...]
    given_up: tuple[str, ...]


def programme_problem(
    sentence: DeletionSentence, scores: np.ndarray, significance: Sequence[float] = ()
) -> ProgrammeProblem:
    """A sentence and its scores; one without a tree has no rows (``names_of`` refuses to ask)."""
    points = tuple(significance)
    if sentence.tree is None:
        return ProgrammeProblem(sentence, scores, (), points)
    rows = tuple(constraints(sentence)), points, tuple(always(sentence))
    return ProgrammeProblem(sentence, scores, *rows)


def search_programme(
    problem: ProgrammeProblem, chosen: Mapping[str, Any], k: int, trace: Trace | None
) -> Searched:
    """The k best outputs, told to the trace with every row; ``chosen`` are all settings.

    Raises ``ValueError`` for lengths and words to keep that contradict each other or the sentence.
    """
    words = problem.sentence.words
    names = names_of(chosen["constraints"])
    if names and problem.sentence.tree is None:
        raise ValueError(
            "constraints are read off a tree, and this sentence has none: parse it, or say "
            "constraints='none'"
        )
    scores = with_points(problem, chosen)
    if trace is not None:
        begin_trace(problem.sentence, k, trace)
    answer = _answer(problem, scores, chosen, names, k)
    found = [Path(one.objective, one.kept) for one in answer.solutions]
    if trace is not None:
        names = tuple(name for name in names if name not in answer.given_up)
        _tell(problem, scores, names, chosen, answer, trace)
        for rank, path in enumerate(found):
            trace.path(rank, path.score, list(path.kept), [words[i] for i in path.kept])
    return Searched(found, answer.given_up)


def with_points(problem: ProgrammeProblem, chosen: Mapping[str, Any]) -> np.ndarray:
    """The scores with what each word brings: significance by its weight, and the bonus."""
    weight, bonus = chosen.get("significance", 0.0), chosen["bonus"]
    scores = problem.scores
    if not weight and not bonus:
        return scores
    scores = scores.copy()
    points = problem.significance or (0.0,) * len(problem.sentence)
    for place, own in enumerate(points, 1):
        scores[..., place] += weight * own + bonus
    return scores


def _answer(
    problem: ProgrammeProblem,
    scores: np.ndarray,
    chosen: Mapping[str, Any],
    names: Sequence[str],
    k: int,
) -> Answer:
    least, most = lengths_of(len(problem.sentence), chosen)
    kept = kept_rows(problem.sentence, chosen["keep"] or ())
    if len(kept) > most:
        raise ValueError(
            f"{len(kept)} words are to be kept, but {most} at most: give a higher most"
        )
    families = tuple(name for name in GIVEN_UP if name in names)
    for given_up in (families[:size] for size in range(len(families) + 1)):
        there = {*names} - {*given_up}
        rows = [*kept, *(row for row in problem.rows if row.name in there)]
        rows += problem.always if names else ()
        found = solve(scores, rows, least, most)
        if found is not None:
            break
    else:  # words to keep, or a length, may ask for half a bracket
        rows, given_up = [*kept], families
        found = solve(scores, rows, least, most)
    if found is None:
        raise ValueError("no choice of words has this length and keeps these words")
    solutions = [found]
    while len(solutions) < k:
        rows.append(_another(solutions[-1].kept, len(problem.sentence)))
        found = solve(scores, rows, least, most)
        if found is None:
            break
        solutions.append(found)
    return Answer(tuple(solutions), given_up)


def score_of_choice(
    problem: ProgrammeProblem, chosen: Mapping[str, Any], kept: Sequence[int]
) -> float | None:
    """The score of keeping just these words; ``None`` where that breaks a row or the length."""
    names = {*names_of(chosen["constraints"])}
    least, most = lengths_of(len(problem.sentence), chosen)
    rows = [row for row in problem.rows if row.name in names]
    rows += problem.always if names else ()
    rows += kept_rows(problem.sentence, chosen["keep"] or ())
    if not least <= len(kept) <= most or not all(row.holds(kept) for row in rows):
        return None
    return path_score(with_points(problem, chosen), kept)


def _another(kept: Sequence[int], words: int) -> Constraint:
    """A row that any other choice of words obeys."""
    there = {*kept}
    signs = tuple(1.0 if i not in there else -1.0 for i in range(words))
    says = "another choice of words"
    return Constraint("another", says, tuple(range(words)), signs, 1.0 - len(kept), math.inf)


def _tell(
    problem: ProgrammeProblem,
    scores: np.ndarray,
    names: Sequence[str],
    chosen: Mapping[str, Any],
    answer: Answer,
    trace: Trace,
) -> None:
    """Each row, whether the best choice without any would break it, and the solution."""
    free = solve(scores)
    kept_without = () if free is None else free.kept
    rows = [row for row in problem.rows if row.name in names]
    for row in [*kept_rows(problem.sentence, chosen["keep"] or ()), *rows]:
        broken = 0 if row.holds(kept_without) else 1
        trace.demand(row.name, row.says, list(row.indices), broken)
    best = answer.solutions[0]
    trace.programme(list(names), list(best.kept), best.objective, best.nodes)


# --- settings -------------------------------------------------------------------------------------


def names_of(given: str | Sequence[str]) -> tuple[str, ...]:
    """The names that are meant: ``all``, ``none``, names with commas between, or a list of them.

    Raises ``ValueError`` for a name that there is not.
    """
    if given == ALL:
        return NAMES
    if given == NONE:
        return ()
    if isinstance(given, str):
        given = [name.strip() for name in given.split(",")]
    return check_names(given)


def check_programme_search(chosen: Mapping[str, Any], usual_least: float | None = None) -> None:
    """Raise ``ValueError`` for a setting that cannot be.

    ``usual_least`` is the least where nothing is said; a length or a rate takes its place.
    """
    check_lengths(chosen)
    names_of(chosen["constraints"])
    keep = chosen["keep"] or ()
    if isinstance(keep, str) or not all(isinstance(word, str) for word in keep):
        raise ValueError(f"keep is a list of words, not {cited(keep)}")
    for name in ("least", "most"):
        value = chosen[name]
        if value is not None and not is_length(value):
            raise ValueError(f"{name} ({cited(value)}) is {LENGTHS}")
    is_exact = chosen["length"] is not None or chosen["rate"] is not None
    if is_exact and chosen["most"] is not None:
        raise ValueError("a length or a rate says how many words stay: leave most out")
    if is_exact and chosen["least"] not in (None, usual_least):
        raise ValueError("a length or a rate says how many words stay: leave least out")


def is_length(value: Any) -> bool:
    """Whether it is a number of words, or a share of them."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return value >= 1 if isinstance(value, int) else 0 < value < 1


def lengths_of(words: int, chosen: Mapping[str, Any]) -> tuple[int, int]:
    """The least and the most words that stay of so many; shares are rounded to what obeys them.

    A sentence with fewer words than the least keeps all. Raises ``ValueError`` where the least is
    more than the most.
    """
    exact = wanted_length(words, chosen)
    if exact is not None:
        return exact, exact
    least, most = chosen["least"], chosen["most"]
    if isinstance(least, float):
        least = math.ceil(least * words - 1e-9)
    if isinstance(most, float):
        most = max(1, math.floor(most * words + 1e-9))
    least, most = min(least or 1, words), words if most is None else min(most, words)
    if not least <= most:
        raise ValueError(f"at least {least} and at most {most} of {words} words cannot stay")
    return least, most
