"""What a best-first search gives: words in order with a tree over them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wordorder_lab.best_first.edge import Edge
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.problem import Item


class Ordering(NamedTuple):
    """One output: items in surface order, their heads (places, -1 for a root), and how it came.

    ``actions`` are the derivation in post-order: ``leaf-FORM-POS``, ``HeadLeft``, ``HeadRight``,
    where what a combination takes stands before it. A default output may lack words of the bag,
    and its heads may form several trees: their derivations stand one after the other. In CCG
    ``derivations`` are these, one for a goal.
    """

    items: tuple[int, ...]
    heads: tuple[int, ...]
    score: float
    actions: tuple[str, ...]
    derivations: tuple[Derivation, ...] = ()


def join(pieces: Sequence[Edge], scaled: bool, problem_items: Sequence[Item] = ()) -> Ordering:
    """Edges one after the other as an output; their heads form a forest if there are several.

    Its score is theirs together, divided by all actions where scores are scaled. Edges of CCG need
    the items of their problem, for the words of their derivations.
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
    derivations = tuple(derivation_of(edge, problem_items) for edge in pieces if edge.category)
    return Ordering(tuple(items), tuple(heads), score, tuple(actions), derivations)


def derivation_of(edge: Edge, problem_items: Sequence[Item]) -> Derivation:
    """The CCG derivation of an edge; a phrase that is kept whole is one leaf."""
    built: dict[int, Derivation] = {}
    for part in edge.post_order():
        assert part.category is not None
        if part.rule is None:
            item = problem_items[part.items[0]]
            built[part.serial] = Derivation.leaf(item.form, item.pos, part.category)
        else:
            below = tuple(built[one.serial] for one in part.parts)
            built[part.serial] = Derivation(part.category, below, part.rule.head)
    return built[edge.serial]
