"""Chart decoding with a synchronous tree substitution grammar, the fast engine: ``chart``'s twin.

The same derivations, scores, counters and events, to the last bit. A search is one kernel
(``fill_cells``) on flat arrays (``arrays_fast``), with the steps of ``combine_fast`` put into it.
It comes back when an array is full, and goes on with the cell that it was in, from that cell's
beginning.

Differences
- *Our reading*: those of the twin, point by point.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

import numpy as np

from wordorder_lab.runtime.heap_fast import heap_pop
from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.structures.trace import Trace
from wordorder_lab.transduction import combine_fast as col
from wordorder_lab.transduction.combine_fast import (
    FastLoss,
    FastProblem,
    Room,
    added_scores,
    choose_parts,
    find,
    join,
    keep,
    move_on,
    successors,
    value,
    write_key,
    write_ranks,
)
from wordorder_lab.transduction.k_best import Derivations, Goal, Hyperedge
from wordorder_lab.transduction.problem import (
    BEAMS,
    Beam,
    Derived,
    Transduced,
    TransductionInput,
    check_search,
)

NAMES = {col.NEW: "new", col.BETTER: "better", col.WORSE: "worse"}


class FastChart:
    """Algorithm 4; ``problem`` and ``loss`` are numbers made before. Raises ``ValueError`` where
    they are another's, for scores not one an application, and a wrong search or beam."""

    def __init__(
        self,
        given: TransductionInput,
        beam: Beam = BEAMS["experiments"],
        search: str = "cube",
        trace: Trace | None = None,
        *,
        problem: FastProblem | None = None,
        loss: FastLoss | None = None,
    ) -> None:
        check_search(search, beam)
        ready = problem or FastProblem.of(given.problem, given.ngrams)
        against = loss or FastLoss.of(given.loss, given.problem)
        _check(given, ready, against)
        self.problem, self.trace = given.problem, trace
        self.rules, self.ngrams, self.loss = ready.rules, ready.ngrams, against.table
        self.scores = np.array(given.scores, np.float64)
        self.weight, self.reach = float(given.ngram_weight), len(given.ngrams.sizes) - 1
        width = max(self.reach, int(self.loss.numbers[col.REACH]))
        self.room = Room(len(given.problem.cells), ready.arity, width, len(self.loss.caps))
        state = self.room.state
        state[col.UNIQUE], state[col.TOTAL] = beam
        state[col.EXHAUSTIVE] = search == "exhaustive"

    def run(self, k: int = 1) -> Transduced:
        """The ``k`` best derivations, by score plus loss; fewer if the chart has fewer."""
        self.fill()
        goals, gains = self._goals()
        if k == 1 and self.trace is None:
            best = [self._best(goals, gains)] if len(goals) else []
        else:
            filled = Filled(self)
            ends = [Goal(i, end, loss) for i, (end, loss) in zip(goals.tolist(), gains.tolist())]
            found = Derivations(filled.edges, self.scores.tolist()).best(ends, k)
            best = [Derived(applications, score, loss) for score, loss, applications in found]
            if self.trace is not None:
                filled.emit(self.trace)
                for rank, derived in enumerate(best):
                    words = self.problem.target_tree(derived.applications).leaves()
                    applications = list(derived.applications)
                    self.trace.compressed(rank, derived.score, applications, words)
        state = self.room.state
        counters = {"combinations": int(state[col.TAKEN]), "items": int(state[col.ITEMS])}
        return Transduced(tuple(best), counters)

    def fill(self) -> None:
        """All cells."""
        room = self.room
        full = col.MORE_ITEMS
        while full != col.DONE:
            full = fill_cells(
                self.scores,
                self.weight,
                self.reach,
                self.ngrams,
                self.rules,
                self.loss,
                room.items,
                room.combinations,
                room.queue,
                room.scratch,
                room.state,
            )
            if full != col.DONE:
                room.grow(full)
        room.items.cells[-1, col.FIRST_COMBINATION] = room.state[col.TAKEN]

    def _goals(self) -> tuple[np.ndarray, np.ndarray]:
        """The items of the root; what the end adds to each, and its loss."""
        items = self.room.items
        counts = items.cells[self.rules.roots, col.KEPT]
        n = int(counts.sum())
        goals, gains = np.empty(n, np.int64), np.empty((n, 2))
        make_goals(
            goals,
            gains,
            self.weight,
            self.reach,
            self.ngrams,
            self.rules,
            self.loss,
            items,
            self.room.scratch,
        )
        return goals, gains

    def _best(self, goals: np.ndarray, gains: np.ndarray) -> Derived:
        room = self.room
        goal = best_goal(goals, gains, room.items)
        found, todo = np.empty((2, len(self.problem.cells)), np.int64)
        item = goals[goal]
        n = follow(item, found, todo, self.rules, room.items, room.combinations)
        end, loss = gains[goal].tolist()
        score = float(room.items.floats[item, col.SCORE]) + end
        return Derived(tuple(found[:n].tolist()), score, loss)


