"""A beam inside each head's domain: whole trees ordered with the edges of best-first search.

The edges, links and templates are those of Zhang & Clark (2015), section 4; the tree is given. An
agenda that holds edges of all heads has to rank them against each other, though only those of one
head compete. Here each head with its dependents, its *domain*, has an agenda of its own, and every
edge on it has as many dependents:

    1   for each head, dependents before their heads, do
    2     agenda <- the leaves of the head
    3     beam <- the best of the agenda, so many as it is wide
    4     for each of the dependents do
    5       agenda <- []
    6       for e in beam, for d in dependents that e lacks, for e~ in complete edges of d do
    7         if CANCOMBINE(e, e~) then ADD(agenda, COMBINE(e, e~, HeadLeft))
    8         if CANCOMBINE(e~, e) then ADD(agenda, COMBINE(e~, e, HeadRight))
    9       beam <- the best of the agenda
    10    complete edges of the head <- beam
    11  return the best complete edge of the root

What competes in line 9 may have different dependents. So an edge is ranked by how much better it is
than what is known of its parts: f(e) less, for each dependent that it has, the best f of a complete
edge of that dependent (and of those below, likewise).

In learning (``violation_learning``) the gold edges go on, whatever the beam has, and of the
complete ones only they are handed up: each domain is learned for itself.

Differences
- *Paper silent*: all of this is ours. Bohnet et al. (2010) put siblings in order with a beam,
  ``linearization/dependents_beam``; the violation-fixing update is that of Huang, Fayong & Guo
  (2012).
- *Our reading*, lines 4 to 9: orders that a bag gives may leave every edge of a beam without a
  place for a dependent. Then the search ends, and ``whole_tree`` makes the sentence (``output``).
"""

from __future__ import annotations

from collections.abc import Sequence

from wordorder_lab.best_first.chart import Agenda
from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.dependency_links import NO_GOLD, domain_order
from wordorder_lab.best_first.edge import HEAD_LEFT, HEAD_RIGHT, Edge


class DomainBeam(BestFirstDependency):
    """The search above on one bag whose heads are all given. ``violations`` has, in learning, for
    each domain where a wrong edge came before gold, the gold edge and that one."""

    def search(self) -> None:
        """Lines 1 to 11; ``stopped`` says whether there is a goal."""
        self.known: dict[int, float] = {}
        self.best: dict[int, float] = {}
        self.complete: dict[int, list[Edge]] = {}
        self.violations: list[tuple[Edge, Edge]] = []
        order = domain_order(self.links, self.settings.beam)
        self.begin()
        self.stopped = "agenda empty"
        for kind in order:
            self.order_domain(kind)
            if not self.complete[kind]:
                return
        self.stopped = "complete"
        for goal in self.complete[order[-1]][: self.settings.k]:
            self.found(goal)

    def order_domain(self, kind: int) -> None:
        """Lines 2 to 10."""
        links = self.links
        dependents = [k for k, head in enumerate(links.head) if head == kind]
        self.agenda = Agenda()
        for leaf in self.leaf_edges:
            if links.root_kind(leaf) == kind:
                self.agenda.add(leaf)
        steps = [beam := self.pop_beam()]
        for _ in range(links.dependents[kind]):
            self.agenda = Agenda()
            self.add_all([new for e in beam for k in dependents for new in self.with_next(e, k)])
            steps.append(beam := self.pop_beam())
        if self.gold is not None:
            self.note_violation(steps)
            beam = [edge for edge in beam if edge.is_gold]
        self.complete[kind] = beam
        if beam:
            self.best[kind] = beam[0].total

    def with_next(self, e: Edge, kind: int) -> list[Edge]:
        """Lines 6 to 8: the edge with a dependent of this kind on either side."""
        new: list[Edge] = []
        for other in self.complete[kind]:
            for left, right, side in ((e, other, HEAD_LEFT), (other, e, HEAD_RIGHT)):
                if self.can_combine(left.counts, right.counts):
                    edge = self.combine(left, right, side)
                    if edge is not None:
                        self.known[edge.serial] = self.known.get(e.serial, 0.0) + self.best[kind]
                        new.append(edge)
        return new

    def pop_beam(self) -> list[Edge]:
        """Lines 3 and 9: the best edges; in learning those that are gold as well."""
        beam: list[Edge] = []
        while self.agenda and len(beam) < self.settings.beam:
            beam.append(self.pop_best())
        rest = sorted((edge for _, edge in self.agenda.heap), key=lambda edge: edge.serial)
        for edge in rest:
            if edge.is_gold:
                beam.append(edge)
            elif self.trace is not None:
                self.trace.pruned(edge.serial, "beam")
        for edge in beam:
            self.enter(edge)
        return beam

    def note_violation(self, steps: Sequence[Sequence[Edge]]) -> None:
        """Of the steps where a wrong edge comes before the gold one, that with the greatest
        difference; of equal ones the last."""
        worst: tuple[float, Edge, Edge] | None = None
        for beam in steps:
            gold = next((edge for edge in beam if edge.is_gold), None)
            if gold is None:
                raise ValueError(NO_GOLD)
            first = beam[0]
            gap = first.score - gold.score
            if not first.is_gold and (worst is None or gap >= worst[0]):
                worst = gap, gold, first
        if worst is not None:
            self.violations.append(worst[1:])

    def score_of(self, edge: Edge, total: float) -> float:
        """f(e), less what is known of its dependents."""
        return total - self.known.get(edge.serial, 0.0)
