"""The n-gram beam, the fast engine: ``beam``'s twin.

Same outputs, counters and events, bit for bit. A hypothesis is one line of whole numbers, with the
numbers of the n-grams that its last words are, so that the next word costs one look-up an order.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from wordorder_lab.models.ngram import END_ID, START_ID, NGramModel
from wordorder_lab.models.ngram_fast import ORDER, FastNGram, child, log_prob
from wordorder_lab.ngram_beam.bag import NGramBag, why_not
from wordorder_lab.runtime.hash_fast import place
from wordorder_lab.runtime.heap_fast import heap_pop, heap_sink
from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.trace import Trace

ROW, LENGTH, CODE, LEFT = range(4)
"""A line: row in the pool, words of the history, hash of the bag; from ``LEFT`` on the units left
over by kind, then the history, then for each of its words the number of the n-gram from there on,
-1 if it is not there."""
SCORE, FUTURE = range(2)
PARENT, ITEM, SERIAL = range(3)
BEGIN, BEHIND, KIND, FIRST_WAIT, BEHIND_WAITS = range(5)
"""A line of ``items``: its tokens, its kind, and what must come before."""
EXPANDED, CANDIDATES, RECOMBINED = range(3)
TOTAL, FROM, PUT, FATE = range(4)
"""A line of the record: score with future cost, serial of the parent, item, and what became of the
candidate: its rank, or one of the next two."""
CUT, TWIN = -1, -2

Left = tuple[int, ...]
"""The units left over, by kind."""


class Numbers(NamedTuple):
    """A bag for kernels; ``signs`` are added up to a bag's hash."""

    items: np.ndarray
    tokens: np.ndarray
    waits: np.ndarray
    counts: np.ndarray
    costs: np.ndarray
    signs: np.ndarray
    lengths: np.ndarray


class Space(NamedTuple):
    """What a search writes into. ``lines`` and ``marks`` are by beam, of which the first has no
    words; ``sizes`` says how many hypotheses each has."""

    lines: np.ndarray
    marks: np.ndarray
    totals: np.ndarray
    scores: np.ndarray
    made: np.ndarray
    heap: np.ndarray
    slots: np.ndarray
    pool: np.ndarray
    words: np.ndarray
    sizes: np.ndarray
    report: np.ndarray


class FastBeam:
    """The fast engine: a model, ready for one bag after another; its arrays are one search's."""

    def __init__(self, ngrams: FastNGram, beam: int) -> None:
        self.ngrams, self.beam = ngrams, beam

    def run(
        self,
        bag: NGramBag,
        problem: OrderingProblem,
        recombine: bool = True,
        k: int = 1,
        trace: Trace | None = None,
    ) -> tuple[list[tuple[float, list[int]]], dict[str, int]]:
        """The ``k`` best as (score, items), best first, and the counters."""
        numbers = _numbers(bag)
        space = _space(bag, self.beam, self.ngrams.order)
        table, record = self.ngrams.table, np.zeros((0, 4))
        search(table, numbers, recombine, space, record)
        if trace is not None:
            # How many candidates there are is known after a first run; the second one is the same.
            record = np.zeros((int(space.report[CANDIDATES]), 4))
            search(table, numbers, recombine, space, record)
        report, end = space.report.tolist(), bag.words
        best = []
        for rank in range(min(k, int(space.sizes[end]))):
            score = float(space.marks[end, rank, SCORE])
            best.append((score, _items(space.pool, int(space.lines[end, rank, ROW]))))
        if trace is not None:
            total = best[0][0] + float(space.marks[end, 0, FUTURE])
            _emit(trace, bag, problem, record, self.beam, total)
        done = {"states": report[EXPANDED], "candidates": report[CANDIDATES]}
        return best, {"steps": end, **done, "recombined": report[RECOMBINED]}


def _numbers(bag: NGramBag) -> Numbers:
    ends = [0, *accumulate(map(len, bag.tokens))]
    behind = [0, *accumulate(map(len, bag.earlier))]
    rows = [
        (ends[i], ends[i + 1], kind, behind[kind], behind[kind + 1])
        for i, kind in enumerate(bag.kinds)
    ]
    signs = np.random.default_rng(1).integers(1, 2**40, len(bag.counts), np.int64)
    return Numbers(
        np.array(rows, np.int64),
        np.array([word for tokens in bag.tokens for word in tokens], np.int64),
        np.array([kind for earlier in bag.earlier for kind in earlier], np.int64),
        np.array(bag.counts, np.int64),
        np.array(bag.costs, np.float64),
        signs,
        np.array(sorted(set(bag.lengths), reverse=True), np.int64),
    )


