"""The tree that the steps work on: Penn labels taken apart, roles, kept traces.

A Penn label such as ``NP-SBJ-2`` is a category, function tags and an index; the steps ask for each
of them all the time. ``to_tree`` makes an ``nltk.Tree`` of a node again, for whoever looks on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from nltk.tree import Tree

PUNCTUATION = frozenset([",", ":", ".", "``", "''", "-LRB-", "-RRB-"])
_INDEX = re.compile(r"\d+")


class NotConverted(ValueError):
    """A tree has no derivation: a short ``reason`` and one line of detail."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


@dataclass(slots=True, eq=False)
class Node:
    """A phrase, a word (``word`` is set) or a trace (``trace`` is the index of what was moved).

    ``role`` says what it is to its parent: head, complement, adjunct, punctuation, conjunction,
    conjunct, filler. ``form`` is the clause feature of a verb, ``category`` a category that an
    earlier step has settled, ``filler`` the index of an empty relative pronoun.
    """

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
        return self.is_word and self.label in PUNCTUATION

    def phrase(self, label: str, children: list[Node]) -> Node:
        """A new phrase of ``children`` that stands inside this one."""
        return Node(label, children=children)

    def words(self) -> Iterator[Node]:
        """The words below, left to right."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if node.is_word:
                yield node
            waiting += reversed(node.children)


def from_tree(tree: Tree) -> Node:
    """The node of a Penn tree, empty elements as words with the tag ``-NONE-``."""
    label, tags, index = parts_of_label(tree.label())
    if isinstance(tree[0], str):
        return Node(tree.label(), word=tree[0])
    return Node(label, tags, index, [from_tree(child) for child in tree])


def parts_of_label(label: str) -> tuple[str, frozenset[str], str]:
    """``NP-SBJ-2`` as ``NP``, its function tags and its index."""
    if label.startswith("-"):
        return label, frozenset(), ""
    bare, *rest = re.split(r"[-=]", label)
    indexes = [part for part in rest if _INDEX.fullmatch(part)]
    tags = frozenset(part for part in rest if not _INDEX.fullmatch(part))
    return bare.split("|")[0], tags, "-".join(indexes[:1])


def to_tree(node: Node, *, roles: bool = False) -> Tree | str:
    """The node as an ``nltk.Tree``; with ``roles``, each label says what the node is there."""
    from wordorder_lab.structures.phrase_tree import PhraseTree

    label = "-".join([node.label, *sorted(node.tags), *filter(None, [node.index])])
    if roles and node.role:
        label = f"{label}:{node.role}"
    if node.trace:
        return PhraseTree(label, [f"*T*-{node.trace}"])
    if node.is_word:
        return PhraseTree(label, [node.word])
    return PhraseTree(label, [to_tree(child, roles=roles) for child in node.children])
