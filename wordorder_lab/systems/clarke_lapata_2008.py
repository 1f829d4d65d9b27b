"""``clarke-lapata-2008-ilp``: McDonald's scores, and constraints on what may be left out.

Clarke & Lapata (2008), Global Inference for Sentence Compression: An Integer Linear Programming
Approach (JAIR 31). Cohn & Lapata (2009, section 5) compare their transducer with this model: the
scores of bigrams are learned as in ``mcdonald-2006``, the best compression is that of an integer
programme (``deletion/integer_programme``) with linguistic constraints (``deletion/constraints``).

Differences
- *Our reading*: the paper was not at hand. Constraints play no part in learning; the
  features are those of our ``mcdonald-2006``.
- *Our reading*: where no choice of words obeys everything (all verbs' subjects in brackets, say),
  families of constraints are given up, that of brackets first (``GIVEN_UP``);
  ``counters["given_up"]`` says how many.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from wordorder_lab.deletion import constraints as rules
from wordorder_lab.deletion.constraints import NAMES, Constraint, kept_rows
from wordorder_lab.deletion.integer_programme import Solution, path_score, solve
from wordorder_lab.deletion.lattice import Path, tell
from wordorder_lab.deletion.reasons import told_choices
from wordorder_lab.models.file_parts import Json
from wordorder_lab.structures.deletion import DeletionSentence
from wordorder_lab.structures.messages import check_most, cited
from wordorder_lab.structures.reasons import Reasons
from wordorder_lab.structures.trace import Event, Trace
from wordorder_lab.systems import mcdonald_2006 as mcdonald
from wordorder_lab.systems.mcdonald_2006 import DeletionProblem, Given
from wordorder_lab.systems.setting import Chosen, SettingsClass, setting
from wordorder_lab.systems.system import System

SYSTEM = "clarke-lapata-2008-ilp"
ALL, NONE = "all", "none"
GIVEN_UP = tuple(
    "brackets pronouns possessives negation arguments coordination modifiers verb".split()
)
"""Where no choice of words obeys everything, these are given up one after the other."""
MOST_OUTPUTS = 100
"""Each of the k best takes a programme of its own."""
LENGTHS = "a number of words from 1 up, or a fraction of the sentence above 0 and below 1"


def length_or_fraction(text: str) -> int | float:
    """A number of words from 1 up, or a fraction of them above 0 and below 1."""
    value: int | float = int(text) if text.isdecimal() else float(text)
    if not is_length(value):
        raise ValueError(f"{cited(text)} is {LENGTHS}")
    return value


def is_length(value: object) -> bool:
    """Whether it is a number of words, or a share of them."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return value >= 1 if isinstance(value, int) else 0 < value < 1


def length(default: float | None, help: str) -> Any:
    """``least`` or ``most``."""
    return setting(default, help, metavar="N|SHARE", parse=length_or_fraction)


@dataclass(frozen=True)
class ProgrammeSearch(mcdonald.Search):
    """What may be set when a sentence is compressed by an integer programme."""

    constraints: str | Sequence[str] = setting(
        ALL,
        f"what the output obeys: all, none, or names with commas between, of {', '.join(NAMES)}",
        metavar="all|none|NAMES",
    )
    keep: Sequence[str] | None = setting(
        None, "this word stays (may be given several times)", metavar="WORD", several=True
    )
    least: int | float | None = length(
        None, "at least so many words stay, or this fraction of them (1 word if nothing is said)"
    )
    most: int | float | None = length(
        None, "at most so many words stay, or this fraction of them (all if nothing is said)"
    )


class Searched(NamedTuple):
    """The solutions, best first, and the families of constraints that had to be given up."""

    solutions: list[Solution]
    given_up: tuple[str, ...]


