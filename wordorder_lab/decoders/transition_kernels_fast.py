"""The steps of the beam search as numba kernels over flat arrays; one call a step each.

A state is one row of ``pool`` (columns below): the top of its stack with two dependents a side,
the state whose top lies under it, the last three words, and where it came from. Row 0 is the
initial state, and with its empty top also what lies under a single word. How many units of each
type are left is kept for the states of the current and of the next beam alone.
"""

from __future__ import annotations

import numba
import numpy as np

from wordorder_lab.features.extract_fast import UNDER, template_key
from wordorder_lab.models.linear_fast import (
    LENGTH_BITS,
    LENGTH_MASK,
    MULTIPLIER,
    find,
    turned_room,
)

S0, L, L2, R, R2, VL, VR, N, DL, DR = range(10)
W0, W1, W2, D, PLACE, DESCENDANTS, BELOW, PARENT, ACTION, SHIFTED, SERIAL = range(10, 21)
WIDTH = 21

FIRST = 2
"""Counts are stored plus this; 0 says that there is nothing to count."""

MAX_VALENCY = 6 + FIRST


@numba.njit(cache=True)
def distance_bin(distance):
    """1 to 5, then 6 up to 10, then 7; plus ``FIRST``."""
    return FIRST + (distance if distance <= 5 else (6 if distance <= 10 else 7))


@numba.njit(cache=True)
def descendants_bin(n):
    """0 to 4, then 5 up to 6, 6 up to 10, 7; plus ``FIRST``."""
    return FIRST + (n if n <= 4 else (5 if n <= 6 else (6 if n <= 10 else 7)))


@numba.njit(cache=True)
def push(pool, new, old, action, item_type):
    """APPLY: write into row ``new`` the state after ``action`` in row ``old``."""
    if action >= 2:
        pool[new, :] = 0
        pool[new, S0] = item_type
        pool[new, VL] = pool[new, VR] = pool[new, N] = FIRST
        pool[new, W0] = item_type
        pool[new, W1] = pool[old, W0]
        pool[new, W2] = pool[old, W1]
        pool[new, PLACE] = pool[old, SHIFTED]
        pool[new, SHIFTED] = pool[old, SHIFTED] + 1
        pool[new, BELOW] = old
    else:
        under = pool[old, BELOW]
        head, dependent = (old, under) if action == 0 else (under, old)
        for column in range(WIDTH):
            pool[new, column] = pool[head, column]
        near, second, valency, distance = (L, L2, VL, DL) if action == 0 else (R, R2, VR, DR)
        pool[new, second] = pool[head, near]
        pool[new, near] = pool[dependent, S0]
        pool[new, valency] = min(pool[head, valency] + 1, MAX_VALENCY)
        apart = abs(pool[head, PLACE] - pool[dependent, PLACE])
        pool[new, distance] = distance_bin(apart)
        below = pool[head, DESCENDANTS] + pool[dependent, DESCENDANTS] + 1
        pool[new, DESCENDANTS] = below
        pool[new, N] = descendants_bin(below)
        for column in (W0, W1, W2, SHIFTED):
            pool[new, column] = pool[old, column]
        pool[new, BELOW] = pool[under, BELOW]
    under = pool[new, BELOW]
    pool[new, D] = distance_bin(pool[new, PLACE] - pool[under, PLACE]) if pool[under, S0] else 0
    pool[new, PARENT] = old
    pool[new, ACTION] = action


@numba.njit(cache=True, inline="always")
def seek(kept, name):
    """The line of ``kept`` that holds a name, or a free one."""
    mask = kept.shape[0] - 2
    h = np.int64((np.uint64(name) * MULTIPLIER) >> np.uint64(32)) & mask
    while kept[h + 1, 1] == kept[0, 0] and kept[h + 1, 0] != name:
        h = (h + 1) & mask
    return h + 1


@numba.njit(cache=True, inline="always")
def claim(kept, line, name, rows, n_types):
    """Put a new row of zeros under ``name``; returns where it begins in ``rows``."""
    base = kept[0, 1] * n_types
    kept[0, 1] += 1
    kept[line, 0] = name
    kept[line, 1] = kept[0, 0]
    kept[line, 2] = base
    for c in range(n_types):
        rows[base + c] = 0.0
    return base


@numba.njit(cache=True)
def read_long_rows(columns, n, turned, actions, entries, long_rows):
    """All that the sentence's columns have in the ``n`` turned rows, as dense rows."""
    n_types = columns.shape[0]
    for i in range(n * n_types):
        long_rows[i] = 0.0
    for c in range(n_types):
        if columns[c] >= 0:
            row = turned[columns[c]]
            start = row >> LENGTH_BITS
            for e in range(start, start + turned_room(row & LENGTH_MASK)):
                if actions[e, 0] >= 0:
                    long_rows[actions[e, 0] * n_types + c] = entries[e, 1]


