"""Which word of the reference each lemma was: mappings pruned bottom-up, over continuous spans.

Section 5.7: the training data are trees of lemmas and plain sentences, with nothing between them.
"We generate all candidate inflections for each lemma, resulting in an exponential set of possible
mappings between the input tree and the reference sentence. We then prune these mappings bottom-up,
assuming that the dependency tree is projective, and therefore that each word dominates a continuous
span in the reference."

    MAP(tree, words):
      for each node, dependents before their head:
          places <- where one of its forms stands in the reference
          starts <- { s : the span of |subtree| words from s can be laid out, left to right, with
                          the node's own word at one of its places, and each dependent's subtree at
                          one of its starts }
          ways(s) <- in how many ways that is so
      if the root's span may start at 0: choose one of ways(0) at random, and read the places off
      else: no mapping; say why

Spans have fixed lengths, so where one begins says it all, and nothing exponential is written down.
Dependents that are equal in all they are and have below them (two commas of one head) are laid out
in one order only: changing them round would be the same sentence and the same tree.

With ``lifts`` a tree that has no mapping is tried again with up to so many arcs lifted: a dependent
of where it went wrong is hung on its head's head, as in pseudo-projective parsing, the fewest
lifts first.

With ``spare`` so many words that are no form of any lemma (slips of the pen, mostly) are what the
lemmas became that have no word: which of them is which, the spans say.

Differences
- *Our reading*: "we randomly choose one": each of the mappings with the same chance.
- *Paper silent*: what is equal to what. Two nodes with the same lemma, tags, features, label and
  equal dependents are one type, as in our bags.
- *Paper silent*: capitals. A word is a form whatever its capitals are.
- *Paper silent*: orders that the input gives (SR'20). A mapping keeps to them.
- *Our reading*: what has no mapping is discarded, as in the paper, unless ``lifts`` or ``spare``
  words are allowed.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from wordorder_lab.structures.lemma_tree import LemmaTree

ONE, SEVERAL, NONE = "one", "several", "none"
OTHER_NUMBER = "another number of words than lemmas"
NO_FORM = "a word that is no form of any lemma left"
NOT_PROJECTIVE = "no continuous spans"
TOO_MANY = "too many layouts of the dependents of one head"
MOST_LAYOUTS, MOST_DEPENDENTS = 100_000, 200
"""Of one node: partial layouts that are looked at, and dependents, each a call within a call."""
MOST_TRIES = 500
"""Trees with lifted arcs that are tried for one sentence."""


@dataclass(frozen=True)
class GoldMapping:
    """What came of a tree and its reference.

    ``outcome`` is ``"one"``, ``"several"`` or ``"none"``, ``ways`` how many mappings there are.
    ``positions[i]`` is the place of node ``i`` in the reference, in the mapping that was chosen;
    empty if there is none, and then ``reason`` says why, ``detail`` of which lemmas and words.
    ``tree`` is the tree that was mapped, with the heads of ``lifted`` nodes changed; ``spared``
    nodes have a word that is none of their forms.
    """

    outcome: str
    ways: int
    positions: tuple[int, ...]
    tree: LemmaTree
    reason: str = ""
    detail: str = ""
    lifted: tuple[int, ...] = ()
    spared: tuple[int, ...] = ()

    def placed(self, words: Sequence[str]) -> LemmaTree:
        """The tree, its nodes knowing their words and places; ``ValueError`` if there are none."""
        if not self.positions:
            raise ValueError(f"{self.tree.name or 'this tree'} has no mapping: {self.reason}")
        pairs = zip(self.tree.nodes, self.positions, strict=True)
        nodes = tuple(replace(node, form=words[at], position=at) for node, at in pairs)
        return replace(self.tree, nodes=nodes, reference=tuple(words))


def map_to_reference(
    tree: LemmaTree,
    forms: Sequence[Sequence[str]],
    words: Sequence[str],
    *,
    lifts: int = 0,
    spare: int = 0,
    seed: int = 1,
) -> GoldMapping:
    """Find the word of each node among its ``forms``; ``lifts`` arcs may be lifted, ``spare`` words
    be no form. Raises ``ValueError`` unless there is one list of forms a node."""
    if len(forms) != len(tree):
        raise ValueError(f"{len(tree)} nodes have {len(forms)} lists of forms: one each is needed")
    if len(words) != len(tree):
        detail = f"{len(tree)} lemmas, {len(words)} words"
        return GoldMapping(NONE, 0, (), tree, OTHER_NUMBER, detail)
    if max(map(len, tree.dependents)) > MOST_DEPENDENTS:
        return GoldMapping(NONE, 0, (), tree, TOO_MANY)
    places, spared = _places(forms, words, spare)
    if detail := _not_covered(tree, places, words):
        return GoldMapping(NONE, 0, (), tree, NO_FORM, detail)
    for number in range(lifts + 1):
        tries = iter(range(MOST_TRIES))
        for lifted_tree, lifted in _with_lifts(tree, places, number, (), tries):
            spans = _Spans(lifted_tree, places)
            if ways := spans.ways[lifted_tree.root].get(0, 0):
                outcome = ONE if ways == 1 else SEVERAL
                positions = spans.choose(random.Random(seed))
                return GoldMapping(
                    outcome, ways, positions, lifted_tree, lifted=lifted, spared=spared
                )
    spans = _Spans(tree, places)
    reason = TOO_MANY if spans.gave_up else NOT_PROJECTIVE
    detail = f"below {tree.nodes[spans.stuck].lemma!r}" if spans.stuck >= 0 else ""
    return GoldMapping(NONE, 0, (), tree, reason, detail)


def _places(
    forms: Sequence[Sequence[str]], words: Sequence[str], spare: int
) -> tuple[list[frozenset[int]], tuple[int, ...]]:
    """Where each node's word may stand, and the nodes whose word is none of their forms."""
    small = [word.lower() for word in words]
    sets = [{form.lower() for form in of_node} for of_node in forms]
    places = [frozenset(i for i, word in enumerate(small) if word in some) for some in sets]
    left = frozenset(range(len(words))).difference(*places)
    without = tuple(node for node, some in enumerate(places) if not some)
    if not 0 < len(left) == len(without) <= spare:
        return places, ()
    return [some or left for some in places], without


