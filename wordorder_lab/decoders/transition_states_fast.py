"""States of the transition system as rows of numbers, and the numba kernels that make them.

A state is one row of ``pool`` (``transition_columns_fast``): the top of its stack with two
dependents a side, the state whose top lies under it, the last three words, and where it came from.
Row 0 is the initial state, and with its empty top also what lies under a single word. The bag is
kept for the states of the current and of the next beam alone (``transition_legal_fast``).
"""

from __future__ import annotations

import numpy as np

from wordorder_lab.decoders.transition_ahead_fast import look_ahead
from wordorder_lab.decoders.transition_columns_fast import (
    ACTION,
    ANCHOR,
    BELOW,
    DESCENDANTS,
    DL,
    DR,
    GIVEN,
    HEAD_TYPE,
    KIND,
    PARENT,
    PLACE,
    S0,
    SHIFTED,
    VL,
    VR,
    W0,
    W1,
    W2,
    WAITS,
    D,
    L,
    N,
    R,
)
from wordorder_lab.decoders.transition_legal_fast import (
    DEPENDENTS,
    HEAD,
    anchor_of,
    pass_bag,
)
from wordorder_lab.features.keys import FIRST
from wordorder_lab.features.state_context import MAX_VALENCY as SHOWN_VALENCY
from wordorder_lab.features.state_context import descendants_bin, distance_bin
from wordorder_lab.structures.kernel_fast import kernel

MAX_VALENCY = SHOWN_VALENCY + FIRST


FAR, MANY = 11, 11
_DISTANCES = np.array([FIRST + distance_bin(d) for d in range(FAR + 1)], np.int32)
_DESCENDANTS = np.array([FIRST + descendants_bin(n) for n in range(MANY + 1)], np.int32)


@kernel(inline="always")
def push_shift(pool, new, old, action, item_types, kind, forest):
    """SHIFT: all columns of row ``new`` but those of ``settle``; returns its row beneath."""
    item_type, place = item_types[action - 2], pool[old, SHIFTED]
    for column in range(np.uint64(HEAD_TYPE)):
        pool[new, column] = 0
    pool[new, S0] = item_type
    pool[new, VL] = pool[new, VR] = pool[new, N] = FIRST
    pool[new, W0] = item_type
    pool[new, W1] = pool[old, W0]
    pool[new, W2] = pool[old, W1]
    pool[new, PLACE] = place
    pool[new, SHIFTED] = place + 1
    pool[new, BELOW] = old
    pool[new, KIND] = kind
    pool[new, GIVEN] = forest[kind, HEAD]
    pool[new, WAITS] = forest[kind, DEPENDENTS]


@kernel(inline="always")
def push_arc(pool, new, old, left):
    """LEFTARC or RIGHTARC: the same."""
    under = np.uint64(pool[old, BELOW])
    head = old if left else under
    dependent = under if left else old
    near, valency, distance = L if left else R, VL if left else VR, DL if left else DR
    below = pool[head, DESCENDANTS] + pool[dependent, DESCENDANTS] + 1
    apart = abs(pool[head, PLACE] - pool[dependent, PLACE])
    for column in range(np.uint64(HEAD_TYPE)):
        pool[new, column] = pool[head, column]
    pool[new, near + 1] = pool[head, near]
    pool[new, near] = pool[dependent, S0]
    pool[new, valency] = min(pool[head, valency] + 1, MAX_VALENCY)
    pool[new, distance] = _DISTANCES[min(apart, FAR)]
    pool[new, DESCENDANTS] = below
    pool[new, N] = _DESCENDANTS[min(below, MANY)]
    pool[new, W0] = pool[old, W0]
    pool[new, W1] = pool[old, W1]
    pool[new, W2] = pool[old, W2]
    pool[new, SHIFTED] = pool[old, SHIFTED]
    pool[new, BELOW] = pool[under, BELOW]
    pool[new, WAITS] -= pool[dependent, GIVEN] == pool[head, KIND]


