"""What surface realization starts from: a tree of lemmas, labelled, with features, in no order.

*An honest person* comes in as three nodes, in any order at all: ``person`` (the root), ``a`` and
``honest``, each with its tags, its features (``Number=Sing``) and the label of the arc to its
head. Zhang & Clark (2015, section 5.7) have such trees from the NLG 2011 shared task; ours are
those of the surface realization tasks of 2018 and 2020, and whatever CoNLL-U gives.

Nodes are counted from 0. The order in which they are listed says nothing.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.sentence import Sentence, Token
from wordorder_lab.structures.trees import is_projective, tree_problem

Features = tuple[tuple[str, str], ...]
"""Names with values, by name: ``(("Number", "Sing"), ("Person", "3"))``."""
RANKED = ("punct", "compound", "flat", "fixed")
"""Dependents whose order SR'20 gives away, by the universal part of their labels; ``conj`` too."""


@dataclass(frozen=True, slots=True)
class LemmaNode:
    """A lemma with what is known of it, and the arc to its head.

    ``xpos`` is empty where the language's own tag is not known; ``head`` is -1 for the root.
    ``rank`` is SR'20's ``lin``: -1, -2, ... for the ranked dependents left of the head, nearest
    first, 1, 2, ... for those right of it. ``form`` and ``position`` are the reference's word and
    its place there, where they are known; a realizer does not look at them.
    """

    lemma: str
    upos: str
    xpos: str
    features: Features
    label: str
    head: int
    rank: int | None = None
    form: str | None = None
    position: int | None = None

    def feature(self, name: str) -> str:
        """The value of a feature; an empty text where it is not there."""
        return next((value for given, value in self.features if given == name), "")


@dataclass(frozen=True)
class LemmaTree:
    """Nodes that form one tree; ``name`` and ``line`` say where it comes from, ``reference`` has
    the words of the sentence in order, where they are known, ``text`` the same as people write
    it."""

    nodes: tuple[LemmaNode, ...]
    name: str = ""
    reference: tuple[str, ...] = ()
    text: str = ""
    line: int = 0

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def heads(self) -> tuple[int, ...]:
        """The head of every node; -1 for the root."""
        return tuple(node.head for node in self.nodes)

    @cached_property
    def root(self) -> int:
        """The node that has no head; ``ValueError`` where there is none."""
        return self.heads.index(-1)

    @cached_property
    def dependents(self) -> tuple[tuple[int, ...], ...]:
        """The dependents of every node, as they are listed."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for i, head in enumerate(self.heads):
            if head >= 0:
                found[head].append(i)
        return tuple(map(tuple, found))

    def upwards(self) -> list[int]:
        """The nodes, dependents before their heads."""
        order = [self.root]
        for node in order:  # it grows while it is read
            order.extend(self.dependents[node])
        return order[::-1]

    @property
    def before(self) -> tuple[tuple[int, int], ...]:
        """What the ranks say, as pairs: the first node stands somewhere before the second."""
        pairs: list[tuple[int, int]] = []
        for head, dependents in enumerate(self.dependents):
            ranked = [(rank, i) for i in dependents if (rank := self.nodes[i].rank)]
            pairs += pairwise(i for _, i in sorted([*ranked, (0, head)]))
        return tuple(pairs)

    def problem(self) -> str | None:
        """Why the nodes are not one tree, in words; ``None`` if they are."""
        return tree_problem(self.heads) if self.nodes else "it has no nodes"

    def placed(self) -> LemmaTree:
        """The same tree in the reference's order; ``ValueError`` if positions are not known."""
        if any(node.position is None for node in self.nodes):
            raise ValueError(f"the places of the nodes of {self.name or 'this tree'} are not known")
        return self.listed(sorted(range(len(self)), key=lambda i: self.nodes[i].position or 0))

    def listed(self, order: Sequence[int]) -> LemmaTree:
        """The same tree, its nodes listed as ``order`` names them, each once."""
        new = {old: i for i, old in enumerate(order)}
        nodes = (self.nodes[old] for old in order)
        moved = (replace(node, head=new[node.head] if node.head >= 0 else -1) for node in nodes)
        return replace(self, nodes=tuple(moved))

    def shuffled(self, seed: int) -> LemmaTree:
        """The same tree with its nodes listed in a random order, the same for the same seed."""
        order = list(range(len(self)))
        random.Random(seed).shuffle(order)
        return self.listed(order)

    def is_projective(self) -> bool:
        """Whether every node has its words in one piece in the reference; positions are known."""
        return is_projective(self.placed().heads)

    def ranked(self) -> LemmaTree:
        """The same tree with SR'20's ranks: on each side of a head, dependents of ``RANKED`` labels
        and conjuncts are counted off from the head; a single conjunct alone has no rank."""
        ranks: list[int | None] = [None] * len(self)
        places = [node.position or 0 for node in self.nodes]
        for head, dependents in enumerate(self.dependents):
            for side in (-1, 1):
                there = [i for i in dependents if (places[i] > places[head]) == (side > 0)]
                group = [i for i in there if universal(self.nodes[i].label) in (*RANKED, "conj")]
                if len(group) == 1 and universal(self.nodes[group[0]].label) == "conj":
                    continue
                group.sort(key=lambda i: side * places[i])
                for rank, i in enumerate(group, start=1):
                    ranks[i] = side * rank
        nodes = (replace(node, rank=rank) for node, rank in zip(self.nodes, ranks))
        return replace(self, nodes=tuple(nodes))


