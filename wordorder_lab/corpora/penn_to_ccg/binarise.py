r"""Binarisation: every phrase gets two children at most.

The step makeBinary of Hockenmaier & Steedman (2007). In a verb phrase all that is right of the head
joins it first, from the inside out, then all that is left of it. In a clause it is the other way:
the subject comes first, so that what follows the predicate modifies the clause.

Differences
- *Our reading*, makeBinary: a comma before a modifier joins the modifier, one behind a phrase at
  the left joins that phrase; all other marks join what has been built so far.
"""

from __future__ import annotations

from dataclasses import replace

from wordorder_lab.corpora.penn_to_ccg.node import Node

_LEFT_FIRST = frozenset(["S", "SBAR", "RRC", "WHNP", "NP", "FRAG"])


def binarise(node: Node) -> Node:
    """A copy in which no phrase has more than two children; types stay as they are."""
    if node.is_word or node.trace:
        return node
    children = [binarise(child) for child in node.children]
    whole = replace(node, children=children)
    if len(children) <= 2 and not any(c.role == "apposition" for c in children):
        return whole
    if node.form in ("nested", "conj"):
        return whole
    at = next((i for i, c in enumerate(children) if c.role == "head"), len(children) - 1)
    left, right = _grouped_left(children[:at]), _grouped_right(children[at + 1 :])
    inner = children[at]
    for side in ("left", "right") if node.label in _LEFT_FIRST else ("right", "left"):
        pairs = reversed(left) if side == "left" else right
        for child in pairs:
            inner = _joined(node, child, inner) if side == "left" else _joined(node, inner, child)
    whole.children, whole.form = inner.children, inner.form or node.form
    return whole


def _joined(node: Node, left: Node, right: Node) -> Node:
    if right.role == "conjuncts":
        left.role = "conjunct" if left.role == "head" else left.role
        left = replace(left, role="conjunct")
        return Node(node.label, children=[left, right], role="head", form="nested")
    return Node(node.label, children=[left, right], role="head")


def _grouped_left(children: list[Node]) -> list[Node]:
    """Marks behind something join it; marks at the front stay alone."""
    grouped: list[Node] = []
    for child in children:
        if (
            child.role == "mark"
            and grouped
            and grouped[-1].role != "mark"
            and not grouped[-1].trace
        ):
            grouped[-1] = _with_mark(grouped[-1], [grouped[-1], child])
        else:
            grouped.append(child)
    return grouped


def _grouped_right(children: list[Node]) -> list[Node]:
    """Marks before a modifier join it, and before an apposition they are its conjunction."""
    grouped: list[Node] = []
    for child in children:
        while grouped and grouped[-1].role == "mark" and child.role == "adjunct":
            child = _with_mark(child, [grouped.pop(), child])
        if child.role == "apposition":
            conjunction = replace(grouped.pop(), role="conjunction")
            pair = [conjunction, replace(child, role="conjunct")]
            child = Node("NP", children=pair, role="conjuncts", form="conj")
        grouped.append(child)
    return grouped


def _with_mark(node: Node, children: list[Node]) -> Node:
    inside = [replace(c, role="head") if c is node else c for c in children]
    return replace(node, children=inside, form="marked", word="", trace="")
