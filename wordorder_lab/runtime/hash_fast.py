"""One hash and its probing, for every kernel that looks a number up in a table.

Fibonacci hashing: a key times ``MULTIPLIER`` has its upper bits spread evenly; from the place that
they name, places are tried one by one until the key or an empty place is met. All of it is put into
the kernels that use it.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

import numpy as np

from wordorder_lab.runtime.kernel_fast import kernel

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@kernel(inline="always")
def place(key, shift):
    """Where probing for a key begins in a table of 2 ** (64 - shift) places."""
    return np.int64((np.uint64(key) * MULTIPLIER) >> np.uint64(shift))


@kernel(inline="always")
def probe(table, h, key):
    """From place ``h`` on, the place of a key, or the empty place where it would go.

    A table has 2 ** n lines that begin with their key, -1 in an empty one. Unsigned numbers, since
    numba would look for negative indices.
    """
    return probe_part(table, 0, table.shape[0], h, key)


@kernel(inline="always")
def probe_part(table, start, size, h, key):
    """``probe`` where the table is the ``size`` lines from ``start`` on of a longer array.

    ``h`` and the place that is returned count from ``start``.
    """
    one, first, mask = np.uint64(1), np.uint64(start), np.uint64(size - 1)
    at = np.uint64(h)
    while table[first + at, 0] != key and table[first + at, 0] != -1:
        at = (at + one) & mask
    return np.int64(at)
