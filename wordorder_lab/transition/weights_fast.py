"""The weights as one hash table for numba kernels, which grows: ``packed_weights`` in use.

``table[h]`` is (feature key, start * 2**20 + length of its row), key -1 for an empty place. A row
is (action, weight) pairs, side by side so that a short one is one line of the processor's cache.
Numbers have four bytes where no sum of weights needs more (``number_for``), otherwise eight.

A row of more than ``LONG`` entries (a tag alone is seen with thousands of actions) is *turned*: it
gets a number, ``table[h, 1]`` becomes -1 - number, and its entries move to the rows of their
actions, ``turned[action]``, as (number, weight). A sentence has few actions, so all that it can
need of the long rows is read at once, before its search begins.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wordorder_lab.runtime.hash_fast import MULTIPLIER
from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.transition.packed_weights import PackedWeights, RawWeights

LENGTH_BITS = 20

LENGTH_MASK = (1 << LENGTH_BITS) - 1

LONG = 64
"""Feature rows with more entries than this are turned."""

HASHED = 16
"""Behind turned rows with more entries than this stands a small hash table, half empty, of where
each number is among them: learning looks it up, and a search reads the row from end to end."""

FEATURES, ENTRIES, EXAMPLES, TURNED, LARGEST = range(5)
"""What ``used`` counts, in learning also the largest weight there has been, without its sign."""

BLOCK = 1 << 20
"""So many averages are worked out at a time."""

FEW = 2**31
"""What four bytes hold, without a sign."""

Number = type[np.int32] | type[np.float64]


def number_for(largest: int) -> Number:
    """What weights are kept in whose sums, without their signs, are at most so large."""
    return np.int32 if largest < FEW else np.float64


class Weights(NamedTuple):
    """The arrays of a table as kernels take them; ``numbers``: hash shift, turned rows."""

    table: np.ndarray
    turned: np.ndarray
    entries: np.ndarray
    numbers: np.ndarray


class Rows(NamedTuple):
    """Weights at rest: keys, lengths of their rows, and of each entry action, weight and ``u``."""

    keys: np.ndarray
    lengths: np.ndarray
    actions: np.ndarray
    w: np.ndarray
    u: np.ndarray


class WeightTable:
    """Weights that kernels can read: ``table``, ``shift``, ``turned``, ``entries``."""

    def __init__(
        self,
        n_actions: int,
        places: int = 1 << 16,
        entries: int = 1 << 17,
        number: Number = np.int32,
    ) -> None:
        bits = max(10, int(places - 1).bit_length())
        self.shift = 64 - bits
        self.table = np.full((1 << bits, 2), -1, np.int64)
        self.turned = np.zeros(n_actions, np.int64)
        self.entries = np.zeros((max(entries, 16), 2), number)
        self.used = np.zeros(5, np.int64)

    @property
    def number(self) -> Number:
        """What it keeps weights in."""
        return np.int32 if self.entries.dtype == np.int32 else np.float64

    @property
    def weights(self) -> Weights:
        """What the kernels take."""
        numbers = np.array([self.shift, self.used[TURNED]], np.int64)
        return Weights(self.table, self.turned, self.entries, numbers)

    @classmethod
    def of(cls, packed: PackedWeights, n_actions: int, templates: int) -> WeightTable:
        """The table of packed weights, whose keys are those of so many templates."""
        size = int(needed(packed.lengths, packed.actions, n_actions))
        made = cls(n_actions, 2 * len(packed.keys), size, number_for(packed.most(templates)))
        rows = Rows(packed.keys, packed.lengths, packed.actions, packed.values, packed.values)
        fill(rows, made.weights, np.empty(len(made.entries)), made.used)
        return made


class LearningTable(WeightTable):
    """Weights in learning: beside each entry's raw weight ``w`` its ``u`` (see ``linear``). A row
    that outgrows its room moves to the end of the entries."""

    def __init__(
        self,
        n_actions: int,
        places: int = 1 << 16,
        entries: int = 1 << 17,
        number: Number = np.int32,
    ) -> None:
        super().__init__(n_actions, places, entries, number)
        self.sums = np.zeros(len(self.entries), np.float64)

    def add(self, changes: np.ndarray, n: int) -> None:
        """Apply ``n`` lines of ``changes`` (see the kernel), growing as needed."""
        done = 0
        while True:
            done = add(changes, done, n, self.weights, self.sums, self.used)
            if done == n:
                return
            self.grow()

    def grow(self) -> None:
        """Double what has run out: the places for features, or else the entries."""
        if 2 * self.used[FEATURES] >= len(self.table):
            larger = np.full((2 * len(self.table), 2), -1, np.int64)
            self.shift -= 1
            rehash(self.table, self.shift, larger)
            self.table = larger
        else:
            # Zeros that nobody has written yet take no memory.
            size = 2 * len(self.entries)
            entries, sums = np.zeros((size, 2), self.entries.dtype), np.zeros(size)
            entries[: len(self.entries)], sums[: len(self.sums)] = self.entries, self.sums
            self.entries, self.sums = entries, sums

    def raw(self) -> RawWeights:
        """Everything learned so far, in ascending order of keys and actions."""
        keys, lengths, actions, places = self._in_order()
        w, u = self.entries[places, 1].astype(np.int64), self.sums[places].astype(np.int64)
        return RawWeights(keys, lengths, actions, w, u, int(self.used[EXAMPLES]))

    def averaged(self) -> PackedWeights:
        """What ``raw().averaged()`` is; the averages take the room of their places."""
        keys, lengths, actions, places = self._in_order()
        examples = max(int(self.used[EXAMPLES]), 1)
        for begin in range(0, len(places), BLOCK):
            block = places[begin : begin + BLOCK]
            w, u = self.entries[block, 1].astype(np.int64), self.sums[block].astype(np.int64)
            block[:] = examples * w - u
        return PackedWeights(keys, lengths, actions, places, examples).without_zeros()

    def _in_order(self) -> tuple[np.ndarray, ...]:
        """Keys that ascend, the lengths of their rows, and of each entry its action and place."""
        filled = self.table[self.table[:, 0] >= 0]
        filled = filled[np.argsort(filled[:, 0])]
        keys, rows = (np.ascontiguousarray(column) for column in filled.T)
        del filled  # what is not needed any more goes at once: there may be tens of millions
        lengths = lengths_of(rows, self.turned, self.entries, self.used)
        places = np.empty(int(lengths.sum()), np.int64)
        actions = np.empty(len(places), np.int32)
        gather(rows, lengths, self.turned, self.entries, self.used, actions, places)
        return keys, lengths.astype(np.int32), actions, places

    @classmethod
    def of_raw(cls, raw: RawWeights, n_actions: int, number: Number = np.int32) -> LearningTable:
        """The table of what ``raw`` gave."""
        size = int(needed(raw.lengths, raw.actions, n_actions))
        largest = int(np.abs(raw.w).max(initial=0))
        number = number if number_for(largest) is np.int32 else np.float64
        made = cls(n_actions, 4 * len(raw.keys), 2 * size, number)
        rows = Rows(raw.keys, raw.lengths, raw.actions, raw.w, raw.u)
        fill(rows, made.weights, made.sums, made.used)
        made.used[EXAMPLES], made.used[LARGEST] = raw.examples, largest
        return made


# --- Kernels


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
    one, mask, at = np.uint64(1), np.uint64(table.shape[0] - 1), np.uint64(h)
    while table[at, 0] != key and table[at, 0] != -1:
        at = (at + one) & mask
    return np.int64(at)


@kernel
def find(table, shift, key):
    """The place of a key, or the empty place where it would go."""
    return probe(table, place(key, shift), key)


@kernel
def add(changes, begin, n, weights, sums, used):
    """Apply the changes from ``begin`` on; returns how far it came before the room ran out.

    ``changes`` is int64 (lines, 5): key, action (-1: it has no weights), change; the fourth
    column receives the weight afterwards. ``used`` counts features, entries, examples, turned rows.
    """
    table, turned, entries = weights.table, weights.turned, weights.entries
    for i in range(begin, n):
        action = changes[i, 1]
        if action < 0:
            continue
        if 2 * used[FEATURES] >= table.shape[0]:
            return i
        h = find(table, weights.numbers[0], changes[i, 0])
        if table[h, 0] == -1:
            table[h, 0] = changes[i, 0]
            table[h, 1] = 0
            used[FEATURES] += 1
        if table[h, 1] >= 0 and (table[h, 1] & LENGTH_MASK) >= LONG:
            if not turn(h, weights, sums, used):
                return i
        if table[h, 1] < 0:
            length = turned[action] & LENGTH_MASK
            if used[ENTRIES] + turned_room(length + 1) > entries.shape[0]:
                return i
            e = put(action, -1 - table[h, 1], weights, sums, used)
        else:
            start = table[h, 1] >> LENGTH_BITS
            length = table[h, 1] & LENGTH_MASK
            e = start
            while e < start + length and entries[e, 0] != action:
                e += 1
            if e == start + length:
                size = room(length + 1)
                if size > room(length):
                    to = used[ENTRIES]
                    if to + size > entries.shape[0]:
                        return i
                    used[ENTRIES] += size
                    for j in range(length):
                        entries[to + j, 0] = entries[start + j, 0]
                        entries[to + j, 1] = entries[start + j, 1]
                        sums[to + j] = sums[start + j]
                    start = to
                    e = to + length
                entries[e, 0] = action
                entries[e, 1] = 0.0
                sums[e] = 0.0
                table[h, 1] = (start << LENGTH_BITS) | (length + 1)
        entries[e, 1] += changes[i, 2]
        sums[e] += changes[i, 2] * used[EXAMPLES]
        changes[i, 3] = np.int64(entries[e, 1])
        used[LARGEST] = max(used[LARGEST], abs(changes[i, 3]))
    return n


@kernel
def turn(h, weights, sums, used):
    """Turn the row at place ``h``; false, and nothing done, where the entries have no room."""
    table, entries = weights.table, weights.entries
    start = table[h, 1] >> LENGTH_BITS
    after = start + (table[h, 1] & LENGTH_MASK)
    most = used[ENTRIES]
    for e in range(start, after):
        most += turned_room((weights.turned[np.int64(entries[e, 0])] & LENGTH_MASK) + 1)
    if most > entries.shape[0]:
        return False
    name = used[TURNED]
    used[TURNED] += 1
    for e in range(start, after):
        there = put(np.int64(entries[e, 0]), name, weights, sums, used)
        entries[there, 1] = entries[e, 1]
        sums[there] = sums[e]
    table[h, 1] = -1 - name
    return True


@kernel
def put(action, name, weights, sums, used):
    """The place of (name, ...) in an action's row, made with weight 0 where it is new. The caller
    has seen to it that the entries have room (``turned_room`` of one more)."""
    turned, entries = weights.turned, weights.entries
    start = turned[action] >> LENGTH_BITS
    length = turned[action] & LENGTH_MASK
    e = seek_entry(entries, start, length, name)
    if e >= 0:
        return e
    size = turned_room(length + 1)
    if size > turned_room(length):
        to = used[ENTRIES]
        used[ENTRIES] += size
        for i in range(length):
            entries[to + i, 0] = entries[start + i, 0]
            entries[to + i, 1] = entries[start + i, 1]
            sums[to + i] = sums[start + i]
        for i in range(to + room(length + 1), to + size):
            entries[i, 0] = entries[i, 1] = -1
        start = to
        for i in range(length if length + 1 > HASHED else 0):
            remember(entries, start, length + 1, i)
    turned[action] = (start << LENGTH_BITS) | (length + 1)
    e = start + length
    entries[e, 0] = name
    entries[e, 1] = 0
    sums[e] = 0.0
    if length + 1 > HASHED:
        remember(entries, start, length + 1, length)
    return e


@kernel
def remember(entries, start, length, i):
    """Note in the hash table of an action's row of this length where its entry ``i`` is."""
    at = seek_place(entries, start, length, np.int64(entries[start + i, 0]))
    entries[start + room(length) + (at >> 1), at & 1] = i


