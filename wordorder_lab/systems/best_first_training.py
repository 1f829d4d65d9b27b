"""Training a best-first system, whatever its grammar: epochs, checkpoints, statistics.

Zhang & Clark (2015), sections 3.4, 3.5 and 4. A system says how it numbers what its sentences hold,
and what is learned from one of them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Generic

import numpy as np

from wordorder_lab.best_first.gold import GuidedExample
from wordorder_lab.best_first.guided_learning import GuidedLearner
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.packed_weights import (
    LEARNING,
    PackedEdgeWeights,
    RawEdgeWeights,
)
from wordorder_lab.best_first.updates import OUTCOMES, REASONS, EdgeWeights
from wordorder_lab.models.file_parts import Json, JsonView, exactly, rows, whole
from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.systems.best_first_model import BestFirstSettings
from wordorder_lab.systems.language_models import FoldedModels, in_use, models_of_training
from wordorder_lab.systems.model import choose_engine
from wordorder_lab.systems.training_run import (
    Given,
    Model,
    ReferenceLearner,
    TrainingOptions,
    TrainingRun,
    feature_words,
    gold_of,
    golds_of,
    identity_of,
)

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
        self.history: list[Json] = []
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
        """The learner of an engine, with the search that a grammar has in it."""
        settings, decoder = self.settings.guided(), self.decoder_of(engine)
        if engine == "reference":
            learner = GuidedLearner(self.keys.templates, settings, decoder=decoder)
            return ReferenceLearner(learner, EdgeWeights, self.keys)
        from wordorder_lab.best_first.guided_learning_fast import FastGuided

        return FastGuided(self.keys, settings, decoder)

    def decoder_of(self, engine: str) -> Any:
        """The search of an engine, as its learner takes it."""
        raise NotImplementedError

    def model_of(self, weights: PackedEdgeWeights, settings: Json) -> Model:
        """The model with these weights, and with ``ngrams`` if there are any."""
        raise NotImplementedError

    def numbered(self) -> list[object]:
        """What is numbered, or looked up, by all sentences: two runs that differ in it differ."""
        return [self.keys.words, self.keys.tags, self.dictionary.entries()]

    # --- the run ----------------------------------------------------------------------------

    def begin_epoch(self) -> None:
        """Remember what the learner has counted so far."""
        self._before = self._counted()

    def end_epoch(self, epoch: int) -> Json:
        """What the learner has counted in this epoch goes into the history."""
        row: Json = {"epoch": epoch}
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

    def identity(self) -> Json:
        """What a checkpoint must have in common with this run."""
        models = None if self.ngrams is None else FoldedModels(self.ngrams, ())
        common = identity_of(self.settings, self.sentences, self.keys.templates.text, models)
        digest = hashlib.sha256(json.dumps(self.numbered()).encode()).hexdigest()
        return {"system": self.system, **common, "numbered": digest}

    def raw(self, arrays: dict[str, np.ndarray], examples: int) -> RawEdgeWeights:
        """The weights of a checkpoint. Raises ``ValueError`` where they are none of this run."""
        weights = RawEdgeWeights(**exactly(arrays, LEARNING), examples=examples)
        weights.check()
        self.keys.check(weights.keys)
        return weights

    def more(self) -> Json:
        """The history so far."""
        return {"history": self.history}

    def restore_more(self, header: JsonView) -> None:
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
