"""Fixing violations on arrays: the twin of ``violation_learning``."""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wordorder_lab.best_first import arrays_fast as arrays
from wordorder_lab.best_first.dependency_fast import (
    HEAD_RIGHT_NUMBER,
    NO_SIGNATURE_NUMBER,
    FastDependencySearch,
    is_goal,
    is_like,
    link,
)
from wordorder_lab.best_first.dependency_links import NO_GOLD
from wordorder_lab.best_first.domain_beam_fast import FastDomainBeam
from wordorder_lab.best_first.gold import GuidedExample
from wordorder_lab.best_first.guided_learning_fast import (
    LARGE_MARGIN_STEP,
    FastGuided,
    count,
    difference,
    settle,
)
from wordorder_lab.best_first.updates import (
    DOMAIN_VIOLATION,
    EARLY,
    IN_DOMAINS,
    MAX_VIOLATION,
)
from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.structures.trace import UpdateStatistics

FIRST, GREATEST, BY_DOMAIN = range(3)
NUMBERS = {EARLY: FIRST, MAX_VIOLATION: GREATEST, DOMAIN_VIOLATION: BY_DOMAIN}
"""The updates as the kernel knows them."""


class Violations(NamedTuple):
    """By the number of a gold structure: its edge; when it was popped; and where it is the head's
    leaf (else in the first line) the greatest difference, and the gold and the wrong edge, -1 where
    there is no violation."""

    lines: np.ndarray
    when: np.ndarray
    ahead: np.ndarray
    pairs: np.ndarray


class FastViolationLearner(FastGuided):
    """The learner, which is used as that of guided learning; it counts as its twin."""

    search: FastDependencySearch

    def _learn_one(self, example: GuidedExample) -> str:
        """One sentence: its search, and then an update for each violation."""
        search = self.search
        self.statistics = UpdateStatistics()
        gold = example.gold_edges()
        goals = search.search(example.problem, self.settings.search, self.trace, gold)
        if isinstance(search, FastDomainBeam):
            if not goals:
                raise ValueError(NO_GOLD)
            pairs = search.domains.violations
        else:
            pairs = self._violations()
        found = [pair for pair in pairs.tolist() if pair[0] >= 0]
        for plus, minus in found:
            self._fix(plus, minus)
        if found:
            return "stopped"
        is_gold = any(search.edges.ints[goal, arrays.GOLD] >= 0 for goal in goals)
        return "finished" if is_gold else "limit"

    def _violations(self) -> np.ndarray:
        lines = self._gold_lines()
        n = len(lines)
        found = Violations(lines, np.empty(n, np.int64), np.empty(n), np.full((n, 2), -1, np.int64))
        note_violations(NUMBERS[self.settings.update], found, self.search.whole)
        return found.pairs

    def _gold_lines(self) -> np.ndarray:
        """The lines of all gold edges; those that the search has not made are made now."""
        search = self.search
        gold = search.edges.ints[: search.state[arrays.EDGES], arrays.GOLD]
        lines = np.full(len(search.numbers.gold), -1, np.int64)
        made = np.flatnonzero(gold >= 0)
        lines[gold[made]] = made
        for number in np.flatnonzero(lines < 0).tolist():
            left, right, action = search.numbers.gold[number].tolist()
            if left < 0:
                raise ValueError(NO_GOLD)
            lines[number] = search.state[arrays.EDGES]
            parts = int(lines[left]), int(lines[right])
            while (full := search.call(link, *parts, action)) != arrays.DONE:
                search.room.grow(full)
            if self.trace is not None:
                search.trace_edge(self.trace, int(lines[number]))
        return lines

    def _fix(self, plus: int, minus: int) -> None:
        search = self.search
        edges, tables, state = search.edges, search.tables, search.state
        margin = float(edges.score[plus] - edges.score[minus])
        if self.settings.update in IN_DOMAINS:
            norm2 = domain_difference(plus, minus, edges, tables, state)
        else:
            longest = max(edges.ints[e, arrays.ACTIONS] for e in (plus, minus))
            todo = np.empty(int(longest) + 1, np.int64)
            norm2 = difference(LARGE_MARGIN_STEP, plus, minus, todo, edges, tables, state)
        moves = bool(norm2 > 0)
        reason = "agenda" if moves else "equal"
        self.updates[reason] += 1
        if moves:
            self.statistics.updated(margin)
        if self.trace is not None:
            example = int(self.table.used[1])
            self.trace.edge_update(example, reason, plus + 1, minus + 1, margin, float(moves))
        if moves:
            self._apply(1.0)


