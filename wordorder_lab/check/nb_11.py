"""Notebook 11, learning that guides search: its exercises, and a learner by hand, looked at.

The paper's answers are the reference learner's (Zhang & Clark 2015, section 3.5). A student's rule
takes the place of UPDATEPARAMETERS in it: Algorithm 3 asks it for the change of the weights
whenever it would update.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import isclose
from typing import NamedTuple

from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.edge import HEAD_LEFT, HEAD_RIGHT, Edge
from wordorder_lab.best_first.features import show
from wordorder_lab.best_first.gold import Example
from wordorder_lab.best_first.guided_learning import GuidedLearner
from wordorder_lab.best_first.search import BestFirst
from wordorder_lab.best_first.settings import GuidedSettings
from wordorder_lab.best_first.templates import load_edge_templates
from wordorder_lab.best_first.updates import SCALED, step_size
from wordorder_lab.check import small_search as small
from wordorder_lab.check.exercise import Function, Wrong
from wordorder_lab.check.judges import Case, Number, exercise, is_number, listed
from wordorder_lab.check.moments import Moment
from wordorder_lab.check.small_world import SENTENCES
from wordorder_lab.trace.log import EventLog

# --- what the notebook looks at -------------------------------------------------------------------

RULES = ("perceptron", "large-margin", "scaled")


def weights_of(learner: GuidedLearner) -> dict[str, float]:
    """The weights by what a feature holds: ``VBD, NNP, right``."""
    rows = learner.weights.rows.items()
    return {show(small.FEWER, feature).partition(" = ")[2]: weight for feature, (weight, _) in rows}


def logs_by_rule() -> dict[str, EventLog]:
    """The first pass over the example with each of the three rules."""
    logs = {rule: EventLog() for rule in RULES}
    for rule, log in logs.items():
        small.learner_by_hand(update=rule, trace=log).learn(small.ibm_bought_lotus())
    return logs


def update_rows(log: EventLog) -> list[dict[str, str]]:
    """The updates of a log as rows: margin, step, and how the weights changed."""
    rows: list[dict[str, str]] = []
    for kind, *values in log:
        if kind == "edge_update":
            *_, margin, step = values
            rows.append({"margin before": f"{margin:g}", "step": f"{step:g}", "weights": ""})
        elif kind == "weight":
            feature, _, before, after = values
            moved = f"{feature.partition(' = ')[2]}: {before:g} → {after:g}"
            rows[-1]["weights"] = " | ".join(filter(None, [rows[-1]["weights"], moved]))
    return rows


# --- exercises ------------------------------------------------------------------------------------


@cache
def paper_step() -> float:
    """The learner's own step for the goal against "Lotus <- IBM", with no weights yet."""
    learner = small.learner_by_hand()
    search = learner.search(small.ibm_bought_lotus())
    assert isinstance(search, BestFirstDependency)
    ibm, lotus, bought = search.leaves()
    right = search.combine(bought, lotus, HEAD_LEFT)
    goal = right and search.combine(ibm, right, HEAD_RIGHT)
    other = search.combine(lotus, ibm, HEAD_RIGHT)
    assert goal and other
    return step_size(SCALED, learner.difference(search, goal, other), 0.0, 0.0)


def _step() -> Iterator[Case]:
    right = paper_step()
    margin = (1 / 6, "That is the step of the large margin: you did not divide by the actions.")
    norm = (1 / right, "That is the norm, squared. The step is 1 divided by it.")
    yield Case("", right, mistakes=[margin, norm])


@exercise("11.1", _step, Number(near=0.005, sides=("{} is too large", "{} is too small")))
def step() -> float:
    """The step of the scaled update, on paper.

    - Which features has the goal, which has Lotus ← IBM? Two templates: an arc has one feature of
      each, a leaf none.
    - Divide by the number of actions: 5 for three words, 3 for two.
    - Square every entry of the difference, add up, and divide 1 by the sum.

    The goal has four features in five actions, so four entries of 1/5; *Lotus ← IBM* has two in
    three, so two of -1/3. norm² = 4/25 + 2/9 = 86/225. Both scores are 0: the step is 225/86.

    Right: 2.6163, which is 225 / 86. A small difference needs a large step.
    """
    return 225 / 86


