"""``Tree``: nltk's class of phrase-structure trees, and where nltk is not, what we use of it.

A browser's Python has no nltk, which wants regex and sqlite3. ``PlainTree`` has the methods of
``nltk.Tree`` that this package calls, and they give the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Self

_TOKEN = re.compile(r"\(\s*(?P<label>(?:\\[()]|[^\s()])*)|\)|(?P<word>(?:\\[()]|[^\s()])+)")


class PlainTree(list[Any]):
    """A label and a list of children: trees, or words."""

    def __init__(self, label: Any, children: Iterable[Any]) -> None:
        super().__init__(children)
        self._label = label

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PlainTree) or type(self) is not type(other):
            return False
        return bool(self._label == other._label) and list(self) == list(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __getitem__(self, at: Any) -> Any:
        """The child of a number, or what is below at a tuple of them."""
        if not isinstance(at, tuple):
            return super().__getitem__(at)
        node = self
        for number in at:
            node = node[number]
        return node

    def __setitem__(self, at: Any, value: Any) -> None:
        if not isinstance(at, tuple):
            super().__setitem__(at, value)
        else:
            self[at[:-1]][at[-1]] = value

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._label!r}, {list(self)!r})"

    def __str__(self) -> str:
        return self.pformat()

    def label(self) -> Any:
        """The label of the node."""
        return self._label

    def set_label(self, label: Any) -> None:
        """Give the node another label."""
        self._label = label

    def leaves(self) -> list[Any]:
        """The words, from left to right."""
        return [leaf for leaf, _ in self.pos()]

    def pos(self) -> list[tuple[Any, Any]]:
        """The words, each with the label of the node above it."""
        found = []
        for child in self:
            found += child.pos() if isinstance(child, PlainTree) else [(child, self._label)]
        return found

    def subtrees(self, filter: Callable[[Any], bool] | None = None) -> Iterator[Any]:
        """All nodes for which ``filter`` is true, each before its children."""
        if filter is None or filter(self):
            yield self
        for child in self:
            if isinstance(child, PlainTree):
                yield from child.subtrees(filter)

    def leaf_treeposition(self, index: int) -> tuple[int, ...]:
        """The place of the word of this number, from 0; ``IndexError`` where there is none."""
        left = index
        for at, child in enumerate(self):
            is_tree = isinstance(child, PlainTree)
            size = len(child.leaves()) if is_tree else 1
            if 0 <= left < size:
                return (at, *child.leaf_treeposition(left)) if is_tree else (at,)
            left -= size
        raise IndexError(f"the tree has no word {index}")

    def copy(self, deep: bool = False) -> Self:
        """A copy of the node with the same children; if ``deep``, with copies of them."""
        return self.convert(self) if deep else type(self)(self._label, self)

    @classmethod
    def convert(cls, tree: Any) -> Any:
        """A deep copy whose nodes are of this class."""
        if not isinstance(tree, PlainTree):
            return tree
        return cls(tree._label, [cls.convert(child) for child in tree])

    @classmethod
    def fromstring(cls, text: str, remove_empty_top_bracketing: bool = False) -> Self:
        """The tree of a bracketed text; ``ValueError`` where it is not one whole tree."""
        found: list[Any] = []
        open_nodes: list[tuple[str, list[Any]]] = []
        for token in _TOKEN.finditer(text):
            if found or not (open_nodes or token["label"] is not None):
                raise ValueError(f"{token.group()} stands outside of the tree")
            if token["label"] is not None:
                open_nodes.append((token["label"], []))
                continue
            done = token["word"] or cls(*open_nodes.pop())
            (open_nodes[-1][1] if open_nodes else found).append(done)
        if not found:
            raise ValueError("a closing bracket is missing" if open_nodes else "there is no tree")
        tree: Self = found[0]
        empty = remove_empty_top_bracketing and tree._label == "" and len(tree) == 1
        return tree[0] if empty else tree

    def pformat(self, margin: int = 70, indent: int = 0) -> str:
        """The bracketed text, in one line if that ends before ``margin``."""
        flat = f"({self._label} {' '.join(map(_one_line, self))})"
        if len(flat) + indent < margin:
            return flat
        lines = [f"({self._label}"]
        for child in self:
            is_tree = isinstance(child, PlainTree)
            below = child.pformat(margin, indent + 2) if is_tree else _one_line(child)
            lines.append(" " * (indent + 2) + below)
        return "\n".join(lines) + ")"


def _one_line(node: Any) -> str:
    if isinstance(node, PlainTree):
        return node.pformat(margin=10**9)
    return "/".join(node) if isinstance(node, tuple) else str(node)


if TYPE_CHECKING:
    from nltk.tree import Tree as Tree
else:
    try:
        from nltk.tree import Tree as Tree
    except ImportError:
        Tree = PlainTree
