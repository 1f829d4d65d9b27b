"""What a run learns from, its training, and the numbers of every epoch."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from wordorder_lab.corpora import load_compressions, load_corpus
from wordorder_lab.corpora.compressions import Compressions
from wordorder_lab.corpora.readers.corpus import Corpus
from wordorder_lab.experiments.runs.settings import for_search, for_training
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems import train, training_names, training_settings
from wordorder_lab.systems.model import OrderingModel, choose_engine
from wordorder_lab.systems.training_run import Moment


@cache
def corpus_of(name: str, units: str | None) -> Corpus:
    """A corpus that is read once in a process; raises as ``load_corpus``."""
    return load_corpus(name, units=units)


@cache
def pairs_of(name: str) -> Compressions:
    """Pairs of a corpus, read once in a process; raises as ``load_compressions``."""
    return load_compressions(name)


class Trained(NamedTuple):
    """A model, and the numbers of its last epoch."""

    model: OrderingModel
    numbers: dict[str, Any]


_warm: set[tuple] = set()
"""Ways of learning that are compiled."""
_last: dict[Hashable, Trained] = {}
"""The model that was trained last, under what it was trained with."""


def last_trained(run: Mapping[str, Any], sentences: Sequence[Sentence]) -> Trained:
    """The model of a run; the one of the run before if both are trained alike.

    So a sweep over settings of the search trains once. ``sentences`` are the first ones of the
    run's corpus: their number tells them from others.
    """
    search = {f"decode_{name}" for name in for_search(run)}
    alike = {name: value for name, value in run.items() if name not in search}
    asked = json.dumps([alike, len(sentences)], sort_keys=True)
    if asked not in _last:
        _last.clear()
        last: dict[str, Any] = {}
        model = train_run(run, sentences, lambda numbers, _: last.update(numbers))
        _last[asked] = Trained(model, last)
    return _last[asked]


def train_run(
    run: Mapping[str, Any],
    sentences: Sequence[Sentence],
    after: Callable[[dict[str, Any], Moment], None],
    **how: Any,
) -> OrderingModel:
    """Train what a run asks for; ``after`` is told the numbers of every epoch."""
    kept = short_enough(run, sentences)
    _warm_up(run, kept)
    begin, training = time.perf_counter(), 0.0

    def on_epoch(epoch: int, moment: Moment) -> None:
        nonlocal begin, training
        training += time.perf_counter() - begin
        after(numbers_of(epoch, moment, training), moment)
        begin = time.perf_counter()

    settings = {"progress": False, **how, **for_training(run)}
    return train(run["system"], kept, on_epoch=on_epoch, **settings)


def _warm_up(run: Mapping[str, Any], sentences: Sequence[Sentence]) -> None:
    """Let numba compile what learns in this way, once in a process, before any clock starts."""
    settings = {**for_training(run), "epochs": 1}
    way = run["system"], settings.get("update"), settings.get("negatives"), settings.get("chart")
    if choose_engine(run.get("engine")) == "fast" and way not in _warm:
        few = sorted(sentences, key=lambda one: abs(len(one) - 9))[:6]  # long enough to go wrong
        train(run["system"], few, progress=False, **settings)
        _warm.add(way)


def short_enough(run: Mapping[str, Any], sentences: Sequence[Sentence]) -> Sequence[Sentence]:
    """The sentences to learn from, where the system itself does not leave the longer ones out."""
    longest = run.get("max_length")
    if longest is None or "max_length" in training_names(run["system"]):
        return sentences
    return [one for one in sentences if len(one) <= longest]


def numbers_of(epoch: int, moment: Moment, training: float) -> dict[str, Any]:
    """What a row says about an epoch: seconds, updates by reason, how its sentences ended."""
    found: dict[str, Any] = {
        "epoch": epoch,
        "training_seconds": round(training, 2),
        "epoch_seconds": round(moment.seconds, 3),
    }
    for name in ("updates", "sentences"):
        for reason, number in moment.numbers.get(name, {}).items():
            found[f"{name}_{reason}"] = number
    return found


def usual(run: Mapping[str, Any], name: str) -> Any:
    """A setting of a run's training, the system's own default where the run does not say."""
    return run.get(name, getattr(training_settings(run["system"]), name))