def _check(given: TransductionInput, problem: FastProblem, loss: FastLoss) -> None:
    for name, mine, theirs in (
        ("problem", given.problem, problem.problem),
        ("n-gram model", given.ngrams, problem.model),
        ("problem", given.problem, loss.problem),
        ("loss", given.loss, loss.loss),
    ):
        if mine is not theirs:
            raise ValueError(f"these numbers are of another {name}: make them for the one given")
    if len(given.scores) != len(given.problem.applications):
        n, found = len(given.problem.applications), len(given.scores)
        raise ValueError(f"there are {n} applications and {found} scores: give one for each")


# --- Lines 5 to 25


@kernel
def fill_cells(
    scores, weight, reach, ngrams, rules, loss, items, combinations, queue, scratch, state
):  # fmt: skip
    """Fill all cells that are not filled yet; returns what has run out, or ``DONE``."""
    begins, frontier, children, starts, _, own_unigrams = rules
    ids, _, log_probs, _ = ngrams
    own, caps, reference, numbers, factors = loss
    ints, floats, listed, places, cells = items
    told, worth = combinations
    heap, score_of, ranks = queue
    parts, left, recent, counts = scratch
    no_words = np.int64(0)
    while state[col.CELL] < len(starts) - 1:
        cell, first_item, first_line = state[col.CELL], state[col.ITEMS], state[col.TAKEN]
        cells[cell, col.FIRST_ITEM], cells[cell, col.FIRST_COMBINATION] = first_item, first_line
        state[col.QUEUED] = 0
        full, taken = col.DONE, 0
        # The lines of the queue from ``fresh`` to ``last`` are new. An exhaustive search has one.
        fresh, last = 0, 1 if state[col.EXHAUSTIVE] else starts[cell + 1] - starts[cell]
        if last > len(ranks):
            return col.MORE_QUEUE
        for i in range(last):
            ranks[i, 0] = starts[cell] + i
            ranks[i, 1:] = 0
        while True:
            for i in range(fresh, last):  # what does it seem to be worth?
                variables = choose_parts(
                    i, ranks, begins, children, own, caps, ints, listed, cells, parts, counts
                )
                total = added_scores(scores[ranks[i, 0]], col.INSIDE, variables, floats, parts)
                total += weight * own_unigrams[ranks[i, 0]]
                score_of[i] = total + value(counts, numbers, factors)
            best = fresh
            if not state[col.EXHAUSTIVE] and (state[col.QUEUED] or last != fresh + 1):
                for i in range(fresh, last):
                    push(i, heap, score_of, state[col.QUEUED])
                    state[col.QUEUED] += 1
                if state[col.QUEUED] == 0:
                    break
                best = heap_pop(heap, score_of, state[col.QUEUED])
                state[col.QUEUED] -= 1
            # Lines 7-20: yields joined, n-grams at the seams scored, everything added up.
            line, new = state[col.TAKEN], state[col.ITEMS]
            if line == len(told) or new == len(ints):
                full = col.MORE_ITEMS if new == len(ints) else col.MORE_COMBINATIONS
                break
            application = np.int64(ranks[best, 0])
            variables = choose_parts(
                best, ranks, begins, children, own, caps, ints, listed, cells, parts, counts
            )
            length, gain, matched, missed = join(
                application, no_words, reach, begins, frontier, reference, numbers, ints, parts,
                left, recent, ngrams,
            )  # fmt: skip
            if matched + missed:
                counts[0] += matched
                counts[1] += missed
            score = added_scores(scores[application], col.SCORE, variables, floats, parts)
            score += weight * gain
            worth[line, col.HEURISTIC] = score_of[best]
            worth[line, col.WHOLE] = score
            worth[line, col.NGRAMS] = weight * gain
            write_ranks(line, best, variables, told, ranks)
            # Lines 21-24: a new item, or another way to reach one.
            write_key(new, length, ints, left, recent, counts)
            item = find(new, first_item, ints, places)
            if item == new:
                floats[new, col.LOSS] = value(counts, numbers, factors)
                state[col.ITEMS] += 1
            keep(
                line, application, item, item == new, score, weight, ids, log_probs, told, ints,
                floats,
            )  # fmt: skip
            state[col.TAKEN] += 1
            taken += 1
            if state[col.EXHAUSTIVE]:
                move_on(ranks, begins, children, cells)
                if ranks[0, 0] == starts[cell + 1]:
                    break
                continue
            if state[col.ITEMS] - first_item == state[col.UNIQUE] or taken == state[col.TOTAL]:
                break
            fresh, last = last, successors(best, last, ranks, begins, children, cells)
            if last < 0:
                full = col.MORE_QUEUE
                break
        if full == col.DONE and state[col.ITEMS] - first_item > len(ranks):
            full = col.MORE_QUEUE  # it sorts the items, too
        if full != col.DONE:
            state[col.ITEMS], state[col.TAKEN] = first_item, first_line
            return full
        list_items(cell, items, queue, state)
        state[col.CELL] += 1
    return col.DONE


