"""Phrase-structure trees: a table of their nodes, and an ``nltk.Tree`` with a picture."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cached_property
from xml.etree import ElementTree

from nltk.tree import Tree

from wordorder_lab.structures.head_rules import YAMADA_MATSUMOTO, HeadTable, bare_label
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.synchronous_rule import DEEPEST, ElementaryTree
from wordorder_lab.structures.trees import (
    FONT,
    GAP,
    MARGIN,
    Drawn,
    clean,
    line,
    sheet,
    text,
    text_width,
)

WIDEST = 200
"""Children of a node; sentences of people's have less than 50, and time grows with the square."""


@dataclass(frozen=True)
class PhraseNodes:
    """The nodes of a tree in post-order: children before parents, left to right, the root last.

    ``words[v]`` is the word of a preterminal, empty for other nodes; ``begins[v]`` and ``ends[v]``
    are the places of its first word and after its last, counted from 0.
    """

    labels: tuple[str, ...]
    words: tuple[str, ...]
    children: tuple[tuple[int, ...], ...]
    begins: tuple[int, ...]
    ends: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def root(self) -> int:
        """The number of the root."""
        return len(self) - 1

    @cached_property
    def parents(self) -> tuple[int, ...]:
        """The number of each node's parent; -1 for the root."""
        found = [-1] * len(self)
        for node, below in enumerate(self.children):
            for child in below:
                found[child] = node
        return tuple(found)

    @cached_property
    def bare(self) -> tuple[str, ...]:
        """The labels without function tags."""
        return tuple(map(bare_label, self.labels))

    def heads(self, table: HeadTable = YAMADA_MATSUMOTO) -> list[int]:
        """The preterminal of each node's head word, by a head table."""
        found: list[int] = []
        for node, children in enumerate(self.children):
            below = [self.bare[child] for child in children]
            found.append(found[children[table.head(self.bare[node], below)]] if below else node)
        return found

    @property
    def leaves(self) -> list[str]:
        """The words of the sentence."""
        return [word for word, below in zip(self.words, self.children) if not below]

    def length(self, node: int) -> int:
        """How many words are below a node."""
        return self.ends[node] - self.begins[node]

    def below(self, node: int) -> range:
        """The nodes of the subtree, the node itself last."""
        first = node
        while self.children[first]:
            first = self.children[first][0]
        return range(first, node + 1)

    def tree(self, node: int) -> Tree:
        """The subtree at a node."""
        if not self.children[node]:
            return Tree(self.labels[node], [self.words[node]])
        return Tree(self.labels[node], [self.tree(child) for child in self.children[node]])

    def elementary(self, node: int, frontier: dict[int, int]) -> ElementaryTree:
        """The subtree as an elementary tree; ``frontier`` has the index of each frontier node."""
        if node in frontier:
            return ElementaryTree(self.labels[node], (), frontier[node])
        if not self.children[node]:
            return ElementaryTree(self.labels[node], (self.words[node],))
        below = tuple(self.elementary(child, frontier) for child in self.children[node])
        return ElementaryTree(self.labels[node], below)


def phrase_nodes(tree: Tree) -> PhraseNodes:
    """The table of a tree.

    Raises ``ValueError`` for an empty node, for a word that has no tag of its own, and for a label
    or word that is empty; the message names the node above. So it does for a tree of more than
    ``DEEPEST`` levels and for a node of more than ``WIDEST`` children.
    """
    labels: list[str] = []
    words: list[str] = []
    children: list[tuple[int, ...]] = []
    begins: list[int] = []
    ends: list[int] = []

    def visit(node: Tree, begin: int, level: int) -> int:
        if level > DEEPEST:
            raise ValueError(f"the tree has more than {DEEPEST} levels: is a bracket misplaced?")
        label = node.label()
        if not isinstance(label, str) or not label:
            raise ValueError(
                f"a node above {cited(' '.join(node.leaves()) or 'nothing')} has no label"
            )
        if not len(node):
            raise ValueError(f"the node {label} is empty: each node has children or a word")
        if len(node) > WIDEST:
            raise ValueError(f"the node {label} has {len(node):,} children: {WIDEST} are the most")
        inner = [child for child in node if isinstance(child, Tree)]
        is_tagged = len(node) == 1 and bool(node[0]) if not inner else len(inner) == len(node)
        if not is_tagged:
            raise ValueError(f"a word below {label} has no tag: write (NN rain), one word each")
        end, below = (begin, []) if inner else (begin + 1, [])
        for child in inner:
            end = visit(child, end, level + 1)
            below.append(len(labels) - 1)
        labels.append(label)
        words.append("" if inner else node[0])
        children.append(tuple(below))
        begins.append(begin)
        ends.append(end)
        return end

    visit(tree, 0, 1)
    return PhraseNodes(tuple(labels), tuple(words), tuple(children), tuple(begins), tuple(ends))


