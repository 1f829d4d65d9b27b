"""A model on the sentences of a corpus: outputs, scores, and how long it took."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from wordorder_lab.experiments.run import map_in_order
from wordorder_lab.metrics.ordering import OrderingScores, score_ordering
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.liu_2015 import LinearizationModel
from wordorder_lab.tasks.ordering import bag_of

USUAL = {"pos": 1, "deps": 0, "beam": 64, "seed": 1}
"""The settings of a model that does not say how it was trained."""


class Ordered(NamedTuple):
    """One output: its text, the seconds it took, whether a limit stopped the search."""

    text: str
    seconds: float
    timed_out: bool


@dataclass(frozen=True)
class Evaluation:
    """Outputs beside references, their scores, and the ``condition`` they were made under."""

    condition: dict[str, Any]
    outputs: tuple[str, ...]
    references: tuple[str, ...]
    scores: OrderingScores

    def to_dict(self) -> dict[str, Any]:
        """Condition and scores as JSON-ready values."""
        return {**self.condition, **self.scores.to_dict()}


def evaluate(
    model: LinearizationModel,
    sentences: Sequence[Sentence],
    *,
    pos: float | None = None,
    deps: float | None = None,
    beam: int | None = None,
    seed: int | None = None,
    engine: str | None = None,
    jobs: int = 1,
) -> Evaluation:
    """Order the bags of these sentences and score the outcome.

    What is not given is as it was in training. The clock runs while bags are ordered, and not
    while a kernel is compiled. Raises ``ValueError`` for no sentences, and as ``bag_of``,
    ``model.order`` and ``map_in_order`` do.
    """
    condition = as_in_training(model, pos=pos, deps=deps, beam=beam, seed=seed)
    bags = [bag_of(s, condition["pos"], condition["deps"], condition["seed"]) for s in sentences]
    done = order_bags(model, bags, condition["beam"], engine, jobs)
    condition = {"system": model.settings.get("system", "liu-2015"), **condition}
    return _scored(condition, done, sentences)


def as_in_training(model: LinearizationModel, **given: Any) -> dict[str, Any]:
    """These settings (``pos``, ``deps``, ``beam``, ``seed``), training's where it is ``None``."""
    return {
        name: model.settings.get(name, USUAL[name]) if value is None else value
        for name, value in given.items()
    }


def random_order(sentences: Sequence[Sentence], *, seed: int = 1) -> Evaluation:
    """The floor: the units of each sentence in a random order that the seed decides.

    Raises ``ValueError`` for no sentences.
    """
    bags = [bag_of(sentence, seed=seed) for sentence in sentences]  # a bag comes out shuffled
    texts = [" ".join(word for unit in bag.words for word in unit) for bag in bags]
    done = [Ordered(text, 0.0, False) for text in texts]
    return _scored({"system": "random-order", "seed": seed}, done, sentences)


def order_bags(
    model: LinearizationModel,
    bags: Sequence[WordBag],
    beam: int | None = None,
    engine: str | None = None,
    jobs: int = 1,
) -> list[Ordered]:
    """Order every bag, with its time; the longest is ordered once before the clock starts."""
    if not bags:
        return []
    if jobs > 1:
        bare = _unshared(model)  # what a decoder has prepared stays at home
        share = -(-len(bags) // jobs)
        chunks = [bags[i : i + share] for i in range(0, len(bags), share)]
        work = partial(_order_chunk, bare, beam, engine)
        return [one for chunk in map_in_order(work, chunks, jobs) for one in chunk]
    model.order(max(bags, key=len), beam=beam, engine=engine)
    work_here = partial(_order_one, model, beam, engine)
    return list(map_in_order(work_here, bags, jobs, what="ordering"))


def _order_chunk(
    model: LinearizationModel, beam: int | None, engine: str | None, bags: Sequence[WordBag]
) -> list[Ordered]:
    return order_bags(_unshared(model), bags, beam, engine)  # threads were given the same model


def _unshared(model: LinearizationModel) -> LinearizationModel:
    """The same model without the rooms that a decoder works in, which are one run's at a time."""
    return replace(model, _fast={}, _rows={})


def _order_one(
    model: LinearizationModel, beam: int | None, engine: str | None, bag: WordBag
) -> Ordered:
    begin = time.perf_counter()
    result = model.order(bag, beam=beam, engine=engine)
    seconds = time.perf_counter() - begin
    return Ordered(result.text, seconds, result.stopped != "complete")


def _scored(
    condition: dict[str, Any], done: Sequence[Ordered], sentences: Sequence[Sentence]
) -> Evaluation:
    seconds = 0.0
    for one in done:
        seconds += one.seconds
    outputs, references = [one.text for one in done], [s.text for s in sentences]
    timed_out = [one.timed_out for one in done]
    scores = score_ordering(outputs, references, timed_out=timed_out, seconds=seconds or None)
    return Evaluation(condition, tuple(outputs), tuple(references), scores)
