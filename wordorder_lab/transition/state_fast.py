"""States as rows of numbers, and the kernels that make them: the twin of ``state``.

A state is one row of ``pool``: the top of its stack with two dependents a side, the state whose top
lies under it, the last three words, and where it came from. Row 0 is the initial state, and with
its empty top also what lies under a single word. Type 0 is nothing, and a count of 0 is none.

The rules are those of ``actions``. The bag is kept for the present and the next beam alone. A set
of types is a row of 64-bit words, and each state has four (``bits``): the types that are left;
those that wait for a twin (``GATED``) or for what must come before them (``LATER``); those whose
component is untouched (``FRESH``). So the types that may be shifted are a few operations on words
away, however long the sentence.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

import numpy as np

from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.structures.templates import FIRST
from wordorder_lab.transition.templates import MAX_VALENCY as SHOWN_VALENCY

S0, L, L2, R, R2, VL, VR, N, DL, DR = range(10)
"""The top of the stack: its type, two dependents a side, valencies, descendants, distances."""

W0, W1, W2, D, PLACE, DESCENDANTS, BELOW, PARENT, ACTION, SHIFTED = range(10, 20)
"""The last three words; distance from S1; place of the top in the sentence and how many words are
below it; rows of the state whose top lies under it and of the state it came from, and by what
action; how many words have been shifted."""

KIND, GIVEN, WAITS, ANCHOR = range(20, 24)
"""Type of the top in the bag, its given head, how many of its given dependents are not attached,
and the anchor."""

HEAD_TYPE, CHILD, CHILD2, SIBLING, SIBLING2, HEAD_PLACE, LEFT = range(24, 31)
"""What features see when they look ahead."""

WIDTH = 31

UNKNOWN_HEAD = -2
"""``HEAD`` of a type whose head is not given; -1 is the root, others are types."""

HEAD, DEPENDENTS, FIRST_ITEM, SLOT, AHEAD_TYPE = range(5)
"""Columns of ``forest``, a row a type: given head, how many have it as theirs, first item; where
``remaining`` counts its units, -1 if there is but one; word and tag as far as they are known while
it is in the bag. In a last row DEPENDENTS are all units, SLOT all places of ``remaining``."""

BAG, GATED, LATER, FRESH, FAMILY, EARLIER, CHILDREN = range(7)
"""A state's sets in ``bits`` are the first four. In ``masks`` each type has a line of what its
SHIFT takes away from these, and of three sets more: the type with its given descendants; what must
be used up before it; its given dependents. A line of empty sets follows; and a last one with what
is gated or comes later at first, and (under ``FRESH``) the component of the given root."""

BEFORE, CHOSEN, OLD_BAG, NEW_BAG = range(4)
"""The columns of a plan: the row of the state before, the action, the lines of both bags."""
SCORE, SERIAL = 0, 1
"""Those of ``marks``, of a state."""
RANK, CHOICE = 0, 1
"""Those of ``origin``, of a successor: the rank of its parent in the beam, the action."""

NONE = -1
"""No anchor; else the line of ``masks`` whose family may be shifted."""

MAX_VALENCY = SHOWN_VALENCY + FIRST

IS_ROOT, IN_BAG, ON_STACK = FIRST, FIRST + 1, FIRST + 2

DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)

PLACES = np.zeros(64, np.int64)
"""The place of the lowest bit of a word: ``PLACES[(bits & -bits) * DE_BRUIJN >> 58]``."""

for _place in range(64):
    PLACES[((1 << _place) * int(DE_BRUIJN) % 2**64) >> 58] = _place


# --- Kernels


@kernel(borrows=True, forceinline=True)
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
        old, action = np.uint64(plan[i, BEFORE]), plan[i, CHOSEN]
        s, r, new = np.uint64(plan[i, OLD_BAG]), np.uint64(plan[i, NEW_BAG]), np.uint64(first) + i
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
            open_orders(bits, 1 - now, plan[i, NEW_BAG], masks)


@kernel(borrows=True)
def open_orders(bits, half, r, masks):
    """It is the turn of every type that given orders do not keep back any more."""
    for t in range(masks.shape[0] - 2):
        there, bit = t >> 6, np.uint64(1) << np.uint64(t & 63)
        if bits[half, r, there, LATER] & bit != 0:
            missing = np.uint64(0)
            for w in range(masks.shape[1]):
                missing |= masks[t, w, EARLIER] & bits[half, r, w, BAG]
            if missing == 0:
                bits[half, r, there, LATER] &= ~bit


@kernel(borrows=True)
def begin_bag(r, problem, space):
    """Fill line ``r`` with the bag of the initial state: all is left and nothing is begun."""
    forest, masks, bits = problem.forest, problem.masks, space.bits
    kinds = masks.shape[0] - 2
    for t in range(kinds):
        if forest[t, SLOT] >= 0:
            space.remaining[0, r, forest[t, SLOT]] = problem.counts[t]
    for w in range(masks.shape[1]):
        bits[0, r, w, BAG] = np.uint64(0)
        bits[0, r, w, GATED] = masks[kinds + 1, w, GATED]
        bits[0, r, w, LATER] = masks[kinds + 1, w, LATER]
        bits[0, r, w, FRESH] = ~np.uint64(0)
    for t in range(kinds):
        bits[0, r, t >> 6, BAG] |= np.uint64(1) << np.uint64(t & 63)


@kernel(borrows=True)
def look_ahead(n, first, problem, space, now):
    """Fill the look-ahead columns of the ``n`` states that were built from ``space.plan``. Written
    out for the same reason as ``build``."""
    pool, plan, bits = space.pool, space.plan, space.bits
    forest, masks = problem.forest, problem.masks
    words, total = np.uint64(masks.shape[1]), forest[forest.shape[0] - 1, DEPENDENTS]
    other, one = np.uint64(1 - now), np.uint64(1)
    for i in range(np.uint64(n)):
        new, r = np.uint64(first) + i, np.uint64(plan[i, NEW_BAG])
        kind, head = pool[new, KIND], pool[new, GIVEN]
        for column in range(np.uint64(HEAD_TYPE), np.uint64(LEFT)):
            pool[new, column] = 0
        pool[new, LEFT] = left_bin(total - pool[new, SHIFTED])
        if head >= 0:
            where = np.uint64(head)
            word = bits[other, r, where >> np.uint64(6), BAG]
            inside = (word >> (where & np.uint64(63))) & one != 0
            pool[new, HEAD_TYPE] = forest[where, AHEAD_TYPE]
            pool[new, HEAD_PLACE] = IN_BAG if inside else ON_STACK
        elif head != UNKNOWN_HEAD:
            pool[new, HEAD_PLACE] = IS_ROOT
        for side in range(2):
            top = kind if side == 0 else head
            column = np.uint64(CHILD) if side == 0 else np.uint64(SIBLING)
            if top < 0 or forest[np.uint64(top), DEPENDENTS] == 0:
                continue
            for w in range(words):
                types = masks[np.uint64(top), w, CHILDREN] & bits[other, r, w, BAG]
                if side == 1 and np.uint64(kind) >> np.uint64(6) == w:
                    types &= ~(one << (np.uint64(kind) & np.uint64(63)))
                while types != 0:
                    lowest = types & (~types + one)
                    place = np.uint64(PLACES[(lowest * DE_BRUIJN) >> np.uint64(58)])
                    types ^= lowest
                    ahead = forest[np.uint64(64) * w + place, AHEAD_TYPE]
                    # Of a later one it is known only at the end that it is the last.
                    pool[new, column + np.uint64(pool[new, column] != 0)] = ahead


@kernel(inline="always")
def distance_bin(distance):
    """1 to 5, then 6 up to 10, then 7; plus ``FIRST``."""
    return FIRST + (distance if distance <= 5 else (6 if distance <= 10 else 7))


@kernel(inline="always")
def descendants_bin(n):
    """0 to 4, then 5 up to 6, 6 up to 10, 7; plus ``FIRST``."""
    return FIRST + (n if n <= 4 else (5 if n <= 6 else (6 if n <= 10 else 7)))


@kernel(inline="always")
def left_bin(words):
    """0 to 2 as they are, 3 to 5 as 3, 6 to 10 as 4, more as 5; plus ``FIRST``."""
    return FIRST + (words if words <= 2 else (3 if words <= 5 else (4 if words <= 10 else 5)))
