"""A best-first search after k events of a log: its edges, and where each of them is.

The agenda and the chart view show the same books. The log says which edges were made and what
became of each; this file only keeps count of it. An edge is on the agenda once it is made, then it
is popped, and then it is in the chart, or out for some reason.

The state after k events, with edges by serial (the first is 1):

    edges    a dictionary each: serial, left, right (0: none), action, form, pos, item (-1: none),
             label (of the arc into a leaf's word, "" where it has none),
             category ("" for dependencies), chance (of a leaf: its category's probability, -1 where
             no supertagger gave one), gold (1, 0, or -1 where nothing is known), size in
             units, made (pops before it)
    scores   what each is ranked by now; a learner may rescore it
    places   "agenda", "popped", "chart", "goal" or "out"
    pops     [serial, score, agenda, chart] a pop: the sizes of agenda and chart after it was popped
    outs     [serial, reason, pops] for every edge that was pruned
    agenda   how many edges are on it
    chart    the serials of the edges in it, in the order of their coming
    forms    the forms of each unit, one or those of which one is used each time
    labels   the label of the arc into each item; none where nothing has labels
    chances  the probability of each item's category, if a supertagger gave them; ``tagged`` are
             those of the search that begins next
    update   the learner's last update in this search: reason, positive, negative (serials), margin,
             step, pop; ``updates`` counts those of the whole log

Events of which something is missing (a log recorded with ``only``) change nothing. The player's
`search.js` is the twin of this file; a test holds the two to the same states.
"""

from __future__ import annotations

from collections.abc import Iterable

from wordorder_lab.structures.trace import Event
from wordorder_lab.trace.events import SCHEMA
from wordorder_lab.trace.reducers import Row, State, by_kind, forms_of

AGENDA, POPPED, CHART, GOAL, OUT = "agenda", "popped", "chart", "goal", "out"
GROWING = ("edges", "scores", "places", "pops", "outs", "chart")
"""The lists to which events add."""

Edge = State


def start() -> State:
    """Before the first event: no search, no edges."""
    return {
        "search": 0,
        "units": [],
        "counts": [],
        "beam": 0,
        "forms": [],
        "labels": [],
        "edges": [],
        "scores": [],
        "places": [],
        "pops": [],
        "outs": [],
        "agenda": 0,
        "chart": [],
        "update": None,
        "updates": 0,
        "finished": None,
        "stopped": None,
        "chances": [],
        "tagged": [],
    }


def copy(state: State) -> State:
    """A checkpoint. Edges are never changed once they are made, and can be shared."""
    return {**state, **{name: [*state[name]] for name in GROWING}}


def edge_of(state: State, serial: int) -> Edge | None:
    """The edge with this serial; ``None`` if there is none yet."""
    return state["edges"][serial - 1] if 0 < serial <= len(state["edges"]) else None


def words_of(state: State, serial: int) -> tuple[list[list[str]], list[int]]:
    """The words of an edge in order, [unit, tag] each, and their heads by place (-1: the root).

    Where the arc into a word has a label, that is the third of its entry.
    """
    edge = edge_of(state, serial)
    if edge is None:
        return [], []
    if not edge["left"]:
        return [[edge["form"], edge["pos"], *filter(None, [edge["label"]])]], [-1]
    words, heads = words_of(state, edge["left"])
    if not edge["right"]:
        return words, heads
    more, others = words_of(state, edge["right"])
    place = len(words)
    root, other = heads.index(-1), place + others.index(-1)
    heads = heads + [head if head < 0 else head + place for head in others]
    if edge["action"].endswith("HeadRight"):
        heads[root] = other
    else:
        heads[other] = root
    return words + more, heads


def on_agenda(state: State, most: int) -> list[int]:
    """The serials at the top of the agenda, at most so many: by score, then the one made first."""
    waiting = [i for i, place in enumerate(state["places"]) if place == AGENDA]
    waiting.sort(key=lambda i: (-state["scores"][i], i))
    return [i + 1 for i in waiting[:most]]


def _begin(state: State, units: list[str], counts: list[int], _items: int, beam: int) -> None:
    kept = {"search": state["search"] + 1, "updates": state["updates"], "chances": state["tagged"]}
    state.update(start(), **kept, units=units, counts=counts, beam=beam)
    state["forms"] = forms_of(units, [], [])


def _alternatives(state: State, types: list[int], forms: list[str]) -> None:
    state["forms"] = forms_of(state["units"], types, forms)


def _labels(state: State, labels: list[str]) -> None:
    state["labels"] = labels


def _leaf(state: State, *values: object) -> None:
    leaf = SCHEMA["leaf"].named(values)
    item, chances, labels = leaf["item"], state["chances"], state["labels"]
    made = {"left": 0, "right": 0, "action": "leaf", "form": leaf["form"], "pos": leaf["pos"]}
    made |= {"item": item, "label": labels[item] if 0 <= item < len(labels) else ""}
    chance = chances[item] if 0 <= item < len(chances) else -1
    made |= {"category": leaf["category"], "chance": chance, "size": 1}
    _make(state, leaf["serial"], made, leaf["score"], leaf["gold"])


