"""States of the transition system as rows of numbers, and the numba kernels that make them.

A state is one row of ``pool`` (columns below): the top of its stack with two dependents a side,
the state whose top lies under it, the last three words, and where it came from. Row 0 is the
initial state, and with its empty top also what lies under a single word. How many units of each
type are left, and which may be shifted, is kept for the states of the current and of the next beam
alone (``transition_legal_fast``).
"""

from __future__ import annotations

import numpy as np

from wordorder_lab.decoders.transition_legal_fast import (
    DEPENDENTS,
    HEAD,
    SLOT,
    anchor_of,
    copy_bag,
    take_out,
)
from wordorder_lab.features.keys import FIRST
from wordorder_lab.structures.kernel_fast import kernel

S0, L, L2, R, R2, VL, VR, N, DL, DR = range(10)
W0, W1, W2, D, PLACE, DESCENDANTS, BELOW, PARENT, ACTION, SHIFTED = range(10, 20)
KIND, GIVEN, WAITS, ANCHOR = range(20, 24)
WIDTH = 24
"""The last four are about given heads: type of the top, its given head, how many of its given
dependents are not attached, and the anchor (``transition_legal_fast``)."""

MAX_VALENCY = 6 + FIRST


@kernel
def distance_bin(distance):
    """1 to 5, then 6 up to 10, then 7; plus ``FIRST``."""
    return FIRST + (distance if distance <= 5 else (6 if distance <= 10 else 7))


@kernel
def descendants_bin(n):
    """0 to 4, then 5 up to 6, 6 up to 10, 7; plus ``FIRST``."""
    return FIRST + (n if n <= 4 else (5 if n <= 6 else (6 if n <= 10 else 7)))


@kernel(inline="always")
def push(pool, new, old, action, item_types, item_bags, forest, bits, half, r):
    """APPLY: write into row ``new`` the state after ``action`` in row ``old``.

    Its sets are row ``r`` of this half of ``bits``.
    """
    if action >= 2:
        item_type, kind = item_types[action - 2], item_bags[action - 2]
        pool[new, :] = 0
        pool[new, S0] = item_type
        pool[new, VL] = pool[new, VR] = pool[new, N] = FIRST
        pool[new, W0] = item_type
        pool[new, W1] = pool[old, W0]
        pool[new, W2] = pool[old, W1]
        pool[new, PLACE] = pool[old, SHIFTED]
        pool[new, SHIFTED] = pool[old, SHIFTED] + 1
        pool[new, BELOW] = old
        pool[new, KIND] = kind
        pool[new, GIVEN] = forest[kind, HEAD]
        pool[new, WAITS] = forest[kind, DEPENDENTS]
    else:
        under = np.uint64(pool[old, BELOW])
        head = old if action == 0 else under
        dependent = under if action == 0 else old
        for column in range(np.uint64(WIDTH)):
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
        pool[new, WAITS] -= pool[dependent, GIVEN] == pool[head, KIND]
    beneath = np.uint64(pool[new, BELOW])
    nothing = np.int32(forest.shape[0] - 1)
    pool[new, ANCHOR] = anchor_of(
        pool[new, KIND],
        pool[new, GIVEN],
        pool[new, WAITS],
        pool[beneath, ANCHOR],
        nothing,
        bits,
        half,
        r,
    )
    pool[new, D] = distance_bin(pool[new, PLACE] - pool[beneath, PLACE]) if pool[beneath, S0] else 0
    pool[new, PARENT] = old
    pool[new, ACTION] = action


@kernel
def build(n, first, serial, problem, space, now):
    """Build the ``n`` chosen candidates as rows ``first`` and up; ``space.states`` becomes them.

    Line 0 of the agenda has the serial ``serial`` + 1. ``now`` is the half of ``remaining`` and
    ``bits`` with the bags of this beam; those of the next go into the other half.
    """
    pool, marks, states, agenda = space.pool, space.marks, space.states, space.agenda
    chosen, origin, remaining, bits = space.chosen, space.origin, space.remaining, space.bits
    item_types, item_bags = problem.item_types, problem.item_bags
    forest, masks = problem.forest, problem.masks
    slots = forest[forest.shape[0] - 1, SLOT]
    for r in range(n):
        line = chosen[r]
        s, action = origin[line, 0], origin[line, 1]
        marks[first + r, 0] = agenda[line]
        marks[first + r, 1] = serial + line + 1
        copy_bag(bits, remaining, slots, now, s, r, masks)
        if action >= 2:
            take_out(bits, remaining, 1 - now, r, item_bags[action - 2], forest, masks)
        old = np.uint64(states[s])
        push(pool, np.uint64(first + r), old, action, item_types, item_bags, forest, bits, 1 - now, r)
    for r in range(n):
        states[r] = first + r
