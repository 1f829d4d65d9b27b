"""Where an edge stood on the agenda before every pop: why it was popped then, and not before.

A best-first search pops the edge with the best score, and of equal ones the one that was made
first. So "why was this edge popped before that one?" is answered by the two scores at that moment.
This file works them out from the log in the plainest way, pop by pop. The player's
`agenda/ranks.js` gives the same rows; it only counts what has changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wordorder_lab.structures.trace import Event
from wordorder_lab.trace.folds import search as books


def ranks(log: Iterable[Event], search: int, serial: int | None = None) -> list[list[Any]]:
    """How an edge stood just before each pop of a search, as long as it was on the agenda.

    A row is ``[pop, serial, rank, waiting, score]``: the number of the pop (from 1), the edge, its
    rank (1: this one is popped next), how many edges were on the agenda, and its score then.
    ``search`` is the number of the search in the log (from 1; 0 is what comes before the first
    ``begin``). Without a ``serial``, each row is about the gold edge that ranks best then; pops
    without a gold edge on the agenda have no row. Rank 1 in such a row says that the search is
    about to do right, and any other that a wrong edge comes first.

    An edge or a search that the log does not have gives no rows.
    """
    rows: list[list[Any]] = []
    state = books.start()
    for event in log:
        if _pops(state, event) and state["search"] == search:
            wanted = best_gold(state) if serial is None else serial
            if wanted is not None and is_waiting(state, wanted):
                rank, score = rank_of(state, wanted), state["scores"][wanted - 1]
                rows.append([len(state["pops"]) + 1, wanted, rank, state["agenda"], score])
        books.apply(state, event)
    return rows


def _pops(state: dict[str, Any], event: Event) -> bool:
    """Whether this event adds to the state's pops: the edge has to be in the log."""
    return event[0] == "popped" and books.edge_of(state, event[1]) is not None


def is_waiting(state: dict[str, Any], serial: int) -> bool:
    """Whether the edge is on the agenda in this state of ``search.py``."""
    return 0 < serial <= len(state["places"]) and state["places"][serial - 1] == books.AGENDA


def rank_of(state: dict[str, Any], serial: int) -> int:
    """1 and the number of edges on the agenda that come before this one."""
    scores, score = state["scores"], state["scores"][serial - 1]
    rank = 1
    for i, place in enumerate(state["places"]):
        if place == books.AGENDA:
            rank += scores[i] > score or (scores[i] == score and i + 1 < serial)
    return rank


def best_gold(state: dict[str, Any]) -> int | None:
    """The gold edge that comes first on the agenda; ``None`` where there is none, or none known."""
    waiting = [
        (-state["scores"][i], i + 1)
        for i, edge in enumerate(state["edges"])
        if edge["gold"] == 1 and state["places"][i] == books.AGENDA
    ]
    return min(waiting)[1] if waiting else None