def _edge(state: State, *values: object) -> None:
    edge = SCHEMA["edge"].named(values)
    left, right = edge["left"], edge["right"]
    parts = [edge_of(state, part) for part in (left, right) if part]  # a unary rule has no right
    size = 0
    for part in parts:
        if part is None:
            return
        size += part["size"]
    made = {"left": left, "right": right, "action": edge["action"], "form": "", "pos": ""}
    made |= {"item": -1, "label": "", "category": edge["category"], "chance": -1, "size": size}
    _make(state, edge["serial"], made, edge["score"], edge["gold"])


def _make(state: State, serial: int, edge: Edge, score: float, gold: int) -> None:
    if serial != len(state["edges"]) + 1:
        return  # an edge before it is missing
    made = len(state["pops"])
    state["edges"].append({"serial": serial, **edge, "gold": gold, "made": made})
    state["scores"].append(score)
    state["places"].append(AGENDA)
    state["agenda"] += 1


def _move(state: State, serial: int, place: str) -> bool:
    """Put an edge elsewhere; false if there is no such edge."""
    if edge_of(state, serial) is None:
        return False
    before = state["places"][serial - 1]
    state["agenda"] -= before == AGENDA
    if before == CHART:
        state["chart"].remove(serial)
    state["places"][serial - 1] = place
    return True


def _popped(state: State, serial: int, score: float) -> None:
    if _move(state, serial, POPPED):
        state["pops"].append([serial, score, state["agenda"], len(state["chart"])])


def _goal(state: State, serial: int, _score: float) -> None:
    _move(state, serial, GOAL)


def _charted(state: State, serial: int) -> None:
    if _move(state, serial, CHART):
        state["chart"].append(serial)


def _pruned(state: State, serial: int, reason: str) -> None:
    if _move(state, serial, OUT):
        state["outs"].append([serial, reason, len(state["pops"])])


def _edge_update(state: State, *values: object) -> None:
    state["updates"] += 1
    state["update"] = {**SCHEMA["edge_update"].named(values), "pop": len(state["pops"])}


def _rescored(state: State, serial: int, score: float) -> None:
    if edge_of(state, serial) is not None:
        state["scores"][serial - 1] = score


def _finished(state: State, serial: int, score: float) -> None:
    state["finished"] = {"serial": serial, "score": score}


def _stopped(state: State, reason: str) -> None:
    state["stopped"] = reason


def _supertags(state: State, probabilities: list[float]) -> None:
    state["tagged"] = probabilities


apply = by_kind(
    {
        "begin": _begin,
        "alternatives": _alternatives,
        "labels": _labels,
        "leaf": _leaf,
        "edge": _edge,
        "popped": _popped,
        "goal": _goal,
        "charted": _charted,
        "pruned": _pruned,
        "edge_update": _edge_update,
        "rescored": _rescored,
        "finished": _finished,
        "stopped": _stopped,
        "supertags": _supertags,
    }
)
"""Change the state by one event; kinds of other searches change nothing."""


# --- Why an edge was popped then, and not before -------------------------------------------------
#
# A best-first search pops the edge with the best score, and of equal ones the one that was made
# first. So "why was this edge popped before that one?" is answered by the two scores at that
# moment, worked out here in the plainest way, pop by pop. The player's `agenda/ranks.js` gives the
# same rows; it only counts what has changed.


def ranks(log: Iterable[Event], search: int, serial: int | None = None) -> list[Row]:
    """How an edge stood just before each pop of a search, as long as it was on the agenda.

    A row is ``[pop, serial, rank, waiting, score]``: the number of the pop (from 1), the edge, its
    rank (1: this one is popped next), how many edges were on the agenda, and its score then.
    ``search`` is the number of the search in the log (from 1; 0 is what comes before the first
    ``begin``). Without a ``serial``, each row is about the gold edge that ranks best then; pops
    without a gold edge on the agenda have no row. Rank 1 in such a row says that the search is
    about to do right, and any other that a wrong edge comes first.

    An edge or a search that the log does not have gives no rows.
    """
    rows: list[Row] = []
    state = start()
    for event in log:
        if _pops(state, event) and state["search"] == search:
            wanted = best_gold(state) if serial is None else serial
            if wanted is not None and is_waiting(state, wanted):
                rank, score = rank_of(state, wanted), state["scores"][wanted - 1]
                rows.append([len(state["pops"]) + 1, wanted, rank, state["agenda"], score])
        apply(state, event)
    return rows


def _pops(state: State, event: Event) -> bool:
    """Whether this event adds to the state's pops: the edge has to be in the log."""
    return event[0] == "popped" and edge_of(state, event[1]) is not None


def is_waiting(state: State, serial: int) -> bool:
    """Whether the edge is on the agenda."""
    return 0 < serial <= len(state["places"]) and state["places"][serial - 1] == AGENDA


def rank_of(state: State, serial: int) -> int:
    """1 and the number of edges on the agenda that come before this one."""
    scores, score = state["scores"], state["scores"][serial - 1]
    rank = 1
    for i, place in enumerate(state["places"]):
        if place == AGENDA:
            rank += scores[i] > score or (scores[i] == score and i + 1 < serial)
    return rank


def best_gold(state: State) -> int | None:
    """The gold edge that comes first on the agenda; ``None`` where there is none, or none known."""
    waiting = [
        (-state["scores"][i], i + 1)
        for i, edge in enumerate(state["edges"])
        if edge["gold"] == 1 and state["places"][i] == AGENDA
    ]
    return min(waiting)[1] if waiting else None
