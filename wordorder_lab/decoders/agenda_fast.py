"""Agenda and chart in flat arrays; every best-first decoder and its learner use these kernels.

The agenda is a binary heap of edges, the better one first: the higher score, of equal ones the one
made first. The chart lists its edges in the order of their insertion.
"""

from __future__ import annotations

from wordorder_lab.decoders.edge_arrays_fast import (
    ACTIONS,
    BEAM,
    BY_SIZE,
    CHART,
    DROPPED,
    GOLD,
    HEAP,
    POPPED,
    SCALED,
    SIZE,
)
from wordorder_lab.structures.kernel_fast import kernel


@kernel
def rank(edge, edges, state):
    """Set the score that an edge is ranked by from its total."""
    total = edges.total[edge]
    edges.score[edge] = total / edges.ints[edge, ACTIONS] if state[SCALED] else total


@kernel
def push(edge, edges, state):
    """ADD(a, e): put an edge with a total on the agenda."""
    rank(edge, edges, state)
    heap, score = edges.heap, edges.score
    own = score[edge]
    at = state[HEAP]
    state[HEAP] = at + 1
    while at > 0:
        above = heap[(at - 1) >> 1]
        if score[above] > own or (score[above] == own and above < edge):
            break
        heap[at] = above
        at = (at - 1) >> 1
    heap[at] = edge


@kernel
def sink(at, edges, state):
    """Let the edge at a place of the heap sink to where it belongs."""
    heap, score, n = edges.heap, edges.score, state[HEAP]
    edge = heap[at]
    own = score[edge]
    while 2 * at + 1 < n:
        below = 2 * at + 1
        best = heap[below]
        if below + 1 < n:
            other = heap[below + 1]
            if score[other] > score[best] or (score[other] == score[best] and other < best):
                below += 1
                best = other
        if own > score[best] or (own == score[best] and edge < best):
            break
        heap[at] = best
        at = below
    heap[at] = edge


@kernel
def pop_best(edges, state):
    """POPBEST(a): the best edge, taken off the agenda, which must not be empty."""
    heap = edges.heap
    best = heap[0]
    state[HEAP] -= 1
    state[POPPED] += 1
    if state[HEAP] > 0:
        heap[0] = heap[state[HEAP]]
        sink(0, edges, state)
    return best


@kernel
def sort_again(edges, state):
    """Make a heap of the agenda after scores have changed."""
    for at in range(state[HEAP] // 2 - 1, -1, -1):
        sink(at, edges, state)


@kernel
def min_gold(edges, state):
    """MINGOLD(a): the lowest-scored gold edge of the agenda, of equal ones the one made last."""
    score, found = edges.score, -1
    for at in range(state[HEAP]):
        edge = edges.heap[at]
        if edges.ints[edge, GOLD] >= 0:
            if found < 0 or score[edge] < score[found]:
                found = edge
            elif score[edge] == score[found] and edge > found:
                found = edge
    return found


@kernel
def lowest_if_full(edge, edges, state):
    """The lowest-scored edge of the beam that ``edge`` is in, if it is too full; else -1.

    Of equal ones it is the edge made last.
    """
    if state[BEAM] == 0:
        return -1
    score, lowest, inside = edges.score, -1, 0
    for at in range(state[CHART]):
        other = edges.chart[at]
        if state[BY_SIZE] and edges.ints[other, SIZE] != edges.ints[edge, SIZE]:
            continue
        inside += 1
        if lowest < 0 or score[other] < score[lowest]:
            lowest = other
        elif score[other] == score[lowest] and other > lowest:
            lowest = other
    return lowest if inside > state[BEAM] else -1


@kernel
def max_non_gold(edge, edges, state):
    """MAXNONGOLD(c) in the beam of ``edge``: its best edge that is not gold, or -1."""
    score, best = edges.score, -1
    for at in range(state[CHART]):
        other = edges.chart[at]
        if state[BY_SIZE] and edges.ints[other, SIZE] != edges.ints[edge, SIZE]:
            continue
        if edges.ints[other, GOLD] < 0:
            if best < 0 or score[other] > score[best]:
                best = other
            elif score[other] == score[best] and other < best:
                best = other
    return best


@kernel
def insert(edge, edges, state):
    """Put an edge into the chart, whether there is room or not."""
    edges.chart[state[CHART]] = edge
    state[CHART] += 1


@kernel
def remove(edge, edges, state):
    """REMOVE(c, e)."""
    kept = 0
    for at in range(state[CHART]):
        other = edges.chart[at]
        if other != edge:
            edges.chart[kept] = other
            kept += 1
    state[CHART] = kept
    state[DROPPED] += 1


@kernel
def add_to_chart(edge, edges, state):
    """ADD(c, e): insert it, then drop the lowest of its beam if that is too full."""
    insert(edge, edges, state)
    lowest = lowest_if_full(edge, edges, state)
    if lowest >= 0:
        remove(lowest, edges, state)
    return lowest
