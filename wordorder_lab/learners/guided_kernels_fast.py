"""The kernels of guided learning: differences of features, updates, and rescoring.

They work on edges of any grammar. A difference is kept with the sentence's features, in the order
in which its features were first met: those of e+ first, sub-edge by sub-edge, then those of e-.
"""

from __future__ import annotations

from wordorder_lab.decoders.agenda_fast import rank, sort_again
from wordorder_lab.decoders.edge_arrays_fast import (
    ACTIONS,
    CHART,
    EXPANDED,
    FRESH,
    HEAP,
    LEFT,
    RIGHT,
    SCALED,
    TOUCHED,
)
from wordorder_lab.decoders.edge_scores_fast import local_again
from wordorder_lab.models.edge_table_fast import find
from wordorder_lab.structures.kernel_fast import kernel

PERCEPTRON, LARGE_MARGIN, SCALED_MARGIN = range(3)
WEIGHT, PLUS, MINUS, CHANGE = range(4)
"""Columns of ``Tables.weights``."""

KEY, NUMBER, MENTION = range(3)
"""Columns of ``Tables.features``."""


@kernel
def fresh_total(edge, edges, tables, state):
    """f(e) under the present weights, from the bottom up; stored scores stay as they are."""
    for at in range(state[FRESH], state[EXPANDED]):
        below = edges.expanded[at]
        edges.fresh[below] = total_of(below, edges, tables)
    state[FRESH] = state[EXPANDED]
    return total_of(edge, edges, tables)


@kernel
def total_of(edge, edges, tables):
    """The same, where its sub-edges have it already."""
    local = local_again(edge, edges, tables)
    left, right = edges.ints[edge, LEFT], edges.ints[edge, RIGHT]
    if left < 0:
        return local
    if right < 0:
        return edges.fresh[left] + local
    return edges.fresh[left] + edges.fresh[right] + local


@kernel
def count(edge, column, edges, tables, state):
    """phi(e): count the features of an edge's last action."""
    taken, weights = tables.taken, tables.weights
    for g in range(edges.used.shape[1]):
        entry = edges.used[edge, g]
        if entry < 0:
            continue
        for mention in range(tables.lines[entry, 0], tables.lines[entry, 1]):
            feature = taken[mention, 0]
            if weights[feature, PLUS] == 0 and weights[feature, MINUS] == 0:
                tables.touched[state[TOUCHED]] = feature
                state[TOUCHED] += 1
            weights[feature, column] += 1


@kernel
def count_all(edge, column, todo, edges, tables, state):
    """Phi(e): the same for all its sub-edges in post-order; ``todo`` has room for a derivation."""
    todo[0] = edge
    n = 1
    while n > 0:
        here = todo[n - 1]
        if here >= 0 and edges.ints[here, LEFT] >= 0:
            todo[n - 1] = -1 - here  # its turn comes after its parts
            if edges.ints[here, RIGHT] >= 0:
                todo[n] = edges.ints[here, RIGHT]
                n += 1
            todo[n] = edges.ints[here, LEFT]
            n += 1
        else:
            n -= 1
            count(here if here >= 0 else -1 - here, column, edges, tables, state)


@kernel
def difference(update, plus, minus, todo, edges, tables, state):
    """Fill in the difference of two edges; returns its squared length."""
    state[TOUCHED] = 0
    if update == PERCEPTRON:
        count(plus, PLUS, edges, tables, state)
        count(minus, MINUS, edges, tables, state)
    else:
        count_all(plus, PLUS, todo, edges, tables, state)
        count_all(minus, MINUS, todo, edges, tables, state)
    weights = tables.weights
    norm2 = 0.0
    for i in range(state[TOUCHED]):
        feature = tables.touched[i]
        if update == SCALED_MARGIN:
            one = weights[feature, PLUS] / edges.ints[plus, ACTIONS]
            change = one - weights[feature, MINUS] / edges.ints[minus, ACTIONS]
        else:
            change = weights[feature, PLUS] - weights[feature, MINUS]
        weights[feature, CHANGE] = change
        weights[feature, PLUS] = weights[feature, MINUS] = 0
        norm2 += change * change
    return norm2


@kernel
def apply(step, model, keys, used, tables, state):
    """Move the weights by ``step`` times the difference; there must be room for new ones.

    ``used`` are the table's counts of weights and of examples.
    """
    weights, features = tables.weights, tables.features
    for i in range(state[TOUCHED]):
        feature = tables.touched[i]
        change = step * weights[feature, CHANGE]
        if weights[feature, CHANGE] == 0:
            continue
        number = features[feature, NUMBER]
        if number < 0:
            number = used[0]
            used[0] += 1
            at = find(model.places, features[feature, KEY])
            model.places[at, 0] = keys[number] = features[feature, KEY]
            model.places[at, 1] = number
            features[feature, NUMBER] = number
        model.values[number, 0] += change
        model.values[number, 1] += used[1] * change
        weights[feature, WEIGHT] = model.values[number, 0]
        mention = features[feature, MENTION]
        while mention >= 0:
            tables.stale[tables.taken[mention, 1]] = True
            mention = tables.taken[mention, 2]
    state[FRESH] = 0


@kernel
def rescore(edge, edges, tables, state):
    """RECOMPUTESCORES of one edge."""
    edges.total[edge] = fresh_total(edge, edges, tables, state)
    rank(edge, edges, state)


@kernel
def rescore_chart(edges, tables, state):
    """RECOMPUTESCORES of every edge in the chart."""
    for at in range(state[CHART]):
        rescore(edges.chart[at], edges, tables, state)


@kernel
def rescore_agenda(plus, edges, tables, state):
    """RECOMPUTESCORES from the top of the agenda down to e+; the edges below keep their scores."""
    own = edges.score[plus]
    fresh_total(plus, edges, tables, state)
    total, score, heap = edges.total, edges.score, edges.heap
    for at in range(state[HEAP]):
        edge = heap[at]
        if score[edge] > own or (score[edge] == own and edge <= plus):
            total[edge] = total_of(edge, edges, tables)
            value = total[edge]
            score[edge] = value / edges.ints[edge, ACTIONS] if state[SCALED] else value
    sort_again(edges, state)