def pruned(tree: Tree, kept: Container[int]) -> Tree:
    """A copy with only the words at these places, counted from 0; phrases without words go.

    Raises ``ValueError`` where no word stays, and for a broken tree.
    """
    nodes = phrase_nodes(tree)
    made: list[Tree | None] = []  # of each node its copy
    for node, children in enumerate(nodes.children):
        below = [copy for child in children if (copy := made[child]) is not None]
        if not children and nodes.begins[node] in kept:
            below = [nodes.words[node]]
        made.append(type(tree)(nodes.labels[node], below) if below else None)
    if (copy := made[nodes.root]) is None:
        raise ValueError("no word stays: a tree has at least one")
    return copy


# --- The picture

STEP = 40
"""Pixels from one level to the next below it."""


class PhraseTree(Drawn, Tree):  # type: ignore[misc]  # nltk has no types
    """An ``nltk.Tree`` with a picture; equal to any ``nltk.Tree`` of the same labels and words."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree) or type(other) not in (Tree, PhraseTree):
            return NotImplemented
        return bool(self.label() == other.label()) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # like every list

    def drawing(self, *, paper: bool = False) -> ElementTree.Element:
        """The ``<svg>`` element; on white ``paper``, or in the colour of the text around it."""
        top = _places(self)
        places = list(_from_top(top))
        height = 2 * MARGIN + FONT + STEP * max(place.level for place in places) + 4
        words = " ".join(place.words for place in places if place.kind == "word") or "no words"
        said = clean(f"Phrase-structure tree of: {words}; it is {self.label()}")
        picture = sheet(round(top.width + 2 * MARGIN, 1), height, said, paper)
        for place in places:
            ground = MARGIN + FONT + place.level * STEP
            size = FONT if place.kind == "word" else round(0.9 * FONT)
            text(picture, place.middle, ground, place.words, place.kind, size)
            for part in place.parts:
                below = f"{part.middle:g} {ground + STEP - FONT - 2:g}"
                line(picture, "branch", f"M{place.middle:g} {ground + 5:g}L{below}")
        return picture


@dataclass(slots=True, eq=False)
class Place:
    """Where a label or a word is drawn: the left edge of its part, the width of it, the level."""

    words: str
    kind: str
    level: int
    parts: list[Place]
    width: float = 0.0
    x: float = 0.0

    @property
    def middle(self) -> float:
        """Where the text stands."""
        return round(self.x + self.width / 2, 1)

    @property
    def inside(self) -> float:
        """How wide the parts are, side by side."""
        wide = -float(GAP) if self.parts else 0.0
        for part in self.parts:
            wide += part.width + GAP
        return wide


def _places(tree: Tree) -> Place:
    """The place of the root, with all below it; a deep tree takes no deep recursion."""
    top = Place("", "label", 0, [])
    waiting: list[tuple[Tree | str, Place]] = [(tree, top)]
    while waiting:
        node, place = waiting.pop()
        if not isinstance(node, Tree):
            place.words, place.kind = str(node), "word"
            continue
        place.words = str(node.label())
        place.parts = [Place("", "label", place.level + 1, []) for _ in node]
        waiting += zip(node, place.parts)
    for place in reversed(list(_from_top(top))):
        place.width = max(text_width(place.words) * FONT, float(FONT), place.inside)
    top.x = MARGIN
    for place in _from_top(top):
        left = place.x + (place.width - place.inside) / 2
        for part in place.parts:
            part.x = left
            left += part.width + GAP
    return top


def _from_top(top: Place) -> Iterator[Place]:
    """Every place, each before its parts."""
    waiting = [top]
    while waiting:
        place = waiting.pop()
        yield place
        waiting += reversed(place.parts)
