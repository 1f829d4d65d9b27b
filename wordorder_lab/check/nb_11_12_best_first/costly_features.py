"""Exercise 11.4: answered by looking at the view of parameter updates, without code.

What is right is read off the learner's event log, which the player shows.
"""

from __future__ import annotations

from functools import cache
from math import isclose
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong
from wordorder_lab.check.common.moments import Moment
from wordorder_lab.check.nb_11_12_best_first.small_search import CHOSEN, training_logs
from wordorder_lab.check.nb_11_12_best_first.view_questions import three
from wordorder_lab.trace.log import EventLog


@cache
def lessons() -> tuple[EventLog, ...]:
    """The logs of the learner on the three sentences."""
    return tuple(training_logs())


def points_of_last_update(log: EventLog) -> dict[str, float]:
    """What each feature contributed to the margin of the last update: weight before x difference.

    The difference is the change of the weight, divided by the step. All of them add up to the
    margin; a feature with a negative product cost the gold edge points.
    """
    points: dict[str, float] = {}
    step = 0.0
    for kind, *values in log:
        if kind == "edge_update":
            points, step = {}, values[-1]
        elif kind == "weight":
            feature, _, before, after = values
            points[feature] = before * (after - before) / step
    return points


def last_update(log: EventLog) -> int:
    """The number of events until the last update has changed all its weights."""
    kinds = [event[0] for event in log]
    end = len(kinds) - kinds[::-1].index("edge_update")
    while end < len(kinds) and kinds[end] == "weight":
        end += 1
    return end


def _judge_features(answer: Any) -> str:
    for text, yours, log in zip(CHOSEN, three(answer), lessons(), strict=True):
        points = points_of_last_update(log)
        worst = min(points.values())
        name = " ".join(str(yours).split())
        where = Moment(log, last_update(log), text, "updates")
        if name not in points:
            raise Wrong(f"{text!r}: {name!r} is not among the features that differ.", where)
        if not isclose(points[name], worst, rel_tol=1e-9):
            verb = "cost" if points[name] < 0 else "won"
            raise Wrong(
                f"{text!r}: {name!r} {verb} gold {abs(points[name]):.3f} points; "
                "another cost more.",
                where,
            )
    return "All three are general features, seen in nearly every sentence. Why might that be?"


def _solve_features() -> str:
    lines = []
    for text, log in zip(CHOSEN, lessons(), strict=True):
        points = points_of_last_update(log)
        name = min(points, key=lambda feature: points[feature])
        lines.append(f"{text} {name} ({points[name]:.3f} of {sum(points.values()):.3f})")
    return "\n".join(lines)


EXERCISES = (
    Exercise(
        "11.4",
        "From the view alone: which feature cost the gold edge most points?",
        (
            "Choose steps by one update, and go on to the last one. Every row is a feature that "
            "the two edges do not share, with its weight before and after.",
            "Points are the weight before, times the difference. The feature that cost most has "
            "the smallest number: far below 0.",
            "A negative weight in the positive edge costs points; so does a positive weight in the "
            "negative edge. Hand in the feature's text as the view shows it.",
        ),
        _judge_features,
        _solve_features,
    ),
)
