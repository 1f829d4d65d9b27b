"""Exercise 31.6, and section 5: weights are changed by hand, so one knows whose fault it is.

A weight is changed where the gold derivation looks at it: of the features of a step the one whose
row of weights is the shortest, as that one speaks up for the fewest other actions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from wordorder_lab.check.common.exercise import Exercise, Wrong, is_number
from wordorder_lab.exploring.explore import errors
from wordorder_lab.structures.bag import bag_of, places
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.liu_2015 import LinearizationModel
from wordorder_lab.transition.actions import action_name, apply_action, initial_state
from wordorder_lab.transition.features import all_features, state_context
from wordorder_lab.transition.oracle import gold_actions
from wordorder_lab.transition.templates import show

BEAM = 4
"""The beam of exercise 31.6."""
HEADS = ("step", "action", "feature", "weight")
"""What the first parts of a ``GoldWeight`` are called in a table."""
WIDE = 4000
"""Nothing is cut for up to four units, as little as can be for a few more."""


class GoldWeight(NamedTuple):
    """The weight at a step of gold that is changed: its feature, its value, its place."""

    step: int
    action: str
    feature: str
    weight: float
    place: int


def gold_weights(model: LinearizationModel, sentence: Sentence) -> list[GoldWeight]:
    """One weight a step of gold's derivation; steps at which training knew none are left out.

    Raises ``KeyError`` for a tag that the dictionary does not know.
    """
    weights = []
    for step, action, name, features in _steps(model, sentence):
        rows = [(feature, *_entry(model, feature, action)) for feature in features]
        known = [row for row in rows if row[2] >= 0]
        if known:
            feature, _, place = min(known, key=lambda row: row[1])
            value = model.weights.values[place] / model.weights.divisor
            said = show(model.keys.templates, feature)
            weights.append(GoldWeight(step, name, said, float(value), place))
    return weights


def planted(
    model: LinearizationModel, sentence: Sentence, changes: Mapping[int, float]
) -> LinearizationModel:
    """The same model with so much added to the weight of each of these steps of gold.

    Raises ``ValueError`` for a step without such a weight.
    """
    places_of = {row.step: row.place for row in gold_weights(model, sentence)}
    values = model.weights.values.copy()
    for step, change in changes.items():
        if step not in places_of:
            steps = ", ".join(map(str, places_of))
            raise ValueError(f"no weight can be changed at step {step}: take one of {steps}")
        values[places_of[step]] += round(change * model.weights.divisor)
    return replace(model, weights=replace(model.weights, values=values), _table=None)


def _steps(
    model: LinearizationModel, sentence: Sentence
) -> Iterator[tuple[int, tuple[int, ...], str, list[Any]]]:
    """Step by step: gold's action by its numbers in the model, its name, the state's features."""
    problem = model.problem(bag_of(sentence))
    state = initial_state(problem)
    for step, action in enumerate(gold_actions(sentence, problem, places(sentence)), 1):
        features = all_features(model.keys.templates, state_context(state, problem))
        numbers = model.actions.numbers(action, problem)
        yield step, numbers, action_name(action, problem), features
        state = apply_action(state, action, problem)


def _entry(model: LinearizationModel, feature: Any, action: tuple[int, ...]) -> tuple[int, int]:
    """How long the row of this feature is, and where in it the action stands (-1: nowhere)."""
    key, number = model.keys.key(feature), action[model.keys.templates.level(feature)]
    row = [*model.weights.row(key)]
    if key is None or number not in row:
        return len(row), -1
    start = model.weights.starts[np.searchsorted(model.weights.keys, key)]
    return len(row), int(start) + row.index(number)


# --- 31.6: a planted search error -----------------------------------------------------------------


def _judge_planted(answer: Any, model: LinearizationModel, sentence: Sentence) -> str:
    changes = _changes(answer)
    spoiled = planted(model, sentence, changes)
    row = errors(spoiled, [sentence], beam=BEAM).iloc[0]
    if row.fault == "search error":
        wide = spoiled.order(bag_of(sentence), beam=WIDE)
        if wide.text == sentence.text:
            return (
                f"Beam {BEAM} is {row.gold_score - row.score:.1f} short of gold; a beam of "
                f"{WIDE:,} ends with gold: the model wants it, and a narrow search cannot wait."
            )
        raise Wrong(
            f"Beam {BEAM} loses gold, which scores more than its output. But a beam of {WIDE:,} "
            f"ends with {wide.text!r}, which scores {wide.score:.1f} to gold's "
            f"{row.gold_score:.1f}: the model is wrong, too."
        )
    if row.fault == "right":
        raise Wrong(f"Beam {BEAM} still puts out the sentence: the change was too small.")
    raise Wrong(
        f"Gold scores {row.gold_score:.1f}, the output {row.score:.1f}: that is a {row.fault}."
    )


def _changes(answer: Any) -> dict[int, float]:
    if not isinstance(answer, Mapping) or not answer:
        raise Wrong("Hand in a dictionary from steps to changes, such as {2: -1.5}.")
    for step, change in answer.items():
        if not is_number(step, whole=True) or not is_number(change):
            raise Wrong(f"{step!r}: {change!r} is not a step and a number.")
    return {int(step): float(change) for step, change in answer.items()}


def _solve_planted(model: LinearizationModel, sentence: Sentence) -> str:
    return (
        f"{a_planted_error(model, sentence)} for this sentence: what an early step loses a late "
        "one gives back. Gold scores what it scored before, and is cut before it gets it back."
    )


def a_planted_error(model: LinearizationModel, sentence: Sentence) -> dict[int, float]:
    """Changes that make it a search error. Raises ``ValueError`` where none of those tried does."""
    steps = [row.step for row in gold_weights(model, sentence)]
    for early, late in combinations(steps, 2):
        for amount in (50, 200):
            changes: dict[int, float] = {early: -amount, late: amount}
            try:
                _judge_planted(changes, model, sentence)
            except Wrong:
                continue
            return changes
    raise ValueError("two steps are not enough for this sentence: take another one")


def plantable(model: LinearizationModel, sentences: Sequence[Sentence]) -> Sentence:
    """The first sentence that comes out right, and in which two weights make a search error.

    Raises ``ValueError`` if there is none.
    """
    for sentence in sentences:
        if model.order(bag_of(sentence), beam=BEAM).text == sentence.text:
            with suppress(ValueError):
                a_planted_error(model, sentence)
                return sentence
    raise ValueError("in none of these sentences two weights make a search error: give more")


EXERCISES = (
    Exercise(
        "31.6",
        "Plant a search error: gold scores more than all others, and a narrow beam loses it.",
        (
            "What must happen at an early step for gold to be cut?",
            "That alone makes gold worse than others: a model error. Who pays the points back?",
            "Take as much from an early step as you give to a late one. A hundred points are many.",
        ),
        _judge_planted,
        _solve_planted,
        needs=("model", "sentence"),
    ),
)
