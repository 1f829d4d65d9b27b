"""Training "zhang-clark-2015-dependency" and "zhang-2013": epochs, checkpoints, statistics.

Zhang & Clark (2015), sections 3.4, 3.5 and 4.

Differences. The papers print neither the size of the chart nor a limit for training: the defaults
of ``Settings`` are ours. Weights are averaged unless that is switched off; the papers do not say.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from wordorder_lab.features.edge_keys import EdgeKeys
from wordorder_lab.features.edge_notation import load_edge_templates
from wordorder_lab.grammars.dependency_links import canonical_types
from wordorder_lab.grammars.gold_edges import Example
from wordorder_lab.learners.edge_updates import UPDATES
from wordorder_lab.learners.guided_learning import GuidedLearner
from wordorder_lab.learners.guided_settings import NEGATIVES, OUTCOMES, REASONS
from wordorder_lab.models.edge_weights import EdgeWeights, RawEdgeWeights
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.chart import CHARTS
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.engines import choose_engine
from wordorder_lab.systems.training_run import OnEpoch, TrainingRun, identity_of
from wordorder_lab.systems.zhang_clark_2015_dependency import (
    NAME,
    ZHANG_2013,
    DependencyModel,
)
from wordorder_lab.tasks.ordering import bag_of, places

TEMPLATES = "zhang_clark_2015_table_2"
"""The template file that is used unless another is named."""

PRESETS: dict[str, dict[str, Any]] = {
    NAME: {},
    ZHANG_2013: {"negatives": "stop", "update": "scaled", "chart": "sizes"},
}
"""What sets a system apart from the usual settings."""

CHUNK = {"fast": 16, "reference": 1}
"""Sentences a call of the learner, so that Ctrl-C is heard and the bar moves."""


@dataclass(frozen=True)
class Settings:
    """What a training run depends on, beside its sentences.

    ``beam`` is how many edges the chart keeps (0: all), in all or of each size, as ``chart`` says.
    ``expansions`` is the limit a sentence (``None``: none), ``max_length`` how many units a
    sentence may have to be learned (``None``: any number).
    """

    pos: float = 1
    deps: float = 0
    beam: int = 64
    epochs: int = 10
    seed: int = 1
    templates: str = TEMPLATES
    update: str = "scaled"
    shuffle: bool = False
    chart: str = "single"
    negatives: str = "expand"
    expansions: int | None = 1000
    max_length: int | None = None
    averaged: bool = True

    def check(self) -> None:
        """Raise ``ValueError`` for a setting that cannot be, and for no such templates."""
        for name in ("beam", "epochs", "seed"):
            if not isinstance(value := getattr(self, name), int):
                raise ValueError(f"{name} is a whole number, not {value!r}")
        if self.beam < 0 or self.epochs < 1:
            raise ValueError(
                f"epochs ({self.epochs}) are at least 1, the beam ({self.beam}) too, or 0: no bound"
            )
        for name, values in (("update", UPDATES), ("chart", CHARTS), ("negatives", NEGATIVES)):
            if (value := getattr(self, name)) not in values:
                raise ValueError(f"no {name} {value!r}; there are {', '.join(values)}")
        for name in ("expansions", "max_length"):
            if (value := getattr(self, name)) is not None and value < 1:
                raise ValueError(f"{name} ({value}) is at least 1")
        load_edge_templates(self.templates)


class ReferenceLearner:
    """The reference learner behind the same few methods as the fast one."""

    def __init__(self, keys: EdgeKeys, **settings: Any) -> None:
        self.keys = keys
        self.learner = GuidedLearner(keys.templates, **settings)

    def prepare(self, examples: Sequence[Example]) -> None:
        """Keep the examples."""
        self.examples = examples

    def learn(self, order: Sequence[int], trace: Any = None) -> None:
        """Learn the prepared examples with these indices, in this order."""
        self.learner.trace = trace
        for i in order:
            self.learner.learn(self.examples[i])

    def raw(self) -> RawEdgeWeights:
        """Everything learned so far."""
        return self.learner.weights.raw(self.keys)

    def restore(self, raw: RawEdgeWeights) -> None:
        """Go on from there."""
        self.learner.weights = EdgeWeights.of_raw(raw, self.keys)

    @property
    def updates(self) -> Mapping[str, int]:
        """Updates by reason."""
        return self.learner.updates

    @property
    def sentences(self) -> Mapping[str, int]:
        """How many sentences ended in which way."""
        return self.learner.sentences


def settings_of(system: str, **settings: Any) -> Settings:
    """The settings of a system, with its own defaults; ``TypeError`` for one that there is not."""
    return Settings(**{**PRESETS[system], **settings})


def train(
    sentences: Sequence[Sentence],
    *,
    system: str = NAME,
    engine: str | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    about: dict[str, Any] | None = None,
    progress: bool = True,
    on_epoch: OnEpoch[DependencyModel] | None = None,
    trace: Any = None,
    **settings: Any,
) -> DependencyModel:
    """Train a model of one of the two systems; ``settings`` are the fields of ``Settings``.

    With a ``checkpoint`` file, training writes it after every epoch and goes on from it if it is
    there; the result is that of an uninterrupted run. Delete it when the model is saved.
    ``about`` goes into the model's settings (corpus, units). ``on_epoch`` is called with the
    epoch's number and a ``Moment``: the model of that moment when it is called, its ``seconds``,
    and in its ``numbers`` the updates by reason and how the sentences ended.

    Raises ``ValueError`` for an empty corpus or impossible settings, ``ModelError`` for a
    checkpoint that belongs to other settings or sentences.
    """
    chosen = settings_of(system, **settings)
    chosen.check()
    if not sentences:
        raise ValueError("there are no sentences to train on")
    run = _Run(system, sentences, chosen, choose_engine(engine), dict(about or {}))
    run.go(checkpoint, progress, on_epoch, trace)
    return run.model()


class _Run(TrainingRun[DependencyModel]):
    """One training run: its data in the form that the learner takes, and the learner.

    Words and tags are those of all sentences, also of those that are too long to be learned.
    """

    def __init__(
        self,
        system: str,
        sentences: Sequence[Sentence],
        settings: Settings,
        engine: str,
        about: dict[str, Any],
    ) -> None:
        self.system, self.settings, self.about = system, settings, about
        self.chunk = CHUNK[engine]
        self.sentences = _short_enough(sentences, settings.max_length)
        self.dictionary = TagDictionary.of(sentences)
        self.keys = _number(settings.templates, sentences)
        self.history: list[dict[str, Any]] = []
        names = ("beam", "chart", "update", "negatives", "expansions")
        how = {name: getattr(settings, name) for name in names}
        self.learner = _learner(engine)(self.keys, **how)
        self.learner.prepare([self._example(sentence) for sentence in self.sentences])

    def _example(self, sentence: Sentence) -> Example:
        bag = bag_of(sentence, self.settings.pos, self.settings.deps, self.settings.seed)
        problem = OrderingProblem.of(bag, self.dictionary.lookup)
        return gold_example(sentence, problem, places(sentence, self.settings.seed))

    def begin_epoch(self) -> None:
        """Remember what the learner has counted so far."""
        self._before = self._counted()

    def end_epoch(self, epoch: int) -> dict[str, Any]:
        """What the learner has counted in this epoch goes into the history."""
        row: dict[str, Any] = {"epoch": epoch}
        for name, counts in self._counted().items():
            row[name] = {key: n - self._before[name][key] for key, n in counts.items()}
        self.history.append(row)
        return row

    def _counted(self) -> dict[str, dict[str, int]]:
        updates, sentences = self.learner.updates, self.learner.sentences
        return {
            "updates": {reason: int(updates.get(reason, 0)) for reason in REASONS},
            "sentences": {end: int(sentences.get(end, 0)) for end in OUTCOMES},
        }

    def model(self) -> DependencyModel:
        """The model of this moment."""
        raw = self.learner.raw()
        weights = raw.averaged() if self.settings.averaged else raw.last()
        learned = {"sentences": len(self.sentences), "history": list(self.history)}
        settings = {**self.about, **asdict(self.settings), **learned}
        return DependencyModel(self.system, self.keys, self.dictionary, weights, settings)

    def identity(self) -> dict[str, Any]:
        """What a checkpoint must have in common with this run."""
        identity = identity_of(self.settings, self.sentences, self.keys.templates.text)
        numbered = [self.keys.words, self.keys.tags, self.dictionary.entries()]  # of all sentences
        digest = hashlib.sha256(json.dumps(numbered).encode()).hexdigest()
        return {"system": self.system, **identity, "numbered": digest}

    def raw(self, arrays: dict[str, np.ndarray], examples: int) -> RawEdgeWeights:
        """The weights of a checkpoint."""
        return RawEdgeWeights(**arrays, examples=examples)

    def more(self) -> dict[str, Any]:
        """The history so far."""
        return {"history": self.history}

    def restore_more(self, header: Mapping[str, Any]) -> None:
        """The history so far."""
        self.history = list(header["history"])


def gold_example(sentence: Sentence, problem: OrderingProblem, units: Sequence[int]) -> Example:
    """What is learned from a sentence; ``units[i]`` is the place of token ``i`` in the bag.

    Raises ``KeyError`` if the problem does not offer a token's gold tag.
    """
    canonical = canonical_types(problem)
    own = {unit: t for t, group in enumerate(problem.units) for unit in group}
    numbers = {(item.type, item.pos): i for i, item in enumerate(problem.items)}
    items = [
        numbers[canonical[own[u]], token.pos] for u, token in zip(units, sentence, strict=True)
    ]
    return Example(problem, tuple(items), tuple(token.head for token in sentence))


def _short_enough(sentences: Sequence[Sentence], longest: int | None) -> Sequence[Sentence]:
    kept = [one for one in sentences if longest is None or len(one) <= longest]
    if not kept:
        shortest = min(map(len, sentences))
        raise ValueError(
            f"no sentence has at most {longest} units (max_length); the shortest has {shortest}"
        )
    return kept


def _number(templates: str, sentences: Sequence[Sentence]) -> EdgeKeys:
    tokens = [token for sentence in sentences for token in sentence]
    words, tags = (t.words[-1] for t in tokens), (t.pos for t in tokens)
    return EdgeKeys.of(load_edge_templates(templates), words, tags)


def _learner(engine: str) -> Any:
    if engine == "reference":
        return ReferenceLearner
    from wordorder_lab.learners.guided_learning_fast import FastGuided

    return FastGuided