def programme_problem(
    sentence: DeletionSentence, scores: np.ndarray, significance: Sequence[float] = ()
) -> DeletionProblem:
    """A sentence and its scores; one without a tree has no rows, and a search refuses to ask."""
    points = tuple(significance)
    if sentence.tree is None:
        return DeletionProblem(sentence, scores, points)
    rows, always = tuple(rules.constraints(sentence)), tuple(rules.always(sentence))
    return DeletionProblem(sentence, scores, points, rows, always)


def with_points(problem: DeletionProblem, chosen: Chosen) -> np.ndarray:
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
    problem: DeletionProblem, scores: np.ndarray, chosen: Chosen, names: Sequence[str], k: int
) -> Searched:
    """Raises ``ValueError`` for lengths and words to keep that contradict each other or the
    sentence."""
    least, most = lengths_of(len(problem.sentence), chosen)
    kept = kept_rows(problem.sentence, chosen["keep"] or ())
    if len(kept) > most:
        raise ValueError(
            f"{len(kept)} words are to be kept, but {most} at most: give a higher most"
        )
    families = tuple(name for name in GIVEN_UP if name in names)
    for given_up in (families[:size] for size in range(len(families) + 1)):
        rows = [*kept, *_rows(problem, names, given_up)]
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
    return Searched(solutions, given_up)


def score_of_choice(problem: DeletionProblem, chosen: Chosen, kept: Sequence[int]) -> float | None:
    """The score of keeping just these words; ``None`` where that breaks a row or the length."""
    least, most = lengths_of(len(problem.sentence), chosen)
    rows = _rows(problem, names_of(chosen["constraints"]))
    rows += kept_rows(problem.sentence, chosen["keep"] or ())
    if not least <= len(kept) <= most or not all(row.holds(kept) for row in rows):
        return None
    return path_score(with_points(problem, chosen), kept)


def _rows(
    problem: DeletionProblem, names: Sequence[str], given_up: Sequence[str] = ()
) -> list[Constraint]:
    """The rows of these families, and those that hold wherever any does."""
    there = {*names} - {*given_up}
    rows = [row for row in problem.rows if row.name in there]
    return [*rows, *problem.always] if names else rows


def _another(kept: Sequence[int], words: int) -> Constraint:
    """A row that any other choice of words obeys."""
    there = {*kept}
    signs = tuple(1.0 if i not in there else -1.0 for i in range(words))
    says = "another choice of words"
    return Constraint("another", says, tuple(range(words)), signs, 1.0 - len(kept), math.inf)


def _tell(
    problem: DeletionProblem,
    scores: np.ndarray,
    names: Sequence[str],
    chosen: Chosen,
    answer: Searched,
    trace: Trace,
) -> None:
    """The best choice of such a length without any row, each row and whether that one would break
    it, and the solutions."""
    words = problem.sentence.words
    there = [name for name in names if name not in answer.given_up]
    free = solve(scores, (), *lengths_of(len(words), chosen))
    kept_without = () if free is None else free.kept
    if free is not None:
        tell([Path(free.objective, free.kept)], trace, words)
    rows = [row for row in problem.rows if row.name in there]
    for row in [*kept_rows(problem.sentence, chosen["keep"] or ()), *rows]:
        broken = 0 if row.holds(kept_without) else 1
        trace.demand(row.name, row.says, list(row.indices), broken)
    best = answer.solutions[0]
    trace.programme(there, list(best.kept), best.objective, best.nodes)
    for rank, one in enumerate(answer.solutions[1:], 1):
        trace.path(rank, one.objective, list(one.kept), [words[i] for i in one.kept])


# --- settings -------------------------------------------------------------------------------------


def names_of(given: str | Sequence[str]) -> tuple[str, ...]:
    """The names that are meant: ``all``, ``none``, names with commas between, or a list of them.
    Raises ``ValueError`` for a name that there is not."""
    if given == ALL:
        return NAMES
    if given == NONE:
        return ()
    if isinstance(given, str):
        given = [name.strip() for name in given.split(",")]
    return rules.check_names(given)


