"""Rules that are made for a source tree, so that it has compressions whatever was learned.

Cohn & Lapata (2009), section 3.2, the end. Copy rules take a node and its children over, so every
tree can be covered. Deletion rules keep the most important children, the first, the first two, and
so on; the order is that of the head rules. Where one child is left, it may also take the place of
its parent.

Differences: the limits on the size of a rule do not hold here, or a wide node could not be copied.
"""

from __future__ import annotations

from collections.abc import Iterator

from wordorder_lab.structures.elementary_tree import EPSILON, ElementaryTree
from wordorder_lab.structures.head_order import HeadOrder
from wordorder_lab.structures.synchronous_rule import SynchronousRule, synchronous_rule


def copy_rule(label: str, below: tuple[str, ...], is_word: bool) -> SynchronousRule:
    """A node with these children (or this word) as it is."""
    if is_word:
        side = ElementaryTree(label, below)
    else:
        children = (ElementaryTree(child, (), i) for i, child in enumerate(below, 1))
        side = ElementaryTree(label, tuple(children))
    return synchronous_rule(side, side)


def deletion_rules(
    label: str, below: tuple[str, ...], order: HeadOrder
) -> Iterator[SynchronousRule]:
    """The rules that keep the first child in the order of heads, the first two, ..., all."""
    heads = order.order(label, below)
    for kept in range(1, len(below) + 1):
        left = sorted(heads[:kept])
        children = [
            ElementaryTree(child, (), i + 1 if i in left else EPSILON)
            for i, child in enumerate(below)
        ]
        source = ElementaryTree(label, tuple(children))
        target = tuple(children[i] for i in left)
        yield synchronous_rule(source, ElementaryTree(label, target))
        if kept == 1:
            yield synchronous_rule(source, target[0])
