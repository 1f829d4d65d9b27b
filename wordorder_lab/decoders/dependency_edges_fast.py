"""Edges of dependency trees in numbers: their columns, their leaves, and what a goal has more."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wordorder_lab.decoders.agenda_fast import push
from wordorder_lab.decoders.coverage_fast import OF_GRAMMAR, cover_leaf
from wordorder_lab.decoders.edge_arrays_fast import (
    ACTION,
    ACTIONS,
    EDGES,
    GOLD,
    LEFT,
    OWN,
    RIGHT,
    SIZE,
    UNITS,
)
from wordorder_lab.decoders.edge_scores_fast import local_score
from wordorder_lab.features.edge_program_fast import (
    ALWAYS,
    ARC,
    GOAL,
    NUMBERS_FROM,
    ROOT_AT,
    SENTENCE_AT,
)
from wordorder_lab.structures.kernel_fast import kernel

(
    ROOT, PLACE, LEFT1, LEFT2, RIGHT1, RIGHT2, VALENCY_L, VALENCY_R, BEFORE, AFTER,
    FIRST1, FIRST2, FIRST3, LAST1, LAST2, LAST3, ATTACHED, COLUMNS,
) = range(OWN, OWN + 18)  # fmt: skip
"""The root's item and how many words stand left of it; its outermost and next dependents on each
side, and how many; the words beside it; the first and last three words; how many of its given
dependents it has. Items are counted from 1, 0 is none."""

HEAD_LEFT, HEAD_RIGHT = 0, 1
SEEN_BY_ALL, SEEN_BY_ARCS, SEEN_BY_GOALS = 1 << ALWAYS, 1 << ARC, 1 << GOAL
"""Which groups of templates an edge has."""
HEAD, NEED, DEPENDENTS = range(OF_GRAMMAR, OF_GRAMMAR + 3)
NO_HEAD = -2


class Numbers(NamedTuple):
    """A problem in numbers.

    ``kind_of[i]`` the kind of item i - 1; ``kinds[k]`` what ``coverage_fast`` needs, then the kind
    of the given head (-1 the root, -2 none given), how many of it a unit of that head takes, and
    how many given dependents a unit has; ``several`` and ``before`` as there; ``widths`` the words
    of 64 bits for coverage, kinds (0 without orders) and tags; ``gold[g]`` the gold edges as (left,
    right, action), ``gold_leaves`` the gold id of an item's leaf or -1.
    """

    kind_of: np.ndarray
    kinds: np.ndarray
    several: np.ndarray
    before: np.ndarray
    widths: np.ndarray
    gold: np.ndarray
    gold_leaves: np.ndarray


@kernel
def norm(value):
    """Table 2's NORM for what is not negative."""
    if value <= 5:
        return value
    return 6 if value <= 10 else 7 if value <= 20 else 8 if value <= 40 else 9


@kernel
def add_leaf(item, row, numbers, names, program, edges, tables, model, state):
    """The leaf of an item (counted from 1); there must be room for it."""
    ints = edges.ints
    new = state[EDGES]
    state[EDGES] = new + 1
    ints[new] = 0
    ints[new, LEFT] = ints[new, RIGHT] = ints[new, ACTION] = -1
    ints[new, GOLD] = numbers.gold_leaves[item]
    ints[new, SIZE] = ints[new, ACTIONS] = 1
    ints[new, ROOT] = ints[new, FIRST1] = ints[new, LAST1] = item
    cover_leaf(new, numbers.kind_of[item], numbers, edges)
    row[:] = 0
    row[0] = item
    row[13] = NUMBERS_FROM + 1
    goal = state[UNITS] == 1
    if goal:
        fill_goal(new, row, edges)
    sees = SEEN_BY_ALL | SEEN_BY_GOALS if goal else SEEN_BY_ALL
    local = local_score(new, row, sees, program, names, edges, tables, model, state)
    edges.total[new] = local
    push(new, edges, state)


@kernel
def fill_goal(new, row, edges):
    """The slots of a goal: its root as a completed word, its first and last words."""
    ints = edges.ints
    row[ROOT_AT] = ints[new, ROOT]
    row[ROOT_AT + 1] = ints[new, LEFT1]
    row[ROOT_AT + 2] = ints[new, RIGHT1]
    row[ROOT_AT + 3] = NUMBERS_FROM + norm(ints[new, VALENCY_L])
    row[ROOT_AT + 4] = NUMBERS_FROM + norm(ints[new, VALENCY_R])
    for i in range(3):
        row[SENTENCE_AT + i] = ints[new, FIRST1 + i]
        row[SENTENCE_AT + 3 + i] = ints[new, LAST1 + i]
