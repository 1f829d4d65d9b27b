"""What a structured SVM can be told, what it learns from, and what it says about a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from wordorder_lab.structures.messages import cited
from wordorder_lab.transduction.working_set import Constraint

InOrder = Callable[[Callable[[int], Constraint], Sequence[int]], Iterable[Constraint]]
"""Calls a search with one number after the other, and gives the results in their order; where, and
how many at once, is its own affair. ``map`` is one."""

ONE_SLACK, N_SLACK = "1-slack", "n-slack"
FORMULATIONS = (ONE_SLACK, N_SLACK)

CONVERGED, ITERATIONS = "converged", "iterations"
"""Why a run stopped: the gap is small enough, or there were as many iterations as allowed."""


class Examples(Protocol):
    """What is learned from."""

    def __len__(self) -> int: ...

    def most_violated(self, i: int, weights: np.ndarray) -> Constraint:
        """The output of example ``i`` with the highest loss - <weights, Psi(gold) - Psi(output)>.

        ``weights`` has one number a feature. It is the same array until the weights change, and not
        to be written to.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class SvmSettings:
    """How a structured SVM learns.

    - ``C`` weighs the slacks against the length of w.
    - ``scaling`` multiplies all features inside the learner (the paper's footnote 14: margin
      rescaling is not scale invariant). Neither the searches nor the learned weights see it.
    - ``tolerance``: stop when this share of what could be gained from zero weights on is left.
    - ``max_iterations``: searches on every example, at most.
    - ``batch``, with n slacks: new constraints until the next solution; 0 is a tenth of the
      examples, 1 is the paper's way.
    - ``patience``: a constraint goes after so many solutions in a row in which it did nothing.
    - ``seed``, with n slacks: every pass in an order of its own; without it, as the examples stand.

    Raises ``ValueError`` for a setting that cannot be.
    """

    C: float = 0.01
    scaling: float = 1.0
    formulation: str = ONE_SLACK
    tolerance: float = 0.01
    max_iterations: int = 200
    batch: int = 0
    patience: int = 50
    seed: int | None = None

    def __post_init__(self) -> None:
        for name in ("C", "scaling", "tolerance"):
            _check_positive(name, getattr(self, name))
        if self.tolerance >= 1:
            raise ValueError(f"the tolerance is a share below 1, not {cited(self.tolerance)}")
        if self.formulation not in FORMULATIONS:
            names = ", ".join(FORMULATIONS)
            raise ValueError(f"the formulation {cited(self.formulation)} is none of {names}")
        check_whole("max_iterations", self.max_iterations, 1)
        check_whole("batch", self.batch, 0)
        check_whole("patience", self.patience, 1)
        if self.seed is not None:
            check_whole("seed", self.seed, 0)


def _check_positive(name: str, value: Any) -> None:
    if not (isinstance(value, int | float) and 0 < value < float("inf")):
        raise ValueError(f"{name} is a number above 0, not {cited(value)}")


def check_whole(name: str, value: Any, least: int) -> None:
    """Raise ``ValueError`` for what is no whole number from ``least`` on."""
    if not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name} is a whole number, at least {least}, not {cited(value)}")


class Iteration(NamedTuple):
    """One line of the history: a search on every example, and the weights found anew.

    ``constraints`` is the size of the working set, ``primal`` and ``dual`` are its objective and
    dual value; ``bound`` is the least objective over all outputs that is known so far. ``loss`` is
    the mean loss of the outputs found, ``violated`` counts those that violate their margin.
    ``seconds`` are those of the iteration, ``qp_seconds`` of them went into quadratic programmes.
    """

    iteration: int
    constraints: int
    primal: float
    dual: float
    bound: float
    loss: float
    violated: int
    seconds: float
    qp_seconds: float


@dataclass(frozen=True, slots=True)
class Learned:
    """What a run gives back: ``weights`` for unscaled features, shape (features,).

    ``bound`` is the least objective over all outputs that was found, and ``weights`` are those that
    have it; but if the run ended before any were better than zero weights, they are the last ones.
    ``dual`` is a lower bound of the best objective; ``stopped`` is "converged" or "iterations".
    """

    weights: np.ndarray
    history: tuple[Iteration, ...]
    bound: float
    dual: float
    stopped: str

    @property
    def gap(self) -> float:
        """By how much ``bound`` may be above the best objective, at most."""
        return self.bound - self.dual
