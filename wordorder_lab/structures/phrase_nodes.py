"""A phrase-structure tree as a table of nodes, numbered so that children come before parents."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from nltk.tree import Tree

from wordorder_lab.structures.elementary_tree import DEEPEST, ElementaryTree
from wordorder_lab.structures.one_line import cited

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
