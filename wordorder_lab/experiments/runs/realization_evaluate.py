"""A realiser on trees whose references are known: sentences, scores, causes of faults, and time."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean, median
from typing import Any, Protocol

from wordorder_lab.experiments.runs.map_in_order import map_in_order
from wordorder_lab.inflection.candidates import Inflector
from wordorder_lab.metrics.realization import RealizationScores, known_places, realization_scores
from wordorder_lab.metrics.realization_errors import RealizationErrors, realization_errors
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.structures.result import Realization
from wordorder_lab.systems.gold_mappings import gold_mappings

LIFTS, SPARE = 3, 3
"""Arcs that may be lifted and words that may be no form, where a reference has no mapping else."""


class Realizer(Protocol):
    """What makes a sentence of a tree."""

    def realize(self, tree: LemmaTree, **how: Any) -> Realization:
        """The sentence."""


@dataclass(frozen=True)
class RealizationEvaluation:
    """The sentences of some trees beside their references.

    ``errors`` is ``None`` where no tree has known words and places; ``milliseconds`` are those of
    every tree, of a clock that runs while one sentence is made.
    """

    outputs: tuple[Realization, ...]
    scores: RealizationScores
    errors: RealizationErrors | None
    milliseconds: tuple[float, ...]

    @property
    def mean_ms(self) -> float:
        """Milliseconds a tree."""
        return fmean(self.milliseconds)

    @property
    def median_ms(self) -> float:
        """Half of the trees take no longer."""
        return median(self.milliseconds)


def evaluate_realizer(
    model: Realizer,
    trees: Sequence[LemmaTree],
    gold: Sequence[LemmaTree | None] | None = None,
    *,
    jobs: int = 1,
    **how: Any,
) -> RealizationEvaluation:
    """Realise the trees and score the sentences; ``how`` is told to the model with every tree.

    ``gold`` is as in ``realization_scores`` (``gold_of`` has it). Kernels are compiled before the
    clock starts. Raises ``ValueError`` as ``realization_scores`` and ``map_in_order``.
    """
    if trees:
        model.realize(min(trees, key=len), **how)
    done = list(map_in_order(partial(_timed, how), trees, jobs, "realising", model))
    outputs = tuple(output for output, _ in done)
    gold = known_places(trees) if gold is None else gold
    scores = realization_scores(outputs, trees, gold)
    errors = realization_errors(outputs, trees, gold) if scores.known else None
    return RealizationEvaluation(outputs, scores, errors, tuple(ms for _, ms in done))


def _timed(how: dict[str, Any], model: Realizer, tree: LemmaTree) -> tuple[Realization, float]:
    begin = time.perf_counter()
    output = model.realize(tree, **how)
    return output, 1000 * (time.perf_counter() - begin)


def gold_of(trees: Sequence[LemmaTree], inflector: Inflector) -> list[LemmaTree | None]:
    """The trees with words and places; where they do not know them, by mapping the references.

    A mapping may lift ``LIFTS`` arcs and spare ``SPARE`` words, since it only says which lemma
    became which word. ``None`` for a tree that has none.
    """
    found = known_places(trees)
    todo = [i for i, one in enumerate(found) if one is None and trees[i].reference]
    some = [trees[i] for i in todo]
    for i, mapping in zip(todo, gold_mappings(some, inflector, lifts=LIFTS, spare=SPARE)):
        if mapping.positions:
            found[i] = mapping.placed(trees[i].reference)
    return found
