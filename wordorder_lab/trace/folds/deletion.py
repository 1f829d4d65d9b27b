"""Compression by deletion after k events of a log: a lattice of kept words, paths, a programme.

A lattice has a place for every word, 1 to n, one for the start (0) and one for the end (n + 1); a
bigram is a way from a kept word to the next one. The state after k events:

    search      how many searches have begun
    units       the words, in order
    beam        how many best paths were asked for, as the search says
    layer       for a fixed length the lattice is scanned once for every number of kept words: this
                is the number of the scan, 0 before the first
    bigrams     [left, right, score, total, layer], in the order in which they were scanned
    backs       "layer place" -> the place in ``bigrams`` of the best way into it so far
    paths       rank, score, kept (places of words from 0), words; in the order of their coming
    demands     rows of the programme that is solved next: name, says, words, broken
    programmes  names, kept, objective, nodes, and the ``demands`` that it was solved under

The player's `deletion/deletion.js` is the twin of this file; a test holds them to the same states.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wordorder_lab.structures.trace import Event

KINDS = frozenset({"bigram", "path", "demand", "programme"})
"""The kinds that only a log of compression by deletion has."""

GROWING = ("bigrams", "paths", "demands", "programmes")


def start() -> dict[str, Any]:
    """Before the first event: no sentence."""
    return {
        "search": 0,
        "units": [],
        "beam": 0,
        "layer": 0,
        "bigrams": [],
        "backs": {},
        "paths": [],
        "demands": [],
        "programmes": [],
    }


def copy(state: dict[str, Any]) -> dict[str, Any]:
    """A checkpoint; what is in the lists never changes, and is shared."""
    return {**state, **{name: [*state[name]] for name in GROWING}, "backs": {**state["backs"]}}


def apply(state: dict[str, Any], event: Event) -> None:
    """Change the state by one event; kinds of other searches change nothing."""
    kind, *values = event
    if kind in _APPLY:
        _APPLY[kind](state, *values)


def way_to(state: dict[str, Any], layer: int, place: int) -> list[int]:
    """The best path so far that ends at this place of the lattice in this scan, from the start on.

    Places of the lattice, the start (0) and ``place`` among them; empty where none leads there. A
    word's way comes from the scan before, that of one word less, if there are several; the end's
    from the same one.
    """
    found = [place]
    while found[-1] > 0:
        back = state["backs"].get(f"{layer} {found[-1]}")
        left = -1 if back is None else state["bigrams"][back][0]
        if not 0 <= left < found[-1]:
            return []
        layer -= layer > 1 and found[-1] <= len(state["units"])
        found.append(left)
    return found[::-1] if not found[-1] else []


def _begin(
    state: dict[str, Any], units: list[str], counts: list[int], items: int, beam: int
) -> None:
    state.update(start(), search=state["search"] + 1, units=units, beam=beam)


def _bigram(
    state: dict[str, Any], left: int, right: int, score: float, total: float, back: int
) -> None:
    before = state["bigrams"][-1][:2] if state["bigrams"] else None
    if before is None or [right, left] <= before[::-1]:
        state["layer"] += 1
    if back:
        state["backs"][f"{state['layer']} {right}"] = len(state["bigrams"])
    state["bigrams"].append([left, right, score, total, state["layer"]])


def _path(
    state: dict[str, Any], rank: int, score: float, kept: list[int], words: list[str]
) -> None:
    state["paths"].append({"rank": rank, "score": score, "kept": kept, "words": words})


def _demand(state: dict[str, Any], name: str, says: str, words: list[int], broken: int) -> None:
    state["demands"].append({"name": name, "says": says, "words": words, "broken": broken})


def _programme(
    state: dict[str, Any], names: list[str], kept: list[int], objective: float, nodes: int
) -> None:
    told = {"names": names, "kept": kept, "objective": objective, "nodes": nodes}
    state["programmes"].append({**told, "demands": state["demands"]})
    state["demands"] = []


_APPLY: dict[str, Callable[..., None]] = {
    "begin": _begin,
    "bigram": _bigram,
    "path": _path,
    "demand": _demand,
    "programme": _programme,
}
