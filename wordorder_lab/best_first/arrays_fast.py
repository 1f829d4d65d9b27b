"""Part of ``search_fast``: its arrays, with edges, agenda, chart, and sums of weights.

They hold one sentence at a time, and grow when a kernel says that something has run out. A grammar
gives a meaning to the columns of ``ints`` from ``OWN`` on and to ``bits``, and may number sets.

Which words an edge has is its *coverage*, a set of bits of any length, for CANCOMBINE. A kind that
the bag holds c times has c bits: an edge that uses k of them sets the k lowest in one copy and the
k highest in another, so two edges need more than there are exactly if the one copy of one meets the
other copy of the other. Where orders are given, an edge also has the kinds that are in it, and
those that have to stand before one of them.

A grammar's ``numbers`` hold ``kinds[k]``: how many units it has, its first bit, its column in
``Edges.counts`` or -1, and from ``OF_GRAMMAR`` on what the grammar needs; ``several``: the kinds
with such a column; ``before[k]``: the kinds that stand before k, as bits; ``widths``: the words of
64 bits for coverage and for kinds (0 without orders); ``gold``: the gold edges as the gold numbers
of both parts (-1: there is no right one) and the action.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from wordorder_lab.best_first.weights_fast import KEY, NUMBERED, find
from wordorder_lab.runtime.hash_fast import MULTIPLIER
from wordorder_lab.runtime.kernel_fast import kernel

LEFT, RIGHT, ACTION, GOLD, SIZE, ACTIONS, OWN = range(7)
"""Columns of ``Edges.ints``: sub-edges (-1: none), the top action, the gold id or -1, how many
words and actions; what else an edge needs to know comes after."""

(
    EDGES, HEAP, CHART, ENTRIES, TAKEN, FEATURES, SETS, AT, CURRENT, POPPED, EXPANDED, FRESH,
    DROPPED, GOLD_OUT, UNITS, BEAM, BY_SIZE, IS_SCALED, LEARNING, TOUCHED, SIGNATURE, FIRST_STAYS,
    STATE,
) = range(23)  # fmt: skip
"""Places in ``state``: how much of each array is in use; where an interrupted expansion goes on
(``AT`` in the chart, of edge ``CURRENT``); how many edges were popped, expanded, and rescored since
the last update; dropped from the chart; the pop at which a gold edge first was out (0: none has
been); and the settings of the search. ``SIGNATURE`` says which edges DPCHARTPRUNE takes for one,
``FIRST_STAYS`` that of these the one that came first stays, whatever the scores."""

BEGIN, END = 0, 1
"""The columns of ``Tables.lines``."""
FEATURE, ENTRY, NEXT = range(3)
"""Those of ``Tables.taken``."""
MENTION, PLACE_OF = 2, 3
"""Those of ``Tables.features`` behind ``KEY`` and ``NUMBERED``."""
WEIGHT, PLUS, MINUS, CHANGE = range(4)
"""Those of ``Tables.weights``."""

DONE, GOAL_POPPED, EMPTY, MORE_EDGES, MORE_ENTRIES, MORE_SETS = range(6)
"""What a kernel says when it returns."""


FIRST_EDGES, FIRST_ENTRIES, FIRST_SETS = 1 << 12, 1 << 13, 1 << 11
"""Room that there is at first."""


class Edges(NamedTuple):
    """One line an edge, in the order of making: line i is the edge with serial i + 1.

    ``ints`` and ``bits`` as the grammar has them; ``counts`` how often each kind that comes more
    than once is used; ``used`` the entries that its local score adds up, by group (-1: none), kept
    in learning alone; ``total`` f(e) undivided, ``score`` what it is ranked by, ``fresh`` f(e)
    under the present weights. ``heap`` is the agenda, ``chart`` the chart in order of insertion,
    ``expanded`` the edges that have been expanded, ``popped`` those that were popped, in order.
    """

    ints: np.ndarray
    bits: np.ndarray
    counts: np.ndarray
    used: np.ndarray
    total: np.ndarray
    score: np.ndarray
    fresh: np.ndarray
    heap: np.ndarray
    chart: np.ndarray
    expanded: np.ndarray
    popped: np.ndarray


class Tables(NamedTuple):
    """Summed weights of this sentence, kept by group and slots, and its sets of tags.

    ``places[p]`` is (key or -1, entry); of an entry ``at`` is its place, ``value`` the sum,
    ``stale`` whether a weight in it has changed, ``lines`` its part of ``taken``: the sentence's
    own numbers of its features, with the entry itself and the next mention of the same feature
    beside them. In learning a feature has a line in ``features`` (key, number among all weights or
    -1, last mention or -1, its place) and in ``weights`` (weight, count in e+, count in e-,
    difference).
    """

    places: np.ndarray
    at: np.ndarray
    value: np.ndarray
    stale: np.ndarray
    lines: np.ndarray
    taken: np.ndarray
    feature_places: np.ndarray
    features: np.ndarray
    weights: np.ndarray
    touched: np.ndarray
    set_places: np.ndarray
    sets: np.ndarray


@kernel(borrows=True)
def room_for(more, run):
    """Whether so many more edges fit into the arrays with all that they may bring."""
    program, edges, tables, state = run.program, run.edges, run.tables, run.state
    if state[EDGES] + more > edges.total.shape[0]:
        return MORE_EDGES
    if 2 * (state[SETS] + more) > tables.set_places.shape[0]:
        return MORE_SETS
    if state[ENTRIES] + more * program.groups.shape[0] > tables.value.shape[0]:
        return MORE_ENTRIES
    if tables.taken.shape[0] > 1:
        features = more * (program.templates.shape[0] + program.sets * run.names.tags.shape[0])
        if state[TAKEN] + features > tables.taken.shape[0]:
            return MORE_ENTRIES
        if state[FEATURES] + features > tables.features.shape[0]:
            return MORE_ENTRIES
    return DONE


@kernel(borrows=True)
def place_entries(old, tables, state):
    """Fill the larger tables of places after growing."""
    for entry in range(state[ENTRIES]):
        key = old[tables.at[entry], KEY]
        at = find(tables.places, key)
        tables.places[at, KEY] = key
        tables.places[at, NUMBERED] = entry
        tables.at[entry] = at
    for feature in range(state[FEATURES]):
        key = tables.features[feature, KEY]
        at = find(tables.feature_places, key)
        tables.feature_places[at, KEY] = key
        tables.feature_places[at, NUMBERED] = feature
        tables.features[feature, PLACE_OF] = at


@kernel(borrows=True)
def place_sets(tables, state):
    """Fill the larger table of the places of sets."""
    for number in range(state[SETS]):
        at = set_place(tables, tables.sets[number])
        tables.set_places[at] = number


@kernel(borrows=True)
def set_place(tables, tags):
    """Where a set of tags is, or the free place for it: ``find``, for what is no single key."""
    mask = np.uint64(tables.set_places.shape[0] - 1)
    spread = np.uint64(0)
    for w in range(tags.shape[0]):
        spread = (spread ^ tags[w]) * MULTIPLIER
    at = (spread >> np.uint64(32)) & mask
    while tables.set_places[at] >= 0:
        number = tables.set_places[at]
        same = True
        for w in range(tags.shape[0]):
            same = same and tables.sets[number, w] == tags[w]
        if same:
            break
        at = (at + np.uint64(1)) & mask
    return at


class Room:
    """The arrays, kept from sentence to sentence. ``ints`` is the number of columns that the
    grammar needs, ``groups`` that of the template set."""

    def __init__(self, ints: int, groups: int, learning: bool) -> None:
        self.columns, self.groups, self.learning = ints, groups, learning
        self.state = np.zeros(STATE, np.int64)
        self.widths = (0, 0, 0)
        self.tables = self._tables(FIRST_ENTRIES)
        self.edges = self._edges(FIRST_EDGES)

    def begin(self, bits: int, counts: int, tag_words: int) -> None:
        """Forget the last sentence; the next one needs lines of these widths."""
        self._clear()
        self.state[:UNITS] = 0
        self.state[AT] = -1
        if self.widths != (bits, counts, tag_words):
            self.widths = (bits, counts, tag_words)
            self.edges = self._edges(len(self.edges.total))
            sets = np.zeros((len(self.tables.sets), tag_words), np.uint64)
            self.tables = self.tables._replace(sets=sets)

    def _clear(self) -> None:
        """Forget all entries, features and sets; what they cost to forget is what was used."""
        tables, entries, features = self.tables, self.state[ENTRIES], self.state[FEATURES]
        tables.places[tables.at[:entries], 0] = -1
        tables.stale[:entries] = False
        tables.feature_places[tables.features[:features, 3], 0] = -1
        if self.state[SETS]:
            tables.set_places[:] = -1

    def _edges(self, n: int) -> Edges:
        bits, counts, _ = self.widths
        return Edges(
            np.empty((n, self.columns), np.int32),
            np.empty((n, bits), np.uint64),
            np.empty((n, counts), np.int16),
            np.empty((n if self.learning else 1, self.groups), np.int32),
            *(np.empty(n, np.float64) for _ in range(3)),
            *(np.empty(n, np.int32) for _ in range(4)),
        )

    def _tables(self, n: int) -> Tables:
        taken = n * 8 if self.learning else 1
        features = n * 4 if self.learning else 1
        return Tables(
            np.full((4 * n, 2), -1, np.int64),
            np.empty(n, np.int64),
            np.empty(n, np.float64),
            np.zeros(n, np.bool_),
            np.empty((n, 2), np.int64),
            np.empty((taken, 3), np.int32),
            np.full((2 * features, 2), -1, np.int64),
            np.empty((features, 4), np.int64),
            np.zeros((features, 4), np.float64),
            np.empty(features, np.int32),
            np.full(2 * FIRST_SETS, -1, np.int32),
            np.zeros((FIRST_SETS, self.widths[2]), np.uint64),
        )

    def grow(self, status: int) -> None:
        """Double what has run out."""
        if status == MORE_EDGES:
            self.edges = Edges(*(_doubled(array) for array in self.edges))
        elif status == MORE_SETS:
            places = np.full(2 * len(self.tables.set_places), -1, np.int32)
            self.tables = self.tables._replace(set_places=places, sets=_doubled(self.tables.sets))
            place_sets(self.tables, self.state)
        else:
            self._grow_tables()

    def _grow_tables(self) -> None:
        old, n = self.tables, 2 * len(self.tables.value)
        new = self._tables(n)
        for name in ("at", "value", "stale", "lines", "taken", "features", "weights", "touched"):
            array = getattr(old, name)
            getattr(new, name)[: len(array)] = array
        self.tables = new._replace(set_places=old.set_places, sets=old.sets)
        place_entries(old.places, self.tables, self.state)


def _doubled(array: np.ndarray) -> np.ndarray:
    if len(array) == 1:  # kept for its type alone
        return array
    new = np.empty((2 * len(array), *array.shape[1:]), array.dtype)
    new[: len(array)] = array
    return new


# --- agenda and chart -----------------------------------------------------------------------


@kernel(borrows=True)
def rank(edge, edges, state):
    """Set the score that an edge is ranked by from its total."""
    total = edges.total[edge]
    edges.score[edge] = total / edges.ints[edge, ACTIONS] if state[IS_SCALED] else total


@kernel(borrows=True)
def push(edge, edges, state):
    """ADD(a, e): put an edge with a total on the agenda."""
    rank(edge, edges, state)
    push_ranked(edge, edges, state)


@kernel(borrows=True)
def push_ranked(edge, edges, state):
    """The same for an edge that has its score."""
    heap, score = edges.heap, edges.score
    own, at = score[edge], state[HEAP]
    while at > 0:
        above = heap[(at - 1) >> 1]
        if score[above] > own or (score[above] == own and above < edge):
            break
        heap[at] = above
        at = (at - 1) >> 1
    heap[at] = edge
    state[HEAP] += 1


@kernel(borrows=True)
def sink(start, edges, state):
    """Let the edge at a place of the agenda sink to where it belongs."""
    heap, score, n = edges.heap, edges.score, state[HEAP]
    edge, at = heap[start], start
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


@kernel(borrows=True)
def pop_best(edges, state):
    """POPBEST(a): the best edge, taken off the agenda, which must not be empty."""
    heap = edges.heap
    best = heap[0]
    edges.popped[state[POPPED]] = best
    state[HEAP] -= 1
    state[POPPED] += 1
    if state[HEAP] > 0:
        heap[0] = heap[state[HEAP]]
        sink(0, edges, state)
    return best


@kernel(borrows=True)
def sort_again(edges, state):
    """Make a heap of the agenda after scores have changed."""
    for at in range(state[HEAP] // 2 - 1, -1, -1):
        sink(at, edges, state)


@kernel(borrows=True)
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


@kernel(borrows=True)
def lowest_if_full(edge, edges, state):
    """The lowest-scored edge of the beam that ``edge`` is in, if it is too full; else -1. Of equal
    ones it is the edge made last."""
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


@kernel(borrows=True)
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


@kernel(borrows=True)
def insert(edge, edges, state):
    """Put an edge into the chart, whether there is room or not."""
    edges.chart[state[CHART]] = edge
    state[CHART] += 1


@kernel(borrows=True)
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
    note_loss(edge, edges, state)


@kernel(borrows=True)
def note_loss(edge, edges, state):
    """Remember the pop at which the first gold edge was out."""
    if edges.ints[edge, GOLD] >= 0 and state[GOLD_OUT] == 0:
        state[GOLD_OUT] = state[POPPED]


@kernel(borrows=True)
def add_to_chart(edge, edges, state):
    """ADD(c, e): insert it, then drop the lowest of its beam if that is too full."""
    insert(edge, edges, state)
    lowest = lowest_if_full(edge, edges, state)
    if lowest >= 0:
        remove(lowest, edges, state)
    return lowest


@kernel(borrows=True)
def lower_of(edge, other, edges, state):
    """DPCHARTPRUNE: of two edges with one signature the loser; ``other`` is the chart's."""
    score = edges.score
    if state[FIRST_STAYS]:
        return edge
    if score[edge] > score[other] or (score[edge] == score[other] and edge < other):
        return other
    return edge


