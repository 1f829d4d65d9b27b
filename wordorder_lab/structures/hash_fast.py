"""One hash and its probing, for every kernel that looks a number up in a table.

Fibonacci hashing: a key times ``MULTIPLIER`` has its upper bits spread evenly; from there on places
are tried one by one until the key or an empty place is met.
"""

from __future__ import annotations

import numpy as np

from wordorder_lab.structures.kernel_fast import kernel

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@kernel(inline="always")
def place(key, shift):
    """Where probing for a key begins in a table of 2 ** (64 - shift) places."""
    return np.int64((np.uint64(key) * MULTIPLIER) >> np.uint64(shift))


@kernel(inline="always")
def probe(table, h, key):
    """From place ``h`` on, the place of a key, or the empty place where it would go."""
    mask = table.shape[0] - 1
    while table[h, 0] != key and table[h, 0] != -1:
        h = (h + 1) & mask
    return h
