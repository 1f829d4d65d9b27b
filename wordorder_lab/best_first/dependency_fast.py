"""Best-first search for dependency trees on flat arrays: the twin of ``dependency``.

The loop of Algorithm 4 with its four ways to combine two edges, a bag in numbers, the columns of an
edge, and the search that Python drives.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wordorder_lab.best_first import arrays_fast as arrays
from wordorder_lab.best_first import features_fast as slot
from wordorder_lab.best_first.chart import SAME_ENDS, SAME_WORDS
from wordorder_lab.best_first.dependency_links import DependencyLinks
from wordorder_lab.best_first.edge import HEAD_LEFT, HEAD_RIGHT, Edge, Words, leaf_action
from wordorder_lab.best_first.gold import GoldStandard
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.language_model_fast import leaf_gain, seam_gain
from wordorder_lab.best_first.output import WHOLE_TREE, Piece, WholeTree
from wordorder_lab.best_first.search_fast import FastSearch, Kernels
from wordorder_lab.best_first.weights_fast import EdgeTable
from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.trace import Trace


@kernel(borrows=True)
def search_on(expansions, most_edges, run, language):
    """The loop of Algorithm 4 until so many edges are popped or made, or something happens."""
    numbers, edges, state = run.numbers, run.edges, run.state
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
            other = like_it(edge, numbers, edges, state)
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
    """Combine an edge with the chart in order of insertion, then with itself, and fill the agenda.
    Returns ``DONE``, or what has run out; then the same call goes on where it stopped."""
    numbers, edges, state = run.numbers, run.edges, run.state
    ints, bits, chart = edges.ints, edges.bits, edges.chart
    covers = numbers.widths[0]
    for place in range(max(state[arrays.AT], 0), state[arrays.CHART] + 1):
        status = arrays.room_for(4, run)
        if status != arrays.DONE:
            state[arrays.AT] = place
            return status
        other = chart[place] if place < state[arrays.CHART] else edge
        fits = ints[edge, arrays.SIZE] + ints[other, arrays.SIZE] <= state[arrays.UNITS]
        for w in range(covers):
            fits = fits and bits[edge, w] & bits[other, covers + w] == 0
        if not fits:
            continue
        for left, right in ((edge, other), (other, edge)):
            if arrays.can_order(left, right, numbers, edges):
                for action in (HEAD_LEFT_NUMBER, HEAD_RIGHT_NUMBER):
                    if can_link(left, right, action, numbers, edges):
                        arrays.push(combine(left, right, action, run, language), edges, state)
            if other == edge:
                break
    state[arrays.AT] = -1
    return arrays.DONE


@kernel(borrows=True)
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
    if kinds[given, arrays.COUNT] == 1:
        return True  # all its dependents are this one's
    found = 0
    while ints[head, arrays.LEFT] >= 0:
        one, other = ints[head, arrays.LEFT], ints[head, arrays.RIGHT]
        if ints[head, arrays.ACTION] == HEAD_RIGHT_NUMBER:
            one, other = other, one
        if numbers.kind_of[ints[other, ROOT]] == kind:
            found += 1
        head = one
    return found < kinds[kind, NEED]


@kernel(borrows=True)
def combine(left, right, action, run, language):
    """COMBINE: a new edge with an arc between the two roots and its total."""
    row, numbers, edges, state = run.row, run.numbers, run.edges, run.state
    ints = edges.ints
    new = state[arrays.EDGES]
    state[arrays.EDGES] = new + 1
    left_size = ints[left, arrays.SIZE]
    size = left_size + ints[right, arrays.SIZE]
    head, dependent = (left, right) if action == HEAD_LEFT_NUMBER else (right, left)
    for column in range(ints.shape[1]):
        ints[new, column] = ints[head, column]
    ints[new, arrays.LEFT], ints[new, arrays.RIGHT], ints[new, arrays.ACTION] = left, right, action
    ints[new, arrays.SIZE], ints[new, arrays.ACTIONS] = size, 2 * size - 1
    ints[new, arrays.GOLD] = arrays.gold_of(left, right, action, numbers.gold, ints)
    row[:] = 0
    h, m = ints[head, ROOT], ints[dependent, ROOT]
    row[slot.AT_H], row[slot.AT_M] = h, m
    row[slot.AT_M_L], row[slot.AT_M_R] = ints[dependent, LEFT1], ints[dependent, RIGHT1]
    distance = norm(left_size + ints[right, PLACE] - ints[left, PLACE])
    if action == HEAD_LEFT_NUMBER:
        row[slot.AT_S], row[slot.AT_S2] = ints[left, RIGHT1], ints[left, RIGHT2]
        if ints[left, AFTER] == 0:
            ints[new, AFTER] = ints[right, FIRST1]
        row[slot.AFTER_H] = ints[new, AFTER]
        row[slot.BEFORE_M] = ints[right, BEFORE] if ints[right, BEFORE] else ints[left, LAST1]
        row[slot.AT_DIR], row[slot.AT_DIST] = slot.NUMBERS_FROM + 1, slot.NUMBERS_FROM - distance
        ints[new, RIGHT1], ints[new, RIGHT2] = m, ints[left, RIGHT1]
        ints[new, VALENCY_R] += 1
    else:
        row[slot.AT_S], row[slot.AT_S2] = ints[right, LEFT1], ints[right, LEFT2]
        if ints[right, BEFORE] == 0:
            ints[new, BEFORE] = ints[left, LAST1]
        row[slot.BEFORE_H] = ints[new, BEFORE]
        row[slot.AFTER_M] = ints[left, AFTER] if ints[left, AFTER] else ints[right, FIRST1]
        row[slot.AT_DIR], row[slot.AT_DIST] = slot.NUMBERS_FROM, slot.NUMBERS_FROM + distance
        ints[new, LEFT1], ints[new, LEFT2] = m, ints[right, LEFT1]
        ints[new, VALENCY_L] += 1
        ints[new, PLACE] = left_size + ints[right, PLACE]
    row[slot.AT_SIZE] = slot.NUMBERS_FROM + norm(size)
    for i in range(3):  # the first three words, then the last three
        ints[new, FIRST1 + i] = (
            ints[left, FIRST1 + i] if i < left_size else ints[right, FIRST1 + i - left_size]
        )
        ints[new, LAST1 + i] = (
            ints[right, LAST1 + i]
            if i < size - left_size
            else ints[left, LAST1 + i - (size - left_size)]
        )
    if numbers.kinds[numbers.kind_of[m], HEAD] >= 0:
        ints[new, ATTACHED] += 1
    arrays.cover(new, left, right, numbers, edges)
    choose(new, head, m, numbers, edges)
    row[slot.AT_B] = tags_between(new, left, right, action, run)
    fill_completed(slot.COMPLETED_AT, dependent, row, ints)
    row[slot.SURFACE_AT], row[slot.SURFACE_AT + 1] = ints[left, LAST2], ints[left, LAST1]
    row[slot.SURFACE_AT + 2], row[slot.SURFACE_AT + 3] = ints[right, FIRST1], ints[right, FIRST2]
    goal = size == state[arrays.UNITS]
    sees = SEEN_BY_ALL | SEEN_BY_ARCS
    if goal:
        sees |= SEEN_BY_GOALS
        fill_goal(new, row, ints)
    local = slot.local_score(new, sees, run)
    if language is not None:
        local += seam_gain(new, left, right, goal, edges, language)
    edges.total[new] = edges.total[left] + edges.total[right] + local
    return new


@kernel(borrows=True)
def choose(new, head, item, numbers, edges):
    """Note which form of several the new dependent of the root has; the head's part had others."""
    first = 2 * (numbers.widths[0] + numbers.widths[1] + numbers.widths[2])
    for w in range(numbers.widths[3]):
        edges.bits[new, first + w] = edges.bits[head, first + w]
    if numbers.choices[item] > 0:
        bit = numbers.choices[item] - 1
        edges.bits[new, first + (bit >> 6)] |= arrays.ONE << np.uint64(bit & 63)