@kernel(inline="always")
def settle(pool, new, old, action, forest, bits, half, r):
    """The rest: where the state came from, the distance to S1, the anchor."""
    beneath = np.uint64(pool[new, BELOW])
    kind, given, waits = pool[new, KIND], pool[new, GIVEN], pool[new, WAITS]
    nothing = np.int32(forest.shape[0] - 1)
    anchor = pool[beneath, ANCHOR]
    pool[new, ANCHOR] = anchor_of(kind, given, waits, anchor, nothing, bits, half, r)
    distance = _DISTANCES[min(pool[new, PLACE] - pool[beneath, PLACE], FAR)]
    pool[new, D] = distance if pool[beneath, S0] != 0 else 0
    pool[new, PARENT] = old
    pool[new, ACTION] = action


@kernel
def push(pool, new, old, action, item_types, item_bags, forest, bits, half, r):
    """APPLY: write into row ``new`` the state after ``action`` in row ``old``.

    Its sets are row ``r`` of this half of ``bits``.
    """
    if action >= 2:
        push_shift(pool, new, old, action, item_types, item_bags[action - 2], forest)
    else:
        push_arc(pool, new, old, action == 0)
    settle(pool, new, old, action, forest, bits, half, r)


@kernel
def build(n, first, serial, problem, space, now, ahead):
    """Build the ``n`` chosen candidates as rows ``first`` and up; ``space.states`` becomes them.

    Line 0 of the agenda has the serial ``serial`` + 1. ``now`` is the half of ``remaining`` and
    ``bits`` with the bags of this beam; those of the next go into the other half. ``ahead`` is not
    zero if features look ahead. Each kind of action has a loop of its own: which one comes next
    would be guessed wrong too often.
    """
    pool, marks, states, agenda = space.pool, space.marks, space.states, space.agenda
    chosen, origin, remaining, bits = space.chosen, space.origin, space.remaining, space.bits
    item_types, item_bags, sorted_by = problem.item_types, problem.item_bags, space.by_action
    forest, masks = problem.forest, problem.masks
    empty = forest.shape[0] - 1
    lefts, rights, shifts = np.uint64(0), np.uint64(0), np.uint64(0)
    for r in range(np.uint64(n)):
        action = origin[chosen[r], 1]
        sorted_by[0, lefts] = sorted_by[1, rights] = sorted_by[2, shifts] = r
        lefts += np.uint64(action == 0)
        rights += np.uint64(action == 1)
        shifts += np.uint64(action >= 2)
        marks[first + r, 0] = agenda[chosen[r]]
        marks[first + r, 1] = serial + chosen[r] + 1
    for i in range(lefts):
        r = sorted_by[0, i]
        s, new = origin[chosen[r], 0], np.uint64(first + r)
        old = np.uint64(states[s])
        pass_bag(bits, remaining, now, s, r, empty, forest, masks)
        push_arc(pool, new, old, True)
        settle(pool, new, old, 0, forest, bits, 1 - now, r)
    for i in range(rights):
        r = sorted_by[1, i]
        s, new = origin[chosen[r], 0], np.uint64(first + r)
        old = np.uint64(states[s])
        pass_bag(bits, remaining, now, s, r, empty, forest, masks)
        push_arc(pool, new, old, False)
        settle(pool, new, old, 1, forest, bits, 1 - now, r)
    for i in range(shifts):
        r = sorted_by[2, i]
        s, new = origin[chosen[r], 0], np.uint64(first + r)
        old, action = np.uint64(states[s]), origin[chosen[r], 1]
        kind = item_bags[action - 2]
        pass_bag(bits, remaining, now, s, r, kind, forest, masks)
        push_shift(pool, new, old, action, item_types, kind, forest)
        settle(pool, new, old, action, forest, bits, 1 - now, r)
    for r in range(n):
        if ahead != 0:
            look_ahead(pool, first + r, forest, masks, bits, 1 - now, r)
        states[r] = first + r
