"""Question words and relative pronouns with what belongs to them: which dog, how big, in which.

Fronted phrases of Hockenmaier & Steedman (2007): the asking word is the head, however deep it sits,
since it is the one that takes the clause; the rest is its complement or modifies it.
"""

from __future__ import annotations

from wordorder_lab.corpora.penn_to_ccg.coordination import coordinate, is_coordinated
from wordorder_lab.corpora.penn_to_ccg.node import Node
from wordorder_lab.corpora.penn_to_ccg.tables import HEADS, WH_LABELS

_WITH_NOUN = frozenset(["WHADJP", "WHADVP", "WHNP"])


def arrange(node: Node) -> None:
    """Roles in a WHNP, WHPP, WHADVP or WHADJP."""
    if is_coordinated(node) and node.children[-1].label in WH_LABELS:
        coordinate(node)
        return
    head = _asking(node)
    if node.label == "WHNP":
        _group_noun(node, head)
    of_which = node.label == "WHNP" and node.children[head].label == "WHPP"
    for i, child in enumerate(node.children):
        if child.is_mark:
            child.role = "mark"
        elif i == head:
            child.role = "head"
        elif of_which:
            child.role, child.category = "complement", "NP"
        else:
            asked = i > head and node.label in ("WHADVP", "WHADJP")
            is_part = asked or child.label in ("N", "NP", "IN", "TO")
            child.role = "complement" if is_part else "adjunct"


def _asking(node: Node) -> int:
    """The place of the child with the asking word: of which, before the friend of which."""
    labels = [child.label for child in node.children]
    if node.label == "WHNP" and "WHPP" in labels:
        return labels.index("WHPP")
    if node.label in ("WHNP", "WHPP"):
        inside = (i for i, label in enumerate(labels) if label in WH_LABELS)
        return next(inside, HEADS.head(node.label, labels))
    return HEADS.head(node.label, labels)


def _group_noun(node: Node, head: int) -> None:
    """How many dogs: the noun is the complement of "how many", and "many" is NP/N."""
    asking, rest = node.children[head], node.children[head + 1 :]
    if asking.label not in _WITH_NOUN or not rest:
        return
    for child in asking.children:
        if child.label in ("JJ", "RB"):
            child.category = "NP/N"
    noun = Node("N", children=rest, role="complement", category="N")
    node.children = [*node.children[: head + 1], noun]