def _space(bag: NGramBag, beam: int, order: int) -> Space:
    """Fresh arrays; what is not written is not touched either, so large ones cost nothing."""
    kinds, wide, beams = len(bag.counts), max(1, order - 1), 1 + bag.words
    longest = max(bag.lengths)
    most = beam * len(bag.tokens) * len(set(bag.lengths))
    return Space(
        np.empty((beams, beam, LEFT + kinds + 2 * wide), np.int64),
        np.empty((beams, beam, 2), np.float64),
        np.empty(most, np.float64),
        np.empty((most, 2), np.float64),
        np.empty((most, 3), np.int64),
        np.empty(most, np.int64),
        np.empty(1 << max(4, (2 * beam).bit_length()), np.int64),
        np.empty((beams * beam, 3), np.int64),
        np.empty(order + longest + 1, np.int64),
        np.zeros(beams, np.int64),
        np.zeros(3, np.int64),
    )


def _items(pool: np.ndarray, row: int) -> list[int]:
    items = []
    while row > 0:
        items.append(int(pool[row, ITEM]))
        row = int(pool[row, PARENT])
    return items[::-1]


# --- The search


@kernel
def search(table, bag, recombine, space, record):
    """One whole search; every candidate goes into ``record``, if that has any lines."""
    start(table, bag, space)
    sizes, report = space.sizes, space.report
    sizes[0] = free = 1
    report[:] = 0
    serial, end = 0, sizes.shape[0] - 1
    for words in range(1, end + 1):
        m = expand(words, table, bag, space)
        if record.shape[0] > 0:
            write_down(record, serial, m, space)
        joins = recombine and words < end
        sizes[words] = select(m, words, serial, free, joins, table, bag, space, record)
        report[EXPANDED] += sizes[words - 1]
        free += sizes[words]
        serial += m
    report[CANDIDATES] = serial


@kernel(borrows=True)
def start(table, bag, space):
    """Lay out the hypothesis without words."""
    future, code = 0.0, 0
    for t in range(bag.counts.shape[0]):
        future += bag.counts[t] * bag.costs[t]
        code += bag.counts[t] * bag.signs[t]
        space.lines[0, 0, LEFT + t] = bag.counts[t]
    space.lines[0, 0, ROW] = 0
    space.lines[0, 0, CODE] = code
    space.marks[0, 0, SCORE] = 0.0
    space.marks[0, 0, FUTURE] = future
    space.pool[0, PARENT] = space.pool[0, ITEM] = -1
    space.pool[0, SERIAL] = 0
    space.words[0] = START_ID
    remember(0, 0, 1, table, bag, space)


@kernel(borrows=True)
def node_of(table, words, first, behind):
    """The number of the n-gram from one word to before another; -1 if it is not there."""
    node = words[first]
    for at in range(first + 1, behind):
        node = child(table.places, table.numbers, node, words[at])
        if node < 0:
            break
    return node


@kernel(borrows=True)
def remember(words, s, length, table, bag, space):
    """Give a line the known end of the first ``length`` of ``space.words`` as its history."""
    lines, buffer = space.lines, space.words
    at = LEFT + bag.counts.shape[0]
    wide = (lines.shape[2] - at) >> 1
    first = max(0, length - table.numbers[ORDER] + 1)
    while first < length and node_of(table, buffer, first, length) < 0:
        first += 1
    lines[words, s, LENGTH] = length - first
    for j in range(first, length):
        lines[words, s, at + j - first] = buffer[j]
        lines[words, s, at + wide + j - first] = node_of(table, buffer, j, length)


@kernel(borrows=True)
def expand(words, table, bag, space):
    """Score all that a beam may hold, in the order of their making; returns how many."""
    lines, marks, items, made = space.lines, space.marks, bag.items, space.made
    last = words == space.sizes.shape[0] - 1
    m = 0
    for at in range(bag.lengths.shape[0]):
        length = bag.lengths[at]
        if length > words:
            continue
        now = words - length
        for s in range(space.sizes[now]):
            for i in range(items.shape[0]):
                kind = items[i, KIND]
                if items[i, BEHIND] - items[i, BEGIN] != length:
                    continue
                if lines[now, s, LEFT + kind] == 0 or must_wait(now, s, i, bag, lines):
                    continue
                score = put_behind(marks[now, s, SCORE], now, s, i, last, table, bag, space)
                future = marks[now, s, FUTURE] - bag.costs[kind]
                space.totals[m] = score + future
                space.scores[m, SCORE], space.scores[m, FUTURE] = score, future
                made[m, 0], made[m, 1], made[m, 2] = now, s, i
                m += 1
    return m