@kernel(borrows=True)
def note_violations(update, found, run):
    """Go through what was popped, and keep the violations that are to be fixed."""
    edges, state, lines, when = run.edges, run.state, found.lines, found.when
    popped, gold_of = edges.popped, edges.ints[:, arrays.GOLD]
    when[:] = state[arrays.POPPED]
    for place in range(state[arrays.POPPED]):
        if gold_of[popped[place]] >= 0:
            when[gold_of[popped[place]]] = place
    for place in range(state[arrays.POPPED]):
        edge = popped[place]
        if gold_of[edge] >= 0:
            continue
        for number in range(lines.shape[0]):
            gold = lines[number]
            if not competes(gold, edge, run):
                continue
            where, ahead = 0, edges.total[edge] - edges.total[gold]
            if update == BY_DOMAIN:
                where = gold_of[leaf_of(gold, edges)]
                ahead = domain_score(edge, edges) - domain_score(gold, edges)
            if ahead < 0 or (ahead == 0 and when[number] < place):
                continue
            if found.pairs[where, 0] < 0 or ahead >= found.ahead[where]:
                found.ahead[where] = ahead
                found.pairs[where, 0], found.pairs[where, 1] = gold, edge
            if update == FIRST:
                return


@kernel(borrows=True)
def competes(gold, edge, run):
    """Whether two edges have one signature, or are goals."""
    edges, state = run.edges, run.state
    if edges.ints[gold, arrays.SIZE] != edges.ints[edge, arrays.SIZE]:
        return False
    if is_goal(edge, run):
        return True
    if state[arrays.SIGNATURE] == NO_SIGNATURE_NUMBER:
        return False
    return is_like(gold, edge, run.numbers, edges, state)


@kernel(borrows=True)
def leaf_of(edge, edges):
    """The leaf of the root of an edge."""
    while edges.ints[edge, arrays.LEFT] >= 0:
        is_right = edges.ints[edge, arrays.ACTION] == HEAD_RIGHT_NUMBER
        edge = edges.ints[edge, arrays.RIGHT if is_right else arrays.LEFT]
    return edge


@kernel(borrows=True)
def domain_score(edge, edges):
    """What of f(e) is no dependent's."""
    total = edges.total[edge]
    while edges.ints[edge, arrays.LEFT] >= 0:
        is_right = edges.ints[edge, arrays.ACTION] == HEAD_RIGHT_NUMBER
        total -= edges.total[edges.ints[edge, arrays.LEFT if is_right else arrays.RIGHT]]
        edge = edges.ints[edge, arrays.RIGHT if is_right else arrays.LEFT]
    return total


@kernel(borrows=True)
def domain_difference(plus, minus, edges, tables, state):
    """Fill in the difference of two edges in their domain; returns its squared length."""
    state[arrays.TOUCHED] = 0
    count_domain(plus, arrays.PLUS, edges, tables, state)
    count_domain(minus, arrays.MINUS, edges, tables, state)
    return settle(1, 1, tables, state)


@kernel(borrows=True)
def count_domain(edge, column, edges, tables, state):
    """Count the features of an edge's last link, of those before it, and of the head's leaf."""
    while edge >= 0:
        count(edge, column, edges, tables, state)
        is_right = edges.ints[edge, arrays.ACTION] == HEAD_RIGHT_NUMBER
        edge = edges.ints[edge, arrays.RIGHT if is_right else arrays.LEFT]