def _not_covered(tree: LemmaTree, places: Sequence[frozenset[int]], words: Sequence[str]) -> str:
    """Which lemmas and words are left over, if each word is to be a form of its own lemma."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    rows = [i for i, some in enumerate(places) for _ in some]
    columns = [at for some in places for at in sorted(some)]
    shape = (len(places), len(words))
    fits = csr_array((np.ones(len(rows), dtype=np.int8), (rows, columns)), shape=shape)
    matched = maximum_bipartite_matching(fits, perm_type="column")
    lemmas = [tree.nodes[i].lemma for i, at in enumerate(matched) if at < 0]
    taken = set(matched.tolist())
    left = [word for at, word in enumerate(words) if at not in taken]
    return f"{' '.join(lemmas)} | {' '.join(left)}" if lemmas else ""


class _Spans:
    """Of every node, where its span may start, and in how many ways.

    ``stuck`` is the first node, dependents before heads, that has none though its dependents have;
    -1 if there is no such node.
    """

    def __init__(self, tree: LemmaTree, places: Sequence[frozenset[int]]) -> None:
        self._tree, self._places = tree, places
        self.ways: list[dict[int, int]] = [{} for _ in tree.nodes]
        self.sizes = [1] * len(tree)
        self.stuck, self.gave_up = -1, False
        self._layouts: list[dict[tuple[int, int], int]] = [{} for _ in tree.nodes]
        self._first: list[list[int]] = [[] for _ in tree.nodes]
        types: dict[tuple[object, ...], int] = {}
        self._type = [0] * len(tree)
        for node in tree.upwards():
            for dependent in tree.dependents[node]:
                self.sizes[node] += self.sizes[dependent]
            below = tuple(sorted(self._type[i] for i in tree.dependents[node]))
            alike = replace(tree.nodes[node], head=0, form=None, position=None)
            self._type[node] = types.setdefault((alike, below), len(types))
            self._lay_out(node)

    def _lay_out(self, node: int) -> None:
        parts = (*self._tree.dependents[node], node)
        if any(not self.ways[i] for i in parts[:-1]):
            return
        self._first[node] = self._needed(node, parts)
        last = len(self._places) - self.sizes[node]
        begins = {start for i in parts for start in self._starts(i, node)}
        for start in sorted(begins):
            if start <= last and (ways := self._count(node, parts, start, 0)):
                self.ways[node][start] = ways
        if not self.ways[node] and self.stuck < 0:
            self.stuck = node

    def _starts(self, part: int, node: int) -> dict[int, int]:
        return dict.fromkeys(self._places[node], 1) if part == node else self.ways[part]

    def _needed(self, node: int, parts: Sequence[int]) -> list[int]:
        """Of each part a mask of those that come before it: by their rank, or as their equals."""
        place = {part: k for k, part in enumerate(parts)}
        needed = [0] * len(parts)
        for before, after in ranked_pairs(self._tree, node):
            needed[place[after]] |= 1 << place[before]
        for before, after in _equals(parts[:-1], self._type):
            needed[place[after]] |= 1 << place[before]
        return needed

    def _count(self, node: int, parts: Sequence[int], at: int, used: int) -> int:
        """In how many ways the parts that are not used yet go on from a place."""
        if used == (1 << len(parts)) - 1:
            return 1
        known = self._layouts[node]
        if (at, used) in known:
            return known[at, used]
        if len(known) > MOST_LAYOUTS:
            self.gave_up = True
            return 0
        ways = 0
        for k, here in self._next(node, parts, at, used):
            size = 1 if parts[k] == node else self.sizes[parts[k]]
            ways += here * self._count(node, parts, at + size, used | 1 << k)
        known[at, used] = ways
        return ways

    def _next(
        self, node: int, parts: Sequence[int], at: int, used: int
    ) -> Iterator[tuple[int, int]]:
        for k, part in enumerate(parts):
            is_free = not used >> k & 1 and self._first[node][k] & ~used == 0
            if is_free and (here := self._starts(part, node).get(at, 0)):
                yield k, here

    def choose(self, chance: random.Random) -> tuple[int, ...]:
        """The places of all nodes in one of the mappings, each with the same chance."""
        positions = [-1] * len(self._places)
        todo = [(self._tree.root, 0)]
        while todo:
            node, at = todo.pop()
            parts, used = (*self._tree.dependents[node], node), 0
            while used != (1 << len(parts)) - 1:
                pick = chance.randrange(self._count(node, parts, at, used))
                for k, here in self._next(node, parts, at, used):
                    size = 1 if parts[k] == node else self.sizes[parts[k]]
                    pick -= here * self._count(node, parts, at + size, used | 1 << k)
                    if pick < 0:
                        break
                if parts[k] == node:
                    positions[node] = at
                else:
                    todo.append((parts[k], at))
                at, used = at + size, used | 1 << k
        return tuple(positions)


def ranked_pairs(tree: LemmaTree, head: int) -> Iterator[tuple[int, int]]:
    """What the ranks of a head's dependents say: neighbours, the left one first."""
    ranked = [(tree.nodes[i].rank or 0, i) for i in tree.dependents[head] if tree.nodes[i].rank]
    yield from pairwise(i for _, i in sorted([*ranked, (0, head)]))


def _equals(parts: Sequence[int], types: Sequence[int]) -> Iterator[tuple[int, int]]:
    counts = Counter(types[i] for i in parts)
    for kind in sorted(kind for kind, count in counts.items() if count > 1):
        yield from pairwise(i for i in parts if types[i] == kind)


def _with_lifts(
    tree: LemmaTree,
    places: Sequence[frozenset[int]],
    number: int,
    lifted: tuple[int, ...],
    tries: Iterator[int],
) -> Iterator[tuple[LemmaTree, tuple[int, ...]]]:
    """The tree with so many arcs lifted, where it is stuck; the nearest first."""
    if not number:
        if next(tries, None) is not None:
            yield tree, lifted
        return
    stuck = _Spans(tree, places).stuck
    todo = list(tree.dependents[stuck]) if stuck >= 0 else []
    for node in todo:  # it grows while it is read
        todo.extend(tree.dependents[node])
        up = tree.nodes[tree.nodes[node].head].head
        if up >= 0:
            nodes = list(tree.nodes)
            nodes[node] = replace(nodes[node], head=up)
            higher = replace(tree, nodes=tuple(nodes))
            yield from _with_lifts(higher, places, number - 1, (*lifted, node), tries)
