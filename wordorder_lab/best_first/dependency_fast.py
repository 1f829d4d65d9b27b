"""Best-first search for dependency trees on flat arrays: the twin of ``dependency``.

The loop of Algorithm 4 with its four ways to combine two edges, a bag in numbers, the columns of an
edge, and the search that Python drives.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordorder_lab.best_first.arrays_fast import (
    ACTION,
    ACTIONS,
    AT,
    BEAM,
    CHART,
    CURRENT,
    DONE,
    EDGES,
    EMPTY,
    GOAL_POPPED,
    GOLD,
    HEAP,
    LEFT,
    OWN,
    POPPED,
    RIGHT,
    SETS,
    SIGNATURE,
    SIZE,
    UNITS,
    add_to_chart,
    note_loss,
    pop_best,
    push,
    remove,
    room_for,
    set_place,
)
from wordorder_lab.best_first.chart import SAME_ENDS, SAME_WORDS
from wordorder_lab.best_first.coverage_fast import (
    COUNT,
    ONE,
    can_order,
    cover,
    cover_leaf,
)
from wordorder_lab.best_first.default_output import WHOLE_TREE
from wordorder_lab.best_first.dependency_links import DependencyLinks
from wordorder_lab.best_first.dependency_numbers_fast import (
    DEPENDENTS,
    HEAD,
    NEED,
    NO_HEAD,
    number_names,
    number_problem,
)
from wordorder_lab.best_first.edge import HEAD_LEFT, HEAD_RIGHT, Edge, leaf_action, linked_heads
from wordorder_lab.best_first.features_fast import (
    ALWAYS,
    ARC,
    COMPLETED_AT,
    GOAL,
    NUMBERS_FROM,
    ROOT_AT,
    SENTENCE_AT,
    SURFACE_AT,
    WIDTH,
    compile_edge_program,
    local_score,
)
from wordorder_lab.best_first.gold import GoldStandard
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.language_model_fast import leaf_gain, seam_gain
from wordorder_lab.best_first.search_fast import FastSearch
from wordorder_lab.best_first.settings import SearchSettings
from wordorder_lab.best_first.weights_fast import EdgeTable
from wordorder_lab.best_first.whole_tree import Piece, WholeTree
from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.runtime.kernel_fast import in_python, kernel
from wordorder_lab.structures.problem import OrderingProblem, begin
from wordorder_lab.structures.trace import Trace


@kernel
def search_on(
    expansions, most_edges, row, numbers, names, program, edges, tables, model, state, language
):
    """The loop of Algorithm 4 until so many edges are popped or made, or something happens."""
    while True:
        if state[AT] < 0:
            if state[HEAP] == 0:
                return EMPTY
            if state[POPPED] >= expansions or state[EDGES] >= most_edges:
                return DONE
            edge = pop_best(edges, state)
            state[CURRENT] = edge
            if edges.ints[edge, SIZE] == state[UNITS]:
                return GOAL_POPPED
            other = like_it(edge, numbers, edges, state)
            if other >= 0:
                loser = lower_of(edge, other, edges)
                if loser == edge:
                    note_loss(edge, edges, state)
                    continue
                remove(loser, edges, state)
        edge = state[CURRENT]
        rest = row, numbers, names, program, edges, tables, model, state, language
        status = expand(edge, *rest)
        if status != DONE:
            return status
        add_to_chart(edge, edges, state)


@kernel
def expand(edge, row, numbers, names, program, edges, tables, model, state, language):
    """Combine an edge with the chart in order of insertion, then with itself, and fill the agenda.

    Returns ``DONE``, or what has run out; then the same call goes on where it stopped.
    """
    ints, bits, chart = edges.ints, edges.bits, edges.chart
    covers = numbers.widths[0]
    rest = (row, numbers, names, program, edges, tables, model, state, language)
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
                for action in (HEAD_LEFT_NUMBER, HEAD_RIGHT_NUMBER):
                    if can_link(left, right, action, numbers, edges):
                        combine(left, right, action, *rest)
            if other == edge:
                break
    state[AT] = -1
    return DONE


@kernel
def can_link(left, right, action, numbers, edges):
    """Whether the root of one edge may become a dependent of that of the other, the head."""
    ints, kinds = edges.ints, numbers.kinds
    head, dependent = (left, right) if action == HEAD_LEFT_NUMBER else (right, left)
    if action == HEAD_LEFT_NUMBER and ints[head, VALENCY_L] > 0:
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
        if ints[head, ACTION] == HEAD_RIGHT_NUMBER:
            one, other = other, one
        if numbers.kind_of[ints[other, ROOT]] == kind:
            found += 1
        head = one
    return found < kinds[kind, NEED]


@kernel
def combine(
    left, right, action, row, numbers, names, program, edges, tables, model, state, language
):
    """COMBINE: a new edge with an arc between the two roots, scored and on the agenda."""
    ints = edges.ints
    new = state[EDGES]
    state[EDGES] = new + 1
    left_size = ints[left, SIZE]
    size = left_size + ints[right, SIZE]
    head, dependent = (left, right) if action == HEAD_LEFT_NUMBER else (right, left)
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
    if action == HEAD_LEFT_NUMBER:
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
    choose(new, head, m, numbers, edges)
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
    if language is not None:
        local += seam_gain(new, left, right, goal, edges, language)
    edges.total[new] = edges.total[left] + edges.total[right] + local
    push(new, edges, state)


@kernel
def choose(new, head, item, numbers, edges):
    """Note which form of several the new dependent of the root has; the head's part had others."""
    first = 2 * (numbers.widths[0] + numbers.widths[1] + numbers.widths[2])
    for w in range(numbers.widths[3]):
        edges.bits[new, first + w] = edges.bits[head, first + w]
    if numbers.choices[item] > 0:
        bit = numbers.choices[item] - 1
        edges.bits[new, first + (bit >> 6)] |= ONE << np.uint64(bit & 63)


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
        if action == HEAD_LEFT_NUMBER:
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


