"""What notebook 11 looks at in a learner by hand: its weights, its updates by each of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wordorder_lab.best_first.features import show
from wordorder_lab.best_first.guided_learning import GuidedLearner
from wordorder_lab.check.nb_11_12_best_first.small_search import (
    FEWER,
    ibm_bought_lotus,
    learner_by_hand,
)
from wordorder_lab.trace.log import EventLog

RULES = ("perceptron", "large-margin", "scaled")


def weights_of(learner: GuidedLearner) -> dict[str, float]:
    """The weights by what a feature holds: ``VBD, NNP, right``."""
    rows: dict[Any, list[float]] = {**learner.weights.rows}
    return {_values(show(FEWER, feature)): weight for feature, (weight, _) in rows.items()}


def _values(feature: str) -> str:
    return feature.partition(" = ")[2]


def logs_by_rule() -> dict[str, EventLog]:
    """The first pass over the example with each of the three rules."""
    logs = {rule: EventLog() for rule in RULES}
    for rule, log in logs.items():
        learner_by_hand(update=rule, trace=log).learn(ibm_bought_lotus())
    return logs


def updates_told(log: EventLog) -> Iterator[dict[str, str]]:
    """The updates of a log as rows: margin, step, and how the weights changed."""
    row: dict[str, str] = {}
    moved: list[str] = []
    for event in log:
        if event[0] == "edge_update":
            moved = []
            row = {"margin before": f"{event[5]:g}", "step": f"{event[6]:g}", "weights": ""}
            yield row
        elif event[0] == "weight":
            _, feature, _, before, after = event
            moved.append(f"{_values(feature)}: {before:g} → {after:g}")
            row["weights"] = " | ".join(moved)
