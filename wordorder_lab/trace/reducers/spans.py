"""The span-length view: how long are the spans that a search makes, keeps, and ought to make?

A *span* is a stretch of words that hangs together: a treelet. Every action of the transition system
makes exactly one, on top of the stack. SHIFT makes a span of one unit, as long as the unit has
words ("Dr. Talcott" is 2); LEFTARC and RIGHTARC join the two topmost spans. In best-first search
every edge is a span. A unary rule of CCG makes an edge over a span that is there already; it counts
again among the edges, but not in the derivation that the search ends with. So a whole derivation of
n units has 2n - 1 spans; the last of them is the sentence. (Spans as they are built; those of a
finished tree are in ``metrics.spans``.) Liu et al. 2015, section 4.3, compare systems by their
spans: Table 4 how many are right, by length; Figure 9 what share of them has which length, beside
the gold trees.

The state after k events is counted in four ways, in lists whose entry ``i`` is the number of spans
of ``i`` words:

    made    spans of all candidates; of all edges
    kept    of the candidates that entered a beam; of the edges that were popped and then entered
            the chart, or were a goal
    gold    of the gold state, as far as the search still made it; of the gold edges that were made;
            training logs alone have them
    best    of the whole derivation that the search ended with

``state[name]`` counts the current search, ``state["all"][name]`` all searches of the log. ``heat``
holds a row ``[step, counts]`` for every step of the current search: the kept spans of that step by
length. A best-first search has no steps: there a row is a block of ``block`` pops, 1 at first. When
there are ``spans.ROWS``, every two become one and the block doubles. ``last`` is what the latest
event counted, ``[name, length]``, or ``None``; ``doubts`` is what the model does not know of the
output: says, unknown, ties.

``beam``, ``agenda`` and ``next`` are the states before the step, its candidates, and those of them
that were kept, by serial. A state is its stack, as lengths, and its spans so far, counted; a
candidate is ``[parent, spans taken off, length]``. Of a best-first search it is ``edges``,
``[length, left, right]`` by serial (the first is 1, 0 is none).

An event that cannot be followed (a log recorded with ``only`` may lack what came before) counts
nothing. The player's ``spans.js`` is the twin.

Differences
- *Paper silent*, section 4.3: whether single words are spans. Here they are, and a base NP kept
  whole counts its words.
"""

from __future__ import annotations

from wordorder_lab.structures.trace import Event
from wordorder_lab.trace.reducers import Row, State, by_kind, copied, lists, named

COUNTED = ("made", "kept", "gold", "best")

ROWS = 60
"""The map of a search has at most so many rows."""


def start() -> State:
    """The state before the first event."""
    return {"search": 0, "all": lists(*COUNTED), "last": None, **_of_search()}


def _of_search() -> State:
    numbers = {"step": 0, "steps": 0, "words": 0, "pops": 0, "block": 1}
    tables: State = {"units": {}, "beam": {}, "agenda": {}, "next": {}, "doubts": None}
    return {**numbers, **tables, **lists(*COUNTED, "heat", "edges")}


def copy(state: State) -> State:
    """A checkpoint. What is never changed again, such as the states by serial, is shared."""
    own = copied(state)
    own["all"] = copied(state["all"])
    own["heat"][-1:] = [[step, [*counts]] for step, counts in state["heat"][-1:]]
    return own


def apply(state: State, event: Event) -> None:
    """Change the state as this event says."""
    if event[0] != "doubts":  # which says something of what was counted last
        state["last"] = None
    _apply(state, event)


def _begin(state: State, units: list[str], counts: list[int], _items: int, _beam: int) -> None:
    lengths = [len(unit.split(" ")) for unit in units]
    state.update(_of_search(), search=state["search"] + 1, steps=2 * sum(counts) - 1)
    state["words"] = sum(length * count for length, count in zip(lengths, counts))
    state["units"] = {f"SHIFT-{unit}": length for unit, length in zip(units, lengths)}
    state["next"] = {"0": [[], []]}


def _alternatives(state: State, _types: list[int], forms: list[str]) -> None:
    lengths = {f"SHIFT-{form}": len(form.split(" ")) for form in forms}
    state["units"] = {**state["units"], **lengths}  # checkpoints share the old ones


def _step(state: State, step: int) -> None:
    state["step"] = step
    state["heat"].append([step, []])
    state["beam"], state["agenda"], state["next"] = state["next"], {}, {}


