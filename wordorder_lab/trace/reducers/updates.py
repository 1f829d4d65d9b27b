"""Parameter updates after k events of a log: which weights changed, for what, and why.

Two kinds of learners write logs. In guided learning (Zhang & Clark 2015, section 3.5) an update
has a positive and a negative *edge*; in the averaged perceptron of the transition system (Liu et
al. 2015, section 3.1) a gold *prefix* and the best one: states after so many actions. Here both
have one shape. The state after k events:

    best_first, transition   the books of the search (``search.py``, ``beam.py``): the
                             one that is not this log's stays empty
    updates   how many there were, those without a step too
    update    the last update of this search, or ``None``:
        number, search, example, reason
        margin    by how much the positive one was ahead: f(e+) - f(e-), gold - predicted
        step      how far the weights move along the difference; 0: not at all; 1 in the beam
        actions   the length of the two prefixes; 0 of edges
        positive, negative    serials; -1 of a prefix that the log has not got, which is so once
                              the gold one has been cut
        before    their scores by then: of prefixes fresh, of edges what they were ranked by
        after     their new scores, where the log has them ([None, None] without)
        weights   [feature, action, before, after] a change, in order; a perceptron may change a
                  weight several times. ``more`` counts those beyond ``WEIGHTS``
        rescored  how many edges have a new score
    past      the updates before it, of all searches: number, search, example, reason, margin, step,
              changes

An update ends with its search. ``history`` reads one weight's values off the log itself. The
player's `updates.js` is the twin.
"""

from __future__ import annotations

from itertools import islice

from wordorder_lab.structures.trace import Event, Events
from wordorder_lab.trace.reducers import State, beam, by_kind, list_weight, named, search

WEIGHTS = 10_000
"""Changes that are kept of one update. One update of the beam on 25 words makes up to 6,000."""


def start() -> State:
    """Before the first event: no search, no update."""
    searches = {"best_first": search.start(), "transition": beam.start()}
    return {"search": 0, **searches, "updates": 0, "update": None, "past": []}


def copy(state: State) -> State:
    """A checkpoint. Past updates are never changed again, and shared."""
    update = state["update"]
    lists = ("after", "weights")
    return {
        **state,
        "best_first": search.copy(state["best_first"]),
        "transition": beam.copy(state["transition"]),
        "update": update and {**update, **{name: [*update[name]] for name in lists}},
        "past": [*state["past"]],
    }


def apply(state: State, event: Event) -> None:
    """Change the state by one event."""
    _apply(state, event)
    search.apply(state["best_first"], event)
    beam.apply(state["transition"], event)


def history(log: Events, k: int, feature: str, action: str = "") -> list[State]:
    """The updates among the first ``k`` events that moved one weight (edges' have no ``action``):
    ``update``, its number, ``search``, ``example``, ``reason``, ``units``, and the values
    ``before`` and ``after``. ``ValueError`` for a ``k`` outside."""
    if not 0 <= k <= len(log):
        raise ValueError(f"the log has {len(log)} events; {k} is not among 0 to that")
    found: list[State] = []
    now: State = {"update": 0, "search": 0, "example": -1, "reason": "", "units": []}
    for event in islice(log, k):
        match event:
            case "begin", units, *_:
                now = {**now, "search": now["search"] + 1, "units": units}
            case ("edge_update", example, reason, *_) | ("update", example, _, reason, *_):
                now |= {"update": now["update"] + 1, "example": example, "reason": reason}
            case "weight", name, of, before, after if (name, of) == (feature, action):
                if not found or found[-1]["update"] != now["update"]:
                    found.append({**now, "before": before})
                found[-1]["after"] = after
    return found


def _end(state: State) -> None:
    update = state["update"]
    if update is not None:
        names = ("number", "search", "example", "reason", "margin", "step")
        changes = len(update["weights"]) + update["more"]
        state["past"].append({**{name: update[name] for name in names}, "changes": changes})
    state["update"] = None


def _new(state: State, **update: object) -> None:
    _end(state)
    state["updates"] += 1
    numbers = {"number": state["updates"], "search": state["search"]}
    empty = {"after": [None, None], "weights": [], "more": 0, "rescored": 0}
    state["update"] = {**numbers, **update, **empty}


def _begin(state: State, *_: object) -> None:
    _end(state)
    state["search"] += 1


def _edge_update(state: State, *values: object) -> None:
    update, books = named("edge_update", values), state["best_first"]
    pair = update["positive"], update["negative"]
    scores = [books["scores"][one - 1] if search.edge_of(books, one) else None for one in pair]
    _new(state, **update, actions=0, before=scores)


def _update(
    state: State, example: int, step: int, reason: str, gold: float, predicted: float
) -> None:
    columns = [one for one in state["transition"]["columns"] if one["step"] == step]
    serial = columns[-1]["gold"] if columns else None
    kept = columns[-1]["states"] if columns else []
    _new(
        state,
        example=example,
        reason=reason,
        margin=gold - predicted,
        step=1,
        actions=step,
        positive=-1 if serial is None else serial,
        negative=kept[0]["serial"] if kept else -1,
        before=[gold, predicted],
    )


def _weight(state: State, *change: object) -> None:
    list_weight(state["update"], change, WEIGHTS)


def _rescored(state: State, serial: int, score: float) -> None:
    update = state["update"]
    if update is None:
        return
    update["rescored"] += 1
    for i, name in enumerate(("positive", "negative")):
        if update[name] == serial:
            update["after"][i] = score


_apply = by_kind(globals())
