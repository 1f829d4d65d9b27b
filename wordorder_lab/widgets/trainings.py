"""Several trainings over each other: a curve for each, in pictures that they share."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import fmean
from typing import TYPE_CHECKING

from wordorder_lab.structures.messages import cited
from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.reducers import State, learning
from wordorder_lab.widgets.module import TRAININGS
from wordorder_lab.widgets.page import OnPage

if TYPE_CHECKING:
    import pandas

MOST = 6
"""Trainings in one picture, each with a colour and dashes of its own."""
POINTS = 24
"""Of a curve over the examples: each is the mean of as many examples as the others, or one more."""
PICTURES = {
    "updates": ("Updates a sentence", "how often the weights had to move: fewer is better"),
    "margin": ("Margin at updates", "by how much the right side led; below 0 the wrong one did"),
    "prefix": ("% gold before an error", "of a sentence, up to the first mistake: more is better"),
    "norm": ("Norm of the weights", "how large they are: the root of the sum of their squares"),
    "score": ("Score after each epoch", "as the training was told to measure it"),
}
EPOCH = ("epoch", "sentences", "updates", "weights", "norm")
"""What the table has of the last epoch."""
Points = list[tuple[float, float]]


class Trainings(OnPage):
    """Trainings by name, each the log of one; ``frame`` has a row an epoch of each."""

    entry = TRAININGS

    def __init__(self, logs: Mapping[str, EventLog], title: str | None = None) -> None:
        if not 2 <= len(logs) <= MOST:
            raise ValueError(f"2 to {MOST} trainings have room in one picture, not {len(logs)}")
        for name, log in logs.items():
            if not isinstance(log, EventLog):
                raise ValueError(f"{cited(name)} is no EventLog: hand one to the training, trace=")
            if not any(event[0] == "learned" for event in log):
                raise ValueError(f"the log {cited(name)} is of no training with examples")
        self.logs = {str(name): log for name, log in logs.items()}
        self.title = title or f"Trainings: {' · '.join(self.logs)}"
        self._epochs = {name: _epochs(log) for name, log in self.logs.items()}

    @property
    def frame(self) -> pandas.DataFrame:
        """One row an epoch: training, epoch, sentences, updates, weights, norm, score."""
        import pandas

        rows = [
            (name, *(epoch[one] for one in EPOCH), _score(epoch))
            for name, epochs in self._epochs.items()
            for epoch in epochs
        ]
        return pandas.DataFrame(rows, columns=["training", *EPOCH, "score"])

    @property
    def says(self) -> str:
        """How the trainings end: which makes the fewest updates, and which scores best."""
        last = {name: epochs[-1] for name, epochs in self._epochs.items()}
        fewest = min(epoch["updates"] for epoch in last.values())
        best = [name for name, epoch in last.items() if epoch["updates"] == fewest]
        others = (f"{one['updates']:,} ({name})" for name, one in last.items() if name not in best)
        beside = ", ".join(others)
        said = [
            f"In its last epoch {' and '.join(best)} made the fewest updates: {fewest:,}"
            f"{f', beside {beside}' if beside else ''}."
        ]
        scores = {name: _score(epoch) for name, epoch in last.items()}
        if all(score is not None for score in scores.values()):
            high = max(score for score in scores.values() if score is not None)
            names = [name for name, score in scores.items() if score == high]
            said.append(f"The best score at the end is that of {' and '.join(names)} ({high:.1f}).")
        return " ".join(said)

    def contents(self) -> dict[str, object]:
        """The same as plain data."""
        curves = {
            name: {**_over_examples(log), **_over_epochs(self._epochs[name])}
            for name, log in self.logs.items()
        }
        pictures = [
            {"title": title, "note": note, "lines": [each[kind] for each in curves.values()]}
            | {"epochs": kind in ("norm", "score")}
            for kind, (title, note) in PICTURES.items()
            if any(each[kind] for each in curves.values())
        ]
        last = [[epochs[-1][one] for one in EPOCH] for epochs in self._epochs.values()]
        return {
            "title": self.title,
            "says": self.says,
            "names": [*self.logs],
            "pictures": pictures,
            "head": ["epochs", "examples an epoch", "updates in the last", "weights", "norm"],
            "last": last,
        }


def named(logs: Mapping[str, EventLog] | Sequence[EventLog]) -> dict[str, EventLog]:
    """The logs by name; those without one are numbered."""
    if isinstance(logs, Mapping):
        return dict(logs)
    return {f"training {i}": log for i, log in enumerate(logs, 1)}


def _epochs(log: EventLog) -> list[State]:
    state = learning.start()
    for event in log:
        learning.apply(state, event)
    return [*state["epochs"]]


def _score(epoch: State) -> float | None:
    scores = epoch["scores"]
    return float(scores[0]) if isinstance(scores, list | tuple) and scores else None


def _over_examples(log: EventLog) -> dict[str, Points]:
    """Means of equally many examples, as points (examples, mean)."""
    learned = [event[1:] for event in log if event[0] == "learned"]
    each = {
        "updates": [float(one[3]) for one in learned],
        "margin": [float(one[4]) if one[3] else math.nan for one in learned],
        "prefix": [100 * one[5] / one[6] if one[6] else math.nan for one in learned],
    }
    count = min(POINTS, len(learned))
    ends = [len(learned) * i // count for i in range(count + 1)]
    found: dict[str, Points] = {}
    for kind, values in each.items():
        found[kind] = []
        for begin, end in pairwise(ends):
            some = [one for one in values[begin:end] if math.isfinite(one)]
            if some:
                found[kind].append(((begin + end) / 2, round(fmean(some), 4)))
    return found


def _over_epochs(epochs: Sequence[State]) -> dict[str, Points]:
    """A point an epoch, after so many examples."""
    found: dict[str, Points] = {"norm": [], "score": []}
    done = 0
    for epoch in epochs:
        done += epoch["sentences"]
        values = {"norm": epoch["norm"], "score": _score(epoch)}
        for kind, value in values.items():
            if isinstance(value, int | float):
                found[kind].append((done, round(value, 4)))
    return found
