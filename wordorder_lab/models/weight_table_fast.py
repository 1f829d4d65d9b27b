"""The table of weights that the kernels of ``linear_fast`` work on, as an object that grows."""

from __future__ import annotations

import numpy as np

from wordorder_lab.models import linear_fast as kernels
from wordorder_lab.models.packed import PackedWeights, RawWeights


class WeightTable:
    """Weights that kernels can read: ``table``, ``shift``, ``turned``, ``entries``, ``actions``."""

    def __init__(self, n_actions: int, places: int = 1 << 16, entries: int = 1 << 17) -> None:
        bits = max(10, int(places - 1).bit_length())
        self.shift = 64 - bits
        self.table = np.full((1 << bits, 2), -1, np.int64)
        self.turned = np.zeros(n_actions, np.int64)
        self.entries = np.zeros((max(entries, 16), 2), np.float64)
        self.used = np.zeros(4, np.int64)

    @property
    def actions(self) -> np.ndarray:
        """The entries' action numbers: the same memory as integers."""
        return self.entries.view(np.int64)

    @property
    def arguments(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """What the kernels that write take."""
        return self.table, self.turned, self.actions, self.entries

    @property
    def weights(self) -> kernels.Weights:
        """What the kernels that read take."""
        numbers = np.array([self.shift, self.used[kernels.TURNED]], np.int64)
        return kernels.Weights(*self.arguments, numbers)

    @classmethod
    def of(cls, packed: PackedWeights, n_actions: int) -> WeightTable:
        """The table of packed weights."""
        size = int(kernels.needed(packed.lengths, packed.actions, n_actions))
        made = cls(n_actions, 2 * len(packed.keys), size)
        rows = (packed.keys, packed.lengths, packed.actions, packed.values, packed.values)
        sums = np.empty(len(made.entries))
        kernels.fill(*rows, made.shift, *made.arguments, sums, made.used)
        return made


class LearningTable(WeightTable):
    """Weights in learning: beside each entry's raw weight ``w`` its ``u`` (see ``linear``).

    A row that outgrows its room moves to the end of the entries.
    """

    def __init__(self, n_actions: int, places: int = 1 << 16, entries: int = 1 << 17) -> None:
        super().__init__(n_actions, places, entries)
        self.sums = np.zeros(len(self.entries), np.float64)

    def add(self, changes: np.ndarray, n: int) -> None:
        """Apply ``n`` lines of ``changes`` (see the kernel), growing as needed."""
        done = 0
        while True:
            state = (self.shift, *self.arguments, self.sums, self.used)
            done = kernels.add(changes, done, n, *state)
            if done == n:
                return
            self.grow()

    def grow(self) -> None:
        """Double what has run out: the places for features, or else the entries."""
        if 2 * self.used[kernels.FEATURES] >= len(self.table):
            larger = np.full((2 * len(self.table), 2), -1, np.int64)
            self.shift -= 1
            kernels.rehash(self.table, self.shift, larger)
            self.table = larger
        else:
            more = np.zeros_like(self.entries)
            self.entries = np.concatenate([self.entries, more])
            self.sums = np.concatenate([self.sums, more[:, 0]])

    def raw(self) -> RawWeights:
        """Everything learned so far, in ascending order of keys and actions."""
        filled = self.table[self.table[:, 0] >= 0]
        filled = filled[np.argsort(filled[:, 0])]
        keys, rows = (np.ascontiguousarray(column) for column in filled.T)
        lengths = kernels.lengths_of(rows, self.turned, self.actions, self.used)
        places = np.empty(int(lengths.sum()), np.int64)
        actions = np.empty(len(places), np.int32)
        kernels.gather(rows, lengths, self.turned, self.actions, self.used, actions, places)
        w, u = self.entries[places, 1].astype(np.int64), self.sums[places].astype(np.int64)
        examples = int(self.used[kernels.EXAMPLES])
        return RawWeights(keys, lengths.astype(np.int32), actions, w, u, examples)

    @classmethod
    def of_raw(cls, raw: RawWeights, n_actions: int) -> LearningTable:
        """The table of what ``raw`` gave."""
        size = int(kernels.needed(raw.lengths, raw.actions, n_actions))
        made = cls(n_actions, 4 * len(raw.keys), 2 * size)
        rows = (raw.keys, raw.lengths, raw.actions, raw.w, raw.u)
        kernels.fill(*rows, made.shift, *made.arguments, made.sums, made.used)
        made.used[kernels.EXAMPLES] = raw.examples
        return made
