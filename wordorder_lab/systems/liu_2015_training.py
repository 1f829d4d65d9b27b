"""Training "liu-2015": epochs, checkpoints, and a model that is the same after an interruption."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.bag import bag_of, places
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems.liu_2015 import NAME, LinearizationModel
from wordorder_lab.systems.model import choose_engine
from wordorder_lab.systems.training_run import OnEpoch, TrainingRun, identity_of
from wordorder_lab.transition.averaged_perceptron import UPDATES, Example, Perceptron, Weights
from wordorder_lab.transition.keys import FeatureKeys
from wordorder_lab.transition.oracle import gold_actions
from wordorder_lab.transition.packed_weights import ActionTable, RawWeights
from wordorder_lab.transition.templates import TemplateSet, load_templates

TEMPLATES = "liu_2015_table_2_corrected"
"""The template file that is used unless another is named."""

CHUNK = {"fast": 256, "reference": 8}
"""Sentences a call of the learner, so that Ctrl-C is heard and the bar moves."""


@dataclass(frozen=True)
class Settings:
    """What a training run depends on, beside its sentences."""

    pos: float = 1
    deps: float = 0
    beam: int = 64
    epochs: int = 10
    seed: int = 1
    templates: str = TEMPLATES
    update: str = "early"
    shuffle: bool = False

    def check(self) -> None:
        """Raise ``ValueError`` for a setting that cannot be, and for no such templates."""
        if self.beam < 1 or self.epochs < 1:
            raise ValueError(f"beam ({self.beam}) and epochs ({self.epochs}) are at least 1")
        if self.update not in UPDATES:
            raise ValueError(f"no update {self.update!r}; there are {' and '.join(UPDATES)}")
        load_templates(self.templates)


def train(
    sentences: Sequence[Sentence],
    *,
    engine: str | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    about: dict[str, Any] | None = None,
    progress: bool = True,
    on_epoch: OnEpoch[LinearizationModel] | None = None,
    trace: Trace | None = None,
    **settings: Any,
) -> LinearizationModel:
    """Train a linearizer; ``settings`` are the fields of ``Settings``.

    With a ``checkpoint`` file, training writes it after every epoch and goes on from it if it is
    there; the result is that of an uninterrupted run. Delete it when the model is saved.
    ``about`` goes into the model's settings (corpus, units). ``on_epoch`` is called with the
    epoch's number and a ``Moment``, which makes the model of that moment when it is called.

    Raises ``ValueError`` for an empty corpus or impossible settings, ``ModelError`` for a
    checkpoint that belongs to other settings or sentences.
    """
    chosen = Settings(**settings)
    chosen.check()
    if not sentences:
        raise ValueError("there are no sentences to train on")
    run = _Run(sentences, chosen, choose_engine(engine), dict(about or {}))
    run.go(checkpoint, progress, on_epoch, trace)
    return run.model()


class _Run(TrainingRun[LinearizationModel]):
    """One training run: its data in the form that the learner takes, and the learner."""

    system = NAME

    def __init__(
        self, sentences: Sequence[Sentence], settings: Settings, engine: str, about: dict[str, Any]
    ) -> None:
        self.settings, self.about, self.chunk = settings, about, CHUNK[engine]
        self.sentences = sentences
        self.dictionary = TagDictionary.of(sentences)
        self.actions = ActionTable.of(sentences)
        self.keys = _number(load_templates(settings.templates), sentences)
        self.learner = _learner(engine)(self.keys, self.actions, settings.beam, settings.update)
        self.learner.prepare([self._example(sentence) for sentence in sentences])

    def _example(self, sentence: Sentence) -> Example:
        bag = bag_of(sentence, self.settings.pos, self.settings.deps, self.settings.seed)
        problem = OrderingProblem.of(bag, self.dictionary.lookup)
        units = places(sentence, self.settings.seed)
        return Example(problem, tuple(gold_actions(sentence, problem, units)))

    def model(self) -> LinearizationModel:
        """The model of this moment."""
        weights = self.learner.raw().averaged()
        settings = {**self.about, **asdict(self.settings), "sentences": len(self.sentences)}
        return LinearizationModel(self.keys, self.actions, self.dictionary, weights, settings)

    def identity(self) -> dict[str, Any]:
        """What a checkpoint must have in common with this run."""
        return identity_of(self.settings, self.sentences, self.keys.templates.text)

    def raw(self, arrays: dict[str, np.ndarray], examples: int) -> RawWeights:
        """The weights of a checkpoint."""
        return RawWeights(**arrays, examples=examples)


class ReferenceLearner:
    """The reference learner behind the same few methods as the fast one."""

    def __init__(self, keys: FeatureKeys, actions: ActionTable, beam: int, update: str) -> None:
        self.keys = keys
        self.learner = Perceptron(keys.templates, actions, beam, update)

    def prepare(self, examples: Sequence[Example]) -> None:
        """Keep the examples."""
        self.examples = examples

    def learn(self, order: Sequence[int], trace: Trace | None = None) -> None:
        """Learn the prepared examples with these indices, in this order."""
        self.learner.trace = trace
        for i in order:
            self.learner.learn(self.examples[i])

    def raw(self) -> RawWeights:
        """Everything learned so far."""
        return self.learner.weights.raw(self.keys.key)

    def restore(self, raw: RawWeights) -> None:
        """Go on from there."""
        self.learner.weights = Weights.of_raw(raw, self.keys.feature)


def _number(templates: TemplateSet, sentences: Sequence[Sentence]) -> FeatureKeys:
    tokens = [token for sentence in sentences for token in sentence]
    return FeatureKeys.of(templates, (t.words[-1] for t in tokens), (t.pos for t in tokens))


def _learner(engine: str) -> Any:
    if engine == "reference":
        return ReferenceLearner
    from wordorder_lab.transition.averaged_perceptron_fast import FastPerceptron

    return FastPerceptron
