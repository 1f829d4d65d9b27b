"""``clarke-lapata-2008-ilp``: McDonald's scores, and constraints on what may be left out.

Clarke & Lapata (2008), Global Inference for Sentence Compression: An Integer Linear Programming
Approach (JAIR 31). Cohn & Lapata (2009, section 5) compare their transducer with this model: the
scores of bigrams are learned as in ``mcdonald-2006``, the best compression is that of an integer
programme (``deletion/integer_programme``) with linguistic constraints (``deletion/constraints``).

Differences
- *Our reading*: the paper was not at hand. Constraints play no part in learning; the
  features are those of our ``mcdonald-2006``.
- *Our reading*: where no choice of words obeys everything (all verbs' subjects in brackets, say),
  families of constraints are given up, that of brackets first (``programme_search.GIVEN_UP``);
  ``counters["given_up"]`` says how many.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, Self

from wordorder_lab.deletion.lattice import Path
from wordorder_lab.structures.deletion import Deletion
from wordorder_lab.structures.messages import check_most
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems.mcdonald_2006 import DeletionModel, deletion_of, sentence_of
from wordorder_lab.systems.model import choose_engine
from wordorder_lab.systems.programme_search import (
    ALL,
    MOST_OUTPUTS,
    Given,
    ProgrammeProblem,
    ProgrammeSearch,
    Searched,
    check_programme_search,
    names_of,
    programme_problem,
    search_programme,
)

__all__ = ["SYSTEM", "ProgrammeModel", "with_and_without"]

SYSTEM = "clarke-lapata-2008-ilp"
MOST_SWITCHES = 8
"""Switching n families on and off takes 2^n programmes; there are no more families."""


@dataclass(repr=False)
class ProgrammeModel(DeletionModel):
    """A trained model of ``clarke-lapata-2008-ilp``: the weights of ``mcdonald-2006``."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (SYSTEM,)
    Search: ClassVar[type[Any]] = ProgrammeSearch

    system: str = SYSTEM

    @classmethod
    def of(cls, model: DeletionModel) -> Self:
        """The scores of a trained ``mcdonald-2006``, to be searched under constraints."""
        return cls(model.features, model.weights, dict(model.settings))

    def problem(self, given: Given, engine: str | None = None) -> ProgrammeProblem:  # type: ignore[override]
        """A sentence made ready for the search. Raises as ``compress``."""
        sentence = sentence_of(given)
        return programme_problem(sentence, self.bigram_scores(sentence, engine))

    def search(  # type: ignore[override]
        self,
        problem: ProgrammeProblem,
        *,
        k: int = 1,
        engine: str | None = None,
        trace: Trace | None = None,
        **settings: Any,
    ) -> list[Path]:
        """The programme alone, with ``settings`` as ``search_settings`` takes them.

        The engines differ in how scores are made; the solver is the same. Raises ``ValueError`` for
        lengths and words to keep that contradict each other or the sentence.
        """
        return self._searched(problem, k=k, engine=engine, trace=trace, **settings).paths

    def outputs(self, problem: ProgrammeProblem, **how: Any) -> Deletion:  # type: ignore[override]
        """The best outputs of a problem; ``how`` as in ``compress``."""
        found = self._searched(problem, **how)
        return deletion_of(problem.sentence, found.paths, {"given_up": len(found.given_up)})

    def _searched(
        self,
        problem: ProgrammeProblem,
        *,
        k: int = 1,
        engine: str | None = None,
        trace: Trace | None = None,
        **settings: Any,
    ) -> Searched:
        choose_engine(engine)
        chosen = self.search_settings(**settings)
        check_most("k", k, MOST_OUTPUTS)
        return search_programme(problem, chosen, k, trace)

    def check_search(self, chosen: dict[str, Any]) -> None:
        """Raise ``ValueError`` for constraints or lengths that cannot be."""
        check_programme_search(chosen)


def with_and_without(
    model: Any, tree: Given, names: Sequence[str] | str = ALL, **search: Any
) -> Mapping[tuple[str, ...], tuple[int, ...]]:
    """The kept words under every choice of some of these constraints, from none of them to all.

    A key has the names that are switched on, in the order of ``constraints.NAMES``; its value the
    places of the kept words, from 0. ``search`` are other settings. Raises ``ValueError`` as
    ``compress``.
    """
    chosen = names_of(names)
    check_most("names of constraints:", len(chosen), MOST_SWITCHES)
    problem = model.problem(tree)
    found = {}
    for size in range(len(chosen) + 1):
        for some in combinations(chosen, size):
            found[some] = model.search(problem, constraints=some, **search)[0].kept
    return found
