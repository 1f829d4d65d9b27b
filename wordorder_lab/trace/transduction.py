"""Tree transduction after k events of a log: applications of rules, cells, and their items.

The log says which rules match where, and which combinations cube pruning took (Cohn & Lapata 2009,
section 3.4; Chiang 2007). This file only keeps the books. The state after k events:

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
``only``) change nothing that could be wrong. ``transduction_items.py`` reads trees, words and
grids off these books. The player's `transduction.js` is the twin of this file; a test holds the two
to the same states.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wordorder_lab.trace.transduction_items import sides_of

KINDS = {
    *("source", "application", "points", "cell", "combined", "filled", "compressed"),
    *("violation", "solved"),
}
"""The kinds that only a log of tree transduction has."""

GROWING = ("applications", "points", "cells", "items", "outputs", "solved")
COMBINATION = ("application", "ranks", "heuristic", "score", "ngrams", "loss", "serial")


def start() -> dict[str, Any]:
    """Before the first event: no search, no source tree."""
    return {
        "search": 0,
        "units": [],
        "beam": 0,
        "expected": 0,
        "source": None,
        "applications": [],
        "points": [],
        "cells": [],
        "places": {},
        "items": [],
        "outputs": [],
        "violation": None,
        "solved": [],
    }


def copy(state: dict[str, Any]) -> dict[str, Any]:
    """A checkpoint. Only the last cell grows; what else there is never changes, and is shared."""
    lists = {name: [*state[name]] for name in GROWING}
    if lists["cells"]:
        last = lists["cells"][-1]
        lists["cells"][-1] = {**last, "taken": [*last["taken"]]}
    return {**state, **lists, "places": dict(state["places"])}


def apply(state: dict[str, Any], event: tuple) -> None:
    """Change the state by one event; kinds of other searches change nothing."""
    kind, *values = event
    if kind in _APPLY:
        _APPLY[kind](state, *values)


def _begin(state: dict[str, Any], units: list, counts: list, items: int, beam: int) -> None:
    kept = {"search": state["search"] + 1, "solved": state["solved"]}
    state.update(start(), **kept, units=units, beam=beam, expected=items)


def _source(state: dict[str, Any], labels: list, parents: list, words: list) -> None:
    state["source"] = {"labels": labels, "parents": parents, "words": words}


def _application(
    state: dict[str, Any],
    application: int,
    node: int,
    category: str,
    rule: str,
    origin: str,
    children: list,
    deleted: list,
    score: float,
) -> None:
    if application != len(state["applications"]):
        return  # one before it is missing
    told = {"application": application, "node": node, "category": category, "rule": rule}
    told |= {"origin": origin, "children": children, "deleted": deleted, "score": score}
    state["applications"].append(told)


def _points(state: dict[str, Any], *told: Any) -> None:
    state["points"].append([*told])


def _cell(state: dict[str, Any], cell: int, node: int, category: str) -> None:
    state["places"][f"{node} {category}"] = len(state["cells"])
    told = {"cell": cell, "node": node, "category": category, "taken": [], "items": None}
    state["cells"].append(told)


def _combined(
    state: dict[str, Any],
    serial: int,
    application: int,
    ranks: list,
    heuristic: float,
    score: float,
    ngrams: float,
    loss: float,
    item: int,
    outcome: str,
) -> None:
    if not state["cells"]:
        return
    values = (application, ranks, heuristic, score, ngrams, loss, serial)
    told = dict(zip(COMBINATION, values, strict=True))
    state["cells"][-1]["taken"].append({**told, "item": item, "outcome": outcome})
    known = 0 <= application < len(state["applications"])
    if not known or not 0 < item <= len(state["items"]) + 1 or outcome == "worse":
        return
    sides = sides_of(state, application)
    parts = [
        sides[k][rank] if k < len(sides) and 0 <= rank < len(sides[k]) else None
        for k, rank in enumerate(ranks)
    ]
    parts = [part if part and part < item else None for part in parts]
    made = {"item": item, "place": len(state["cells"]) - 1, "parts": parts, **told}
    state["items"][item - 1 : item] = [made]


def _full(state: dict[str, Any], cell: int, items: list) -> None:
    for place in range(len(state["cells"]) - 1, -1, -1):
        if state["cells"][place]["cell"] == cell:
            state["cells"][place] = {**state["cells"][place], "items": items}
            return


def _compressed(
    state: dict[str, Any], rank: int, score: float, applications: list, words: list
) -> None:
    told = {"rank": rank, "score": score, "applications": applications, "words": words}
    state["outputs"].append(told)


def _violation(
    state: dict[str, Any], example: int, loss: float, margin: float, violation: float
) -> None:
    told = {"example": example, "loss": loss, "margin": margin, "violation": violation}
    state["violation"] = told


def _solved(state: dict[str, Any], *told: Any) -> None:
    state["solved"].append([*told])


_APPLY: dict[str, Callable[..., None]] = {
    "begin": _begin,
    "source": _source,
    "application": _application,
    "points": _points,
    "cell": _cell,
    "combined": _combined,
    "filled": _full,
    "compressed": _compressed,
    "violation": _violation,
    "solved": _solved,
}
