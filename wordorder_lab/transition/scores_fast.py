"""Scores of all actions in all states of a beam, as numba kernels: one call a step of the search.

Memory is what takes the time here, so questions to it are asked together (``look_up``), and the
answer for a group of templates is kept for the sentence (``request_rows``). Unsigned numbers are
used for indices: numba would look for negative ones, and could not use wide instructions.
"""

from __future__ import annotations

import numpy as np

from wordorder_lab.structures.hash_fast import MULTIPLIER, place
from wordorder_lab.structures.kernel_fast import kernel
from wordorder_lab.transition.features_fast import UNDER, read_values, template_key
from wordorder_lab.transition.states_fast import BELOW
from wordorder_lab.transition.weights_fast import LENGTH_BITS, LENGTH_MASK, turned_room


@kernel
def read_long_rows(columns, weights, long_rows):
    """All that the sentence's columns have in the turned rows, as dense rows."""
    n_types = columns.shape[0]
    for i in range(weights.numbers[1] * n_types):
        long_rows[i] = 0.0
    for c in range(n_types):
        if columns[c] >= 0:
            row = weights.turned[columns[c]]
            start = row >> LENGTH_BITS
            for e in range(start, start + turned_room(row & LENGTH_MASK)):
                name = weights.actions[e, 0]
                if name >= 0:
                    long_rows[name * n_types + c] = weights.entries[e, 1]


@kernel
def request_rows(states, n, pool, groups, n_types, kept, rows, bases, wanted):
    """Find the row of every group in each of ``n`` states; list those that must be made.

    ``bases[s, g]`` becomes the row's begin in ``rows``. ``kept`` remembers the rows of a sentence
    by group and content of its slots: lines of (name, stamp, begin); its first line holds the
    stamp of this sentence and the number of rows in use. Returns how many lines of ``wanted``
    (group, three values, begin) there are.
    """
    n_groups = np.uint64(groups.shape[0])
    mask = np.uint64(kept.shape[0] - 2)
    one = np.uint64(1)
    width = max(n_types, 16)
    stride = n_types + 1
    if (kept[0, 1] + n * groups.shape[0]) * stride > rows.shape[0]:
        kept[0, 0] += 1
        kept[0, 1] = 0
    stamp, used = kept[0, 0], kept[0, 1]
    w = np.uint64(0)
    for s in range(np.uint64(n)):
        state = np.uint64(states[s])
        under = np.uint64(pool[state, BELOW])
        for g in range(n_groups):
            name = np.int64(0)
            for i in range(np.uint64(3)):
                column = groups[g, np.uint64(2) + i]
                value = np.int64(0)
                if column >= UNDER:
                    value = np.int64(pool[under, np.uint64(column - UNDER)])
                elif column >= 0:
                    value = np.int64(pool[state, np.uint64(column)])
                wanted[w, one + i] = value
                name = name * width + value
            name = name * groups.shape[0] + np.int64(g)
            h = ((np.uint64(name) * MULTIPLIER) >> np.uint64(32)) & mask
            while kept[h + one, 1] == stamp and kept[h + one, 0] != name:
                h = (h + one) & mask
            if kept[h + one, 1] != stamp:
                kept[h + one, 0] = name
                kept[h + one, 1] = stamp
                kept[h + one, 2] = used * stride
                wanted[w, 0] = g
                wanted[w, 4] = used * stride
                used += 1
                w += one
            bases[s, g] = kept[h + one, 2]
    kept[0, 1] = used
    return np.int64(w)


