"""A realizer on trees whose references are known: what it learns from, sentences, scores, causes of
faults, and time.

Two floors learn nothing but forms: each lemma has its most probable one. ``random-order`` puts the
words in any order, ``random-tree-order`` each head and its dependents: subtrees stay in one piece.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean, median
from typing import Any, NamedTuple, Protocol

from wordorder_lab.experiments.runs import settings as runs
from wordorder_lab.experiments.runs.map_in_order import Timed, predictions, timed
from wordorder_lab.experiments.runs.schema import Row, Table
from wordorder_lab.experiments.runs.training import train_timed
from wordorder_lab.inflection.candidates import Inflector
from wordorder_lab.metrics.realization import RealizationScores, known_places, realization_scores
from wordorder_lab.metrics.realization_errors import RealizationErrors, linear, realization_errors
from wordorder_lab.structures.lemma_tree import LemmaTree
from wordorder_lab.structures.result import Realization
from wordorder_lab.systems.realization_examples import gold_mappings, learn_inflector
from wordorder_lab.systems.realizer import with_capital

LIFTS, SPARE = 3, 3
"""Arcs that may be lifted and words that may be no form, where a reference has no mapping else."""


class Realizer(Protocol):
    """What makes a sentence of a tree."""

    @property
    def inflector(self) -> Inflector:
        """The forms that it knows."""

    def realize(self, tree: LemmaTree, **options: Any) -> Realization:
        """The sentence."""


@dataclass(frozen=True)
class RealizationEvaluation:
    """The sentences of some trees, and the milliseconds of each; ``errors`` is ``None`` where no
    tree has known words and places."""

    outputs: tuple[Realization, ...]
    scores: RealizationScores
    errors: RealizationErrors | None
    milliseconds: tuple[float, ...]

    def __str__(self) -> str:
        return (
            f"{self.scores}\n{'ms a sentence':<18}{self.mean_ms:>7.1f}  median {self.median_ms:.1f}"
        )

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
    **options: Any,
) -> RealizationEvaluation:
    """Realize the trees and score the sentences; ``options`` are the model's, for every tree.
    ``gold`` is as in ``realization_scores`` (``gold_of`` has it). Kernels are compiled before the
    clock starts. Raises ``ValueError`` as ``realization_scores`` and ``map_in_order``."""
    work = partial(_realize, options)
    done = predictions(work, model, trees, jobs=jobs, what="realizing", size=len)
    outputs = tuple(one.output for one in done)
    gold = known_places(trees) if gold is None else gold
    scores = realization_scores(outputs, trees, gold)
    errors = realization_errors(outputs, trees, gold) if scores.known else None
    return RealizationEvaluation(outputs, scores, errors, tuple(1000 * one.seconds for one in done))


def _realize(options: Table, model: Realizer, tree: LemmaTree) -> Timed[Realization]:
    return timed(partial(model.realize, tree, **options))


def gold_of(trees: Sequence[LemmaTree], inflector: Inflector) -> list[LemmaTree | None]:
    """The trees with words and places; where they do not know them, by mapping the references. A
    mapping may lift ``LIFTS`` arcs and spare ``SPARE`` words, since it only says which lemma became
    which word. ``None`` for a tree that has none."""
    found = known_places(trees)
    todo = [i for i, one in enumerate(found) if one is None and trees[i].reference]
    some = [trees[i] for i in todo]
    for i, mapping in zip(todo, gold_mappings(some, inflector, lifts=LIFTS, spare=SPARE)):
        if mapping.positions:
            found[i] = mapping.placed(trees[i].reference)
    return found


class Floor(NamedTuple):
    """What realizes without having learned an order; ``seed`` chooses one for every tree."""

    system: str
    inflector: Inflector
    seed: int = 1

    def realize(self, tree: LemmaTree, **_: object) -> Realization:
        """The most probable form of every lemma, in a random order; a capital for the first."""
        forms = tuple(some[0] for some in self.inflector.forms(tree))
        rng = random.Random(zlib.crc32(f"{self.seed} {tree.name}".encode()))
        order = list(range(len(tree)))
        rng.shuffle(order)
        if self.system != runs.FLOOR:
            order = in_one_piece(tree, order)
        words = [word for i in order for word in forms[i].split()]
        return Realization((with_capital(words[0]), *words[1:]), tuple(order), forms, 0.0)


def in_one_piece(tree: LemmaTree, order: Sequence[int]) -> list[int]:
    """The nodes in one line, heads and their dependents following one another as in ``order``."""
    place = {node: at for at, node in enumerate(order)}
    parts = [(head, *dependents) for head, dependents in enumerate(tree.dependents)]
    return linear(tree, [sorted(some, key=place.__getitem__) for some in parts])


class Learned(NamedTuple):
    """What realizes, how many trees it learned from, and the seconds that took."""

    model: Realizer
    trees: int
    seconds: float


def as_learned(run: Table) -> Row:
    """What a run's realizer depends on: runs of which this is equal may share it."""
    of_floor = run["system"] in runs.FLOORS
    settings = {"english": run.get("english")} if of_floor else runs.for_training(run)
    few = {"system": run["system"], runs.LEARNED_TREES: run.get(runs.LEARNED_TREES)}
    of = {runs.LEARNED_ON: runs.learned_on(run), runs.LEARNED_SPLIT: runs.learned_split(run)}
    return {**settings, **few, **of}


def learn(run: Table, trees: Sequence[LemmaTree]) -> Learned:
    """The realizer of a run, or a floor, which learns forms; ``trees`` are those of its corpus.
    Raises ``ValueError`` as ``train`` and ``learn_inflector``."""
    few = trees[: run.get(runs.LEARNED_TREES)]
    if run["system"] not in runs.FLOORS:
        model, seconds = train_timed(run, few)
        return Learned(model, len(few), seconds)
    forms, seconds = timed(partial(learn_inflector, few, english=run.get("english", True)))
    return Learned(Floor(run["system"], forms, run.get("seed", 1)), len(few), seconds)
