"""A trained best-first system: what those for dependency trees and for CCG have in common.

Zhang & Clark (2011, 2015) search in one way, whatever the grammar. A system says how a bag is made
ready, which decoder of each engine searches, and what else is in its model file.

Differences
- *Our reading*: the papers stop a search after 5 seconds. Here it stops after so many expansions
  unless another limit is given, so that the same bag has the same output on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

import numpy as np

from wordorder_lab.best_first.chart import CHARTS
from wordorder_lab.best_first.gold import GoldStandard
from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.output import DEFAULTS, Ordering
from wordorder_lab.best_first.packed_weights import (
    LEARNED,
    FeatureWeights,
    PackedEdgeWeights,
)
from wordorder_lab.best_first.settings import GuidedSettings, Limits, SearchSettings
from wordorder_lab.best_first.templates import EdgeTemplates
from wordorder_lab.best_first.updates import NEGATIVES, SCALED, UPDATES
from wordorder_lab.models.file_parts import Json, JsonView
from wordorder_lab.models.ngram import NGramModel
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.runtime.buffers import BufferPool
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.templates import Feature
from wordorder_lab.structures.trace import Trace
from wordorder_lab.structures.typed_bag import as_bag
from wordorder_lab.systems import usual_settings as usual
from wordorder_lab.systems.language_models import (
    arrays_of,
    header_of,
    ngrams_of_parts,
)
from wordorder_lab.systems.model import (
    DictionaryModel,
    Words,
    choose_engine,
    result_of,
    templates_part,
)
from wordorder_lab.systems.setting import SettingsClass, setting

if TYPE_CHECKING:
    from wordorder_lab.best_first.search_fast import FastSearch
    from wordorder_lab.best_first.weights_fast import EdgeTable


LM_WEIGHT = 0.1
"""How much a language model counts where nothing is said of it: of weights from 0.01 to 1, one of
the better ones on dev in both grammars where scores are scaled. Presets have their own."""

CHART = "one beam for the whole chart, or one for each number of words"


@dataclass(frozen=True)
class BestFirstSettings:
    """What a training run depends on, beside its sentences.

    ``beam`` is how many edges the chart keeps (0: all), in all or of each size, as ``chart`` says.
    ``expansions`` is the limit a sentence (``None``: none), ``max_length`` how many units a
    sentence may have to be learned (``None``: any number). ``lm_order``: n-grams of this order are
    learned from the sentences, 0 none; they are not used before bags are ordered, where their
    log-probability counts ``lm_weight``.
    """

    pos: float = usual.given("tag", 1)
    deps: float = usual.given("head", 0)
    beam: int = usual.beam(64, "kept in the chart", minimum=0)
    epochs: int = usual.epochs(10)
    seed: int = usual.seed()
    templates: str = usual.templates("")
    update: str = setting(SCALED, "how to update the weights", choices=UPDATES)
    shuffle: bool = usual.shuffle()
    chart: str = setting(CHARTS[0], CHART, choices=CHARTS)
    negatives: str = setting(
        NEGATIVES[0],
        "what becomes of a wrong edge: Algorithm 3, Algorithm 2 (also Zhang 2013), or the sentence "
        "is done",
        choices=NEGATIVES,
    )
    expansions: int | None = setting(
        1000, "stop a search of the training after so many expansions", minimum=1, metavar="N"
    )
    max_length: int | None = setting(
        None, "learn from sentences of up to so many units", minimum=1, metavar="N"
    )
    averaged: bool = setting(True, "take the average of the weights, or the last ones")
    lm_order: int = usual.lm_order()
    lm_weight: float = usual.lm_weight(LM_WEIGHT)

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


class ReferenceSearch(Protocol):
    """A search of the reference engine, as ``BestFirstDependency`` is one."""

    stopped: str

    def run(self) -> list[Ordering]:
        """The goals, best first, or one default output."""

    @property
    def counters(self) -> dict[str, int]:
        """How much work it was."""


@dataclass(frozen=True)
class BestFirstSearch:
    """What may be set when a bag is ordered; the last where the model has a language model."""

    beam: int = usual.beam(64, "kept in the chart", minimum=0, as_trained=True)
    chart: str = setting(CHARTS[0], CHART, choices=CHARTS, as_trained=True)
    expansions: int | None = setting(
        None, "stop after so many expansions (2,000 if there is no limit)", minimum=0, metavar="N"
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
    default: str = setting(
        DEFAULTS[0],
        "whose way to put an output together when a search is stopped",
        choices=DEFAULTS,
    )
    lm_weight: float = usual.lm_weight(LM_WEIGHT, as_trained=True)


@dataclass(repr=False)
class BestFirstModel(DictionaryModel):
    """A trained model of ``system``, which is one of the names ``SYSTEMS``.

    ``settings["history"]`` has a row an epoch: updates by reason, and how its sentences ended.
    """

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
    """The weight of a feature, for the reference engine."""

    def __post_init__(self) -> None:
        self.weight = FeatureWeights(self.keys, self.weights)

    # --- what a grammar says ----------------------------------------------------------------

    def decoder(
        self, problem: OrderingProblem, settings: SearchSettings, trace: Trace | None = None
    ) -> ReferenceSearch:
        """The reference engine's search on a bag."""
        raise NotImplementedError

    def fast_decoder(self, table: EdgeTable, ngrams: NGramModel | None) -> FastSearch:
        """The fast engine's search, for all bags, with the weights of a table."""
        raise NotImplementedError

    def assigner(
        self, bag: WordBag, problem: OrderingProblem
    ) -> Callable[[Ordering], Sequence[int]]:
        """What says for each word of an output which unit of the bag it is."""
        raise NotImplementedError

    def grammar(self) -> Json:
        """What the grammar has in the header of a model file."""
        return {}

    @classmethod
    def of_header(cls, header: JsonView, weights: PackedEdgeWeights) -> Self:
        """The model of a whole file."""
        raise NotImplementedError

    # --- ordering ---------------------------------------------------------------------------

    @checks_arguments
    def order(
        self,
        bag: Words,
        *,
        k: int = 1,
        engine: str | None = None,
        trace: Trace | None = None,
        **search: object,
    ) -> Result:
        """Order a bag, a list of words, or a typed line; ``search`` are settings of the search.

        They are those that ``search_settings`` takes.
        ``beam`` (0: no bound) and ``chart`` are by default those of training. The search ends with
        the ``k``-th goal, or at a limit: so many ``expansions`` (edges taken from the agenda),
        ``seconds``, or MiB of ``memory``; where none is given, ``EXPANSIONS``. ``result.stopped``
        says which; without a goal, the output is put together from what there is, as ``default``
        says, and may have fewer words and several roots, or none. ``lm_weight`` is how much a
        language model counts beside the features, where the model has one: 0 is syntax alone.

        Threads may share the model: each order works in arrays of its own.

        Raises ``ValueError`` for a bag that cannot be ordered with what is given, for a setting
        that cannot be, and for an unknown engine; ``TypeError`` for what is no bag. Tags that
        training never saw carry no information; ``unknown_tags`` names them.
        """
        bag = as_bag(bag)
        problem = self.problem(bag)
        if trace is not None and any(bag.chances):
            trace.supertags(chances_of_items(bag, problem))
        outcome = self.search(problem, k=k, engine=engine, trace=trace, **search)
        return self._results(bag, problem, outcome)

    def watch(
        self, bag: WordBag, gold: GoldStandard, **search: Any
    ) -> tuple[Result, float | None, int, bool]:
        """``order`` on the fast engine, and what became of gold (``FastSearch.gold_fate``).

        The search is the same as without gold. Raises as ``order``.
        """
        problem, settings = self.problem(bag), self.chosen_search(**search)
        with self._fast_search(settings) as fast:
            outcome: Found = fast.run(problem, settings, gold=gold)
            fate = fast.gold_fate()
        return self._results(bag, problem, outcome), *fate

    def _results(self, bag: WordBag, problem: OrderingProblem, outcome: Found) -> Result:
        orderings, stopped, counters = outcome
        units = self.assigner(bag, problem)
        results = [_result(problem, one, units(one), stopped, counters) for one in orderings]
        return replace(results[0], k_best=tuple(results))

    def search(
        self,
        problem: OrderingProblem,
        *,
        k: int = 1,
        engine: str | None = None,
        trace: Trace | None = None,
        **settings: object,
    ) -> Found:
        """The decoder alone, with ``settings`` as ``search_settings`` takes them."""
        chosen = self.chosen_search(k, **settings)
        if choose_engine(engine) == "reference":
            search = self.decoder(problem, chosen, trace)
            return search.run(), search.stopped, search.counters
        with self._fast_search(chosen) as fast:
            outcome: Found = fast.run(problem, chosen, trace)
        return outcome

    def _fast_search(self, settings: SearchSettings) -> AbstractContextManager[FastSearch]:
        if self._table is None:
            from wordorder_lab.best_first.weights_fast import EdgeTable

            self._table = EdgeTable.of(self.weights)
        table = self._table
        ngrams = self.ngrams if settings.lm_weight else None
        kind = "syntax" if ngrams is None else "syntax and n-grams"
        return self._buffers.borrowed(kind, lambda: self.fast_decoder(table, ngrams))

    def chosen_search(self, k: int = 1, **given: object) -> SearchSettings:
        """The settings of a search, as a decoder takes them. Raises ``ValueError``."""
        chosen = self.search_settings(**given)
        chosen.pop("categories", None)  # of CCG: they are in the bag by now
        if not isinstance(k, int) or k < 1:
            raise ValueError(f"k ({cited(k)}) is a whole number from 1 up")
        limits = Limits(**{name: chosen.pop(name) for name in LIMITS})
        scaled = self.settings.get("update", SCALED) == SCALED
        return SearchSettings(**chosen, scaled=scaled, limits=limits, k=k)

    def search_settings(self, **given: object) -> Json:
        """All settings of a search; those that are not given are as in training, or the usual ones.

        Raises ``ValueError`` for one that there is not, or that cannot be.
        """
        chosen = super().search_settings(**given)
        if all(chosen[name] is None for name in LIMITS):
            chosen["expansions"] = EXPANSIONS
        return chosen

    def weighing(self, weight: Callable[[Feature], float]) -> Self:
        """The same model with other weights for the reference engine's ``decoder``."""
        other = replace(self)
        other.weight = weight
        return other

    # --- the model file ---------------------------------------------------------------------

    def header(self) -> Json:
        """Templates, numbering, tags of words, what the grammar has, any n-grams."""
        return {
            **header_of(self.ngrams),
            "templates": templates_part(self.keys.templates),
            "words": list(self.keys.words),
            "tags": list(self.keys.tags),
            "dictionary": self.dictionary.entries(),
            **self.grammar(),
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """The weights, and n-grams if there are any."""
        return {**self.weights.arrays(), **arrays_of(self.ngrams)}

    @classmethod
    def of_parts(cls, header: JsonView, arrays: Mapping[str, np.ndarray]) -> Self:
        """The model of a whole file. Raises ``ValueError`` where its parts do not fit together."""
        ngrams = ngrams_of_parts(header, arrays, LEARNED)
        weights = PackedEdgeWeights(**{name: arrays[name] for name in LEARNED})
        weights.check()
        return replace(cls.of_header(header, weights), ngrams=ngrams)


def chances_of_items(bag: WordBag, problem: OrderingProblem) -> list[float]:
    """The probability of each item's category, as the bag has it; -1 where it says nothing.

    Equal units have equal categories; where their probabilities differ, the first unit's count.
    """
    firsts = [bag.chances[units[0]] for units in problem.units]
    return [firsts[item.type].get(str(item.category), -1.0) for item in problem.items]


def _result(
    problem: OrderingProblem,
    found: Ordering,
    order: Sequence[int],
    stopped: str,
    counters: dict[str, int],
) -> Result:
    chosen = [problem.items[i] for i in found.items]
    return replace(
        result_of(chosen, order, found.heads, found.score),
        actions=tuple(found.actions),
        stopped=stopped,
        counters=counters,
        derivations=found.derivations,
    )
