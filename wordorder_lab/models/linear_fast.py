"""The weights as one hash table for numba kernels: feature key -> a row of (action, weight).

``table[h]`` is (key, start * 2**20 + length), -1 for an empty place, probed linearly. Row entries
lie side by side: ``entries[e]`` holds the action (as an integer, through the view ``actions``) and
the weight, so that a short row is one line of the processor's cache.
"""

from __future__ import annotations

import numba
import numpy as np

from wordorder_lab.models.linear import PackedWeights, RawWeights

LENGTH_BITS = 20
LENGTH_MASK = (1 << LENGTH_BITS) - 1
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@numba.njit(cache=True)
def place(key, shift):  # type: ignore[no-untyped-def]
    """Where probing for a key begins in a table of 2 ** (64 - shift) places."""
    return np.int64((np.uint64(key) * MULTIPLIER) >> np.uint64(shift))


@numba.njit(cache=True)
def find(table, shift, key):  # type: ignore[no-untyped-def]
    """The place of a key, or the empty place where it would go."""
    mask = table.shape[0] - 1
    h = place(key, shift)
    while table[h, 0] != key and table[h, 0] != -1:
        h = (h + 1) & mask
    return h


@numba.njit(cache=True)
def _fill(table, shift, keys, starts, lengths):  # type: ignore[no-untyped-def]
    for i in range(keys.shape[0]):
        h = find(table, shift, keys[i])
        table[h, 0] = keys[i]
        table[h, 1] = (starts[i] << LENGTH_BITS) | lengths[i]


class WeightTable:
    """Weights that kernels can read: ``table``, ``shift``, ``entries`` and its view ``actions``."""

    def __init__(self, places: int, room: int) -> None:
        bits = max(10, int(places - 1).bit_length())
        self.shift = 64 - bits
        self.table = np.full((1 << bits, 2), -1, np.int64)
        self.entries = np.zeros((max(room, 16), 2), np.float64)

    @property
    def actions(self) -> np.ndarray:
        """The entries' action numbers: the same memory as integers."""
        return self.entries.view(np.int64)

    @classmethod
    def of(cls, packed: PackedWeights) -> WeightTable:
        """The table of packed weights."""
        table = cls(2 * len(packed.keys), len(packed.actions))
        table.actions[: len(packed.actions), 0] = packed.actions
        table.entries[: len(packed.values), 1] = packed.values
        _fill(table.table, table.shift, packed.keys, packed.starts, packed.lengths)
        return table

    @property
    def arguments(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What the search kernels read."""
        return self.table, self.actions, self.entries


class LearningTable(WeightTable):
    """Weights in learning: beside each entry's raw weight ``w`` its ``u`` (see ``linear``).

    ``used`` is (features, entries, examples). A row has room for the next power of two of its
    length and moves to the end of the entries when it outgrows that.
    """

    def __init__(self, places: int = 1 << 16, room: int = 1 << 17) -> None:
        super().__init__(places, room)
        self.sums = np.zeros(len(self.entries), np.float64)
        self.used = np.zeros(3, np.int64)

    def grow(self) -> None:
        """Double whatever is more than half full."""
        if 2 * self.used[0] >= len(self.table):
            old = self.table[self.table[:, 0] >= 0]
            self.shift -= 1
            self.table = np.full((2 * len(self.table), 2), -1, np.int64)
            keys, rows = np.ascontiguousarray(old[:, 0]), np.ascontiguousarray(old[:, 1])
            _fill(self.table, self.shift, keys, rows >> LENGTH_BITS, rows & LENGTH_MASK)
        if 2 * self.used[1] >= len(self.entries):
            more = np.zeros_like(self.entries)
            self.entries = np.concatenate([self.entries, more])
            self.sums = np.concatenate([self.sums, more[:, 0]])

    def add(self, changes: np.ndarray, n: int) -> None:
        """Apply ``n`` lines (key, action, change), growing as needed."""
        done = 0
        while True:
            done = add(
                *(changes, done, n, self.shift, self.table, self.actions, self.entries),
                *(self.sums, self.used),
            )
            if done == n:
                return
            self.grow()

    def raw(self) -> RawWeights:
        """Everything learned so far, in ascending order of keys and actions."""
        filled = self.table[self.table[:, 0] >= 0]
        order = np.argsort(filled[:, 0])
        rows = filled[order, 1]
        lengths = rows & LENGTH_MASK
        places = _gather(rows >> LENGTH_BITS, lengths, self.actions)
        return RawWeights(
            filled[order, 0],
            lengths.astype(np.int32),
            self.actions[places, 0].astype(np.int32),
            self.entries[places, 1].astype(np.int64),
            self.sums[places].astype(np.int64),
            int(self.used[2]),
        )

    @classmethod
    def of_raw(cls, raw: RawWeights) -> LearningTable:
        """The table of what ``raw`` gave."""
        lengths = raw.lengths.astype(np.int64)
        rooms = np.where(lengths > 0, 1 << np.ceil(np.log2(np.maximum(lengths, 1))).astype(int), 0)
        starts = np.cumsum(rooms) - rooms
        table = cls(4 * len(lengths), 2 * int(rooms.sum()))
        _fill(table.table, table.shift, raw.keys, starts, lengths)
        inside = np.arange(len(raw.actions)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        places = np.repeat(starts, lengths) + inside
        table.actions[places, 0] = raw.actions
        table.entries[places, 1] = raw.w
        table.sums[places] = raw.u
        table.used[:] = len(lengths), int(rooms.sum()), raw.examples
        return table


@numba.njit(cache=True)
def _gather(starts, lengths, actions):  # type: ignore[no-untyped-def]
    """The places of all entries, row by row, by ascending action within a row."""
    places = np.empty(lengths.sum(), np.int64)
    n = 0
    for i in range(starts.shape[0]):
        after = starts[i] + lengths[i]
        order = np.argsort(actions[starts[i] : after, 0])
        for j in range(lengths[i]):
            places[n] = starts[i] + order[j]
            n += 1
    return places


@numba.njit(cache=True)
def add(changes, begin, n, shift, table, actions, entries, sums, used):  # type: ignore[no-untyped-def]
    """Apply the changes from ``begin`` on; returns how far it came before the room ran out.

    ``changes`` is int64 (lines, 4): key, action (-1: only make the feature), change, and here
    the weight afterwards is left for the trace.
    """
    for i in range(begin, n):
        if 2 * used[0] >= table.shape[0]:
            return i
        h = find(table, shift, changes[i, 0])
        if table[h, 0] == -1:
            table[h, 0] = changes[i, 0]
            table[h, 1] = 0
            used[0] += 1
        if changes[i, 1] < 0:
            continue
        start = table[h, 1] >> LENGTH_BITS
        length = table[h, 1] & LENGTH_MASK
        e = start
        while e < start + length and actions[e, 0] != changes[i, 1]:
            e += 1
        if e == start + length:
            if length & (length - 1) == 0:
                room = max(1, 2 * length)
                if used[1] + room > entries.shape[0]:
                    return i
                for j in range(length):
                    actions[used[1] + j, 0] = actions[start + j, 0]
                    entries[used[1] + j, 1] = entries[start + j, 1]
                    sums[used[1] + j] = sums[start + j]
                start = used[1]
                used[1] += room
                e = start + length
            actions[e, 0] = changes[i, 1]
            entries[e, 1] = 0.0
            sums[e] = 0.0
            table[h, 1] = (start << LENGTH_BITS) | (length + 1)
        entries[e, 1] += changes[i, 2]
        sums[e] += changes[i, 2] * used[2]
        changes[i, 3] = np.int64(entries[e, 1])
    return n
