"""Learning over time after k events of a log: what a training has come to so far.

The state after k events:

    sentences, updates   learned so far, and the updates made on them
    changes   weights that were learned to have changed, of the sentences that the log has
    last      the values of the last ``learned`` event, ``None`` before the first
    epochs    a dictionary each, the running one last:
        epoch, sentences, updates
        wrong     sentences with an update; ``margin`` is the sum of their lowest margins
        prefix, length    sums: actions (pops) that were gold up to the first wrong one, of how many
        weights, norm, scores    as the ``epoch`` event says; ``None`` and empty before it

Curves, and the weights that moved most, are read off the log itself (``movers``). The player's
`learning/learning.js` is the twin.
"""

from __future__ import annotations

from itertools import islice

from wordorder_lab.structures.trace import Events
from wordorder_lab.trace.reducers import State, by_kind, named


def start() -> State:
    """Before the first event: nothing is learned."""
    return {"sentences": 0, "updates": 0, "changes": 0, "last": None, "epochs": []}


def copy(state: State) -> State:
    """A checkpoint; epochs are few."""
    return {**state, "epochs": [{**epoch} for epoch in state["epochs"]]}


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


def _epoch_of(state: State, number: int) -> State:
    """The running epoch, opened where a new one begins."""
    epochs = state["epochs"]
    if not epochs or epochs[-1]["epoch"] != number:
        counts = dict.fromkeys(("sentences", "updates", "wrong", "prefix", "length"), 0)
        later: State = {"weights": None, "norm": None, "scores": []}
        epochs.append({"epoch": number, **counts, "margin": 0.0, **later})
    running: State = epochs[-1]
    return running


def _learned(state: State, *values: object) -> None:
    learned = named("learned", values)
    epoch, updates = _epoch_of(state, learned["epoch"]), learned["updates"]
    state["sentences"] += 1
    state["updates"] += updates
    state["last"] = [*values]
    epoch["sentences"] += 1
    epoch["updates"] += updates
    if updates:
        epoch["wrong"] += 1
        epoch["margin"] += learned["margin"]
    epoch["prefix"] += learned["prefix"]
    epoch["length"] += learned["length"]


def _epoch(state: State, *values: object) -> None:
    summary = named("epoch", values)
    _epoch_of(state, summary["epoch"]).update(summary)


def _weight(state: State, *_: object) -> None:
    state["changes"] += 1


apply = by_kind(globals())
