"""What a search would have answered at any time: its best output so far, read off its log.

A beam's answer is the words of the best state that it keeps, step by step. A best-first search has
popped edges: its answer is the one with most units, of these the one with the best score. The work
is counted in expansions, states expanded or edges popped, and in what was made of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wordorder_lab.structures.trace import Event, Events
from wordorder_lab.trace.reducers import search as books
from wordorder_lab.trace.reducers.beam import shifted


class SoFar(NamedTuple):
    """The best output after so many ``expansions``, when so many candidates or edges were ``made``;
    ``units`` are its words and phrases, ``score`` the model's."""

    expansions: int
    made: int
    units: tuple[str, ...]
    score: float


def best_so_far(log: Events) -> list[SoFar]:
    """The outputs of the first search in a log, each when it came; what does not change is left
    out. The last has the work of the whole search.

    Raises ``ValueError`` for a log without a search that puts words in order.
    """
    begins = [i for i, event in enumerate(log) if i and event[0] == "begin"]
    first = list(log)[: min(begins, default=None)]
    kinds = [event[0] for event in first]
    if "candidate" not in kinds and "leaf" not in kinds:
        raise ValueError("no search that puts words in order is in this log: pass it as trace=log")
    outputs: list[SoFar] = []
    for output in _of_edges(first) if "leaf" in kinds else _of_beam(first):
        if not outputs or output[2:] != outputs[-1][2:]:
            outputs.append(output)
    work = len({event[2] for event in first if event[0] == "candidate"}), kinds.count("candidate")
    if "leaf" in kinds:
        work = kinds.count("popped"), kinds.count("leaf") + kinds.count("edge")
    last = outputs[-1] if outputs else SoFar(0, 0, (), 0.0)
    return outputs if last[:2] == work else [*outputs, SoFar(*work, *last[2:])]


def _of_beam(events: list[Event]) -> Iterator[SoFar]:
    """The first of each new beam. A parent may stand some steps back, where phrases are units."""
    words: dict[int, tuple[str, ...]] = {0: ()}
    scores: dict[int, float] = {}
    expanded: set[int] = set()
    units: list[str] = []
    for event in events:
        match event:
            case "begin", units, *_:
                pass
            case "alternatives", _, forms:
                units = [*units, *forms]
            case "candidate", serial, parent, action, score:
                more = (shifted(action, units)[0],) if action.startswith("SHIFT-") else ()
                words[serial] = words.get(parent, ()) + more
                scores[serial] = score
                expanded.add(parent)
            case "kept", serial, 0 if serial in scores:
                yield SoFar(len(expanded), len(scores), words[serial], scores[serial])
            case "finished", serial, score if serial in scores:
                yield SoFar(len(expanded), len(scores), words[serial], score)


def _of_edges(events: list[Event]) -> Iterator[SoFar]:
    """The largest edge that has been popped; a goal is whole, and ends the search."""
    state = books.start()
    best = (0, 0.0)
    for event in events:
        books.apply(state, event)
        edge = books.edge_of(state, event[1]) if event[0] in ("popped", "goal") else None
        if edge is None or (event[0] == "popped" and (edge["size"], event[2]) <= best):
            continue
        best = edge["size"], event[2]
        units = tuple(unit for unit, *_ in books.words_of(state, event[1])[0])
        yield SoFar(len(state["pops"]), len(state["edges"]), units, event[2])
