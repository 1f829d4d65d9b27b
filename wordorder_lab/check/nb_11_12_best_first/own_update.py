"""Exercises 11.1 to 11.3: the scaled update on paper, written by oneself, and one of one's own.

The paper's answers are the reference learner's (Zhang & Clark 2015, section 3.5).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import isclose
from typing import Any

from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.edge import HEAD_LEFT, HEAD_RIGHT
from wordorder_lab.best_first.guided_learning import GuidedLearner
from wordorder_lab.best_first.updates import SCALED, step_size
from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of, is_number
from wordorder_lab.check.common.moments import Moment
from wordorder_lab.check.nb_11_12_best_first.rule_learner import (
    OwnRule,
    Rule,
    Seen,
    checked,
    factor,
    small_world,
    taught,
)
from wordorder_lab.check.nb_11_12_best_first.small_search import (
    ibm_bought_lotus,
    learner_by_hand,
)
from wordorder_lab.trace.log import EventLog

# --- 11.1: a step on paper --------------------------------------------------------------------


@cache
def paper_step() -> float:
    """The learner's own step for the goal against "Lotus <- IBM", with no weights yet."""
    learner = learner_by_hand()
    search = learner.search(ibm_bought_lotus())
    assert isinstance(search, BestFirstDependency)
    ibm, lotus, bought = search.leaves()
    right = search.combine(bought, lotus, HEAD_LEFT)
    goal = right and search.combine(ibm, right, HEAD_RIGHT)
    other = search.combine(lotus, ibm, HEAD_RIGHT)
    assert goal and other
    return step_size(SCALED, learner.difference(search, goal, other), 0.0, 0.0)


def _judge_step(answer: Any) -> str:
    if not is_number(answer):
        raise Wrong(f"A number is wanted, not {answer!r}.")
    right = paper_step()
    if isclose(answer, right, abs_tol=0.005):
        return f"{right:.4f}, which is 225 / 86. A small difference needs a large step."
    if isclose(answer, 1 / 6, abs_tol=0.005):
        raise Wrong("That is the step of the large margin: you did not divide by the actions.")
    if isclose(answer, 1 / right, abs_tol=0.005):
        raise Wrong("That is the norm, squared. The step is 1 divided by it.")
    raise Wrong(f"{float(answer):g} is too {'large' if answer > right else 'small'}.")


def _solve_step() -> str:
    return (
        "The goal has four features in five actions, 1/5 each; Lotus ← IBM has two in three, 1/3 "
        "each; they share none. The norm, squared, is 4/25 + 2/9 = 86/225. Both scores are 0, so "
        f"the step is (0 - 0 + 1) / (86/225) = 225/86 = {paper_step():.4f}."
    )


# --- 11.2: the scaled update -------------------------------------------------------------------


@cache
def _asked_of_the_paper() -> tuple[tuple[Seen, Seen, Mapping[str, float]], ...]:
    learner = OwnRule(None, beam=4)
    for _ in range(2):
        for example in small_world():
            learner.learn(example)
    return tuple(learner.asked)


def update_of_the_paper(number: int) -> Moment:
    """The learner's own training, after the update that was asked about as this one, from 0."""
    learner = OwnRule(None, beam=4)
    settings = learner.settings
    log = EventLog()
    paper = GuidedLearner(learner.templates, settings, log)
    for _ in range(2):
        for example in small_world():
            paper.learn(example)
    updates = [i for i, event in enumerate(log) if event[0] == "edge_update"]
    at = updates[number] + 1
    while at < len(log) and log.events[at][0] == "weight":
        at += 1
    return Moment(log, at, f"Update {number + 1} of the learner", "updates")


def _nothing_to_do() -> tuple[tuple[Seen, Seen, Mapping[str, float]], ...]:
    """Two cases that the search never asks about, made up of one that it does: the two edges have
    the same features; the positive edge is ahead by more than 1. The learner changes nothing then.
    """
    plus, minus, _ = _asked_of_the_paper()[0]
    return (plus, plus, {}), (plus._replace(score=minus.score + 1.5), minus, {})


def _change(rule: Rule, plus: Seen, minus: Seen) -> Mapping[str, float]:
    """What a rule makes of two edges; ``Wrong`` if it is no change of their features."""
    try:
        return checked(rule(plus, minus), {**plus.features, **minus.features})
    except ZeroDivisionError:
        if plus is not minus:
            raise
    raise Wrong(
        "Two edges with the same features and as many actions (we made them up): the norm is 0, "
        "and you divide by it. There is nothing to change then."
    )