def _candidate(state: State, serial: int, parent: int, action: str, _score: float) -> None:
    if str(parent) not in state["beam"]:
        return
    stack, _ = state["beam"][str(parent)]
    if action in ("LEFTARC", "RIGHTARC"):
        taken, length = 2, sum(stack[-2:]) if len(stack) > 1 else 0
    else:
        taken, length = 0, _shifted(state["units"], action)
    if length:
        state["agenda"][str(serial)] = [parent, taken, length]
        count_span(state, "made", length)


def _kept(state: State, serial: int, _rank: int) -> None:
    if str(serial) not in state["agenda"]:
        return
    parent, taken, length = state["agenda"][str(serial)]
    stack, spans = state["beam"][str(parent)]
    spans = list(spans)
    add_span(spans, length)
    state["next"][str(serial)] = [[*stack[: len(stack) - taken], length], spans]
    count_span(state, "kept", length)
    add_span(state["heat"][-1][1], length)


def _gold(state: State, _step: int, serial: int, _rank: int) -> None:
    # Once the gold state has left the beam nobody makes its successors, so their spans are unknown.
    if str(serial) in state["agenda"]:
        count_span(state, "gold", state["agenda"][str(serial)][2])


def _finished(state: State, serial: int, _score: float) -> None:
    if state["edges"]:
        spans = derivation(state["edges"], serial)
    else:
        _, spans = state["next"].get(str(serial), [[], []])
    for length, times in enumerate(spans):
        if times:
            count_span(state, "best", length, times)


# --- Best-first search


def _leaf(state: State, *values: object) -> None:
    leaf = named("leaf", values)
    _make(state, leaf["serial"], 0, 0, len(leaf["form"].split(" ")), leaf["gold"])


def _edge(state: State, *values: object) -> None:
    edge = named("edge", values)
    left, right, length = edge["left"], edge["right"], 0
    for part in (left, right) if right else (left,):  # a rule for one edge has no right one
        if not 0 < part <= len(state["edges"]):
            return
        length += state["edges"][part - 1][0]
    _make(state, edge["serial"], left, right, length, edge["gold"])


def _make(state: State, serial: int, left: int, right: int, length: int, gold: int) -> None:
    if serial != len(state["edges"]) + 1:
        return  # an edge before it is missing
    state["edges"].append([length, left, right])
    count_span(state, "made", length)
    if gold == 1:
        count_span(state, "gold", length)


def _popped(state: State, _serial: int, _score: float) -> None:
    if len(state["heat"]) == ROWS and state["pops"] % state["block"] == 0:
        state["heat"] = _in_pairs(state["heat"])
        state["block"] *= 2
    state["pops"] += 1
    row = (state["pops"] - 1) // state["block"] + 1
    if row > len(state["heat"]):
        state["heat"].append([row, []])
    state["step"] = state["steps"] = row


def _charted(state: State, serial: int, _score: float = 0.0) -> None:
    if not 0 < serial <= len(state["edges"]):
        return
    length = state["edges"][serial - 1][0]
    count_span(state, "kept", length)
    if state["heat"]:
        add_span(state["heat"][-1][1], length)


_goal = _charted
_apply = by_kind(globals(), stored={"doubts": "doubts"})


# --- Counting


def _shifted(units: dict[str, int], action: str) -> int:
    # Unit and tag may hold hyphens of their own: of several units that fit, the longest is meant.
    end = action.rfind("-")
    while end > 0:
        if action[:end] in units:
            return units[action[:end]]
        end = action.rfind("-", 0, end)
    return 0


def derivation(edges: list[list[int]], serial: int) -> list[int]:
    """The spans of an edge and of all that it was built of, counted; a unary rule makes none."""
    spans: list[int] = []
    todo = [serial]
    while todo:
        one = todo.pop()
        if 0 < one <= len(edges):
            length, left, right = edges[one - 1]
            if right or not left:
                add_span(spans, length)
            todo += [left, right]
    return spans


def _in_pairs(heat: list[Row]) -> list[Row]:
    rows = []
    for first in range(0, len(heat), 2):
        counts: list[int] = []
        for _, some in heat[first : first + 2]:
            for length, times in enumerate(some):
                add_span(counts, length, times)
        rows.append([first // 2 + 1, counts])
    return rows


def count_span(state: State, name: str, length: int, times: int = 1) -> None:
    """Count so many spans of a length for this search and for all."""
    state["last"] = [name, length]
    add_span(state[name], length, times)
    add_span(state["all"][name], length, times)


def add_span(counts: list[int], length: int, times: int = 1) -> None:
    """Count so many spans of a length in a list, which grows with it."""
    counts.extend([0] * (length + 1 - len(counts)))
    counts[length] += times
