"""Best-first search for CCG derivations on flat arrays: the twin of ``ccg``.

The loop of Algorithm 1, UNARY and BINARY, DPCHARTPRUNE and GOALTEST as kernels, and the search that
Python drives. Rules and bags in numbers are made in ``ccg_numbers_fast``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wordorder_lab.best_first import ccg_numbers_fast as row_of
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
    SIGNATURE,
    SIZE,
    UNITS,
    add_to_chart,
    note_loss,
    pop_best,
    push,
    remove,
    room_for,
)
from wordorder_lab.best_first.ccg_numbers_fast import (
    KIND,
    LEAF_GOLD,
    LEXICAL,
    PAIR,
    PARENT,
    RULE_HEAD,
    RULE_KEY,
    UNIT,
    WIDTH,
    Known,
    compile_ccg_program,
    number_names,
    number_problem,
    number_rules,
)
from wordorder_lab.best_first.ccg_rules import BagCounts, CCGRules
from wordorder_lab.best_first.chart import (
    NO_SIGNATURE,
    SIGNATURE_2011,
    SIGNATURE_2015,
)
from wordorder_lab.best_first.coverage_fast import COUNT, can_order, cover, cover_leaf
from wordorder_lab.best_first.edge import Edge, linked_heads
from wordorder_lab.best_first.features_fast import local_score
from wordorder_lab.best_first.gold import GoldStandard
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.language_model_fast import leaf_gain, seam_gain
from wordorder_lab.best_first.search_fast import FastSearch
from wordorder_lab.best_first.settings import SearchSettings
from wordorder_lab.best_first.weights_fast import EdgeTable
from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.runtime.kernel_fast import in_python, kernel
from wordorder_lab.structures.problem import OrderingProblem, begin
from wordorder_lab.structures.trace import Trace

CATEGORY, HEAD, FIRST1, FIRST2, LAST1, LAST2, COLUMNS = range(OWN, OWN + 7)
"""The category, the head word's pair, the first two words and the last two: items, counted from 1,
0 is none. The action of an edge is its rule, -1 for a leaf."""

SEEN_BY_ALL, SEEN_BY_LONGER = 1 << row_of.ALL, 1 << row_of.LONGER
SEEN_BY_BINARY, SEEN_BY_UNARY = 1 << row_of.BINARY, 1 << row_of.UNARY
"""Which groups of templates an edge has."""
W_SIZE, W_FIRST1, W_FIRST2 = row_of.SIZE, row_of.FIRST1, row_of.FIRST2
W_LAST1, W_LAST2, W_HEAD, W_CATEGORY = row_of.LAST1, row_of.LAST2, row_of.HEAD, row_of.CATEGORY
W_RULE, W_NONHEAD, W_BOUNDARY, W_LEXICAL = (
    *(row_of.RULE, row_of.NONHEAD, row_of.BOUNDARY, row_of.LEXICAL_AT),
)
"""Where the slots stand in a row."""


@kernel
def search_on(
    expansions,
    most_edges,
    row,
    grammar,
    numbers,
    names,
    program,
    edges,
    tables,
    model,
    state,
    language,
):
    """The loop of Algorithm 1 until so many edges are popped or made, or something happens."""
    while True:
        if state[AT] < 0:
            if state[HEAP] == 0:
                return EMPTY
            if state[POPPED] >= expansions or state[EDGES] >= most_edges:
                return DONE
            edge = pop_best(edges, state)
            state[CURRENT] = edge
            if is_goal(edge, numbers, edges):
                return GOAL_POPPED
            loser = loser_of(edge, numbers, edges, state)
            if loser == edge:
                note_loss(edge, edges, state)
                continue
            if loser >= 0:
                remove(loser, edges, state)
        edge = state[CURRENT]
        rest = row, grammar, numbers, names, program, edges, tables, model, state, language
        status = expand(edge, *rest)
        if status != DONE:
            return status
        add_to_chart(edge, edges, state)


@kernel
def expand(edge, row, grammar, numbers, names, program, edges, tables, model, state, language):
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
                binary_edge(edge, other, rule, *rest, language)
        if backward > 0 and can_order(other, edge, numbers, edges):
            for rule in range(grammar.binary[backward, 0], grammar.binary[backward, 1]):
                binary_edge(other, edge, rule, *rest, language)
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
        for w in range(edges.bits.shape[1]):  # as an assignment of arrays it compiles for long
            edges.bits[new, w] = edges.bits[edge, w]
        for kind in range(edges.counts.shape[1]):
            edges.counts[new, kind] = edges.counts[edge, kind]
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
    left, right, rule, row, grammar, numbers, names, program, edges, tables, model, state, language
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
    if language is not None:
        goal = is_goal(new, numbers, edges)
        local += seam_gain(new, left, right, goal, edges, language)
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
def add_leaves(row, grammar, numbers, names, program, edges, tables, model, state, language):
    """INITAGENDA: a leaf of every item whose kind may be used. ``DONE``, or what has run out."""
    leaves = numbers.items.shape[0] - 1
    status = room_for(leaves, program, names.tags.shape[0], edges, tables, state)
    if status != DONE:
        return status
    for item in range(1, numbers.items.shape[0]):
        if numbers.kinds[numbers.items[item, KIND], COUNT] > 0:
            add_leaf(
                item, row, grammar, numbers, names, program, edges, tables, model, state, language
            )
    return DONE


@kernel(inline="always")
def add_leaf(item, row, grammar, numbers, names, program, edges, tables, model, state, language):
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
    local = score_edge(new, 0, row, numbers, names, program, edges, tables, model, state)
    if language is not None:
        goal = is_goal(new, numbers, edges)
        local += leaf_gain(new, item, goal, edges, language)
    edges.total[new] = local
    push(new, edges, state)


# --- DPCHARTPRUNE and GOALTEST -------------------------------------------------------------


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


# --- the search -----------------------------------------------------------------------------


NUMBERED = {
    NO_SIGNATURE: NONE,
    SIGNATURE_2011: OF_2011,
    SIGNATURE_2015: OF_2015,
}
"""The signatures as the kernels know them."""


class FastCCGSearch(FastSearch):
    """The search with the rules of a CCG."""

    expand_kernel = staticmethod(expand)
    loop = staticmethod(search_on)

    def __init__(
        self,
        keys: EdgeKeys,
        table: EdgeTable,
        learning: bool = False,
        ngrams: NGramModel | None = None,
        *,
        rules: CCGRules,
    ) -> None:
        super().__init__(compile_ccg_program(keys), COLUMNS, WIDTH, keys, table, learning, ngrams)
        self.rules, self.grammar = rules, number_rules(rules, keys)
        self.known = Known.of(rules, keys)

    def begin(
        self,
        problem: OrderingProblem,
        settings: SearchSettings,
        gold: GoldStandard | None,
        trace: Trace | None,
    ) -> None:
        """INITAGENDA, INITCHART: forget the last search; the leaves are on the agenda."""
        super().begin(problem, settings, gold, trace)
        self.state[SIGNATURE] = NUMBERED[settings.signature]
        self.bag = BagCounts(problem)
        self.least = self.bag.least
        self.names = number_names(problem.items, self.keys)
        structures = gold.numbers if gold is not None else {}
        self.numbers, own = number_problem(problem, self.bag, self.known, self.keys, structures)
        self.categories = (*self.rules.categories, *own)
        covers, orders = (int(n) for n in self.numbers.widths)
        self.room.begin(2 * (covers + orders), len(self.numbers.several), 0)
        self.state[UNITS] = self.numbers.scratch.shape[1] - 2  # as many as there are bits
        if trace is not None:
            begin(trace, problem, int(self.state[BEAM]))
        while (full := self.call(add_leaves)) != DONE:
            self.room.grow(full)
        if trace is not None:
            for leaf in range(int(self.state[EDGES])):
                self.trace_leaf(trace, leaf, int(self.edges.ints[leaf, FIRST1]) - 1)

    @property
    def constants(self) -> tuple:
        """The rules, the bag, and the numbers of words and tags."""
        return self.grammar, self.numbers, self.names

    def is_goal(self, edge: int) -> bool:
        """GOALTEST."""
        return bool(in_python(is_goal)(edge, self.numbers, self.edges))

    def compare(self, edge: int) -> tuple[int, int]:
        """DPCHARTPRUNE's pair, the loser and the winner; the loser is -1 where there is none."""
        other = int(like_it(edge, self.numbers, self.edges, self.state))
        if other < 0:
            return -1, edge
        loser = int(in_python(lower_of)(edge, other, self.edges, self.state))
        return loser, other if loser == edge else edge

    def can_combine(self, left: Sequence[int], right: Sequence[int]) -> bool:
        """The input check, of the counts of two edges."""
        return self.bag.can_combine(left, right)

    def told(self, edge: int) -> tuple[str, str]:
        """The action of an edge, and its category."""
        rule, category = (int(n) for n in self.edges.ints[edge, [ACTION, CATEGORY]])
        action = self.rules.rules[rule].action if rule >= 0 else "leaf"
        return action, str(self.categories[category])

    def built(self, line: int, left: Edge | None, right: Edge | None) -> Edge:
        """An edge as an object, of its parts."""
        ints = self.edges.ints
        category = self.categories[int(ints[line, CATEGORY])]
        if left is None:
            i = int(ints[line, FIRST1]) - 1
            item = self.items[i]
            counts = tuple(int(t == item.type) for t in range(len(self.bag.most)))
            action = f"leaf-{item.form}-{item.pos}-{item.category}"
            return Edge(line + 1, action, (i,), (-1,), counts, category=category)
        rule = self.rules.rules[int(ints[line, ACTION])]
        how: dict[str, Any] = {"category": category, "rule": rule}
        if right is None:
            return Edge(line + 1, rule.action, left.items, left.heads, left.counts, left, **how)
        heads = linked_heads(left, right, rule.side)
        counts = tuple(one + two for one, two in zip(left.counts, right.counts, strict=True))
        items = (*left.items, *right.items)
        return Edge(line + 1, rule.action, items, heads, counts, left, right, **how)