def lengths_of(words: int, chosen: Chosen) -> tuple[int, int]:
    """The least and the most words that stay of so many; shares are rounded to what obeys them. A
    sentence with fewer words than the least keeps all. Raises ``ValueError`` where the least is
    more than the most."""
    exact = mcdonald.wanted_length(words, chosen)
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


class ByProgramme(mcdonald.DeletingModel):
    """A model of either system: it says what the ``problem`` of a sentence is, and this solves it.
    The engines differ in how scores are made; the solver is the same."""

    LEAST: ClassVar[float | None] = None
    """How many words stay at least where nothing is said; a length or a rate takes its place."""
    Search: ClassVar[SettingsClass] = ProgrammeSearch

    def _run(
        self, problem: DeletionProblem, chosen: Json, k: int, _engine: str, trace: Trace | None
    ) -> tuple[list[Path], dict[str, int]]:
        """The k best outputs, told to the trace with every row."""
        check_most("k", k, MOST_OUTPUTS)
        names = names_of(chosen["constraints"])
        if names and problem.sentence.tree is None:
            raise ValueError(
                "constraints are read off a tree, and this sentence has none: parse it, or say "
                "constraints='none'"
            )
        scores = with_points(problem, chosen)
        mcdonald.begin_trace(problem.sentence, k, trace)
        answer = _answer(problem, scores, chosen, names, k)
        if trace is not None:
            _tell(problem, scores, names, chosen, answer, trace)
        paths = [Path(one.objective, one.kept) for one in answer.solutions]
        return paths, {"given_up": len(answer.given_up)}

    def check_search(self, chosen: Chosen) -> None:
        """Raise ``ValueError`` for constraints, words to keep or lengths that cannot be."""
        super().check_search(chosen)
        names_of(chosen["constraints"])
        keep = chosen["keep"] or ()
        if isinstance(keep, str) or not all(isinstance(word, str) for word in keep):
            raise ValueError(f"keep is a list of words, not {cited(keep)}")
        is_exact = chosen["length"] is not None or chosen["rate"] is not None
        for name, usual in (("least", self.LEAST), ("most", None)):
            value = chosen[name]
            if value is not None and not is_length(value):
                raise ValueError(f"{name} ({cited(value)}) is {LENGTHS}")
            if is_exact and value not in (None, usual):
                raise ValueError(f"a length or a rate says how many words stay: leave {name} out")


@dataclass(repr=False)
class ProgrammeModel(ByProgramme, mcdonald.DeletionModel):
    """A trained model of ``clarke-lapata-2008-ilp``: the weights of ``mcdonald-2006``."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (SYSTEM,)

    @classmethod
    def of(cls, model: mcdonald.DeletionModel) -> Self:
        """The scores of a trained ``mcdonald-2006``, to be searched under constraints."""
        return cls(model.features, model.weights, dict(model.settings))

    def _reasons(self, problem: DeletionProblem, chosen: Json, events: Sequence[Event]) -> Reasons:
        """What each choice that was told is made of: the points of all its bigrams."""
        bigrams = super()._reasons(problem, chosen, events).points
        end = len(problem.sentence) + 1
        found = {}
        for name, kept in told_choices(events):
            steps = pairwise([0, *(place + 1 for place in kept), end])
            found[name] = [part for i, j in steps for part in bigrams[f"{i} {j}"]]
        return Reasons(found)

    def problem(self, given: Given, engine: str | None = None) -> DeletionProblem:
        """A sentence made ready for the search. Raises as ``compress``."""
        sentence = mcdonald.sentence_of(given)
        return programme_problem(sentence, self.bigram_scores(sentence, engine))


SYSTEMS = {
    SYSTEM: System(
        "The same with constraints, as an integer programme (Clarke & Lapata 2008)",
        mcdonald.Settings,
        partial(mcdonald.learn, kind=ProgrammeModel),
        ProgrammeModel,
        takes_options=True,
    )
}
"""McDonald's model with another search, as in Cohn & Lapata (2009, section 5): constraints are not
learned with."""
