"""TOP-K as numba kernels: list all successors of a beam with their scores, select the best.

Branches that go either way are what takes the time here, so there are few of them.
"""

from __future__ import annotations

import numpy as np

from wordorder_lab.decoders.transition_columns_fast import ANCHOR, BELOW, GIVEN, KIND, S0, WAITS
from wordorder_lab.decoders.transition_legal_fast import (
    BAG,
    DE_BRUIJN,
    FAMILY,
    FIRST_ITEM,
    FRESH,
    GATED,
    LATER,
    NONE,
    PLACES,
    UNKNOWN_HEAD,
)
from wordorder_lab.structures.kernel_fast import kernel

PASSES = 12
"""Bisections before the scores that are left are gone through one by one."""


@kernel
def list_successors(n, problem, space, now):
    """Score all successors of the ``n`` states of the beam; returns how many there are.

    ``agenda`` gets the scores in the order of making, ``origin`` (rank of the parent, action);
    ``now`` is the half of ``bits`` with their bags. GETPOSSIBLEACTIONS is written out in it. An
    arc's line is written and then kept or not: a branch there is guessed wrong too often.
    """
    states, pool, out = space.states, space.pool, space.out
    agenda, origin, bits, marks = space.agenda, space.origin, space.bits, space.marks
    item_types, forest, masks = problem.item_types, problem.forest, problem.masks
    words, last = np.uint64(masks.shape[1]), np.uint64(masks.shape[0] - 1)
    half, one, m = np.uint64(now), np.uint64(1), np.uint64(0)
    for s in range(np.uint64(n)):
        state = np.uint64(states[s])
        under = np.uint64(pool[state, BELOW])
        base = marks[state, 0]
        two = pool[under, S0] != 0
        head, loose = pool[under, GIVEN], pool[under, WAITS] == 0
        fits = (head == UNKNOWN_HEAD) | (head == pool[state, KIND])
        agenda[m] = base + out[s, 0]
        origin[m, 0] = s
        origin[m, 1] = 0
        m += np.uint64(two & loose & fits)
        head, loose = pool[state, GIVEN], pool[state, WAITS] == 0
        fits = (head == UNKNOWN_HEAD) | (head == pool[under, KIND])
        agenda[m] = base + out[s, 1]
        origin[m, 0] = s
        origin[m, 1] = 1
        m += np.uint64(two & loose & fits)
        anchor = pool[state, ANCHOR]
        for w in range(words):
            types = bits[half, s, w, BAG] & ~bits[half, s, w, GATED] & ~bits[half, s, w, LATER]
            if anchor != NONE:
                free = bits[half, s, w, FRESH] & ~masks[last, w, FRESH]
                types &= free | masks[np.uint64(anchor), w, FAMILY]
            while types != 0:
                lowest = types & (~types + one)
                place = np.uint64(PLACES[(lowest * DE_BRUIJN) >> np.uint64(58)])
                kind = np.uint64(64) * w + place
                types ^= lowest
                begin, end = forest[kind, FIRST_ITEM], forest[kind + one, FIRST_ITEM]
                for i in range(np.uint64(begin), np.uint64(end)):
                    agenda[m] = base + out[s, np.uint64(item_types[i])]
                    origin[m, 0] = s
                    origin[m, 1] = i + np.uint64(2)
                    m += one
    return np.int64(m)


@kernel
def plan_states(n, first, serial, space):
    """Plan the chosen candidates as states, and mark them with their scores and serials.

    Line 0 of the agenda has the serial ``serial`` + 1.
    """
    plan, chosen, origin, states = space.plan, space.chosen, space.origin, space.states
    agenda, marks = space.agenda, space.marks
    for r in range(n):
        line = chosen[r]
        plan[r, 0] = states[origin[line, 0]]
        plan[r, 1] = origin[line, 1]
        plan[r, 2] = origin[line, 0]
        plan[r, 3] = r
        marks[first + r, 0] = agenda[line]
        marks[first + r, 1] = serial + line + 1
    for r in range(n):
        states[r] = first + r


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
