"""What the score of an edge is made of: the points of its last action, by feature.

The events of a search are read once more: leaves come in the order of INITAGENDA, and each other
edge says of which two it was made and how. f(e) is the sum of these points over e and all of its
sub-edges, and f^(e) divides it by |e|.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wordorder_lab.best_first.ccg import BestFirstCCG
from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.edge import Edge, Words
from wordorder_lab.structures.reasons import Parts, Reasons, shown
from wordorder_lab.structures.trace import Event


@dataclass(frozen=True)
class EdgeReasons:
    """Explains the edges of one search; ``search`` is one of the same bag that has not run."""

    search: BestFirstCCG | BestFirstDependency

    def __call__(self, events: Sequence[Event]) -> Reasons:
        """The points of the edges that are shown and of all that they were made of."""
        leaves = iter(self.search.leaves())
        made: dict[int, Edge] = {}
        below: dict[int, tuple[int, ...]] = {}
        for kind, *values in events:
            edge = None
            if kind == "leaf":
                edge, below[values[0]] = next(leaves, None), ()
            elif kind == "edge" and values[1] in made and values[2] in (0, *made):
                below[values[0]] = tuple(part for part in values[1:3] if part)
                edge = self.built([made[part] for part in below[values[0]]], values[3], values[6])
            if edge is not None:
                made[values[0]] = edge
        wanted = shown(events)
        for serial in sorted(wanted, reverse=True):  # parts were made before
            wanted.update(below.get(serial, ()))
        known = [serial for serial in sorted(wanted) if serial in made]
        found = {str(serial): self.points(made[serial]) for serial in known}
        return Reasons(found, scaled=self.search.settings.scaled)

    def built(self, parts: Sequence[Edge], action: str, category: str) -> Edge | None:
        """The edge that an event tells of; ``None`` if the grammar does not make it."""
        search = self.search
        if isinstance(search, BestFirstDependency):
            left, right = parts
            return search.make(action, Words.joined(left, right, action), left, right)
        one = parts[0]
        if len(parts) == 1:
            new = [search.unary(one, rule) for rule in search.rules.unary_of(one)]
        else:
            new = search.binary(one, parts[1])
        return next((e for e in new if (e.action, str(e.category)) == (action, category)), None)

    def points(self, edge: Edge) -> Parts:
        """What the last action adds to f(e): its features, then the language model."""
        search = self.search
        found = [
            (search.show(feature), search.weight(feature)) for feature in search.features(edge)
        ]
        if search.language is not None:
            name, goal = self._language_model(edge), search.goal_test(edge)
            found.append((name, search.language.score(edge, goal)))
        return [(text, points) for text, points in found if points]

    def _language_model(self, edge: Edge) -> str:
        items = self.search.problem.items
        words = [[word for item in part.items for word in items[item].unit] for part in edge.parts]
        ends = ", with both ends" if self.search.goal_test(edge) else ""
        if len(words) < 2:
            return f"language model inside the words{ends}"
        return f"language model over the seam “{words[0][-1]} | {words[1][0]}”{ends}"
