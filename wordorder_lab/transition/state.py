"""States of the transition system for linearization (Liu et al. 2015, section 3).

The paper's state is ``(stack, bag, arcs)``. Here the arcs hang from the nodes on the stack, and the
bag is a count for each type, so that equal words are one thing.
"""

from __future__ import annotations

from dataclasses import dataclass

LEFTARC, RIGHTARC, SHIFT = 0, 1, 2
"""Action numbers within a sentence: 0, 1, and 2 + the item's index for SHIFT-word-POS."""


@dataclass(frozen=True, slots=True)
class Node:
    """A word on the stack: ``item`` is an index into the problem's items, ``place`` that in the
    sentence. ``left`` and ``right`` are its dependents, the outermost last."""

    item: int
    place: int
    left: tuple[Node, ...] = ()
    right: tuple[Node, ...] = ()
    descendants: int = 0

    def with_left(self, dependent: Node) -> Node:
        """This node with one more dependent on its left."""
        total = self.descendants + dependent.descendants + 1
        return Node(self.item, self.place, (*self.left, dependent), self.right, total)

    def with_right(self, dependent: Node) -> Node:
        """This node with one more dependent on its right."""
        total = self.descendants + dependent.descendants + 1
        return Node(self.item, self.place, self.left, (*self.right, dependent), total)

    def arcs(self) -> list[tuple[int, int]]:
        """All arcs below this node as places ``(head, dependent)``."""
        found = []
        for dependent in (*self.left, *self.right):
            found.append((self.place, dependent.place))
            found.extend(dependent.arcs())
        return found


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """One state, linked to its ``parent``: ``stack`` with its top last, the units left of each
    type, the items shifted so far. ``serial`` counts the candidates of a search as made."""

    stack: tuple[Node, ...]
    bag: tuple[int, ...]
    order: tuple[int, ...] = ()
    score: float = 0
    serial: int = 0
    action: int = -1
    parent: State | None = None

    @property
    def arcs(self) -> list[tuple[int, int]]:
        """The arcs built so far, as places ``(head, dependent)``, by dependent."""
        return sorted((arc for node in self.stack for arc in node.arcs()), key=lambda arc: arc[1])

    def derivation(self) -> list[tuple[State, int]]:
        """From the initial state on: each state with the action that was taken in it."""
        steps: list[tuple[State, int]] = []
        state = self
        while state.parent is not None:
            steps.append((state.parent, state.action))
            state = state.parent
        return steps[::-1]
