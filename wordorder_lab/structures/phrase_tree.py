"""Phrase-structure trees: a table of their nodes, and an ``nltk.Tree`` with a picture."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from functools import cached_property
from xml.etree import ElementTree

from wordorder_lab.structures.head_rules import YAMADA_MATSUMOTO, bare_label
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.plain_tree import Tree
from wordorder_lab.structures.synchronous_rule import DEEPEST, ElementaryTree
from wordorder_lab.structures.trees import FONT, MARGIN, Drawn, Picture, Place, lay_out, text_width

WIDEST = 200
"""Children of a node; sentences of people's have less than 50, and time grows with the square."""


@dataclass(frozen=True)
class PhraseNodes:
    """The nodes of a tree in post-order, the root last. ``words[v]`` is the word of a preterminal,
    empty for other nodes; ``begins[v]``, ``ends[v]`` are the places, from 0, of its first word and
    after its last."""

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
    def below_each(self) -> tuple[str | tuple[str, ...], ...]:
        """What stands below each node: the word of a preterminal, or the labels of children."""
        return tuple(
            tuple([self.labels[child] for child in children]) if children else word
            for children, word in zip(self.children, self.words, strict=True)
        )

    @cached_property
    def bare(self) -> tuple[str, ...]:
        """The labels without function tags."""
        return tuple(map(bare_label, self.labels))

    def heads(self) -> list[int]:
        """The preterminal of each node's head word, by the table of Yamada & Matsumoto."""
        found: list[int] = []
        for node, children in enumerate(self.children):
            below = [self.bare[child] for child in children]
            head = YAMADA_MATSUMOTO.head(self.bare[node], below) if below else 0
            found.append(found[children[head]] if below else node)
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
    """The table of a tree; ``ValueError`` for a node or word that is empty or has no tag, and for
    more than ``DEEPEST`` levels or ``WIDEST`` children."""
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
    """A copy with only the words at these places; ``ValueError`` where no word stays."""
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


class PhraseTree(Drawn, Tree):  # type: ignore[misc]  # nltk has no types
    """An ``nltk.Tree`` with a picture; equal to any ``nltk.Tree`` of the same labels and words."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree) or type(other) not in (Tree, PhraseTree):
            return NotImplemented
        return bool(self.label() == other.label()) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # like every list

    def drawing(self, *, paper: bool = False) -> ElementTree.Element:
        """The ``<svg>`` element; on white ``paper``, or in the colour of the text around it."""
        places = _places(self)
        height = 2 * MARGIN + FONT + STEP * max(place.level for place in places) + 4
        words = " ".join(p.node for p in places if isinstance(p.node, str)) or "no words"
        description = f"Phrase-structure tree of: {words}; it is {self.label()}"
        picture = Picture(round(places[0].width + 2 * MARGIN, 1), height, description, paper)
        for place in places:
            ground, middle = MARGIN + FONT + place.level * STEP, round(place.middle, 1)
            is_label = isinstance(place.node, Tree)
            style = ("label", round(0.9 * FONT)) if is_label else ("word", FONT)
            picture.write(middle, ground, _shown(place), *style)
            for part in place.parts:
                below = f"{round(part.middle, 1):g} {ground + STEP - FONT - 2:g}"
                picture.line("branch", f"M{middle:g} {ground + 5:g}L{below}")
        return picture


def _places(tree: Tree) -> list[Place[Tree | str]]:
    """The place of every node, each before its parts; a deep tree takes no deep recursion."""
    places: list[Place[Tree | str]] = []
    waiting: list[Place[Tree | str]] = [Place(tree, [])]
    while waiting:
        place = waiting.pop()
        places.append(place)
        place.own = max(text_width(_shown(place)) * FONT, float(FONT))
        below = place.node if isinstance(place.node, Tree) else ()
        place.parts += [Place(child, [], place.level + 1) for child in below]
        waiting += reversed(place.parts)
    lay_out(places)
    return places


def _shown(place: Place[Tree | str]) -> str:
    return str(place.node.label() if isinstance(place.node, Tree) else place.node)
