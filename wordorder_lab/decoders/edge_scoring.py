"""Scores of edges: a linear model, scaled or plain.

Zhang & Clark 2015, section 3.3:

    phi(e)   the features of the last action
    Phi(e)   phi(e) and the phi of every sub-edge
    f(e)     Phi(e) . theta
    f^(e)    f(e) / |e|, where |e| counts the actions

Differences. |e| is called the size of e and is its number of actions: 5 for three words. The order
of additions is fixed: f(e) = (f(left) + f(right)) + phi(e) . theta.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

from wordorder_lab.features.edge_scores import add_up
from wordorder_lab.structures.edge import Edge
from wordorder_lab.structures.templates import Feature

Weight = Callable[[Feature], float]


class EdgeScoring:
    """f(e) by the weights of a function ``weight``, divided by |e| if ``scaled``.

    A grammar says what the features of an edge are: ``groups``.
    """

    def __init__(self, weight: Weight, scaled: bool) -> None:
        self.weight = weight
        self.scaled = scaled

    def groups(self, edge: Edge) -> list[list[Feature]]:
        """phi(e), group by group, in order of addition."""
        raise NotImplementedError

    def score(self, edge: Edge) -> None:
        """Score a new edge by the totals of its parts."""
        local = add_up(self.groups(edge), self.weight)
        self.set_total(edge, together([part.total for part in edge.parts], local))

    def set_total(self, edge: Edge, total: float) -> None:
        """Give an edge its f(e), and the score that it is ranked by."""
        edge.total = total
        edge.score = self.score_of(edge, total)

    def score_of(self, edge: Edge, total: float) -> float:
        """f^(e) in the scaled model, else f(e)."""
        return total / edge.actions if self.scaled else total

    def features(self, edge: Edge) -> list[Feature]:
        """phi(e)."""
        return list(chain.from_iterable(self._kept_groups(edge)))

    def all_features(self, edge: Edge) -> list[Feature]:
        """Phi(e), in post-order."""
        return [feature for part in edge.post_order() for feature in self.features(part)]

    def recompute(self, edge: Edge, known: dict[int, float]) -> float:
        """f(e) under the weights as they are now, from the leaves on; ``known`` keeps totals by
        serial."""
        for part in edge.post_order():
            if part.serial not in known:
                local = add_up(self._kept_groups(part), self.weight)
                known[part.serial] = together([known[p.serial] for p in part.parts], local)
        return known[edge.serial]

    def _kept_groups(self, edge: Edge) -> list[list[Feature]]:
        """The features of an edge that is asked for them again."""
        if edge.groups is None:
            edge.groups = self.groups(edge)
        return edge.groups


def together(below: Sequence[float], local: float) -> float:
    """f(e) of the totals of the sub-edges, from left to right, and what the last action adds."""
    if not below:
        return local
    total = below[0]
    for more in below[1:]:
        total += more
    return total + local
