"""A whole sentence from a search that was stopped, where the head of every word is given.

The paper's default output (section 3.4) puts edges side by side, and may lose words. With a whole
tree given there is a better way: from below, each word with its dependents becomes one edge.

    for each word, dependents before heads:
      if the chart has edges that hold the word with all below it:
        take the best one
      else:
        e <- the word's best leaf
        for each dependent d:  put d on the side where e and d score higher together
        while a dependent is left for the right, then for the left:
          e <- the best of e with one of them

A dependent goes on the side that the orders of the bag want, whatever the scores, and none is put
where it would leave no place for another. So every word is used, every head kept, and every order
that a tree with these heads can keep.

Differences
- *Our reading*, section 3.4: the paper's default output is for bags without a tree as well. Where a
  head is not given, this is not to be had, and its way is gone.
- *Our reading*: the right dependents come first here as they do in the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from wordorder_lab.best_first.dependency_links import DependencyLinks
from wordorder_lab.best_first.edge import HEAD_LEFT, HEAD_RIGHT
from wordorder_lab.structures.sentence import ROOT


class Piece(NamedTuple):
    """An edge of either engine: its score, its serial, the kind of its root."""

    score: float
    serial: int
    kind: int

    @property
    def key(self) -> tuple[float, int]:
        """The one order of all edges."""
        return -self.score, self.serial


Put = Callable[[int, int, str], float]
"""Makes the edge of two serials and a side, with the next serial; returns its score."""


class WholeTree:
    """The whole tree of a stopped search.

    ``leaves`` and ``complete`` are edges of one word, and of words with all below them; ``made``
    says how many edges there are.
    """

    def __init__(
        self, links: DependencyLinks, leaves: Iterable[Piece], complete: Iterable[Piece], made: int
    ) -> None:
        self.links, self.made = links, made
        self.leaves, self.complete = best_by_kind(leaves), best_by_kind(complete)
        self.below: list[list[int]] = [[] for _ in links.count]
        for kind, head in enumerate(links.head):
            if head is not None and head != ROOT:
                self.below[head] += [kind] * links.need[kind]

    def build(self, put: Put) -> int:
        """The serial of the edge with all words. Every head has to be given."""
        self.put = put
        kinds = [self.links.head.index(ROOT)]
        for kind in kinds:
            kinds += dict.fromkeys(self.below[kind])
        self.inside: dict[int, set[int]] = {}
        built: dict[int, Piece] = {}
        for kind in reversed(kinds):
            self.inside[kind] = {kind}.union(*(self.inside[k] for k in self.below[kind]))
            built[kind] = self.complete.get(kind) or self._grown(kind, built)
        return built[kinds[0]].serial

    def _grown(self, kind: int, built: dict[int, Piece]) -> Piece:
        """A word with its dependents, those on the right first."""
        edge, orders = self.leaves[kind], self._orders(kind)
        right = self._right(edge, orders, built)
        for side in (HEAD_LEFT, HEAD_RIGHT):
            waiting = [k for k in self.below[kind] if (k in right) == (side == HEAD_LEFT)]
            while waiting:
                inner = [k for k in waiting if not any(_out(k, j, side, orders) for j in waiting)]
                options = [
                    (self._linked(edge, built[k], side), k) for k in sorted(set(inner or waiting))
                ]
                edge, taken = min(options, key=lambda option: option[0].key)
                waiting.remove(taken)
        return edge

    def _right(
        self, head: Piece, orders: set[tuple[int, int]], built: dict[int, Piece]
    ) -> set[int]:
        """The dependents that go on the right: as orders want it, else as the scores do."""
        right: set[int] = set()
        free: dict[int, float] = {}
        for k in sorted(set(self.below[head.kind])):
            if (head.kind, k) in orders:
                right.add(k)
            elif (k, head.kind) not in orders:
                after = self._linked(head, built[k], HEAD_LEFT)
                before = self._linked(head, built[k], HEAD_RIGHT)
                free[k] = after.score - before.score
        for k, gain in sorted(free.items(), key=lambda pair: (-pair[1], pair[0])):
            if gain > 0 or any((j, k) in orders for j in right):
                right.add(k)
        return right

    def _linked(self, head: Piece, dependent: Piece, side: str) -> Piece:
        pair = (head, dependent) if side == HEAD_LEFT else (dependent, head)
        self.made += 1
        score = self.put(pair[0].serial, pair[1].serial, side)
        return Piece(score, self.made, head.kind)

    def _orders(self, kind: int) -> set[tuple[int, int]]:
        """Which of a word and its dependents, with all below them, come before which."""
        parts = {k: self.inside[k] for k in self.below[kind]} | {kind: {kind}}
        before = self.links.before
        orders = {
            (one, other)
            for one, words in parts.items()
            for other, others in parts.items()
            if one != other and any(words & before[k] for k in others)
        }
        for middle in parts:
            firsts = [one for one, other in orders if other == middle]
            thens = [other for one, other in orders if one == middle]
            orders |= {(one, other) for one in firsts for other in thens if one != other}
        return orders


def _out(kind: int, other: int, side: str, orders: set[tuple[int, int]]) -> bool:
    """Whether ``kind`` has to stand farther out on its side than another that is still waiting."""
    return ((other, kind) if side == HEAD_LEFT else (kind, other)) in orders


def best_by_kind(pieces: Iterable[Piece]) -> dict[int, Piece]:
    """The best edge for each kind of root."""
    best: dict[int, Piece] = {}
    for piece in sorted(pieces, key=lambda piece: piece.key):
        best.setdefault(piece.kind, piece)
    return best
