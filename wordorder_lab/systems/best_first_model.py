"""A best-first system: what those for dependency trees and for CCG have in common.

Zhang & Clark (2011, 2015) search and learn in one way, whatever the grammar. A system says how a
bag is made ready, which decoder of each engine searches, what else is in its model file, how its
training numbers what its sentences hold, and what is learned from one of them.

Differences
- *Our reading*: the papers stop a search after 5 seconds. Here it stops after so many expansions
  unless another limit is given, so that the same bag has the same output on every machine.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from wordorder_lab.best_first.chart import CHARTS
from wordorder_lab.best_first.drive import Drive
from wordorder_lab.best_first.gold import GoldStandard, GuidedExample
from wordorder_lab.best_first.guided_learning import GuidedLearner
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.output import DEFAULTS, Ordering
from wordorder_lab.best_first.packed_weights import (
    LEARNED,
    LEARNING,
    FeatureWeights,
    PackedEdgeWeights,
    RawEdgeWeights,
)
from wordorder_lab.best_first.reasons import EdgeReasons
from wordorder_lab.best_first.settings import GuidedSettings, Limits, SearchSettings
from wordorder_lab.best_first.templates import EdgeTemplates
from wordorder_lab.best_first.updates import (
    GUIDED,
    NEGATIVES,
    OUTCOMES,
    REASONS,
    SCALED,
    SCALED_SEARCH,
    EdgeWeights,
)
from wordorder_lab.models.file_parts import Json, JsonView, exactly, rows, whole
from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.runtime.buffers import BufferPool
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.reasons import Reasons
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.templates import Feature
from wordorder_lab.structures.trace import Event, Trace
from wordorder_lab.systems import language_models as language
from wordorder_lab.systems import training_run as training
from wordorder_lab.systems.model import OrderingModel, Words, result_of, templates_part
from wordorder_lab.systems.setting import SettingsClass, setting, usual

if TYPE_CHECKING:
    from wordorder_lab.best_first.search_fast import FastSearch
    from wordorder_lab.best_first.weights_fast import EdgeTable


LM_WEIGHT = 0.1
"""How much a language model counts where nothing is said of it: of weights from 0.01 to 1, one of
the better ones on dev in both grammars where scores are scaled. Presets have their own."""

CHART = "one beam for the chart, or one for each number of words"
DEFAULT = (
    "how an output is put together when a search is stopped: the way of a paper, which may lose "
    "words, or all-words, which loses none"
)


@dataclass(frozen=True)
class BestFirstSettings:
    """What a training run depends on, beside its sentences. N-grams are not used before bags are
    ordered."""

    pos: float = usual("pos", 1)
    deps: float = usual("deps", 0)
    beam: int = usual("beam", 64, help="hypotheses kept in the chart; 0: no bound", minimum=0)
    epochs: int = usual("epochs", 10)
    seed: int = usual("seed", 1)
    templates: str = usual("templates", "")
    update: str = setting(SCALED, "how to update the weights", choices=GUIDED)
    shuffle: bool = usual("shuffle", False)
    chart: str = setting(CHARTS[0], CHART, choices=CHARTS)
    negatives: str = setting(
        NEGATIVES[0],
        "wrong edges are expanded (Algorithm 3), discarded (Algorithm 2), or end the sentence",
        choices=NEGATIVES,
    )
    expansions: int | None = setting(1000, "most expansions of a search in training", minimum=1)
    max_length: int | None = setting(
        None, "learn from sentences of at most so many units", minimum=1
    )
    averaged: bool = setting(True, "average the weights of all steps")
    lm_order: int = usual("lm_order", 0)
    lm_weight: float = usual("lm_weight", LM_WEIGHT)

    def load_templates(self) -> EdgeTemplates:
        """The templates. Raises ``ValueError`` for no such file."""
        raise NotImplementedError

    def guided(self) -> GuidedSettings:
        """What the learner takes of them."""
        return GuidedSettings(self.beam, self.chart, self.update, self.negatives, self.expansions)

    def check(self) -> None:
        """Raise ``ValueError`` for no such templates."""
        self.load_templates()


EXPANSIONS = 2_000
"""A search without a limit of its own stops after so many expansions."""
LIMITS = ("expansions", "seconds", "memory")

Found = tuple[list[Ordering], str, dict[str, int]]
"""What a search gives: its outputs, why it stopped, how much work it was."""


@dataclass(frozen=True)
class BestFirstSearch:
    """What may be set when a bag is ordered; the last where the model has a language model. The
    search ends at the ``k``-th goal, or at a limit; ``EXPANSIONS`` where none is given. Without a
    goal, the output is put together from what there is, as ``default`` says, and may have fewer
    words and several roots, or none."""

    beam: int = usual(
        "beam", 64, help="hypotheses kept in the chart; 0: no bound", minimum=0, as_trained=True
    )
    chart: str = setting(CHARTS[0], CHART, choices=CHARTS, as_trained=True)
    expansions: int | None = setting(
        None, "stop after so many expansions (2,000 if there is no limit)", minimum=0
    )
    seconds: float | None = setting(
        None, "stop after so many seconds", minimum=0, maximum=math.inf, metavar="SECONDS"
    )
    memory: float | None = setting(
        None,
        "stop a search that takes so many MiB, at 2 KiB an edge",
        minimum=0,
        maximum=math.inf,
        metavar="MIB",
    )
    default: str = setting(DEFAULTS[0], DEFAULT, choices=DEFAULTS)
    lm_weight: float = usual("lm_weight", LM_WEIGHT, as_trained=True)


@dataclass(repr=False)
class BestFirstModel(OrderingModel):
    """A trained model of ``system``, which is one of the names ``SYSTEMS``. ``settings["history"]``
    has a row an epoch: updates by reason, and how its sentences ended. ``weight`` is the weight of
    a feature, for the reference engine."""

    Search: ClassVar[SettingsClass] = BestFirstSearch

    system: str
    keys: EdgeKeys
    dictionary: TagDictionary
    weights: PackedEdgeWeights
    settings: JsonView = field(default_factory=dict)
    ngrams: NGramModel | None = None
    _table: EdgeTable | None = field(default=None, init=False, compare=False)
    _buffers: BufferPool[FastSearch] = field(default_factory=BufferPool, init=False, compare=False)
    weight: Callable[[Feature], float] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self.weight = FeatureWeights(self.keys, self.weights)

    # --- what a grammar says ----------------------------------------------------------------

    def search_class(self, engine: str) -> Any:
        """The search of an engine: on one bag, or that of the fast engine, for all."""
        raise NotImplementedError

    def assigner(
        self, bag: WordBag, problem: OrderingProblem
    ) -> Callable[[Ordering], Sequence[int]]:
        """What says for each word of an output which unit of the bag it is."""
        raise NotImplementedError

    def without(self, *templates: str) -> Self:
        """The model with features of these templates, or of all under a heading of their file, at
        0. Raises ``ValueError`` for what it has not."""
        kept = ~self.keys.of_templates(self.weights.keys, templates)
        weights = PackedEdgeWeights(self.weights.keys[kept], self.weights.values[kept])
        return replace(self, weights=weights)

    # --- ordering ---------------------------------------------------------------------------

    def decoder(
        self, problem: OrderingProblem, settings: SearchSettings, trace: Trace | None = None
    ) -> Any:
        """The reference engine's search on a bag."""
        make, templates = self.search_class("reference"), self.keys.templates
        search = make(problem, templates, self.weight, settings, trace).with_ngrams(self.ngrams)
        if isinstance(self.weight, FeatureWeights):
            search = search.with_fixed_weights(self.weight)
        return search

    def drive(self, bag: Words) -> Drive:
        """What two edges of a search on this bag make, for ``wl.play(log, drive=...)``."""
        return Drive(self.decoder(self.problem(bag), self.chosen_search(beam=0)))

    def _begin(self, bag: WordBag, problem: OrderingProblem, trace: Trace | None) -> None:
        if trace is not None and any(bag.chances):
            trace.supertags(chances_of_items(bag, problem))

    def _run(
        self, problem: OrderingProblem, chosen: Json, k: int, engine: str, trace: Trace | None
    ) -> Found:
        settings = self._decoder_settings(chosen, k)
        if engine == "reference":
            search = self.decoder(problem, settings, trace)
            return search.run(), search.stopped, search.counters
        with self._fast_search(settings) as fast:
            outcome: Found = fast.run(problem, settings, trace)
        return outcome

    def _reasons(self, problem: Any, chosen: Json, events: Sequence[Event]) -> Reasons:
        return EdgeReasons(self.decoder(problem, self._decoder_settings(chosen, 1)))(events)

    def watch(
        self, bag: WordBag, gold: GoldStandard, **search: Any
    ) -> tuple[Result, float | None, int, bool]:
        """``order`` on the fast engine, and what became of gold (``FastSearch.gold_survival``). The
        search is the same as without gold. Raises as ``order``."""
        problem, settings = self.problem(bag), self.chosen_search(**search)
        with self._fast_search(settings) as fast:
            outcome: Found = fast.run(problem, settings, gold=gold)
            fate = fast.gold_survival()
        results = tuple(self._results(bag, problem, outcome))
        best = replace(results[0], k_best=results)
        return self._with_doubts(bag, problem, best), *fate

    def _fast_search(self, settings: SearchSettings) -> AbstractContextManager[FastSearch]:
        if self._table is None:
            from wordorder_lab.best_first.weights_fast import EdgeTable

            self._table = EdgeTable.of(self.weights)
        table = self._table
        ngrams = self.ngrams if settings.lm_weight else None
        kind = "syntax" if ngrams is None else "syntax and n-grams"
        make = self.search_class("fast")
        return self._buffers.borrowed(kind, lambda: make(self.keys, table, ngrams=ngrams))

    def chosen_search(self, k: int = 1, **given: object) -> SearchSettings:
        """The settings of a search, as a decoder takes them. Raises ``ValueError``."""
        return self._decoder_settings(self._chosen(given), k)

    def _decoder_settings(self, chosen: JsonView, k: int) -> SearchSettings:
        own = {name: value for name, value in chosen.items() if name not in LIMITS}
        limits = Limits(**{name: chosen.get(name) for name in LIMITS})
        scaled = self.settings.get("update", SCALED) in SCALED_SEARCH
        return SearchSettings(**own, scaled=scaled, limits=limits, k=k)

    def search_settings(self, **given: object) -> Json:
        """All settings of a search; those that are not given are as in training, or the usual ones.

        Raises ``ValueError`` for one that there is not, or that cannot be.
        """
        chosen = super().search_settings(**given)
        if all(chosen.get(name, False) is None for name in LIMITS):
            chosen["expansions"] = EXPANSIONS
        return chosen

    def _results(self, bag: WordBag, problem: OrderingProblem, found: Found) -> Iterator[Result]:
        orderings, stopped, counters = found
        units = self.assigner(bag, problem)
        for one in orderings:
            chosen = [problem.items[i] for i in one.items]
            yield replace(
                result_of(chosen, units(one), one.heads, one.score, one.actions, counters),
                stopped=stopped,
                derivations=one.derivations,
            )

    def weighing(self, weight: Callable[[Feature], float]) -> Self:
        """The same model with other weights for the reference engine's ``decoder``."""
        other = replace(self)
        other.weight = weight
        return other

    # --- the model file ---------------------------------------------------------------------

    def header(self) -> Json:
        """Templates, numbering, tags of words, any n-grams; a grammar adds its own."""
        return {
            **language.header_of(self.ngrams),
            "templates": templates_part(self.keys.templates.name, self.keys.templates.text),
            "words": list(self.keys.words),
            "tags": list(self.keys.tags),
            "dictionary": self.dictionary.entries(),
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """The weights, and n-grams if there are any."""
        return {**self.weights.arrays(), **language.arrays_of(self.ngrams)}

    @classmethod
    def of_header(cls, header: JsonView, weights: PackedEdgeWeights) -> Self:
        """The model of a whole file, but for its n-grams."""
        raise NotImplementedError

    @classmethod
    def of_parts(cls, header: JsonView, arrays: Mapping[str, np.ndarray]) -> Self:
        """The model of a whole file. Raises ``ValueError`` where its parts do not fit together."""
        ngrams = language.ngrams_of_parts(header, arrays, LEARNED)
        weights = PackedEdgeWeights(**{name: arrays[name] for name in LEARNED})
        weights.check()
        return replace(cls.of_header(header, weights), ngrams=ngrams)


def chances_of_items(bag: WordBag, problem: OrderingProblem) -> list[float]:
    """The probability of each item's category, as the bag has it; -1 where it says nothing. Equal
    units have equal categories; where their probabilities differ, the first unit's count."""
    firsts = [bag.chances[units[0]] for units in problem.units]
    return [firsts[item.type].get(str(item.category), -1.0) for item in problem.items]


# --- training: Zhang & Clark (2015), sections 3.4, 3.5 and 4 ------------------------------------

Counts = dict[str, dict[str, int]]


class BestFirstRun(training.OrderingRun[training.Model]):
    """One training run: its data in the form that the learner takes, and the learner. Words and
    tags are those of all sentences, also of those that are too long to be learned. A moment has in
    its ``numbers`` the updates by reason and how the sentences ended."""

    CHUNK: ClassVar[dict[str, int]] = {"fast": 16, "reference": 1}

    settings: BestFirstSettings

    def __init__(
        self,
        sentences: Sequence[training.Given],
        settings: BestFirstSettings,
        options: training.TrainingOptions,
        models: language.FoldedModels | None,
    ) -> None:
        super().__init__(sentences, settings, options, models)
        self.keys = self.number(sentences)
        self.sentences = _short_enough(sentences, settings.max_length)
        self.history: list[Json] = []
        self.learner = self._learner()
        self.learner.prepare([self.example(sentence) for sentence in self.sentences])
        self._before: Counts = self._counted()

    # --- what a grammar says ----------------------------------------------------------------

    def number(self, sentences: Sequence[Any]) -> EdgeKeys:
        """Number what the features of these sentences hold."""
        raise NotImplementedError

    def example(self, sentence: Any) -> GuidedExample:
        """What is learned from a sentence, or from an example with a bag of its own."""
        raise NotImplementedError

    def decoder(self) -> Any:
        """The search of the engine, as its learner takes it."""
        raise NotImplementedError

    def model_of(self, weights: PackedEdgeWeights, settings: Json) -> training.Model:
        """The model with these weights, and with ``ngrams`` if there are any."""
        raise NotImplementedError

    def numbered(self) -> list[object]:
        """What is numbered, or looked up, by all sentences: two runs that differ in it differ."""
        return [self.keys.words, self.keys.tags, self.dictionary.entries()]

    # --- the run ----------------------------------------------------------------------------

    def _learner(self) -> Any:
        settings, decoder, make = self.settings.guided(), self.decoder(), self.learner_class()
        if self.engine == "reference":
            learner = make(self.keys.templates, settings, decoder=decoder)
            return training.ReferenceLearner(learner, EdgeWeights, self.keys)
        return make(self.keys, settings, decoder)

    def learner_class(self) -> Any:
        """The learner of the engine."""
        if self.engine == "reference":
            return GuidedLearner
        from wordorder_lab.best_first.guided_learning_fast import FastGuided

        return FastGuided

    def end_epoch(self, epoch: int) -> Json:
        """What the learner has counted in this epoch goes into the history."""
        counted = self._counted()
        row: Json = {"epoch": epoch}
        for name, counts in counted.items():
            row[name] = {key: n - self._before[name][key] for key, n in counts.items()}
        self._before = counted
        self.history.append(row)
        return row

    def _counted(self) -> Counts:
        updates, sentences = self.learner.updates, self.learner.sentences
        return {
            "updates": {reason: int(updates.get(reason, 0)) for reason in REASONS},
            "sentences": {end: int(sentences.get(end, 0)) for end in OUTCOMES},
        }

    def model(self) -> training.Model:
        """The model of this moment."""
        raw = self.learner.raw()
        weights = raw.averaged() if self.settings.averaged else raw.last()
        settings = {**self.settings_of_model(), "history": list(self.history)}
        return self.model_of(weights, settings)

    def identity(self) -> Json:
        """What a checkpoint must have in common with this run."""
        models = None if self.ngrams is None else language.FoldedModels(self.ngrams, ())
        common = self.identity_with(self.keys.templates.text, models)
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


def words_and_tags(sentences: Sequence[training.Given]) -> tuple[list[str], list[str]]:
    """The words that stand for units in features, and the tags."""
    tags = [token.pos for sentence in training.golds_of(sentences) for token in sentence]
    return training.feature_words(sentences), tags


def _short_enough(
    sentences: Sequence[training.Given], longest: int | None
) -> Sequence[training.Given]:
    kept = [one for one in sentences if longest is None or len(training.gold_of(one)) <= longest]
    if not kept:
        shortest = min(map(len, training.golds_of(sentences)))
        raise ValueError(
            f"no sentence has at most {longest} units (max_length); the shortest has {shortest}"
        )
    return kept
