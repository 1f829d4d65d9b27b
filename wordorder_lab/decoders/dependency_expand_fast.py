"""Algorithm 4's four ways to combine two edges of dependency trees, in numbers."""

from __future__ import annotations

import numpy as np

from wordorder_lab.decoders.agenda_fast import push
from wordorder_lab.decoders.coverage_fast import COUNT, ONE, can_order, cover
from wordorder_lab.decoders.dependency_edges_fast import (
    AFTER,
    ATTACHED,
    BEFORE,
    DEPENDENTS,
    FIRST1,
    FIRST2,
    HEAD,
    HEAD_LEFT,
    HEAD_RIGHT,
    LAST1,
    LAST2,
    LEFT1,
    LEFT2,
    NEED,
    NO_HEAD,
    PLACE,
    RIGHT1,
    RIGHT2,
    ROOT,
    SEEN_BY_ALL,
    SEEN_BY_ARCS,
    SEEN_BY_GOALS,
    VALENCY_L,
    VALENCY_R,
    fill_goal,
    norm,
)  # fmt: skip
from wordorder_lab.decoders.edge_arrays_fast import (
    ACTION,
    ACTIONS,
    AT,
    CHART,
    DONE,
    EDGES,
    GOLD,
    LEFT,
    RIGHT,
    SETS,
    SIZE,
    UNITS,
    room_for,
    set_place,
)  # fmt: skip
from wordorder_lab.decoders.edge_scores_fast import local_score
from wordorder_lab.features.edge_program_fast import (
    COMPLETED_AT,
    NUMBERS_FROM,
    SURFACE_AT,
)
from wordorder_lab.structures.kernel_fast import kernel


@kernel
def expand(edge, row, numbers, names, program, edges, tables, model, state):
    """Combine an edge with the chart in order of insertion, then with itself, and fill the agenda.

    Returns ``DONE``, or what has run out; then the same call goes on where it stopped.
    """
    ints, bits, chart = edges.ints, edges.bits, edges.chart
    covers = numbers.widths[0]
    rest = (row, numbers, names, program, edges, tables, model, state)
    for place in range(max(state[AT], 0), state[CHART] + 1):
        status = room_for(4, program, names.tags.shape[0], edges, tables, state)
        if status != DONE:
            state[AT] = place
            return status
        other = chart[place] if place < state[CHART] else edge
        fits = ints[edge, SIZE] + ints[other, SIZE] <= state[UNITS]
        for w in range(covers):
            fits = fits and bits[edge, w] & bits[other, covers + w] == 0
        if not fits:
            continue
        for left, right in ((edge, other), (other, edge)):
            if can_order(left, right, numbers, edges):
                if can_link(left, right, True, numbers, edges):
                    combine(left, right, HEAD_LEFT, *rest)
                if can_link(right, left, False, numbers, edges):
                    combine(left, right, HEAD_RIGHT, *rest)
            if other == edge:
                break
    state[AT] = -1
    return DONE


@kernel
def can_link(head, dependent, head_is_left, numbers, edges):
    """Whether the root of ``dependent`` may become a dependent of the root of ``head``."""
    ints, kinds = edges.ints, numbers.kinds
    if head_is_left and ints[head, VALENCY_L] > 0:
        return False
    kind = numbers.kind_of[ints[dependent, ROOT]]
    if ints[dependent, ATTACHED] != kinds[kind, DEPENDENTS]:
        return False
    given = kinds[kind, HEAD]
    if given == NO_HEAD:
        return True
    if given != numbers.kind_of[ints[head, ROOT]]:
        return False
    if kinds[given, COUNT] == 1:
        return True  # all its dependents are this one's
    found = 0
    while ints[head, LEFT] >= 0:
        one, other = ints[head, LEFT], ints[head, RIGHT]
        if ints[head, ACTION] == HEAD_RIGHT:
            one, other = other, one
        if numbers.kind_of[ints[other, ROOT]] == kind:
            found += 1
        head = one
    return found < kinds[kind, NEED]


