"""Tree transduction after k events of a log: applications of rules, cells, and their items.

The log says which rules match where, and which combinations cube pruning took (Cohn & Lapata 2009,
section 3.4; Chiang 2007). The state after k events:

    source        labels, parents (-1: none), words ("" for inner nodes), nodes in post-order; None
                  where the log does not tell
    expected      how many applications were announced
    applications  a dictionary each, by number: application, node, category, rule, origin, children
                  (the nodes of its variables), deleted, score
    points        [application, feature, points] in the order of their coming
    cells         a dictionary each, in the order of filling: cell, node, category, taken (the
                  combinations, as the log has them: serial, application, ranks, heuristic, score,
                  ngrams, loss, item, outcome), items (``None`` until the cell is full)
    places        "node category" -> the place of its cell in ``cells``
    items         a dictionary each, by number from 1: item, place (of its cell in ``cells``),
                  application, ranks, parts (the items of the variables; ``None`` where unknown),
                  heuristic, score, ngrams, loss, serial. One that is `better` reached anew replaces
                  what stood there
    outputs       rank, score, applications (in pre-order), words
    violation     of this search, in learning: example, loss, margin, violation; or ``None``
    solved        [iteration, constraints, primal, dual, bound], of the whole log

An item is made of earlier ones only. Events of which something is missing (a log recorded with
``only``) change nothing that could be wrong. Trees are rebuilt from the rules' own text, so that a
log need not hold them (the target side of the rule, its variables filled by the items that were
chosen). The player's `transduction.js` and `items.js` are the twins.
"""

from __future__ import annotations

from functools import lru_cache

from wordorder_lab.structures.synchronous_rule import ElementaryTree, SynchronousRule, parse_rule
from wordorder_lab.trace.reducers import Row, State, by_kind, copied, lists, named

KINDS = set("source application points cell combined filled compressed violation solved".split())
"""The kinds that only a log of tree transduction has."""


def start() -> State:
    """Before the first event: no search, no source tree."""
    empty = lists("units", "applications", "points", "cells", "items", "outputs", "solved")
    numbers = {"search": 0, "beam": 0, "expected": 0}
    return {**numbers, **empty, "places": {}, "source": None, "violation": None}


def copy(state: State) -> State:
    """A checkpoint. Only the last cell grows; what else there is never changes, and is shared."""
    own = copied(state)
    own["cells"][-1:] = [{**last, "taken": [*last["taken"]]} for last in own["cells"][-1:]]
    return own


def _begin(state: State, units: list[str], _counts: list[int], items: int, beam: int) -> None:
    kept = {"search": state["search"] + 1, "solved": state["solved"]}
    state.update(start(), **kept, units=units, beam=beam, expected=items)


def _application(state: State, *values: object) -> None:
    made = named("application", values)
    if made["application"] == len(state["applications"]):  # none before it is missing
        state["applications"].append(made)


def _points(state: State, *values: object) -> None:
    state["points"].append([*values])


def _cell(state: State, cell: int, node: int, category: str) -> None:
    state["places"][f"{node} {category}"] = len(state["cells"])
    fresh = {"cell": cell, "node": node, "category": category, "taken": [], "items": None}
    state["cells"].append(fresh)


def _combined(state: State, *values: object) -> None:
    if not state["cells"]:
        return
    taken = named("combined", values)
    item, application = taken["item"], taken["application"]
    state["cells"][-1]["taken"].append(taken)
    known = 0 <= application < len(state["applications"])
    if not known or not 0 < item <= len(state["items"]) + 1 or taken["outcome"] == "worse":
        return
    sides = sides_of(state, application)
    parts = [
        sides[k][rank] if k < len(sides) and 0 <= rank < len(sides[k]) else None
        for k, rank in enumerate(taken["ranks"])
    ]
    parts = [part if part and part < item else None for part in parts]
    made = {name: value for name, value in taken.items() if name != "outcome"}
    state["items"][item - 1 : item] = [{**made, "place": len(state["cells"]) - 1, "parts": parts}]


def _filled(state: State, cell: int, items: list[int]) -> None:
    for place in range(len(state["cells"]) - 1, -1, -1):
        if state["cells"][place]["cell"] == cell:
            state["cells"][place] = {**state["cells"][place], "items": items}
            return


def _solved(state: State, *values: object) -> None:
    state["solved"].append([*values])


_STORED = {"source": "source", "violation": "violation"}
apply = by_kind(globals(), _STORED, {"compressed": "outputs"})


# --- What follows from the books: trees, words, grids, the best item


@lru_cache(maxsize=10_000)
def rule_of(text: str) -> SynchronousRule | None:
    """The rule of a text; ``None`` where it is none."""
    try:
        return parse_rule(text)
    except ValueError:
        return None


def item_of(state: State, item: int | None) -> State | None:
    """The item with this number; ``None`` if there is none."""
    return state["items"][item - 1] if item and 0 < item <= len(state["items"]) else None


def tree_of(state: State, item: int | None) -> Row:
    """The target tree of an item, ``[label, child, ...]``; what is not known of it is ``["?"]``."""
    found = item_of(state, item)
    rule = found and rule_of(state["applications"][found["application"]]["rule"])
    if not found or not rule:
        return ["?"]
    return _with(rule.target, [tree_of(state, part) for part in found["parts"]])


def words_of(state: State, item: int | None) -> list[str]:
    """The words of an item in order."""
    return leaves_of(tree_of(state, item))


def sides_of(state: State, application: int) -> list[list[int]]:
    """The items of the cells of an application's variables, best first: the sides of its grid."""
    if not 0 <= application < len(state["applications"]):
        return []
    found = state["applications"][application]
    rule = rule_of(found["rule"])
    leaves = rule.target.frontier() if rule else ()
    categories = [leaf.label for leaf in leaves if isinstance(leaf, ElementaryTree)]
    pairs = zip(found["children"], categories, strict=False)
    places = [state["places"].get(f"{node} {category}") for node, category in pairs]
    cells = [None if place is None else state["cells"][place] for place in places]
    return [(cell and cell["items"]) or [] for cell in cells]


def _with(node: ElementaryTree, below: list[Row]) -> Row:
    if node.is_frontier:
        return below[node.index - 1] if 0 < node.index <= len(below) else ["?"]
    children = (child if isinstance(child, str) else _with(child, below) for child in node.children)
    return [node.label, *children]


def leaves_of(tree: Row) -> list[str]:
    """The words of a tree in order."""
    found: list[str] = []
    for child in tree[1:]:
        found += [child] if isinstance(child, str) else leaves_of(child)
    return found
