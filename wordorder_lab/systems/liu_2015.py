"""The system "liu-2015": Liu, Zhang, Che & Qin (2015), Transition-Based Syntactic Linearization.

Task: a bag of words, tags given or not. Grammar: ``transition/actions``. Features: Table 2 or
one of its variants. Decoder: ``transition/beam``. Learner: ``transition/averaged_perceptron``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.result import Result
from wordorder_lab.structures.templates import Feature
from wordorder_lab.structures.trace import Trace
from wordorder_lab.structures.trees import DependencyTree
from wordorder_lab.systems.model import DictionaryModel, choose_engine
from wordorder_lab.transition.actions import action_name, check_knots, read_actions
from wordorder_lab.transition.keys import FeatureKeys
from wordorder_lab.transition.packed_weights import ActionTable, PackedWeights
from wordorder_lab.transition.templates import parse_templates

NAME = "liu-2015"

SEARCH = ("beam",)
"""What may be set when a bag is ordered."""

Found = tuple[list[tuple[float, list[int]]], dict[str, int]]
"""What a search gives: scores and actions of the best derivations, and how much work it was."""

MAX_ROWS = 200_000
"""Rows of weights that the reference engine keeps as dictionaries between sentences."""


@dataclass(repr=False)
class LinearizationModel(DictionaryModel):
    """A trained linearizer."""

    SYSTEMS: ClassVar[tuple[str, ...]] = (NAME,)

    keys: FeatureKeys
    actions: ActionTable
    dictionary: TagDictionary
    weights: PackedWeights
    settings: Mapping[str, Any] = field(default_factory=dict)
    system = NAME
    _table: Any = field(default=None, compare=False)
    _fast: dict[int, Any] = field(default_factory=dict, init=False, compare=False)
    _rows: dict[Feature, Mapping[int, float]] = field(
        default_factory=dict, init=False, compare=False
    )

    def order(
        self,
        bag: WordBag,
        *,
        beam: int | None = None,
        k: int = 1,
        engine: str | None = None,
        trace: Trace | None = None,
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
        problem = super().problem(bag)
        check_knots(problem)
        return problem

    def search(
        self,
        problem: OrderingProblem,
        *,
        beam: int | None = None,
        k: int = 1,
        engine: str | None = None,
        trace: Trace | None = None,
    ) -> Found:
        """The decoder alone: scores and actions of the ``k`` best, and how much work it was."""
        beam = self.search_settings(beam=beam)["beam"]
        if beam < 1 or k < 1:
            raise ValueError(f"the beam ({beam}) and k ({k}) are at least 1")
        run = self._run_fast if choose_engine(engine) == "fast" else self._run_reference
        return run(problem, beam, k, trace)

    def usual_search(self) -> dict[str, Any]:
        """The settings of a search of which nothing is said: there is only the beam."""
        return {"beam": int(self.settings.get("beam", 64))}

    def _run_fast(self, problem: OrderingProblem, beam: int, k: int, trace: Trace | None) -> Found:
        from wordorder_lab.transition.beam_fast import FastBeam
        from wordorder_lab.transition.features_fast import compile_program
        from wordorder_lab.transition.weights_fast import WeightTable

        if self._table is None:
            table = WeightTable.of(self.weights, len(self.actions))
            self._table = compile_program(self.keys), table
        if beam not in self._fast:
            ready = (*self._table, self.keys, self.actions, beam, self.weights.divisor)
            self._fast[beam] = FastBeam(*ready)
        found: Found = self._fast[beam].run(problem, k, trace)
        return found

    def _run_reference(
        self, problem: OrderingProblem, beam: int, k: int, trace: Trace | None
    ) -> Found:
        from wordorder_lab.transition.beam import BeamSearch
        from wordorder_lab.transition.features import ActionScores

        columns = [self.actions.numbers(a, problem) for a in range(2 + len(problem.items))]
        scores = ActionScores(self.keys.templates, self._row, columns)
        search = BeamSearch(problem, scores, beam, self.weights.divisor, trace)
        best = search.run()[:k]
        found = [(state.score, [action for _, action in state.derivation()]) for state in best]
        return found, search.counters

    def _row(self, feature: Feature) -> Mapping[int, float]:
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

    # --- the model file ---------------------------------------------------------------------

    def header(self) -> dict[str, Any]:
        """Templates, numbering, actions, tags of words, and what the weights are divided by."""
        return {
            "templates": {"name": self.keys.templates.name, "text": self.keys.templates.text},
            "words": list(self.keys.words),
            "tags": list(self.keys.tags),
            "actions": [list(pair) for pair in self.actions.pairs],
            "dictionary": self.dictionary.entries(),
            "divisor": self.weights.divisor,
        }

    def arrays(self) -> dict[str, np.ndarray]:
        """The weights."""
        return self.weights.arrays()

    @classmethod
    def of_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> Self:
        """The model of a whole file. Raises ``ValueError`` where its parts do not fit together."""
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
