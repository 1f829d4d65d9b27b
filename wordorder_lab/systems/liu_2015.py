"""The system "liu-2015": Liu, Zhang, Che & Qin (2015), Transition-Based Syntactic Linearization.

Task: a bag of words, tags given or not. Grammar: ``transition/actions``. Features: Table 2 or
one of its variants. Decoder: ``transition/beam``. Learner: ``transition/averaged_perceptron``.
Beside it, if one is wished for, a language model: ``transition/language_model``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from wordorder_lab.models.file_parts import Json, JsonView, exactly
from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.models.tag_dictionary import LabelDictionary, TagDictionary
from wordorder_lab.models.word_classes import WordClasses
from wordorder_lab.runtime.buffers import BufferPool
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.problem import Item, OrderingProblem
from wordorder_lab.structures.reasons import Reasons
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.trace import Event, Trace
from wordorder_lab.structures.trees import DependencyTree
from wordorder_lab.systems import language_models as language
from wordorder_lab.systems import model as common
from wordorder_lab.systems import training_run as training
from wordorder_lab.systems.model import OrderingModel, Words, choose_engine
from wordorder_lab.systems.setting import SettingsClass, setting, usual
from wordorder_lab.systems.system import System
from wordorder_lab.transition import packed_weights as packed
from wordorder_lab.transition.actions import action_names, check_interleaving, read_actions
from wordorder_lab.transition.averaged_perceptron import UPDATES, Example, Perceptron, Weights
from wordorder_lab.transition.oracle import WIDE, best_gold, gold_actions
from wordorder_lab.transition.templates import (
    BEGIN,
    HEAD_ITSELF,
    LEVELS,
    FeatureKeys,
    TemplateSet,
    load_templates,
    parse_templates,
)

if TYPE_CHECKING:
    from wordorder_lab.transition.averaged_perceptron_fast import FastPerceptron
    from wordorder_lab.transition.beam import BeamSearch
    from wordorder_lab.transition.beam_fast import FastBeam, FastModel
    from wordorder_lab.transition.features import ActionScores

NAME = "liu-2015"

SIXTEENTHS = 16
"""Weights of language models are multiples of 1 / 16, so that sums are exact."""

Found = tuple[list[tuple[float, list[int]]], dict[str, int]]
"""What a search gives: scores and actions of the best derivations, and how much work it was."""


@dataclass(frozen=True)
class Search:
    """What may be set when a bag is ordered; the second where the model has a language model."""

    beam: int = usual("beam", 64, as_trained=True)
    lm_weight: float = usual("lm_weight", 4.0, as_trained=True)


@dataclass(repr=False)
class LinearizationModel(OrderingModel):
    """A trained linearizer."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (NAME,)
    FINDS_DERIVATIONS: ClassVar[bool] = True
    SHORT: ClassVar[int] = 100
    Search: ClassVar[SettingsClass] = Search

    keys: FeatureKeys
    actions: packed.ActionTable
    dictionary: TagDictionary
    weights: packed.PackedWeights
    settings: JsonView = field(default_factory=dict)
    ngrams: NGramModel | None = None
    label_dictionary: LabelDictionary | None = None
    classes: WordClasses | None = None
    _table: FastModel | None = field(default=None, compare=False)
    _buffers: BufferPool[FastBeam] = field(default_factory=BufferPool, init=False, compare=False)
    _rows: packed.FeatureRows = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self._rows = packed.FeatureRows(self.keys, self.weights)

    def without(self, *templates: str) -> Self:
        """The model with features of these templates (``S0wS1w``), or of all under a heading
        (``Trigram``), at 0. Raises ``ValueError`` for what it has not."""
        off = self.keys.of_templates(self.weights.keys, templates)
        return replace(self, weights=self.weights.rows_of(~off), _table=None)

    def problem(self, bag: Words) -> OrderingProblem:
        """A bag made ready. Raises ``ValueError`` for orders that no tree with its heads allows."""
        problem = super().problem(bag)
        check_interleaving(problem)
        return problem

    def _look(self, item: Item) -> object:
        """As features have it, and where there are any, n-grams and initials."""
        words = () if self.ngrams is None else tuple(map(self.ngrams.word_id, item.read))
        letter = packed.initial(item.unit) if self.actions.initials else ""
        return super()._look(item), words, letter

    def _run(
        self, problem: OrderingProblem, chosen: Json, k: int, engine: str, trace: Trace | None
    ) -> Found:
        """Scores and actions of the ``k`` best derivations, and how much work it was."""
        if engine == "fast":
            with self._fast(chosen) as fast:
                return fast.run(problem, k, trace)
        search = self._reference(problem, chosen, trace)
        best = search.run()[:k]
        found = [(state.score, [action for _, action in state.derivation()]) for state in best]
        return found, search.counters

    def follow(
        self,
        problem: OrderingProblem,
        gold: Sequence[int],
        *,
        engine: str | None = None,
        **search: object,
    ) -> tuple[float, int]:
        """The score of a gold derivation, and the step at which the beam loses it (0: never).
        Raises ``ValueError`` as ``search``, and where orders interleave given trees."""
        chosen = self.search_settings(**search)
        if choose_engine(engine) == "fast":
            with self._fast(chosen) as fast:
                score, lost = fast.follow(problem, gold)
        else:
            score, lost = self._reference(problem, chosen, None).follow(gold)
        return score / self.weights.divisor, lost

    def best_gold(
        self,
        problem: OrderingProblem,
        gold: Sequence[int],
        lm_weight: float | None = None,
        engine: str | None = None,
    ) -> float:
        """The best score of all derivations with the words and tree of a gold one."""
        chosen = {**self.search_settings(lm_weight=lm_weight), "beam": WIDE}
        if choose_engine(engine) == "fast":
            from wordorder_lab.transition import oracle_fast

            with self._fast(chosen) as fast:
                return oracle_fast.best_gold(fast, problem, gold) / self.weights.divisor
        return best_gold(self._scores(problem, chosen), problem, gold) / self.weights.divisor

    def _lm_weight(self, chosen: JsonView) -> float:
        """The language model's weight in the units of the undivided features' weights."""
        if self.ngrams is None:
            return 0.0
        return on_sixteenths(chosen["lm_weight"] * self.weights.divisor)

    def _fast(self, chosen: JsonView) -> AbstractContextManager[FastBeam]:
        beam, weight = chosen["beam"], self._lm_weight(chosen)
        return self._buffers.borrowed((beam, weight), lambda: self._buffer(beam, weight))

    def _buffer(self, beam: int, weight: float) -> FastBeam:
        from wordorder_lab.transition.beam_fast import FastBeam, FastModel
        from wordorder_lab.transition.language_model_fast import LanguageRoom

        if self._table is None:
            self._table = FastModel.of(self.keys, self.actions, self.weights)
        room = None if self.ngrams is None or not weight else LanguageRoom(self.ngrams, weight)
        return FastBeam(self._table, beam, room)

    def _reference(
        self, problem: OrderingProblem, chosen: JsonView, trace: Trace | None
    ) -> BeamSearch:
        from wordorder_lab.transition.beam import BeamSearch

        scores, divisor = self._scores(problem, chosen), self.weights.divisor
        return BeamSearch(problem, scores, chosen["beam"], divisor, trace)

    def _reasons(self, problem: Any, chosen: Json, events: Sequence[Event]) -> Reasons:
        from wordorder_lab.transition.reasons import BeamReasons

        return BeamReasons(self._reference(problem, chosen, None))(events)

    def _scores(self, problem: OrderingProblem, chosen: JsonView) -> ActionScores:
        from wordorder_lab.transition.features import ActionScores
        from wordorder_lab.transition.language_model import ShiftGains

        weight, gains = self._lm_weight(chosen), None
        if self.ngrams is not None and weight:
            gains = ShiftGains(self.ngrams, weight, problem)
        return ActionScores(self.keys.templates, self._rows, self.actions, problem, gains)

    def _results(self, _bag: WordBag, problem: OrderingProblem, found: Found) -> Iterator[Result]:
        """Of several derivations of one tree, with its words, tags and labels, the best."""
        derivations, counters = found
        trees: dict[DependencyTree, Result] = {}
        for score, actions in derivations:
            items, heads = read_actions(actions, problem)
            left = [iter(units) for units in problem.units]
            chosen = [problem.items[i] for i in items]
            order = [next(left[item.type]) for item in chosen]
            names = action_names(actions, problem)
            score /= self.weights.divisor
            one = common.result_of(chosen, order, heads, score, names, counters)
            if trees.setdefault(one.tree, one) is one:
                yield one

    # --- the model file ---------------------------------------------------------------------

    def header(self) -> Json:
        """Templates, numbering, actions, tags, what the weights are divided by; any n-grams."""
        own = self.label_dictionary
        return {
            **language.header_of(self.ngrams),
            **({} if own is None else {"labels": own.entries()}),
            "templates": common.templates_part(self.keys.templates.name, self.keys.templates.text),
            "words": list(self.keys.words),
            "tags": list(self.keys.tags),
            "actions": self.actions.entries(),
            "dictionary": self.dictionary.entries(),
            "divisor": self.weights.divisor,
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """The weights, and n-grams if there are any."""
        return {**self.weights.arrays(), **language.arrays_of(self.ngrams)}

    @classmethod
    def of_parts(cls, header: JsonView, arrays: Mapping[str, np.ndarray]) -> Self:
        """The model of a whole file. Raises ``ValueError`` where its parts do not fit together."""
        templates = common.templates_of(header, parse_templates)
        ngrams = language.ngrams_of_parts(header, arrays, packed.LEARNED)
        learned = {name: arrays[name] for name in packed.LEARNED}
        weights = packed.PackedWeights(**learned, divisor=header["divisor"])
        actions = packed.actions_of(header["actions"])
        weights.check(len(actions))
        words, tags = common.words_of(header)
        if BEGIN not in words or BEGIN not in tags:
            raise ValueError(f"{BEGIN} is missing among the words or tags")
        settings, labels = header["settings"], common.labels_of(header)
        common.check_beam(settings)
        keys = FeatureKeys(templates, words, tags, label_names(templates, labels))
        dictionary = common.dictionary_of(header)
        lower, least = (settings.get(name) for name in ("lower_case", "min_count"))
        classes = WordClasses(frozenset(words), bool(lower)) if lower or least else None
        return cls(keys, actions, dictionary, weights, settings, ngrams, labels, classes)


# --- Training "liu-2015": epochs, checkpoints, and a model that is the same after an interruption


TEMPLATES = "liu_2015_table_2_corrected"
"""The template file that is used unless another is named."""
LABELLED_TEMPLATES = "liu_2015_labels"
"""That file where labels are learned."""


@dataclass(frozen=True)
class Settings:
    """What a training run depends on, beside its sentences. ``lm_weight`` is how much the
    log-probability of n-grams counts, where a feature counts its weight. With ``labels`` the bag of
    a plain sentence has the same share of them as of heads; a bag need not have any, the search
    assigns them."""

    pos: float = usual("pos", 1)
    deps: float = usual("deps", 0)
    beam: int = usual("beam", 64)
    epochs: int = usual("epochs", 10)
    seed: int = usual("seed", 1)
    templates: str = usual("templates", "")
    update: str = setting("early", "how to update the weights", choices=UPDATES)
    shuffle: bool = usual("shuffle", False)
    labels: bool = usual("labels", False)
    lm_order: int = usual("lm_order", 0)
    lm_weight: float = usual("lm_weight", 4.0)
    lm_in_training: bool = usual("lm_in_training", False)
    folds: int = usual("folds", 5)
    min_count: int = setting(0, "words seen less often are told by their class", minimum=0)
    lower_case: bool = setting(False, "learn lower-cased words; outputs keep theirs")
    tag_share: float = setting(
        0.0, "offer the tags that this share of a word's occurrences have", minimum=0, maximum=1
    )

    def __post_init__(self) -> None:
        usual = LABELLED_TEMPLATES if self.labels else TEMPLATES
        object.__setattr__(self, "templates", self.templates or usual)

    def check(self) -> None:
        """Raise ``ValueError`` for no such templates, and for labels that are not learned."""
        if load_templates(self.templates).has_labels and not self.labels:
            raise ValueError(f"the templates {self.templates} look at labels: learn with labels")


def on_sixteenths(weight: float) -> float:
    """A weight, rounded so that sums are exact."""
    return round(weight * SIXTEENTHS) / SIXTEENTHS


class _Run(training.OrderingRun[LinearizationModel]):
    """One training run: its data in the form that the learner takes, and the learner."""

    CHUNK: ClassVar[dict[str, int]] = {"fast": 256, "reference": 8}

    def __init__(
        self,
        sentences: Sequence[training.Given],
        settings: Settings,
        options: training.TrainingOptions,
        models: language.FoldedModels | None,
    ) -> None:
        super().__init__(sentences, settings, options, models)
        golds, templates = training.golds_of(sentences), load_templates(settings.templates)
        labels, initials = (LEVELS.index(name) in templates.levels for name in ("label", "initial"))
        self.actions = packed.ActionTable.of(golds, labels, initials, self.classes)
        tags = (token.pos for sentence in golds for token in sentence)
        names = label_names(templates, self.labels)
        self.keys = FeatureKeys.of(templates, self.words(sentences), tags, names)
        self.learner = self._learner(settings, on_sixteenths(settings.lm_weight))
        remember = self.engine == "reference"
        self.learner.prepare(_Examples(len(sentences), self._example, remember))

    def _learner(
        self, settings: Settings, weight: float
    ) -> FastPerceptron | training.ReferenceLearner:
        beam, update = settings.beam, settings.update
        if self.engine == "reference":
            learner = Perceptron(self.keys.templates, self.actions, beam, update, lm_weight=weight)
            return training.ReferenceLearner(learner, Weights, self.keys)
        from wordorder_lab.transition.averaged_perceptron_fast import FastPerceptron

        return FastPerceptron(self.keys, self.actions, beam, update, weight)

    def _example(self, i: int) -> Example:
        ngrams = None
        if self.models is not None and self.settings.lm_in_training:
            ngrams = self.models.of(i)
        one = training.ordering_example(self.sentences[i], self.settings)
        problem = self.problem(one)
        return Example(problem, tuple(gold_actions(one.gold, problem, one.places)), ngrams)

    def model(self) -> LinearizationModel:
        weights, settings = self.learner.averaged(), self.settings_of_model()
        return LinearizationModel(
            self.keys,
            self.actions,
            self.dictionary,
            weights,
            settings,
            self.ngrams,
            self.labels,
            self.classes,
        )

    def identity(self) -> Json:
        return self.identity_with(self.keys.templates.text, self.models)

    def raw(self, arrays: dict[str, np.ndarray], examples: int) -> packed.RawWeights:
        weights = packed.RawWeights(**exactly(arrays, packed.LEARNING), examples=examples)
        weights.check(len(self.actions))
        self.keys.check(weights.keys)
        return weights


class _Examples(Sequence[Example]):
    """Examples that are made when they are asked for: all at once, they take more memory than the
    weights. The reference learner, which comes back to them in every epoch, has them remembered."""

    def __init__(self, length: int, make: Callable[[int], Example], remember: bool) -> None:
        self._length, self._make = length, cache(make) if remember else make

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, place: int) -> Example:  # type: ignore[override]  # and no slice
        if not 0 <= place < self._length:
            raise IndexError(place)
        return self._make(place)


def label_names(templates: TemplateSet, labels: LabelDictionary | None) -> tuple[str, ...]:
    """The labels that features of these templates may hold."""
    known = labels.every if labels is not None else ()
    return tuple(sorted({*known, BEGIN, HEAD_ITSELF})) if templates.has_labels else ()


SYSTEMS = {
    NAME: System(
        "Transition-based linearization with a beam (Liu et al. 2015)",
        Settings,
        partial(training.run_training, _Run),
        LinearizationModel,
        takes=("lm", "lm_text"),
        takes_options=True,
    )
}