MOST = 300  # edges that a sentence may take from the agenda


class Seen(NamedTuple):
    """What a rule sees of an edge: how often each feature is in Phi(e), and in phi(e) alone, the
    last action's; |e|; the score f(e) / |e|."""

    features: Mapping[str, int]
    last: Mapping[str, int]
    actions: int
    score: float


class Asked(NamedTuple):
    """The positive and the negative edge of an update, and the change of the weights."""

    plus: Seen
    minus: Seen
    change: Mapping[str, float]


class OwnRule(GuidedLearner):
    """Algorithm 3 with scaled scores and somebody's own UPDATEPARAMETERS, or the paper's.

    ``asked`` keeps every update.
    """

    def __init__(self, rule: Function | None, beam: int = 16) -> None:
        templates = load_edge_templates("zhang_clark_2015_table_2")
        super().__init__(templates, GuidedSettings(beam, "single", SCALED, "expand", MOST))
        self.rule = rule
        self.asked: list[Asked] = []

    def update_parameters(
        self, search: BestFirst, reason: str, positive: Edge, negative: Edge
    ) -> bool:
        """Ask the rule, and change the weights as it says."""
        plus, minus = self.seen(search, positive), self.seen(search, negative)
        along = self.difference(search, positive, negative)
        named = {search.show(feature): feature for feature in along}
        if self.rule is None:
            size = step_size(SCALED, along, plus.score, minus.score) if any(along.values()) else 0.0
            change = {name: max(size, 0.0) * along[feature] for name, feature in named.items()}
        else:
            change = checked(self.rule(plus, minus), named)
        self.asked.append(Asked(plus, minus, change))
        self.updates[reason] += 1
        for name, value in change.items():
            self.weights.add(named[name], value)
        return any(change.values())

    def seen(self, search: BestFirst, edge: Edge) -> Seen:
        """An edge as a rule sees it."""
        score = search.score_of(edge, search.recompute(edge, {}))
        both = search.all_features(edge), search.features(edge)
        every, last = (Counter(map(search.show, of)) for of in both)
        return Seen(every, last, edge.actions, score)


def checked(change: object, named: Mapping[str, object]) -> dict[str, float]:
    """What a rule returned, if it is a change of the features of two edges; else ``Wrong``."""
    if not isinstance(change, Mapping):
        raise Wrong(f"Your rule returned {change!r}: a dictionary is wanted, feature -> change.")
    for name, value in change.items():
        if name not in named:
            raise Wrong(f"Neither edge has the feature {name!r}.")
        if not is_number(value):
            raise Wrong(f"Your rule changes {name!r} by {value!r}; a number is wanted.")
    return {name: float(value) for name, value in change.items()}


@cache
def small_world() -> tuple[Example, ...]:
    """The sentences of the small world, tags given."""
    return tuple(map(small.example_of, SENTENCES))


@cache
def asked_of_the_paper() -> tuple[Asked, ...]:
    """The updates of the learner that reads the small world twice, with a small chart."""
    learner = OwnRule(None, beam=4)
    for example in 2 * small_world():
        learner.learn(example)
    return tuple(learner.asked)


def update_of_the_paper(number: int) -> Moment:
    """The learner's own training, after the update that was asked about as this one, from 0."""
    own, log = OwnRule(None, beam=4), EventLog()
    paper = GuidedLearner(own.templates, own.settings, log)
    for example in 2 * small_world():
        paper.learn(example)
    at = small.after_update(log, number)
    return Moment(log, at, f"Update {number + 1} of the learner", "updates")


