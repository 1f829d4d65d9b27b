"""Which edges may be linked: dependency trees built bottom-up over the words of a bag.

Zhang & Clark 2015, section 4.3. CANCOMBINE asks that no word is used more often than the bag has
it. A link is refused if a head is given and it is another one; so abstract word ordering, partial
trees and full trees are one and the same. With all that a bag may hold:

    CANCOMBINE(left, right)  the counts fit; no word of ``right`` has to come before one of ``left``
    a link from h to d       d's given head is h, or none is given; h still needs such a dependent;
                             d has all its given dependents, for it gets no more of them
    HeadLeft                 the root of ``left`` has no left dependents yet

The last of these is in section 6: a word takes its right dependents before its left ones, and all
its dependents before it goes to its own head, so that no tree is built in two ways.

Differences
- *Our reading*, section 4.3: "consistent with the constraint" is asked of one link at a time. There
  is no look ahead, so an edge that can never be part of a whole sentence may be made where heads or
  orders are given; it just leads nowhere.
- *Our reading*, section 4.3: a word is known by its form, so of equal given subtrees, such as "no
  <- way" twice, any one is as good as the other when trees grow from below. Their words are one
  *kind* here, although the problem's types keep them apart.
- *Paper silent*: how orders of words are given and kept.
"""

from __future__ import annotations

from collections.abc import Sequence

from wordorder_lab.best_first.edge import HEAD_LEFT, Bounds, Edge
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import ROOT


class DependencyLinks:
    """The kinds of a problem's words, and what is legal for them.

    By kind ``k``: ``count[k]`` units of it are in the bag; ``head[k]`` is the kind of the given
    head, -1 for the root, ``None`` if it is not known; each unit of that head takes ``need[k]`` of
    them; ``dependents[k]`` given dependents has one unit of ``k``; ``before[k]`` are the kinds that
    come before all of ``k``. ``kinds[i]`` is the kind of item ``i``.
    """

    def __init__(self, problem: OrderingProblem) -> None:
        self.problem = problem
        given = problem.given
        first = canonical_types(problem)
        number = {t: k for k, t in enumerate(sorted(set(first)))}
        self.kind_of_type = [number[t] for t in first]
        self.kinds = [self.kind_of_type[item.type] for item in problem.items]
        self.leaf_items = [i for i, item in enumerate(problem.items) if item.type in number]
        self.count = [0] * len(number)
        self.before: list[set[int]] = [set() for _ in number]
        for t, k in enumerate(self.kind_of_type):
            self.count[k] += len(problem.units[t])
            self.before[k] |= {self.kind_of_type[earlier] for earlier in given.before[t]}
        self.dependents = [given.dependents[t] for t in number]
        heads = [given.heads[t] for t in number]
        self.head = [h if h is None or h == ROOT else self.kind_of_type[h] for h in heads]
        self.need = [
            0 if head is None or head == ROOT else self.count[k] // self.count[head]
            for k, head in enumerate(self.head)
        ]
        self.bounds = Bounds(self.count, self.count, self.before)

    def allows(self, left: Edge, right: Edge, side: str) -> bool:
        """Whether COMBINE may link the roots of two edges that can combine."""
        head, dependent = (left, right) if side == HEAD_LEFT else (right, left)
        if side == HEAD_LEFT and self.has_left_dependents(left):
            return False
        h, d = self.root_kind(head), self.root_kind(dependent)
        if self.head[d] not in (None, h):
            return False
        if self.head[d] == h and self.attached(head).count(d) >= self.need[d]:
            return False
        return self.is_complete(dependent)

    def is_complete(self, edge: Edge) -> bool:
        """Whether the root of an edge has all its given dependents."""
        kind = self.root_kind(edge)
        if not self.dependents[kind]:
            return True
        own = [k for k in self.attached(edge) if self.head[k] == kind]
        return len(own) == self.dependents[kind]

    def root_kind(self, edge: Edge) -> int:
        """The kind of the word that has no head in an edge."""
        return self.kinds[edge.items[edge.root]]

    def attached(self, edge: Edge) -> list[int]:
        """The kinds of the root's dependents."""
        root = edge.root
        words = zip(edge.items, edge.heads, strict=True)
        return [self.kinds[item] for item, head in words if head == root]

    def has_left_dependents(self, edge: Edge) -> bool:
        """Whether the root of an edge has a left dependent."""
        return edge.root in edge.heads[: edge.root]

    def assign_units(self, items: Sequence[int], heads: Sequence[int]) -> list[int]:
        """Which unit of the bag each word of an output is, as indices into the bag.

        A word gets a unit whose given head is the unit of its head here. Where several are as
        good, types and their units are used up in ascending order. In a default output, a word
        without its given head gets what the others leave.
        """
        given, kinds = self.problem.given, [self.kinds[item] for item in items]
        left = [list(units) for units in self.problem.units]
        chosen: dict[int, int] = {}
        order = [0] * len(items)
        lines = [self._line(kinds, heads, place) for place in range(len(items))]
        for place in sorted(range(len(items)), key=lines.__getitem__):
            free = [t for t, k in enumerate(self.kind_of_type) if k == kinds[place] and left[t]]
            above = chosen.get(heads[place], -1)
            chosen[place] = t = next((t for t in free if given.heads[t] == above), free[0])
            order[place] = left[t].pop(0)
        return order

    def _line(self, kinds: Sequence[int], heads: Sequence[int], place: int) -> tuple[bool, int]:
        """The way up from a word by given heads: whether one of them is missing, and how long."""
        steps = 0
        while self.head[kinds[place]] not in (None, ROOT):
            if heads[place] < 0:
                return True, steps
            place = heads[place]
            steps += 1
        return False, steps


def canonical_types(problem: OrderingProblem) -> list[int]:
    """Of each type the first one that is as good: the twin's, or the same place in a twin of the
    head above it."""
    given = problem.given
    first: list[int] = []
    for t, head in enumerate(given.heads):
        # Equal subtrees are numbered alike, so a type keeps its distance from its head.
        here = t if head is None or head == ROOT else first[head] + t - head
        while (twin := given.twins[here]) is not None:
            here = twin
        first.append(here)
    return first


# --- domains: each head with its dependents ---------------------------------------------------

NO_GOLD = "no gold edge is left: the bag does not allow the gold tree"


def domain_order(links: DependencyLinks, beam: int) -> list[int]:
    """The kinds of a bag, dependents before their heads; the root is last. Raises ``ValueError``
    where a head is not given, and for a beam without bound."""
    if None in links.head:
        raise ValueError(
            "a beam inside each head's domain takes whole trees: give the head of every word"
        )
    if beam < 1:
        raise ValueError("a beam inside each head's domain keeps at least one edge: beam=8")
    order = [ROOT]
    for kind in order:  # it grows while it is read
        order += [k for k, head in enumerate(links.head) if head == kind]
    return order[:0:-1]
