"""What the players' scripts read off a log, reckoned in Python: tests hold the two to the same."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from wordorder_lab.structures.trace import Event, Events
from wordorder_lab.trace.reducers import Row, State
from wordorder_lab.trace.reducers.search import apply, edge_of, on_agenda, start
from wordorder_lab.trace.reducers.transduction import item_of


def ranks(log: Iterable[Event], search: int, serial: int | None = None) -> list[Row]:
    """How an edge stood just before each pop of a search, as long as it was on the agenda.

    A row is ``[pop, serial, rank, waiting, score]``: the number of the pop (from 1), the edge, its
    rank (1: this one is popped next), how many edges were on the agenda, and its score then.
    ``search`` is the number of the search in the log (from 1; 0 is what comes before the first
    ``begin``). Without a ``serial``, each row is about the gold edge that ranks best then, and pops
    without one have no row. An edge or a search that the log does not have gives no rows.
    """
    rows: list[Row] = []
    state = start()
    for event in log:
        pops = event[0] == "popped" and edge_of(state, event[1]) is not None
        if pops and state["search"] == search:
            waiting = on_agenda(state, state["agenda"])
            gold = (one for one in waiting if state["edges"][one - 1]["gold"] == 1)
            wanted = next(gold, None) if serial is None else serial
            if wanted in waiting:
                rank, score = waiting.index(wanted) + 1, state["scores"][wanted - 1]
                rows.append([len(state["pops"]) + 1, wanted, rank, len(waiting), score])
        apply(state, event)
    return rows


def movers(log: Events, k: int, most: int = 12) -> list[State]:
    """The weights that the first ``k`` events moved most, as far as the log has them: ``feature``,
    ``action``, ``moved`` (up and down added up), ``times``, and ``value``, its last. ``ValueError``
    for a ``k`` outside."""
    if not 0 <= k <= len(log):
        raise ValueError(f"the log has {len(log)} events; {k} is not among 0 to that")
    weights: dict[tuple[str, str], State] = {}
    for kind, *values in islice(log, k):
        if kind == "weight":
            feature, action, before, after = values
            fresh = {"feature": feature, "action": action, "moved": 0.0, "times": 0}
            weight = weights.setdefault((feature, action), fresh)
            weight["moved"] += abs(after - before)
            weight["times"] += 1
            weight["value"] = after
    return sorted(weights.values(), key=lambda weight: -weight["moved"])[:most]


def best_of(state: State, place: int) -> int | None:
    """The best item of a cell: the first of a full one, the best so far of one that is not."""
    cell = state["cells"][place]
    if cell["items"] is not None:
        return cell["items"][0] if cell["items"] else None
    here = {one["item"]: None for one in cell["taken"]}
    found = [one for one in (item_of(state, item) for item in here) if one]
    ranked = sorted(found, key=lambda one: (-one["score"] - one["loss"], one["item"]))
    return ranked[0]["item"] if ranked else None
