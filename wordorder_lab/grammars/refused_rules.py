"""Why two CCG edges are not joined: the bag, the given orders, or no rule for their categories.

The sentences are for people; nothing is decided here.
"""

from __future__ import annotations

from wordorder_lab.grammars.bag_counts import BagCounts
from wordorder_lab.grammars.ccg_rules import CCGRules
from wordorder_lab.grammars.refused_links import why_not_together
from wordorder_lab.structures.edge import Edge
from wordorder_lab.structures.problem import OrderingProblem


def why_not_joined(
    rules: CCGRules, bag: BagCounts, problem: OrderingProblem, left: Edge, right: Edge
) -> str | None:
    """Why ``right`` after ``left`` makes no edge; ``None`` if CANCOMBINE holds and a rule fits."""
    types = range(len(bag.most))
    return why_not_together(problem, types, bag.most, bag.before, left, right) or _why_no_rule(
        rules, left, right
    )


def _why_no_rule(rules: CCGRules, left: Edge, right: Edge) -> str | None:
    if rules.binary_of(left, right):
        return None
    pair = f"{left.category} followed by {right.category}"
    turned = rules.binary_of(right, left)
    other = "; in the other order there is one" if turned and left is not right else ""
    return f"training had no rule for {pair}{other}"