def universal(label: str) -> str:
    """The part of a label that all languages share: ``nsubj`` of ``nsubj:pass``."""
    return label.partition(":")[0]


def parse_features(text: str) -> Features:
    """``Number=Sing|Person=3`` by name; ``ValueError`` for what is no list of features."""
    if text == "_":
        return ()
    pairs = [tuple(part.split("=", 1)) for part in text.split("|")]
    for pair in pairs:
        if len(pair) != 2 or not all(pair):
            raise ValueError(
                f"a feature is a name, = and a value, as Number=Sing, not {cited(pair[0])}"
            )
    names = [pair[0] for pair in pairs]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"the feature {name} has two values")
    return tuple(sorted((name, value) for name, value in pairs))


def feature_text(features: Features) -> str:
    """Features as CoNLL-U writes them, ``_`` for none."""
    return "|".join(f"{name}={value}" for name, value in features) or "_"


# --- The bag of a tree, and the sentence that it should become (Zhang & Clark 2015, section 5.7)


def bag_of_lemmas(
    tree: LemmaTree, forms: Sequence[Sequence[str]], *, labels: bool = True
) -> WordBag:
    """The bag of a tree: unit ``i`` is node ``i``, ``forms[i]`` its candidates, the best first.
    Tags, heads, ranks' orders and, if wanted, labels are given. Raises ``ValueError`` for a node
    without a candidate and for what a ``WordBag`` refuses."""
    if len(forms) != len(tree):
        raise ValueError(f"{len(tree)} nodes but forms for {len(forms)}: give a list to each node")
    for i, (node, some) in enumerate(zip(tree.nodes, forms, strict=True)):
        if not some:
            raise ValueError(f"node {i} ({cited(node.lemma)}) has no form: give at least one")
    return WordBag(
        [some[0] for some in forms],
        [bag_tag(node) for node in tree.nodes],
        tree.heads,
        tree.before,
        labels=[node.label for node in tree.nodes] if labels else None,
        alternatives=[some[1:] for some in forms],
    )


def placed_sentence(tree: LemmaTree, forms_used: Sequence[str] | None = None) -> Sentence:
    """The sentence in these forms, or its nodes'; ``ValueError`` for an unknown form or place."""
    forms = [node.form for node in tree.nodes] if forms_used is None else list(forms_used)
    if len(forms) != len(tree):
        raise ValueError(f"{len(tree)} nodes but {len(forms)} forms: give one to each node")
    order = sorted(range(len(tree)), key=lambda i: tree.nodes[i].position or 0)
    tokens = []
    for i, node in zip(order, tree.placed().nodes, strict=True):
        words = tuple((forms[i] or "").split())
        if not words:
            raise ValueError(
                f"node {i} ({cited(node.lemma)}) of {tree.name or 'this tree'} has no form"
            )
        tokens.append(Token(words, bag_tag(node), node.head, node.label))
    return Sentence(tuple(tokens), tree.name)


def bag_tag(node: LemmaNode) -> str:
    """The tag that searches see: the language's own where it is known, else the universal one."""
    return node.xpos or node.upos