@kernel(borrows=True)
def gold_of(left, right, action, gold, ints):
    """GOLDSTANDARD of what an action makes of two edges, or of one (``right`` -1); -1 is none."""
    right_gold = ints[right, GOLD] if right >= 0 else -1
    if ints[left, GOLD] < 0 or (right >= 0 and right_gold < 0):
        return -1
    for g in range(gold.shape[0]):
        if gold[g, 0] == ints[left, GOLD] and gold[g, 1] == right_gold and gold[g, 2] == action:
            return g
    return -1


# --- coverage -------------------------------------------------------------------------------


COUNT, BIT, SEVERAL, OF_GRAMMAR = range(4)
ONE = np.uint64(1)
WORD_BITS = 64


def words_for(bits: int) -> int:
    """How many words of 64 bits hold so many bits."""
    return -(-bits // WORD_BITS)


def number_kinds(counts: Sequence[int], more: int) -> tuple[np.ndarray, np.ndarray, int]:
    """``kinds`` with ``more`` columns for the grammar, ``several``, and how many bits there are."""
    several = [k for k, count in enumerate(counts) if count > 1]
    kinds = np.zeros((len(counts), OF_GRAMMAR + more), np.int64)
    bit = 0
    for k, count in enumerate(counts):
        column = several.index(k) if count > 1 else -1
        kinds[k, COUNT], kinds[k, BIT], kinds[k, SEVERAL] = count, bit, column
        bit += count
    return kinds, np.array(several, np.int64), bit


def number_sets(sets: Sequence[Collection[int]], words: int) -> np.ndarray:
    """Sets of small numbers as bits, a row each."""
    found = np.zeros((len(sets), words), np.uint64)
    for row, members in enumerate(sets):
        for k in members if words else ():
            found[row, k // WORD_BITS] |= np.uint64(1 << k % WORD_BITS)
    return found


@kernel(borrows=True)
def cover_leaf(new, kind, numbers, edges):
    """Fill in the bits of a leaf; those that its grammar adds are cleared."""
    bits = edges.bits
    bits[new] = 0
    edges.counts[new] = 0
    covers, orders = numbers.widths[0], numbers.widths[1]
    low = numbers.kinds[kind, BIT]
    high = low + numbers.kinds[kind, COUNT] - 1
    bits[new, low >> 6] |= ONE << np.uint64(low & 63)
    bits[new, covers + (high >> 6)] |= ONE << np.uint64(high & 63)
    if numbers.kinds[kind, SEVERAL] >= 0:
        edges.counts[new, numbers.kinds[kind, SEVERAL]] = 1
    if orders:
        bits[new, 2 * covers + (kind >> 6)] |= ONE << np.uint64(kind & 63)
        for w in range(orders):
            bits[new, 2 * covers + orders + w] = numbers.before[kind, w]


@kernel(borrows=True)
def cover(new, left, right, numbers, edges):
    """Fill in the bits of an edge that has the words of two others."""
    bits, counts = edges.bits, edges.counts
    covers = numbers.widths[0]
    for w in range(2 * (covers + numbers.widths[1])):
        bits[new, w] = bits[left, w] | bits[right, w]
    for i in range(numbers.several.shape[0]):
        one, other = counts[left, i], counts[right, i]
        counts[new, i] = one + other
        kind = numbers.several[i]
        for k in range(max(one, other), one + other):
            low = numbers.kinds[kind, BIT] + k
            high = numbers.kinds[kind, BIT] + numbers.kinds[kind, COUNT] - 1 - k
            bits[new, low >> 6] |= ONE << np.uint64(low & 63)
            bits[new, covers + (high >> 6)] |= ONE << np.uint64(high & 63)


class Kinds(Protocol):
    """A grammar's ``numbers``, as far as they say what coverage is."""

    @property
    def kinds(self) -> np.ndarray:
        """A line a kind."""

    @property
    def widths(self) -> np.ndarray:
        """The words of 64 bits."""

    @property
    def gold(self) -> np.ndarray:
        """The gold edges."""


def counts_of(lines: np.ndarray, numbers: Kinds, edges: Edges) -> np.ndarray:
    """How often edges use each kind, a row an edge: what ``cover`` filled in, read back."""
    covers, first, count = numbers.widths[0], numbers.kinds[:, BIT], numbers.kinds[:, COUNT]
    bits = edges.bits[lines, :covers].astype("<u8").view(np.uint8)
    used = np.pad(np.unpackbits(bits, axis=1, bitorder="little").cumsum(axis=1), ((0, 0), (1, 0)))
    sums: np.ndarray = used[:, first + count] - used[:, first]
    return sums


@kernel(borrows=True)
def can_order(left, right, numbers, edges):
    """Whether no given order wants a word of ``right`` before a word of ``left``."""
    bits, orders = edges.bits, numbers.widths[1]
    first = 2 * numbers.widths[0]
    for w in range(orders):
        if bits[right, first + w] & bits[left, first + orders + w]:
            return False
    return True
