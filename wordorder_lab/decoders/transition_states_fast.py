"""States of the transition system as rows of numbers, and the numba kernels that make them.

A state is one row of ``pool`` (``transition_columns_fast``): the top of its stack with two
dependents a side, the state whose top lies under it, the last three words, and where it came from.
Row 0 is the initial state, and with its empty top also what lies under a single word. The bag is
kept for the states of the current and of the next beam alone (``transition_legal_fast``).
"""

from __future__ import annotations

import numpy as np

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
    BAG,
    DEPENDENTS,
    HEAD,
    LATER,
    SLOT,
    UNKNOWN_HEAD,
    open_orders,
)
from wordorder_lab.features.keys import FIRST
from wordorder_lab.features.state_context import MAX_VALENCY as SHOWN_VALENCY
from wordorder_lab.structures.kernel_fast import kernel

MAX_VALENCY = SHOWN_VALENCY + FIRST


@kernel
def distance_bin(distance):
    """1 to 5, then 6 up to 10, then 7; plus ``FIRST``."""
    return FIRST + (distance if distance <= 5 else (6 if distance <= 10 else 7))


@kernel
def descendants_bin(n):
    """0 to 4, then 5 up to 6, 6 up to 10, 7; plus ``FIRST``."""
    return FIRST + (n if n <= 4 else (5 if n <= 6 else (6 if n <= 10 else 7)))


@kernel
def build(n, first, problem, space, now):
    """APPLY: build the ``n`` states of ``space.plan`` as rows ``first`` and up of the pool.

    A line of the plan is the row of the state before, the action, the line of its bag in this half
    (``now``) of ``bits`` and ``remaining``, and the line of the new bag in the other half. All is
    written out here: an array that is handed on in this loop would be counted each time, and that
    takes longer than the work.
    """
    pool, plan, bits, remaining = space.pool, space.plan, space.bits, space.remaining
    item_types, item_bags = problem.item_types, problem.item_bags
    forest, masks = problem.forest, problem.masks
    empty = np.uint64(forest.shape[0] - 1)
    slots, words = forest[empty, SLOT], np.uint64(masks.shape[1])
    half, other, one = np.uint64(now), np.uint64(1 - now), np.uint64(1)
    for i in range(np.uint64(n)):
        old, action = np.uint64(plan[i, 0]), plan[i, 1]
        s, r, new = np.uint64(plan[i, 2]), np.uint64(plan[i, 3]), np.uint64(first) + i
        kind = np.uint64(item_bags[action - 2]) if action >= 2 else empty
        later = np.uint64(0)
        for w in range(words):
            for each in range(np.uint64(4)):
                bits[other, r, w, each] = bits[half, s, w, each] & ~masks[kind, w, each]
            later |= bits[half, s, w, LATER]
        for slot in range(slots):
            remaining[other, r, slot] = remaining[half, s, slot]
        if action >= 2:
            slot = forest[kind, SLOT]
            if slot >= 0:
                remaining[other, r, slot] -= 1
                if remaining[other, r, slot] == 0:
                    bits[other, r, kind >> np.uint64(6), BAG] &= ~(one << (kind & np.uint64(63)))
            for column in range(np.uint64(HEAD_TYPE)):
                pool[new, column] = 0
            pool[new, S0] = pool[new, W0] = item_types[action - 2]
            pool[new, VL] = pool[new, VR] = pool[new, N] = FIRST
            pool[new, W1] = pool[old, W0]
            pool[new, W2] = pool[old, W1]
            pool[new, PLACE] = pool[old, SHIFTED]
            pool[new, SHIFTED] = pool[old, SHIFTED] + 1
            pool[new, KIND] = kind
            pool[new, GIVEN] = forest[kind, HEAD]
            pool[new, WAITS] = forest[kind, DEPENDENTS]
            beneath = old
        else:
            under = np.uint64(pool[old, BELOW])
            head = old if action == 0 else under
            dependent = under if action == 0 else old
            beneath = np.uint64(pool[under, BELOW])
            for column in range(np.uint64(HEAD_TYPE)):
                pool[new, column] = pool[head, column]
            near = np.uint64(L) if action == 0 else np.uint64(R)
            valency = np.uint64(VL) if action == 0 else np.uint64(VR)
            pool[new, near + one] = pool[head, near]
            pool[new, near] = pool[dependent, S0]
            pool[new, valency] = min(pool[head, valency] + 1, MAX_VALENCY)
            apart = abs(pool[head, PLACE] - pool[dependent, PLACE])
            distance = np.uint64(DL) if action == 0 else np.uint64(DR)
            pool[new, distance] = distance_bin(apart)
            below = pool[head, DESCENDANTS] + pool[dependent, DESCENDANTS] + 1
            pool[new, DESCENDANTS] = below
            pool[new, N] = descendants_bin(below)
            for column in (W0, W1, W2, SHIFTED):
                pool[new, column] = pool[old, column]
            pool[new, WAITS] -= pool[dependent, GIVEN] == pool[head, KIND]
        given, anchor = pool[new, GIVEN], pool[beneath, ANCHOR]
        if pool[new, WAITS] > 0:
            anchor = pool[new, KIND]
        elif given != UNKNOWN_HEAD:
            anchor = np.int32(empty)
            if given >= 0:
                where = np.uint64(given)
                word = bits[other, r, where >> np.uint64(6), BAG]
                if (word >> (where & np.uint64(63))) & one != 0:
                    anchor = given
        apart = pool[new, PLACE] - pool[beneath, PLACE]
        pool[new, D] = distance_bin(apart) if pool[beneath, S0] != 0 else 0
        pool[new, ANCHOR] = anchor
        pool[new, BELOW] = beneath
        pool[new, PARENT] = old
        pool[new, ACTION] = action
        if later != 0:
            open_orders(bits, 1 - now, plan[i, 3], masks)
