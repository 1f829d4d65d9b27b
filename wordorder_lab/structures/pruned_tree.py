"""A phrase-structure tree without some of its words."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

from wordorder_lab.structures.phrase_nodes import phrase_nodes

if TYPE_CHECKING:
    from nltk.tree import Tree


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
