"""What a search gives: words in order with a tree over them, also where it found no goal.

Without a goal there is a default output, edges of the chart one after the other (Zhang & Clark
2015, section 3.4):

    sort the edges of the chart by size
    output <- the largest
    for e in the others do
      if the bag has words enough for output and e then
        output <- output + e

In 2011 two edges that cover the bag together were looked for first. With a whole tree given there
is a better way, which uses every word: from below, each word with its dependents becomes one edge.

    for each word, dependents before heads:
      if the chart has edges that hold the word with all below it:
        take the best one
      else:
        e <- the word's best leaf
        for each dependent d:  put d on the side where e and d score higher together
        while a dependent is left for the right, then for the left:
          e <- the best of e with one of them

Who wants no word lost asks for ``all-words``: what the way of 2015 leaves out follows as leaves.

    output <- the way of 2015
    for each kind of word, its best leaf; while the bag has more of it than output:
      while it would have to stand between two words of one edge:
        take that edge apart
      put it as far right as the orders of the bag allow

A dependent goes on the side that the orders of the bag want, whatever the scores, and none is put
where it would leave no place for another. So every word is used, every head kept, and every order
that a tree with these heads can keep.

Differences
- *Our reading*, section 3.4: an edge is taken once. As equal words are one leaf here, of a word
  that the bag has twice one may be lost.
- *Paper silent*: edges of equal size go by score, then by serial.
- *Paper silent*: an edge is also left out if what is in it must come before something in the
  output.
- *Paper silent*, 2011, section 3.2: in which order the pairs are looked through. It is the same.
- *Our reading*, section 3.4: the paper's default output is for bags without a tree as well. Where a
  head is not given, ours for whole trees is not to be had, and its way is gone.
- *Paper silent*: neither way of the papers keeps every word; ``all-words`` is ours.
- *Our reading*: the right dependents of a whole tree come first here as they do in the search.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from wordorder_lab.best_first.dependency_links import DependencyLinks
from wordorder_lab.best_first.edge import HEAD_LEFT, HEAD_RIGHT, Bounds, Edge
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.problem import Item
from wordorder_lab.structures.sentence import ROOT


class Ordering(NamedTuple):
    """One output: items in surface order, their heads (places, -1 for a root), and how it came.

    ``actions`` are the derivation in post-order, what a combination takes before it. A default
    output may lack words of the bag, and have several trees, one after the other. In CCG
    ``derivations`` are these, one for a goal.
    """

    items: tuple[int, ...]
    heads: tuple[int, ...]
    score: float
    actions: tuple[str, ...]
    derivations: tuple[Derivation, ...] = ()


def join(pieces: Sequence[Edge], scaled: bool, problem_items: Sequence[Item] = ()) -> Ordering:
    """Edges one after the other as an output; several of them have a forest of heads. Its score is
    theirs together, divided by all actions where scores are scaled."""
    items: list[int] = []
    heads: list[int] = []
    actions: list[str] = []
    score = 0.0
    for edge in pieces:
        heads += [head if head < 0 else head + len(items) for head in edge.heads]
        items += edge.items
        actions += [part.action for part in edge.post_order()]
        score += edge.total
    if scaled and actions:
        score /= len(actions)
    derivations = tuple(derivation_of(edge, problem_items) for edge in pieces if edge.category)
    return Ordering(tuple(items), tuple(heads), score, tuple(actions), derivations)


def derivation_of(edge: Edge, problem_items: Sequence[Item]) -> Derivation:
    """The CCG derivation of an edge; a phrase that is kept whole is one leaf."""
    built: dict[int, Derivation] = {}
    for part in edge.post_order():
        assert part.category is not None
        if part.rule is None:
            item = problem_items[part.items[0]]
            form = " ".join(item.unit)
            built[part.serial] = Derivation(part.category, word=form, pos=item.pos)
        else:
            below = tuple(built[one.serial] for one in part.parts)
            built[part.serial] = Derivation(part.category, below, part.rule.head)
    return built[edge.serial]


# --- the default output ---------------------------------------------------------------------


JOIN_2015, PAIRS_2011, ALL_WORDS = "2015", "2011", "all-words"
DEFAULTS = (JOIN_2015, PAIRS_2011, ALL_WORDS)
WHOLE_TREE = "tree"
"""Of dependency trees alone; where not all heads are given it is the way of 2015."""
TREE_DEFAULTS = (*DEFAULTS, WHOLE_TREE)


class Charted(NamedTuple):
    """What a default output asks of an edge."""

    size: int
    key: tuple[float, int]
    counts: Sequence[int]


Either = TypeVar("Either", Edge, Charted)


def default_output(chart: Sequence[Either], bounds: Bounds, kind: str = JOIN_2015) -> list[Either]:
    """The edges whose words, one after the other, are the output. Two edges may stand next to each
    other if they can combine. From an empty chart comes no edge."""
    edges = sorted(chart, key=lambda edge: (-edge.size, *edge.key))
    pair = covering_pair(edges, bounds) if kind == PAIRS_2011 else []
    return pair or joined(edges, bounds)


def joined(edges: Sequence[Either], bounds: Bounds) -> list[Either]:
    """The first edge, and of the others in their order all that fit to its right."""
    output = list(edges[:1])
    counts = list(edges[0].counts) if edges else []
    for edge in edges[1:]:
        if bounds.can_combine(counts, edge.counts):
            output.append(edge)
            counts = [so_far + more for so_far, more in zip(counts, edge.counts, strict=True)]
    return output


def covering_pair(edges: Sequence[Either], bounds: Bounds) -> list[Either]:
    """The first two different edges that have all words of the bag together, or none. ``edges`` are
    sorted by size, so the search ends at the first that is too small."""
    table = np.array([edge.counts for edge in edges], np.int64)
    sizes = np.array([-edge.size for edge in edges])
    size = 0
    for count in bounds.least:
        size += count
    for left in edges:
        enough = int(np.searchsorted(sizes, left.size - size, side="right"))
        if not enough:
            break
        for at in np.flatnonzero((table[:enough] + left.counts >= bounds.least).all(axis=1)):
            right = edges[int(at)]
            if right is not left and bounds.can_combine(left.counts, right.counts):
                return [left, right]
    return []


def with_all_words(pieces: Sequence[Edge], leaves: Iterable[Edge], bounds: Bounds) -> list[Edge]:
    """The edges of a default output with a leaf for every word of the bag that they lack."""
    output = list(pieces)
    have = [0] * len(bounds.least)
    for edge in output:
        have = [so_far + more for so_far, more in zip(have, edge.counts, strict=True)]
    after = [
        {k for k, earlier in enumerate(bounds.before) if own in earlier} for own in range(len(have))
    ]
    for leaf in sorted(leaves, key=lambda edge: edge.key):
        kind = leaf.counts.index(1)
        while have[kind] < bounds.least[kind]:
            have[kind] += 1
            first, last = _places(output, bounds.before[kind], after[kind])
            while first > last:  # one edge has words that stand before it, and behind it
                output[last:first] = output[last].parts
                first, last = _places(output, bounds.before[kind], after[kind])
            output.insert(last, leaf)
    return output


def _places(
    output: Sequence[Edge], before: Collection[int], after: Collection[int]
) -> tuple[int, int]:
    """The first and the last place of an output where a word may stand, by the kinds that come
    before it and after it."""
    earlier = [i for i, edge in enumerate(output, 1) if any(edge.counts[k] for k in before)]
    later = [i for i, edge in enumerate(output) if any(edge.counts[k] for k in after)]
    return max(earlier, default=0), min(later, default=len(output))


# --- a whole tree ---------------------------------------------------------------------------


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
    """The whole tree of a stopped search. ``leaves`` and ``complete`` are edges of one word, and of
    words with all below them; ``made`` says how many edges there are."""

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