@kernel
def seek_entry(entries, start, length, name):
    """In an action's row, the place of the entry with this name, -1 if it has none."""
    if length > HASHED:
        at = seek_place(entries, start, length, name)
        i = np.int64(entries[start + room(length) + (at >> 1), at & 1])
        return start + i if i >= 0 else -1
    for e in range(start, start + length):
        if entries[e, 0] == name:
            return e
    return -1


@kernel
def seek_place(entries, start, length, name):
    """The place of a name in the hash table of an action's row, or where it would go. Its places
    are two in an entry, and hold the entry's place in the row, -1 where they are empty."""
    size = room(length)
    mask = 2 * size - 1
    at = place(name, 40) & mask
    while True:
        i = np.int64(entries[start + size + (at >> 1), at & 1])
        if i < 0 or entries[start + i, 0] == name:
            return at
        at = (at + 1) & mask


@kernel
def room(length):
    """How many entries a feature's row of this length has room for: a power of two."""
    size = 1
    while size < length:
        size *= 2
    return size if length > 0 else 0


@kernel
def turned_room(length):
    """The same for an action's row, with its hash table where it has one."""
    return 2 * room(length) if length > HASHED else room(length)


@kernel
def fill(rows, weights, sums, used):
    """Fill an empty table with packed rows; the entries have room for them (``needed``)."""
    table, entries = weights.table, weights.entries
    begin = np.int64(0)
    for i in range(rows.keys.shape[0]):
        h = find(table, weights.numbers[0], rows.keys[i])
        table[h, 0] = rows.keys[i]
        after = begin + rows.lengths[i]
        if rows.lengths[i] > LONG:
            table[h, 1] = -1 - used[TURNED]
            for at in range(begin, after):
                e = put(rows.actions[at], used[TURNED], weights, sums, used)
                entries[e, 1] = rows.w[at]
                sums[e] = rows.u[at]
            used[TURNED] += 1
        else:
            table[h, 1] = (used[ENTRIES] << LENGTH_BITS) | np.int64(rows.lengths[i])
            for at in range(begin, after):
                e = used[ENTRIES] + at - begin
                entries[e, 0] = rows.actions[at]
                entries[e, 1] = rows.w[at]
                sums[e] = rows.u[at]
            used[ENTRIES] += room(rows.lengths[i])
        begin = after
    used[FEATURES] = rows.keys.shape[0]


