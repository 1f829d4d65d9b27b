"""A source tree's applications in numbers, as the kernels of the tree transducer take them.

They do not depend on weights, so a learner makes them once for each of its examples.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.structures.transduction import TransductionProblem

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
