"""The steps of the beam search as numba kernels over flat arrays; one call a step each.

A state is one row of ``pool`` (columns below): the top of its stack with two dependents a side,
the state whose top lies under it, the last three words, and where it came from. Row 0 is the
initial state, and with its empty top also what lies under a single word. How many units of each
type are left is kept for the states of the current and of the next beam alone.
"""

from __future__ import annotations

import numba
import numpy as np

from wordorder_lab.features.extract_fast import UNDER, read_values, template_key
from wordorder_lab.models.linear_fast import (
    LENGTH_BITS,
    LENGTH_MASK,
    MULTIPLIER,
    place,
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


@numba.njit(cache=True)
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


@numba.njit(cache=True)
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


@numba.njit(cache=True)
def score_states(
    states, n, pool, groups, lines, types, local, keys, table, actions, entries, long_rows, kept,
    rows, bases, wanted, asked, out,
):  # fmt: skip
    """The scores of every column (LEFTARC, RIGHTARC, SHIFT by type) in each of ``n`` states.

    ``keys`` is (hash shift, turned rows); ``local`` maps the model's actions to columns plus 1. A
    group's summed row is made once a sentence, then the groups are added up in order.
    """
    n_types = types.shape[0]
    n_wanted = request_rows(states, n, pool, groups, n_types, kept, rows, bases, wanted)
    if n_wanted > 0:
        n_found = look_up(wanted, n_wanted, groups, lines, types, keys[0], table, actions, asked)
        make_rows(
            wanted, n_wanted, asked, n_found, local, actions, entries, long_rows, n_types, rows
        )
    # Unsigned numbers: numba would look for negative indices and could not use wide instructions.
    columns = np.uint64(n_types)
    for s in range(np.uint64(n)):
        for c in range(columns):
            out[s, c] = 0.0
        for g in range(np.uint64(groups.shape[0])):
            base = np.uint64(bases[s, g])
            for c in range(columns):
                out[s, c] += rows[base + np.uint64(1) + c]


@numba.njit(cache=True)
def list_successors(states, n, pool, marks, out, remaining, item_types, item_bags, agenda, origin):
    """Score all successors of ``n`` states; returns how many there are.

    ``agenda`` gets the scores in the order of their making, ``origin`` (rank of the parent, action).
    Every line is written and then kept or not: a branch here is guessed wrong too often.
    """
    n_items = np.uint64(item_types.shape[0])
    m = np.uint64(0)
    for s in range(np.uint64(n)):
        base = marks[states[s], 0]
        two = np.uint64(pool[pool[states[s], BELOW], S0] != 0)
        for action in range(np.uint64(2)):
            agenda[m] = base + out[s, action]
            origin[m, 0] = s
            origin[m, 1] = action
            m += two
        for i in range(n_items):
            agenda[m] = base + out[s, np.uint64(item_types[i])]
            origin[m, 0] = s
            origin[m, 1] = i + np.uint64(2)
            m += np.uint64(remaining[s, np.uint64(item_bags[i])] > 0)
    return np.int64(m)


@numba.njit(cache=True)
def reaching(agenda, m, least):
    """How many of the first ``m`` scores reach ``least``."""
    count = 0
    for i in range(np.uint64(m)):
        count += agenda[i] >= least
    return count


@numba.njit(cache=True)
def threshold(agenda, m, beam):
    """A score that at least ``beam`` of the first ``m`` reach, and few more; and how many do.

    Bisection, since counting is fast; ``low`` is always reached by enough and ``high`` by too few.
    Where so many are equal that no score tells them apart the count stays above 5/4 of the beam.
    """
    low = high = agenda[0]
    for i in range(np.uint64(beam)):
        low = min(low, agenda[i])
        high = max(high, agenda[i])
    count, step = reaching(agenda, m, low), max(high - low, 1.0)
    high = low + step
    reach = reaching(agenda, m, high)
    while reach >= beam:
        low, count, step = high, reach, 2 * step
        high = low + step
        reach = reaching(agenda, m, high)
    while 4 * count > 5 * beam:
        middle = low + (high - low) / 2
        if middle <= low or middle >= high:
            break
        reach = reaching(agenda, m, middle)
        if reach >= beam:
            low, count = middle, reach
        else:
            high = middle
    return low, count


@numba.njit(cache=True)
def select(agenda, m, chosen, best, lines, beam):
    """TOP-K: ``chosen[r]`` becomes the line of the agenda with rank ``r``; returns how many.

    By (-score, line): the few that reach a threshold are taken into ``best`` and ``lines`` in
    their order, then sorted stably. Of more equal ones than there is place for, the first come in.
    """
    least, n = -np.inf, np.uint64(0)
    spare = m
    if m > beam:
        least, reach = threshold(agenda, m, beam)
        if 4 * reach > 5 * beam:
            spare = beam
            for i in range(np.uint64(m)):
                spare -= agenda[i] > least
    if spare == m:
        for i in range(np.uint64(m)):
            best[n] = agenda[i]
            lines[n] = i
            n += np.uint64(agenda[i] >= least)
    else:
        for i in range(np.uint64(m)):
            equal = agenda[i] == least
            best[n] = agenda[i]
            lines[n] = i
            n += np.uint64((agenda[i] > least) | (equal & (spare > 0)))
            spare -= np.int64(equal)
    one = np.uint64(1)
    for i in range(one, n):
        score, line, j = best[i], lines[i], i
        while j > 0 and best[j - one] < score:
            best[j] = best[j - one]
            lines[j] = lines[j - one]
            j -= one
        best[j] = score
        lines[j] = line
    size = min(np.int64(n), beam)
    for i in range(np.uint64(size)):
        chosen[i] = lines[i]
    return size


@numba.njit(cache=True)
def build(
    states, n, first, serial, pool, marks, agenda, origin, chosen, remaining, after, item_types,
    item_bags,
):  # fmt: skip
    """Build the chosen candidates as rows ``first`` and up of the pool; ``states`` becomes them.

    ``marks`` are (score, serial) by row; line 0 of the agenda has the serial ``serial`` + 1.
    """
    for r in range(n):
        line = chosen[r]
        s, action = origin[line, 0], origin[line, 1]
        push(pool, first + r, states[s], action, item_types[action - 2] if action >= 2 else 0)
        marks[first + r, 0] = agenda[line]
        marks[first + r, 1] = serial + line + 1
        for t in range(remaining.shape[1]):
            after[r, t] = remaining[s, t]
        if action >= 2:
            after[r, item_bags[action - 2]] -= 1
    for r in range(n):
        states[r] = first + r
