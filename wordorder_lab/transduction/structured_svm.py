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
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

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
from wordorder_lab.structures.messages import brief
from wordorder_lab.structures.trace import Trace
from wordorder_lab.transduction.svm_settings import (
    CONVERGED,
    ITERATIONS,
    ONE_SLACK,
    Examples,
    InOrder,
    Iteration,
    Learned,
    SvmSettings,
    check_whole,
)
from wordorder_lab.transduction.working_set import (
    Constraint,
    WorkingSet,
    check_constraint,
    total,
)

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

    def run(
        self,
        *,
        checkpoint: str | os.PathLike[str] | None = None,
        identity: Mapping[str, Any] | None = None,
        progress: bool = False,
        on_iteration: Callable[[Iteration, np.ndarray], None] | None = None,
        trace: Trace | None = None,
        in_order: InOrder = map,
    ) -> Learned:
        """Learn until the gap is small enough or ``max_iterations`` are done.

        ``checkpoint`` is written after every iteration, and gone on from where there is one: the
        result is that of an uninterrupted run, to the bit. ``identity`` says, in JSON, what else
        the examples depend on; a checkpoint with another one is refused (``ModelError``).
        ``on_iteration`` is told the line of the history and the best weights so far.
        ``in_order`` makes the searches that do not wait for each other, those of one slack: several
        at once, say.
        """
        self.in_order = in_order if self.settings.formulation == ONE_SLACK else map
        if checkpoint is not None:
            resume(checkpoint, self, identity)
        with self._bar(progress) as shown:
            while not self.stopped:
                self._iterate(shown, trace)
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

    def _iterate(self, bar: Any, trace: Trace | None) -> None:
        begin = time.perf_counter()
        self.lost, self.violated, self.qp_seconds = 0.0, 0, 0.0
        if self.settings.formulation == ONE_SLACK:
            self._one_slack(bar, trace)
        else:
            self._n_slack(bar, trace)
        primal, dual = self._values()
        self.dual = max(self.dual, dual)
        # What a search missed, later ones may have found.
        self.bound = max(self.bound, self.working.primal(self.best))
        state = len(self.history) + 1, len(self.working), primal, dual, self.bound
        found = self.lost / len(self.examples), self.violated
        self.history.append(Iteration(*state, *found, time.perf_counter() - begin, self.qp_seconds))
        bar.set_description(f"iteration {state[0]}, {self.dual:.4g} to {self.bound:.4g}")
        if trace is not None:
            trace.solved(*state)

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

    def _one_slack(self, bar: Any, trace: Trace | None) -> None:
        """Search all examples; the mean of what violates is the new constraint."""
        n = len(self.examples)
        mean, loss, slack = np.zeros(self.features), 0.0, 0.0
        for _, found, violation in self._searches(range(n), bar, trace):
            if violation > 0.0:
                mean[found.features] += found.values / n
                loss += found.loss / n
                slack += violation / n
        self._certify(max(slack, float(self.working.slacks(self.weights)[0])))
        if slack > 0.0:
            ids = np.flatnonzero(mean)
            self._solve([(0, Constraint(ids, mean[ids], loss))])

    def _n_slack(self, bar: Any, trace: Trace | None) -> None:
        """Search one after the other; solve when ``batch`` constraints wait, and at the end."""
        first, same = not self.history, True
        waiting: list[tuple[int, Constraint]] = []
        slacks = self.working.slacks(self.weights)
        enough = self.enough / (2 * self.C)  # nothing is above it: half the gap is still allowed
        for i, found, violation in self._searches(self._order(), bar, trace):
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

    def _searches(
        self, order: Iterable[int], bar: Any, trace: Trace | None
    ) -> Iterator[tuple[int, Constraint, float]]:
        """Search every example with the weights of the moment: its number, what was found (with
        scaled features), and H, at least 0."""
        order = list(order)
        searches = self.in_order(lambda i: self.examples.most_violated(i, self.given), order)
        for i, found in zip(order, searches, strict=True):
            check_constraint(found, i, self.features)
            found = found._replace(values=found.values * self.scaling)
            margin = total(found.values * self.weights[found.features])
            violation = float(found.loss) - margin
            self.lost += float(found.loss)
            self.violated += violation > 0.0
            if trace is not None:
                trace.violation(i, float(found.loss), margin, violation)
            bar.update()
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

    def _bar(self, progress: bool) -> Any:
        done = len(self.history) * len(self.examples)
        return progress_bar(initial=done, unit=" searches", wanted=progress)


# --- Checkpoints


SYSTEM = "structured-svm checkpoint"

SAME = 1e-6
"""A dual value that was computed on another machine may differ by this share."""

FilePath = str | os.PathLike[str]


def save_checkpoint(path: FilePath, svm: StructuredSVM, identity: Mapping[str, Any] | None) -> None:
    """Write a checkpoint atomically. Raises ``OSError`` if the folder cannot be written."""
    header = {
        "system": SYSTEM,
        "identity": _identity(svm, identity),
        "bound": svm.bound,
        "dual": svm.dual,
        "history": svm.history,
    }
    save_arrays(path, header, {**svm.working.arrays(), "best": svm.best})


def resume(path: FilePath, svm: StructuredSVM, identity: Mapping[str, Any] | None) -> None:
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


def _iteration(place: int, line: Any) -> Iteration:
    """A line of the history; ``ValueError`` for one that is none."""
    iteration = Iteration(*rows(line, "a line of the history"))
    whole(iteration.iteration, "the number of an iteration", place, place)
    for name in ("constraints", "violated"):
        whole(getattr(iteration, name), f"{name} in the history")
    _bound(iteration.bound)
    for name in ("primal", "dual", "loss", "seconds", "qp_seconds"):
        number(getattr(iteration, name), f"{name} in the history")
    return iteration


def _bound(value: Any) -> float:
    """The least objective that is known; infinite before all examples were searched alike."""
    return math.inf if value == math.inf else number(value, "the bound")


def _identity(svm: StructuredSVM, identity: Mapping[str, Any] | None) -> dict[str, Any]:
    """What two runs have in common if one may go on where the other was."""
    fixed = {**asdict(svm.settings), "features": svm.features, "examples": len(svm.examples)}
    del fixed["max_iterations"]
    both: dict[str, Any] = json.loads(json.dumps({"learner": fixed, "caller": identity}))
    return both