@kernel
def list_items(cell, items, queue, state):
    """The items of a cell, best first, within the beam; the queue serves to sort them."""
    first = items.cells[cell, col.FIRST_ITEM]
    found = state[col.ITEMS] - first
    kept = min(found, state[col.UNIQUE]) if state[col.UNIQUE] else found
    items.cells[cell, col.KEPT] = kept
    if found == 1:
        items.listed[first] = first
        return
    heap, score = queue.heap, queue.score
    for i in range(found):
        score[i] = items.floats[first + i, col.ESTIMATE]
        push(i, heap, score, i)
    for rank in range(kept):
        items.listed[first + rank] = first + heap_pop(heap, score, found - rank)


@kernel(inline="always")
def push(number, heap, score, n):
    """Put a number on a heap of ``n``, which then has one more."""
    own = score[number]
    at = n
    while at > 0:
        above = heap[(at - 1) >> 1]
        if score[above] > own or (score[above] == own and above < number):
            break
        heap[at] = above
        at = (at - 1) >> 1
    heap[at] = number


# --- Lines 27 and 28


@kernel
def make_goals(goals, gains, weight, reach, ngrams, rules, loss, items, scratch):
    """Each item of the root between start and end: its number, what the end adds, its loss."""
    n = 0
    whole = len(rules.begins) - 2
    width, k = len(scratch.recent), len(scratch.counts)
    for cell in rules.roots:
        first = items.cells[cell, col.FIRST_ITEM]
        for rank in range(items.cells[cell, col.KEPT]):
            item = items.listed[first + rank]
            scratch.parts[0] = item
            scratch.recent[:] = len(ngrams.words) - 2
            _, gain, matched, missed = join(
                whole, width, reach, rules.begins, rules.frontier, loss.reference, loss.numbers,
                items.ints, scratch.parts, scratch.left, scratch.recent, ngrams,
            )  # fmt: skip
            for c in range(k):
                scratch.counts[c] = items.ints[item, items.ints.shape[1] - k + c]
            if matched + missed:
                scratch.counts[0] += matched
                scratch.counts[1] += missed
            goals[n] = item
            gains[n, 0] = weight * gain
            gains[n, 1] = value(scratch.counts, loss.numbers, loss.factors)
            n += 1


