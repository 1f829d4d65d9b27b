"""The part of the span-length view that is about best-first search: what its events count.

The state is that of ``spans.py``, which says what each field is.
"""

from __future__ import annotations

from collections.abc import Callable

ROWS = 60
"""The map of a search has at most so many rows."""


def _leaf(
    state: dict, serial: int, item: int, form: str, pos: str, score: float, gold: int, *_: str
) -> None:
    _made(state, serial, 0, 0, len(form.split(" ")), gold)


def _edge(
    state: dict, serial: int, left: int, right: int, action: str, score: float, gold: int, *_: str
) -> None:
    length = 0
    for part in (left, right) if right else (left,):  # a rule for one edge has no right one
        if not 0 < part <= len(state["edges"]):
            return
        length += state["edges"][part - 1][0]
    _made(state, serial, left, right, length, gold)


def _made(state: dict, serial: int, left: int, right: int, length: int, gold: int) -> None:
    if serial != len(state["edges"]) + 1:
        return  # an edge before it is missing
    state["edges"].append([length, left, right])
    count_span(state, "made", length)
    if gold == 1:
        count_span(state, "gold", length)


def _popped(state: dict, serial: int, score: float) -> None:
    if len(state["heat"]) == ROWS and state["pops"] % state["block"] == 0:
        state["heat"] = _in_pairs(state["heat"])
        state["block"] *= 2
    state["pops"] += 1
    row = (state["pops"] - 1) // state["block"] + 1
    if row > len(state["heat"]):
        state["heat"].append([row, []])
    state["step"] = state["steps"] = row


def _charted(state: dict, serial: int, score: float = 0.0) -> None:
    if not 0 < serial <= len(state["edges"]):
        return
    length = state["edges"][serial - 1][0]
    count_span(state, "kept", length)
    if state["heat"]:
        add_span(state["heat"][-1][1], length)


def derivation(edges: list[list[int]], serial: int) -> list[int]:
    """The spans of an edge and of all that it was built of, counted.

    A unary rule makes no new one: its words are a span already.
    """
    spans: list[int] = []
    todo = [serial]
    while todo:
        one = todo.pop()
        if 0 < one <= len(edges):
            length, left, right = edges[one - 1]
            if right or not left:
                add_span(spans, length)
            todo += [left, right]
    return spans


def _in_pairs(heat: list) -> list:
    """Every two rows as one."""
    rows = []
    for first in range(0, len(heat), 2):
        counts: list[int] = []
        for _, some in heat[first : first + 2]:
            for length, times in enumerate(some):
                add_span(counts, length, times)
        rows.append([first // 2 + 1, counts])
    return rows


def count_span(state: dict, name: str, length: int, times: int = 1) -> None:
    """Count so many spans of a length for this search and for all."""
    state["last"] = [name, length]
    add_span(state[name], length, times)
    add_span(state["all"][name], length, times)


def add_span(counts: list[int], length: int, times: int = 1) -> None:
    """Count so many spans of a length in a list, which grows with it."""
    counts.extend([0] * (length + 1 - len(counts)))
    counts[length] += times


CHANGES: dict[str, Callable[..., None]] = {
    "leaf": _leaf,
    "edge": _edge,
    "popped": _popped,
    "charted": _charted,
    "goal": _charted,
}