# --- DPCHARTPRUNE ---------------------------------------------------------------------------


@kernel
def like_it(edge, numbers, edges, state):
    """The first edge of the chart that has the signature of this one; -1 if there is none."""
    if state[SIGNATURE] == NO_SIGNATURE_NUMBER:
        return -1
    ints, bits = edges.ints, edges.bits
    choices = 2 * (numbers.widths[0] + numbers.widths[1] + numbers.widths[2])
    for at in range(state[CHART]):
        other = edges.chart[at]
        same = ints[other, ROOT] == ints[edge, ROOT] and ints[other, SIZE] == ints[edge, SIZE]
        if same and numbers.widths[1]:
            same = (ints[other, VALENCY_L] > 0) == (ints[edge, VALENCY_L] > 0)
        if same and state[SIGNATURE] == SAME_ENDS_NUMBER:
            for column in (FIRST1, FIRST2, LAST1, LAST2):
                same = same and ints[other, column] == ints[edge, column]
        for w in range(numbers.widths[0]):
            same = same and bits[other, w] == bits[edge, w]
        for w in range(numbers.widths[3]):
            same = same and bits[other, choices + w] == bits[edge, choices + w]
        if same:
            return other
    return -1


@kernel
def lower_of(edge, other, edges):
    """Of two edges with one signature the one that goes; ``other`` is the chart's."""
    score = edges.score
    if score[edge] > score[other] or (score[edge] == score[other] and edge < other):
        return other
    return edge


# --- columns, leaves and goals --------------------------------------------------------------