@kernel
def best_goal(goals, gains, items):
    """The place of the goal with the highest score plus loss, of equal ones the first."""
    best, highest = 0, 0.0
    for n in range(len(goals)):
        score = items.floats[goals[n], col.SCORE] + gains[n, 0]
        if n == 0 or score + gains[n, 1] > highest:
            best, highest = n, score + gains[n, 1]
    return best


@kernel
def follow(item, found, todo, rules, items, combinations):
    """The applications of an item's best derivation, in pre-order into ``found``; how many."""
    n, waiting = 0, 1
    todo[0] = item
    while waiting:
        waiting -= 1
        line = items.ints[todo[waiting], col.BEST]
        application = combinations.ints[line, col.APPLICATION]
        found[n] = application
        n += 1
        first = rules.begins[application, col.CHILDREN]
        for i in range(rules.begins[application + 1, col.CHILDREN] - first - 1, -1, -1):
            cell = rules.children[first + i]
            rank = combinations.ints[line, col.RANKS + i]
            todo[waiting] = items.listed[items.cells[cell, col.FIRST_ITEM] + rank]
            waiting += 1
    return n


# --- Derivations and events


class Filled:
    """The chart of a problem after its search, read as Python's objects."""

    def __init__(self, chart: FastChart) -> None:
        room = chart.room
        taken = room.state[col.TAKEN]
        self.problem, self.items = chart.problem, room.items
        self.ints, self.floats = room.combinations.ints[:taken], room.combinations.floats[:taken]
        self._order = np.argsort(self.ints[:, col.ITEM], kind="stable")
        self._sorted = self.ints[self._order, col.ITEM]
        self._edges: dict[int, list[Hyperedge]] = {}

    def ranks(self, line: int) -> list[int]:
        """The ranks of the items of a combination."""
        variables = len(self.problem.child_cells[self.ints[line, col.APPLICATION]])
        ranks: list[int] = self.ints[line, col.RANKS : col.RANKS + variables].tolist()
        return ranks

    def edges(self, item: int) -> list[Hyperedge]:
        """The ways to reach an item, in the order in which they were found."""
        if item not in self._edges:
            begin, end = np.searchsorted(self._sorted, (item, item + 1))
            self._edges[item] = [self._edge(line) for line in self._order[begin:end].tolist()]
        return self._edges[item]

    def _edge(self, line: int) -> Hyperedge:
        application = int(self.ints[line, col.APPLICATION])
        cells, ranks = self.problem.child_cells[application], self.ranks(line)
        tails = tuple(self.listed(cell, rank) for cell, rank in zip(cells, ranks))
        return Hyperedge(application, tails, float(self.floats[line, col.NGRAMS]))

    def listed(self, cell: int, rank: int) -> int:
        """The item at this rank of a cell."""
        return int(self.items.listed[self.items.cells[cell, col.FIRST_ITEM] + rank])

    def emit(self, trace: Trace) -> None:
        """The events of the search, in the order of the reference engine."""
        cells = self.items.cells
        for cell, (node, category) in enumerate(self.problem.cells):
            trace.cell(cell, node, category)
            end = int(cells[cell + 1, col.FIRST_COMBINATION])
            for line in range(int(cells[cell, col.FIRST_COMBINATION]), end):
                self._emit_combined(line, trace)
            kept = int(cells[cell, col.KEPT])
            trace.filled(cell, [self.listed(cell, rank) + 1 for rank in range(kept)])

    def _emit_combined(self, line: int, trace: Trace) -> None:
        item, application, outcome = self.ints[
            line, [col.ITEM, col.APPLICATION, col.OUTCOME]
        ].tolist()
        heuristic, score, ngrams = self.floats[
            line, [col.HEURISTIC, col.WHOLE, col.NGRAMS]
        ].tolist()
        loss, ranks = float(self.items.floats[item, col.LOSS]), self.ranks(line)
        trace.combined(
            line + 1, application, ranks, heuristic, score, ngrams, loss, item + 1, NAMES[outcome]
        )
