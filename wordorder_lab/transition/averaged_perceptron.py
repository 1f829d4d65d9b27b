"""The averaged perceptron with early update or max-violation, for transition-based linearization.

Liu et al. 2015, section 3.1, after Collins (2002), Collins & Roark (2004), Zhang & Nivre (2011).
For each training sentence:

    decode; after every step look for the gold state in the beam
    early update:    the gold state has fallen out: stop, update on the actions so far
    max-violation:   decode to the end, update on the prefix where the best state leads most
    at the end:      if the best state is not the gold one, update on all actions
    an update adds 1 to the features of the gold prefix and takes 1 from those of the best one

Differences
- *Our reading*: the two prefixes share their first actions; what these would add and take away
  again is skipped.
- *Paper silent*: raw weights are used in training, averaged ones afterwards.
- *Paper silent*: max-violation is that of Huang, Fayong & Guo (2012); of equal violations the first
  counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

import numpy as np

from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.templates import Feature
from wordorder_lab.structures.trace import Trace, UpdateStatistics
from wordorder_lab.transition.actions import action_name, apply_action
from wordorder_lab.transition.beam import BeamSearch, Candidate
from wordorder_lab.transition.features import ActionScores, all_features, state_context
from wordorder_lab.transition.language_model import ShiftGains
from wordorder_lab.transition.packed_weights import ActionTable, RawWeights
from wordorder_lab.transition.pieces import decisions, piece_features
from wordorder_lab.transition.state import SHIFT, State
from wordorder_lab.transition.templates import LEVELS, FeatureKeys, TemplateSet, show

EARLY, MAX_VIOLATION = "early", "max-violation"
UPDATES = (EARLY, MAX_VIOLATION)

BY_LABEL = LEVELS.index("label")


class Example(NamedTuple):
    """A training sentence: its bag made ready, and the gold actions in the problem's numbers.
    ``ngrams`` is the language model that scores it, if there is one, which has not seen it."""

    problem: OrderingProblem
    gold: tuple[int, ...]
    ngrams: NGramModel | None = None


class Violation(NamedTuple):
    """Where an update happens: the best state and the gold state after the same step."""

    predicted: State
    gold: State
    reason: str

    @property
    def lead(self) -> float:
        """By how much the best state's score is above the gold state's."""
        return self.predicted.score - self.gold.score


@dataclass(eq=False, repr=False)
class Perceptron:
    """The learner: ``learn`` takes one example; ``weights`` are what it has learned so far,
    ``lm_weight`` that of the examples' language models, ``statistics`` those of the last one."""

    templates: TemplateSet
    actions: ActionTable
    beam: int
    update: str = EARLY
    trace: Trace | None = None
    lm_weight: float = 0

    def __post_init__(self) -> None:
        self.weights, self.updates, self.statistics = Weights(), 0, UpdateStatistics()

    def learn(self, example: Example) -> None:
        """Decode one example and update the weights if the outcome is wrong."""
        find = self.early_update if self.update == EARLY else self.max_violation
        self.statistics = UpdateStatistics(length=len(example.gold))
        violation = find(example)
        if violation is not None:
            self.updates += 1
            self.statistics.updated(float(violation.gold.score) - float(violation.predicted.score))
            self.apply(violation, example.problem)
        self.weights.examples += 1

    def search(self, problem: OrderingProblem, ngrams: NGramModel | None = None) -> BeamSearch:
        """A search with the raw weights."""
        language = None
        if ngrams is not None:
            language = ShiftGains(ngrams, self.lm_weight, problem)
        rows = self.weights.row
        scores = ActionScores(self.templates, rows, self.actions, problem, language)
        return BeamSearch(problem, scores, self.beam, trace=self.trace)

    def early_update(self, example: Example) -> Violation | None:
        """Stop where the gold state leaves the beam."""
        search = self.search(example.problem, example.ngrams)
        for candidates, gold, is_kept in self._steps(search, example):
            if not is_kept:
                return Violation(candidates[0], gold, "early")
        search.finish(candidates)
        return Violation(candidates[0], gold, "end") if candidates[0] is not gold else None

    def max_violation(self, example: Example) -> Violation | None:
        """Go on to the end; take the step at which the best state leads the gold one most."""
        search = self.search(example.problem, example.ngrams)
        worst: Violation | None = None
        for candidates, gold, _ in self._steps(search, example):
            here = Violation(candidates[0], gold, MAX_VIOLATION)
            if here.predicted is not gold and (worst is None or here.lead > worst.lead):
                worst = here
        search.finish(candidates)
        return worst

    def _steps(
        self, search: BeamSearch, example: Example
    ) -> Iterator[tuple[list[State], State, bool]]:
        """After each step the beam, the gold state, and whether it is in the beam."""
        candidates = search.begin()
        gold = candidates[0]
        for step, action in enumerate(example.gold, 1):
            agenda = search.expand(candidates, step)
            candidates = search.top_k(agenda)
            survivor = successor(gold, action, candidates)
            self._trace_gold(step, agenda, gold, action, candidates)
            if survivor is not None:
                self.statistics.prefix = step
            gold = survivor or self._follow(search, gold, action)
            yield candidates, gold, survivor is not None

    def _trace_gold(
        self,
        step: int,
        agenda: Sequence[Candidate],
        gold: State,
        action: int,
        candidates: Sequence[State],
    ) -> None:
        """Say which candidate is the gold state now, and its rank; -1 where it has none."""
        if self.trace is not None:
            serial = next((c.serial for c in agenda if c[2:] == (gold, action)), -1)
            ranks = [state.serial for state in candidates]
            self.trace.gold(step, serial, ranks.index(serial) if serial in ranks else -1)

    def _follow(self, search: BeamSearch, gold: State, action: int) -> State:
        scores = search.scores.of(state_context(gold, search.problem))
        score = search.scores.after(gold, action, scores)
        return apply_action(gold, action, search.problem, score, serial=-1)

    def apply(self, violation: Violation, problem: OrderingProblem) -> None:
        """Add 1 to the gold prefix's features, take 1 from the predicted prefix's."""
        gold, predicted = violation.gold.derivation(), violation.predicted.derivation()
        if self.trace is not None:
            right, wrong = float(violation.gold.score), float(violation.predicted.score)
            examples, reason = self.weights.examples, violation.reason
            self.trace.update(examples, len(gold), reason, right, wrong)
        shared = 0
        while gold[shared][1] == predicted[shared][1]:
            shared += 1
        self._change(gold[shared:], +1, problem)
        self._change(predicted[shared:], -1, problem)

    def _change(
        self, derivation: Sequence[tuple[State, int]], change: int, problem: OrderingProblem
    ) -> None:
        for state, action in derivation:
            numbers, label = self._numbers(state, action, problem)
            features = all_features(self.templates, state_context(state, problem))
            if self.templates.pieces:
                for decision in decisions(state, action, problem):
                    features += piece_features(self.templates, decision, problem)
            for feature in features:
                level = self.templates.level(feature)
                self.weights.add(feature, numbers[level], change)
                if self.trace is not None and numbers[level] >= 0:
                    named = label if level == BY_LABEL else ""
                    name = action_name(action, problem, level, named)
                    after = float(self.weights.row(feature)[numbers[level]])
                    shown = show(self.templates, feature)
                    self.trace.weight(shown, name, after - change, after)

    def _numbers(
        self, state: State, action: int, problem: OrderingProblem
    ) -> tuple[Sequence[int], str]:
        """The model's numbers of an action in a state; and of an arc the dependent's label."""
        numbers = self.actions.numbers(action, problem)
        if action >= SHIFT:
            return numbers, ""
        label = problem.items[state.stack[action - 2].item].label
        by_label = self.actions.arcs(problem).get(label)
        if by_label is not None:
            numbers = *numbers[:BY_LABEL], by_label[action][BY_LABEL], *numbers[BY_LABEL + 1 :]
        return numbers, label


