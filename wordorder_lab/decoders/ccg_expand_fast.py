"""UNARY and BINARY in numbers: what comes of a CCG edge, scored and on the agenda."""

from __future__ import annotations

from wordorder_lab.decoders.agenda_fast import push
from wordorder_lab.decoders.ccg_numbers_fast import (
    KIND,
    LEAF_GOLD,
    LEXICAL,
    PAIR,
    PARENT,
    RULE_HEAD,
    RULE_KEY,
)
from wordorder_lab.decoders.coverage_fast import COUNT, can_order, cover, cover_leaf
from wordorder_lab.decoders.edge_arrays_fast import (
    ACTION,
    ACTIONS,
    AT,
    CHART,
    DONE,
    EDGES,
    GOLD,
    LEFT,
    OWN,
    RIGHT,
    SIZE,
    UNITS,
    room_for,
)
from wordorder_lab.decoders.edge_scores_fast import local_score
from wordorder_lab.features import ccg_program_fast as row_of
from wordorder_lab.structures.kernel_fast import kernel

CATEGORY, HEAD, FIRST1, FIRST2, LAST1, LAST2, COLUMNS = range(OWN, OWN + 7)
"""The category, the head word's pair, the first two words and the last two: items, counted from 1,
0 is none. The action of an edge is its rule, -1 for a leaf."""

SEEN_BY_ALL, SEEN_BY_LONGER = 1 << row_of.ALL, 1 << row_of.LONGER
SEEN_BY_BINARY, SEEN_BY_UNARY = 1 << row_of.BINARY, 1 << row_of.UNARY
"""Which groups of templates an edge has."""
W_SIZE, W_FIRST1, W_FIRST2 = row_of.SIZE, row_of.FIRST1, row_of.FIRST2
W_LAST1, W_LAST2, W_HEAD, W_CATEGORY = row_of.LAST1, row_of.LAST2, row_of.HEAD, row_of.CATEGORY
W_RULE, W_NONHEAD, W_BOUNDARY, W_LEXICAL = (
    *(row_of.RULE, row_of.NONHEAD, row_of.BOUNDARY, row_of.LEXICAL),
)
"""Where the slots stand in a row."""


@kernel
def expand(edge, row, grammar, numbers, names, program, edges, tables, model, state):
    """Unary rules, then combine an edge with the chart in order of insertion, then with itself.

    Returns ``DONE``, or what has run out; then the same call goes on where it stopped.
    """
    ints, bits, chart, pairs = edges.ints, edges.bits, edges.chart, grammar.pairs
    covers, tags, known = numbers.widths[0], names.tags.shape[0], pairs.shape[0]
    units, charted = state[UNITS] - ints[edge, SIZE], state[CHART]
    category = ints[edge, CATEGORY]
    rest = (row, grammar, numbers, names, program, edges, tables, model, state)
    for place in range(max(state[AT], 0), charted + 2):
        forward = backward = 0
        other = edge
        if place > 0:  # most pairs end here: by their words, or since no rule joins them
            if place <= charted:
                other = chart[place - 1]
            if ints[other, SIZE] > units:
                continue
            fits = True
            for w in range(covers):
                fits = fits and bits[edge, w] & bits[other, covers + w] == 0
            label = ints[other, CATEGORY]
            if not fits or category >= known or label >= known:
                continue
            forward = pairs[category, label]
            backward = pairs[label, category] if other != edge else 0
            if forward == 0 and backward == 0:
                continue
        status = room_for(grammar.most, program, tags, edges, tables, state)
        if status != DONE:
            state[AT] = place
            return status
        if place == 0:
            unary_edges(edge, *rest)
        if forward > 0 and can_order(edge, other, numbers, edges):
            for rule in range(grammar.binary[forward, 0], grammar.binary[forward, 1]):
                binary_edge(edge, other, rule, *rest)
        if backward > 0 and can_order(other, edge, numbers, edges):
            for rule in range(grammar.binary[backward, 0], grammar.binary[backward, 1]):
                binary_edge(other, edge, rule, *rest)
    state[AT] = -1
    return DONE


@kernel
def unary_edges(edge, row, grammar, numbers, names, program, edges, tables, model, state):
    """UNARY: the rules whose parents the row of unary steps has not been through."""
    ints = edges.ints
    category = ints[edge, CATEGORY]
    if category >= grammar.unary.shape[0]:
        return
    for rule in range(grammar.unary[category, 0], grammar.unary[category, 1]):
        parent = grammar.rules[rule, PARENT]
        below, through = edge, ints[edge, CATEGORY] == parent
        while ints[below, LEFT] >= 0 and ints[below, RIGHT] < 0:
            below = ints[below, LEFT]
            through = through or ints[below, CATEGORY] == parent
        if through:
            continue
        new = state[EDGES]
        state[EDGES] = new + 1
        for column in range(ints.shape[1]):
            ints[new, column] = ints[edge, column]
        edges.bits[new] = edges.bits[edge]
        edges.counts[new] = edges.counts[edge]
        ints[new, LEFT], ints[new, RIGHT] = edge, -1
        ints[new, ACTIONS] = ints[edge, ACTIONS] + 1
        own_columns(new, rule, grammar, numbers, edges)
        row[:] = 0
        row[W_RULE] = grammar.rules[rule, RULE_KEY]
        local = score_edge(
            new, SEEN_BY_UNARY, row, numbers, names, program, edges, tables, model, state
        )
        edges.total[new] = edges.total[edge] + local
        push(new, edges, state)