@kernel(borrows=True)
def tags_between(new, left, right, action, run):
    """Fill in the tags on each side of the root; returns the set of tags between the two roots."""
    numbers, names, edges, tables, state = run.numbers, run.names, run.edges, run.tables, run.state
    bits = edges.bits
    covers, orders, tags = numbers.widths[0], numbers.widths[1], numbers.widths[2]
    at = 2 * (covers + orders)
    between = tables.sets[state[arrays.SETS]]
    any_tag = np.uint64(0)
    for w in range(tags):
        between[w] = bits[left, at + tags + w] | bits[right, at + w]
        any_tag |= between[w]
        whole = np.uint64(0)
        if action == HEAD_LEFT_NUMBER:
            tag = names.items[edges.ints[right, ROOT], 2] - 1
            if tag >> 6 == w:
                whole = arrays.ONE << np.uint64(tag & 63)
            bits[new, at + w] = bits[left, at + w]
            whole |= bits[right, at + w] | bits[right, at + tags + w]
            bits[new, at + tags + w] = bits[left, at + tags + w] | whole
        else:
            tag = names.items[edges.ints[left, ROOT], 2] - 1
            if tag >> 6 == w:
                whole = arrays.ONE << np.uint64(tag & 63)
            whole |= bits[left, at + w] | bits[left, at + tags + w]
            bits[new, at + w] = bits[right, at + w] | whole
            bits[new, at + tags + w] = bits[right, at + tags + w]
    if any_tag == 0:
        return 0
    place = arrays.set_place(tables, between)
    if tables.set_places[place] < 0:
        tables.set_places[place] = state[arrays.SETS]
        state[arrays.SETS] += 1
    return tables.set_places[place] + 1


