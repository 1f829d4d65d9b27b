"""The gold standard of guided learning for CCG: the edges of the gold derivation.

Zhang & Clark 2015, section 3.2: two edges are equivalent if they have the same words and identical
derivations; an edge is gold if it is equivalent to a part of the gold derivation.

Differences. Where words are equal in form, tag and category, it does not matter which of them an
edge was built of, also where the bag gives the tag of one and hides that of the other. With word
selection the least counts tell such words apart, and so does this.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.edge import NOT_GOLD, Edge
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.rule import Rule


class GoldDerivation:
    """The parts of a derivation by number: equal ones have the same, and so have equal leaves.

    ``items`` says the gold item of each leaf in order, as the problem numbers them.
    """

    def __init__(
        self, items: Sequence[int], derivation: Derivation, problem: OrderingProblem
    ) -> None:
        self.numbers: dict[Hashable, int] = {}
        selects = problem.least != problem.most
        looks = [item if selects else item[1:] for item in problem.items]  # all but the type
        wanted = {looks[item] for item in items}
        first: dict[Hashable, int] = {}
        for item, look in enumerate(looks):
            if look in wanted:
                self.numbers[item] = first.setdefault(look, len(first))
        self.count = len(first)
        built: list[int] = []
        left = iter(items)
        for node in derivation.nodes():
            below: tuple[int, ...] = ()
            if node.children:
                below = tuple(built[-len(node.children) :])
                del built[-len(node.children) :]
            structure = (*below, Rule.of(node)) if below else next(left)
            if structure not in self.numbers:
                self.numbers[structure] = self.count
                self.count += 1
            built.append(self.numbers[structure])

    def of(self, edge: Edge) -> int:
        """The number of an edge's structure; -1 if it is not gold."""
        if edge.rule is None:
            return self.numbers.get(edge.items[0], NOT_GOLD)
        return self.numbers.get((*(part.gold for part in edge.parts), edge.rule), NOT_GOLD)


class CCGExample(NamedTuple):
    """A training sentence: its bag made ready, the gold item of each word, the derivation."""

    problem: OrderingProblem
    items: tuple[int, ...]
    derivation: Derivation

    def gold_edges(self) -> GoldDerivation:
        """What is gold in a search on this sentence."""
        return GoldDerivation(self.items, self.derivation, self.problem)
