"""Dependents are assigned to the empty argument positions of heads, round by round.

    1  every head has slots: the first, second, third dependent to its left, and to its right
    2  every word without a head is assigned to one empty slot; the root has one slot
    3  while some words go round in a cycle
    4    each cycle is assigned, as a whole, to an empty slot of a word outside of it;
    5    the word that takes the slot gives up its own, and the cycle is open

Lines 2 and 4 are each the best assignment there is (scipy's), and what a slot is worth says how
satisfied its head is: a verb without a subject has more use for one than a verb that has it.

    worth of h's k-th slot on side s for d = log p(d | s, h) + log p(k | s, h) - log p(k - 1 | s, h)

So the worth of all slots taken, with p(0 | s, h) of every word, is the log-probability of the tree.

Differences
- *Paper silent*, as Wan et al. (2009) is not before us: known are the assignment (their name for
  the system is AB), argument positions that are filled or empty, and that it goes on in turns, each
  knowing what is filled. How cycles are opened is ours, after Chu, Liu and Edmonds.
- *Our reading*: the rounds are greedy (Zhang & Clark 2011, section 6, say so of that system). A
  slot that was filled keeps its word but for line 5, so many trees are less probable than the gold
  ones: `evaluate --errors` counts these as search errors. The spanning tree has none of its own.
- *Paper silent*: an assignment may fill a head's second slot and leave the first one empty; then
  slots are numbered anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from wordorder_lab.assignment.statistics import LEFT, SIDES
from wordorder_lab.structures.sentence import ROOT

MOST_SLOTS = 6
"""That a head has empty on one side, in one round."""
FORBIDDEN = -1e9
"""The worth of what may not be: far below every sum of logarithms, and still a number."""
NEEDED = 1e6
"""What the root's slot gains: above every sum of logarithms, and no match for what is forbidden."""

Worth = Callable[[int, int, int], float]
"""(head, side, dependent) -> log p(d | s, h); the root's side is the left."""
Valency = Callable[[int, int, int], float]
"""(head, side, number) -> log p(n | s, h)."""


class Arc(NamedTuple):
    """A word's head, or the root, and the side of it that the word stands on."""

    head: int
    side: int


def assigned_tree(n: int, worth: Worth, valency: Valency, given: Sequence[int | None]) -> list[Arc]:
    """The arc of each of ``n`` words; a ``given`` head (``ROOT``: the root) is kept."""
    table = _Table(n, worth, valency, given)
    arcs: dict[int, Arc] = {}
    rows = [[word] for word in range(n)]
    while rows:
        table.fill(rows, arcs)
        rows = _cycles(n, arcs)
    return [arcs[word] for word in range(n)]


class _Table:
    """What the slots are worth to the words, and who may have which head."""

    def __init__(self, n: int, worth: Worth, valency: Valency, given: Sequence[int | None]) -> None:
        self.n, self.valency, self.given = n, valency, given
        self.worth = {
            (head, side): np.array(
                [worth(head, side, d) if head != d else FORBIDDEN for d in range(n)]
            )
            for head in range(n)
            for side in SIDES
        }
        self.worth[ROOT, LEFT] = np.array([worth(ROOT, LEFT, d) for d in range(n)])
        has_root = ROOT in given
        for (head, _), values in self.worth.items():
            for word, kept in enumerate(given):
                if kept not in (None, head) or (kept is None and head == ROOT and has_root):
                    values[word] = FORBIDDEN

    def fill(self, rows: Sequence[Sequence[int]], arcs: dict[int, Arc]) -> None:
        """Assign each row, a word or the words of a cycle, to an empty slot (lines 2 and 4).

        Of a cycle, the word takes the slot that gains most over the one that it gives up.
        """
        columns, gains = self._empty(arcs)
        values = np.full((len(rows), len(columns)), FORBIDDEN)
        takers = np.zeros(values.shape, dtype=int)
        heads = np.array([column.head for column in columns])
        for number, words in enumerate(rows):
            inside = _below(words[0], arcs) if len(words) > 1 else {words[0]}
            outside = ~np.isin(heads, list(inside))
            options = np.array([self._row(word, columns, arcs) for word in words])
            takers[number] = options.argmax(axis=0)
            best = options.max(axis=0) + gains
            values[number, outside] = np.maximum(best, FORBIDDEN)[outside]
        for number, slot in zip(*linear_sum_assignment(values, maximize=True), strict=True):
            arcs[rows[number][takers[number, slot]]] = columns[slot]

    def _row(self, word: int, columns: Sequence[Arc], arcs: dict[int, Arc]) -> np.ndarray:
        """What the slots are worth to a word, beside what its own is."""
        values = np.array([self.worth[column][word] for column in columns])
        return values - self.worth[arcs[word]][word] if word in arcs else values

    def _empty(self, arcs: dict[int, Arc]) -> tuple[list[Arc], np.ndarray]:
        """The empty slots, and what filling them does for the satisfaction of their heads."""
        filled: dict[Arc, int] = {}
        for arc in arcs.values():
            filled[arc] = filled.get(arc, 0) + 1
        columns: list[Arc] = []
        gains: list[float] = []
        if not filled.get(Arc(ROOT, LEFT)):
            columns.append(Arc(ROOT, LEFT))
            gains.append(NEEDED)  # there is a root, whatever it costs
        for head in range(self.n):
            wanted = self.given.count(head)
            for side in SIDES:
                so_far = filled.get(Arc(head, side), 0)
                for number in range(so_far, so_far + max(MOST_SLOTS, wanted)):
                    columns.append(Arc(head, side))
                    more = self.valency(head, side, number + 1)
                    gains.append(more - self.valency(head, side, number))
        return columns, np.array(gains)


def _below(word: int, arcs: dict[int, Arc]) -> set[int]:
    """The words of a cycle, and all that hang from it."""
    below: dict[int, list[int]] = {}
    for dependent, arc in arcs.items():
        below.setdefault(arc.head, []).append(dependent)
    inside, todo = {word}, [word]
    while todo:
        for dependent in below.get(todo.pop(), ()):
            if dependent not in inside:
                inside.add(dependent)
                todo.append(dependent)
    return inside


def _cycles(n: int, arcs: dict[int, Arc]) -> list[list[int]]:
    """The cycles of these arcs, each with its words ascending."""
    seen: dict[int, int] = {ROOT: ROOT}
    cycles: list[list[int]] = []
    for start in range(n):
        node = start
        while node not in seen:
            seen[node] = start
            node = arcs[node].head
        if node != ROOT and seen[node] == start:
            cycle = [node]
            while (node := arcs[node].head) != cycle[0]:
                cycle.append(node)
            cycles.append(sorted(cycle))
    return cycles
