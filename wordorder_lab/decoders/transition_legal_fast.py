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

DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
PLACES = np.zeros(64, np.int64)
"""The place of the lowest bit of a word: ``PLACES[(bits & -bits) * DE_BRUIJN >> 58]``."""
for _place in range(64):
    PLACES[((1 << _place) * int(DE_BRUIJN) % 2**64) >> 58] = _place


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
