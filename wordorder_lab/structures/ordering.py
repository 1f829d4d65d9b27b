"""What a best-first search gives: words in order with a tree over them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wordorder_lab.structures.edge import Edge


class Ordering(NamedTuple):
    """One output: items in surface order, their heads (places, -1 for a root), and how it came.

    ``actions`` are the derivation in post-order: ``leaf-FORM-POS``, ``HeadLeft``, ``HeadRight``,
    where what a combination takes stands before it. A default output may lack words of the bag,
    and its heads may form several trees: their derivations stand one after the other.
    """

    items: tuple[int, ...]
    heads: tuple[int, ...]
    score: float
    actions: tuple[str, ...]


def join(pieces: Sequence[Edge], scaled: bool) -> Ordering:
    """Edges one after the other as an output; their heads form a forest if there are several.

    Its score is theirs together, divided by all actions where scores are scaled.
    """
    items: list[int] = []
    heads: list[int] = []
    actions: list[str] = []
    score = 0.0
    for edge in pieces:
        heads += [head if head < 0 else head + len(items) for head in edge.heads]
        items += edge.items
        actions += [part.action for part in edge.post_order()]
        score += edge.total
    if scaled and actions:
        score /= len(actions)
    return Ordering(tuple(items), tuple(heads), score, tuple(actions))