@kernel
def combine(left, right, action, row, numbers, names, program, edges, tables, model, state):
    """COMBINE: a new edge with an arc between the two roots, scored and on the agenda."""
    ints = edges.ints
    new = state[EDGES]
    state[EDGES] = new + 1
    left_size = ints[left, SIZE]
    size = left_size + ints[right, SIZE]
    head, dependent = (left, right) if action == HEAD_LEFT else (right, left)
    for column in range(ints.shape[1]):
        ints[new, column] = ints[head, column]
    ints[new, LEFT], ints[new, RIGHT], ints[new, ACTION] = left, right, action
    ints[new, SIZE], ints[new, ACTIONS] = size, 2 * size - 1
    ints[new, GOLD] = -1
    if ints[left, GOLD] >= 0 and ints[right, GOLD] >= 0:
        for g in range(numbers.gold.shape[0]):
            if (
                numbers.gold[g, 0] == ints[left, GOLD]
                and numbers.gold[g, 1] == ints[right, GOLD]
                and numbers.gold[g, 2] == action
            ):
                ints[new, GOLD] = g
    row[:] = 0
    h, m = ints[head, ROOT], ints[dependent, ROOT]
    row[0], row[1] = h, m
    row[4], row[5] = ints[dependent, LEFT1], ints[dependent, RIGHT1]
    if action == HEAD_LEFT:
        distance = left_size + ints[right, PLACE] - ints[left, PLACE]
        row[2], row[3] = ints[left, RIGHT1], ints[left, RIGHT2]
        if ints[left, AFTER] == 0:
            ints[new, AFTER] = ints[right, FIRST1]
        row[7] = ints[new, AFTER]
        row[8] = ints[right, BEFORE] if ints[right, BEFORE] else ints[left, LAST1]
        row[11], row[12] = NUMBERS_FROM + 1, NUMBERS_FROM - norm(distance)
        ints[new, RIGHT1], ints[new, RIGHT2] = m, ints[left, RIGHT1]
        ints[new, VALENCY_R] += 1
    else:
        distance = left_size + ints[right, PLACE] - ints[left, PLACE]
        row[2], row[3] = ints[right, LEFT1], ints[right, LEFT2]
        if ints[right, BEFORE] == 0:
            ints[new, BEFORE] = ints[left, LAST1]
        row[6] = ints[new, BEFORE]
        row[9] = ints[left, AFTER] if ints[left, AFTER] else ints[right, FIRST1]
        row[11], row[12] = NUMBERS_FROM, NUMBERS_FROM + norm(distance)
        ints[new, LEFT1], ints[new, LEFT2] = m, ints[right, LEFT1]
        ints[new, VALENCY_L] += 1
        ints[new, PLACE] = left_size + ints[right, PLACE]
    row[13] = NUMBERS_FROM + norm(size)
    for i in range(3):  # the first three words, then the last three
        ints[new, FIRST1 + i] = (
            ints[left, FIRST1 + i] if i < left_size else ints[right, FIRST1 + i - left_size]
        )
        ints[new, LAST1 + i] = (
            ints[right, LAST1 + i]
            if i < size - left_size
            else ints[left, LAST1 + i - (size - left_size)]
        )
    kind = numbers.kind_of[m]
    if numbers.kinds[kind, HEAD] >= 0:
        ints[new, ATTACHED] += 1
    cover(new, left, right, numbers, edges)
    row[10] = tags_between(new, left, right, action, numbers, names, edges, tables, state)
    row[COMPLETED_AT] = m
    row[COMPLETED_AT + 1], row[COMPLETED_AT + 2] = row[4], row[5]
    row[COMPLETED_AT + 3] = NUMBERS_FROM + norm(ints[dependent, VALENCY_L])
    row[COMPLETED_AT + 4] = NUMBERS_FROM + norm(ints[dependent, VALENCY_R])
    row[SURFACE_AT], row[SURFACE_AT + 1] = ints[left, LAST2], ints[left, LAST1]
    row[SURFACE_AT + 2], row[SURFACE_AT + 3] = ints[right, FIRST1], ints[right, FIRST2]
    goal = size == state[UNITS]
    sees = SEEN_BY_ALL | SEEN_BY_ARCS
    if goal:
        sees |= SEEN_BY_GOALS
        fill_goal(new, row, edges)
    local = local_score(new, row, sees, program, names, edges, tables, model, state)
    edges.total[new] = edges.total[left] + edges.total[right] + local
    push(new, edges, state)


@kernel
def tags_between(new, left, right, action, numbers, names, edges, tables, state):
    """Fill in the tags on each side of the root; returns the set of tags between the two roots."""
    bits = edges.bits
    covers, orders, tags = numbers.widths[0], numbers.widths[1], numbers.widths[2]
    at = 2 * (covers + orders)
    between = tables.sets[state[SETS]]
    any_tag = np.uint64(0)
    for w in range(tags):
        between[w] = bits[left, at + tags + w] | bits[right, at + w]
        any_tag |= between[w]
        whole = np.uint64(0)
        if action == HEAD_LEFT:
            tag = names.items[edges.ints[right, ROOT], 2] - 1
            if tag >> 6 == w:
                whole = ONE << np.uint64(tag & 63)
            bits[new, at + w] = bits[left, at + w]
            whole |= bits[right, at + w] | bits[right, at + tags + w]
            bits[new, at + tags + w] = bits[left, at + tags + w] | whole
        else:
            tag = names.items[edges.ints[left, ROOT], 2] - 1
            if tag >> 6 == w:
                whole = ONE << np.uint64(tag & 63)
            whole |= bits[left, at + w] | bits[left, at + tags + w]
            bits[new, at + w] = bits[right, at + w] | whole
            bits[new, at + tags + w] = bits[right, at + tags + w]
    if any_tag == 0:
        return 0
    place = set_place(tables, between)
    if tables.set_places[place] < 0:
        tables.set_places[place] = state[SETS]
        state[SETS] += 1
    return tables.set_places[place] + 1
