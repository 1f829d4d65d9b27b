"""What is given about a bag's types as arrays and bit sets, for ``transition_legal_fast``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wordorder_lab.decoders.transition_legal_fast import (
    COMPONENT,
    DEPENDENTS,
    EARLIER,
    FAMILY,
    FIRST_ITEM,
    HEAD,
    OPENS,
    SLOT,
    UNKNOWN_HEAD,
)
from wordorder_lab.structures.input_constraints import InputConstraints
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import ROOT

ALL = 2**64 - 1
"""A word with all bits."""


def number_forest(problem: OrderingProblem) -> tuple[np.ndarray, np.ndarray]:
    """``forest`` (types + 1, 4) and ``masks`` (types + 1, 4, words) of a problem."""
    given, kinds = problem.given, len(problem.units)
    heads = [UNKNOWN_HEAD if head is None else head for head in given.heads]
    first = [0] * (kinds + 1)
    for item in problem.items:
        first[item.type + 1] += 1
    slots, several = [], 0
    for count in problem.counts:
        slots.append(several if count > 1 else -1)
        several += count > 1
    forest = np.zeros((kinds + 1, 4), np.int32)
    forest[:, SLOT] = [*slots, several]
    forest[:kinds, HEAD] = heads
    forest[:kinds, DEPENDENTS] = given.dependents
    forest[:, FIRST_ITEM] = np.array(first).cumsum()
    words = (kinds + 63) // 64
    if not given.anything:
        return forest, np.zeros((kinds + 1, 4, words), np.uint64)
    sets = _sets(given, kinds)
    cut = [[[one >> 64 * w & ALL for w in range(words)] for one in line] for line in sets]
    return forest, np.array(cut, np.uint64)


def _sets(given: InputConstraints, kinds: int) -> list[list[int]]:
    """The lines of ``masks``, each set as one whole number."""
    sets = [[0, 0, 0, 0] for _ in range(kinds + 1)]
    for t in range(kinds):
        sets[t][FAMILY] = _set(given.family(t))
        component = given.component(t)
        rooted = given.heads[component[0]] == ROOT
        if len(component) > 1 or rooted:
            sets[t][COMPONENT] = _set(component)
        if rooted:
            sets[kinds][COMPONENT] |= 1 << t
        for earlier in given.before[t]:
            sets[t][EARLIER] |= 1 << earlier
            sets[kinds][EARLIER] |= 1 << t
    for t, twin in enumerate(given.twins):
        if twin is not None:
            family = given.family(t)
            inside = (given.family(one) for one in family[1:] if given.twins[one] is not None)
            later = _set(family)
            sets[kinds][OPENS] |= later
            for types in inside:
                later &= ~_set(types)
            for one in given.family(twin):
                sets[one][OPENS] |= later
    return sets


def _set(types: range) -> int:
    """The set of neighbouring types."""
    return (1 << types.stop) - (1 << types.start)


def widened(numbered: Sequence[Any]) -> list[Any]:
    """The same problems with masks of as many words as the widest, so that they can be joined."""
    most = max(one.masks.shape[2] for one in numbered)
    return [
        one._replace(masks=np.pad(one.masks, ((0, 0), (0, 0), (0, most - one.masks.shape[2]))))
        for one in numbered
    ]
