"""A parser's chart after k events of a log: cells, constituents, back-pointers, and the parse.

CKY fills one cell after the other, and tells a cell's constituents when it is full. The state after
k events:

    search     how many searches have begun
    units      the words, in order
    beam       how many constituents a cell may keep (0: no bound), as the search says
    items      a dictionary each, by serial from 1: serial, start, end, label, score, left, right
               (serials of the parts; 0: none), out (whether it fell out of the beam)
    cells      [start, end, serials], in the order in which they were made
    places     "start end" -> the place of its cell in ``cells``
    parse      serial, score, brackets, fallback; ``None`` before the end

A constituent whose forerunner is missing changes nothing. The player's `parsing/parsing.js` is the
twin.
"""

from __future__ import annotations

from wordorder_lab.trace.reducers import State, by_kind, copied, lists, named

KINDS = frozenset({"constituent", "out_of_beam", "parsed"})
"""The kinds that only a log of parsing has."""


def start() -> State:
    """Before the first event: no sentence."""
    return {"search": 0, "beam": 0, "places": {}, "parse": None, **lists("units", "items", "cells")}


def copy(state: State) -> State:
    """A checkpoint; dictionaries of items are replaced, never changed, and may be shared."""
    cells = [[first, end, [*inside]] for first, end, inside in state["cells"]]
    return {**copied(state), "cells": cells}


def _begin(state: State, units: list[str], _counts: list[int], _items: int, beam: int) -> None:
    state.update(start(), search=state["search"] + 1, units=units, beam=beam)


def _constituent(state: State, *values: object) -> None:
    made = named("constituent", values)
    if made["serial"] != len(state["items"]) + 1:
        return  # one before it is missing
    first, end = made["start"], made["end"]
    where = f"{first} {end}"
    if where not in state["places"]:
        state["places"][where] = len(state["cells"])
        state["cells"].append([first, end, []])
    state["cells"][state["places"][where]][2].append(made["serial"])
    state["items"].append({**made, "out": False})


def _out_of_beam(state: State, serial: int) -> None:
    if 0 < serial <= len(state["items"]):
        state["items"][serial - 1] = {**state["items"][serial - 1], "out": True}


apply = by_kind(globals(), stored={"parsed": "parse"})