@numba.njit(cache=True)
def score_states(
    states, n, pool, groups, lines, types, local, keys, table, actions, entries, long_rows, kept,
    rows, out,
):  # fmt: skip
    """The scores of every column (LEFTARC, RIGHTARC, SHIFT by type) in each of ``n`` states.

    ``keys`` is (radix, templates, hash shift). ``local`` maps the model's actions to columns. A
    group's summed row is made once a sentence and found again in ``kept``, lines of (name, stamp,
    begin in ``rows``); its first line holds the stamp of this sentence and the rows in use.
    """
    n_types = types.shape[0]
    n_groups = groups.shape[0]
    width = max(n_types, 16)
    most = rows.shape[0] // n_types - n_groups
    values = np.zeros(3, np.int64)
    found = np.zeros(lines.shape[0], np.uint8)
    for s in range(n):
        state = states[s]
        under = pool[state, BELOW]
        for c in range(n_types):
            out[s, c] = 0.0
        if kept[0, 1] >= most:
            kept[0, 0] += 1
            kept[0, 1] = 0
        for g in range(n_groups):
            name = np.int64(0)
            for i in range(3):
                column = groups[g, 2 + i]
                values[i] = 0
                if column >= UNDER:
                    values[i] = pool[under, column - UNDER]
                elif column >= 0:
                    values[i] = pool[state, column]
                name = name * width + values[i]
            name = name * (n_groups + 1) + g
            line = seek(kept, name)
            if kept[line, 1] == kept[0, 0]:
                base = kept[line, 2]
            else:
                base = claim(kept, line, name, rows, n_types)
                empty = True
                for k in range(groups[g, 0], groups[g, 1]):
                    found[k] = 0
                    if lines[k, 8] >= 0 and found[lines[k, 8]] == 0:
                        continue
                    key = template_key(
                        lines, k, values[0], values[1], values[2], types, keys[0], keys[1]
                    )
                    if key < 0:
                        continue
                    t = find(table, keys[2], key)
                    if table[t, 0] == -1:
                        continue
                    found[k] = 1
                    if table[t, 1] < 0:
                        empty = False
                        begin = (-1 - table[t, 1]) * n_types
                        for c in range(n_types):
                            rows[base + c] += long_rows[begin + c]
                        continue
                    first = table[t, 1] >> LENGTH_BITS
                    for e in range(first, first + (table[t, 1] & LENGTH_MASK)):
                        c = local[actions[e, 0]]
                        if c >= 0:
                            rows[base + c] += entries[e, 1]
                            empty = False
                if empty:
                    base = kept[line, 2] = -1
            if base >= 0:
                for c in range(n_types):
                    out[s, c] += rows[base + c]


@numba.njit(cache=True)
def better(heap, i, j):
    """Whether entry ``i`` of the heap ranks before entry ``j``: by (-score, serial)."""
    if heap[i, 0] != heap[j, 0]:
        return heap[i, 0] > heap[j, 0]
    return heap[i, 1] < heap[j, 1]


@numba.njit(cache=True)
def sift_down(heap, i, n):
    """Restore the heap (its worst entry on top) below place ``i``."""
    while True:
        worst = i
        for child in (2 * i + 1, 2 * i + 2):
            if child < n and better(heap, worst, child):
                worst = child
        if worst == i:
            return
        for column in range(4):
            heap[i, column], heap[worst, column] = heap[worst, column], heap[i, column]
        i = worst


@numba.njit(cache=True)
def select(
    states, n, pool, marks, out, remaining, item_types, item_first, heap, serial, record
):
    """TOP-K over all successors of ``n`` states; returns (how many are kept, last serial).

    The heap's lines become (score, serial, rank of the parent, action), best first. ``marks`` are
    (score, serial) by state. Every candidate is written into ``record`` if that has lines.
    """
    beam = heap.shape[0]
    size = 0
    n_types = item_first.shape[0] - 1
    for s in range(n):
        base = marks[states[s], 0]
        for t in range(-1, n_types):
            if t < 0:
                if pool[pool[states[s], BELOW], S0] == 0:
                    continue
                first, after = 0, 2
            else:
                if remaining[s, t] == 0:
                    continue
                first, after = 2 + item_first[t], 2 + item_first[t + 1]
            for action in range(first, after):
                serial += 1
                score = base + out[s, action if action < 2 else item_types[action - 2]]
                if record.shape[0] > 0:
                    record[serial - 1, 0] = score
                    record[serial - 1, 1] = states[s]
                    record[serial - 1, 2] = action
                if size < beam:
                    i = size
                    size += 1
                elif score > heap[0, 0]:
                    i = 0
                else:
                    continue
                heap[i, 0] = score
                heap[i, 1] = serial
                heap[i, 2] = s
                heap[i, 3] = action
                if size < beam:
                    continue
                if i > 0:
                    for j in range(beam // 2, -1, -1):
                        sift_down(heap, j, beam)
                else:
                    sift_down(heap, 0, beam)
    if size < beam:
        for j in range(size // 2, -1, -1):
            sift_down(heap, j, size)
    for end in range(size - 1, 0, -1):
        for column in range(4):
            heap[0, column], heap[end, column] = heap[end, column], heap[0, column]
        sift_down(heap, 0, end)
    return size, serial


@numba.njit(cache=True)
def build(
    states, n, first, pool, marks, heap, remaining, after, item_types, item_bags
):
    """Build the kept candidates as rows ``first`` and up of the pool; ``states`` becomes them."""
    for r in range(n):
        s = np.int64(heap[r, 2])
        action = np.int64(heap[r, 3])
        push(pool, first + r, states[s], action, item_types[action - 2] if action >= 2 else 0)
        marks[first + r, 0] = heap[r, 0]
        marks[first + r, 1] = heap[r, 1]
        for t in range(remaining.shape[1]):
            after[r, t] = remaining[s, t]
        if action >= 2:
            after[r, item_bags[action - 2]] -= 1
    for r in range(n):
        states[r] = first + r
