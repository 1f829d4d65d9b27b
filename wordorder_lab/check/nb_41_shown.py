"""What notebook 41 looks at: losses, a training with its weights by iteration, gold derivations.

The exercises of the notebook, and its small problem of two weights, are in ``nb_41``.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.plain_tree import Tree
from wordorder_lab.systems import cohn_lapata_2009_training as training
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.systems.compression_grid import GridPoint, grid_search
from wordorder_lab.systems.compression_grid import on_held_out as on_held_out
from wordorder_lab.systems.training_run import Moment, TrainingOptions
from wordorder_lab.trace.log import EventLog
from wordorder_lab.transduction.features import application_scores
from wordorder_lab.transduction.gold import all_ways, gold_derivation
from wordorder_lab.transduction.losses import LOSSES, Loss, compression_loss

Pairs = Sequence[CompressionPair]


def losses_of(reference: Tree, penalty: float = 1.0) -> dict[str, Loss]:
    """The five losses against a reference, by name; ``penalty`` is a factor of the length term."""
    return {name: compression_loss(name, reference, penalty) for name in LOSSES}


class Lesson(NamedTuple):
    """A training that was looked at: the model, what it learned from, the best weights after each
    iteration, and the log."""

    model: CompressionModel
    examples: list[training.Example]
    moments: list[np.ndarray]
    log: EventLog


def lesson(pairs: Pairs, **settings: Any) -> Lesson:
    """``wl.train("cohn-lapata-2009", pairs, **settings)``, with all that a ``Lesson`` has."""
    chosen, moments, log = training.Settings(**settings), list[np.ndarray](), EventLog()
    ready = training.prepare(pairs, chosen)

    def keep(_iteration: int, moment: Moment[CompressionModel]) -> None:
        moments.append(moment().weights)

    options = TrainingOptions(progress=False, on_epoch=keep, trace=log)
    model = training.learn(ready, chosen, options)
    return Lesson(model, ready.examples.examples, moments, log)


def grid(pairs: Pairs, held_out: Pairs, Cs: Sequence[float], **settings: Any) -> list[GridPoint]:
    """A model for each C, and how it does on pairs that it has not seen (section 6.1)."""
    return list(grid_search(pairs, held_out, Cs, progress=False, **settings))


def derivation_count(example: training.Example) -> int:
    """How many derivations link the two trees of a pair: from the bottom up."""
    counts: dict[tuple[int, int], int] = {}
    for pair, ways in all_ways(example.problem, example.target).items():
        counts[pair] = sum(prod(counts[one] for one in below) for _, below in ways)
    return counts[example.problem.nodes.root, example.target.root]


class Gold(NamedTuple):
    """A gold derivation: its applications, their rules as texts, and the sum of their scores."""

    applications: tuple[int, ...]
    rules: tuple[str, ...]
    score: float


def golds(example: training.Example, weights: np.ndarray, kinds: Sequence[str]) -> dict[str, Gold]:
    """The derivation of a pair that each way to choose gold takes (Algorithm 5, footnote 10)."""
    problem, found = example.problem, {}
    scores = application_scores(example.rows, weights)
    for kind in kinds:
        chosen = tuple(gold_derivation(problem, example.target, kind, scores, "1"))
        total = 0.0
        for one in chosen:
            total += scores[one]
        texts = tuple(problem.applications[one].rule.text for one in chosen)
        found[kind] = Gold(chosen, texts, total)
    return found