def successor(state: State, action: int, candidates: Sequence[State]) -> State | None:
    """The state among ``candidates`` that ``action`` made of ``state``. A gold state that has left
    the beam never comes back: no candidate was made of it."""
    for candidate in candidates:
        if candidate.parent is state and candidate.action == action:
            return candidate
    return None


@dataclass
class Weights:
    """Weights in learning: feature -> action number -> [w, u]; the reference learner's own.
    ``examples`` counts the training examples that have been seen."""

    rows: dict[Feature, dict[int, list[int]]] = field(default_factory=dict)
    examples: int = 0

    def row(self, feature: Feature) -> Mapping[int, float]:
        """The raw weights of a feature by action number."""
        return {action: w for action, (w, _) in self.rows.get(feature, {}).items()}

    def add(self, feature: Feature, action: int, change: int) -> None:
        """Change one weight; an action without a number (-1) has none."""
        if action >= 0:
            entry = self.rows.setdefault(feature, {}).setdefault(action, [0, 0])
            entry[0] += change
            entry[1] += change * self.examples

    def raw(self, keys: FeatureKeys) -> RawWeights:
        """Everything learned so far under the keys of the features."""
        rows: list[tuple[int, list[tuple[int, list[int]]]]] = []
        for feature, weights in self.rows.items():
            key = keys.key(feature)
            assert key is not None, "what is learned has numbers"
            rows.append((key, sorted(weights.items())))
        rows.sort()
        entries = [(action, w, u) for _, row in rows for action, (w, u) in row]
        table = np.array(entries, np.int64).reshape(-1, 3)
        return RawWeights(
            np.array([key for key, _ in rows], np.int64),
            np.array([len(row) for _, row in rows], np.int32),
            table[:, 0].astype(np.int32),
            table[:, 1].copy(),
            table[:, 2].copy(),
            self.examples,
        )

    @classmethod
    def of_raw(cls, raw: RawWeights, keys: FeatureKeys) -> Weights:
        """What ``raw`` gave."""
        entries = iter(zip(raw.actions.tolist(), raw.w.tolist(), raw.u.tolist(), strict=True))
        rows = {
            keys.feature(key): {a: [w, u] for a, w, u in islice(entries, length)}
            for key, length in zip(raw.keys.tolist(), raw.lengths.tolist(), strict=True)
        }
        return cls(rows, raw.examples)
