"""A trained best-first system: what those for dependency trees and for CCG have in common.

Zhang & Clark (2011, 2015) search in one way, whatever the grammar. A system says how a bag is made
ready, which decoder of each engine searches, and what else is in its model file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.limits import Limits
from wordorder_lab.best_first.ordering import Ordering
from wordorder_lab.best_first.weights import PackedEdgeWeights
from wordorder_lab.models.model_file import ModelError, load_arrays, save_arrays, versions
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.templates import Feature
from wordorder_lab.structures.trees import DependencyTree
from wordorder_lab.systems.best_first_settings import (
    CHOICES,
    LIMITS,
    complete_search,
    usual_search,
)
from wordorder_lab.systems.engines import choose_engine
from wordorder_lab.systems.ordering_model import in_short, unseen_tags

MAX_KEPT = 500_000
"""Weights that the reference engine keeps in a dictionary between sentences."""

Found = tuple[list[Ordering], str, dict[str, int]]
"""What a search gives: its outputs, why it stopped, how much work it was."""


@dataclass(repr=False)
class BestFirstModel:
    """A trained model of ``system``, which is one of the names ``SYSTEMS``.

    ``settings`` are those of its training: corpus, units, pos, deps, beam, epochs, seed, and so on;
    ``settings["history"]`` has a row an epoch: updates by reason, and how its sentences ended.
    """

    SYSTEMS: ClassVar[tuple[str, ...]] = ()
    CHOICES: ClassVar[Mapping[str, Sequence[str]]] = CHOICES
    """What some settings of a search may be."""

    system: str
    keys: EdgeKeys
    dictionary: TagDictionary
    weights: PackedEdgeWeights
    settings: Mapping[str, Any] = field(default_factory=dict)
    _fast: dict[tuple, Any] = field(default_factory=dict, repr=False, compare=False)
    _table: Any = field(default=None, repr=False, compare=False)
    _kept: dict[tuple, float] = field(default_factory=dict, repr=False, compare=False)

    def __repr__(self) -> str:
        return in_short(self)

    # --- what a grammar says ----------------------------------------------------------------

    def problem(self, bag: WordBag) -> OrderingProblem:
        """A bag made ready for the search. Raises ``ValueError`` for one that cannot be ordered."""
        raise NotImplementedError

    def decoder(self, problem: OrderingProblem, beam: int, **how: Any) -> Any:
        """The reference engine's search on a bag: a ``BestFirst`` with ``run``."""
        raise NotImplementedError

    def fast_decoder(self, table: Any, how: Mapping[str, Any]) -> Any:
        """The fast engine's search, for all bags, with ``run``."""
        raise NotImplementedError

    def assigner(
        self, bag: WordBag, problem: OrderingProblem
    ) -> Callable[[Ordering], Sequence[int]]:
        """What says for each word of an output which unit of the bag it is."""
        raise NotImplementedError

    def grammar(self) -> dict[str, Any]:
        """What the grammar has in the header of a model file."""
        return {}

    @classmethod
    def of_header(cls, header: Mapping[str, Any], weights: PackedEdgeWeights) -> Self:
        """The model of a whole file."""
        raise NotImplementedError

    def engine(self, engine: str | None) -> str:
        """The engine asked for, or the usual one. Raises ``ValueError`` as ``choose_engine``."""
        return choose_engine(engine)

    # --- ordering ---------------------------------------------------------------------------

    def order(
        self,
        bag: WordBag,
        *,
        k: int = 1,
        engine: str | None = None,
        trace: Any = None,
        **search: Any,
    ) -> Result:
        """Order a bag; ``search`` are settings as ``search_settings`` takes them.

        ``beam`` (0: no bound) and ``chart`` are by default those of training. The search ends with
        the ``k``-th goal, or at a limit: so many ``expansions`` (edges taken from the agenda),
        ``seconds``, or MiB of ``memory``; where none is given, ``EXPANSIONS``. ``result.stopped``
        says which; without a goal, the output is put together from what there is, as ``default``
        says, and may have fewer words and several roots, or none.

        Raises ``ValueError`` for a bag that cannot be ordered with what is given, for a setting
        that cannot be, and for an unknown engine. Tags that training never saw carry no
        information; ``unknown_tags`` names them.
        """
        problem = self.problem(bag)
        orderings, stopped, counters = self.search(
            problem, k=k, engine=engine, trace=trace, **search
        )
        units = self.assigner(bag, problem)
        results = [_result(problem, one, units(one), stopped, counters) for one in orderings]
        return replace(results[0], k_best=tuple(results))

    def search(
        self,
        problem: OrderingProblem,
        *,
        k: int = 1,
        engine: str | None = None,
        trace: Any = None,
        **settings: Any,
    ) -> Found:
        """The decoder alone, with ``settings`` as ``search_settings`` takes them."""
        how = self.search_settings(**settings)
        if not isinstance(k, int) or k < 1:
            raise ValueError(f"k ({k!r}) is a whole number from 1 up")
        run = self._run_fast if self.engine(engine) == "fast" else self._run_reference
        limits = Limits(**{name: how.pop(name) for name in LIMITS})
        return run(problem, how, limits, k, trace)

    def search_settings(self, **given: Any) -> dict[str, Any]:
        """All settings of a search; those that are not given are as in training, or the usual ones.

        Raises ``ValueError`` for one that there is not, or that cannot be.
        """
        return complete_search(self.system, given, self.usual_search(), self.CHOICES)

    def usual_search(self) -> dict[str, Any]:
        """The settings of a search of which nothing is said."""
        return usual_search(self.settings)

    def unknown_tags(self, bag: WordBag) -> list[str]:
        """The tags of a bag that training never saw, sorted."""
        return unseen_tags(self.dictionary, bag)

    def unshared(self) -> Self:
        """The same model without the rooms that a decoder works in, which are one run's."""
        return replace(self, _fast={}, _table=None, _kept={})

    @property
    def scaled(self) -> bool:
        """Whether scores are divided by the number of actions: as in training."""
        return self.settings.get("update", "scaled") == "scaled"

    def _run_fast(
        self, problem: OrderingProblem, how: dict[str, Any], limits: Limits, k: int, trace: Any
    ) -> Found:
        from wordorder_lab.best_first.weights_fast import EdgeTable

        if self._table is None:
            self._table = EdgeTable.of(self.weights)
        default = how.pop("default")
        asked = tuple(how.items())
        if asked not in self._fast:
            self._fast.clear()  # what one search has grown to is not kept for each setting
            self._fast[asked] = self.fast_decoder(self._table, how)
        return self._fast[asked].run(problem, k, limits, default, trace)

    def _run_reference(
        self, problem: OrderingProblem, how: dict[str, Any], limits: Limits, k: int, trace: Any
    ) -> Found:
        search = self.decoder(problem, **how, limits=limits, k=k, trace=trace)
        return search.run(), search.stopped, search.counters

    def weight(self) -> Callable[[Feature], float]:
        """The weight of a feature, for the reference engine."""
        kept, keys, weights = self._kept, self.keys, self.weights

        def weight(feature: tuple) -> float:
            value = kept.get(feature)
            if value is None:
                if len(kept) >= MAX_KEPT:
                    kept.clear()
                value = kept[feature] = weights.get(keys.key(feature))
            return value

        return weight

    # --- the model file ---------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file, atomically; the same model gives the same bytes."""
        header = {
            "system": self.system,
            "settings": dict(self.settings),
            "templates": {"name": self.keys.templates.name, "text": self.keys.templates.text},
            "words": list(self.keys.words),
            "tags": list(self.keys.tags),
            "dictionary": self.dictionary.entries(),
            "versions": versions(),
            **self.grammar(),
        }
        save_arrays(path, header, self.weights.arrays())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a model file. Raises ``ModelError`` if it is damaged, foreign or a checkpoint."""
        return cls.of_file(path, *load_arrays(Path(path)))

    @classmethod
    def of_file(
        cls, path: str | os.PathLike[str], header: dict[str, Any], arrays: dict[str, Any]
    ) -> Self:
        """The model of what a file holds; raises ``ModelError`` as ``load``."""
        system = header.get("system", "no model")
        if system not in cls.SYSTEMS or "values" not in arrays:
            raise ModelError(f"{path} holds {system}, not a {' or '.join(cls.SYSTEMS)} model")
        try:
            weights = PackedEdgeWeights(**arrays)
            weights.check()
            return cls.of_header(header, weights)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ModelError(
                f"{path} is not a whole {system} model ({error}): train it again"
            ) from None


def _result(
    problem: OrderingProblem,
    found: Ordering,
    order: Sequence[int],
    stopped: str,
    counters: dict[str, int],
) -> Result:
    chosen = [problem.items[i] for i in found.items]
    forms, tags = tuple(item.form for item in chosen), tuple(item.pos for item in chosen)
    return Result(
        units=tuple(item.unit for item in chosen),
        order=tuple(order),
        tree=DependencyTree(forms, tags, tuple(found.heads)),
        score=found.score,
        actions=tuple(found.actions),
        stopped=stopped,
        counters=counters,
        derivations=found.derivations,
    )