# --- GOALTEST and DPCHARTPRUNE --------------------------------------------------------------


@kernel(borrows=True)
def is_goal(edge, run):
    """GOALTEST: whether all words of the bag are in an edge."""
    return run.edges.ints[edge, arrays.SIZE] == run.state[arrays.UNITS]


@kernel(borrows=True)
def like_it(edge, numbers, edges, state):
    """The first edge of the chart that has the signature of this one; -1 if there is none."""
    if state[arrays.SIGNATURE] != NO_SIGNATURE_NUMBER:
        for at in range(state[arrays.CHART]):
            if is_like(edges.chart[at], edge, numbers, edges, state):
                return edges.chart[at]
    return -1


@kernel(borrows=True)
def is_like(other, edge, numbers, edges, state):
    """Whether two edges have one signature, where there are any."""
    ints, bits = edges.ints, edges.bits
    choices = 2 * (numbers.widths[0] + numbers.widths[1] + numbers.widths[2])
    same = (
        ints[other, ROOT] == ints[edge, ROOT]
        and ints[other, arrays.SIZE] == ints[edge, arrays.SIZE]
    )
    if same and numbers.widths[1]:
        same = (ints[other, VALENCY_L] > 0) == (ints[edge, VALENCY_L] > 0)
    if same and state[arrays.SIGNATURE] == SAME_ENDS_NUMBER:
        for column in (FIRST1, FIRST2, LAST1, LAST2):
            same = same and ints[other, column] == ints[edge, column]
    for w in range(numbers.widths[0]):
        same = same and bits[other, w] == bits[edge, w]
    for w in range(numbers.widths[3]):
        same = same and bits[other, choices + w] == bits[edge, choices + w]
    return same


# --- columns, leaves and goals --------------------------------------------------------------


(
    ROOT, PLACE, LEFT1, LEFT2, RIGHT1, RIGHT2, VALENCY_L, VALENCY_R, BEFORE, AFTER,
    FIRST1, FIRST2, FIRST3, LAST1, LAST2, LAST3, ATTACHED, COLUMNS,
) = range(arrays.OWN, arrays.OWN + 18)  # fmt: skip
"""The root's item and how many words stand left of it; its outermost and next dependents on each
side, and how many; the words beside it; the first and last three words; how many of its given
dependents it has. Items are counted from 1, 0 is none."""

