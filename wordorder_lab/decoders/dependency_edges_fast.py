"""Edges of dependency trees in numbers: leaves, and Algorithm 4's four ways to combine two edges.

Coverage is a set of bits of any length. A kind that the bag holds c times has c bits: an edge that
uses k of them sets the k lowest in one copy and the k highest in another, so two edges need more
than there are exactly if the one copy of one meets the other copy of the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wordorder_lab.decoders.agenda_fast import push
from wordorder_lab.decoders.edge_arrays_fast import (
    ACTION,
    ACTIONS,
    DONE,
    EDGES,
    ENTRIES,
    FEATURES,
    GOLD,
    LEFT,
    MORE_EDGES,
    MORE_ENTRIES,
    MORE_SETS,
    OWN,
    RIGHT,
    SETS,
    SIZE,
    TAKEN,
    UNITS,
)
from wordorder_lab.decoders.edge_scores_fast import local_score
from wordorder_lab.features.edge_program_fast import (
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
COUNT, HEAD, NEED, DEPENDENTS, BIT, SEVERAL = range(6)
NO_HEAD = -2


class Numbers(NamedTuple):
    """A problem in numbers.

    ``kind_of[i]`` the kind of item i - 1; ``kinds[k]`` how many units it has, kind of the given
    head (-1 the root, -2 none given), how many of it a unit of that head takes, how many given
    dependents a unit has, its first bit, and its column in ``Edges.counts`` or -1; ``several`` the
    kinds that have such a column; ``before[k]`` the kinds that stand before k, as bits; ``widths``
    the words of 64 bits for coverage, kinds (0 without orders) and tags; ``gold[g]`` the gold
    edges as (left, right, action), ``gold_leaves`` the gold id of an item's leaf or -1.
    """

    kind_of: np.ndarray
    kinds: np.ndarray
    several: np.ndarray
    before: np.ndarray
    widths: np.ndarray
    gold: np.ndarray
    gold_leaves: np.ndarray


ONE = np.uint64(1)


@kernel
def norm(value):
    """Table 2's NORM for what is not negative."""
    if value <= 5:
        return value
    return 6 if value <= 10 else 7 if value <= 20 else 8 if value <= 40 else 9


@kernel
def room_for_four(program, names, edges, tables, state):
    """Whether four more edges fit into the arrays with all that they may bring."""
    if state[EDGES] + 4 > edges.total.shape[0]:
        return MORE_EDGES
    if 2 * (state[SETS] + 4) > tables.set_places.shape[0]:
        return MORE_SETS
    entries = 4 * program.groups.shape[0]
    features = 4 * (program.templates.shape[0] + program.sets * names.tags.shape[0])
    if state[ENTRIES] + entries > tables.value.shape[0]:
        return MORE_ENTRIES
    if tables.taken.shape[0] > 1:
        if state[TAKEN] + features > tables.taken.shape[0]:
            return MORE_ENTRIES
        if state[FEATURES] + features > tables.features.shape[0]:
            return MORE_ENTRIES
    return DONE


@kernel
def add_leaf(item, row, numbers, names, program, edges, tables, model, state):
    """The leaf of an item (counted from 1); there must be room for it."""
    ints, bits = edges.ints, edges.bits
    new = state[EDGES]
    state[EDGES] = new + 1
    ints[new] = 0
    bits[new] = 0
    edges.counts[new] = 0
    ints[new, LEFT] = ints[new, RIGHT] = ints[new, ACTION] = -1
    ints[new, GOLD] = numbers.gold_leaves[item]
    ints[new, SIZE] = ints[new, ACTIONS] = 1
    ints[new, ROOT] = ints[new, FIRST1] = ints[new, LAST1] = item
    kind = numbers.kind_of[item]
    covers, orders = numbers.widths[0], numbers.widths[1]
    low = numbers.kinds[kind, BIT]
    high = low + numbers.kinds[kind, COUNT] - 1
    bits[new, low >> 6] |= ONE << np.uint64(low & 63)
    bits[new, covers + (high >> 6)] |= ONE << np.uint64(high & 63)
    if numbers.kinds[kind, SEVERAL] >= 0:
        edges.counts[new, numbers.kinds[kind, SEVERAL]] = 1
    if orders:
        bits[new, 2 * covers + (kind >> 6)] |= ONE << np.uint64(kind & 63)
        for w in range(orders):
            bits[new, 2 * covers + orders + w] = numbers.before[kind, w]
    row[:] = 0
    row[0] = item
    row[13] = NUMBERS_FROM + 1
    goal = state[UNITS] == 1
    if goal:
        fill_goal(new, row, edges)
    local = local_score(new, row, False, goal, program, names, edges, tables, model, state)
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
