"""Part of ``dependency_fast`` and ``ccg_fast``: which words an edge has, as bits, for CANCOMBINE.

Coverage is a set of bits of any length. A kind that the bag holds c times has c bits: an edge that
uses k of them sets the k lowest in one copy and the k highest in another, so two edges need more
than there are exactly if the one copy of one meets the other copy of the other. Where orders are
given, an edge also has the kinds that are in it, and those that have to stand before one of them.

A grammar's ``numbers`` hold ``kinds[k]``: how many units it has, its first bit, its column in
``Edges.counts`` or -1, and from ``OF_GRAMMAR`` on what the grammar needs; ``several``: the kinds
that have such a column; ``before[k]``: the kinds that stand before k, as bits; ``widths``: the
words of 64 bits for coverage and for kinds (0 without orders).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from wordorder_lab.runtime.kernel_fast import kernel

COUNT, BIT, SEVERAL, OF_GRAMMAR = range(4)
ONE = np.uint64(1)
WORD_BITS = 64


def words_for(bits: int) -> int:
    """How many words of 64 bits hold so many bits."""
    return -(-bits // WORD_BITS)


def number_kinds(counts: Sequence[int], more: int) -> tuple[np.ndarray, np.ndarray, int]:
    """``kinds`` with ``more`` columns for the grammar, ``several``, and how many bits there are."""
    several = [k for k, count in enumerate(counts) if count > 1]
    kinds = np.zeros((len(counts), OF_GRAMMAR + more), np.int64)
    bit = 0
    for k, count in enumerate(counts):
        column = several.index(k) if count > 1 else -1
        kinds[k, COUNT], kinds[k, BIT], kinds[k, SEVERAL] = count, bit, column
        bit += count
    return kinds, np.array(several, np.int64), bit


def number_sets(sets: Sequence[Collection[int]], words: int) -> np.ndarray:
    """Sets of small numbers as bits, a row each."""
    found = np.zeros((len(sets), words), np.uint64)
    for row, members in enumerate(sets):
        for k in members if words else ():
            found[row, k // WORD_BITS] |= np.uint64(1 << k % WORD_BITS)
    return found


@kernel
def cover_leaf(new, kind, numbers, edges):
    """Fill in the bits of a leaf; those that its grammar adds are cleared."""
    bits = edges.bits
    bits[new] = 0
    edges.counts[new] = 0
    covers, orders = numbers.widths[0], numbers.widths[1]
    low = numbers.kinds[kind, BIT]
    high = low + numbers.kinds[kind, COUNT] - 1
    bits[new, low >> 6] |= ONE << np.uint64(low & 63)
    bits[new, covers + (high >> 6)] |= ONE << np.uint64(high & 63)
    if numbers.kinds[kind, SEVERAL] >= 0:
        edges.counts[new, numbers.kinds[kind, SEVERAL]] = 1
    if orders:
        bits[new, 2 * covers + (kind >> 6)] |= ONE << np.uint64(kind & 63)
        for w in range(orders):
            bits[new, 2 * covers + orders + w] = numbers.before[kind, w]


@kernel
def cover(new, left, right, numbers, edges):
    """Fill in the bits of an edge that has the words of two others."""
    bits, counts = edges.bits, edges.counts
    covers = numbers.widths[0]
    for w in range(2 * (covers + numbers.widths[1])):
        bits[new, w] = bits[left, w] | bits[right, w]
    for i in range(numbers.several.shape[0]):
        one, other = counts[left, i], counts[right, i]
        counts[new, i] = one + other
        kind = numbers.several[i]
        for k in range(max(one, other), one + other):
            low = numbers.kinds[kind, BIT] + k
            high = numbers.kinds[kind, BIT] + numbers.kinds[kind, COUNT] - 1 - k
            bits[new, low >> 6] |= ONE << np.uint64(low & 63)
            bits[new, covers + (high >> 6)] |= ONE << np.uint64(high & 63)


@kernel
def can_order(left, right, numbers, edges):
    """Whether no given order wants a word of ``right`` before a word of ``left``."""
    bits, orders = edges.bits, numbers.widths[1]
    first = 2 * numbers.widths[0]
    for w in range(orders):
        if bits[right, first + w] & bits[left, first + orders + w]:
            return False
    return True
