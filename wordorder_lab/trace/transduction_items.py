"""What follows from the books of a tree transduction: trees, words, grids, the best item.

``state`` is that of ``transduction.py``. Trees are rebuilt from the rules' own text, so that a log
need not hold them: the target side of the rule, its variables filled by the items that were chosen.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from wordorder_lab.structures.elementary_tree import ElementaryTree
from wordorder_lab.structures.synchronous_rule import SynchronousRule, parse_rule


@lru_cache(maxsize=10_000)
def rule_of(text: str) -> SynchronousRule | None:
    """The rule of a text; ``None`` where it is none."""
    try:
        return parse_rule(text)
    except ValueError:
        return None


def categories_of(text: str) -> list[str]:
    """The target categories of a rule's variables, in their order; none where it is no rule."""
    rule = rule_of(text)
    leaves = rule.target.frontier() if rule else ()
    return [leaf.label for leaf in leaves if isinstance(leaf, ElementaryTree)]


def item_of(state: dict[str, Any], item: int | None) -> dict[str, Any] | None:
    """The item with this number; ``None`` if there is none."""
    return state["items"][item - 1] if item and 0 < item <= len(state["items"]) else None


def tree_of(state: dict[str, Any], item: int | None) -> list[Any]:
    """The target tree of an item: ``[label, child, ...]``, words as they are.

    What is not known of it is a node ``"?"`` without children.
    """
    found = item_of(state, item)
    rule = found and rule_of(state["applications"][found["application"]]["rule"])
    if not found or not rule:
        return ["?"]
    return _with(rule.target, [tree_of(state, part) for part in found["parts"]])


def words_of(state: dict[str, Any], item: int | None) -> list[str]:
    """The words of an item in order."""
    return leaves_of(tree_of(state, item))


def derived_tree(state: dict[str, Any], applications: list[int]) -> list[Any]:
    """The target tree of a derivation: its applications in pre-order, as an output lists them."""
    return _derived(state, [*reversed(applications)])


def best_of(state: dict[str, Any], place: int) -> int | None:
    """The best item of a cell: the first of a full one, the best so far of one that is not."""
    cell = state["cells"][place]
    if cell["items"] is not None:
        return cell["items"][0] if cell["items"] else None
    here = {one["item"]: None for one in cell["taken"]}
    found = [one for one in (item_of(state, item) for item in here) if one]
    ranked = sorted(found, key=lambda one: (-one["score"] - one["loss"], one["item"]))
    return ranked[0]["item"] if ranked else None


def frontier_of(state: dict[str, Any], place: int, application: int) -> list[list[int]]:
    """What waits in the queue of cube pruning: places in this application's grid, sorted.

    At first the best of everything; then what follows on something that was taken, one step on in
    its last dimension that is not 0, or in a later one (``transduction/cube_pruning.py``).
    """
    sizes = [len(side) for side in sides_of(state, application)]
    if not all(sizes):
        return []
    of_cell = state["cells"][place]["taken"]
    mine = [one["ranks"] for one in of_cell if one["application"] == application]
    if not mine:
        return [[0] * len(sizes)]
    found = [step for ranks in mine for step in _steps(ranks, sizes) if step not in mine]
    return [[*step] for step in sorted({tuple(step) for step in found})]


def sides_of(state: dict[str, Any], application: int) -> list[list[int]]:
    """The items of the cells of an application's variables, best first: the sides of its grid."""
    if not 0 <= application < len(state["applications"]):
        return []
    told = state["applications"][application]
    categories = categories_of(told["rule"])
    pairs = zip(told["children"], categories, strict=False)
    return [_cell_items(state, node, category) for node, category in pairs]


def _derived(state: dict[str, Any], ahead: list[int]) -> list[Any]:
    """The tree of the last application in ``ahead``, which is taken off with all below it."""
    number = ahead.pop() if ahead else -1
    known = 0 <= number < len(state["applications"])
    told = state["applications"][number] if known else None
    rule = told and rule_of(told["rule"])
    if not told or not rule:
        return ["?"]
    below = [_derived(state, ahead) for _ in told["children"]]
    return _with(rule.target, below)


def _steps(ranks: list[int], sizes: list[int]) -> list[list[int]]:
    """The places in a grid that follow on one."""
    last = max((k for k, rank in enumerate(ranks) if rank), default=0)
    dimensions = range(last, min(len(sizes), len(ranks)))
    steps = ([*ranks[:k], ranks[k] + 1, *ranks[k + 1 :]] for k in dimensions)
    return [step for k, step in zip(dimensions, steps) if step[k] < sizes[k]]


def _cell_items(state: dict[str, Any], node: int, category: str) -> list[int]:
    place = state["places"].get(f"{node} {category}")
    return [] if place is None else state["cells"][place]["items"] or []


def _with(node: ElementaryTree, below: list[list[Any]]) -> list[Any]:
    """A rule's side with these trees for its variables."""
    if node.is_frontier:
        return below[node.index - 1] if 0 < node.index <= len(below) else ["?"]
    children = (child if isinstance(child, str) else _with(child, below) for child in node.children)
    return [node.label, *children]


def leaves_of(tree: list[Any]) -> list[str]:
    """The words of a tree in order."""
    found: list[str] = []
    for child in tree[1:]:
        found += [child] if isinstance(child, str) else leaves_of(child)
    return found
