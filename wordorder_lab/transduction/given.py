"""What both engines of the tree transducer take: a problem with its scores, and how to search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.structures.messages import cited
from wordorder_lab.transduction.losses import Loss
from wordorder_lab.transduction.problem import TransductionProblem


class Beam(NamedTuple):
    """How much of a cell is looked at: unique items, and combinations in all; 0 is no bound."""

    unique: int
    total: int


BEAMS = {"experiments": Beam(100, 200), "training": Beam(200, 500), "exact": Beam(0, 0)}
"""The paper's two settings (sections 6.1 and 3.5), and none."""

SEARCHES = ("cube", "exhaustive")
"""Cube pruning, or Algorithm 4 as it is printed: every combination, then the beam."""


@dataclass(frozen=True)
class TransductionInput:
    """A source tree, the score of each of its applications, and what else is scored.

    ``scores[a]`` is <w, phi> of application ``a``, ``ngram_weight`` the weight of the
    log-probability under ``ngrams``. With a ``loss`` the search is for the output that has a high
    score and a high loss (equation 11).
    """

    problem: TransductionProblem
    scores: Sequence[float]
    ngrams: NGramModel
    ngram_weight: float
    loss: Loss | None = None


class Derived(NamedTuple):
    """A derivation that was found: its applications in pre-order, its score without the loss.

    ``loss`` is 0 where none is searched with.
    """

    applications: tuple[int, ...]
    score: float
    loss: float


class Transduced(NamedTuple):
    """The derivations found, best first, and how much work it was."""

    best: tuple[Derived, ...]
    counters: dict[str, int]


def check_search(search: str, beam: Beam) -> None:
    """Raise ``ValueError`` for a search or a beam that there is not."""
    if search not in SEARCHES:
        raise ValueError(
            f"no search is called {cited(search)}: choose one of {', '.join(SEARCHES)}"
        )
    if beam.unique < 0 or beam.total < 0 or (search == "exhaustive" and beam.total):
        raise ValueError(
            f"a beam has a number of unique items and one of all, 0 for no bound, not {beam}; "
            "an exhaustive search visits all combinations, so it takes no second number"
        )