def _nothing_to_do() -> tuple[Asked, Asked]:
    """What the search never asks about: the edges have the same features; gold is ahead."""
    plus, minus, _ = asked_of_the_paper()[0]
    ahead = plus._replace(score=minus.score + 1.5)
    return Asked(plus, plus, {}), Asked(ahead, minus, {})


def _change(rule: Function, plus: Seen, minus: Seen) -> dict[str, float]:
    try:
        return checked(rule(plus, minus), {**plus.features, **minus.features})
    except ZeroDivisionError:
        if plus is not minus:
            raise
    raise Wrong(
        "Two edges with the same features and as many actions (we made them up): the norm is 0, "
        "and you divide by it. There is nothing to change then."
    )


def _judge_scaled(rule: Function) -> str:
    asked = asked_of_the_paper()
    for number, (plus, minus, right) in enumerate((*asked, *_nothing_to_do())):
        change = _change(rule, plus, minus)
        for name in [*plus.features, *minus.features]:
            yours, wanted = change.get(name, 0.0), right.get(name, 0.0)
            if not isclose(yours, wanted, rel_tol=1e-9, abs_tol=1e-9):
                ahead, behind = (edge.features.get(name, 0) for edge in (plus, minus))
                raise Wrong(
                    f"Here the learner changes {name!r} by {wanted:g}, and you by {yours:g}. It is "
                    f"{ahead} times in the positive edge ({plus.actions} actions, score "
                    f"{plus.score:g}) and {behind} times in the negative one ({minus.actions} "
                    f"actions, {minus.score:g}).",
                    update_of_the_paper(number) if number < len(asked) else None,
                )
    return (
        f"Your rule and the learner agree on {len(asked)} updates, feature by feature, and in two "
        "made-up cases in which there is nothing to do."
    )


@exercise("11.2", judge=_judge_scaled)
def scaled_update(positive: Seen, negative: Seen) -> dict[str, float]:
    """Write the scaled update: feature -> change.

    - The difference of a feature: its count in positive.features, divided by positive.actions,
      minus the same of the negative edge. Use .get(name, 0).
    - step = (negative.score - positive.score + 1) / norm, the norm being the sum of the squares of
      all differences. The change of a feature is step times its difference.
    - No update where the norm is 0, and none where the step would be negative: gold is ahead by
      more than 1 already.

    As in the table of section 2. No update where the edges have the same features, and none where
    gold is ahead by 1 already.
    """
    names = {*positive.features, *negative.features}
    difference = {
        name: positive.features.get(name, 0) / positive.actions
        - negative.features.get(name, 0) / negative.actions
        for name in names
    }
    norm = sum(value**2 for value in difference.values())
    step = (negative.score - positive.score + 1) / norm if norm else 0
    return {name: max(step, 0) * value for name, value in difference.items()}


EPOCHS = 6  # so often is the small world read


@cache
def taught(rule: Function | None) -> tuple[OwnRule, list[int]]:
    """A learner that has read the small world, and how many updates that took, epoch by epoch."""
    learner, counts = OwnRule(rule), []
    for epoch in range(1, EPOCHS + 1):
        before = len(learner.asked)
        for example, sentence in zip(small_world(), SENTENCES, strict=True):
            learner.learn(example)
            if learner.sentences["limit"]:
                raise Wrong(
                    f"Epoch {epoch}, {sentence.text!r}: {MOST} edges were popped, and the gold "
                    "tree was not among them. Your updates do not bring gold up, or they undo "
                    "each other."
                )
        counts.append(len(learner.asked) - before)
    return learner, counts


def factor(
    changes: Sequence[Mapping[str, float]], rights: Sequence[Mapping[str, float]]
) -> float | None:
    """The one positive number that makes all of ``rights`` into ``changes``, if there is one."""
    pairs = [
        (change.get(name, 0.0), right.get(name, 0.0))
        for change, right in zip(changes, rights)
        for name in {**right, **change}
    ]
    ratio = next(yours / right for yours, right in pairs if right)
    if ratio <= 0 or len(changes) != len(rights):
        return None
    same = (isclose(y, r * ratio, rel_tol=1e-6, abs_tol=1e-9 * ratio) for y, r in pairs)
    return ratio if all(same) else None


