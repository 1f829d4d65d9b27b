"""Learning with a beam inside each head's domain: the perceptron, fixing violations.

Collins (2002); Huang, Fayong & Guo (2012), *Structured Perceptron with Inexact Search*. The search
is that of ``domain_beam``. In guided learning (``guided_learning``) an edge that is popped before
gold loses against whatever gold edge is lowest, of any head. Here gold and wrong edges are compared
within one domain, where they have as many dependents of the same head:

    for each head, dependents before their heads:
      search the domain, the gold edges going on beside the beam
      of the steps where a wrong edge e- is ahead of the gold edge e+, take that with the greatest
      difference (max-violation)
    for each head where there was one:
      theta <- theta + the features of the links of the domain in e+ - those in e-

Differences
- *Our reading*: the weights change when the sentence is through, so all edges of a sentence have
  scores under the same weights.
- *Our reading*: what is below a dependent is gold in both edges, so features of the domain itself
  alone differ: those of the head's leaf and of each link to it.
- *Our reading*: an edge with an equal score that is before gold is a violation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wordorder_lab.best_first.domain_beam import DomainBeam
from wordorder_lab.best_first.edge import HEAD_LEFT, Edge
from wordorder_lab.best_first.guided_learning import GuidedLearner
from wordorder_lab.best_first.search import BestFirst
from wordorder_lab.best_first.updates import difference
from wordorder_lab.structures.templates import Feature


@dataclass(eq=False, repr=False)
class DomainLearner(GuidedLearner):
    """The learner, which is used as that of guided learning. ``updates`` counts under ``agenda``
    the domains with an update, and under ``equal`` those whose features are equal; ``sentences``
    those without an update as ``finished``, the others as ``stopped``."""

    decoder: Callable[..., BestFirst] = DomainBeam

    def decode(self, search: BestFirst) -> str:
        """One sentence: its search, and then an update for each domain that went wrong."""
        assert isinstance(search, DomainBeam)
        search.search()
        for positive, negative in search.violations:
            self.update_domain(search, positive, negative)
        return "stopped" if search.violations else "finished"

    def update_domain(self, search: BestFirst, positive: Edge, negative: Edge) -> None:
        """The update for one domain."""
        change = difference(domain_features(search, positive), domain_features(search, negative))
        moves = any(change.values())
        reason, margin = "agenda" if moves else "equal", positive.score - negative.score
        self.updates[reason] += 1
        if moves:
            self.statistics.updated(margin)
        self.apply(search, reason, positive, negative, margin, change, float(moves))


def domain_features(search: BestFirst, edge: Edge) -> list[Feature]:
    """The features of an edge's last link, of those before it, and of the head's leaf."""
    found: list[Feature] = []
    part: Edge | None = edge
    while part is not None:
        found += search.features(part)
        part = part.left if part.action == HEAD_LEFT else part.right
    return found
