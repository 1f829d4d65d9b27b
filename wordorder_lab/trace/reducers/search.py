"""A best-first search after k events of a log: its edges, and where each of them is.

The agenda and the chart view show the same state. An edge is on the agenda once it is made, then it
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
    doubts   what the model does not know of the output: says, unknown, ties

Events of which something is missing (a log recorded with ``only``) change nothing. The player's
`search.js` is the twin.
"""

from __future__ import annotations

from wordorder_lab.trace.reducers import State, by_kind, copied, forms_of, lists, named

AGENDA, POPPED, CHART, GOAL, OUT = "agenda", "popped", "chart", "goal", "out"
Edge = State


def start() -> State:
    """Before the first event: no search, no edges."""
    empty = lists("units", "counts", "forms", "labels", "chances", "tagged")
    edges = lists("edges", "scores", "places", "pops", "outs", "chart")
    ends = dict.fromkeys(("update", "finished", "stopped", "doubts"))
    return {"search": 0, "beam": 0, "agenda": 0, "updates": 0, **empty, **edges, **ends}


copy = copied


def edge_of(state: State, serial: int) -> Edge | None:
    """The edge with this serial; ``None`` if there is none yet."""
    return state["edges"][serial - 1] if 0 < serial <= len(state["edges"]) else None


def words_of(state: State, serial: int) -> tuple[list[list[str]], list[int]]:
    """[unit, tag] or [unit, tag, label] of each word, and its head's place, -1 for the root."""
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
    leaf = named("leaf", values)
    item, chances, labels = leaf["item"], state["chances"], state["labels"]
    label = labels[item] if 0 <= item < len(labels) else ""
    chance = chances[item] if 0 <= item < len(chances) else -1
    made = {"left": 0, "right": 0, "action": "leaf", "label": label, "chance": chance}
    _make(state, {**leaf, **made, "size": 1})


def _edge(state: State, *values: object) -> None:
    edge = named("edge", values)
    size = 0
    for part in filter(None, (edge["left"], edge["right"])):  # a unary rule has no right
        below = edge_of(state, part)
        if below is None:
            return
        size += below["size"]
    made = {"form": "", "pos": "", "item": -1, "label": "", "chance": -1}
    _make(state, {**edge, **made, "size": size})


def _make(state: State, edge: Edge) -> None:
    if edge["serial"] != len(state["edges"]) + 1:
        return  # an edge before it is missing
    state["scores"].append(edge.pop("score"))
    state["edges"].append({**edge, "made": len(state["pops"])})
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
    state["update"] = {**named("edge_update", values), "pop": len(state["pops"])}


def _rescored(state: State, serial: int, score: float) -> None:
    if edge_of(state, serial) is not None:
        state["scores"][serial - 1] = score


def _stopped(state: State, reason: str) -> None:
    state["stopped"] = reason


def _supertags(state: State, probabilities: list[float]) -> None:
    state["tagged"] = probabilities


apply = by_kind(globals(), stored={"finished": "finished", "doubts": "doubts"})