HEAD_LEFT_NUMBER, HEAD_RIGHT_NUMBER = 0, 1
NAMES = HEAD_LEFT, HEAD_RIGHT
NO_SIGNATURE_NUMBER, SAME_ENDS_NUMBER, SAME_WORDS_NUMBER = range(3)
NUMBERED = {SAME_ENDS: SAME_ENDS_NUMBER, SAME_WORDS: SAME_WORDS_NUMBER}
"""The signatures as the kernels know them; those of CCG are none here."""
SEEN_BY_ALL, SEEN_BY_ARCS, SEEN_BY_GOALS = 1 << slot.ALWAYS, 1 << slot.ARC, 1 << slot.GOAL
"""Which groups of templates an edge has."""


@kernel(borrows=True)
def norm(value):
    """Table 2's NORM for what is not negative."""
    if value <= 5:
        return value
    return 6 if value <= 10 else 7 if value <= 20 else 8 if value <= 40 else 9


@kernel(borrows=True)
def add_leaves(run, language):
    """INITAGENDA: the leaves of the bag. ``DONE``, or what has run out."""
    leaves = run.numbers.leaves
    status = arrays.room_for(leaves.shape[0], run)
    if status == arrays.DONE:
        for i in range(leaves.shape[0]):
            add_leaf(leaves[i], run, language)
    return status


@kernel(borrows=True)
def add_leaf(item, run, language):
    """The leaf of an item, counted from 1."""
    row, numbers, edges, state = run.row, run.numbers, run.edges, run.state
    ints = edges.ints
    new = state[arrays.EDGES]
    state[arrays.EDGES] = new + 1
    ints[new] = 0
    ints[new, arrays.LEFT] = ints[new, arrays.RIGHT] = ints[new, arrays.ACTION] = -1
    ints[new, arrays.GOLD] = numbers.gold_leaves[item]
    ints[new, arrays.SIZE] = ints[new, arrays.ACTIONS] = 1
    ints[new, ROOT] = ints[new, FIRST1] = ints[new, LAST1] = item
    arrays.cover_leaf(new, numbers.kind_of[item], numbers, edges)
    row[:] = 0
    row[slot.AT_H] = item
    row[slot.AT_SIZE] = slot.NUMBERS_FROM + 1
    goal, sees = state[arrays.UNITS] == 1, SEEN_BY_ALL
    if goal:
        fill_goal(new, row, ints)
        sees |= SEEN_BY_GOALS
    local = slot.local_score(new, sees, run)
    if language is not None:
        local += leaf_gain(new, item, goal, edges, language)
    edges.total[new] = local
    arrays.push(new, edges, state)


@kernel(borrows=True)
def fill_goal(new, row, ints):
    """The slots of a goal: its root as a completed word, its first and last words."""
    fill_completed(slot.ROOT_AT, new, row, ints)
    for i in range(3):
        row[slot.SENTENCE_AT + i] = ints[new, FIRST1 + i]
        row[slot.SENTENCE_AT + 3 + i] = ints[new, LAST1 + i]


@kernel(borrows=True)
def fill_completed(at, edge, row, ints):
    """The slots, from ``at`` on, of a word that is completed: the root of an edge."""
    row[at + slot.OF_H] = ints[edge, ROOT]
    row[at + slot.OF_H_L], row[at + slot.OF_H_R] = ints[edge, LEFT1], ints[edge, RIGHT1]
    row[at + slot.OF_LVAL] = slot.NUMBERS_FROM + norm(ints[edge, VALENCY_L])
    row[at + slot.OF_RVAL] = slot.NUMBERS_FROM + norm(ints[edge, VALENCY_R])


@kernel(borrows=True)
def link(left, right, action, run, language):
    """COMBINE of two edges alone: ``DONE``, or what has run out."""
    status = arrays.room_for(1, run)
    if status == arrays.DONE:
        arrays.push(combine(left, right, action, run, language), run.edges, run.state)
    return status


