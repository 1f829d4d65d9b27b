"""What is given about a bag, heads and orders, told by its types (``type_numbering``)."""

from __future__ import annotations

from dataclasses import dataclass, field

from wordorder_lab.structures.sentence import ROOT


@dataclass(frozen=True)
class InputConstraints:
    """The given heads and orders, by type.

    ``heads[t]`` is the type of the given head, -1 for the root of the sentence, ``None`` if it is
    not known; ``ends[t]`` the type after the last given descendant; ``dependents[t]`` how many
    units have ``t`` as their given head; ``twins[t]`` an equal subtree that is begun before this
    one, or ``None``; ``before[t]`` the types that are used up before ``t`` is shifted, given or
    following from what is given (``type_numbering``). ``tops[t]`` is the type at the top of the
    given tree of ``t``; ``anything`` says whether heads or orders are given at all; ``knots`` are
    the orders between two given trees.
    """

    heads: tuple[int | None, ...]
    ends: tuple[int, ...]
    dependents: tuple[int, ...]
    twins: tuple[int | None, ...]
    before: tuple[tuple[int, ...], ...]
    tops: tuple[int, ...] = field(init=False)
    anything: bool = field(init=False)
    knots: tuple[tuple[int, int], ...] = field(init=False)

    def __post_init__(self) -> None:
        tops: list[int] = []
        for t, head in enumerate(self.heads):
            tops.append(t if head is None or head == ROOT else tops[head])
        object.__setattr__(self, "tops", tuple(tops))
        knots = [
            (first, then)
            for then, earlier in enumerate(self.before)
            for first in earlier
            if tops[first] != tops[then] and not self.is_free(first) and not self.is_free(then)
        ]
        object.__setattr__(self, "knots", tuple(knots))
        given = any(head is not None for head in self.heads) or any(self.before)
        object.__setattr__(self, "anything", given)

    def is_free(self, t: int) -> bool:
        """Whether a type has no given head and no given dependents."""
        return self.heads[t] is None and not self.dependents[t]

    def family(self, t: int) -> range:
        """A type with all its given descendants."""
        return range(t, self.ends[t])

    def component(self, t: int) -> range:
        """All types that given arcs connect with ``t``."""
        return self.family(self.tops[t])

    def line(self, t: int) -> list[int]:
        """A type, its given head, the head of that, and so on."""
        found = [t]
        while (head := self.heads[found[-1]]) is not None and head != ROOT:
            found.append(head)
        return found
