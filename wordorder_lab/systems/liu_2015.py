"""The system "liu-2015": Liu, Zhang, Che & Qin (2015), Transition-Based Syntactic Linearization.

Task: a bag of words, tags given or not. Grammar: ``transition/actions``. Features: Table 2 or
one of its variants. Decoder: ``transition/beam``. Learner: ``transition/averaged_perceptron``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from wordorder_lab.models.model_file import ModelError, load_arrays, save_arrays, versions
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.trees import DependencyTree
from wordorder_lab.systems.engines import choose_engine
from wordorder_lab.systems.ordering_model import in_short, refuse_unknown, unseen_tags
from wordorder_lab.transition.actions import action_name, check_knots, read_actions
from wordorder_lab.transition.features import FeatureKeys
from wordorder_lab.transition.templates import parse_templates
from wordorder_lab.transition.weights import ActionTable, PackedWeights

NAME = "liu-2015"

SEARCH = ("beam",)
"""What may be set when a bag is ordered."""

MAX_ROWS = 200_000
"""Rows of weights that the reference engine keeps as dictionaries between sentences."""


@dataclass(repr=False)
class LinearizationModel:
    """A trained linearizer.

    ``settings`` are those of its training: corpus, units, pos, deps, beam, epochs, seed, and so on.
    """

    keys: FeatureKeys
    actions: ActionTable
    dictionary: TagDictionary
    weights: PackedWeights
    settings: Mapping[str, Any] = field(default_factory=dict)
    system = NAME
    _fast: dict[int, Any] = field(default_factory=dict, repr=False, compare=False)
    _table: Any = field(default=None, repr=False, compare=False)
    _rows: dict[tuple, Mapping[int, float]] = field(default_factory=dict, repr=False, compare=False)

    def __repr__(self) -> str:
        return in_short(self)

    def order(
        self,
        bag: WordBag,
        *,
        beam: int | None = None,
        k: int = 1,
        engine: str | None = None,
        trace: Any = None,
    ) -> Result:
        """Order a bag; ``beam`` is by default that of training.

        ``k_best`` lists ``k`` outputs, or as many as the last beam holds if these are fewer.

        Whatever the bag gives, the output contains. Raises ``ValueError`` for orders that no tree
        with the given heads allows, a beam or ``k`` below 1, and an unknown engine. Tags that
        training never saw carry no information; ``unknown_tags`` names them.
        """
        problem = self.problem(bag)
        derivations, counters = self.search(problem, beam=beam, k=k, engine=engine, trace=trace)
        results = [self._result(problem, score, acts, counters) for score, acts in derivations]
        return replace(results[0], k_best=tuple(results))

    def problem(self, bag: WordBag) -> OrderingProblem:
        """A bag made ready. Raises ``ValueError`` for orders that no tree with its heads allows."""
        problem = OrderingProblem.of(bag, self.dictionary.lookup)
        check_knots(problem)
        return problem

    def search(
        self,
        problem: OrderingProblem,
        *,
        beam: int | None = None,
        k: int = 1,
        engine: str | None = None,
        trace: Any = None,
    ) -> tuple[list[tuple[float, list[int]]], dict[str, int]]:
        """The decoder alone: scores and actions of the ``k`` best, and how much work it was."""
        beam = self.search_settings(beam=beam)["beam"]
        if beam < 1 or k < 1:
            raise ValueError(f"the beam ({beam}) and k ({k}) are at least 1")
        run = self._run_fast if choose_engine(engine) == "fast" else self._run_reference
        return run(problem, beam, k, trace)

    def search_settings(self, **given: Any) -> dict[str, Any]:
        """The settings of a search, by default those of training; there is only the beam.

        Raises ``ValueError`` for another one.
        """
        usual = {"beam": int(self.settings.get("beam", 64))}
        refuse_unknown(NAME, given, usual)
        return usual | {name: value for name, value in given.items() if value is not None}

    def unknown_tags(self, bag: WordBag) -> list[str]:
        """The tags of a bag that training never saw, sorted."""
        return unseen_tags(self.dictionary, bag)

    def unshared(self) -> LinearizationModel:
        """The same model without the rooms that a decoder works in, which are one run's."""
        return replace(self, _fast={}, _rows={})

    def _run_fast(self, problem: OrderingProblem, beam: int, k: int, trace: Any) -> tuple:
        from wordorder_lab.transition.beam_fast import FastBeam
        from wordorder_lab.transition.features_fast import compile_program
        from wordorder_lab.transition.weights_fast import WeightTable

        if self._table is None:
            table = WeightTable.of(self.weights, len(self.actions))
            self._table = compile_program(self.keys), table
        if beam not in self._fast:
            ready = (*self._table, self.keys, self.actions, beam, self.weights.divisor)
            self._fast[beam] = FastBeam(*ready)
        return self._fast[beam].run(problem, k, trace)

    def _run_reference(self, problem: OrderingProblem, beam: int, k: int, trace: Any) -> tuple:
        from wordorder_lab.transition.beam import BeamSearch
        from wordorder_lab.transition.features import ActionScores

        columns = [self.actions.numbers(a, problem) for a in range(2 + len(problem.items))]
        scores = ActionScores(self.keys.templates, self._row, columns)
        search = BeamSearch(problem, scores, beam, self.weights.divisor, trace)
        best = search.run()[:k]
        found = [(state.score, [action for _, action in state.derivation()]) for state in best]
        return found, search.counters

    def _row(self, feature: tuple) -> Mapping[int, float]:
        row = self._rows.get(feature)
        if row is None:
            if len(self._rows) >= MAX_ROWS:
                self._rows.clear()
            row = self._rows[feature] = self.weights.row(self.keys.key(feature))
        return row

    def _result(
        self, problem: OrderingProblem, score: float, actions: list[int], counters: dict[str, int]
    ) -> Result:
        items, heads = read_actions(actions, problem)
        left = [iter(units) for units in problem.units]
        chosen = [problem.items[i] for i in items]
        tree = DependencyTree(
            tuple(item.form for item in chosen), tuple(item.pos for item in chosen), tuple(heads)
        )
        return Result(
            units=tuple(item.unit for item in chosen),
            order=tuple(next(left[item.type]) for item in chosen),
            tree=tree,
            score=score / self.weights.divisor,
            actions=tuple(action_name(action, problem) for action in actions),
            counters=counters,
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file, atomically; the same model gives the same bytes."""
        header = {
            "system": NAME,
            "settings": dict(self.settings),
            "templates": {"name": self.keys.templates.name, "text": self.keys.templates.text},
            "words": list(self.keys.words),
            "tags": list(self.keys.tags),
            "actions": [list(pair) for pair in self.actions.pairs],
            "dictionary": self.dictionary.entries(),
            "divisor": self.weights.divisor,
            "versions": versions(),
        }
        save_arrays(path, header, self.weights.arrays())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> LinearizationModel:
        """Read a model file. Raises ``ModelError`` if it is damaged, foreign or a checkpoint."""
        return cls.of_file(path, *load_arrays(Path(path)))

    @classmethod
    def of_file(
        cls, path: str | os.PathLike[str], header: dict[str, Any], arrays: dict[str, Any]
    ) -> LinearizationModel:
        """The model of what a file holds; raises ``ModelError`` as ``load``."""
        if header.get("system") != NAME or "values" not in arrays:
            raise ModelError(f"{path} holds {header.get('system', 'no model')}, not a {NAME} model")
        try:
            return cls._of(header, arrays)
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(
                f"{path} is not a whole {NAME} model ({error}): train it again"
            ) from None

    @classmethod
    def _of(cls, header: dict[str, Any], arrays: dict[str, Any]) -> LinearizationModel:
        templates = parse_templates(header["templates"]["text"], header["templates"]["name"])
        weights = PackedWeights(**arrays, divisor=header["divisor"])
        actions = ActionTable(tuple((word, tag) for word, tag in header["actions"]))
        weights.check(len(actions))
        return cls(
            FeatureKeys(templates, tuple(header["words"]), tuple(header["tags"])),
            actions,
            TagDictionary.from_entries(header["dictionary"]),
            weights,
            header["settings"],
        )
