"""The extractor and the scores of actions on whole numbers: ``features``' twin, in numba.

A template set becomes an integer program. A word's place in a sentence's own numbering is its
*type*: 0 nothing, 1 the begin of the sentence, 2 and up the (word, tag) pairs that can be shifted.
Types and counts stand in the columns of a state (``COLUMNS``); the program says which columns make
up a group and which of them each template takes.

The scores of all actions in all states of a beam are one call a step of the search
(``score_states``). Memory is what takes the time there, so questions to it are asked together
(``look_up``), and the answer for a group of templates is kept for the sentence (``request_rows``).
Unsigned numbers are used for indices: numba would look for negative ones, and could not use wide
instructions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wordorder_lab.structures.hash_fast import place, probe
from wordorder_lab.structures.kernel_fast import kernel
from wordorder_lab.structures.templates import FIRST
from wordorder_lab.transition.state_fast import BELOW
from wordorder_lab.transition.templates import FeatureKeys
from wordorder_lab.transition.weights_fast import LENGTH_BITS, LENGTH_MASK, turned_room

CELL = ("", ",l", ",l2", ",r", ",r2", "vl", "vr", "n", "dl", "dr")
"""Columns 0 to 9 of a state: what is known about the top of its stack."""

UNDER = 32
"""Added to a column of ``CELL``: the same about the word under the top."""

COLUMNS = {
    **{f"S0{name}": i for i, name in enumerate(CELL)},
    **{f"S1{name}": UNDER + i for i, name in enumerate(CELL)},
    **{"w0": 10, "w-1": 11, "w-2": 12, "d": 13},
    **{"S0,h": 24, "S0,c": 25, "S0,c2": 26, "S0,s": 27, "S0,s2": 28, "S0hs": 29, "b": 30},
}
"""Slot -> column of a state."""

AHEAD = 24
"""The columns from here on look ahead (``state_fast``)."""

ATTRIBUTES = {"w": 0, "p": 1, "n": 2}

ABSENT = 9
"""Where a template with fewer than three atoms looks: a value that is never missing."""


class Program(NamedTuple):
    """A template set for the kernels.

    ``groups[g]`` is (first line, line after the last, three columns or -1). ``lines[k]`` is
    (template, three places, three factors, level): place 3 * slot + attribute in the list of ten
    values that ``read_values`` makes. The key is the template plus the values times the factors.
    ``uses`` says whether there are templates by tag or by move, and whether any look ahead.
    """

    groups: np.ndarray
    lines: np.ndarray
    uses: np.ndarray


def compile_program(keys: FeatureKeys) -> Program:
    """Translate the template set of a numbering."""
    lines: list[list[int]] = []
    groups: list[list[int]] = []
    for group in keys.templates.groups:
        first = len(lines)
        for index in group.templates:
            atoms = keys.templates.templates[index].atoms
            places = [3 * group.slots.index(a.slot) + ATTRIBUTES[a.attribute] for a in atoms]
            powers = [keys.radix**i * len(keys.templates) for i in reversed(range(len(atoms)))]
            missing = 3 - len(atoms)
            level = keys.templates.templates[index].level
            lines.append([index, *places, *[ABSENT] * missing, *powers, *[0] * missing, level])
        columns = [COLUMNS[slot] for slot in group.slots]
        groups.append([first, len(lines), *columns, *[-1] * (3 - len(columns))])
    uses = keys.templates.levels != (0,), any(c % UNDER >= AHEAD for g in groups for c in g[2:])
    return Program(np.array(groups, np.int64), np.array(lines, np.int64), np.array(uses, np.int64))


@kernel(inline="always")
def read_values(values, v0, v1, v2, types):
    """Fill the ten values that templates of a group look at when its slots hold v0, v1, v2.

    ``types`` is int64 (types, 2): word and tag numbers. A slot with a count has its number alone;
    its word and tag are not looked at by any template.
    """
    most = types.shape[0] - 1
    for i in range(3):
        v = v0 if i == 0 else (v1 if i == 1 else v2)
        t = min(v, most)
        values[3 * i] = types[t, 0]
        values[3 * i + 1] = types[t, 1]
        values[3 * i + 2] = v
    values[ABSENT] = FIRST


@kernel(inline="always")
def template_key(lines, k, values):
    """The key of line ``k``, -1 where a slot is empty or a word or tag has no number."""
    a, b, c = values[lines[k, 1]], values[lines[k, 2]], values[lines[k, 3]]
    key = a * lines[k, 4] + b * lines[k, 5] + c * lines[k, 6] + lines[k, 0]
    return key if min(a, b, c) >= FIRST else np.int64(-1)


# --- Scores


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
            # No ``probe`` here: a new stamp empties the whole table at once.
            h = np.uint64(place(name, 32)) & mask
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
    n_found = np.uint64(0)
    for i in range(n_asked):
        h = np.uint64(probe(table, asked[i, 1], asked[i, 0]))
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
