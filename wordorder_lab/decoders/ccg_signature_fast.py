"""DPCHARTPRUNE and GOALTEST in numbers: which edges of CCG are one, and which are goals."""

from __future__ import annotations

from wordorder_lab.decoders.ccg_expand_fast import CATEGORY, FIRST1, FIRST2, HEAD, LAST1, LAST2
from wordorder_lab.decoders.ccg_numbers_fast import PAIR, UNIT
from wordorder_lab.decoders.edge_arrays_fast import CHART, LEFT, RIGHT, SIGNATURE, SIZE
from wordorder_lab.structures.kernel_fast import kernel

NONE, OF_2011, OF_2015 = range(3)


@kernel
def is_goal(edge, numbers, edges):
    """GOALTEST: whether every word is there as often as it has to be."""
    for w in range(numbers.widths[0]):
        if edges.bits[edge, w] & numbers.least[w] != numbers.least[w]:
            return False
    return True


@kernel
def loser_of(edge, numbers, edges, state):
    """DPCHARTPRUNE: of an edge and the chart's one with its signature the loser; -1 is none."""
    other = like_it(edge, numbers, edges, state)
    if other < 0:
        return -1
    return lower_of(edge, other, edges, state)


@kernel
def lower_of(edge, other, edges, state):
    """Of two edges with one signature the one that goes; ``other`` is the chart's."""
    if state[SIGNATURE] == OF_2011:
        return edge
    score = edges.score
    if score[edge] > score[other] or (score[edge] == score[other] and edge < other):
        return other
    return edge


@kernel
def like_it(edge, numbers, edges, state):
    """The first edge of the chart that has the signature of this one; -1 if there is none."""
    if state[SIGNATURE] == NONE:
        return -1
    ints, items = edges.ints, numbers.items
    for at in range(state[CHART]):
        other = edges.chart[at]
        if (
            ints[other, CATEGORY] != ints[edge, CATEGORY]
            or ints[other, SIZE] != ints[edge, SIZE]
            or ints[other, HEAD] != ints[edge, HEAD]
        ):
            continue
        if state[SIGNATURE] == OF_2011:
            if same_words(edge, other, numbers, edges):
                return other
            continue
        same = True
        for column in (FIRST1, FIRST2, LAST1, LAST2):
            one, two = ints[edge, column], ints[other, column]
            same = same and items[one, PAIR] == items[two, PAIR]
        for w in range(numbers.widths[0]):
            same = same and edges.bits[edge, w] == edges.bits[other, w]
        if same:
            return other
    return -1


@kernel
def same_words(edge, other, numbers, edges):
    """Whether two edges of one size have the same words in the same order."""
    items = numbers.items
    for column in (FIRST1, FIRST2, LAST1, LAST2):
        one, two = edges.ints[edge, column], edges.ints[other, column]
        if items[one, UNIT] != items[two, UNIT]:
            return False
    write_words(edge, 0, numbers, edges)
    write_words(other, 1, numbers, edges)
    for i in range(edges.ints[edge, SIZE]):
        if numbers.scratch[0, i] != numbers.scratch[1, i]:
            return False
    return True


@kernel
def write_words(edge, line, numbers, edges):
    """Write the words of an edge in order into a line of ``scratch``."""
    ints, scratch = edges.ints, numbers.scratch
    scratch[2, 0] = edge
    waiting, n = 1, 0
    while waiting > 0:
        waiting -= 1
        here = scratch[2, waiting]
        if ints[here, LEFT] < 0:
            scratch[line, n] = numbers.items[ints[here, FIRST1], UNIT]
            n += 1
            continue
        if ints[here, RIGHT] >= 0:
            scratch[2, waiting] = ints[here, RIGHT]
            waiting += 1
        scratch[2, waiting] = ints[here, LEFT]
        waiting += 1