(
    ROOT, PLACE, LEFT1, LEFT2, RIGHT1, RIGHT2, VALENCY_L, VALENCY_R, BEFORE, AFTER,
    FIRST1, FIRST2, FIRST3, LAST1, LAST2, LAST3, ATTACHED, COLUMNS,
) = range(OWN, OWN + 18)  # fmt: skip
"""The root's item and how many words stand left of it; its outermost and next dependents on each
side, and how many; the words beside it; the first and last three words; how many of its given
dependents it has. Items are counted from 1, 0 is none."""

HEAD_LEFT_NUMBER, HEAD_RIGHT_NUMBER = 0, 1
NO_SIGNATURE_NUMBER, SAME_ENDS_NUMBER, SAME_WORDS_NUMBER = range(3)
NUMBERED = {SAME_ENDS: SAME_ENDS_NUMBER, SAME_WORDS: SAME_WORDS_NUMBER}
"""The signatures as the kernels know them; those of CCG are none here."""
SEEN_BY_ALL, SEEN_BY_ARCS, SEEN_BY_GOALS = 1 << ALWAYS, 1 << ARC, 1 << GOAL
"""Which groups of templates an edge has."""


@kernel
def norm(value):
    """Table 2's NORM for what is not negative."""
    if value <= 5:
        return value
    return 6 if value <= 10 else 7 if value <= 20 else 8 if value <= 40 else 9


@kernel
def add_leaf(item, row, numbers, names, program, edges, tables, model, state, language):
    """The leaf of an item (counted from 1): ``DONE``, or what has run out."""
    status = room_for(1, program, names.tags.shape[0], edges, tables, state)
    if status != DONE:
        return status
    ints = edges.ints
    new = state[EDGES]
    state[EDGES] = new + 1
    ints[new] = 0
    ints[new, LEFT] = ints[new, RIGHT] = ints[new, ACTION] = -1
    ints[new, GOLD] = numbers.gold_leaves[item]
    ints[new, SIZE] = ints[new, ACTIONS] = 1
    ints[new, ROOT] = ints[new, FIRST1] = ints[new, LAST1] = item
    cover_leaf(new, numbers.kind_of[item], numbers, edges)
    row[:] = 0
    row[0] = item
    row[13] = NUMBERS_FROM + 1
    goal = state[UNITS] == 1
    if goal:
        fill_goal(new, row, edges)
    sees = SEEN_BY_ALL | SEEN_BY_GOALS if goal else SEEN_BY_ALL
    local = local_score(new, row, sees, program, names, edges, tables, model, state)
    if language is not None:
        local += leaf_gain(new, item, goal, edges, language)
    edges.total[new] = local
    push(new, edges, state)
    return DONE


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


@kernel
def link(left, right, action, row, numbers, names, program, edges, tables, model, state, language):
    """COMBINE of two edges alone: ``DONE``, or what has run out."""
    status = room_for(1, program, names.tags.shape[0], edges, tables, state)
    if status == DONE:
        combine(
            left, right, action, row, numbers, names, program, edges, tables, model, state, language
        )
    return status


# --- the search ----------------------------------------------------------------------------


NAMES = (HEAD_LEFT, HEAD_RIGHT)


