"""The beam after k events of a log: what the beam view shows, and nothing of how to search.

A column a step, in it the states that were kept, and the nearest of those that were cut. A column
also holds the actions that were forbidden on the way into it: of the states before it. ``forms``
has the forms of each unit, ``names`` all forms that a SHIFT may name, ``labels`` the labels of the
items, none where nothing has any, ``doubts`` what the model does not know of the output: says,
unknown, ties. The player's `beam.js` is the twin.
"""

from __future__ import annotations

from operator import itemgetter

from wordorder_lab.trace.reducers import State, by_kind, copied, forms_of, list_weight, lists, named

GHOSTS = 8
"""Cut states that stay in sight once the next step has begun: those that lost by the least."""

WEIGHTS = 200
"""Changed weights that are listed of one update; the rest are counted."""

GROWING = ("states", "cut", "forbidden")

INITIAL = {
    "serial": 0,
    "parent": -1,
    "action": "",
    "score": 0,
    "rank": 0,
    "order": [],
    "heads": [],
    "stack": [],
}
"""The state before the first action; `order` is [unit, tag] a place, with the label of the arc into
it as a third where it has one, `heads` the place of the head or -1, `stack` holds places with the
top last."""


def start() -> State:
    """Before the first event: no search, no columns."""
    empty = lists("units", "counts", "forms", "names", "labels", "columns", "candidates")
    counts = {"search": 0, "beam": 0, "step": 0, "updates": 0}
    return {**counts, **empty, **dict.fromkeys(("finished", "doubts", "update"))}


def copy(state: State) -> State:
    """A checkpoint. All columns but the last are finished and can be shared."""
    own, update = copied(state), state["update"]
    own["columns"][-1:] = [
        {**column, **{name: [*column[name]] for name in GROWING}} for column in own["columns"][-1:]
    ]
    own["update"] = update and {**update, "weights": [*update["weights"]]}
    return own


def successor(before: State, action: str, state: State) -> State:
    """Order, heads and stack after an action; an impossible one changes nothing."""
    order, heads, stack = [*before["order"]], [*before["heads"]], [*before["stack"]]
    if action.startswith("SHIFT-"):
        stack.append(len(order))
        unit, tag = shifted(action, state["names"])
        order.append([unit, *without_label(tag, state["labels"])])
        heads.append(-1)
    elif len(stack) > 1:
        top, below = stack.pop(), stack.pop()
        head, dependent = (top, below) if action == "LEFTARC" else (below, top)
        heads[dependent] = head
        stack.append(head)
    return {"order": order, "heads": heads, "stack": stack}


def shifted(action: str, units: list[str]) -> list[str]:
    """Unit and tag of ``SHIFT-unit-tag``: both may hold hyphens, so the longest unit that fits."""
    rest = action.removeprefix("SHIFT-")
    fitting = [unit for unit in units if rest.startswith(f"{unit}-")]
    unit = max(fitting, key=len) if fitting else rest.rpartition("-")[0]
    return [unit, rest[len(unit) + 1 :]]


def without_label(tag: str, labels: list[str]) -> list[str]:
    """A tag, and behind it the label that ``tag:label`` has; both may hold colons."""
    fitting = [one for one in labels if one and tag.endswith(f":{one}") and len(tag) > len(one) + 1]
    label = max(fitting, key=len, default="")
    return [tag[: -len(label) - 1], label] if label else [tag]


def find(state: State, serial: int, back: int) -> State:
    """The kept state of this serial, not in the last ``back`` columns; else the initial one."""
    columns = reversed(state["columns"][: len(state["columns"]) - back])
    states = (one for column in columns for one in column["states"])
    return next((one for one in states if one["serial"] == serial), INITIAL)


def _candidate_of(state: State, serial: int) -> State:
    made: list[State] = state["candidates"]
    place = serial - made[0]["serial"] if made else -1  # serials count up
    if 0 <= place < len(made) and made[place]["serial"] == serial:
        return made[place]
    return {"serial": serial, "parent": -1, "action": "", "score": 0}


def _begin(state: State, units: list[str], counts: list[int], _items: int, beam: int) -> None:
    kept = {"search": state["search"] + 1, "updates": state["updates"]}
    state.update(start(), **kept, units=units, counts=counts, beam=beam)
    state["names"], state["forms"] = units, forms_of(units, [], [])
    state["columns"] = [{**_column(0), "states": [INITIAL]}]


def _alternatives(state: State, types: list[int], forms: list[str]) -> None:
    state["forms"] = forms_of(state["units"], types, forms)
    state["names"] = [form for own in state["forms"] for form in own]


def _labels(state: State, labels: list[str]) -> None:
    state["labels"] = labels


def _column(step: int) -> State:
    empty = lists(*GROWING, "possible")
    return {"step": step, "made": 0, **empty, "gold": None, "gold_rank": None}


def _step(state: State, step: int) -> None:
    for column in state["columns"][-1:]:  # it is finished: most of its ghosts go
        column["possible"] = state["candidates"] if column["forbidden"] else []
        ranked = sorted(column["cut"], key=itemgetter("margin", "serial"))
        gold = [one for one in ranked[GHOSTS:] if one["serial"] == column["gold"]]
        column["cut"] = ranked[:GHOSTS] + gold
    state.update(step=step, candidates=[])
    state["columns"].append(_column(step))


def _candidate(state: State, serial: int, parent: int, action: str, score: float) -> None:
    one = {"serial": serial, "parent": parent, "action": action, "score": score}
    state["candidates"].append(one)
    if state["columns"]:
        state["columns"][-1]["made"] += 1


def _forbidden(state: State, parent: int, action: str, reason: str) -> None:
    if state["columns"]:
        one = {"parent": parent, "action": action, "reason": reason}
        state["columns"][-1]["forbidden"].append(one)


def _kept(state: State, serial: int, rank: int) -> None:
    if state["columns"]:
        one = _candidate_of(state, serial)
        parent = find(state, one["parent"], 1)
        after = successor(parent, one["action"], state)
        state["columns"][-1]["states"].append({**one, "rank": rank, **after})


def _cut(state: State, serial: int, margin: float) -> None:
    if state["columns"]:
        state["columns"][-1]["cut"].append({**_candidate_of(state, serial), "margin": margin})


def _gold(state: State, _step: int, serial: int, rank: int) -> None:
    if state["columns"]:
        state["columns"][-1].update(gold=serial, gold_rank=rank)


def _update(state: State, *values: object) -> None:
    state["updates"] += 1
    state["update"] = {**named("update", values), "weights": [], "more": 0}


def _weight(state: State, *change: object) -> None:
    list_weight(state["update"], change, WEIGHTS)


apply = by_kind(globals(), stored={"finished": "finished", "doubts": "doubts"})