@kernel
def look_up(wanted, n, groups, lines, types, shift, table, actions, asked):
    """Find the weights of all features of the wanted rows; returns how many were found.

    ``asked`` gets lines of (entry of the table, place, begin of the row). First all keys, then all
    places of the table, then all rows of entries: memory answers many questions at once as fast
    as one, but only if none of them waits for the answer to another.
    """
    one = np.uint64(1)
    n_asked = np.uint64(0)
    values = np.zeros(10, np.int64)
    for w in range(np.uint64(n)):
        g = np.uint64(wanted[w, 0])
        read_values(values, wanted[w, 1], wanted[w, 2], wanted[w, 3], types)
        for k in range(np.uint64(groups[g, 0]), np.uint64(groups[g, 1])):
            key = template_key(lines, k, values)
            asked[n_asked, 0] = key
            asked[n_asked, 1] = place(key, shift)
            asked[n_asked, 2] = wanted[w, 4]
            n_asked += np.uint64(key >= 0)
    touched = np.int64(0)
    for i in range(n_asked):
        touched ^= table[np.uint64(asked[i, 1]), 0]
    mask = np.uint64(table.shape[0] - 1)
    n_found = np.uint64(0)
    for i in range(n_asked):
        h, key = np.uint64(asked[i, 1]), asked[i, 0]
        while table[h, 0] != key and table[h, 0] != -1:
            h = (h + one) & mask
        asked[n_found, 0] = table[h, 1]
        asked[n_found, 2] = asked[i, 2]
        n_found += np.uint64(table[h, 0] != -1)
    for i in range(n_found):
        touched ^= actions[np.uint64(max(asked[i, 0], 0) >> LENGTH_BITS), 0]
    asked[n_found, 0] = touched
    return np.int64(n_found)


@kernel
def make_rows(wanted, n, asked, n_found, local, actions, entries, long_rows, n_types, rows):
    """Sum the weights that were found into the wanted rows, feature by feature in order.

    A row's first number collects the weights of actions that the sentence does not have (their
    ``local`` is 0); the columns come after it.
    """
    columns = np.uint64(n_types)
    one = np.uint64(1)
    for w in range(np.uint64(n)):
        begin = np.uint64(wanted[w, 4])
        for c in range(columns + one):
            rows[begin + c] = 0.0
    for i in range(np.uint64(n_found)):
        base = np.uint64(asked[i, 2])
        if asked[i, 0] < 0:
            begin = np.uint64(-1 - asked[i, 0]) * columns
            for c in range(columns):
                rows[base + one + c] += long_rows[begin + c]
            continue
        first = np.uint64(asked[i, 0] >> LENGTH_BITS)
        for e in range(first, first + np.uint64(asked[i, 0] & LENGTH_MASK)):
            rows[base + np.uint64(local[np.uint64(actions[e, 0])])] += entries[e, 1]


@kernel
def score_states(states, n, program, types, folds, weights, space, out):
    """The scores of every column (LEFTARC, RIGHTARC, SHIFT by type) in each of ``n`` states.

    A group's summed row is made once a sentence, then the groups are added up in order. At last
    each SHIFT gets what its tag's column and the column of all SHIFTs have.
    """
    n_types = types.shape[0]
    groups, lines = program.groups, program.lines
    rows, bases, wanted, asked = space.rows, space.bases, space.wanted, space.asked
    n_wanted = request_rows(states, n, space.pool, groups, n_types, space.kept, rows, bases, wanted)
    if n_wanted > 0:
        shift, table, actions = weights.numbers[0], weights.table, weights.actions
        found = look_up(wanted, n_wanted, groups, lines, types, shift, table, actions, asked)
        entries, long_rows, local = weights.entries, space.long_rows, space.local
        make_rows(wanted, n_wanted, asked, found, local, actions, entries, long_rows, n_types, rows)
    columns, n_groups = np.uint64(n_types), np.uint64(groups.shape[0])
    one, three = np.uint64(1), np.uint64(3)
    for s in range(np.uint64(n)):
        for c in range(columns):
            out[s, c] = 0.0
        g = np.uint64(0)
        # Three groups at a time, still one after the other: fewer loads and stores of the sum.
        while g + three <= n_groups:
            first = np.uint64(bases[s, g]) + one
            second = np.uint64(bases[s, g + one]) + one
            third = np.uint64(bases[s, g + np.uint64(2)]) + one
            for c in range(columns):
                out[s, c] = ((out[s, c] + rows[first + c]) + rows[second + c]) + rows[third + c]
            g += three
        while g < n_groups:
            first = np.uint64(bases[s, g]) + one
            for c in range(columns):
                out[s, c] += rows[first + c]
            g += one
        if program.uses[0] != 0:
            for c in range(np.uint64(2), columns):
                if folds[c, 0] != 0:
                    out[s, c] += out[s, folds[c, 0]] + out[s, folds[c, 1]]
