"""What stands where in a new edge of the CCG systems: the slots of Table 1.

Zhang & Clark 2015, sections 3.2 and 3.3, Table 1.

    all edges      category, size in words, head word
    words > 1      the first two words, the last two
    binary edges   rule, head word, the other part's head word; B-2 B-1 | B B+1 around the boundary
                   of the two parts, and C-2 C-1 | C C+1, their lexical categories
    unary edges    rule, head word

Differences. An empty slot silences the templates that look at it. The size and "words > 1" count
units: a base NP that is kept whole is one.
"""

from __future__ import annotations

from collections.abc import Sequence

from wordorder_lab.features.arc_context import EdgeContext
from wordorder_lab.features.ccg_notation import ALL, BINARY, LONGER, UNARY
from wordorder_lab.structures.edge import Edge
from wordorder_lab.structures.problem import Item


def constituent_contexts(
    edge: Edge, problem_items: Sequence[Item]
) -> list[tuple[str, EdgeContext]]:
    """The sections that see this edge, in order of evaluation, with the content of their slots."""
    words = [problem_items[item] for item in edge.items]
    pairs = [(item.word, item.pos) for item in words]
    head = pairs[edge.root]
    label: EdgeContext = {"category": str(edge.category)}
    found: list[tuple[str, EdgeContext]] = [(ALL, {**label, "size": edge.size, "head": head})]
    if edge.size > 1:
        ends = {"0": pairs[0], "1": pairs[1], "-2": pairs[-2], "-1": pairs[-1]}
        found.append((LONGER, {**label, **ends}))
    if edge.left is None or edge.rule is None:
        return found
    rule: EdgeContext = {"rule": edge.rule.text, "head": head}
    if edge.right is None:
        return [*found, (UNARY, rule)]
    other = edge.left if edge.rule.head else edge.right
    nonhead = problem_items[other.items[other.root]]
    return [
        *found,
        (
            BINARY,
            {**rule, "nonhead": (nonhead.word, nonhead.pos), **_boundary(words, edge.left.size)},
        ),
    ]


def _boundary(words: Sequence[Item], cut: int) -> EdgeContext:
    """The two words on each side of a boundary, and their lexical categories."""
    found: dict[str, tuple[str, str] | str | None] = {}
    for place, name in ((cut - 2, "-2"), (cut - 1, "-1"), (cut, ""), (cut + 1, "+1")):
        item = words[place] if 0 <= place < len(words) else None
        found[f"B{name}"] = (item.word, item.pos) if item else None
        found[f"C{name}"] = str(item.category) if item else None
    return found
