"""The flat arrays of a tree transducer's chart: items, the ways to reach them, and a cell's queue.

The queue is an agenda of ``agenda_fast``, so it has the names that its kernels know: a higher score
comes first, of equal ones the smaller number. Numbers count from 0; an item's serial is its number
plus 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wordorder_lab.best_first.arrays_fast import STATE

ITEMS, CELL, UNIQUE, TOTAL, EXHAUSTIVE, TRANSDUCER_STATE = range(STATE, STATE + 6)
"""Places in the state behind those of ``edge_arrays_fast``, of which ``EDGES`` counts combinations:
how many items there are, the cell that is being filled; the beam, and the search."""

MORE_ITEMS, MORE_COMBINATIONS, MORE_QUEUE = 1, 2, 3
"""What a kernel says has run out; 0, ``DONE``, is nothing."""

BEST, LENGTH, KEY = 0, 1, 2
"""Columns of ``Items.ints``: its best combination; how many words its edges have. From ``LENGTH``
on it is all by which items differ: the words of the left and the right edge (-1: none), the counts
of the loss."""

SCORE, INSIDE, ESTIMATE, LOSS = range(4)
"""Columns of ``Items.floats``: see ``stsg_chart.Item``; and the partial loss."""

ITEM, APPLICATION, OUTCOME, RANKS = range(4)
"""Columns of ``Combinations.ints``; the ranks of the variables' items come last."""

HEURISTIC, WHOLE, NGRAMS = range(3)
"""Columns of ``Combinations.floats``: what it was chosen by, its score, what its n-grams add."""

NEW, BETTER, WORSE = range(3)
"""Outcomes."""

FIRST_ITEM, FIRST_COMBINATION, KEPT = range(3)
"""Columns of ``Items.cells``: where a cell begins; how many items it keeps."""

FIRST_ROOM = 1 << 10
"""Lines that there are at first; a power of two."""


class Items(NamedTuple):
    """One line an item, in the order of making: columns see above.

    ``listed[f + r]`` is the item at rank r of the cell whose first item is f. ``places`` is the
    hash table of a cell; entries below its first item are left over from earlier cells.
    """

    ints: np.ndarray
    floats: np.ndarray
    listed: np.ndarray
    places: np.ndarray
    cells: np.ndarray


class Combinations(NamedTuple):
    """One line a combination that was taken, in that order: columns see above."""

    ints: np.ndarray
    floats: np.ndarray


class Queue(NamedTuple):
    """The combinations of a cell that wait: ``ints`` has the application, then the ranks.

    ``total`` is ``score`` under the name by which ``agenda_fast`` fills it.
    """

    heap: np.ndarray
    score: np.ndarray
    total: np.ndarray
    ints: np.ndarray


class Scratch(NamedTuple):
    """What kernels write down for a moment.

    ``parts`` are the items of the combination at hand, ``left`` and ``recent`` the edges of what is
    being joined, ``context`` what the n-gram model sees of it, ``counts`` the loss arguments.
    """

    parts: np.ndarray
    left: np.ndarray
    recent: np.ndarray
    context: np.ndarray
    counts: np.ndarray


class Room:
    """The arrays of one search.

    ``cells`` is how many cells there are, ``arity`` the most variables of a rule, ``width`` the
    words of an edge, ``reach`` those before a word that the n-gram model sees, ``counts`` the
    arguments of the loss.
    """

    def __init__(self, cells: int, arity: int, width: int, reach: int, counts: int) -> None:
        n = FIRST_ROOM
        self.state = np.zeros(TRANSDUCER_STATE, np.int64)
        self.items = Items(
            np.empty((n, KEY + 2 * width + counts), np.int32),
            np.empty((n, 4)),
            np.empty(n, np.int32),
            np.full(2 * n, -1, np.int32),
            np.zeros((cells + 1, 3), np.int64),
        )
        self.combinations = Combinations(np.empty((n, RANKS + arity), np.int32), np.empty((n, 3)))
        self.queue = self._queue(n, arity)
        widths = (max(arity, 1), width, width, reach, counts)
        self.scratch = Scratch(*(np.zeros(size, np.int64) for size in widths))

    def _queue(self, n: int, arity: int) -> Queue:
        score = np.empty(n)
        return Queue(np.empty(n, np.int32), score, score, np.empty((n, 1 + arity), np.int32))

    def grow(self, status: int) -> None:
        """Double what has run out; the cell is filled again from its beginning."""
        if status == MORE_QUEUE:
            n, columns = self.queue.ints.shape
            self.queue = self._queue(2 * n, columns - 1)
        elif status == MORE_COMBINATIONS:
            self.combinations = Combinations(*map(_doubled, self.combinations))
        else:
            lines = [_doubled(array) for array in self.items[:-1]]
            self.items = Items(*[*lines, self.items.cells])
        self.items.places[:] = -1


def _doubled(array: np.ndarray) -> np.ndarray:
    return np.concatenate([array, np.empty_like(array)])
