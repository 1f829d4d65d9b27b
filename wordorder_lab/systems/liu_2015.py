"""The system "liu-2015": Liu, Zhang, Che & Qin (2015), Transition-Based Syntactic Linearization.

Task: a bag of words, tags given or not. Grammar: ``transition/actions``. Features: Table 2 or
one of its variants. Decoder: ``transition/beam``. Learner: ``transition/averaged_perceptron``.
Beside it, if one is wished for, a language model: ``transition/language_model``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from wordorder_lab.models.file_parts import Json, JsonView, exactly, rows, whole
from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.models.tag_dictionary import LabelDictionary, TagDictionary
from wordorder_lab.runtime.buffers import BufferPool
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.messages import MOST_HYPOTHESES
from wordorder_lab.structures.problem import Labels, OrderingProblem
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.trace import Trace
from wordorder_lab.structures.trees import DependencyTree
from wordorder_lab.systems import usual_settings as usual
from wordorder_lab.systems.language_models import (
    FoldedModels,
    arrays_of,
    header_of,
    in_use,
    models_of_training,
    ngrams_of_parts,
)
from wordorder_lab.systems.model import (
    DictionaryModel,
    Words,
    choose_engine,
    dictionary_of,
    result_of,
    templates_of,
    templates_part,
    words_of,
)
from wordorder_lab.systems.setting import SettingsClass, setting
from wordorder_lab.systems.system import System
from wordorder_lab.systems.training_run import (
    Given,
    ReferenceLearner,
    TrainingOptions,
    TrainingRun,
    feature_words,
    golds_of,
    identity_of,
    labelled,
    lesson_of,
)
from wordorder_lab.transition.actions import action_names, check_knots, read_actions
from wordorder_lab.transition.averaged_perceptron import UPDATES, Example, Perceptron, Weights
from wordorder_lab.transition.oracle import best_gold, gold_actions
from wordorder_lab.transition.packed_weights import (
    LEARNED,
    LEARNING,
    ActionTable,
    FeatureRows,
    PackedWeights,
    RawWeights,
    actions_of,
)
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

    beam: int = usual.beam(64, as_trained=True)
    lm_weight: float = usual.lm_weight(4.0, as_trained=True)


@dataclass(repr=False)
class LinearizationModel(DictionaryModel):
    """A trained linearizer."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (NAME,)
    Search: ClassVar[SettingsClass] = Search

    keys: FeatureKeys
    actions: ActionTable
    dictionary: TagDictionary
    weights: PackedWeights
    settings: JsonView = field(default_factory=dict)
    ngrams: NGramModel | None = None
    label_dictionary: LabelDictionary | None = None
    _table: FastModel | None = field(default=None, compare=False)
    _buffers: BufferPool[FastBeam] = field(default_factory=BufferPool, init=False, compare=False)
    _rows: FeatureRows = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self._rows = FeatureRows(self.keys, self.weights)

    @checks_arguments
    def order(
        self,
        bag: Words,
        *,
        beam: int | None = None,
        lm_weight: float | None = None,
        k: int = 1,
        engine: str | None = None,
        trace: Trace | None = None,
    ) -> Result:
        """Order a bag, a list of words, or a typed line; ``beam`` is by default that of training.

        So is ``lm_weight``, how much a language model counts beside the features: 0 is syntax
        alone. A model without a language model does not have it.

        ``k_best`` lists ``k`` outputs, or as many as the last beam holds if these are fewer. Each
        has words, tags, labels or heads of its own: of several derivations of one tree the best.
        Threads may share the model: each order works in arrays of its own.

        Whatever the bag gives, the output contains. Raises ``ValueError`` for a bag that cannot be,
        orders that no tree with the given heads allows, a beam or ``k`` below 1, and an unknown
        engine; ``TypeError`` for what is no bag. Tags that training never saw carry no information;
        ``unknown_tags`` names them.
        """
        problem = self.problem(bag)
        how: Json = {"beam": beam, "lm_weight": lm_weight}
        how |= {"engine": engine, "trace": trace, "k": k if k <= 1 else MOST_HYPOTHESES}
        derivations, counters = self.search(problem, **how)
        found: dict[DependencyTree, Result] = {}
        for score, actions in derivations:
            if len(found) < k:
                one = self._result(problem, score, actions, counters)
                found.setdefault(one.tree, one)
        return replace(next(iter(found.values())), k_best=tuple(found.values()))

    def problem(self, bag: Words) -> OrderingProblem:
        """A bag made ready. Raises ``ValueError`` for orders that no tree with its heads allows."""
        problem = super().problem(bag)
        check_knots(problem)
        return problem

    @property
    def labels(self) -> Labels | None:
        """What looks up the labels of arcs that are given none, where labels were learned."""
        return None if self.label_dictionary is None else self.label_dictionary.labels

    def search(
        self,
        problem: OrderingProblem,
        *,
        beam: int | None = None,
        lm_weight: float | None = None,
        k: int = 1,
        engine: str | None = None,
        trace: Trace | None = None,
    ) -> Found:
        """The decoder alone: scores and actions of the ``k`` best, and how much work it was."""
        how = self.search_settings(beam=beam, lm_weight=lm_weight)
        beam, weight = how["beam"], self._whole(how)
        if k < 1:
            raise ValueError(f"k ({k}) is at least 1")
        run = self._run_fast if choose_engine(engine) == "fast" else self._run_reference
        return run(problem, beam, weight, k, trace)

    def follow(
        self,
        problem: OrderingProblem,
        gold: Sequence[int],
        *,
        beam: int | None = None,
        lm_weight: float | None = None,
        engine: str | None = None,
    ) -> tuple[float, int]:
        """The score of a gold derivation, and the step at which the beam loses it (0: never).

        Raises ``ValueError`` as ``search``, and where orders knot given trees together.
        """
        how = self.search_settings(beam=beam, lm_weight=lm_weight)
        beam, weight = how["beam"], self._whole(how)
        if choose_engine(engine) == "fast":
            with self._fast_search(beam, weight) as search:
                score, lost = search.follow(problem, gold)
        else:
            score, lost = self._reference(problem, beam, weight, None).follow(gold)
        return score / self.weights.divisor, lost

    def best_gold(
        self, problem: OrderingProblem, gold: Sequence[int], lm_weight: float | None = None
    ) -> float:
        """The best score of all derivations with the words and tree of a gold one."""
        weight = self._whole(self.search_settings(lm_weight=lm_weight))
        return best_gold(self._scores(problem, weight), problem, gold) / self.weights.divisor

    def _whole(self, how: JsonView) -> float:
        """The language model's weight in the units of the undivided features' weights."""
        if "lm_weight" not in how:  # there is no language model
            return 0.0
        return on_sixteenths(how["lm_weight"] * self.weights.divisor)

    def _run_fast(
        self, problem: OrderingProblem, beam: int, weight: float, k: int, trace: Trace | None
    ) -> Found:
        with self._fast_search(beam, weight) as search:
            return search.run(problem, k, trace)

    def _fast_search(self, beam: int, weight: float) -> AbstractContextManager[FastBeam]:
        return self._buffers.borrowed((beam, weight), lambda: self._buffer(beam, weight))

    def _buffer(self, beam: int, weight: float) -> FastBeam:
        from wordorder_lab.transition.beam_fast import FastBeam, FastModel
        from wordorder_lab.transition.language_model_fast import LanguageRoom

        if self._table is None:
            self._table = FastModel.of(self.keys, self.actions, self.weights)
        language = None
        if self.ngrams is not None and weight:
            language = LanguageRoom(self.ngrams, weight)
        return FastBeam(self._table, beam, language)

    def _run_reference(
        self, problem: OrderingProblem, beam: int, weight: float, k: int, trace: Trace | None
    ) -> Found:
        search = self._reference(problem, beam, weight, trace)
        best = search.run()[:k]
        found = [(state.score, [action for _, action in state.derivation()]) for state in best]
        return found, search.counters

    def _reference(
        self, problem: OrderingProblem, beam: int, weight: float, trace: Trace | None
    ) -> BeamSearch:
        from wordorder_lab.transition.beam import BeamSearch

        return BeamSearch(problem, self._scores(problem, weight), beam, self.weights.divisor, trace)

    def _scores(self, problem: OrderingProblem, weight: float) -> ActionScores:
        from wordorder_lab.transition.features import ActionScores
        from wordorder_lab.transition.language_model import ShiftGains

        language = None
        if self.ngrams is not None and weight:
            language = ShiftGains(self.ngrams, weight, problem)
        return ActionScores(self.keys.templates, self._rows, self.actions, problem, language)

    def _result(
        self, problem: OrderingProblem, score: float, actions: list[int], counters: dict[str, int]
    ) -> Result:
        items, heads = read_actions(actions, problem)
        left = [iter(units) for units in problem.units]
        chosen = [problem.items[i] for i in items]
        order = [next(left[item.type]) for item in chosen]
        names = action_names(actions, problem)
        found = result_of(chosen, order, heads, score / self.weights.divisor)
        return replace(found, actions=names, counters=counters)

    # --- the model file ---------------------------------------------------------------------

    def header(self) -> Json:
        """Templates, numbering, actions, tags, what the weights are divided by; any n-grams."""
        own = self.label_dictionary
        return {
            **header_of(self.ngrams),
            **({} if own is None else {"labels": own.entries()}),
            "templates": templates_part(self.keys.templates),
            "words": list(self.keys.words),
            "tags": list(self.keys.tags),
            "actions": self.actions.entries(),
            "dictionary": self.dictionary.entries(),
            "divisor": self.weights.divisor,
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """The weights, and n-grams if there are any."""
        return {**self.weights.arrays(), **arrays_of(self.ngrams)}

    @classmethod
    def of_parts(cls, header: JsonView, arrays: Mapping[str, np.ndarray]) -> Self:
        """The model of a whole file. Raises ``ValueError`` where its parts do not fit together."""
        templates = templates_of(header, parse_templates)
        ngrams = ngrams_of_parts(header, arrays, LEARNED)
        learned = {name: arrays[name] for name in LEARNED}
        weights = PackedWeights(**learned, divisor=header["divisor"])
        actions = actions_of(header["actions"])
        weights.check(len(actions))
        words, tags = words_of(header)
        if BEGIN not in words or BEGIN not in tags:
            raise ValueError(f"{BEGIN} is missing among the words or tags")
        settings = header["settings"]
        whole(settings.get("beam", 1), "the beam of its training", 1, MOST_HYPOTHESES)
        labels = None
        if "labels" in header:
            labels = LabelDictionary.from_entries(rows(header["labels"], "the labels by tag"))
        keys = FeatureKeys(templates, words, tags, label_names(templates, labels))
        dictionary = dictionary_of(header)
        return cls(keys, actions, dictionary, weights, settings, ngrams, labels)


# --- Training "liu-2015": epochs, checkpoints, and a model that is the same after an interruption


TEMPLATES = "liu_2015_table_2_corrected"
"""The template file that is used unless another is named."""
LABELLED_TEMPLATES = "liu_2015_labels"
"""That file where labels are learned."""

CHUNK = {"fast": 256, "reference": 8}
"""Sentences a call of the learner, so that Ctrl-C is heard and the bar moves."""


@dataclass(frozen=True)
class Settings:
    """What a training run depends on, beside its sentences.

    ``lm_order``: n-grams of this order are learned from the sentences, 0 none. ``lm_weight`` is how
    much their log-probability counts, where a feature counts its weight. ``lm_in_training``: they
    count in the searches of the training, too; there each sentence is scored with n-grams of the
    other parts, of so many ``folds`` (1: with those of all sentences).

    With ``labels`` those of the arcs are learned, too. The bag of a plain sentence then has the
    same share of them as of heads. A bag need not have any: the search assigns them.
    """

    pos: float = usual.given("tag", 1)
    deps: float = usual.given("head", 0)
    beam: int = usual.beam(64)
    epochs: int = usual.epochs(10)
    seed: int = usual.seed()
    templates: str = usual.templates("")
    update: str = setting("early", "how to update the weights", choices=UPDATES)
    shuffle: bool = usual.shuffle()
    labels: bool = usual.labels(False)
    lm_order: int = usual.lm_order()
    lm_weight: float = usual.lm_weight(4.0)
    lm_in_training: bool = usual.lm_in_training()
    folds: int = usual.folds()

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


def learn(
    sentences: Sequence[Given], settings: Settings, options: TrainingOptions
) -> LinearizationModel:
    """Train a linearizer. Some or all of ``sentences`` may be examples with a bag of their own.

    ``options.more`` may have ``lm``, a language model to use beside syntax instead of n-grams
    learned from the sentences (``lm_order``), and ``lm_text``, further text for these, a sequence
    of words a sentence. Raises ``ModelError`` for a checkpoint that belongs to other settings or
    sentences.
    """
    folds = settings.folds if settings.lm_in_training else 1
    lm, text = options.more.get("lm"), options.more.get("lm_text", ())
    models = models_of_training(golds_of(sentences), settings.lm_order, lm, text, folds)
    if models is None and settings.lm_in_training:
        raise ValueError("lm_in_training is for a language model: give lm, or lm_order (5, say)")
    engine = choose_engine(options.engine)
    run = _Run(sentences, settings, engine, dict(options.about or {}), models)
    run.go(options)
    return run.model()


class _Run(TrainingRun[LinearizationModel]):
    """One training run: its data in the form that the learner takes, and the learner."""

    system = NAME

    def __init__(
        self,
        sentences: Sequence[Given],
        settings: Settings,
        engine: str,
        about: Json,
        language_models: FoldedModels | None = None,
    ) -> None:
        self.settings, self.about, self.chunk = settings, about, CHUNK[engine]
        self.sentences, self.language_models = sentences, language_models
        golds = golds_of(sentences)
        levels = load_templates(settings.templates).levels
        finely = (LEVELS.index(name) in levels for name in ("label", "initial"))
        self.dictionary, self.actions = TagDictionary.of(golds), ActionTable.of(golds, *finely)
        self.labels = LabelDictionary.of(labelled(golds)) if settings.labels else None
        self.keys = _number(load_templates(settings.templates), sentences, self.labels)
        self.learner = _learner(self.keys, self.actions, settings, engine)
        self.learner.prepare(_Examples(sentences, self._example, remember=engine == "reference"))

    def _example(self, i: int) -> Example:
        ngrams = None
        if self.language_models is not None and self.settings.lm_in_training:
            ngrams = self.language_models.of(i)
        lesson = lesson_of(self.sentences[i], self.settings)
        labels = None if self.labels is None else self.labels.labels
        problem = OrderingProblem.of(lesson.bag, self.dictionary.lookup, labels=labels)
        gold = gold_actions(lesson.gold, problem, lesson.places)
        return Example(problem, tuple(gold), ngrams)

    def model(self) -> LinearizationModel:
        """The model of this moment."""
        weights = self.learner.raw().averaged()
        models = self.language_models
        chosen = in_use(self.settings, models is not None)
        settings = {**self.about, **chosen, "sentences": len(self.sentences)}
        return LinearizationModel(
            self.keys,
            self.actions,
            self.dictionary,
            weights,
            settings,
            None if models is None else models.whole,
            self.labels,
        )

    def identity(self) -> Json:
        """What a checkpoint must have in common with this run."""
        text = self.keys.templates.text
        return identity_of(self.settings, self.sentences, text, self.language_models)

    def raw(self, arrays: dict[str, np.ndarray], examples: int) -> RawWeights:
        """The weights of a checkpoint. Raises ``ValueError`` where they are none of this run."""
        weights = RawWeights(**exactly(arrays, LEARNING), examples=examples)
        weights.check(len(self.actions))
        self.keys.check(weights.keys)
        return weights


class _Examples(Sequence[Example]):
    """Examples that are made when they are asked for: all at once, they take more memory than the
    weights. The reference learner, which comes back to them in every epoch, has them remembered."""

    def __init__(
        self, sentences: Sequence[Given], make: Callable[[int], Example], remember: bool
    ) -> None:
        self._sentences, self._make, self._remember = sentences, make, remember
        self._made: dict[int, Example] = {}

    def __len__(self) -> int:
        return len(self._sentences)

    def __getitem__(self, place: int) -> Example:  # type: ignore[override]  # and no slice
        if place in self._made:
            return self._made[place]
        if not 0 <= place < len(self._sentences):
            raise IndexError(place)
        example = self._make(place)
        if self._remember:
            self._made[place] = example
        return example


def _number(
    templates: TemplateSet, sentences: Sequence[Given], labels: LabelDictionary | None
) -> FeatureKeys:
    tags = (token.pos for sentence in golds_of(sentences) for token in sentence)
    names = label_names(templates, labels)
    return FeatureKeys.of(templates, feature_words(sentences), tags, names)


def label_names(templates: TemplateSet, labels: LabelDictionary | None) -> tuple[str, ...]:
    """The labels that features of these templates may hold."""
    known = labels.every if labels is not None else ()
    return tuple(sorted({*known, BEGIN, HEAD_ITSELF})) if templates.has_labels else ()


def _learner(
    keys: FeatureKeys, actions: ActionTable, settings: Settings, engine: str
) -> FastPerceptron | ReferenceLearner:
    weight = on_sixteenths(settings.lm_weight)
    if engine == "reference":
        learner = Perceptron(
            keys.templates, actions, settings.beam, settings.update, lm_weight=weight
        )
        return ReferenceLearner(learner, Weights, keys)
    from wordorder_lab.transition.averaged_perceptron_fast import FastPerceptron

    return FastPerceptron(keys, actions, settings.beam, settings.update, weight)


SYSTEMS = {
    NAME: System(
        "Transition-based linearization with a beam (Liu et al. 2015)",
        Settings,
        learn,
        LinearizationModel,
        takes=("lm", "lm_text"),
        takes_options=True,
    )
}
