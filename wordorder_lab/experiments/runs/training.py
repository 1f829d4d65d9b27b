"""The training of a run: a model, how long it took, and the numbers of every epoch."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from wordorder_lab.experiments.runs import settings as runs
from wordorder_lab.experiments.runs.map_in_order import timed
from wordorder_lab.experiments.runs.schema import Row, Table
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems import find, train
from wordorder_lab.systems.model import OrderingModel, choose_engine
from wordorder_lab.systems.training_run import Moment


class Trained(NamedTuple):
    """A model, and the numbers of its last epoch."""

    model: OrderingModel
    numbers: Row


_compiled: set[tuple[object, ...]] = set()
_last: dict[str, Trained] = {}
"""The model that was trained last, under what it was trained with."""


def last_trained(run: Table, sentences: Sequence[Sentence]) -> Trained:
    """The model of a run; the one of the run before if both are trained alike. So a sweep over
    settings of the search trains once. ``sentences`` are the first ones of the run's corpus: their
    number tells them from others."""
    alike = {name: value for name, value in run.items() if not name.startswith(runs.DECODE)}
    asked = json.dumps([alike, len(sentences)], sort_keys=True)
    if asked not in _last:
        _last.clear()
        last: Row = {}
        model = train_run(run, sentences, lambda numbers, _: last.update(numbers))
        _last[asked] = Trained(model, last)
    return _last[asked]


def train_run(
    run: Table,
    sentences: Sequence[Sentence],
    after: Callable[[Row, Moment[OrderingModel]], None],
    **options: Any,
) -> OrderingModel:
    """Train what a run asks for; ``after`` is called with the numbers of every epoch."""
    system, longest = find(run["system"]), run.get("max_length")
    kept = sentences
    if longest is not None and "max_length" not in system.training_names():
        kept = [one for one in sentences if len(one) <= longest]
    _warm_up(run, kept)
    begin, training = time.perf_counter(), 0.0

    def on_epoch(epoch: int, moment: Moment[OrderingModel]) -> None:
        nonlocal begin, training
        training += time.perf_counter() - begin
        after(numbers_of(epoch, moment, training), moment)
        begin = time.perf_counter()

    settings = {"progress": False, **options, **runs.for_training(run)}
    model: OrderingModel = train(run["system"], kept, on_epoch=on_epoch, **settings)
    return model


def _warm_up(run: Table, sentences: Sequence[Sentence]) -> None:
    """Let numba compile what learns in this way, once in a process, before any clock starts."""
    system, settings = find(run["system"]), runs.for_training(run)
    way = system.name, *(settings.get(name) for name in ("update", "negatives", "chart"))
    engine = choose_engine(run.get("engine"))
    if way in _compiled or engine == "reference" or engine not in system.engines:
        return
    if "epochs" in system.training_names():
        settings["epochs"] = 1
    few = sorted(sentences, key=lambda one: abs(len(one) - 9))[:6]  # long enough to go wrong
    train(system.name, few, progress=False, **settings)
    _compiled.add(way)


def numbers_of(epoch: int, moment: Moment[OrderingModel], training: float) -> Row:
    """What a row says about an epoch: seconds, updates by reason, how its sentences ended."""
    counts = {
        f"{name}_{reason}": number
        for name in ("updates", "sentences")
        for reason, number in moment.numbers.get(name, {}).items()
    }
    seconds = {"training_seconds": round(training, 2), "epoch_seconds": round(moment.seconds, 3)}
    return {"epoch": epoch, **seconds, **counts}


def train_timed(run: Table, examples: Sequence[Any]) -> tuple[Any, float]:
    """The model of a run, and the seconds that it took; raises ``ValueError`` as ``train``."""
    return timed(partial(train, run["system"], examples, progress=False, **runs.for_training(run)))
