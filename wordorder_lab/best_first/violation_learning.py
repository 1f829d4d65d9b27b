"""Learning where search goes wrong and the model is to blame: the perceptron, fixing violations.

Collins (2002); Huang, Fayong & Guo (2012), *Structured Perceptron with Inexact Search*. A violation
is a wrong edge e- that scores at least as high as the gold edge e+ that it competes with. Only then
is an update sure to be of use. In guided learning (``guided_learning``) an edge that is popped
before gold loses against whatever gold edge is lowest, of any head and any size.

``domain`` has a search of its own, ``domain_beam``, where gold and wrong edges are compared within
one domain: a head with its dependents, as many of them in both.

    for each head, dependents before their heads:
      search the domain, the gold edges going on beside the beam
      of the steps where a wrong edge e- is ahead of the gold edge e+, take that with the greatest
      difference (max-violation)
    for each head where there was one:
      theta <- theta + the features of the links of the domain in e+ - those in e-

The others learn from best-first search as it orders bags, which knows nothing of gold:

    search the bag, to the first goal or a limit
    for each e- that was popped and is not gold, in that order:
      e+ <- the gold edge that is one with it to the chart; of a goal, the gold goal
      it is a violation if f(e-) > f(e+), or f(e-) = f(e+) and e+ was not popped before
    early             theta <- theta + Phi(e+) - Phi(e-)  for the first violation
    max-violation     the same for that with the greatest f(e-) - f(e+)
    domain-violation  for each head, f and Phi being those of its links and its leaf alone, the same
                      for the greatest difference among edges whose root it is

Differences
- *Our reading*: the weights change when the sentence is through, so all edges of a sentence have
  scores under the same weights.
- *Our reading*, domain: what is below a dependent is gold in both edges, so features of the domain
  itself alone differ: those of the head's leaf and of each link to it.
- *Our reading*, domain: an edge with an equal score that is before gold is a violation.
- *Our reading*, the others: Huang et al. have a beam, where gold falls at a step. In best-first
  search it falls to an edge that DPCHARTPRUNE takes for the same, or to a goal; these have as many
  actions, so f and f^ agree on which is ahead. Of equal differences the last one counts.
- *Our reading*, the others: gold edges that the search has not made are made when it has ended.
- *Our reading*: where a wrong goal was popped though the gold one scores more, the search is to
  blame, and nothing is learned (``limit``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from wordorder_lab.best_first.dependency_links import NO_GOLD
from wordorder_lab.best_first.domain_beam import DomainBeam
from wordorder_lab.best_first.edge import HEAD_LEFT, Edge, Words
from wordorder_lab.best_first.guided_learning import GuidedLearner
from wordorder_lab.best_first.search import BestFirst
from wordorder_lab.best_first.updates import (
    DOMAIN_VIOLATION,
    EARLY,
    IN_DOMAINS,
    Difference,
    difference,
)


@dataclass(eq=False, repr=False)
class ViolationLearner(GuidedLearner):
    """The learner, which is used as that of guided learning. ``updates`` counts under ``agenda``
    the violations with an update, and under ``equal`` those whose features are equal; ``sentences``
    those without a violation as ``finished`` if gold was found, else as ``limit``, the others as
    ``stopped``."""

    decoder: Callable[..., BestFirst] = DomainBeam

    def decode(self, search: BestFirst) -> str:
        """One sentence: its search, and then an update for each violation."""
        search.search()
        if isinstance(search, DomainBeam):
            found = search.violations
        else:
            found = violations(search, self.settings.update)
        for positive, negative in found:
            self.fix(search, positive, negative)
        if found:
            return "stopped"
        return "finished" if any(goal.is_gold for goal in search.goals) else "limit"

    def fix(self, search: BestFirst, positive: Edge, negative: Edge) -> None:
        """The update for one violation."""
        change = self.difference(search, positive, negative)
        moves = any(change.values())
        reason, margin = "agenda" if moves else "equal", positive.score - negative.score
        self.updates[reason] += 1
        if moves:
            self.statistics.updated(margin)
        self.apply(search, reason, positive, negative, margin, change, float(moves))

    def difference(self, search: BestFirst, positive: Edge, negative: Edge) -> Difference:
        """What the update moves along: the features of a domain, or all."""
        plus, minus = positive, negative
        if self.settings.update not in IN_DOMAINS:
            return difference(search.all_features(plus), search.all_features(minus))
        of_plus, of_minus = (
            [feature for part in domain_of(edge) for feature in search.features(part)]
            for edge in (plus, minus)
        )
        return difference(of_plus, of_minus)


def domain_of(edge: Edge) -> list[Edge]:
    """An edge, whose action is the last link of its root, the edges with the links before it, and
    the root's leaf."""
    found: list[Edge] = []
    part: Edge | None = edge
    while part is not None:
        found.append(part)
        part = part.left if part.action == HEAD_LEFT else part.right
    return found


def domain_score(edge: Edge) -> float:
    """What of f(e) is no dependent's."""
    total = edge.total
    for part in domain_of(edge)[:-1]:
        dependent = part.right if part.action == HEAD_LEFT else part.left
        assert dependent is not None
        total -= dependent.total
    return total


def violations(search: BestFirst, update: str) -> list[tuple[Edge, Edge]]:
    """The violations of a search that has ended, those to be fixed: gold and wrong edge."""
    by_domain = update == DOMAIN_VIOLATION
    rivals: dict[Hashable, list[Edge]] = defaultdict(list)
    for gold in gold_edges(search):
        rivals[_class_of(search, gold)].append(gold)
    seen: set[int] = set()
    worst: dict[int, tuple[float, Edge, Edge]] = {}
    for edge in search.popped:
        if edge.is_gold:
            seen.add(edge.gold)
            continue
        own = _class_of(search, edge)
        for gold in rivals.get(own, ()) if own is not None else ():
            ahead = edge.total - gold.total
            if by_domain:
                ahead = domain_score(edge) - domain_score(gold)
            if ahead < 0 or (ahead == 0 and gold.gold in seen):
                continue
            where = domain_of(gold)[-1].gold if by_domain else 0
            if where not in worst or ahead >= worst[where][0]:
                worst[where] = ahead, gold, edge
            if update == EARLY:
                return [(gold, edge)]
    return [worst[where][1:] for where in sorted(worst)]


def _class_of(search: BestFirst, edge: Edge) -> Hashable:
    """What competing edges share: their signature, or that they are goals; ``None``: with none."""
    return "goal" if search.goal_test(edge) else search.signature(edge)


def gold_edges(search: BestFirst) -> list[Edge]:
    """All gold edges by number; those that the search has not made are made now. Raises
    ``ValueError`` where a word is not in the bag."""
    assert search.gold is not None
    found = {edge.gold: edge for edge in [*search.agenda.edges, *search.popped] if edge.is_gold}
    for structure, number in search.gold.numbers.items():
        if number in found:
            continue
        if not isinstance(structure, tuple):
            raise ValueError(NO_GOLD)
        left, right, side = found[structure[0]], found[structure[1]], structure[2]
        found[number] = search.make(side, Words.joined(left, right, side), left, right)
        search.add_all([found[number]])
    return [found[number] for number in sorted(found)]
