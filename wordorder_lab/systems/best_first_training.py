"""Training a best-first system, whatever its grammar: epochs, checkpoints, statistics.

Zhang & Clark (2015), sections 3.4, 3.5 and 4. A system says how it numbers what its sentences hold,
and what is learned from one of them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Generic

import numpy as np

from wordorder_lab.best_first.dependency import BestFirstDependency
from wordorder_lab.best_first.gold import GuidedExample
from wordorder_lab.best_first.guided_learning import GuidedLearner
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.packed_weights import (
    LEARNING,
    PackedEdgeWeights,
    RawEdgeWeights,
)
from wordorder_lab.best_first.search import Decoder
from wordorder_lab.best_first.settings import GuidedSettings
from wordorder_lab.best_first.updates import OUTCOMES, REASONS, EdgeWeights
from wordorder_lab.models.file_parts import exactly, rows, whole
from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.trace import Lesson, Trace
from wordorder_lab.systems.best_first_settings import BestFirstSettings
from wordorder_lab.systems.language_models import FoldedModels, in_use, models_of_training
from wordorder_lab.systems.model import choose_engine
from wordorder_lab.systems.ordering_lessons import Given, feature_words, gold_of, golds_of
from wordorder_lab.systems.training_run import Model, TrainingOptions, TrainingRun, identity_of

CHUNK = {"fast": 16, "reference": 1}
"""Sentences a call of the learner, so that Ctrl-C is heard and the bar moves."""


def run_training(
    run: type[BestFirstRun[Model]],
    sentences: Sequence[Given],
    settings: BestFirstSettings,
    options: TrainingOptions,
) -> Model:
    """Train a model of a system.

    With dependency trees, some or all of ``sentences`` may be examples with a bag of their own.
    A moment has in its ``numbers`` the updates by reason and how the sentences ended.
    ``options.more`` may have ``lm``, a language model to use beside syntax instead of n-grams
    learned from the sentences (``lm_order``), and ``lm_text``, further text for these, a sequence
    of words a sentence. Raises ``ModelError`` for a checkpoint of other settings or sentences.
    """
    lm, text = options.more.get("lm"), options.more.get("lm_text", ())
    models = models_of_training(golds_of(sentences), settings.lm_order, lm, text)
    begun = run(sentences, settings, options)
    begun.ngrams = None if models is None else models.whole
    begun.go(options)
    return begun.model()


class BestFirstRun(TrainingRun[Model], Generic[Model]):
    """One training run: its data in the form that the learner takes, and the learner.

    Words and tags are those of all sentences, also of those that are too long to be learned. A
    system that also numbers something else does so in ``number``.
    """

    settings: BestFirstSettings
    keys: EdgeKeys
    ngrams: NGramModel | None = None

    def __init__(
        self,
        sentences: Sequence[Given],
        settings: BestFirstSettings,
        options: TrainingOptions,
    ) -> None:
        engine = choose_engine(options.engine)
        self.system, self.settings = options.system, settings
        self.about = dict(options.about or {})
        self.chunk = CHUNK[engine]
        self.sentences = _short_enough(sentences, settings.max_length)
        self.dictionary = TagDictionary.of(golds_of(sentences))
        self.keys = self.number(sentences)
        self.history: list[dict[str, Any]] = []
        self.learner = self.learner_of(engine)
        self.learner.prepare([self.example(sentence) for sentence in self.sentences])

    # --- what a grammar says ----------------------------------------------------------------

    def number(self, sentences: Sequence[Any]) -> EdgeKeys:
        """Number what the features of these sentences hold."""
        raise NotImplementedError

    def example(self, sentence: Any) -> GuidedExample:
        """What is learned from a sentence, or from an example with a bag of its own."""
        raise NotImplementedError

    def learner_of(self, engine: str) -> Any:
        """The learner of an engine."""
        raise NotImplementedError

    def model_of(self, weights: PackedEdgeWeights, settings: dict[str, Any]) -> Model:
        """The model with these weights, and with ``ngrams`` if there are any."""
        raise NotImplementedError

    def numbered(self) -> list[Any]:
        """What is numbered, or looked up, by all sentences: two runs that differ in it differ."""
        return [self.keys.words, self.keys.tags, self.dictionary.entries()]

    # --- the run ----------------------------------------------------------------------------

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

    def model(self) -> Model:
        """The model of this moment."""
        raw = self.learner.raw()
        weights = raw.averaged() if self.settings.averaged else raw.last()
        learned = {"sentences": len(self.sentences), "history": list(self.history)}
        chosen = in_use(self.settings, self.ngrams is not None)
        return self.model_of(weights, {**self.about, **chosen, **learned})

    def identity(self) -> dict[str, Any]:
        """What a checkpoint must have in common with this run."""
        identity = identity_of(self.settings, self.sentences, self.keys.templates.text)
        digest = hashlib.sha256(json.dumps(self.numbered()).encode()).hexdigest()
        fixed = in_use(self.settings, self.ngrams is not None)
        identity["settings"] = {k: v for k, v in fixed.items() if k != "epochs"}
        if self.ngrams is not None:
            identity["ngrams"] = FoldedModels(self.ngrams, ()).digest()
        return {"system": self.system, **identity, "numbered": digest}

    def raw(self, arrays: dict[str, np.ndarray], examples: int) -> RawEdgeWeights:
        """The weights of a checkpoint. Raises ``ValueError`` where they are none of this run."""
        weights = RawEdgeWeights(**exactly(arrays, LEARNING), examples=examples)
        weights.check()
        self.keys.check(weights.keys)
        return weights

    def more(self) -> dict[str, Any]:
        """The history so far."""
        return {"history": self.history}

    def restore_more(self, header: Mapping[str, Any]) -> None:
        """The history so far. Raises ``ValueError`` where it is not that of these epochs."""
        history = rows(header["history"], "the history")
        for epoch, line in enumerate(history, 1):
            if not isinstance(line, dict) or line.get("epoch") != epoch:
                raise ValueError(f"the history has no line of epoch {epoch}")
            for name in ("updates", "sentences"):
                for reason, times in line[name].items():
                    whole(times, f"the count of {reason}")
        if len(history) != header["epoch"]:
            raise ValueError(f"the history has {len(history)} epochs")
        self.history = history


class ReferenceLearner:
    """The reference learner behind the same few methods as the fast one."""

    def __init__(
        self, keys: EdgeKeys, settings: GuidedSettings, decoder: Decoder = BestFirstDependency
    ) -> None:
        self.keys = keys
        self.learner = GuidedLearner(keys.templates, settings, decoder=decoder)

    def prepare(self, examples: Sequence[GuidedExample]) -> None:
        """Keep the examples."""
        self.examples = examples

    def learn(self, order: Sequence[int], trace: Trace | None = None) -> None:
        """Learn the prepared examples with these indices, in this order."""
        self.learner.trace = trace
        for i in order:
            self.learner.learn(self.examples[i])

    def raw(self) -> RawEdgeWeights:
        """Everything learned so far."""
        return self.learner.weights.raw(self.keys)

    @property
    def lesson(self) -> Lesson:
        """What the last sentence came to."""
        return self.learner.lesson

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


def words_and_tags(sentences: Sequence[Given]) -> tuple[list[str], list[str]]:
    """The words that stand for units in features, and the tags."""
    tags = [token.pos for sentence in golds_of(sentences) for token in sentence]
    return feature_words(sentences), tags


def _short_enough(sentences: Sequence[Given], longest: int | None) -> Sequence[Given]:
    kept = [one for one in sentences if longest is None or len(gold_of(one)) <= longest]
    if not kept:
        shortest = min(map(len, golds_of(sentences)))
        raise ValueError(
            f"no sentence has at most {longest} units (max_length); the shortest has {shortest}"
        )
    return kept