@kernel
def needed(lengths, row_actions, n_actions):
    """How many entries ``fill`` takes for rows of these lengths."""
    size, begin = 0, 0
    turned = np.zeros(n_actions, np.int64)
    for length in lengths:
        if length > LONG:
            for at in range(begin, begin + length):
                turned[row_actions[at]] += 1
        else:
            size += room(length)
        begin += length
    for length in turned:
        # A row that grows leaves its smaller places behind; together they are no larger.
        size += 2 * turned_room(length)
    return size


@kernel
def lengths_of(rows, turned, entries, used):
    """The length of each row, turned ones too."""
    counts = np.zeros(used[TURNED], np.int64)
    for row in turned:
        start = row >> LENGTH_BITS
        for e in range(start, start + (row & LENGTH_MASK)):
            counts[np.int64(entries[e, 0])] += 1
    lengths = np.empty(rows.shape[0], np.int64)
    for i in range(rows.shape[0]):
        lengths[i] = rows[i] & LENGTH_MASK if rows[i] >= 0 else counts[-1 - rows[i]]
    return lengths


@kernel
def gather(rows, lengths, turned, entries, used, row_actions, places):
    """The entries of all rows by ascending action within a row: their actions and places."""
    begins = np.zeros(used[TURNED] + 1, np.int64)
    n = 0
    for i in range(rows.shape[0]):
        if rows[i] < 0:
            begins[-1 - rows[i]] = n
        else:
            start = rows[i] >> LENGTH_BITS
            for j in range(lengths[i]):  # insertion: a row is short, numba's sorts are long
                at, action = n + j, entries[start + j, 0]
                while at > n and row_actions[at - 1] > action:
                    row_actions[at], places[at] = row_actions[at - 1], places[at - 1]
                    at -= 1
                row_actions[at], places[at] = action, start + j
        n += lengths[i]
    for action in range(turned.shape[0]):
        start = turned[action] >> LENGTH_BITS
        for e in range(start, start + (turned[action] & LENGTH_MASK)):
            name = np.int64(entries[e, 0])
            places[begins[name]] = e
            row_actions[begins[name]] = action
            begins[name] += 1


@kernel
def rehash(old, shift, table):
    """Put all rows of a table into a larger one."""
    for i in range(old.shape[0]):
        if old[i, 0] != -1:
            h = find(table, shift, old[i, 0])
            table[h, 0] = old[i, 0]
            table[h, 1] = old[i, 1]
