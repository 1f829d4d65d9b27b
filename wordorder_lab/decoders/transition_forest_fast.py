"""What is given about a bag's types as arrays and bit sets, for ``transition_legal_fast``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wordorder_lab.decoders.transition_legal_fast import (
    AHEAD_TYPE,
    BAG,
    CHILDREN,
    DEPENDENTS,
    EARLIER,
    FAMILY,
    FIRST_ITEM,
    FRESH,
    GATED,
    HEAD,
    LATER,
    SLOT,
    UNKNOWN_HEAD,
)
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import ROOT

ALL = 2**64 - 1
"""A word with all bits."""

SETS = 7
"""Sets in a line of ``masks``."""


def number_forest(problem: OrderingProblem, ahead: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """``forest`` (types + 1, 5) and ``masks`` (types + 2, words, 7) of a problem."""
    given, kinds = problem.given, len(problem.units)
    heads = [UNKNOWN_HEAD if head is None else head for head in given.heads]
    first = [0] * (kinds + 1)
    for item in problem.items:
        first[item.type + 1] += 1
    slots, several = [], 0
    for count in problem.counts:
        slots.append(several if count > 1 else -1)
        several += count > 1
    forest = np.zeros((kinds + 1, 5), np.int32)
    forest[:, SLOT] = [*slots, several]
    forest[:kinds, HEAD] = heads
    forest[:, DEPENDENTS] = [*given.dependents, problem.size]
    forest[:kinds, AHEAD_TYPE] = ahead
    forest[:, FIRST_ITEM] = np.array(first).cumsum()
    words = (kinds + 63) // 64
    if given.anything:
        sets = _sets(problem, kinds)
        if words == 1:
            return forest, np.array(sets, np.uint64)[:, None, :]
        cut = [[[one >> 64 * w & ALL for one in line] for w in range(words)] for line in sets]
        return forest, np.array(cut, np.uint64)
    masks = np.zeros((kinds + 2, words, SETS), np.uint64)
    for t, count in enumerate(problem.counts):
        if count == 1:
            masks[t, t >> 6, BAG] = 1 << (t & 63)
    return forest, masks


def _sets(problem: OrderingProblem, kinds: int) -> list[list[int]]:
    """The lines of ``masks``, each set as one whole number."""
    given, counts = problem.given, problem.counts
    sets = [[0] * SETS for _ in range(kinds + 2)]
    first = sets[kinds + 1]
    for t, (line, head) in enumerate(zip(sets[:kinds], given.heads, strict=True)):
        line[BAG] = 1 << t if counts[t] == 1 else 0
        line[FAMILY] = (1 << given.ends[t]) - (1 << t)
        top = given.tops[t]
        if given.heads[top] == ROOT:
            first[FRESH] |= 1 << t
        if given.heads[top] == ROOT or given.ends[top] > top + 1:
            line[FRESH] = sets[top][FAMILY]
        if head is not None and head != ROOT:
            sets[head][CHILDREN] |= 1 << t
        for earlier in given.before[t]:
            line[EARLIER] |= 1 << earlier
            first[LATER] |= 1 << t
    for t, twin in enumerate(given.twins):
        if twin is not None:
            later = sets[t][FAMILY]
            first[GATED] |= later
            for one in given.family(t)[1:]:
                if given.twins[one] is not None:
                    later &= ~sets[one][FAMILY]
            for one in given.family(twin):
                sets[one][GATED] |= later
    return sets


def widened(numbered: Sequence[Any]) -> list[Any]:
    """The same problems with masks of as many words as the widest, so that they can be joined."""
    most = max(one.masks.shape[1] for one in numbered)
    return [
        one._replace(masks=np.pad(one.masks, ((0, 0), (0, most - one.masks.shape[1]), (0, 0))))
        for one in numbered
    ]
