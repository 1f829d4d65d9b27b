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

The player's `deletion/deletion.js` is the twin.
"""

from __future__ import annotations

from wordorder_lab.trace.reducers import State, by_kind, copied, lists, named

KINDS = frozenset({"bigram", "path", "demand", "programme"})
"""The kinds that only a log of compression by deletion has."""


def start() -> State:
    """Before the first event: no sentence."""
    empty = lists("units", "bigrams", "paths", "demands", "programmes")
    return {"search": 0, "beam": 0, "layer": 0, "backs": {}, **empty}


copy = copied


def _begin(state: State, units: list[str], _counts: list[int], _items: int, beam: int) -> None:
    state.update(start(), search=state["search"] + 1, units=units, beam=beam)


def _bigram(state: State, left: int, right: int, score: float, total: float, back: int) -> None:
    before = state["bigrams"][-1][:2] if state["bigrams"] else None
    if before is None or [right, left] <= before[::-1]:
        state["layer"] += 1
    if back:
        state["backs"][f"{state['layer']} {right}"] = len(state["bigrams"])
    state["bigrams"].append([left, right, score, total, state["layer"]])


def _programme(state: State, *values: object) -> None:
    solved = named("programme", values)
    state["programmes"].append({**solved, "demands": state["demands"]})
    state["demands"] = []


apply = by_kind(globals(), appended={"path": "paths", "demand": "demands"})
