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

HEAD, DEPENDENTS, FIRST_ITEM, SLOT, AHEAD_TYPE = range(5)
"""Columns of ``forest``, a row a type: given head, how many have it as theirs, first item; where
``remaining`` counts its units, -1 if there is but one; word and tag as far as they are known while
it is in the bag. In a last row DEPENDENTS are all units, SLOT all places of ``remaining``."""

BAG, GATED, LATER, FRESH, FAMILY, EARLIER, CHILDREN = range(7)
"""A state's sets in ``bits`` are the first four. In ``masks`` each type has a line of what its
SHIFT takes away from these, and of three sets more: the type with its given descendants; what must
be used up before it; its given dependents. A line of empty sets follows; and a last one with what
is gated or comes later at first, and (under ``FRESH``) the component of the given root."""

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
    return (bits[half, r, t >> 6, BAG] >> np.uint64(t & 63)) & np.uint64(1) != 0


@kernel
def begin_bag(bits, remaining, half, r, counts, forest, masks):
    """Fill the bag of the initial state: everything is left and nothing is begun."""
    kinds = masks.shape[0] - 2
    for t in range(kinds):
        if forest[t, SLOT] >= 0:
            remaining[half, r, forest[t, SLOT]] = counts[t]
    for w in range(masks.shape[1]):
        bits[half, r, w, BAG] = np.uint64(0)
        bits[half, r, w, GATED] = masks[kinds + 1, w, GATED]
        bits[half, r, w, LATER] = masks[kinds + 1, w, LATER]
        bits[half, r, w, FRESH] = ~np.uint64(0)
    for t in range(kinds):
        bits[half, r, t >> 6, BAG] |= np.uint64(1) << np.uint64(t & 63)


@kernel(inline="always")
def pass_bag(bits, remaining, half, s, r, kind, forest, masks):
    """Give row ``r`` of the other half the bag of row ``s`` after SHIFT of a type.

    After an arc ``kind`` is the line of empty sets.
    """
    later = np.uint64(0)
    for w in range(masks.shape[1]):
        for one in range(4):
            bits[1 - half, r, w, one] = bits[half, s, w, one] & ~masks[kind, w, one]
        later |= bits[half, s, w, LATER]
    slots = forest[forest.shape[0] - 1, SLOT]
    for slot in range(slots):
        remaining[1 - half, r, slot] = remaining[half, s, slot]
    slot = forest[kind, SLOT]
    if slot >= 0 and kind < masks.shape[0] - 2:
        remaining[1 - half, r, slot] -= 1
        if remaining[1 - half, r, slot] == 0:
            bits[1 - half, r, kind >> 6, BAG] &= ~(np.uint64(1) << np.uint64(kind & 63))
    if later != 0:
        open_orders(bits, 1 - half, r, masks)


@kernel
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


@kernel(inline="always")
def may_shift(bits, half, s, anchor, masks, w):
    """Word ``w`` of the set of types that may be shifted, in a state with this anchor."""
    turn = bits[half, s, w, BAG] & ~bits[half, s, w, GATED] & ~bits[half, s, w, LATER]
    if anchor == NONE:
        return turn
    free = bits[half, s, w, FRESH] & ~masks[masks.shape[0] - 1, w, FRESH]
    return turn & (free | masks[anchor, w, FAMILY])


@kernel(inline="always")
def anchor_of(kind, head, waits, below, nothing, bits, half, r):
    """The anchor of a stack with top ``kind``; ``below`` is that of the stack under it.

    ``nothing`` is the line of empty sets.
    """
    if waits > 0:
        return kind
    if head == UNKNOWN_HEAD:
        return below
    if head >= 0 and in_bag(bits, half, r, head):
        return head
    return nothing
