"""A domain: a head and its dependents, of which each brings along the words below it.

*The third was run by the head of a firm*: the domain of ``head`` has the parts ``head``, ``by``,
``the`` and *of a firm*, whose own words are in order already. A tree is put in order domain by
domain, from below (Bohnet et al. 2010), and its sentence is what the root's domain gives.

A domain is what both comparators look at; how its parts are ordered is handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from wordorder_lab.structures.lemma_tree import LemmaTree

HEAD = 0
"""The place of the head among the parts of its domain."""
Order = tuple[int, ...]
"""The parts of a domain by their places, each once, as they stand from left to right."""
Score = int | float
Scored = tuple[Score, Order]


def ordered_from_below(
    tree: LemmaTree, best: Callable[[Domain], Sequence[Scored]]
) -> list[tuple[Score, tuple[int, ...]]]:
    """The nodes of a tree in the order of the sentence, with its score: the best ones first.

    ``best`` gives the best orders of a domain, the best one first. Further up every domain but the
    root's has its best order alone; scores are added from the leaves to the root. Of equal scores
    ``best`` may prefer whatever is listed first: ``own_listing`` decides what that is.
    """
    listing = own_listing(tree)
    tree = tree.listed(listing)
    strings: list[tuple[int, ...]] = [(node,) for node in range(len(tree))]
    found: Sequence[Scored] = [(0, (HEAD,))]
    below: Score = 0
    for head in tree.upwards():
        domain = Domain.of(tree, head, strings)
        if len(domain) > 1:
            found = best(domain)
            if head != tree.root:
                below += found[0][0]
                strings[head] = domain.string(found[0][1])
    orders = [(below + score, domain.string(order)) for score, order in found]
    return [(score, tuple([listing[node] for node in nodes])) for score, nodes in orders]


def placed_domains(tree: LemmaTree) -> Iterator[tuple[Domain, Order]]:
    """The domains of a tree whose words' places are known, from below, each with its right order:
    by the places of the parts' own words. Raises ``ValueError`` where one is not known."""
    if any(node.position is None for node in tree.nodes):
        raise ValueError(f"the places of the nodes of {tree.name or 'this tree'} are not known")
    strings: list[tuple[int, ...]] = [(node,) for node in range(len(tree))]
    for head in tree.upwards():
        domain = Domain.of(tree, head, strings)
        places = [tree.nodes[node].position or 0 for node in domain.parts]
        right = tuple(sorted(range(len(domain)), key=places.__getitem__))
        strings[head] = domain.string(right)
        if len(domain) > 1:
            yield domain, right


@dataclass(frozen=True)
class Domain:
    """``parts`` are nodes, the head first; ``strings[k]`` the nodes of part ``k`` in order."""

    tree: LemmaTree
    parts: tuple[int, ...]
    strings: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, tree: LemmaTree, head: int, strings: Sequence[tuple[int, ...]]) -> Domain:
        """The domain of a node; ``strings`` has every node's words in order, itself included."""
        dependents = tree.dependents[head]
        return cls(tree, (head, *dependents), ((head,), *(strings[i] for i in dependents)))

    def __len__(self) -> int:
        return len(self.parts)

    @property
    def head(self) -> int:
        """The node of the head."""
        return self.parts[HEAD]

    @cached_property
    def needed(self) -> list[int]:
        """Of each part a mask of those that the ranks of SR'20 place before it."""
        nodes = self.tree.nodes
        ranked = [(nodes[i].rank or 0, k) for k, i in enumerate(self.parts) if k and nodes[i].rank]
        needed = [0] * len(self)
        for (_, before), (_, after) in pairwise(sorted([*ranked, (0, HEAD)])):
            needed[after] |= 1 << before
        return needed

    def string(self, order: Sequence[int]) -> tuple[int, ...]:
        """The nodes of the whole domain, its parts in this order."""
        return tuple(node for part in order for node in self.strings[part])


def own_listing(tree: LemmaTree) -> list[int]:
    """The nodes by what they are and have below them, however the tree lists them. Those that are
    equal in all that a realizer may look at keep their order, which shows nowhere."""
    texts = [""] * len(tree)
    for i in tree.upwards():
        node, below = tree.nodes[i], sorted(texts[k] for k in tree.dependents[i])
        own = node.label, node.lemma, node.upos, node.xpos, node.features, node.rank
        texts[i] = f"{own}[{' '.join(below)}]"
    return sorted(range(len(tree)), key=texts.__getitem__)