# --- the words, kinds, orders and gold edges of a bag in numbers ----------------------------


HEAD, NEED, DEPENDENTS = range(arrays.OF_GRAMMAR, arrays.OF_GRAMMAR + 3)
NO_HEAD = -2


class Numbers(NamedTuple):
    """A problem in numbers.

    ``kind_of[i]`` the kind of item i - 1, ``choices[i]`` the number of its form among those of all
    types that have several, 0 for a form that is the only one; ``kinds[k]`` what ``arrays_fast``
    needs, then the kind of the given head (-1 the root, -2 none given), how many of it a unit of
    that head takes, and how many given dependents a unit has; ``several`` and ``before`` as there;
    ``widths`` the words of 64 bits for coverage, kinds (0 without orders), tags and choices;
    ``gold`` as there, ``gold_leaves`` the gold id of an item's leaf or -1; ``leaves`` are the items
    that have one, counted from 1.
    """

    kind_of: np.ndarray
    choices: np.ndarray
    kinds: np.ndarray
    several: np.ndarray
    before: np.ndarray
    widths: np.ndarray
    gold: np.ndarray
    gold_leaves: np.ndarray
    leaves: np.ndarray


def number_names(links: DependencyLinks, keys: EdgeKeys) -> slot.Names:
    """Words, tags and labels of a problem. Raises ``ValueError`` for more than the keys of groups
    hold."""
    items = links.problem.items
    tags = sorted({item.pos for item in items})
    labelled = sorted({(item.pos, item.label) for item in items})
    if len(items) > slot.MAX_ITEMS or len(labelled) > slot.MAX_TAGS:
        raise ValueError(
            f"{len(items):,} words with a tag and a label, and {len(labelled):,} tags with a label,"
            " are too many for the fast engine: give the tags and labels of more words, or use "
            "engine='reference'"
        )
    own = {tag: i for i, tag in enumerate(tags, 1)}
    pairs = {pair: i for i, pair in enumerate(labelled, 1)}
    rows = [(0, 0, 0, 0, 0)]
    for item in items:
        word, tag = (
            keys.word_ids.get(item.word, slot.UNKNOWN),
            keys.tag_ids.get(item.pos, slot.UNKNOWN),
        )
        label = keys.label_ids.get(item.label, slot.UNKNOWN)
        rows.append((word, tag, own[item.pos], label, pairs[item.pos, item.label]))
    numbers = [0, *(keys.tag_ids.get(tag, slot.UNKNOWN) for tag in tags)]
    return slot.Names(np.array(rows, np.int64), np.array(numbers, np.int64))


def number_problem(links: DependencyLinks, gold: GoldStandard | None = None) -> Numbers:
    """Kinds, orders and gold edges of a problem."""
    kinds, several, bits = arrays.number_kinds(links.count, 3)
    for k, head in enumerate(links.head):
        kinds[k, HEAD] = NO_HEAD if head is None else head
        kinds[k, NEED], kinds[k, DEPENDENTS] = links.need[k], links.dependents[k]
    tags = len({item.pos for item in links.problem.items})
    orders = arrays.words_for(len(kinds)) if any(links.before) else 0
    choices = number_choices(links.problem)
    sizes = (
        arrays.words_for(bits),
        orders,
        arrays.words_for(tags),
        arrays.words_for(int(choices.max())),
    )
    structures = {} if gold is None else gold.numbers
    pairs = np.full((len(structures), 3), -1, np.int32)
    gold_leaves = np.full(1 + len(links.problem.items), -1, np.int32)
    for structure, number in structures.items():
        if isinstance(structure, tuple):
            left, right, action = structure
            pairs[number] = left, right, NAMES.index(action)
        elif isinstance(structure, int):
            gold_leaves[1 + structure] = number
    return Numbers(
        kind_of=np.array([0, *links.kinds], np.int64),
        choices=choices,
        kinds=kinds,
        several=several,
        before=arrays.number_sets(links.before, orders),
        widths=np.array(sizes, np.int64),
        gold=pairs,
        gold_leaves=gold_leaves,
        leaves=np.array(links.leaf_items, np.int64) + 1,
    )


