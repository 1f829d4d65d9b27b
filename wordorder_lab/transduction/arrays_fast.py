"""Part of ``chart_fast``: flat arrays for items, the ways to reach them, a cell's queue, and rules.

In the queue a higher score comes first, of equal ones the smaller number (``heap_fast``). Numbers
count from 0; an item's serial is its number plus 1. The numbers of a source tree's rules do not
depend on weights, so a learner makes them once for each of its examples.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.transduction.problem import TransductionProblem

ITEMS, TAKEN, QUEUED, CELL, UNIQUE, TOTAL, EXHAUSTIVE, STATE = range(8)
"""Places in the state: how many items there are, how many combinations were taken, how many wait;
the cell that is being filled; the beam, and the search."""

DONE, MORE_ITEMS, MORE_COMBINATIONS, MORE_QUEUE = range(4)
"""What a kernel says when it returns: all is done, or what has run out."""

BEST, LENGTH, KEY = 0, 1, 2
"""Columns of ``Items.ints``: its best combination; how many words its edges have. From ``LENGTH``
on it is all by which items differ: the words of the left and the right edge (-1: none), the counts
of the loss."""

SCORE, INSIDE, ESTIMATE, LOSS = range(4)
"""Columns of ``Items.floats``: see ``chart.Item``; and the partial loss."""

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
    """The combinations of a cell that wait: ``ints`` has the application, then the ranks."""

    heap: np.ndarray
    score: np.ndarray
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
        self.state = np.zeros(STATE, np.int64)
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
        return Queue(np.empty(n, np.int32), np.empty(n), np.empty((n, 1 + arity), np.int32))

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


# --- The applications of a source tree


FRONTIER, CHILDREN = range(2)
"""Columns of ``Rules.begins``."""


class Rules(NamedTuple):
    """The applications of a problem; words have its local numbers, then come start and end.

    ``begins[a]`` is where the frontier and the children of application ``a`` begin. ``frontier``
    holds words, and -k for the k-th variable; ``children`` the cells of variables. After the last
    application comes one more, a variable and then the end: a whole output. ``cells[c]`` is the
    first application of a cell, ``roots`` the cells of the root. ``ids`` are the words' ids in the
    n-gram model, ``unigrams`` their log-probabilities, ``own`` the sum of those of an application.
    """

    begins: np.ndarray
    frontier: np.ndarray
    children: np.ndarray
    cells: np.ndarray
    roots: np.ndarray
    ids: np.ndarray
    unigrams: np.ndarray
    own: np.ndarray


@dataclass(frozen=True)
class FastProblem:
    """A problem with its numbers; ``arity`` is the most variables that a rule has."""

    problem: TransductionProblem
    ngrams: NGramModel
    rules: Rules
    arity: int

    @classmethod
    def of(cls, problem: TransductionProblem, ngrams: NGramModel) -> FastProblem:
        """Give a problem its numbers.

        Raises ``ValueError`` where a cell has no application, or needs one that comes later.
        """
        _check(problem)
        numbers = {word: i for i, word in enumerate(problem.words)}
        ids = [*map(ngrams.word_id, problem.words), ngrams.start, ngrams.end]
        unigrams = [ngrams.log_prob((), one) for one in ids]
        begins, own = [(0, 0)], []
        frontier: list[int] = []
        children: list[int] = []
        for signs, below in zip(problem.yields, problem.child_cells):
            total = 0.0
            for sign in signs:
                frontier.append(numbers[sign] if isinstance(sign, str) else -sign)
                if isinstance(sign, str):
                    total += unigrams[numbers[sign]]
            own.append(total)
            children += below
            begins.append((len(frontier), len(children)))
        frontier += [-1, len(numbers) + 1]
        begins.append((len(frontier), len(children)))
        cells = [0, *(one.stop for one in problem.in_cell)]
        whole = (begins, frontier, children, cells, problem.roots, ids)
        floats = map(np.array, (unigrams, own))
        rules = Rules(*[np.array(one, np.int64) for one in whole], *floats)
        return cls(problem, ngrams, rules, max(map(len, problem.child_cells), default=0))


def _check(problem: TransductionProblem) -> None:
    if not all(problem.in_cell):
        raise ValueError("a cell of the problem has no application: nothing could fill it")
    if any(a > b for a, b in pairwise(problem.cell_of)):
        raise ValueError("the applications of the problem are not in the order of their cells")
    for cell, below in zip(problem.cell_of, problem.child_cells):
        if below and max(below) >= cell:
            raise ValueError(f"cell {cell} of the problem needs cell {max(below)}: children first")
