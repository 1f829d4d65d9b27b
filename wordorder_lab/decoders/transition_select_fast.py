"""TOP-K as numba kernels: list all successors of a beam with their scores, select the best.

Branches that go either way are what takes the time here, so there are few of them.
"""

from __future__ import annotations

import numpy as np

from wordorder_lab.decoders.transition_columns_fast import ANCHOR, BELOW, GIVEN, KIND, S0, WAITS
from wordorder_lab.decoders.transition_legal_fast import (
    FIRST_ITEM,
    UNKNOWN_HEAD,
    lowest,
    may_shift,
)
from wordorder_lab.structures.kernel_fast import kernel

PASSES = 12
"""Bisections before the scores that are left are gone through one by one."""


@kernel(inline="always")
def reducable(pool, dependent, head):
    """REDUCABLE: whether the top of one state may be attached to the top of another."""
    given = pool[dependent, GIVEN]
    fits = (given == UNKNOWN_HEAD) | (given == pool[head, KIND])
    return np.uint64(fits & (pool[dependent, WAITS] == 0))


@kernel
def list_successors(n, problem, space, now):
    """Score all successors of the ``n`` states of the beam; returns how many there are.

    ``agenda`` gets the scores in the order of making, ``origin`` (rank of the parent, action);
    ``now`` is the half of ``bits`` with their bags.
    An arc's line is written and then kept or not: a branch there is guessed wrong too often.
    """
    states, pool, out = space.states, space.pool, space.out
    agenda, origin, bits, marks = space.agenda, space.origin, space.bits, space.marks
    item_types, forest, masks = problem.item_types, problem.forest, problem.masks
    m = np.uint64(0)
    for s in range(np.uint64(n)):
        state = states[s]
        under = pool[state, BELOW]
        base = marks[state, 0]
        two = np.uint64(pool[under, S0] != 0)
        agenda[m] = base + out[s, 0]
        origin[m, 0] = s
        origin[m, 1] = 0
        m += two & reducable(pool, under, state)
        agenda[m] = base + out[s, 1]
        origin[m, 0] = s
        origin[m, 1] = 1
        m += two & reducable(pool, state, under)
        for w in range(masks.shape[1]):
            types = may_shift(bits, now, s, pool[state, ANCHOR], masks, w)
            while types != 0:
                kind = 64 * w + lowest(types)
                types &= types - np.uint64(1)
                for i in range(forest[kind, FIRST_ITEM], forest[kind + 1, FIRST_ITEM]):
                    agenda[m] = base + out[s, np.uint64(item_types[i])]
                    origin[m, 0] = s
                    origin[m, 1] = i + 2
                    m += np.uint64(1)
    return np.int64(m)


@kernel
def reaching(agenda, m, least):
    """How many of the first ``m`` scores reach ``least``."""
    count = 0
    for i in range(np.uint64(m)):
        count += agenda[i] >= least
    return count


@kernel
def threshold(agenda, m, beam):
    """A score that at least ``beam`` of the first ``m`` reach, and few more; and how many do.

    Bisection, since counting is fast; ``low`` is always reached by enough and ``high`` by too few.
    Where many are equal no score has few more: then it is exactly that of the last one kept.
    """
    low = high = agenda[0]
    for i in range(np.uint64(beam)):
        low = min(low, agenda[i])
        high = max(high, agenda[i])
    count, step = reaching(agenda, m, low), max(high - low, 1.0)
    high = low + step
    reach = reaching(agenda, m, high)
    while reach >= beam:
        low, count, step = high, reach, 2 * step
        high = low + step
        reach = reaching(agenda, m, high)
    for _ in range(PASSES):
        if 4 * count <= 5 * beam:
            return low, count
        middle = low + (high - low) / 2
        reach = reaching(agenda, m, middle)
        if reach >= beam:
            low, count = middle, reach
        else:
            high = middle
    while True:
        above, next_score = 0, np.inf
        least = np.inf
        for i in range(np.uint64(m)):
            if agenda[i] >= low:
                least = min(least, agenda[i])
        for i in range(np.uint64(m)):
            if agenda[i] > least:
                above += 1
                next_score = min(next_score, agenda[i])
        if above < beam:
            return least, count
        low, count = next_score, above


@kernel
def select(agenda, m, chosen, best, lines, beam):
    """TOP-K: ``chosen[r]`` becomes the line of the agenda with rank ``r``; returns how many.

    By (-score, line): the few that reach a threshold are taken into ``best`` and ``lines`` in
    their order, then sorted stably. Of more equal ones than there is place for, the first come in.
    """
    least, n = -np.inf, np.uint64(0)
    spare = m
    if m > beam:
        least, reach = threshold(agenda, m, beam)
        if 4 * reach > 5 * beam:
            spare = beam
            for i in range(np.uint64(m)):
                spare -= agenda[i] > least
    if spare == m:
        for i in range(np.uint64(m)):
            best[n] = agenda[i]
            lines[n] = i
            n += np.uint64(agenda[i] >= least)
    else:
        for i in range(np.uint64(m)):
            equal = agenda[i] == least
            best[n] = agenda[i]
            lines[n] = i
            n += np.uint64((agenda[i] > least) | (equal & (spare > 0)))
            spare -= np.int64(equal)
    one = np.uint64(1)
    for i in range(one, n):
        score, line, j = best[i], lines[i], i
        while j > 0 and best[j - one] < score:
            best[j] = best[j - one]
            lines[j] = lines[j - one]
            j -= one
        best[j] = score
        lines[j] = line
    size = min(np.int64(n), beam)
    for i in range(np.uint64(size)):
        chosen[i] = lines[i]
    return size