def _judge_scaled(answer: Any) -> str:
    rule = function_of(answer, "scaled_update")
    asked = _asked_of_the_paper()
    for number, (plus, minus, right) in enumerate((*asked, *_nothing_to_do())):
        change = _change(rule, plus, minus)
        for name in [*plus.features, *minus.features]:
            given, wanted = change.get(name, 0.0), right.get(name, 0.0)
            if not isclose(given, wanted, rel_tol=1e-9, abs_tol=1e-9):
                where = update_of_the_paper(number) if number < len(asked) else None
                raise Wrong(_differs(plus, minus, name, given, wanted), where)
    return (
        f"Your rule and the learner agree on {len(asked)} updates, feature by feature, and in two "
        "made-up cases in which there is nothing to do."
    )


def _differs(plus: Seen, minus: Seen, name: str, given: float, wanted: float) -> str:
    counts = plus.features.get(name, 0), minus.features.get(name, 0)
    return (
        f"Here the learner changes {name!r} by {wanted:g}, and you by {given:g}. It is "
        f"{counts[0]} times in the positive edge ({plus.actions} actions, score {plus.score:g}) "
        f"and {counts[1]} times in the negative one ({minus.actions} actions, {minus.score:g})."
    )


SCALED_TEXT = """def scaled_update(positive, negative):
    names = {*positive.features, *negative.features}
    difference = {
        name: positive.features.get(name, 0) / positive.actions
        - negative.features.get(name, 0) / negative.actions
        for name in names
    }
    norm = sum(value**2 for value in difference.values())
    step = (negative.score - positive.score + 1) / norm if norm else 0
    return {name: max(step, 0) * value for name, value in difference.items()}"""


# --- 11.3: a rule of one's own -----------------------------------------------------------------


@cache
def _taught_by_the_paper() -> tuple[OwnRule, list[int]]:
    return taught(None)


def _judge_own(answer: Any) -> str:
    rule = function_of(answer, "my_update")
    asked = _asked_of_the_paper()
    longer = factor(
        [_change(rule, plus, minus) for plus, minus, _ in asked], [c for *_, c in asked]
    )
    if longer and isclose(longer, 1):
        raise Wrong("This is the paper's scaled update. It works; now one of your own.")
    if longer:
        raise Wrong(
            f"This is the paper's scaled update, every step times {longer:g}. That is another "
            "learning rate; now a rule of your own."
        )
    (learner, counts), (papers, its_counts) = taught(rule), _taught_by_the_paper()
    changes, its_changes = (
        [c for *_, c in pupil.asked[: counts[0]]] for pupil in (learner, papers)
    )
    if larger := factor(changes, its_changes):
        raise Wrong(
            f"The paper asks for a margin of 1, and you for one of {larger:g}. All weights are 0 "
            f"at first; so all that is learned is the paper's, times {larger:g}. Every edge keeps "
            "its rank, and every pop is the same. Now a rule that learns something else."
        )
    if counts[-1] > counts[0] / 2:
        raise Wrong(f"Updates by epoch: {counts}. The last should have half of the first or less.")
    return f"Updates by epoch: {counts}. The paper's scaled rule: {its_counts}."


def half_a_point(plus: Seen, minus: Seen) -> dict[str, float]:
    """Every feature that only one of the two has goes by half a point, however far it is."""
    up = dict.fromkeys(plus.features.keys() - minus.features.keys(), 0.5)
    return up | dict.fromkeys(minus.features.keys() - plus.features.keys(), -0.5)


def _solve_own() -> str:
    return (
        "def my_update(positive, negative):\n"
        "    up = positive.features.keys() - negative.features.keys()\n"
        "    down = negative.features.keys() - positive.features.keys()\n"
        "    return dict.fromkeys(up, 0.5) | dict.fromkeys(down, -0.5)\n"
        f"{_judge_own(half_a_point)}"
    )


EXERCISES = (
    Exercise(
        "11.1",
        "The step of the scaled update, on paper.",
        (
            "Which features has the goal, which has Lotus ← IBM? Two templates: an arc has one "
            "feature of each, a leaf none.",
            "Divide by the number of actions: 5 for three words, 3 for two.",
            "Square every entry of the difference, add up, and divide 1 by the sum.",
        ),
        _judge_step,
        _solve_step,
    ),
    Exercise(
        "11.2",
        "Write the scaled update: feature -> change.",
        (
            "The difference of a feature: its count in positive.features, divided by "
            "positive.actions, minus the same of the negative edge. Use .get(name, 0).",
            "step = (negative.score - positive.score + 1) / norm, the norm being the sum of the "
            "squares of all differences. The change of a feature is step times its difference.",
            "No update where the norm is 0, and none where the step would be negative: gold is "
            "ahead by more than 1 already.",
        ),
        _judge_scaled,
        lambda: SCALED_TEXT,
    ),
    Exercise(
        "11.3",
        "An update rule of your own, which learns.",
        (
            "What is in the positive edge and not in the negative one deserves more weight, what "
            "is in the negative one alone less. How much?",
            "Try a fixed amount, the same for every feature: 0.5.",
        ),
        _judge_own,
        _solve_own,
    ),
)
