"""Learning over time after k events of a log: what a training has come to so far.

The state after k events:

    sentences, updates   learned so far, and the updates made on them
    changes   weights that were told to have changed, of the sentences that the log has
    last      the values of the last ``learned`` event, ``None`` before the first
    epochs    a dictionary each, the running one last:
        epoch, sentences, updates
        wrong     sentences with an update; ``margin`` is the sum of their lowest margins
        prefix, length    sums: actions (pops) that were gold up to the first wrong one, of how many
        weights, norm, scores    as the ``epoch`` event says; ``None`` and empty before it

Curves, and the weights that moved most, are read off the log itself (``movers``). The player's
`learning/learning.js` is the twin of this file.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from wordorder_lab.structures.trace import Event, Events


def start() -> dict[str, Any]:
    """Before the first event: nothing is learned."""
    return {"sentences": 0, "updates": 0, "changes": 0, "last": None, "epochs": []}


def copy(state: dict[str, Any]) -> dict[str, Any]:
    """A checkpoint; epochs are few."""
    return {**state, "epochs": [{**epoch} for epoch in state["epochs"]]}


def apply(state: dict[str, Any], event: Event) -> None:
    """Change the state by one event."""
    kind, *values = event
    if kind in _APPLY:
        _APPLY[kind](state, *values)


def movers(log: Events, k: int, most: int = 12) -> list[dict[str, Any]]:
    """The weights that the first ``k`` events moved most, as far as the log tells of them.

    A dictionary each: ``feature``, ``action``, ``moved`` (by how much, up and down added up),
    ``times``, and ``value``, what it was last. Of equals the one that was met first comes first.
    Raises ``ValueError`` for a ``k`` outside the log.
    """
    if not 0 <= k <= len(log):
        raise ValueError(f"the log has {len(log)} events; {k} is not among 0 to that")
    weights: dict[tuple[str, str], dict[str, Any]] = {}
    for kind, *values in islice(log, k):
        if kind == "weight":
            feature, action, before, after = values
            fresh = {"feature": feature, "action": action, "moved": 0.0, "times": 0}
            weight = weights.setdefault((feature, action), fresh)
            weight["moved"] += abs(after - before)
            weight["times"] += 1
            weight["value"] = after
    return sorted(weights.values(), key=lambda weight: -weight["moved"])[:most]


def _epoch_of(state: dict[str, Any], number: int) -> dict[str, Any]:
    """The books of the running epoch, opened where a new one begins."""
    epochs = state["epochs"]
    if not epochs or epochs[-1]["epoch"] != number:
        counts = dict.fromkeys(("sentences", "updates", "wrong"), 0)
        sums = {"margin": 0.0, "prefix": 0, "length": 0}
        epochs.append({"epoch": number, **counts, **sums, "weights": None, "norm": None})
        epochs[-1]["scores"] = []
    running: dict[str, Any] = epochs[-1]
    return running


def _learned(
    state: dict[str, Any],
    number: int,
    example: int,
    sentence: int,
    updates: int,
    margin: float,
    prefix: int,
    length: int,
) -> None:
    epoch = _epoch_of(state, number)
    state["sentences"] += 1
    state["updates"] += updates
    state["last"] = [number, example, sentence, updates, margin, prefix, length]
    epoch["sentences"] += 1
    epoch["updates"] += updates
    if updates:
        epoch["wrong"] += 1
        epoch["margin"] += margin
    epoch["prefix"] += prefix
    epoch["length"] += length


def _epoch(
    state: dict[str, Any], number: int, updates: int, weights: int, norm: float, scores: list[float]
) -> None:
    told = {"updates": updates, "weights": weights, "norm": norm, "scores": scores}
    _epoch_of(state, number).update(told)


def _weight(state: dict[str, Any], *_: Any) -> None:
    state["changes"] += 1


_APPLY: dict[str, Callable[..., None]] = {
    "learned": _learned,
    "epoch": _epoch,
    "weight": _weight,
}