@kernel(borrows=True, forceinline=True)
def must_wait(now, s, i, bag, lines):
    """Whether something is left over that comes before an item."""
    for w in range(bag.items[i, FIRST_WAIT], bag.items[i, BEHIND_WAITS]):
        if lines[now, s, LEFT + bag.waits[w]] > 0:
            return True
    return False


@kernel(borrows=True, forceinline=True)
def put_behind(score, now, s, i, last, table, bag, space):
    """The score with an item's words behind those of a line, at the end with ``</s>``."""
    begin, behind = bag.items[i, BEGIN], bag.items[i, BEHIND]
    score += first_log_prob(now, s, bag.tokens[begin], table, bag, space.lines)
    if behind - begin == 1 and not last:
        return score
    length = context_of(now, s, i, bag, space)
    for at in range(length - (behind - begin) + 1, length):
        score += log_prob(table, space.words, at, space.words[at])
    if last:
        score += log_prob(table, space.words, length, END_ID)
    return score


@kernel(borrows=True, forceinline=True)
def first_log_prob(now, s, word, table, bag, lines):
    """log p(word | the history of a line), added as ``NGramModel`` adds it."""
    wide = (lines.shape[2] - LEFT - bag.counts.shape[0]) >> 1
    at = LEFT + bag.counts.shape[0] + wide
    total = 0.0
    for j in range(at, at + lines[now, s, LENGTH]):
        node = lines[now, s, j]
        if node < 0:
            continue
        found = child(table.places, table.numbers, node, word)
        if found >= 0:
            return total + table.values[found, 0]
        total += table.values[node, 1]
    return total + table.values[word, 0]


@kernel(borrows=True, forceinline=True)
def context_of(now, s, i, bag, space):
    """Write a line's history and an item's words into ``space.words``; returns how many."""
    at, length = LEFT + bag.counts.shape[0], space.lines[now, s, LENGTH]
    for j in range(length):
        space.words[j] = space.lines[now, s, at + j]
    for j in range(bag.items[i, BEGIN], bag.items[i, BEHIND]):
        space.words[length] = bag.tokens[j]
        length += 1
    return length


@kernel(borrows=True)
def select(m, words, serial, free, recombine, table, bag, space, record):
    """Build the best of ``m`` candidates as a beam; returns how many there are."""
    heap, totals, slots, pool = space.heap, space.totals, space.slots, space.pool
    for c in range(m):
        heap[c] = c
    for c in range((m >> 1) - 1, -1, -1):
        heap_sink(c, heap, totals, m)
    if recombine:
        for at in range(slots.shape[0]):  # a slice would be an array of its own
            slots[at] = 0
    n = 0
    while m > 0 and n < space.lines.shape[1]:
        c = heap_pop(heap, totals, m)
        m -= 1
        build(c, n, words, table, bag, space)
        if recombine and has_twin(n, words, bag, space):
            space.report[RECOMBINED] += 1
            if record.shape[0] > 0:
                record[serial + c, FATE] = TWIN
            continue
        if record.shape[0] > 0:
            record[serial + c, FATE] = n
        space.lines[words, n, ROW] = free + n
        pool[free + n, PARENT] = space.lines[space.made[c, 0], space.made[c, 1], ROW]
        pool[free + n, ITEM] = space.made[c, 2]
        pool[free + n, SERIAL] = serial + c + 1
        n += 1
    return n


@kernel(borrows=True)
def build(c, n, words, table, bag, space):
    """Make candidate ``c`` line ``n`` of a beam."""
    now, s, i = space.made[c, 0], space.made[c, 1], space.made[c, 2]
    lines, kind = space.lines, bag.items[i, KIND]
    for t in range(bag.counts.shape[0]):
        lines[words, n, LEFT + t] = lines[now, s, LEFT + t]
    lines[words, n, LEFT + kind] -= 1
    lines[words, n, CODE] = lines[now, s, CODE] - bag.signs[kind]
    space.marks[words, n, SCORE] = space.scores[c, SCORE]
    space.marks[words, n, FUTURE] = space.scores[c, FUTURE]
    remember(words, n, context_of(now, s, i, bag, space), table, bag, space)


