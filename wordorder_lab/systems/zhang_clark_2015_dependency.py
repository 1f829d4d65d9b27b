"""The systems "zhang-clark-2015-dependency" and "zhang-2013": best-first dependency word ordering.

Zhang & Clark (2015), Discriminative Syntax-Based Word Ordering for Text Generation, and Zhang
(2013), Partial-Tree Linearization. Task: a bag of words, tags given or not. Grammar:
``dependency_links``. Features: the 2015 paper's Table 2. Decoder: ``best_first_dependency``.
Learner: ``guided_learning``. The two differ in the settings of their training alone (``PRESETS``
there): a model of either is ordered with by the same code.

Differences. The papers stop a search after 5 seconds. Here a search stops after so many expansions
unless another limit is given, so that the same bag has the same output on every machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from wordorder_lab.decoders.best_first_dependency import BestFirstDependency
from wordorder_lab.decoders.drive import Drive
from wordorder_lab.features.edge_keys import EdgeKeys
from wordorder_lab.features.edge_notation import parse_edge_templates
from wordorder_lab.grammars.dependency_links import DependencyLinks
from wordorder_lab.grammars.knotted_orders import check_knots
from wordorder_lab.models.edge_weights import PackedEdgeWeights
from wordorder_lab.models.model_file import ModelError, load_arrays, save_arrays, versions
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.chart import CHARTS
from wordorder_lab.structures.limits import Limits
from wordorder_lab.structures.ordering import Ordering
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.trees import DependencyTree
from wordorder_lab.systems.engines import choose_engine
from wordorder_lab.systems.ordering_model import refuse_unknown, unseen_tags

NAME = "zhang-clark-2015-dependency"
ZHANG_2013 = "zhang-2013"

EXPANSIONS = 2_000
"""A search without a limit of its own stops after so many expansions."""
LIMITS = ("expansions", "seconds", "memory")
SEARCH = ("beam", "chart", *LIMITS, "default")
"""What may be set when a bag is ordered."""
DEFAULTS = ("2015", "2011")
"""Which paper's way to put together an output when no goal was found."""

MAX_KEPT = 500_000
"""Weights that the reference engine keeps in a dictionary between sentences."""

Found = tuple[list[Ordering], str, dict[str, int]]
"""What a search gives: its outputs, why it stopped, how much work it was."""