@kernel
def binary_edge(
    left, right, rule, row, grammar, numbers, names, program, edges, tables, model, state
):
    """BINARY: ``right`` after ``left`` by one rule."""
    ints, items = edges.ints, numbers.items
    new = state[EDGES]
    state[EDGES] = new + 1
    head, other = (left, right) if grammar.rules[rule, RULE_HEAD] == 0 else (right, left)
    ints[new, LEFT], ints[new, RIGHT] = left, right
    ints[new, SIZE] = ints[left, SIZE] + ints[right, SIZE]
    ints[new, ACTIONS] = ints[left, ACTIONS] + ints[right, ACTIONS] + 1
    ints[new, HEAD] = ints[head, HEAD]
    ints[new, FIRST1], ints[new, LAST1] = ints[left, FIRST1], ints[right, LAST1]
    ints[new, FIRST2] = ints[left, FIRST2] if ints[left, SIZE] > 1 else ints[right, FIRST1]
    ints[new, LAST2] = ints[right, LAST2] if ints[right, SIZE] > 1 else ints[left, LAST1]
    cover(new, left, right, numbers, edges)
    own_columns(new, rule, grammar, numbers, edges)
    row[:] = 0
    row[W_RULE] = grammar.rules[rule, RULE_KEY]
    row[W_NONHEAD] = ints[other, HEAD]
    around = (ints[left, LAST2], ints[left, LAST1], ints[right, FIRST1], ints[right, FIRST2])
    for i in range(4):
        item = around[i]
        if item > 0:
            row[W_BOUNDARY + i] = items[item, PAIR]
            row[W_LEXICAL + i] = numbers.labels[items[item, LEXICAL]]
    local = score_edge(
        new, SEEN_BY_BINARY, row, numbers, names, program, edges, tables, model, state
    )
    edges.total[new] = edges.total[left] + edges.total[right] + local
    push(new, edges, state)


@kernel
def own_columns(new, rule, grammar, numbers, edges):
    """Rule, category and gold of a new edge whose parts are known."""
    ints = edges.ints
    ints[new, ACTION] = rule
    ints[new, CATEGORY] = grammar.rules[rule, PARENT]
    left, right = ints[new, LEFT], ints[new, RIGHT]
    left_gold = ints[left, GOLD]
    right_gold = ints[right, GOLD] if right >= 0 else -1
    ints[new, GOLD] = -1
    if left_gold < 0 or (right >= 0 and right_gold < 0):
        return
    gold = numbers.gold
    for g in range(gold.shape[0]):
        if gold[g, 0] == left_gold and gold[g, 1] == right_gold and gold[g, 2] == rule:
            ints[new, GOLD] = g


@kernel
def score_edge(new, more, row, numbers, names, program, edges, tables, model, state):
    """The local score of an edge whose columns are filled in; ``more`` are its own conditions."""
    ints, items = edges.ints, numbers.items
    sees = SEEN_BY_ALL | more
    row[W_CATEGORY] = numbers.labels[ints[new, CATEGORY]]
    row[W_SIZE] = ints[new, SIZE]
    row[W_HEAD] = ints[new, HEAD]
    if ints[new, SIZE] > 1:
        sees |= SEEN_BY_LONGER
        row[W_FIRST1], row[W_FIRST2] = (
            items[ints[new, FIRST1], PAIR],
            items[ints[new, FIRST2], PAIR],
        )
        row[W_LAST1], row[W_LAST2] = items[ints[new, LAST1], PAIR], items[ints[new, LAST2], PAIR]
    return local_score(new, row, sees, program, names, edges, tables, model, state)


@kernel
def add_leaves(row, grammar, numbers, names, program, edges, tables, model, state):
    """INITAGENDA: a leaf of every item whose kind may be used; there must be room for all."""
    for item in range(1, numbers.items.shape[0]):
        if numbers.kinds[numbers.items[item, KIND], COUNT] > 0:
            add_leaf(item, row, grammar, numbers, names, program, edges, tables, model, state)


@kernel
def add_leaf(item, row, grammar, numbers, names, program, edges, tables, model, state):
    """The leaf of an item, counted from 1."""
    ints, items = edges.ints, numbers.items
    new = state[EDGES]
    state[EDGES] = new + 1
    ints[new] = 0
    ints[new, LEFT] = ints[new, RIGHT] = ints[new, ACTION] = -1
    ints[new, GOLD] = items[item, LEAF_GOLD]
    ints[new, SIZE] = ints[new, ACTIONS] = 1
    ints[new, CATEGORY], ints[new, HEAD] = items[item, LEXICAL], items[item, PAIR]
    ints[new, FIRST1] = ints[new, LAST1] = item
    cover_leaf(new, items[item, KIND], numbers, edges)
    row[:] = 0
    edges.total[new] = score_edge(new, 0, row, numbers, names, program, edges, tables, model, state)
    push(new, edges, state)
