"""Rules with two children at most: head-driven binarisation, with a horizontal memory.

A node with children L2 L1 H R1 R2 is built from its head outwards, first to the right, then to the
left; what is half built is a symbol of its own:

    H                        the head child
    @X>R1  ->  H R1
    @X>R2  ->  @X>R1 R2
    @X<L1  ->  L1 @X>R2
    X      ->  L2 @X<L1      the last step has the node's own symbol

``@X`` remembers the node's symbol, on which side the last child came, and the labels of the last
``horizontal`` children, after Klein & Manning (2003): with all of them it is the treebank's own
grammar; with 1 or 2, rules are made that the treebank does not have.

Differences
- *Our reading*, the paper was not at hand: a half-built symbol remembers its head's label only
  where the last children are fewer than ``horizontal``.
"""

from __future__ import annotations

from collections.abc import Iterator

from wordorder_lab.parsing.annotation import Node

Step = tuple[str, tuple[str, ...]]
"""A rule: the parent's symbol and those of one or two children."""


def is_half(symbol: str) -> bool:
    """Whether a symbol was made by binarisation, and is no node of a tree."""
    return symbol.startswith("@")


def steps(node: Node, horizontal: int) -> Iterator[Step]:
    """The rules that build one node from its children; nothing for a tag."""
    if not node.children:
        return
    if len(node.children) == 1:
        yield node.symbol, (node.children[0].symbol,)
        return
    rights = [(">", child) for child in node.children[node.head + 1 :]]
    lefts = [("<", child) for child in reversed(node.children[: node.head])]
    head = node.children[node.head]
    current, memory = head.symbol, [head.label]
    order = rights + lefts
    for number, (side, child) in enumerate(order, start=1):
        memory.append(child.label)
        last = memory[-horizontal:] if horizontal else []
        half = f"@{node.symbol}{side}{'_'.join(last)}"
        parent = node.symbol if number == len(order) else half
        yield parent, (current, child.symbol) if side == ">" else (child.symbol, current)
        current = parent


def every_step(node: Node, horizontal: int) -> Iterator[Step]:
    """The rules of a whole tree, its root's first."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield from steps(one, horizontal)
        waiting += reversed(one.children)
