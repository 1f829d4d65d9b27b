"""The truth under rule extraction: Cohn & Lapata (2009), equation 2 and Algorithm 3, naively.

Of all sets of nodes to cut a source tree at, those are kept that the algorithm may choose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product

from nltk.tree import Tree

from wordorder_lab.structures.synchronous_rule import SynchronousRule, parse_rule

Place = tuple[int, ...]
Linked = list[tuple[Place, Place]]


def node_places(tree: Tree) -> list[Place]:
    """Where the nodes are; parents before children."""
    return [at for at in tree.treepositions() if isinstance(tree[at], Tree)]


def is_below(one: Place, other: Place) -> bool:
    """Whether a node is in the subtree of another, or the same."""
    return one[: len(other)] == other


def span(tree: Tree, place: Place) -> set[int]:
    """The words below a node."""
    return {i for i, leaf in enumerate(tree.treepositions("leaves")) if is_below(leaf, place)}


def printed(tree: Tree, place: Place, marks: dict[Place, str]) -> str:
    """A subtree in the notation, cut where there are marks."""
    node = tree[place]
    if isinstance(node, str):
        return node
    if place in marks:
        return node.label() + marks[place]
    below = [printed(tree, (*place, i), marks) for i in range(len(node))]
    return f"[{node.label()} {' '.join(below)}]"


class NaiveExtraction:
    """The rules of a pair of trees, by trying; ``links`` are the constituents that are aligned."""

    def __init__(self, source: Tree, target: Tree, words: Sequence[tuple[int, int]]) -> None:
        self.source, self.target = source, target
        spans = {at: span(source, at) for at in node_places(source)}
        self.null = {at for at in spans if not any(i in spans[at] for i, _ in words)}
        self.links: dict[Place, list[Place]] = {}
        for v, t in product(spans, node_places(target)):
            inside = [(i in spans[v], j in span(target, t)) for i, j in words]
            if (True, True) in inside and all(one == other for one, other in inside):
                self.links.setdefault(v, []).append(t)  # the highest first

    def rules(self, depth: int, choice: str) -> Counter[SynchronousRule]:
        """All of them, no larger than 15 nodes."""
        found: Counter[SynchronousRule] = Counter()
        todo: Linked = [((), ())]
        for pair in todo:  # grows on the way
            for rule, below in self.rules_at(*pair, depth, choice):
                small = max(rule.source.size(), rule.target.size()) <= 15 and len(below) <= 5
                found[rule] += small  # what is below one that is too large counts all the same
                todo += [one for one in below if one not in todo]
        return +found

    def rules_at(
        self, v: Place, t: Place, depth: int, choice: str
    ) -> Iterator[tuple[SynchronousRule, Linked]]:
        """The rules of a pair of nodes, however large, with the pairs below."""
        inner = [at for at in node_places(self.source) if is_below(at, v) and at != v]
        options = {at: self.options(at, t, choice) for at in inner}
        sets = (cut for size in range(len(inner) + 1) for cut in combinations(inner, size))
        for cut in sets:
            seen = [at for at in inner if not any(is_below(at, one) for one in cut)]
            nested = any(one != other and is_below(one, other) for one in cut for other in cut)
            if nested or len([at for at in seen if options[at]]) > depth:
                continue
            for chosen in product(*(options[at] for at in cut)):
                below = [(at, link) for at, link in zip(cut, chosen) if link is not None]
                yield self.rule(v, t, cut, below), below

    def options(self, at: Place, t: Place, choice: str) -> Sequence[Place | None]:
        """What a node may be matched with; ``None`` is epsilon."""
        if at in self.null:
            return [None]
        there = [link for link in self.links.get(at, ()) if is_below(link, t)]
        same = [one for one in there if self.target[one].label() == self.source[at].label()]
        return there if choice == "all" else (same or there)[:1]

    def rule(self, v: Place, t: Place, cut: Sequence[Place], below: Linked) -> SynchronousRule:
        """The rule of a pair of nodes that is cut like this."""
        here = dict.fromkeys(cut, "_eps") | {at: f"_{i}" for i, (at, _) in enumerate(below, 1)}
        there = {link: here[at] for at, link in below}
        sides = printed(self.source, v, here), printed(self.target, t, there)
        x, y = self.source[v].label(), self.target[t].label()
        return parse_rule(f"<{x}, {y}> -> <{sides[0]}, {sides[1]}>")
