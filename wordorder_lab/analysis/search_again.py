"""The search behind an update once more: with the weights before the update, and with those after.

A log of learning has every change of a weight, so the weights of any moment can be read off it.
With them a model of the same training searches the bag again, as it does when it orders: nothing is
learned on the way. So the search with the weights before need not be the one of the log, where
earlier updates of the same sentence came in between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from wordorder_lab.analysis.marked_gold import marked_gold
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.bag import bag_of, places
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.templates import Feature
from wordorder_lab.structures.trace import Event
from wordorder_lab.systems.best_first_model import BestFirstModel
from wordorder_lab.systems.liu_2015 import LinearizationModel
from wordorder_lab.trace.log import EventLog
from wordorder_lab.transition.actions import action_name
from wordorder_lab.transition.averaged_perceptron import MAX_VIOLATION, Example, Perceptron, Weights
from wordorder_lab.transition.oracle import gold_actions
from wordorder_lab.transition.state import SHIFT
from wordorder_lab.transition.templates import LEVELS, show

UPDATES = ("edge_update", "update")

Known = Mapping[tuple[str, str], float]
"""Weights as a log has them: of (feature, action)."""


class SearchedAgain(NamedTuple):
    """Two searches of one bag, and after how many events of the first its mistake is made."""

    before: EventLog
    after: EventLog
    at: int
    title: str


@dataclass(frozen=True)
class SearchAgain:
    """Answers a player of ``log``: ``model`` was trained on ``sentences`` while the log was kept.

    ``wl.play(log, again=wl.SearchAgain(model, sentences, log))``
    """

    model: Any
    sentences: Sequence[Sentence]
    log: EventLog

    def __call__(self, events: int) -> SearchedAgain:
        """The searches for the last update among so many events. Raises ``ValueError`` where there
        is none, where the log does not tell all weights (one with ``every`` or ``only``), and where
        the bag is not that of one of the sentences."""
        log = self.log.events[:events]
        at = max((i for i, event in enumerate(log) if event[0] in UPDATES), default=None)
        if at is None:
            raise ValueError("no update yet: go forward to one, by steps of one update")
        begin = max(i for i, event in enumerate(log[:at]) if event[0] == "begin")
        sentence = self._sentence(log[begin], log[at][1])
        before: dict[tuple[str, str], float] = {}
        after: dict[tuple[str, str], float] = {}
        for i, event in enumerate(self.log):
            if event[0] == "weight":
                _note(after, event)
                if i < at:
                    _note(before, event)
            elif i > at:
                break
        first, second = (self._searched(sentence, weights) for weights in (before, after))
        number = sum(event[0] in UPDATES for event in log)
        title = f"Update {number}: “{sentence.text}” before and after"
        mistake = _mistake(log[begin : at + 1], first, second)
        return SearchedAgain(first, second, mistake, title)

    def _sentence(self, begin: Event, example: int) -> Sentence:
        """The sentence of a search: in its turn, or in any that has these words."""
        words = Counter[str]()
        for unit, count in zip(begin[1], begin[2], strict=True):
            words[unit] += count
        turn = example % len(self.sentences)
        for sentence in (*self.sentences[turn : turn + 1], *self.sentences):
            if Counter(token.form for token in sentence) == words:
                return sentence
        raise ValueError(
            f"no sentence has the words of this search, {cited(' '.join(begin[1]))}: hand in those "
            "that were learned, as SearchAgain(model, sentences, log)"
        )

    def _searched(self, sentence: Sentence, weights: Known) -> EventLog:
        how = self.model.settings
        labels = how["deps"] if how.get("labels") else 0  # as in training
        bag = bag_of(sentence, how["pos"], how["deps"], how["seed"], labels)
        problem = self.model.problem(bag)
        if isinstance(self.model, LinearizationModel):
            return _with_a_beam(self.model, sentence, problem, weights)
        return _best_first(self.model, sentence, problem, weights)


def _note(weights: dict[tuple[str, str], float], event: Event) -> None:
    """Take one change over, if it begins where the last one ended."""
    _, feature, action, before, after = event
    action = _of_last_word(action)
    if weights.get((feature, action), 0.0) != before:
        raise ValueError(
            f"the log does not tell all changes of {cited(feature)}: record the training from its "
            "beginning, with EventLog() and neither every= nor only="
        )
    weights[feature, action] = after


def _of_last_word(action: str) -> str:
    """The action as weights know it: SHIFT-board-NP for *the board* as for *a board*."""
    *_, last = action.split(" ")
    return last if last == action else f"SHIFT-{last}"


# --- the two families of searches -----------------------------------------------------------------


def _best_first(
    model: BestFirstModel, sentence: Sentence, problem: OrderingProblem, weights: Known
) -> EventLog:
    log = EventLog()
    expansions = model.settings.get("expansions")
    chosen = model.chosen_search(**({"expansions": expansions} if expansions else {}))
    chosen = replace(chosen, lm_weight=0)  # learning is without it
    kept: dict[Feature, float] = {}

    def weight(feature: Feature) -> float:
        if feature not in kept:
            kept[feature] = weights.get((search.show(feature), ""), 0.0)
        return kept[feature]

    search: Any = model.weighing(weight).decoder(problem, chosen, log)
    search.run()
    return marked_gold(log, sentence)


class _Read(Weights):
    """Weights that are read off a log; those of an action have its name there."""

    @checks_arguments
    def __init__(self, model: LinearizationModel, problem: OrderingProblem, known: Known) -> None:
        super().__init__()
        self.templates = model.keys.templates
        self.by_feature: dict[str, dict[str, float]] = {}
        for (feature, action), value in known.items():
            self.by_feature.setdefault(feature, {})[action] = value
        self.numbers: list[dict[str, int]] = [{} for _ in LEVELS]
        for own in range(SHIFT + len(problem.items)):
            for level, number in enumerate(model.actions.numbers(own, problem)):
                if number >= 0:
                    name = _of_last_word(action_name(own, problem, level))
                    self.numbers[level][name] = number
        for label, both in model.actions.arcs(problem).items():
            for own, numbers in enumerate(both):
                by_label = LEVELS.index("label")
                name = action_name(own, problem, by_label, label)
                self.numbers[by_label][name] = numbers[by_label]

    def row(self, feature: Any) -> Mapping[int, float]:
        """The weights of a feature by action number."""
        numbers = self.numbers[self.templates.level(feature)]
        named = self.by_feature.get(show(self.templates, feature), {})
        return {numbers[name]: value for name, value in named.items() if name in numbers}


def _with_a_beam(
    model: LinearizationModel, sentence: Sentence, problem: OrderingProblem, weights: Known
) -> EventLog:
    """The search of a learner that follows gold to the end, and changes nothing."""
    log = EventLog()
    beam = model.settings["beam"]
    learner = Perceptron(model.keys.templates, model.actions, beam, MAX_VIOLATION, log)
    learner.weights = _Read(model, problem, weights)
    gold = gold_actions(sentence, problem, places(sentence, model.settings["seed"]))
    learner.max_violation(Example(problem, tuple(gold)))
    return log


# --- where the mistake is -------------------------------------------------------------------------


def _mistake(lesson: Sequence[Event], before: EventLog, after: EventLog) -> int:
    """After the pop or the step for which the update was made; else after the first difference."""
    update = lesson[-1]
    if update[0] == "update":
        there = [i for i, event in enumerate(before) if event[:2] == ("gold", update[2])]
    else:
        wrong = _structures(lesson)[update[4]]
        made = _structures(before)
        pops = ((i, event[1]) for i, event in enumerate(before) if event[0] == "popped")
        there = [i for i, serial in pops if made[serial] == wrong]
    if there:
        return there[0] + 1
    pairs = zip(before, after)
    apart = (i for i, (one, other) in enumerate(pairs) if one != other)
    return min(next(apart, len(before)) + 1, len(before))


def _structures(events: Any) -> dict[int, Hashable]:
    """What each edge is made of, so that edges of two searches can be told to be the same."""
    made: dict[int, Hashable] = {}
    for event in events:
        if event[0] == "leaf":
            made[event[1]] = (*event[3:5], *event[7:])
        elif event[0] == "edge":
            _, serial, left, right, action, *_ = event
            made[serial] = (made.get(left), made.get(right), action, *event[7:])
    return made
