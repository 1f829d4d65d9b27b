"""The constraints of a structured SVM: one, the working set of all, and the programme over it.

A constraint says that the gold output is to be ahead of another by the other's loss, or the slack
pays for it (Cohn & Lapata 2009, equation 10): <w, dPsi> >= loss - slack, with dPsi = Psi(gold) -
Psi(other).

The dual of the programme over a working set (Tsochantaridis et al. 2005, section 4.1; Joachims,
Finley & Yu 2009, section 3) has one multiplier a_k a constraint k, which stands in a group:

    maximise    sum_k loss_k a_k  -  1/2 sum_k,l a_k a_l <dPsi_k, dPsi_l>
    such that   a_k >= 0,   and the a_k of one group add up to at most ``cap``

A group is an example and cap = C/n with n slacks; there is one group and cap = C with one slack.

It is solved by PIQP, a proximal interior-point solver (Schwan et al. 2023). Constraints often
depend on each other, which makes the matrix singular, and it has few zeros: PIQP takes the one and
is quick with the other (1,600 constraints in 2 seconds). It needs no starting point, so a resumed
training loses nothing; and with one thread the same programme gives the same bits on the same
machine. It depends on nothing but numpy and scipy.

Sums go from left to right: ``bincount`` and ``cumsum`` add one number after the other, in the order
in which they stand. Both, and ``repeat``, take numbers of places (``intp``), which a browser's
Python has in 32 bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from wordorder_lab.models.file_parts import BEYOND_REASON, ascending, in_range, row

MOST = 5_000
"""Constraints of a checkpoint. The Gram matrix has the square, a solution takes the cube of it."""

PRECISION = 1e-12
"""What the solver is told to reach, in the programme scaled to numbers around 1."""

STEPS = 100
"""Of the solver, at most; 10 to 20 are usual."""

NO_BOUND = 1e20
"""Where multipliers are around 1, such a bound is none; the solver complains of one beyond 1e30."""

SHORTER = (0.95, 0.9)
"""How near to the border a step of the solver may come if its usual steps get stuck, which is
rare: a programme of two constraints is known, and a test has it."""


class Constraint(NamedTuple):
    """dPsi of one output as a sparse vector, and the loss of this output.

    ``features`` are numbers from 0, ascending, each once (int64); ``values`` stand beside them
    (float64). Both are empty where the output has the features of the gold one.
    """

    features: np.ndarray
    values: np.ndarray
    loss: float


def check_constraint(found: Constraint, example: int, features: int) -> None:
    """Raise ``ValueError`` for a constraint that is not well made."""
    ids, values, loss = found
    if ids.shape != values.shape or ids.ndim != 1:
        wrong = f"{ids.shape} features and {values.shape} values: give one value a feature"
    elif len(ids) and not (ids[0] >= 0 and ids[-1] < features and (np.diff(ids) > 0).all()):
        wrong = f"feature numbers ascend from 0 to at most {features - 1}, each once"
    elif not (np.isfinite(values).all() and np.isfinite(loss)):
        wrong = "a value or the loss is not a finite number"
    elif loss < 0:
        wrong = f"the loss is {loss}; it is at least 0, and 0 for the gold output"
    else:
        return
    raise ValueError(f"the search on example {example} gave a wrong constraint: {wrong}")


def total(numbers: np.ndarray) -> float:
    """The sum, added from left to right."""
    return float(np.cumsum(numbers)[-1]) if len(numbers) else 0.0


class WorkingSet:
    """Constraints in the order of their coming, with Gram matrix and multipliers. Each is in one of
    ``slacks`` groups: the objective is 1/2 |w|^2 + cap (slack_0 + slack_1 + ...)."""

    def __init__(self, features: int, slacks: int, cap: float, patience: int) -> None:
        self.size, self.number, self.cap, self.patience = features, slacks, cap, patience
        self.features = np.zeros(0, np.int64)  # of all constraints, one after the other
        self.values = np.zeros(0)
        self.lengths = np.zeros(0, np.int64)  # how many of them are a constraint's
        self.losses = np.zeros(0)
        self.groups = np.zeros(0, np.int64)
        self.multipliers = np.zeros(0)
        self.idle = np.zeros(0, np.int64)  # solutions in a row in which it did nothing
        self.gram = np.zeros((0, 0))

    def __len__(self) -> int:
        return len(self.losses)

    @property
    def rows(self) -> np.ndarray:
        """The constraint of each of ``features`` and ``values``."""
        return np.repeat(np.arange(len(self)), self.lengths.astype(np.intp))

    def extend(self, found: Sequence[tuple[int, Constraint]]) -> None:
        """Take in constraints, each with its group; their multipliers are 0 until ``solve``."""
        if not found:
            return
        groups = [group for group, _ in found]
        vectors = [constraint for _, constraint in found]
        self.features = np.concatenate([self.features, *(c.features for c in vectors)])
        self.values = np.concatenate([self.values, *(c.values for c in vectors)])
        self.lengths = np.append(self.lengths, [len(c.features) for c in vectors])
        self.losses = np.append(self.losses, [float(c.loss) for c in vectors])
        self.groups = np.append(self.groups, groups)
        self.multipliers = np.append(self.multipliers, np.zeros(len(found)))
        self.idle = np.append(self.idle, np.zeros(len(found), np.int64))
        self._extend_gram()

    def _extend_gram(self) -> None:
        """The rows and columns of the constraints that the Gram matrix has not got yet."""
        old, rows = len(self.gram), self.rows
        gram = np.zeros((len(self), len(self)))
        gram[:old, :old] = self.gram
        ends = np.cumsum(self.lengths)
        dense = np.zeros(self.size)
        for k in range(old, len(self)):
            here = slice(ends[k] - self.lengths[k], ends[k])
            dense[self.features[here]] = self.values[here]
            products = self.values * dense[self.features]
            gram[k] = gram[:, k] = np.bincount(rows, products, minlength=len(self))
            dense[self.features[here]] = 0.0
        self.gram = gram

    def solve(self) -> None:
        """The best multipliers; constraints that have long done nothing go."""
        self.multipliers = solve_dual(self.gram, self.losses, self.groups, self.cap)
        # An interior point is never quite 0.
        does_nothing = self.multipliers < 1e-7 * self.cap
        self.idle = np.where(does_nothing, self.idle + 1, 0)
        self.keep(self.idle < self.patience)

    def keep(self, kept: np.ndarray) -> None:
        """Drop the constraints at which ``kept``, (m,) of bool, is not true."""
        if kept.all():
            return
        entries = np.repeat(kept, self.lengths.astype(np.intp))
        self.features, self.values = self.features[entries], self.values[entries]
        for name in ("lengths", "losses", "groups", "multipliers", "idle"):
            setattr(self, name, getattr(self, name)[kept])
        self.gram = self.gram[np.ix_(kept, kept)]

    def weights(self) -> np.ndarray:
        """w = sum_k a_k dPsi_k, shape (number of features,)."""
        parts = self.values * self.multipliers[self.rows]
        return np.bincount(self.features.astype(np.intp), parts, minlength=self.size)

    def slacks(self, weights: np.ndarray) -> np.ndarray:
        """The slack of every group at these weights, as far as these constraints know."""
        products = self.values * weights[self.features]
        margins = np.bincount(self.rows, products, minlength=len(self))
        slacks = np.zeros(self.number)
        np.maximum.at(slacks, self.groups, self.losses - margins)
        return slacks

    def primal(self, weights: np.ndarray) -> float:
        """The objective at these weights over the constraints of the set."""
        return total(weights * weights) / 2 + self.cap * total(self.slacks(weights))

    def dual(self) -> float:
        """The dual value at the multipliers: no weights have a lower objective."""
        weights = self.weights()
        return total(self.multipliers * self.losses) - total(weights * weights) / 2

    def arrays(self) -> dict[str, np.ndarray]:
        """What a checkpoint holds. The Gram matrix is computed anew, to the same bits."""
        names = ("features", "values", "lengths", "losses", "groups", "multipliers", "idle")
        return {name: getattr(self, name) for name in names}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Take back what ``arrays`` gave. Raises ``ValueError`` for what cannot be of this set."""
        self._check(arrays)
        for name in self.arrays():
            setattr(self, name, arrays[name])
        self.gram = np.zeros((0, 0))
        self._extend_gram()

    def _check(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Raise ``ValueError`` unless these are constraints on so many features and groups."""
        lengths = row(arrays, "lengths", np.int64)
        if (n := len(lengths)) > MOST:
            raise ValueError(f"{n:,} constraints; the working set has room for {MOST:,}")
        in_range(lengths, "lengths", 0, self.size)
        features = row(arrays, "features", np.int64, int(lengths.sum()))
        in_range(features, "features", 0, self.size - 1)
        rows = np.repeat(np.arange(n), lengths.astype(np.intp))
        ascending(rows * self.size + features, "features")
        in_range(row(arrays, "groups", np.int64, n), "groups", 0, self.number - 1)
        in_range(row(arrays, "idle", np.int64, n), "idle", 0, self.patience)
        values = row(arrays, "values", np.float64, len(features))
        in_range(values, "values", -BEYOND_REASON, BEYOND_REASON)
        for name in ("losses", "multipliers"):
            in_range(row(arrays, name, np.float64, n), name, 0, BEYOND_REASON)


# --- The quadratic programme


def solve_dual(gram: np.ndarray, losses: np.ndarray, groups: np.ndarray, cap: float) -> np.ndarray:
    """The multipliers a, shape (m,), feasible but for rounding.

    ``gram`` is (m, m), ``losses`` (m,), ``groups`` (m,) numbers from 0. The dual value is within a
    millionth of the best while ``cap`` times the longest |dPsi|^2 is below some 10^6 times the
    highest loss; beyond that whoever calls measures the gap. Raises ``ValueError`` if the solver
    finds nothing at all.
    """
    highest = float(losses.max(initial=0.0))
    if not highest > 0.0:
        return np.zeros(len(losses))  # nothing to gain: w = 0 is best
    unit = _unit(gram, highest, cap)
    found, status = _piqp(gram * (unit / highest), -losses / highest, groups, cap / unit)
    if not np.isfinite(found).all():
        raise ValueError(
            f"a quadratic programme of {len(losses)} constraints was not solved "
            f"({status}): the features, the losses or C are too large; scale them down"
        )
    return feasible(found * unit, groups, cap)


def _unit(gram: np.ndarray, highest: float, cap: float) -> float:
    """The size that multipliers will have, so that the solver works with numbers around 1. The
    least of the cap and of the best multiplier that a constraint would have alone."""
    longest = float(gram.diagonal().max())
    return cap if longest * cap <= highest else highest / longest


def _piqp(
    quadratic: np.ndarray, linear: np.ndarray, groups: np.ndarray, cap: float
) -> tuple[np.ndarray, str]:
    """minimise 1/2 a'Qa + l'a, where a >= 0 and the sums of the groups are at most ``cap``. With a
    what the solver says of it."""
    import piqp  # not needed by those who only decode

    m, n = len(linear), int(groups.max()) + 1
    sums = np.zeros((n, m))
    sums[groups, np.arange(m)] = 1.0
    solver = piqp.DenseSolver()
    settings = solver.settings
    settings.num_threads = 1
    settings.max_iter = STEPS
    settings.check_duality_gap = True
    settings.eps_abs = settings.eps_rel = PRECISION
    settings.eps_duality_gap_abs = settings.eps_duality_gap_rel = PRECISION
    low, high = None, np.full(n, min(cap, NO_BOUND))
    for tau in (settings.tau, *SHORTER):
        settings.tau = tau
        solver.setup(quadratic, linear, None, None, sums, low, high, np.zeros(m), None)
        if solver.solve() == piqp.PIQP_SOLVED:
            break
    return np.array(solver.result.x), str(solver.result.info.status)


def feasible(multipliers: np.ndarray, groups: np.ndarray, cap: float) -> np.ndarray:
    """The multipliers without what rounding took below 0 or above the cap of their group. So the
    dual value at them is a lower bound of the objective, whatever the solver did."""
    positive = np.maximum(multipliers, 0.0)
    sums = np.bincount(groups.astype(np.intp), positive)
    too_much = np.maximum(sums / cap, 1.0)
    shares: np.ndarray = positive / too_much[groups]
    return shares
