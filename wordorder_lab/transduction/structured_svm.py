"""The structured SVM: cutting planes, with one slack an example or one for all.

Cohn & Lapata 2009, section 3.5, equations 10 and 11, after Tsochantaridis et al. (2005):

    minimise 1/2 |w|^2 + C/n sum_i slack_i,   where for every example i and every output d
    <w, Psi(gold_i) - Psi(d)> >= loss(d) - slack_i   and   slack_i >= 0          (margin rescaling)

There are too many outputs to write them all down. So the learner keeps a working set of
constraints. With the weights that are best for these, a search finds for an example the output that
violates its margin most, the maximiser of H(d) = loss(d) - <w, Psi(gold) - Psi(d)>; its constraint
comes into the set, and the weights are found anew.

    "n-slack"   a constraint is one output of one example; it comes in if its H is above the slack
                that the example has anyway, by more than a tolerance
    "1-slack"   a constraint is the mean over all examples (Joachims, Finley & Yu 2009); one comes
                in an iteration. The best w is the same, the programmes are much smaller.

Two numbers say how far it is. No weights have an objective below the dual value of a working set.
And searching all examples with the same weights gives the objective of these weights over all
outputs; the least one so far is ``bound``. The first is that of zero weights. The run stops when
what may still be gained, bound - dual, is at most the share ``tolerance`` of what could be gained
from zero weights on. (A share of the objective itself would not do: with a small C, zero weights
may be within a hundredth of the best objective, and yet they prefer nothing to anything.) A search
with a beam may miss what violates most, and then ``bound`` is as good as the searches were; but it
is never below what the constraints in the set prove.

Differences
- *Our reading*, Algorithm 3: with n slacks the paper solves after every example, this after every
  ``batch`` new constraints and at the end of a pass; the first pass searches with zero weights
  throughout.
- *Paper silent*: the tolerance of a single constraint follows from that of the run.
- *Our reading*: where no output that a search finds violates its margin, the gold one does, with
  H = 0.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from wordorder_lab.models.file_parts import (
    BEYOND_REASON,
    WRONG_PARTS,
    exactly,
    in_range,
    number,
    row,
    rows,
    whole,
)
from wordorder_lab.models.model_file import ModelError, load_arrays, save_arrays
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.messages import brief, cited
from wordorder_lab.structures.trace import Trace
from wordorder_lab.transduction.working_set import Constraint, WorkingSet, check_constraint, total

FilePath = str | os.PathLike[str]
Identity = Mapping[str, object] | None
"""What the examples of a run depend on, as JSON has it."""

InOrder = Callable[[Callable[[int], Constraint], Sequence[int]], Iterable[Constraint]]
"""Calls a search with one number after the other, and gives the results in their order; where, and
how many at once, is its own affair. ``map`` is one."""

ONE_SLACK, N_SLACK = "1-slack", "n-slack"
FORMULATIONS = (ONE_SLACK, N_SLACK)

CONVERGED, ITERATIONS = "converged", "iterations"
"""Why a run stopped: the gap is small enough, or there were as many iterations as allowed."""


class Examples(Protocol):
    """What is learned from."""

    def __len__(self) -> int:
        """How many there are."""

    def most_violated(self, i: int, weights: np.ndarray) -> Constraint:
        """The output of example ``i`` with the highest loss - <weights, Psi(gold) - Psi(output)>.
        ``weights``, one a feature, stay the same array until they change; only read them."""


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


def _check_positive(name: str, value: object) -> None:
    if not (isinstance(value, int | float) and 0 < value < float("inf")):
        raise ValueError(f"{name} is a number above 0, not {cited(value)}")


def check_whole(name: str, value: object, least: int) -> None:
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


ROUNDING = 1e-9
"""A gap that is this share of the objective is none."""
UNSOLVED = 1e-3
"""A quadratic programme with a larger gap, as a share of its objective, is of no use."""


class StructuredSVM:
    """The learner: ``run`` learns. ``features`` is how many there are.

    ``best`` are the weights of ``bound``, ``weights`` those of the last solution, both for scaled
    features; ``dual`` is the highest dual value so far.

    Raises ``ValueError`` if there is nothing to learn from.
    """

    def __init__(
        self, examples: Examples, features: int, settings: SvmSettings | None = None
    ) -> None:
        self.settings = settings or SvmSettings()
        check_whole("the number of features", features, 1)
        check_whole("the number of examples", len(examples), 1)
        self.examples, self.features = examples, features
        self.C, self.scaling = float(self.settings.C), float(self.settings.scaling)
        self.batch = self.settings.batch or max(1, len(examples) // 10)
        slacks = 1 if self.settings.formulation == ONE_SLACK else len(examples)
        self.working = WorkingSet(features, slacks, self.C / slacks, self.settings.patience)
        self.weights = self.given = self.best = np.zeros(features)
        self.bound, self.dual = np.inf, 0.0
        self.history: list[Iteration] = []
        self.lost, self.violated, self.qp_seconds = 0.0, 0, 0.0  # in this iteration
        self.in_order: InOrder = map
        self.trace: Trace | None = None
        self.searched: Callable[[], object] = int  # called after every search

    def run(
        self,
        *,
        checkpoint: FilePath | None = None,
        identity: Identity = None,
        progress: bool = False,
        on_iteration: Callable[[Iteration, np.ndarray], None] | None = None,
        trace: Trace | None = None,
        in_order: InOrder = map,
    ) -> Learned:
        """Learn until the gap is small enough or ``max_iterations`` are done.

        ``checkpoint`` is written after every iteration, and gone on from where there is one, with
        the same result to the bit; one with another ``identity``, which says in JSON what else the
        examples depend on, is refused (``ModelError``). ``on_iteration`` gets the line of the
        history and the best weights so far. ``in_order`` may make several searches at once, with
        one slack.
        """
        self.in_order = in_order if self.settings.formulation == ONE_SLACK else map
        self.trace = trace
        if checkpoint is not None:
            resume(checkpoint, self, identity)
        done = len(self.history) * len(self.examples)
        with progress_bar(initial=done, unit=" searches", wanted=progress) as shown:
            self.searched = shown.update
            while not self.stopped:
                self._iterate()
                bounds = f"{self.dual:.4g} to {self.bound:.4g}"
                shown.set_description(f"iteration {len(self.history)}, {bounds}")
                if checkpoint is not None:
                    save_checkpoint(checkpoint, self, identity)
                if on_iteration is not None:
                    on_iteration(self.history[-1], self.learned())
        history = tuple(self.history)
        return Learned(self.learned(), history, self.bound, self.dual, self.stopped)

    def learned(self) -> np.ndarray:
        """The best weights so far, for unscaled features; the last ones while none is known to be
        better than zero."""
        return (self.best if self.best.any() else self.weights) * self.scaling

    @property
    def stopped(self) -> str:
        """Why there is nothing more to do, or ""."""
        if self.history and self.bound - self.dual <= max(self.enough, ROUNDING * self.bound):
            return CONVERGED
        return ITERATIONS if len(self.history) >= self.settings.max_iterations else ""

    @property
    def enough(self) -> float:
        """The gap that is small enough, given what zero weights and the dual say."""
        start = self.history[0].bound if self.history else self.dual
        return self.settings.tolerance * (start - self.dual)

    def _iterate(self) -> None:
        begin = time.perf_counter()
        self.lost, self.violated, self.qp_seconds = 0.0, 0, 0.0
        if self.settings.formulation == ONE_SLACK:
            self._one_slack()
        else:
            self._n_slack()
        primal, dual = self._values()
        self.dual = max(self.dual, dual)
        # What a search missed, later ones may have found.
        self.bound = max(self.bound, self.working.primal(self.best))
        now = Iteration(
            iteration=len(self.history) + 1,
            constraints=len(self.working),
            primal=primal,
            dual=dual,
            bound=self.bound,
            loss=self.lost / len(self.examples),
            violated=self.violated,
            seconds=time.perf_counter() - begin,
            qp_seconds=self.qp_seconds,
        )
        self.history.append(now)
        if self.trace is not None:
            self.trace.solved(now.iteration, now.constraints, primal, dual, self.bound)

    def _values(self) -> tuple[float, float]:
        """Objective and dual value over the working set; ``ValueError`` if they are far apart."""
        primal, dual = self.working.primal(self.weights), self.working.dual()
        if not (math.isfinite(primal) and primal - dual <= UNSOLVED * primal):
            raise ValueError(
                f"C = {self.C:g} with scaling {self.scaling:g} is too much for these features: the "
                f"quadratic programme over {len(self.working)} constraints was solved to "
                f"{dual:.4g} of {primal:.4g} only. Take a smaller C or a smaller scaling"
            )
        return primal, dual

    def _one_slack(self) -> None:
        n = len(self.examples)
        mean, loss, slack = np.zeros(self.features), 0.0, 0.0
        for _, found, violation in self._searches(range(n)):
            if violation > 0.0:
                mean[found.features] += found.values / n
                loss += found.loss / n
                slack += violation / n
        self._certify(max(slack, float(self.working.slacks(self.weights)[0])))
        if slack > 0.0:
            ids = np.flatnonzero(mean)
            self._solve([(0, Constraint(ids, mean[ids], loss))])

    def _n_slack(self) -> None:
        """Search one after the other; solve when ``batch`` constraints wait, and at the end."""
        first, same = not self.history, True
        waiting: list[tuple[int, Constraint]] = []
        slacks = self.working.slacks(self.weights)
        enough = self.enough / (2 * self.C)  # nothing is above it: half the gap is still allowed
        for i, found, violation in self._searches(self._order()):
            if violation > slacks[i] + enough:
                waiting.append((i, found))
            slacks[i] = max(slacks[i], violation)
            if len(waiting) >= self.batch and not first:
                self._solve(waiting)
                slacks, waiting, same = self.working.slacks(self.weights), [], False
        if same:
            self._certify(total(slacks) / len(slacks))
        if waiting:
            self._solve(waiting)

    def _order(self) -> list[int]:
        order = np.arange(len(self.examples))
        if self.settings.seed is not None:
            generator = np.random.default_rng([self.settings.seed, len(self.history)])
            generator.shuffle(order)
        return order.tolist()

    def _searches(self, order: Sequence[int]) -> Iterator[tuple[int, Constraint, float]]:
        """Search every example with the weights of the moment: its number, what was found (with
        scaled features), and H, at least 0."""
        searches = self.in_order(lambda i: self.examples.most_violated(i, self.given), order)
        for i, found in zip(order, searches, strict=True):
            check_constraint(found, i, self.features)
            found = found._replace(values=found.values * self.scaling)
            margin = total(found.values * self.weights[found.features])
            violation = float(found.loss) - margin
            self.lost += float(found.loss)
            self.violated += violation > 0.0
            if self.trace is not None:
                self.trace.violation(i, float(found.loss), margin, violation)
            self.searched()
            yield i, found, max(violation, 0.0)

    def _certify(self, slack: float) -> None:
        """All examples were searched with these weights, and this is the mean of their slacks."""
        objective = total(self.weights * self.weights) / 2 + self.C * slack
        if objective < self.bound:
            self.bound, self.best = objective, self.weights

    def _solve(self, found: list[tuple[int, Constraint]]) -> None:
        begin = time.perf_counter()
        self.working.extend(found)
        self.working.solve()
        self.take_weights()
        self.qp_seconds += time.perf_counter() - begin

    def take_weights(self) -> None:
        """From now on search with the weights of the working set."""
        self.weights = self.working.weights()
        self.given = self.weights * self.scaling


# --- Checkpoints


SYSTEM = "structured-svm checkpoint"

SAME = 1e-6
"""A dual value that was computed on another machine may differ by this share."""


def save_checkpoint(path: FilePath, svm: StructuredSVM, identity: Identity) -> None:
    """Write a checkpoint atomically. Raises ``OSError`` if the folder cannot be written."""
    header = {
        "system": SYSTEM,
        "identity": _identity(svm, identity),
        "bound": svm.bound,
        "dual": svm.dual,
        "history": svm.history,
    }
    save_arrays(path, header, {**svm.working.arrays(), "best": svm.best})


def resume(path: FilePath, svm: StructuredSVM, identity: Identity) -> None:
    """Go on from a checkpoint if there is one. Raises ``ModelError`` if it is of another run."""
    if not Path(path).exists():
        return
    header, arrays = load_arrays(path)
    if header.get("system") != SYSTEM or header.get("identity") != _identity(svm, identity):
        raise ModelError(
            f"{path} is no checkpoint of this run: its settings or examples are others. "
            "Delete it to start anew, or learn with the settings that it was made with"
        )
    try:
        exactly(arrays, (*svm.working.arrays(), "best"))
        best = row(arrays, "best", np.float64, svm.features)
        in_range(best, "best", -BEYOND_REASON, BEYOND_REASON)
        svm.history = [_iteration(*pair) for pair in enumerate(header["history"], 1)]
        whole(len(svm.history), "the length of its history", 1)
        svm.working.restore(arrays)
        svm.take_weights()
        svm.bound, svm.dual = _bound(header["bound"]), number(header["dual"], "its dual value")
        svm.best = best
        _check_dual(svm)
    except WRONG_PARTS as error:
        raise ModelError(
            f"{path} is not a whole checkpoint ({brief(error)}): delete it to start anew"
        ) from None


def _check_dual(svm: StructuredSVM) -> None:
    """Raise ``ValueError`` unless the multipliers give the dual value that the history tells."""
    told, given = svm.history[-1].dual, svm.working.dual()
    if not abs(given - told) <= SAME * max(abs(told), 1.0):
        raise ValueError(f"its multipliers give {given:g}, its history says {told:g}")


def _iteration(place: int, line: object) -> Iteration:
    """A line of the history; ``ValueError`` for one that is none."""
    iteration = Iteration._make(rows(line, "a line of the history"))
    whole(iteration.iteration, "the number of an iteration", place, place)
    for name in ("constraints", "violated"):
        whole(getattr(iteration, name), f"{name} in the history")
    _bound(iteration.bound)
    for name in ("primal", "dual", "loss", "seconds", "qp_seconds"):
        number(getattr(iteration, name), f"{name} in the history")
    return iteration


def _bound(value: object) -> float:
    """The least objective that is known; infinite before all examples were searched alike."""
    return math.inf if value == math.inf else number(value, "the bound")


def _identity(svm: StructuredSVM, identity: Identity) -> dict[str, object]:
    """What two runs have in common if one may go on where the other was."""
    fixed = {**asdict(svm.settings), "features": svm.features, "examples": len(svm.examples)}
    del fixed["max_iterations"]
    both: dict[str, object] = json.loads(json.dumps({"learner": fixed, "caller": identity}))
    return both