@kernel(borrows=True)
def has_twin(n, words, bag, space):
    """Whether a line before has the same bag and history; if none has, line ``n`` is noted."""
    lines, slots = space.lines, space.slots
    at_words, length = LEFT + bag.counts.shape[0], lines[words, n, LENGTH]
    mask, bits = slots.shape[0] - 1, 0
    while (1 << bits) < slots.shape[0]:
        bits += 1
    code = lines[words, n, CODE]
    for j in range(at_words, at_words + length):
        code += lines[words, n, j] * (1_000_003 + 2 * j)
    at = place(code, 64 - bits)
    while slots[at] > 0:
        other = slots[at] - 1
        same = lines[words, other, LENGTH] == length
        for j in range(LEFT, at_words + length):
            if lines[words, other, j] != lines[words, n, j]:
                same = False
                break
        if same:
            return True
        at = (at + 1) & mask
    slots[at] = n + 1
    return False


@kernel(borrows=True)
def write_down(record, serial, m, space):
    """Write a step's candidates into the record; their fate is filled in later."""
    for c in range(m):
        row = space.lines[space.made[c, 0], space.made[c, 1], ROW]
        record[serial + c, TOTAL] = space.totals[c]
        record[serial + c, FROM] = space.pool[row, SERIAL]
        record[serial + c, PUT] = space.made[c, 2]
        record[serial + c, FATE] = CUT


# --- Events, told from the record in the order of the reference engine


def _emit(
    trace: Trace,
    bag: NGramBag,
    problem: OrderingProblem,
    record: np.ndarray,
    beam: int,
    total: float,
) -> None:
    trace.begin(list(bag.forms), list(bag.counts), len(bag.tokens), beam)
    rows = [Row(row[TOTAL], *map(int, row[FROM:])) for row in record.tolist()]
    beams, done = [{0: bag.counts}], 0
    for _ in range(bag.words):
        trace.step(len(beams))
        first, words = done, len(beams)
        for length in sorted(set(bag.lengths), reverse=True):
            for parent, left in beams[-length].items() if length <= words else ():
                while done < len(rows) and _is_successor(bag, rows[done], parent, length):
                    value, _, item, _ = rows[done]
                    done += 1
                    trace.candidate(done, parent, bag.names[item], value)
                if problem.given.anything:
                    _emit_forbidden(trace, bag, problem, parent, left, length)
        beams.append(_emit_fates(trace, bag, rows[first:done], first + 1, beams))
    trace.finished(next(iter(beams[-1])), total)


class Row(NamedTuple):
    """A line of the record."""

    total: float
    parent: int
    item: int
    fate: int


def _is_successor(bag: NGramBag, row: Row, parent: int, length: int) -> bool:
    return row.parent == parent and bag.lengths[row.item] == length


def _emit_forbidden(
    trace: Trace, bag: NGramBag, problem: OrderingProblem, parent: int, left: Left, length: int
) -> None:
    for item, kind in enumerate(bag.kinds):
        if bag.lengths[item] != length or not left[kind]:
            continue
        if reason := why_not(bag, problem, kind, left):
            trace.forbidden(parent, bag.names[item], reason)


def _emit_fates(
    trace: Trace,
    bag: NGramBag,
    rows: Sequence[Row],
    first: int,
    beams: Sequence[Mapping[int, Left]],
) -> dict[int, Left]:
    """What became of a beam's candidates; returns the beam: serial -> units left over."""
    ranked = sorted((row.fate, at) for at, row in enumerate(rows) if row.fate >= 0)
    after: dict[int, Left] = {}
    for rank, at in ranked:
        trace.kept(first + at, rank)
        _, parent, item, _ = rows[at]
        left = list(beams[-bag.lengths[item]][parent])
        left[bag.kinds[item]] -= 1
        after[first + at] = tuple(left)
    last = rows[ranked[-1][1]].total if ranked else 0.0
    for at, row in enumerate(rows):
        if row.fate == TWIN:
            trace.pruned(first + at, "recombined")
        elif row.fate == CUT:
            trace.cut(first + at, last - row.total)
    return after


def fast_ngrams(model: NGramModel) -> FastNGram:
    """The model as kernels take it."""
    return FastNGram(model.header(), model.arrays())
