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

Curves, and the weights that moved most, are read off the log itself. The player's
`learning/learning.js` is the twin.
"""

from __future__ import annotations

from wordorder_lab.trace.reducers import State, by_kind, named


def start() -> State:
    """Before the first event: nothing is learned."""
    return {"sentences": 0, "updates": 0, "changes": 0, "last": None, "epochs": []}


def copy(state: State) -> State:
    """A checkpoint; epochs are few."""
    return {**state, "epochs": [{**epoch} for epoch in state["epochs"]]}


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
