"""Dependency trees: units in order, each with a tag and a head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wordorder_lab.structures import tree_picture


@dataclass(frozen=True, slots=True)
class DependencyTree:
    """An unlabelled dependency tree over units in their surface order.

    ``heads[i]`` is the position of the head of unit ``i``, counted from 0; -1 for the root.
    Nothing is checked on construction; ``problem`` says what is wrong, if anything. A search that
    was stopped may leave several trees, or no words at all.
    """

    forms: tuple[str, ...]
    pos: tuple[str, ...]
    heads: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.heads)

    @property
    def root(self) -> int:
        """Position of the root, of several the first; ``ValueError`` where there are no words."""
        if -1 not in self.heads:
            raise ValueError("there is no root here")
        return self.heads.index(-1)

    @property
    def roots(self) -> tuple[int, ...]:
        """Positions of all roots, left to right."""
        return tuple(i for i, head in enumerate(self.heads) if head < 0)

    @property
    def arcs(self) -> tuple[tuple[int, int], ...]:
        """The arcs as ``(head, dependent)``, by dependent; the root has none."""
        return tuple((head, i) for i, head in enumerate(self.heads) if head >= 0)

    def dependents(self, head: int) -> tuple[int, ...]:
        """Positions of the dependents of ``head``, left to right."""
        return tuple(i for i, h in enumerate(self.heads) if h == head)

    def is_projective(self) -> bool:
        """Whether no two arcs cross, the arc into the root from outside included."""
        return is_projective(self.heads)

    def problem(self) -> str | None:
        """Why this is not a tree, in words; ``None`` if it is one."""
        return tree_problem(self.heads)

    def __str__(self) -> str:
        """The tree as an indented outline, heads above dependents, `<` and `>` for the side."""
        lines: list[str] = []
        todo = [(root, 0) for root in reversed(self.roots)]
        while todo:
            node, depth = todo.pop()
            head = self.heads[node]
            side = "" if head < 0 else "< " if node < head else "> "
            lines.append(f"{'  ' * depth}{side}{self.forms[node]}/{self.pos[node]}")
            todo.extend((child, depth + 1) for child in reversed(self.dependents(node)))
        return "\n".join(lines)

    # A notebook prefers the first: it takes on the colours of the page. The second goes anywhere.
    def _repr_html_(self) -> str:
        return tree_picture.html_text(self)

    def _repr_svg_(self) -> str:
        return tree_picture.svg_text(self)


def tree_problem(heads: Sequence[int]) -> str | None:
    """Why ``heads`` is not a tree with one root, in words; ``None`` if it is one."""
    roots = [i for i, head in enumerate(heads) if head == -1]
    if len(roots) != 1:
        return f"{len(roots)} roots instead of one"
    for i, head in enumerate(heads):
        if not -1 <= head < len(heads):
            return f"unit {i} has head {head}, which is not in the sentence"
    for start in range(len(heads)):
        node, steps = start, 0
        while node >= 0:
            node, steps = heads[node], steps + 1
            if steps > len(heads):
                return f"unit {start} is its own ancestor"
    return None


def is_projective(heads: Sequence[int]) -> bool:
    """Whether no two arcs of ``heads`` cross; the root hangs from a point left of the sentence."""
    spans = [(min(i, head), max(i, head)) for i, head in enumerate(heads)]
    open_ends: list[int] = []
    for left, right in sorted(spans, key=lambda span: (span[0], -span[1])):
        while open_ends and open_ends[-1] <= left:
            open_ends.pop()
        if open_ends and right > open_ends[-1]:
            return False
        open_ends.append(right)
    return True
