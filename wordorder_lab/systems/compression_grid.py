"""Which C, which scaling? Train with each, and see which model loses least on other pairs.

Cohn & Lapata (2009), section 6.1 and footnote 14: C and the scaling of the features are chosen by a
search on the development part, by the loss that is trained with.

Margin rescaling is not scale invariant, but it has one scale and not two: with all features times s
the best weights, seen from outside, are those of C s^2 without scaling. So points with the same
C s^2 differ by the tolerance alone, and a grid over C is enough.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wordorder_lab.metrics.compression import compression_rate
from wordorder_lab.metrics.relations import relation_f1
from wordorder_lab.models.file_parts import Json, JsonView
from wordorder_lab.structures.compression import CompressionPair, prepared, prepared_pair
from wordorder_lab.structures.plain_tree import Tree
from wordorder_lab.systems.cohn_lapata_2009 import SYSTEM, CompressionModel
from wordorder_lab.systems.cohn_lapata_2009_training import SYSTEMS, Settings, learn, prepare_with
from wordorder_lab.systems.setting import checked
from wordorder_lab.systems.training_run import split_options
from wordorder_lab.transduction.losses import LOSSES, compression_loss

CS, SCALINGS = (0.01, 0.1, 1.0, 10.0), (1.0,)
"""The points that are tried where none are named."""
USUAL_LOSS = (Settings.loss, Settings.penalty)
"""What systems that were trained with another kind of loss are told beside their scores."""


class HeldOut(NamedTuple):
    """A model on unseen pairs: the mean of its loss, relation F1 and rate, both from 0 to 1."""

    loss: float
    relation_f1: float
    rate: float


class GridPoint(NamedTuple):
    """A point of the grid: what there is to say about it, as JSON can hold it, and its model."""

    row: Json
    model: CompressionModel


def grid_search(
    pairs: Sequence[CompressionPair],
    held_out: Sequence[CompressionPair],
    Cs: Sequence[float] = CS,
    scalings: Sequence[float] = SCALINGS,
    *,
    done: Sequence[JsonView] = (),
    **given: object,
) -> Iterator[GridPoint]:
    """Train with each C and scaling, in this order, and look at each model on ``held_out``. The
    grammar is extracted once. Points with a row in ``done`` are passed over. The ``checkpoint`` is
    that of the point at work: whoever has taken a point deletes it before the next one, which
    refuses another's. The rest is as in ``train``, whose errors are raised."""
    system = SYSTEMS[SYSTEM]
    options, settings = split_options(given, SYSTEM, system.takes)
    chosen = [
        checked(Settings, SYSTEM, {**settings, "C": C, "scaling": scaling}, "in its training")
        for C in Cs
        for scaling in scalings
    ]
    have = {(row["C"], row["scaling"]) for row in done}
    todo = [one for one in chosen if (one.C, one.scaling) not in have]
    if not todo:
        return
    ready = prepare_with(pairs, todo[0], options)
    gold = tuple(ready.examples.examples)
    for one in todo:
        # Gold derivations that were chosen by score are those of another point.
        ready.examples.examples = list(gold)
        model = learn(ready, one, options)
        found = on_held_out(model, held_out, options.engine)
        objective, dual = model.settings["objective"], model.settings["dual"]
        row = {
            "C": one.C,
            "scaling": one.scaling,
            **found._asdict(),
            "objective": objective,
            "gap": objective - dual,
            "iterations": len(model.settings["history"]),
            "stopped": model.settings["stopped"],
        }
        yield GridPoint(row, model)


def best_row(rows: Sequence[JsonView]) -> JsonView:
    """The row with the smallest loss; of equal ones the smaller C, then the smaller scaling."""
    return min(rows, key=lambda row: (row["loss"], row["C"], row["scaling"]))


def on_held_out(
    model: CompressionModel, pairs: Sequence[CompressionPair], engine: str | None = None
) -> HeldOut:
    """A quick look at a model: loss, relation F1 and rate. Raises ``ValueError`` for no pairs."""
    golds = [prepared_pair(pair) for pair in pairs]
    outputs = [prepared(model.compress(pair.source, engine=engine).tree) for pair in pairs]
    return HeldOut(
        mean_loss(model, outputs, golds),
        relation_f1(outputs, [gold.targets for gold in golds]).f1,
        compression_rate(outputs, [gold.source for gold in golds]),
    )


def mean_loss(model: object, outputs: Sequence[Tree], golds: Sequence[CompressionPair]) -> float:
    """The mean of the loss that a model was trained with (``loss_of``), of outputs against first
    references; both are prepared, as they were in training."""
    name, penalty = loss_of(model)
    losses = []
    for output, gold in zip(outputs, golds, strict=True):
        loss = compression_loss(name, gold.target, penalty)
        losses.append(loss.value(loss.of_tree(output)))
    return math.fsum(losses) / len(losses)


def loss_of(model: object) -> tuple[str, float]:
    """The loss that a model was trained with and its penalty, or ``USUAL_LOSS``."""
    settings = getattr(model, "settings", {})
    if settings.get("loss") in LOSSES:
        return settings["loss"], settings["penalty"]
    return USUAL_LOSS
