"""A beam inside each head's domain on flat arrays: the twin of ``domain_beam``.

Line by line of ``Edges``, ``fresh`` has what is known of an edge's dependents. A kernel does one
step of one domain; without a trace another one does all.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wordorder_lab.best_first import arrays_fast as arrays
from wordorder_lab.best_first.dependency_fast import (
    DEPENDENTS,
    HEAD,
    HEAD_LEFT_NUMBER,
    HEAD_RIGHT_NUMBER,
    ROOT,
    FastDependencySearch,
    can_link,
    combine,
)
from wordorder_lab.best_first.dependency_links import DependencyLinks, domain_order
from wordorder_lab.best_first.gold import GoldStandard
from wordorder_lab.best_first.settings import SearchSettings
from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.trace import Trace

DOMAIN, STEP, WIDTH, PLUS, MINUS, PLACES = range(6)
"""Places in ``Domains.at``: which domain in their order, which of its steps, how many edges are in
the beam; in learning the worst violation so far, -1 where there is none."""


class Domains(NamedTuple):
    """What a search has beside edges: the kinds in ``order``, dependents before heads; by kind the
    ``complete`` edges, how many (``numbers``), and the ``best`` f of one; the ``beam`` of the last
    step, and where the search is (``at``). ``gap`` is that of the worst violation of the domain;
    ``violations`` has a row (gold, wrong) for each domain, -1 where there is none."""

    order: np.ndarray
    complete: np.ndarray
    numbers: np.ndarray
    best: np.ndarray
    beam: np.ndarray
    at: np.ndarray
    gap: np.ndarray
    violations: np.ndarray


@kernel(borrows=True)
def all_steps(domains, run, language):
    """All domains: ``DONE``, ``EMPTY`` where no edge is left, or what has run out."""
    while domains.at[DOMAIN] < domains.order.shape[0]:
        status = one_step(domains, run, language)
        if status != arrays.DONE:
            return status
    return arrays.DONE


@kernel(borrows=True)
def one_step(domains, run, language):
    """Fill the agenda of one step of one domain, and pop its beam."""
    edges, state, at = run.edges, run.state, domains.at
    kind = domains.order[at[DOMAIN]]
    if at[STEP] == 0:
        state[arrays.HEAP] = 0
        at[PLUS] = at[MINUS] = -1
        for leaf in range(run.numbers.leaves.shape[0]):
            if run.numbers.kind_of[edges.ints[leaf, ROOT]] == kind:
                edges.fresh[leaf] = 0.0
                edges.score[leaf] = edges.total[leaf]
                arrays.push_ranked(leaf, edges, state)
    else:
        status = join_all(kind, domains, run, language)
        if status != arrays.DONE:
            return status
    pop_beam(domains, run)
    if at[WIDTH] == 0:
        return arrays.EMPTY
    if state[arrays.LEARNING] and not note_violation(domains, edges):
        return arrays.EMPTY
    at[STEP] += 1
    if at[STEP] > run.numbers.kinds[kind, DEPENDENTS]:
        complete(kind, domains, run)
    return arrays.DONE


@kernel(borrows=True)
def join_all(kind, domains, run, language):
    """Every edge of the beam with every complete edge of a dependent, on either side."""
    numbers, state, at = run.numbers, run.state, domains.at
    others = 0
    for k in range(numbers.kinds.shape[0]):
        if numbers.kinds[k, HEAD] == kind:
            others += domains.numbers[k]
    status = arrays.room_for(2 * others * at[WIDTH], run)
    if status != arrays.DONE:
        return status
    state[arrays.HEAP] = 0
    for place in range(at[WIDTH]):
        e = domains.beam[place]
        for k in range(numbers.kinds.shape[0]):
            if numbers.kinds[k, HEAD] != kind:
                continue
            for i in range(domains.numbers[k]):
                other = domains.complete[k, i]
                join(e, other, HEAD_LEFT_NUMBER, domains.best[k], run, language)
                join(e, other, HEAD_RIGHT_NUMBER, domains.best[k], run, language)
    return arrays.DONE


@kernel(borrows=True)
def join(e, other, action, best, run, language):
    """The new edge with the dependent ``other``, if that may be, on the agenda of the step."""
    numbers, edges, bits = run.numbers, run.edges, run.edges.bits
    for w in range(numbers.widths[0]):
        if bits[e, w] & bits[other, numbers.widths[0] + w] != 0:
            return
    left, right = (e, other) if action == HEAD_LEFT_NUMBER else (other, e)
    if arrays.can_order(left, right, numbers, edges):
        if can_link(left, right, action, numbers, edges):
            new = combine(left, right, action, run, language)
            edges.fresh[new] = edges.fresh[e] + best
            edges.score[new] = edges.total[new] - edges.fresh[new]
            arrays.push_ranked(new, edges, run.state)


@kernel(borrows=True)
def pop_beam(domains, run):
    """The best edges of the agenda; in learning those that are gold as well, in order of making."""
    edges, state, beam = run.edges, run.state, domains.beam
    width = 0
    while state[arrays.HEAP] > 0 and width < state[arrays.BEAM]:
        beam[width] = arrays.pop_best(edges, state)
        width += 1
    popped = width
    for i in range(state[arrays.HEAP]):
        edge = edges.heap[i]
        if edges.ints[edge, arrays.GOLD] < 0:
            continue
        if state[arrays.LEARNING] == 0:
            arrays.note_loss(edge, edges, state)
            continue
        place = width
        while place > popped and beam[place - 1] > edge:
            beam[place] = beam[place - 1]
            place -= 1
        beam[place] = edge
        width += 1
    for place in range(width):
        arrays.insert(beam[place], edges, state)
    domains.at[WIDTH] = width


@kernel(borrows=True)
def note_violation(domains, edges):
    """Keep the gold edge and the first one of the step, if that is the worst violation so far;
    whether there is a gold edge."""
    at, first, place = domains.at, domains.beam[0], 0
    while place < at[WIDTH] and edges.ints[domains.beam[place], arrays.GOLD] < 0:
        place += 1
    if place == at[WIDTH]:
        return False
    gold = domains.beam[place]
    gap = edges.score[first] - edges.score[gold]
    if place > 0 and (at[PLUS] < 0 or gap >= domains.gap[0]):
        domains.gap[0] = gap
        at[PLUS], at[MINUS] = gold, first
    return True


@kernel(borrows=True)
def complete(kind, domains, run):
    """The domain is through: the beam is handed up, in learning what is gold of it."""
    edges, at, number = run.edges, domains.at, 0
    for place in range(at[WIDTH]):
        edge = domains.beam[place]
        if run.state[arrays.LEARNING] == 0 or edges.ints[edge, arrays.GOLD] >= 0:
            domains.complete[kind, number] = edge
            number += 1
    domains.numbers[kind] = number
    domains.best[kind] = edges.total[domains.complete[kind, 0]]
    domains.violations[at[DOMAIN], 0] = at[PLUS]
    domains.violations[at[DOMAIN], 1] = at[MINUS]
    at[DOMAIN] += 1
    at[STEP] = 0


class FastDomainBeam(FastDependencySearch):
    """The search of whole trees."""

    domains: Domains

    def search(
        self,
        problem: OrderingProblem,
        settings: SearchSettings,
        trace: Trace | None = None,
        gold: GoldStandard | None = None,
    ) -> list[int]:
        """All domains: the goals, the best first. Raises ``ValueError`` for a bag without all
        heads."""
        self.begin(problem, settings, gold, trace)
        self.stopped = "agenda empty"
        domains = self.domains
        while domains.at[DOMAIN] < len(domains.order):
            first, popped = int(self.state[arrays.EDGES]), int(self.state[arrays.POPPED])
            step = all_steps if trace is None else one_step
            status = step(domains, self.whole, self.language)
            if status not in (arrays.DONE, arrays.EMPTY):
                self.room.grow(status)
                continue
            if trace is not None:
                self.trace_step(first, int(self.state[arrays.POPPED]) - popped, trace)
            if status == arrays.EMPTY:
                return []
        root = domains.order[-1]
        goals: list[int] = domains.complete[root, : domains.numbers[root]][: settings.k].tolist()
        self.state[arrays.CURRENT], self.stopped = goals[0], "complete"
        if trace is not None:
            for goal in goals:
                trace.goal(goal + 1, float(self.edges.score[goal]))
        return goals

    def trace_step(self, first: int, popped: int, trace: Trace) -> None:
        """Tell of a step: the edges from ``first`` on are new, and so many were popped."""
        for new in range(first, int(self.state[arrays.EDGES])):
            self.trace_edge(trace, new)
        beam = self.domains.beam[: self.domains.at[WIDTH]].tolist()
        for edge in beam[:popped]:
            trace.popped(edge + 1, float(self.edges.score[edge]))
        rest = set(self.edges.heap[: self.state[arrays.HEAP]].tolist()) - set(beam)
        for edge in sorted(rest):
            trace.pruned(edge + 1, "beam")
        for edge in beam:
            trace.charted(edge + 1)

    def begin(
        self,
        problem: OrderingProblem,
        settings: SearchSettings,
        gold: GoldStandard | None,
        trace: Trace | None,
    ) -> None:
        """INITAGENDA; the domains are numbered, and nothing is done yet."""
        order = np.array(domain_order(DependencyLinks(problem), settings.beam), np.int64)
        super().begin(problem, settings, gold, trace)
        width = settings.beam + problem.size  # in learning gold edges come on top
        self.domains = Domains(
            order=order,
            complete=np.empty((len(order), width), np.int32),
            numbers=np.zeros(len(order), np.int64),
            best=np.zeros(len(order)),
            beam=np.empty(width, np.int32),
            at=np.zeros(PLACES, np.int64),
            gap=np.zeros(1),
            violations=np.full((len(order), 2), -1, np.int64),
        )
