"""Weights of edges as a hash table that kernels read and write: ``packed_weights`` in use."""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

import numpy as np

from wordorder_lab.best_first.packed_weights import PackedEdgeWeights, RawEdgeWeights
from wordorder_lab.runtime.hash_fast import MULTIPLIER
from wordorder_lab.runtime.kernel_fast import kernel


class EdgeTable:
    """Weights in a table: ``places[p]`` is (key or -1, number), ``values[number]`` its (w, u).
    ``used[0]`` counts the weights, ``used[1]`` the training examples."""

    def __init__(self, weights: int = 1 << 14) -> None:
        self._make(weights)
        self.values = np.zeros((len(self.places) // 2, 2))
        self.keys = np.zeros(len(self.values), np.int64)
        self.used = np.zeros(2, np.int64)

    def _make(self, weights: int) -> None:
        bits = max(10, (2 * weights - 1).bit_length())
        self.places = np.full((1 << bits, 2), -1, np.int64)

    @classmethod
    def of(cls, packed: PackedEdgeWeights) -> EdgeTable:
        """The table of a trained model."""
        made = cls(len(packed.keys))
        made._put(packed.keys, packed.values, np.zeros(len(packed.keys)))
        return made

    @classmethod
    def of_raw(cls, raw: RawEdgeWeights) -> EdgeTable:
        """The table of weights in learning."""
        made = cls(2 * len(raw.keys))
        made._put(raw.keys, raw.w, raw.u)
        made.used[1] = raw.examples
        return made

    def _put(self, keys: np.ndarray, w: np.ndarray, u: np.ndarray) -> None:
        n = len(keys)
        self.keys[:n], self.values[:n, 0], self.values[:n, 1] = keys, w, u
        self.used[0] = n
        fill(self.places, self.keys[:n])

    def make_room(self, more: int) -> None:
        """Grow until ``more`` weights fit in."""
        n = int(self.used[0])
        if n + more <= len(self.values):
            return
        self._make(2 * (n + more))
        keys, values = self.keys, self.values
        self.values = np.zeros((len(self.places) // 2, 2))
        self.keys = np.zeros(len(self.values), np.int64)
        self.keys[:n], self.values[:n] = keys[:n], values[:n]
        fill(self.places, self.keys[:n])

    def raw(self) -> RawEdgeWeights:
        """Everything learned so far, in ascending order of keys."""
        n = int(self.used[0])
        order = np.argsort(self.keys[:n])
        order = order[self.values[order].any(axis=1)]
        w, u = (np.ascontiguousarray(self.values[order, i]) for i in range(2))
        return RawEdgeWeights(self.keys[order], w, u, int(self.used[1]))


KEY, NUMBERED = 0, 1
"""The columns of a table of places: a key or -1, and the number that it has."""


@kernel(inline="always")
def find(places, key):
    """Where a key is among ``places[p] = (key or -1, number)``, or the free place for it.

    ``places`` grow, so probing begins at the upper half of the product, whatever their number. They
    are unsigned all the way: with signed ones, for which numba looks whether an index is negative,
    training was 6 to 10 % slower, decoding 2 to 3 %.
    """
    mask = np.uint64(places.shape[0] - 1)
    at = ((np.uint64(key) * MULTIPLIER) >> np.uint64(32)) & mask
    while places[at, KEY] != key and places[at, KEY] >= 0:
        at = (at + np.uint64(1)) & mask
    return at


@kernel(borrows=True)
def fill(places, keys):
    """Number keys in an empty table."""
    for number in range(len(keys)):
        at = find(places, keys[number])
        places[at, KEY] = keys[number]
        places[at, NUMBERED] = number
