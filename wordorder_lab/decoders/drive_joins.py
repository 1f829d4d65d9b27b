"""What a grammar makes of two edges that a person has picked, for ``drive``: links or CCG rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from wordorder_lab.decoders.best_first import BestFirst
from wordorder_lab.decoders.best_first_ccg import BestFirstCCG
from wordorder_lab.decoders.best_first_dependency import BestFirstDependency
from wordorder_lab.grammars.refused_links import why_not
from wordorder_lab.grammars.refused_rules import why_not_joined
from wordorder_lab.structures.edge import HEAD_LEFT, HEAD_RIGHT, Edge

Join = tuple[str, Edge | None, str | None]
"""An action, and the edge that comes of it or else the reason why none does."""


class Joins(Protocol):
    """A grammar as ``Drive`` asks it. Edges that come of it are not scored yet."""

    def of(self, left: Edge, right: Edge) -> list[Join]:
        """Everything that ``right`` after ``left`` may become."""

    def told(self, told: Mapping[str, Any], left: Edge, right: Edge | None) -> Edge:
        """The edge that a question tells of. Raises ``ValueError`` where it cannot be built."""


def joins_of(search: BestFirst) -> Joins:
    """The joins of a search's grammar."""
    if isinstance(search, BestFirstCCG):
        return RuleJoins(search)
    assert isinstance(search, BestFirstDependency)
    return LinkJoins(search)


class LinkJoins:
    """Dependencies: either of two edges may bring the head."""

    def __init__(self, search: BestFirstDependency) -> None:
        self.search = search

    def of(self, left: Edge, right: Edge) -> list[Join]:
        """HeadLeft and HeadRight."""
        return [self._join(left, right, side) for side in (HEAD_LEFT, HEAD_RIGHT)]

    def told(self, told: Mapping[str, Any], left: Edge, right: Edge | None) -> Edge:
        """The edge with the link that is told."""
        if told["action"] not in (HEAD_LEFT, HEAD_RIGHT) or right is None:
            raise ValueError(f"no action {told['action']!r}; there are HeadLeft and HeadRight")
        _, edge, why = self._join(left, right, told["action"])
        return _built(edge, why)

    def _join(self, left: Edge, right: Edge, side: str) -> Join:
        if why := why_not(self.search.links, left, right, side):
            return side, None, why
        return side, self.search.combine(left, right, side), None


class RuleJoins:
    """CCG: every rule for the two categories; from one edge, every unary rule."""

    def __init__(self, search: BestFirstCCG) -> None:
        self.search = search

    def of(self, left: Edge, right: Edge) -> list[Join]:
        """A join for each rule, or the reason why there is none."""
        search = self.search
        if why := why_not_joined(search.rules, search.bag, search.problem, left, right):
            return [("", None, why)]
        return [(edge.action, edge, None) for edge in search.binary(left, right)]

    def told(self, told: Mapping[str, Any], left: Edge, right: Edge | None) -> Edge:
        """The edge with the rule that is told, by its sign and what comes of it."""
        search = self.search
        if right is None:
            found = [search.unary(left, rule) for rule in search.rules.unary_of(left)]
        else:
            joins = self.of(left, right)
            found = [edge for _, edge, _ in joins if edge is not None]
            if not found:
                return _built(None, joins[0][2])
        for edge in found:
            if (edge.action, str(edge.category)) == (told["action"], told["category"]):
                return edge
        return _built(None, f"the grammar has no rule {told['action']} for {told['category']} here")


def _built(edge: Edge | None, why: str | None) -> Edge:
    if edge is None:
        raise ValueError(f"with the bag that was given this edge cannot be built: {why}")
    return edge
