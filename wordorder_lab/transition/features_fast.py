"""The extractor and the scores of actions on whole numbers: ``features``' twin, in numba.

A template set becomes an integer program. A word's place in a sentence's own numbering is its
*type*: 0 nothing, 1 the begin of the sentence, 2 and up the (word, tag) pairs that can be shifted.
Types and counts stand in the columns of a state (``COLUMNS``).

The scores of all actions in all states of a beam are one call a step (``score_states``). Weights
are whole numbers, so sums are exact in any order, and each is kept for the sentence where it will
be met again: the templates of the same slots add up to the row of a *leaf*; leaves that look at the
same part of a state, such as the top of the stack with its dependents, to the row of a *block*. So
a state adds up four rows for the seventy templates of Table 2.

Memory is what takes the time in a new row, so questions to it are asked together (``look_up``).
Indices are unsigned: numba would look for negative ones, and could not use wide instructions.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.structures.templates import FIRST
from wordorder_lab.transition.pieces_fast import piece_lines
from wordorder_lab.transition.state_fast import ACTION, BELOW, PARENT, S0
from wordorder_lab.transition.templates import FeatureKeys
from wordorder_lab.transition.weights_fast import (
    LENGTH_BITS,
    LENGTH_MASK,
    place,
    probe,
)

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

LAST_WORDS = (COLUMNS["w0"], COLUMNS["w-1"], COLUMNS["w-2"])

AHEAD = 24
"""The columns from here on look ahead (``state_fast``)."""

ATTRIBUTES = {"w": 0, "p": 1, "l": 2, "n": 3}

ABSENT = 12
"""Where a template with fewer than three atoms looks: a value that is never missing."""


class Program(NamedTuple):
    """A template set for the kernels.

    ``groups[g]`` is (first line, line after the last, three columns or -1). ``lines[k]`` is
    (template, three places, three factors, level): place 4 * slot + attribute in the list of
    values that ``read_values`` makes. The key is the template plus the values times the factors.
    Learning goes through them in the order of the paper's groups.

    Scores are added up by ``leaves`` and ``leaf_lines``, which have the same form, and how many
    columns at the end. ``blocks[b]`` is
    (first leaf, leaf after the last, how many columns, the columns, part): what its leaves look at.
    ``uses`` says whether actions are not only told apart one by one, or labels are looked at;
    whether any template looks ahead; and whether any are over pieces, whose lines are ``pieces``
    (``pieces_fast``).
    """

    groups: np.ndarray
    lines: np.ndarray
    leaves: np.ndarray
    leaf_lines: np.ndarray
    blocks: np.ndarray
    uses: np.ndarray
    pieces: np.ndarray

    @property
    def decisions(self) -> np.ndarray | None:
        """``pieces``, if there are any: kernels for ``None`` are compiled without them."""
        return self.pieces if self.uses[2] else None


ONLY_UNDER, WORDS = range(2)
"""Parts of a state that many states share: what is under the top; the last words."""

WIDEST = 6
"""The most columns of a block: two names of three columns each."""

PART = 3 + WIDEST
"""The last column of ``blocks``: the part if all its leaves look at the same one, or else -1."""


def compile_program(keys: FeatureKeys) -> Program:
    """Translate the template set of a numbering."""
    lines: list[list[int]] = []
    groups: list[list[int]] = []
    leaves: dict[tuple[int, ...], list[list[int]]] = {}
    for group in keys.templates.groups:
        first = len(lines)
        columns = [COLUMNS[slot] for slot in group.slots]
        for index in group.templates:
            template = keys.templates.templates[index]
            atoms = [(group.slots.index(a.slot), ATTRIBUTES[a.attribute]) for a in template.atoms]
            lines.append(_line(keys, index, atoms))
            slots = sorted({slot for slot, _ in atoms})
            inside = [(slots.index(slot), attribute) for slot, attribute in atoms]
            leaf = leaves.setdefault(tuple(columns[slot] for slot in slots), [])
            leaf.append(_line(keys, index, inside))
        groups.append([first, len(lines), *columns, *[-1] * (3 - len(columns))])
    uses = (
        keys.templates.levels != (0,) or keys.templates.has_labels,
        any(c % UNDER >= AHEAD for columns in leaves for c in columns),
        bool(keys.templates.pieces),
    )
    made, leaf_lines, blocks = _blocks(leaves)
    return Program(
        groups=np.array(groups, np.int64),
        lines=np.array(lines, np.int64),
        leaves=np.array(made, np.int64),
        leaf_lines=np.array(leaf_lines, np.int64),
        blocks=np.array(blocks, np.int64),
        uses=np.array(uses, np.int64),
        pieces=piece_lines(keys),
    )


def _line(keys: FeatureKeys, index: int, atoms: Sequence[tuple[int, int]]) -> list[int]:
    """A line for a template whose atoms are these (slot, attribute)."""
    places = [4 * slot + attribute for slot, attribute in atoms]
    powers = [factor for factor, _ in keys.places[index]]
    missing = 3 - len(atoms)
    level = keys.templates.templates[index].level
    return [index, *places, *[ABSENT] * missing, *powers, *[0] * missing, level]


def _blocks(
    leaves: dict[tuple[int, ...], list[list[int]]],
) -> tuple[list[list[int]], list[list[int]], list[list[int]]]:
    """``leaves``, ``leaf_lines`` and ``blocks``: what sees one part of a state is together."""
    together: list[tuple[set[int], set[int], list[tuple[int, ...]]]] = []
    for columns in leaves:
        parts = {part_of(column) for column in columns}
        for same, seen, members in together:
            if same == parts and len(seen.union(columns)) <= WIDEST:
                seen.update(columns)
                members.append(columns)
                break
        else:
            together.append((parts, set(columns), [columns]))
    made: list[list[int]] = []
    lines: list[list[int]] = []
    blocks: list[list[int]] = []
    for parts, seen, members in together:
        first = len(made)
        for columns in members:
            begin = len(lines)
            lines += leaves[columns]
            made.append([begin, len(lines), *columns, *[-1] * (3 - len(columns)), len(columns)])
        padded = *sorted(seen), *[0] * (WIDEST - len(seen))
        blocks.append([first, len(made), len(seen), *padded, max(parts) if len(parts) == 1 else -1])
    return made, lines, blocks


def part_of(column: int) -> int:
    """The part of a state that a column belongs to: ``ONLY_UNDER``, ``WORDS`` or two others."""
    if column >= UNDER:
        return ONLY_UNDER
    return WORDS if column in LAST_WORDS else 2 + (column < len(CELL))


@kernel(inline="always")
def read_values(values, v0, v1, v2, types):
    """Fill the values that templates of a group look at when its slots hold v0, v1, v2.

    ``types`` is int64 (types, 3): word, tag and label numbers. A slot with a count has its number
    alone; its word, tag and label are not looked at by any template.
    """
    most = types.shape[0] - 1
    for i in range(3):
        v = v0 if i == 0 else (v1 if i == 1 else v2)
        t = min(v, most)
        values[4 * i] = types[t, 0]
        values[4 * i + 1] = types[t, 1]
        values[4 * i + 2] = types[t, 2]
        values[4 * i + 3] = v
    values[ABSENT] = FIRST


@kernel(inline="always")
def template_key(lines, k, values):
    """The key of line ``k``, -1 where a slot is empty or a word or tag has no number."""
    a, b, c = values[lines[k, 1]], values[lines[k, 2]], values[lines[k, 3]]
    key = a * lines[k, 4] + b * lines[k, 5] + c * lines[k, 6] + lines[k, 0]
    return key if min(a, b, c) >= FIRST else np.int64(-1)


# --- Scores


@kernel(borrows=True, forceinline=True)
def score_states(states, n, run, out):
    """The scores of every column (LEFTARC, RIGHTARC, SHIFT by type) in each of ``n`` states.

    ``run`` is what a search consists of (``bag_fast``). At last each SHIFT gets what its columns by
    tag, by move and so on have, and so do arcs.
    """
    program, problem, space = run.program, run.problem, run.space
    n_blocks, stride = program.blocks.shape[0], stride_of(problem.types.shape[0])
    if make_room(n, program.leaves.shape[0] + n_blocks, stride, space.kept, space.rows):
        space.memo[:] = -1
    fresh = request_rows(states, n, stride, program, space)
    if fresh > 0:
        n_wanted, n_parts = request_leaves(fresh, stride, program, space)
        found = look_up(n_wanted, program, problem.types, run.weights, space)
        make_rows(found, problem.types.shape[0], run.weights, space)
        join_rows(space.parts, n_parts, stride, space.rows)
    add_rows(space.bases, n, n_blocks, stride, space.rows, out)
    if program.uses[0] != 0:
        add_folds(states, n, space.pool, problem.folds, out)


@kernel(borrows=True)
def add_folds(states, n, pool, folds, out):
    """Add to the score of each SHIFT those of its columns that tell actions apart less finely; and
    to those of both arcs what they have by the label of the dependent.

    Later types first: theirs of the first type with the same word and tag is that without the rest.
    """
    for s in range(n):
        for c in range(folds.shape[0] - 1, 1, -1):
            if folds[c, 0] != 0:
                for level in range(5):
                    if folds[c, level] != 0 and folds[c, level] != c:
                        out[s, c] += out[s, folds[c, level]]
        state = states[s]
        left = folds[pool[pool[state, BELOW], S0], 5]
        right = folds[pool[state, S0], 6]
        if left != 0:
            out[s, 0] += out[s, left]
        if right != 0:
            out[s, 1] += out[s, right]


@kernel(inline="always")
def stride_of(n_types):
    """Numbers in a row: a zero, the columns, and zeros up to a multiple of four."""
    return (n_types + 4) // 4 * 4


@kernel(inline="always")
def forget_rows(steps, beam, most, kept):
    """Begin a sentence of so many steps with a part of ``kept`` that is likely to be enough. What
    is used stays near in memory, so it is no larger than it must be."""
    kept[0, 0] += 1
    kept[0, 1] = 1
    kept[1, 0] = 64
    while kept[1, 0] < min((beam + 2 * steps) * most, kept.shape[0] - 2):
        kept[1, 0] *= 2


@kernel(inline="always")
def make_room(n, most, stride, kept, rows):
    """Forget all rows where ``most`` new ones for each of ``n`` states could be too many; says
    whether it did."""
    new = n * most
    full = (kept[0, 1] + new) * stride > rows.shape[0]
    while kept[0, 1] + new >= kept[1, 0] and kept[1, 0] < kept.shape[0] - 2:
        kept[1, 0] *= 2
        full = True
    if full:
        kept[0, 0] += 1
        kept[0, 1] = 1
    return full


@kernel(borrows=True, forceinline=True)
def request_rows(states, n, stride, program, space):
    """Find the row of every block in each of ``n`` states; returns how many must be made.

    ``bases[s, b]`` becomes the row's begin in ``rows``, and a line of ``fresh`` (state, block,
    begin) what must be made. ``kept`` remembers the rows of a sentence by block or leaf and content
    of its columns: lines of (name, rest of the name, stamp, begin). Its first line holds the stamp
    of this sentence and the number of rows in use, its second how many lines are used, a power of
    two. ``memo`` spares most questions: what lies under the top is the same for many states, and
    the last words are those of the parent after an arc.
    """
    kept, bases, memo, fresh = space.kept, space.bases, space.memo, space.fresh
    pool, blocks = space.pool, program.blocks
    n_names = program.leaves.shape[0] + blocks.shape[0]
    n_blocks, made = np.uint64(blocks.shape[0]), np.uint64(0)
    one, two, three = np.uint64(1), np.uint64(2), np.uint64(3)
    bits, stamp = bits_of(stride), kept[0, 0]
    for b in range(n_blocks):
        part, width = blocks[b, PART], np.uint64(blocks[b, two])
        for s in range(np.uint64(n)):
            state = np.uint64(states[s])
            under = np.uint64(pool[state, BELOW])
            owner = under if part == ONLY_UNDER else state
            if part == WORDS:
                shifted = (pool[state, ACTION] >= 2) | (state == 0)
                memo[state, b] = -1 if shifted else memo[np.uint64(pool[state, PARENT]), b]
            else:
                memo[state, b] = -1
            known = memo[owner, b]
            if known < 0:
                name, rest = np.int64(0), np.int64(0)
                for i in range(width):
                    column = np.uint64(blocks[b, three + i])
                    row = under if column >= np.uint64(UNDER) else state
                    if i == three:
                        rest, name = name, np.int64(0)
                    name = (name << bits) | np.int64(pool[row, column & np.uint64(UNDER - 1)])
                name = name * n_names + np.int64(b)
                h = seek(kept, name, rest, stamp)
                if kept[h, two] != stamp:
                    kept[h, 0], kept[h, one], kept[h, two] = name, rest, stamp
                    kept[h, three] = kept[0, 1] * stride
                    kept[0, 1] += 1
                    fresh[made, 0], fresh[made, one] = state, b
                    fresh[made, two] = kept[h, three]
                    made += one
                known = memo[owner, b] = kept[h, three]
            bases[s, b] = known
    return np.int64(made)


@kernel(borrows=True, forceinline=True)
def request_leaves(n, stride, program, space):
    """Clear ``n`` fresh rows of blocks, and find the rows of their leaves; list what to do.

    ``wanted`` gets lines of (leaf, three values, begin of the row) for those that must be made,
    and ``parts`` of (row of a block, row of a leaf); returns how many they are. A leaf that looks
    at an empty slot has no feature. One that looks at all that its block does needs no own row.
    """
    kept, rows, wanted, parts = space.kept, space.rows, space.wanted, space.parts
    fresh, pool, leaves, blocks = space.fresh, space.pool, program.leaves, program.blocks
    n_blocks, n_names = np.uint64(blocks.shape[0]), blocks.shape[0] + leaves.shape[0]
    one, two, three = np.uint64(1), np.uint64(2), np.uint64(3)
    four, five = np.uint64(4), np.uint64(5)
    bits, stamp, w, p = bits_of(stride), kept[0, 0], np.uint64(0), np.uint64(0)
    for line in range(np.uint64(n)):
        state, b, base = np.uint64(fresh[line, 0]), np.uint64(fresh[line, one]), fresh[line, two]
        under = np.uint64(pool[state, BELOW])
        clear(rows, base, stride)
        first, last = np.uint64(blocks[b, 0]), np.uint64(blocks[b, one])
        for leaf in range(first, last):
            name, present = np.int64(0), True
            for i in range(two, two + three):
                value = np.int64(0)
                if leaves[leaf, i] >= 0:
                    column = np.uint64(leaves[leaf, i])
                    row = under if column >= np.uint64(UNDER) else state
                    value = np.int64(pool[row, column & np.uint64(UNDER - 1)])
                    present &= value != 0
                wanted[w, i - one] = value
                name = (name << bits) | value
            wanted[w, 0], wanted[w, four] = leaf, base
            if leaves[leaf, five] == blocks[b, two]:
                w += np.uint64(present)
            elif present:
                name = name * n_names + np.int64(n_blocks + leaf)
                h = seek(kept, name, np.int64(0), stamp)
                if kept[h, two] != stamp:
                    kept[h, 0], kept[h, one], kept[h, two] = name, 0, stamp
                    kept[h, three] = kept[0, 1] * stride
                    kept[0, 1] += 1
                    clear(rows, kept[h, three], stride)
                    wanted[w, four] = kept[h, three]
                    w += one
                parts[p, 0], parts[p, one] = base, kept[h, three]
                p += one
    return np.int64(w), np.int64(p)


@kernel(inline="always")
def bits_of(stride):
    """How many bits of a name one value takes: types, or counts below 16."""
    bits = np.int64(4)
    while (np.int64(1) << bits) < stride:
        bits += 1
    return bits


@kernel(inline="always")
def seek(kept, name, rest, stamp):
    """The line of ``kept`` with this name, or where it would go. It is no ``probe`` of
    ``weights_fast``: a new stamp empties the whole table at once."""
    one, two, mask = np.uint64(1), np.uint64(2), np.uint64(kept[1, 0] - 1)
    h = np.uint64(place(name + rest * 0x2545F491, 32)) & mask
    while kept[h + two, 2] == stamp and (kept[h + two, 0] != name or kept[h + two, 1] != rest):
        h = (h + one) & mask
    return h + two


@kernel(inline="always")
def clear(rows, base, stride):
    """Set a row to zero."""
    for c in range(np.uint64(base), np.uint64(base + stride)):
        rows[c] = 0.0


@kernel(borrows=True, forceinline=True)
def look_up(n, program, types, weights, space):
    """Find the weights of all features of the wanted rows; returns how many were found.

    ``asked`` gets lines of (entry of the table, place, begin of the row). First all keys, then all
    places of the table, then all rows of entries: memory answers many questions at once as fast
    as one, but only if none of them waits for the answer to another.
    """
    wanted, asked, values = space.wanted, space.asked, space.values
    leaves, lines = program.leaves, program.leaf_lines
    shift, table, entries = weights.numbers[0], weights.table, weights.entries
    n_asked = np.uint64(0)
    for w in range(np.uint64(n)):
        leaf = np.uint64(wanted[w, 0])
        read_values(values, wanted[w, 1], wanted[w, 2], wanted[w, 3], types)
        for k in range(np.uint64(leaves[leaf, 0]), np.uint64(leaves[leaf, 1])):
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
        touched ^= np.int64(entries[np.uint64(max(asked[i, 0], 0) >> LENGTH_BITS), 0])
    asked[n_found, 0] = touched
    return np.int64(n_found)


@kernel(borrows=True, forceinline=True)
def make_rows(n_found, n_types, weights, space):
    """Sum the weights that were found into the wanted rows, whose columns begin at their second
    number. Those for actions that the sentence does not have (their ``local`` is 0) go into the
    first row, which is nobody's: in turn to four places, as one would have to wait for itself.
    """
    asked, local, rows, long_rows = space.asked, space.local, space.rows, space.long_rows
    entries = weights.entries
    n_columns, one, three = np.uint64(n_types), np.uint64(1), np.uint64(3)
    for i in range(np.uint64(n_found)):
        base = np.uint64(asked[i, 2])
        if asked[i, 0] < 0:
            begin = np.uint64(-1 - asked[i, 0]) * n_columns
            for c in range(n_columns):
                rows[base + one + c] += long_rows[begin + c]
            continue
        first = np.uint64(asked[i, 0] >> LENGTH_BITS)
        for e in range(first, first + np.uint64(asked[i, 0] & LENGTH_MASK)):
            column = np.uint64(local[np.uint64(entries[e, 0])])
            rows[base + column if column != 0 else e & three] += entries[e, 1]


@kernel(borrows=True, forceinline=True)
def join_rows(parts, n, stride, rows):
    """Add the rows of leaves to those of their blocks."""
    for p in range(np.uint64(n)):
        base, leaf = np.uint64(parts[p, 0]), np.uint64(parts[p, 1])
        for c in range(np.uint64(stride)):
            rows[base + c] += rows[leaf + c]


@kernel(borrows=True, forceinline=True)
def add_rows(bases, n, n_blocks, stride, rows, out):
    """Add up the rows of each state. Two at a time: fewer loads and stores of the sum."""
    for s in range(np.uint64(n)):
        for c in range(np.uint64(stride - 1)):
            out[s, c] = 0.0
        for b in range(np.uint64(0), np.uint64(n_blocks), np.uint64(2)):
            one, first = np.uint64(1), np.uint64(bases[s, b])
            if b + one < np.uint64(n_blocks):
                second = np.uint64(bases[s, b + one])
                for c in range(np.uint64(stride - 1)):
                    out[s, c] += rows[first + one + c] + rows[second + one + c]
            else:
                for c in range(np.uint64(stride - 1)):
                    out[s, c] += rows[first + one + c]


@kernel(borrows=True)
def read_long_rows(columns, weights, long_rows):
    """All that the sentence's columns have in the turned rows, as dense rows."""
    entries, n_columns = weights.entries, np.uint64(columns.shape[0])
    for i in range(np.uint64(weights.numbers[1]) * n_columns):
        long_rows[i] = 0
    for c in range(n_columns):
        if columns[c] >= 0:
            row = weights.turned[columns[c]]
            start, one = np.uint64(row >> LENGTH_BITS), np.uint64(1)
            for e in range(start, start + np.uint64(row & LENGTH_MASK)):
                long_rows[np.uint64(entries[e, 0]) * n_columns + c] = entries[e, one]
