"""The tree that the steps work on, and why it may have no derivation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from wordorder_lab.corpora.penn_to_ccg.tables import MARKS
from wordorder_lab.structures.phrase_tree import PhraseTree
from wordorder_lab.structures.plain_tree import Tree


class NotConverted(ValueError):
    """A tree has no derivation: a short ``reason`` and one line of detail."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


@dataclass(slots=True, eq=False)
class Node:
    """A phrase, a word (``word`` is set) or a trace (``trace`` is the index of what was moved).
    ``role`` is that in its parent: head, complement, adjunct, mark, conjunction, conjunct, filler;
    ``form`` the clause feature of a verb, ``category`` one that an earlier step has settled,
    ``filler`` the index of an empty relative pronoun."""

    label: str
    tags: frozenset[str] = frozenset()
    index: str = ""
    children: list[Node] = field(default_factory=list)
    word: str = ""
    trace: str = ""
    role: str = ""
    form: str = ""
    category: str = ""
    filler: str = ""

    @property
    def is_word(self) -> bool:
        """Whether it is a word with its tag."""
        return bool(self.word)

    @property
    def is_mark(self) -> bool:
        """Whether it is a punctuation mark."""
        return self.is_word and self.label in MARKS

    def nodes(self) -> Iterator[Node]:
        """This one and all below, parents first."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    def only(self) -> Node:
        """The word or branching phrase below a phrase of one child of one child ..."""
        node = self
        while not node.is_word and len(node.children) == 1:
            node = node.children[0]
        return node

    def words(self) -> Iterator[Node]:
        """The words below, left to right."""
        return (node for node in self.nodes() if node.is_word)


def first_of(nodes: Iterable[Node], *labels: str) -> Node | None:
    """The first node with one of these labels."""
    return next((node for node in nodes if node.label in labels), None)


def place_of(nodes: Sequence[Node], is_it: Callable[[Node], object]) -> int | None:
    """The place of the first node that is such a one."""
    return next((i for i, node in enumerate(nodes) if is_it(node)), None)


def without_marks(nodes: Iterable[Node]) -> list[Node]:
    """All but the punctuation marks."""
    return [node for node in nodes if not node.is_mark]


def give_role(nodes: Iterable[Node], role: str) -> None:
    """The same role for all of them; marks are marks."""
    for node in nodes:
        node.role = "mark" if node.is_mark else role


def shown(node: Node) -> str:
    """The words, for a message."""
    return " ".join(word.word for word in node.words())[:60]


def from_tree(tree: Tree) -> Node:
    """The node of a Penn tree, empty elements as words with the tag ``-NONE-``."""
    label: str = tree.label()
    if isinstance(tree[0], str):
        return Node(label, word=tree[0])
    children = [from_tree(child) for child in tree]
    if label.startswith("-"):
        return Node(label, children=children)
    bare, *rest = re.split(r"[-=]", label)  # NP-SBJ-2
    indexes = [part for part in rest if part.isdecimal()]
    tags = frozenset(part for part in rest if not part.isdecimal())
    return Node(bare.split("|")[0], tags, "-".join(indexes[:1]), children)


def to_tree(node: Node, *, roles: bool = False) -> Tree:
    """The node as an ``nltk.Tree``; with ``roles``, each label says what the node is there."""
    label = "-".join([node.label, *sorted(node.tags), *filter(None, [node.index])])
    if roles and node.role:
        label = f"{label}:{node.role}"
    below = [f"*T*-{node.trace}"] if node.trace else [node.word]
    if not node.trace and not node.is_word:
        below = [to_tree(child, roles=roles) for child in node.children]
    return PhraseTree(label, below)