@dataclass
class DependencyModel:
    """A trained model of ``system``, which is one of the two names above.

    ``settings`` are those of its training: corpus, units, pos, deps, beam, epochs, seed, and so on;
    ``settings["history"]`` has a row an epoch: updates by reason, and how its sentences ended.
    """

    system: str
    keys: EdgeKeys
    dictionary: TagDictionary
    weights: PackedEdgeWeights
    settings: Mapping[str, Any] = field(default_factory=dict)
    _fast: dict[tuple, Any] = field(default_factory=dict, repr=False, compare=False)
    _table: Any = field(default=None, repr=False, compare=False)
    _kept: dict[tuple, float] = field(default_factory=dict, repr=False, compare=False)

    def order(
        self,
        bag: WordBag,
        *,
        beam: int | None = None,
        k: int = 1,
        chart: str | None = None,
        expansions: int | None = None,
        seconds: float | None = None,
        memory: float | None = None,
        default: str | None = None,
        engine: str | None = None,
        trace: Any = None,
    ) -> Result:
        """Order a bag; ``beam`` (0: no bound) and ``chart`` are by default those of training.

        The search ends with the ``k``-th goal, or at a limit: so many ``expansions`` (edges taken
        from the agenda), ``seconds``, or MiB of ``memory``; where none is given, ``EXPANSIONS``.
        ``result.stopped`` says which; without a goal, the output is put together from what there
        is, as ``default`` says, and may have fewer words and several roots, or none.

        Raises ``ValueError`` for orders that no tree with the given heads allows, for a setting
        that cannot be, and for an unknown engine. Tags that training never saw carry no
        information; ``unknown_tags`` names them.
        """
        problem = OrderingProblem.of(bag, self.dictionary.lookup)
        check_knots(problem)
        how = {"beam": beam, "chart": chart, "default": default}
        limits = {"expansions": expansions, "seconds": seconds, "memory": memory}
        found = self.search(problem, k=k, engine=engine, trace=trace, **how, **limits)
        orderings, stopped, counters = found
        links = DependencyLinks(problem)
        results = [self._result(links, one, stopped, counters) for one in orderings]
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
        run = self._run_fast if choose_engine(engine) == "fast" else self._run_reference
        return run(problem, how, Limits(**{name: how[name] for name in LIMITS}), k, trace)

    def search_settings(self, **given: Any) -> dict[str, Any]:
        """All settings of a search; those that are not given are as in training, or the usual ones.

        Raises ``ValueError`` for one that there is not, or that cannot be.
        """
        usual: dict[str, Any] = {
            "beam": int(self.settings.get("beam", 64)),
            "chart": self.settings.get("chart", "single"),
            **dict.fromkeys(LIMITS),
            "default": DEFAULTS[0],
        }
        refuse_unknown(self.system, given, usual)
        how = usual | {name: value for name, value in given.items() if value is not None}
        if all(how[name] is None for name in LIMITS):
            how["expansions"] = EXPANSIONS
        _check_search(how)
        return how

    def drive(self, bag: WordBag) -> Drive:
        """What two edges of a search on this bag make, for ``wl.play(log, drive=...)``."""
        problem = OrderingProblem.of(bag, self.dictionary.lookup)
        how = {"beam": 0, "scaled": self.scaled}
        return Drive(BestFirstDependency(problem, self.keys.templates, self._weight(), **how))

    def unknown_tags(self, bag: WordBag) -> list[str]:
        """The tags of a bag that training never saw, sorted."""
        return unseen_tags(self.dictionary, bag)

    def unshared(self) -> DependencyModel:
        """The same model without the rooms that a decoder works in, which are one run's."""
        return replace(self, _fast={}, _table=None, _kept={})

    @property
    def scaled(self) -> bool:
        """Whether scores are divided by the number of actions: as in training."""
        return self.settings.get("update", "scaled") == "scaled"

    def _run_fast(
        self, problem: OrderingProblem, how: dict[str, Any], limits: Limits, k: int, trace: Any
    ) -> Found:
        from wordorder_lab.decoders.best_first_dependency_fast import FastBestFirst
        from wordorder_lab.models.edge_table_fast import EdgeTable

        if self._table is None:
            self._table = EdgeTable.of(self.weights)
        asked = how["beam"], how["chart"]
        if asked not in self._fast:
            self._fast.clear()  # what one search has grown to is not kept for each setting
            self._fast[asked] = FastBestFirst(self.keys, self._table, *asked, self.scaled)
        return self._fast[asked].run(problem, k, limits, how["default"], trace)

    def _run_reference(
        self, problem: OrderingProblem, how: dict[str, Any], limits: Limits, k: int, trace: Any
    ) -> Found:
        search = BestFirstDependency(
            problem,
            self.keys.templates,
            self._weight(),
            how["beam"],
            chart=how["chart"],
            scaled=self.scaled,
            limits=limits,
            k=k,
            default=how["default"],
            trace=trace,
        )
        return search.run(), search.stopped, search.counters

    def _weight(self) -> Callable[[tuple], float]:
        kept, keys, weights = self._kept, self.keys, self.weights

        def weight(feature: tuple) -> float:
            value = kept.get(feature)
            if value is None:
                if len(kept) >= MAX_KEPT:
                    kept.clear()
                value = kept[feature] = weights.get(keys.key(feature))
            return value

        return weight

    def _result(
        self, links: DependencyLinks, found: Ordering, stopped: str, counters: dict[str, int]
    ) -> Result:
        chosen = [links.problem.items[i] for i in found.items]
        forms, tags = tuple(item.form for item in chosen), tuple(item.pos for item in chosen)
        return Result(
            units=tuple(item.unit for item in chosen),
            order=tuple(links.assign_units(found.items, found.heads)),
            tree=DependencyTree(forms, tags, tuple(found.heads)),
            score=found.score,
            actions=tuple(found.actions),
            stopped=stopped,
            counters=counters,
        )

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
        }
        save_arrays(path, header, self.weights.arrays())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> DependencyModel:
        """Read a model file. Raises ``ModelError`` if it is damaged, foreign or a checkpoint."""
        return cls.of_file(path, *load_arrays(Path(path)))

    @classmethod
    def of_file(
        cls, path: str | os.PathLike[str], header: dict[str, Any], arrays: dict[str, Any]
    ) -> DependencyModel:
        """The model of what a file holds; raises ``ModelError`` as ``load``."""
        system = header.get("system", "no model")
        if system not in (NAME, ZHANG_2013) or "values" not in arrays:
            raise ModelError(f"{path} holds {system}, not a {NAME} or {ZHANG_2013} model")
        try:
            return cls._of(header, arrays)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ModelError(
                f"{path} is not a whole {system} model ({error}): train it again"
            ) from None

    @classmethod
    def _of(cls, header: dict[str, Any], arrays: dict[str, Any]) -> DependencyModel:
        templates = parse_edge_templates(header["templates"]["text"], header["templates"]["name"])
        weights = PackedEdgeWeights(**arrays)
        weights.check()
        return cls(
            header["system"],
            EdgeKeys(templates, tuple(header["words"]), tuple(header["tags"])),
            TagDictionary.from_entries(header["dictionary"]),
            weights,
            dict(header["settings"]),
        )


def _check_search(how: Mapping[str, Any]) -> None:
    if not isinstance(how["beam"], int) or how["beam"] < 0:
        raise ValueError(f"the beam ({how['beam']!r}) is a whole number from 1 up, or 0: no bound")
    for name, values in (("chart", CHARTS), ("default", DEFAULTS)):
        if how[name] not in values:
            raise ValueError(
                f"no {name} {how[name]!r}; there are {' and '.join(map(repr, values))}"
            )