class FastDependencySearch(FastSearch):
    """The search with the grammar of dependency links."""

    expand_kernel = staticmethod(expand)
    loop = staticmethod(search_on)

    def __init__(
        self,
        keys: EdgeKeys,
        table: EdgeTable,
        learning: bool = False,
        ngrams: NGramModel | None = None,
    ) -> None:
        super().__init__(compile_edge_program(keys), COLUMNS, WIDTH, keys, table, learning, ngrams)

    def begin(
        self,
        problem: OrderingProblem,
        settings: SearchSettings,
        gold: GoldStandard | None,
        trace: Trace | None,
    ) -> None:
        """INITAGENDA, INITCHART: forget the last search; the leaves are on the agenda."""
        super().begin(problem, settings, gold, trace)
        self.links = links = DependencyLinks(problem)
        self.least = links.count
        self.names = number_names(links, self.keys)
        self.numbers = number_problem(links, gold)
        covers, orders, tags, choices = (int(n) for n in self.numbers.widths)
        bits = 2 * (covers + orders + tags) + choices
        self.room.begin(bits, len(self.numbers.several), tags)
        self.state[UNITS] = problem.size
        self.state[SIGNATURE] = NUMBERED.get(settings.signature, NO_SIGNATURE_NUMBER)
        if trace is not None:
            begin(trace, problem, int(self.state[BEAM]))
        for item in links.leaf_items:
            while (full := self.call(add_leaf, item + 1)) != DONE:
                self.room.grow(full)
            if trace is not None:
                self.trace_leaf(trace, int(self.state[EDGES]) - 1, item)

    def default_pieces(self, trace: Trace | None) -> list[Edge]:
        """The edges of the default output; one edge, where it is to be a whole tree and can be."""
        if self.settings.default != WHOLE_TREE or None in self.links.head:
            return super().default_pieces(trace)

        def put(left: int, right: int, side: str) -> float:
            new = int(self.state[EDGES])
            while (full := self.call(link, left - 1, right - 1, NAMES.index(side))) != DONE:
                self.room.grow(full)
            if trace is not None:
                self.trace_edge(trace, new)
            return float(self.edges.score[new])

        leaves = [self._piece(leaf) for leaf in range(len(self.links.leaf_items))]
        chart = [self._piece(int(edge)) for edge in self.edges.chart[: self.state[CHART]]]
        complete = [piece for piece in (*leaves, *chart) if self._is_complete(piece)]
        tree = WholeTree(self.links, leaves, complete, int(self.state[EDGES]))
        return [self.edge(tree.build(put) - 1)]

    def _piece(self, edge: int) -> Piece:
        kind = self.links.kinds[int(self.edges.ints[edge, ROOT]) - 1]
        return Piece(float(self.edges.score[edge]), edge + 1, kind)

    def _is_complete(self, piece: Piece) -> bool:
        have = self.edges.ints[piece.serial - 1, ATTACHED]
        return bool(have == self.links.dependents[piece.kind])

    @property
    def constants(self) -> tuple:
        """Kinds, orders and gold edges, and the numbers of words and tags."""
        return self.numbers, self.names

    def is_goal(self, edge: int) -> bool:
        """GOALTEST."""
        return bool(self.edges.ints[edge, SIZE] == self.state[UNITS])

    def compare(self, edge: int) -> tuple[int, int]:
        """DPCHARTPRUNE's pair, the loser and the winner; the loser is -1 where there is none."""
        other = int(like_it(edge, self.numbers, self.edges, self.state))
        if other < 0:
            return -1, edge
        loser = int(in_python(lower_of)(edge, other, self.edges))
        return loser, other if loser == edge else edge

    def can_combine(self, left: Sequence[int], right: Sequence[int]) -> bool:
        """CANCOMBINE, of the counts of two edges."""
        return self.links.can_combine(left, right)

    def told(self, edge: int) -> tuple[str, str]:
        """The action of an edge."""
        action = int(self.edges.ints[edge, ACTION])
        return NAMES[action] if action >= 0 else "leaf", ""

    def built(self, line: int, left: Edge | None, right: Edge | None) -> Edge:
        """An edge as an object, of its parts."""
        ints, links = self.edges.ints, self.links
        if left is None or right is None:
            item = int(ints[line, ROOT]) - 1
            told = links.problem.items[item]
            counts = [int(k == links.kinds[item]) for k in range(len(links.count))]
            return Edge(line + 1, leaf_action(told), (item,), (-1,), tuple(counts))
        action = NAMES[ints[line, ACTION]]
        heads = linked_heads(left, right, action)
        counts = [one + other for one, other in zip(left.counts, right.counts, strict=True)]
        items = (*left.items, *right.items)
        return Edge(line + 1, action, items, heads, tuple(counts), left, right)
