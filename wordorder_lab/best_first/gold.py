"""The gold standard of guided learning: the edges that the gold tree or derivation is built of.

Zhang & Clark 2015, section 3.5: GOLDSTANDARD(e). Section 3.2: two edges are equivalent if they have
the same words and identical derivations; an edge is gold if it is equivalent to a part of the gold
derivation. A dependency tree has one derivation: a word takes its right dependents before its left
ones (section 6), the nearest first, since phrases are joined side by side.

Differences
- *Our reading*, section 3.2: an edge is gold for its structure. Where words are equal, in CCG in
  form, tag and category, it does not matter which of them it was built of, also where the bag gives
  the tag of one and hides that of the other.
- *Paper silent* (2011, section 3, selects words and does not learn it): the least counts of a bag
  tell equal words apart, and so does this.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from wordorder_lab.best_first.edge import HEAD_LEFT, HEAD_RIGHT, NOT_GOLD, Edge, Rule
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.problem import OrderingProblem


class GoldStandard:
    """What is gold in a search: ``numbers`` has the number of each gold structure, equal ones the
    same: of an item, or of a step by the numbers below it."""

    def __init__(self) -> None:
        self.numbers: dict[Hashable, int] = {}

    def of(self, edge: Edge) -> int:
        """GOLDSTANDARD: the number of an edge's structure; -1 if it is not gold."""
        if edge.left is None:
            return self.numbers.get(edge.items[0], NOT_GOLD)
        step = edge.rule or edge.action
        return self.numbers.get((*[part.gold for part in edge.parts], step), NOT_GOLD)


# --- dependency trees ----------------------------------------------------------------------


class GoldEdges(GoldStandard):
    """The gold structures of a sentence. ``items`` and ``heads`` say the gold item of each word in
    order, and its gold head (-1: root)."""

    def __init__(self, items: Sequence[int], heads: Sequence[int]) -> None:
        super().__init__()
        below: list[list[int]] = [[] for _ in items]
        for place, head in enumerate(heads):
            if head >= 0:
                below[head].append(place)
        built: dict[int, int] = {}
        for place in reversed(_top_down(heads, below)):
            number = self._number(items[place])
            for right in (child for child in below[place] if child > place):
                number = self._number((number, built[right], HEAD_LEFT))
            for left in (child for child in reversed(below[place]) if child < place):
                number = self._number((built[left], number, HEAD_RIGHT))
            built[place] = number

    def _number(self, structure: Hashable) -> int:
        return self.numbers.setdefault(structure, len(self.numbers))


def _top_down(heads: Sequence[int], below: Sequence[Sequence[int]]) -> list[int]:
    found = [heads.index(-1)]
    for place in found:
        found += below[place]
    return found


class Example(NamedTuple):
    """A training sentence: its bag made ready, and the gold item and head of each word in order.
    Items are those that searches make leaves of: of equal given subtrees the first one's."""

    problem: OrderingProblem
    items: tuple[int, ...]
    heads: tuple[int, ...]

    def gold_edges(self) -> GoldEdges:
        """What is gold in a search on this sentence."""
        return GoldEdges(self.items, self.heads)


# --- CCG derivations -----------------------------------------------------------------------


class GoldDerivation(GoldStandard):
    """The parts of a derivation; ``items`` says the gold item of each leaf in order, as the problem
    numbers them."""

    def __init__(
        self, items: Sequence[int], derivation: Derivation, problem: OrderingProblem
    ) -> None:
        super().__init__()
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


class CCGExample(NamedTuple):
    """A training sentence: its bag made ready, the gold item of each word, the derivation."""

    problem: OrderingProblem
    items: tuple[int, ...]
    derivation: Derivation

    def gold_edges(self) -> GoldDerivation:
        """What is gold in a search on this sentence."""
        return GoldDerivation(self.items, self.derivation, self.problem)


GuidedExample = Example | CCGExample
"""A training sentence of any grammar: its bag made ready, and what is gold in a search."""