def number_choices(problem: OrderingProblem) -> np.ndarray:
    """The forms of types that have several, numbered from 1: a number an item, 0 for the others."""
    numbers: dict[tuple[int, tuple[str, ...]], int] = {}
    found = [0]
    for item in problem.items:
        several = len(problem.forms[item.type]) > 1
        found.append(numbers.setdefault(item[:2], len(numbers) + 1) if several else 0)
    return np.array(found, np.int64)


# --- the search ----------------------------------------------------------------------------


class FastDependencySearch(FastSearch):
    """The search with the grammar of dependency links."""

    kernels = Kernels(add_leaves, expand, search_on, is_goal, like_it)
    item_column = FIRST1

    def __init__(
        self,
        keys: EdgeKeys,
        table: EdgeTable,
        learning: bool = False,
        ngrams: NGramModel | None = None,
    ) -> None:
        self.program, self.columns, self.width = (
            slot.compile_edge_program(keys),
            COLUMNS,
            slot.WIDTH,
        )
        super().__init__(keys, table, learning, ngrams)

    def number(self, problem: OrderingProblem, gold: GoldStandard | None) -> tuple[int, int, int]:
        """Give a bag its numbers; the widths of bits, counts and sets of tags."""
        self.links = DependencyLinks(problem)
        self.bounds = self.links.bounds
        self.names = number_names(self.links, self.keys)
        self.numbers = numbers = number_problem(self.links, gold)
        covers, orders, tags, choices = (int(n) for n in numbers.widths)
        self.state[arrays.UNITS] = problem.size
        self.state[arrays.SIGNATURE] = NUMBERED.get(self.settings.signature, NO_SIGNATURE_NUMBER)
        return 2 * (covers + orders + tags) + choices, len(numbers.several), tags

    def default_pieces(self, trace: Trace | None) -> list[Edge]:
        """The edges of the default output; one edge, where it is to be a whole tree and can be."""
        if self.settings.default != WHOLE_TREE or None in self.links.head:
            return super().default_pieces(trace)

        def put(left: int, right: int, side: str) -> float:
            new = int(self.state[arrays.EDGES])
            while (full := self.call(link, left - 1, right - 1, NAMES.index(side))) != arrays.DONE:
                self.room.grow(full)
            if trace is not None:
                self.trace_edge(trace, new)
            return float(self.edges.score[new])

        leaves = [self._piece(leaf) for leaf in range(len(self.links.leaf_items))]
        chart = [self._piece(int(edge)) for edge in self.edges.chart[: self.state[arrays.CHART]]]
        complete = [piece for piece in (*leaves, *chart) if self._is_complete(piece)]
        tree = WholeTree(self.links, leaves, complete, int(self.state[arrays.EDGES]))
        return [self.edge(tree.build(put) - 1)]

    def _piece(self, edge: int) -> Piece:
        kind = self.links.kinds[int(self.edges.ints[edge, ROOT]) - 1]
        return Piece(float(self.edges.score[edge]), edge + 1, kind)

    def _is_complete(self, piece: Piece) -> bool:
        have = self.edges.ints[piece.serial - 1, ATTACHED]
        return bool(have == self.links.dependents[piece.kind])

    def action_of(self, edge: int) -> tuple[str, str]:
        """The action of an edge; it has no category."""
        action = int(self.edges.ints[edge, arrays.ACTION])
        return NAMES[action] if action >= 0 else "leaf", ""

    def built(self, line: int, row: Sequence[int], left: Edge | None, right: Edge | None) -> Edge:
        """An edge as an object, of its parts."""
        links = self.links
        if left is None or right is None:
            item = row[ROOT] - 1
            words = Words.of_leaf(item, links.kinds[item], len(links.count))
            action = leaf_action(links.problem.items[item])
        else:
            action = NAMES[row[arrays.ACTION]]
            words = Words.joined(left, right, action)
        return Edge(line + 1, action, words.items, words.heads, words.counts, left, right)
