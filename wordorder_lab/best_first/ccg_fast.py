"""Best-first search for CCG derivations on flat arrays: the twin of ``ccg``.

The loop of Algorithm 1, UNARY and BINARY, DPCHARTPRUNE and GOALTEST as kernels, and the search that
Python drives. Rules and bags in numbers are made in ``ccg_numbers_fast``.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from collections.abc import Sequence

from wordorder_lab.best_first import arrays_fast as arrays
from wordorder_lab.best_first import ccg_numbers_fast as slot
from wordorder_lab.best_first.ccg_rules import CCGRules, bounds_of
from wordorder_lab.best_first.chart import NO_SIGNATURE, SIGNATURE_2011, SIGNATURE_2015
from wordorder_lab.best_first.edge import Edge, Words, leaf_action
from wordorder_lab.best_first.features_fast import local_score
from wordorder_lab.best_first.gold import GoldStandard
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.language_model_fast import leaf_gain, seam_gain
from wordorder_lab.best_first.search_fast import FastSearch, Kernels
from wordorder_lab.best_first.weights_fast import EdgeTable
from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.structures.problem import OrderingProblem

CATEGORY, HEAD, FIRST1, FIRST2, LAST1, LAST2, COLUMNS = range(arrays.OWN, arrays.OWN + 7)
"""The category, the head word's pair, the first two words and the last two: items, counted from 1,
0 is none. The action of an edge is its rule, -1 for a leaf."""

SEEN_BY_ALL, SEEN_BY_LONGER = 1 << slot.ALL, 1 << slot.LONGER
SEEN_BY_BINARY, SEEN_BY_UNARY = 1 << slot.BINARY, 1 << slot.UNARY
"""Which groups of templates an edge has."""


@kernel(borrows=True)
def search_on(expansions, most_edges, run, language):
    """The loop of Algorithm 1 until so many edges are popped or made, or something happens."""
    edges, state = run.edges, run.state
    while True:
        if state[arrays.AT] < 0:
            if state[arrays.HEAP] == 0:
                return arrays.EMPTY
            if state[arrays.POPPED] >= expansions or state[arrays.EDGES] >= most_edges:
                return arrays.DONE
            edge = arrays.pop_best(edges, state)
            state[arrays.CURRENT] = edge
            if is_goal(edge, run):
                return arrays.GOAL_POPPED
            other = like_it(edge, run.numbers, edges, state)
            if other >= 0:
                loser = arrays.lower_of(edge, other, edges, state)
                if loser == edge:
                    arrays.note_loss(edge, edges, state)
                    continue
                arrays.remove(loser, edges, state)
        edge = state[arrays.CURRENT]
        status = expand(edge, run, language)
        if status != arrays.DONE:
            return status
        arrays.add_to_chart(edge, edges, state)


@kernel(borrows=True)
def expand(edge, run, language):
    """Unary rules, then combine an edge with the chart in order of insertion, then with itself.
    Returns ``DONE``, or what has run out; then the same call goes on where it stopped."""
    grammar, numbers, edges, state = run.grammar, run.numbers, run.edges, run.state
    ints, bits, chart, pairs = edges.ints, edges.bits, edges.chart, grammar.pairs
    covers, known = numbers.widths[0], pairs.shape[0]
    units, charted = state[arrays.UNITS] - ints[edge, arrays.SIZE], state[arrays.CHART]
    category = ints[edge, CATEGORY]
    for place in range(max(state[arrays.AT], 0), charted + 2):
        forward = backward = 0
        other = edge
        if place > 0:  # most pairs end here: by their words, or since no rule joins them
            if place <= charted:
                other = chart[place - 1]
            if ints[other, arrays.SIZE] > units:
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
        status = arrays.room_for(grammar.most, run)
        if status != arrays.DONE:
            state[arrays.AT] = place
            return status
        if place == 0:
            unary_edges(edge, run)
        if forward > 0 and arrays.can_order(edge, other, numbers, edges):
            for rule in range(grammar.binary[forward, 0], grammar.binary[forward, 1]):
                binary_edge(edge, other, rule, run, language)
        if backward > 0 and arrays.can_order(other, edge, numbers, edges):
            for rule in range(grammar.binary[backward, 0], grammar.binary[backward, 1]):
                binary_edge(other, edge, rule, run, language)
    state[arrays.AT] = -1
    return arrays.DONE


@kernel(borrows=True)
def unary_edges(edge, run):
    """UNARY: the rules whose parents the row of unary steps has not been through."""
    grammar, edges, state = run.grammar, run.edges, run.state
    ints = edges.ints
    category = ints[edge, CATEGORY]
    if category >= grammar.unary.shape[0]:
        return
    for rule in range(grammar.unary[category, 0], grammar.unary[category, 1]):
        parent = grammar.rules[rule, slot.PARENT]
        below, through = edge, ints[edge, CATEGORY] == parent
        while ints[below, arrays.LEFT] >= 0 and ints[below, arrays.RIGHT] < 0:
            below = ints[below, arrays.LEFT]
            through = through or ints[below, CATEGORY] == parent
        if through:
            continue
        new = state[arrays.EDGES]
        state[arrays.EDGES] = new + 1
        for column in range(ints.shape[1]):
            ints[new, column] = ints[edge, column]
        for w in range(edges.bits.shape[1]):  # as an assignment of arrays it compiles for long
            edges.bits[new, w] = edges.bits[edge, w]
        for kind in range(edges.counts.shape[1]):
            edges.counts[new, kind] = edges.counts[edge, kind]
        ints[new, arrays.ACTIONS] = ints[edge, arrays.ACTIONS] + 1
        own_columns(new, edge, -1, rule, run)
        edges.total[new] = edges.total[edge] + score_edge(new, SEEN_BY_UNARY, run)
        arrays.push(new, edges, state)


@kernel(borrows=True)
def binary_edge(left, right, rule, run, language):
    """BINARY: ``right`` after ``left`` by one rule."""
    row, grammar, numbers, edges, state = run.row, run.grammar, run.numbers, run.edges, run.state
    ints, items = edges.ints, numbers.items
    new = state[arrays.EDGES]
    state[arrays.EDGES] = new + 1
    head, other = (left, right) if grammar.rules[rule, slot.RULE_HEAD] == 0 else (right, left)
    ints[new, arrays.SIZE] = ints[left, arrays.SIZE] + ints[right, arrays.SIZE]
    ints[new, arrays.ACTIONS] = ints[left, arrays.ACTIONS] + ints[right, arrays.ACTIONS] + 1
    ints[new, HEAD] = ints[head, HEAD]
    ints[new, FIRST1], ints[new, LAST1] = ints[left, FIRST1], ints[right, LAST1]
    ints[new, FIRST2] = ints[left, FIRST2] if ints[left, arrays.SIZE] > 1 else ints[right, FIRST1]
    ints[new, LAST2] = ints[right, LAST2] if ints[right, arrays.SIZE] > 1 else ints[left, LAST1]
    arrays.cover(new, left, right, numbers, edges)
    own_columns(new, left, right, rule, run)
    row[slot.NONHEAD] = ints[other, HEAD]
    around = (ints[left, LAST2], ints[left, LAST1], ints[right, FIRST1], ints[right, FIRST2])
    for i in range(4):
        item = around[i]
        if item > 0:
            row[slot.BOUNDARY + i] = items[item, slot.PAIR]
            row[slot.LEXICAL_AT + i] = numbers.labels[items[item, slot.LEXICAL]]
    local = score_edge(new, SEEN_BY_BINARY, run)
    if language is not None:
        local += seam_gain(new, left, right, is_goal(new, run), edges, language)
    edges.total[new] = edges.total[left] + edges.total[right] + local
    arrays.push(new, edges, state)


@kernel(borrows=True)
def own_columns(new, left, right, rule, run):
    """Parts, rule, category and gold of a new edge; a row that has its rule alone so far."""
    ints, rules = run.edges.ints, run.grammar.rules
    ints[new, arrays.LEFT], ints[new, arrays.RIGHT], ints[new, arrays.ACTION] = left, right, rule
    ints[new, CATEGORY] = rules[rule, slot.PARENT]
    ints[new, arrays.GOLD] = arrays.gold_of(left, right, rule, run.numbers.gold, ints)
    run.row[:] = 0
    run.row[slot.RULE] = rules[rule, slot.RULE_KEY]


@kernel(borrows=True)
def score_edge(new, more, run):
    """The local score of an edge whose columns are filled in; ``more`` are its own conditions."""
    row, ints, items = run.row, run.edges.ints, run.numbers.items
    sees = SEEN_BY_ALL | more
    row[slot.CATEGORY] = run.numbers.labels[ints[new, CATEGORY]]
    row[slot.SIZE] = ints[new, arrays.SIZE]
    row[slot.HEAD] = ints[new, HEAD]
    if ints[new, arrays.SIZE] > 1:
        sees |= SEEN_BY_LONGER
        row[slot.FIRST1] = items[ints[new, FIRST1], slot.PAIR]
        row[slot.FIRST2] = items[ints[new, FIRST2], slot.PAIR]
        row[slot.LAST1] = items[ints[new, LAST1], slot.PAIR]
        row[slot.LAST2] = items[ints[new, LAST2], slot.PAIR]
    return local_score(new, sees, run)


@kernel(borrows=True)
def add_leaves(run, language):
    """INITAGENDA: a leaf of every item whose kind may be used. ``DONE``, or what has run out."""
    numbers = run.numbers
    status = arrays.room_for(numbers.items.shape[0] - 1, run)
    if status == arrays.DONE:
        for item in range(1, numbers.items.shape[0]):
            if numbers.kinds[numbers.items[item, slot.KIND], arrays.COUNT] > 0:
                add_leaf(item, run, language)
    return status


@kernel(inline="always")
def add_leaf(item, run, language):
    """The leaf of an item, counted from 1."""
    edges, state, items = run.edges, run.state, run.numbers.items
    ints = edges.ints
    new = state[arrays.EDGES]
    state[arrays.EDGES] = new + 1
    ints[new] = 0
    ints[new, arrays.LEFT] = ints[new, arrays.RIGHT] = ints[new, arrays.ACTION] = -1
    ints[new, arrays.GOLD] = items[item, slot.LEAF_GOLD]
    ints[new, arrays.SIZE] = ints[new, arrays.ACTIONS] = 1
    ints[new, CATEGORY], ints[new, HEAD] = items[item, slot.LEXICAL], items[item, slot.PAIR]
    ints[new, FIRST1] = ints[new, LAST1] = item
    arrays.cover_leaf(new, items[item, slot.KIND], run.numbers, edges)
    run.row[:] = 0
    local = score_edge(new, 0, run)
    if language is not None:
        local += leaf_gain(new, item, is_goal(new, run), edges, language)
    edges.total[new] = local
    arrays.push(new, edges, state)


# --- GOALTEST and DPCHARTPRUNE --------------------------------------------------------------


NONE, OF_2011, OF_2015 = range(3)
NUMBERED = {NO_SIGNATURE: NONE, SIGNATURE_2011: OF_2011, SIGNATURE_2015: OF_2015}
"""The signatures as the kernels know them."""


@kernel(borrows=True)
def is_goal(edge, run):
    """GOALTEST: whether every word is there as often as it has to be."""
    bits, least = run.edges.bits, run.numbers.least
    for w in range(run.numbers.widths[0]):
        if bits[edge, w] & least[w] != least[w]:
            return False
    return True


@kernel(borrows=True)
def like_it(edge, numbers, edges, state):
    """The first edge of the chart that has the signature of this one; -1 if there is none."""
    if state[arrays.SIGNATURE] == NONE:
        return -1
    ints, items = edges.ints, numbers.items
    for at in range(state[arrays.CHART]):
        other = edges.chart[at]
        if (
            ints[other, CATEGORY] != ints[edge, CATEGORY]
            or ints[other, arrays.SIZE] != ints[edge, arrays.SIZE]
            or ints[other, HEAD] != ints[edge, HEAD]
        ):
            continue
        if state[arrays.SIGNATURE] == OF_2011:
            if same_words(edge, other, numbers, edges):
                return other
            continue
        same = True
        for column in (FIRST1, FIRST2, LAST1, LAST2):
            one, two = ints[edge, column], ints[other, column]
            same = same and items[one, slot.PAIR] == items[two, slot.PAIR]
        for w in range(numbers.widths[0]):
            same = same and edges.bits[edge, w] == edges.bits[other, w]
        if same:
            return other
    return -1


@kernel(borrows=True)
def same_words(edge, other, numbers, edges):
    """Whether two edges of one size have the same words in the same order."""
    items = numbers.items
    for column in (FIRST1, FIRST2, LAST1, LAST2):
        one, two = edges.ints[edge, column], edges.ints[other, column]
        if items[one, slot.UNIT] != items[two, slot.UNIT]:
            return False
    write_words(edge, 0, numbers, edges)
    write_words(other, 1, numbers, edges)
    for i in range(edges.ints[edge, arrays.SIZE]):
        if numbers.scratch[0, i] != numbers.scratch[1, i]:
            return False
    return True


@kernel(borrows=True)
def write_words(edge, line, numbers, edges):
    """Write the words of an edge in order into a line of ``scratch``."""
    ints, scratch = edges.ints, numbers.scratch
    scratch[2, 0] = edge
    waiting, n = 1, 0
    while waiting > 0:
        waiting -= 1
        here = scratch[2, waiting]
        if ints[here, arrays.LEFT] < 0:
            scratch[line, n] = numbers.items[ints[here, FIRST1], slot.UNIT]
            n += 1
            continue
        if ints[here, arrays.RIGHT] >= 0:
            scratch[2, waiting] = ints[here, arrays.RIGHT]
            waiting += 1
        scratch[2, waiting] = ints[here, arrays.LEFT]
        waiting += 1


# --- the search -----------------------------------------------------------------------------


class FastCCGSearch(FastSearch):
    """The search with the rules of a CCG."""

    kernels = Kernels(add_leaves, expand, search_on, is_goal, like_it)
    item_column = FIRST1

    def __init__(
        self,
        keys: EdgeKeys,
        table: EdgeTable,
        learning: bool = False,
        ngrams: NGramModel | None = None,
        *,
        rules: CCGRules,
    ) -> None:
        self.program, self.columns, self.width = slot.compile_ccg_program(keys), COLUMNS, slot.WIDTH
        super().__init__(keys, table, learning, ngrams)
        self.rules, self.grammar = rules, slot.number_rules(rules, keys)
        self.known = slot.Known.of(rules, keys)

    def number(self, problem: OrderingProblem, gold: GoldStandard | None) -> tuple[int, int, int]:
        """Give a bag its numbers; the widths of bits, counts and sets of tags."""
        self.bounds = bounds_of(problem)
        self.names = slot.number_names(problem.items, self.keys)
        structures = gold.numbers if gold is not None else {}
        numbers, own = slot.number_problem(problem, self.bounds, self.known, self.keys, structures)
        self.numbers, self.categories = numbers, (*self.rules.categories, *own)
        covers, orders = (int(n) for n in numbers.widths)
        self.state[arrays.UNITS] = numbers.scratch.shape[1] - 2  # as many as there are bits
        self.state[arrays.SIGNATURE] = NUMBERED[self.settings.signature]
        self.state[arrays.FIRST_STAYS] = self.settings.signature == SIGNATURE_2011
        return 2 * (covers + orders), len(numbers.several), 0

    def action_of(self, edge: int) -> tuple[str, str]:
        """The action of an edge, and its category."""
        rule, category = (int(n) for n in self.edges.ints[edge, [arrays.ACTION, CATEGORY]])
        action = self.rules.rules[rule].action if rule >= 0 else "leaf"
        return action, self.categories[category].text

    def built(self, line: int, row: Sequence[int], left: Edge | None, right: Edge | None) -> Edge:
        """An edge as an object, of its parts."""
        category = self.categories[row[CATEGORY]]
        if left is None:
            i = row[FIRST1] - 1
            item = self.items[i]
            (items, heads, counts), rule = Words.of_leaf(i, item.type, len(self.bounds.most)), None
            action = leaf_action(item)
        else:
            rule = self.rules.rules[row[arrays.ACTION]]
            items, heads, counts = left.items, left.heads, left.counts
            action = rule.action
            if right is not None:
                items, heads, counts = Words.joined(left, right, rule.side)
        return Edge(line + 1, action, items, heads, counts, left, right, category, rule)