def _judge_own(rule: Function) -> str:
    asked = asked_of_the_paper()
    own = [_change(rule, plus, minus) for plus, minus, _ in asked]
    longer = factor(own, [one.change for one in asked])
    if longer and isclose(longer, 1):
        raise Wrong("This is the paper's scaled update. It works; now one of your own.")
    if longer:
        raise Wrong(
            f"This is the paper's scaled update, every step times {longer:g}. That is another "
            "learning rate; now a rule of your own."
        )
    (learner, counts), (papers, its_counts) = taught(rule), taught(None)
    both = ([one.change for one in pupil.asked[: counts[0]]] for pupil in (learner, papers))
    if larger := factor(*both):
        raise Wrong(
            f"The paper asks for a margin of 1, and you for one of {larger:g}. All weights are 0 "
            f"at first; so all that is learned is the paper's, times {larger:g}. Every edge keeps "
            "its rank, and every pop is the same. Now a rule that learns something else."
        )
    if counts[-1] > counts[0] / 2:
        raise Wrong(f"Updates by epoch: {counts}. The last should have half of the first or less.")
    return f"Updates by epoch: {counts}. The paper's scaled rule: {its_counts}."


@exercise("11.3", judge=_judge_own)
def my_update(positive: Seen, negative: Seen) -> dict[str, float]:
    """An update rule of your own, which learns.

    - What is in the positive edge and not in the negative one deserves more weight, what is in the
      negative one alone less. How much?
    - Try a fixed amount, the same for every feature: 0.5.

    One of many: half a point up for every feature that only the positive edge has, half a point
    down for every one that only the negative edge has. It needs more updates than the paper's,
    since its steps do not ask how far gold is behind. (A margin of 2 would be the paper's rule once
    more. From zero weights every change is twice as large, so is every score, and all edges keep
    their order.)
    """
    up = positive.features.keys() - negative.features.keys()
    down = negative.features.keys() - positive.features.keys()
    return dict.fromkeys(up, 0.5) | dict.fromkeys(down, -0.5)


def _judge_features(answer: object) -> str:
    three = listed(answer, len(small.CHOSEN), "A list of three answers is wanted, one a sentence.")
    for text, yours, log in zip(small.CHOSEN, three, small.lessons(), strict=True):
        points = small.points_of_last_update(log)
        name = " ".join(str(yours).split())
        where = Moment(log, small.after_update(log), text, "updates")
        if name not in points:
            raise Wrong(f"{text!r}: {name!r} is not among the features that differ.", where)
        if not isclose(points[name], min(points.values()), rel_tol=1e-9):
            did = f"{'cost' if points[name] < 0 else 'won'} gold {abs(points[name]):.3f} points"
            raise Wrong(f"{text!r}: {name!r} {did}; another cost more.", where)
    return "All three are general features, seen in nearly every sentence. Why might that be?"


@exercise("11.4", judge=_judge_features)
def features() -> list[str]:
    """From the view alone: which feature cost the gold edge most points?

    - Choose **by update**, and go on to the last one. Every row is a feature that the two
      edges do not share, with its weight before and after.
    - Points are the weight before, times the difference. The feature that cost most has the
      smallest number: far below 0.
    - A negative weight in the positive edge costs points; so does a positive weight in the negative
      edge. Hand in the feature's text as the view shows it.

    The top row in each of the three views. All three say something very general, such as "a noun
    phrase without dependents on its left". Such features are in nearly every edge, get large
    weights, and then stand in the way where an edge is the exception.
    """
    return ["POS(h)·LVAL(h) = VBD, 0", "POS(h)·LVAL(h) = NP, 0", "POS(h)·NORM(size) = NP, 1"]
