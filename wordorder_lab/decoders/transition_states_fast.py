"""States of the transition system as rows of numbers, and the numba kernels that make them.

A state is one row of ``pool`` (columns below): the top of its stack with two dependents a side,
the state whose top lies under it, the last three words, and where it came from. Row 0 is the
initial state, and with its empty top also what lies under a single word. How many units of each
type are left is kept for the states of the current and of the next beam alone.
"""

from __future__ import annotations

from wordorder_lab.features.keys import FIRST
from wordorder_lab.structures.kernel_fast import kernel

S0, L, L2, R, R2, VL, VR, N, DL, DR = range(10)
W0, W1, W2, D, PLACE, DESCENDANTS, BELOW, PARENT, ACTION, SHIFTED = range(10, 20)
WIDTH = 20

MAX_VALENCY = 6 + FIRST


@kernel
def distance_bin(distance):
    """1 to 5, then 6 up to 10, then 7; plus ``FIRST``."""
    return FIRST + (distance if distance <= 5 else (6 if distance <= 10 else 7))


@kernel
def descendants_bin(n):
    """0 to 4, then 5 up to 6, 6 up to 10, 7; plus ``FIRST``."""
    return FIRST + (n if n <= 4 else (5 if n <= 6 else (6 if n <= 10 else 7)))


@kernel
def push(pool, new, old, action, item_type):
    """APPLY: write into row ``new`` the state after ``action`` in row ``old``."""
    if action >= 2:
        pool[new, :] = 0
        pool[new, S0] = item_type
        pool[new, VL] = pool[new, VR] = pool[new, N] = FIRST
        pool[new, W0] = item_type
        pool[new, W1] = pool[old, W0]
        pool[new, W2] = pool[old, W1]
        pool[new, PLACE] = pool[old, SHIFTED]
        pool[new, SHIFTED] = pool[old, SHIFTED] + 1
        pool[new, BELOW] = old
    else:
        under = pool[old, BELOW]
        head, dependent = (old, under) if action == 0 else (under, old)
        for column in range(WIDTH):
            pool[new, column] = pool[head, column]
        near, second, valency, distance = (L, L2, VL, DL) if action == 0 else (R, R2, VR, DR)
        pool[new, second] = pool[head, near]
        pool[new, near] = pool[dependent, S0]
        pool[new, valency] = min(pool[head, valency] + 1, MAX_VALENCY)
        apart = abs(pool[head, PLACE] - pool[dependent, PLACE])
        pool[new, distance] = distance_bin(apart)
        below = pool[head, DESCENDANTS] + pool[dependent, DESCENDANTS] + 1
        pool[new, DESCENDANTS] = below
        pool[new, N] = descendants_bin(below)
        for column in (W0, W1, W2, SHIFTED):
            pool[new, column] = pool[old, column]
        pool[new, BELOW] = pool[under, BELOW]
    under = pool[new, BELOW]
    pool[new, D] = distance_bin(pool[new, PLACE] - pool[under, PLACE]) if pool[under, S0] else 0
    pool[new, PARENT] = old
    pool[new, ACTION] = action


@kernel
def build(n, first, serial, problem, space, remaining, after):
    """Build the ``n`` chosen candidates as rows ``first`` and up; ``space.states`` becomes them.

    Line 0 of the agenda has the serial ``serial`` + 1. ``remaining`` and ``after`` are the bags of
    this beam and of the next.
    """
    pool, marks, states = space.pool, space.marks, space.states
    for r in range(n):
        line = space.chosen[r]
        s, action = space.origin[line, 0], space.origin[line, 1]
        item_type = problem.item_types[action - 2] if action >= 2 else 0
        push(pool, first + r, states[s], action, item_type)
        marks[first + r, 0] = space.agenda[line]
        marks[first + r, 1] = serial + line + 1
        for t in range(problem.counts.shape[0]):
            after[r, t] = remaining[s, t]
        if action >= 2:
            after[r, problem.item_bags[action - 2]] -= 1
    for r in range(n):
        states[r] = first + r
