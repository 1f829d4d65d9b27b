"""Which actions input constraints leave possible, as numba kernels on bit sets.

The rules are those of ``grammars/linearization_actions``. A set of types is a row of 64-bit words.
Each state has four (``bits``): the types that are left; those that wait for a twin (``GATED``) or
for what must come before them (``LATER``); those whose component is untouched (``FRESH``). Its row
of numbers has the anchor. So the types that may be shifted are a few operations on words away,
however long the sentence.
"""

from __future__ import annotations

import numpy as np

from wordorder_lab.structures.kernel_fast import kernel

UNKNOWN_HEAD = -2
"""``HEAD`` of a type whose head is not given; -1 is the root, others are types."""

HEAD, DEPENDENTS, FIRST_ITEM, SLOT = range(4)
"""Columns of ``forest``, a row a type: given head, how many have it as theirs, first item; where
``remaining`` counts its units, -1 if there is but one."""

FAMILY, COMPONENT, OPENS, EARLIER = range(4)
"""Sets of a type in ``masks``: with its given descendants; its component, empty for a lone word;
who waits for it as a twin; what must be used up before it. A last line holds the empty set, the
component of the given root, all that wait for a twin, and all that wait for others."""

BAG, GATED, LATER, FRESH = range(4)
"""The sets of a state in ``bits``."""

NONE = -1
"""No anchor; else the line of ``masks`` whose family may be shifted."""

_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_PLACES = np.zeros(64, np.int64)
for _place in range(64):
    _PLACES[((1 << _place) * int(_DE_BRUIJN) % 2**64) >> 58] = _place


@kernel(inline="always")
def lowest(bits):
    """The place of the lowest bit that is set."""
    alone = bits & (~bits + np.uint64(1))
    return _PLACES[(alone * _DE_BRUIJN) >> np.uint64(58)]


@kernel(inline="always")
def in_bag(bits, half, r, t):
    """Whether any unit of a type is left."""
    return (bits[half, r, BAG, t >> 6] >> np.uint64(t & 63)) & np.uint64(1) != 0


@kernel
def begin_bag(bits, remaining, half, r, counts, forest, masks):
    """Fill the bag of the initial state: everything is left and nothing is begun."""
    kinds = masks.shape[0] - 1
    for t in range(kinds):
        if forest[t, SLOT] >= 0:
            remaining[half, r, forest[t, SLOT]] = counts[t]
    for w in range(masks.shape[2]):
        bits[half, r, BAG, w] = np.uint64(0)
        bits[half, r, GATED, w] = masks[kinds, OPENS, w]
        bits[half, r, LATER, w] = masks[kinds, EARLIER, w]
        bits[half, r, FRESH, w] = ~np.uint64(0)
    for t in range(kinds):
        bits[half, r, BAG, t >> 6] |= np.uint64(1) << np.uint64(t & 63)


@kernel(inline="always")
def copy_bag(bits, remaining, slots, half, s, r, masks):
    """Give row ``r`` of the other half the bag of row ``s`` of this half."""
    for w in range(masks.shape[2]):
        for one in range(4):
            bits[1 - half, r, one, w] = bits[half, s, one, w]
    for slot in range(slots):
        remaining[1 - half, r, slot] = remaining[half, s, slot]


@kernel(inline="always")
def take_out(bits, remaining, half, r, kind, forest, masks):
    """Change the bag of a state as SHIFT of a type does."""
    slot = forest[kind, SLOT]
    used_up = True
    if slot >= 0:
        remaining[half, r, slot] -= 1
        used_up = remaining[half, r, slot] == 0
    if used_up:
        bits[half, r, BAG, kind >> 6] &= ~(np.uint64(1) << np.uint64(kind & 63))
    later = np.uint64(0)
    for w in range(masks.shape[2]):
        bits[half, r, GATED, w] &= ~masks[kind, OPENS, w]
        bits[half, r, FRESH, w] &= ~masks[kind, COMPONENT, w]
        later |= bits[half, r, LATER, w]
    if used_up and later != 0:
        open_orders(bits, half, r, masks)


@kernel
def open_orders(bits, half, r, masks):
    """It is the turn of every type that given orders do not keep back any more."""
    for t in range(masks.shape[0] - 1):
        there, bit = t >> 6, np.uint64(1) << np.uint64(t & 63)
        if bits[half, r, LATER, there] & bit != 0:
            missing = np.uint64(0)
            for w in range(masks.shape[2]):
                missing |= masks[t, EARLIER, w] & bits[half, r, BAG, w]
            if missing == 0:
                bits[half, r, LATER, there] &= ~bit


@kernel(inline="always")
def may_shift(bits, half, s, anchor, masks, w):
    """Word ``w`` of the set of types that may be shifted, in a state with this anchor."""
    turn = bits[half, s, BAG, w] & ~bits[half, s, GATED, w] & ~bits[half, s, LATER, w]
    if anchor == NONE:
        return turn
    kinds = masks.shape[0] - 1
    free = bits[half, s, FRESH, w] & ~masks[kinds, COMPONENT, w]
    return turn & (free | masks[anchor, FAMILY, w])


@kernel(inline="always")
def anchor_of(kind, head, waits, below, nothing, bits, half, r):
    """The anchor of a stack with top ``kind``; ``below`` is that of the stack under it.

    ``nothing`` is the line of the empty family.
    """
    if waits > 0:
        return kind
    if head == UNKNOWN_HEAD:
        return below
    if head >= 0 and in_bag(bits, half, r, head):
        return head
    return nothing
