"""The quadratic programme that a structured SVM solves over the constraints found so far.

Its dual (Tsochantaridis et al. 2005, section 4.1; Joachims, Finley & Yu 2009, section 3), with one
multiplier a_k a constraint k, which stands in a group:

    maximise    sum_k loss_k a_k  -  1/2 sum_k,l a_k a_l <dPsi_k, dPsi_l>
    such that   a_k >= 0,   and the a_k of one group add up to at most ``cap``

A group is an example and cap = C/n with n slacks; there is one group and cap = C with one slack.

It is solved by PIQP, a proximal interior-point solver (Schwan et al. 2023). Constraints often
depend on each other, which makes the matrix singular, and it has few zeros: PIQP takes the one and
is quick with the other (1,600 constraints in 2 seconds). It needs no starting point, so a resumed
training loses nothing; and with one thread the same programme gives the same bits on the same
machine. It depends on nothing but numpy and scipy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

PRECISION = 1e-12
"""What the solver is told to reach, in the programme scaled to numbers around 1."""
STEPS = 100
"""Of the solver, at most; 10 to 20 are usual."""


SHORTER = (0.95, 0.9)
"""How near to the border a step of the solver may come if its usual steps get stuck, which is
rare: a programme of two constraints is known, and a test has it."""


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
    result = _piqp(gram * (unit / highest), -losses / highest, groups, cap / unit)
    found = np.array(result.x)
    if not np.isfinite(found).all():
        raise ValueError(
            f"a quadratic programme of {len(losses)} constraints was not solved "
            f"({result.info.status}): the features, the losses or C are too large; scale them down"
        )
    return feasible(found * unit, groups, cap)


def _unit(gram: np.ndarray, highest: float, cap: float) -> float:
    """The size that multipliers will have, so that the solver works with numbers around 1.

    The least of the cap and of the best multiplier that a constraint would have alone.
    """
    longest = float(gram.diagonal().max())
    return cap if longest * cap <= highest else highest / longest


def _piqp(quadratic: np.ndarray, linear: np.ndarray, groups: np.ndarray, cap: float) -> Any:
    """minimise 1/2 a'Qa + l'a, where a >= 0 and the sums of the groups are at most ``cap``."""
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
    low, high = None, np.full(n, cap)
    for tau in (settings.tau, *SHORTER):
        settings.tau = tau
        solver.setup(quadratic, linear, None, None, sums, low, high, np.zeros(m), None)
        if solver.solve() == piqp.PIQP_SOLVED:
            break
    return solver.result


def feasible(multipliers: np.ndarray, groups: np.ndarray, cap: float) -> np.ndarray:
    """The multipliers without what rounding took below 0 or above the cap of their group.

    So the dual value at them is a lower bound of the objective, whatever the solver did.
    """
    positive = np.maximum(multipliers, 0.0)
    sums = np.bincount(groups, positive)
    too_much = np.maximum(sums / cap, 1.0)
    return positive / too_much[groups]
