"""How fast sentences are made shorter: milliseconds by length, and the searches of training.

Everything runs on one thread. Of repeated rounds the least counts, since other work on the machine
only ever adds time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import median
from typing import Any

from wordorder_lab.structures.compression import CompressionPair, prepared_pair
from wordorder_lab.systems.compression_examples import CompressionExamples
from wordorder_lab.systems.compression_model import CompressionModel
from wordorder_lab.systems.engines import choose_engine
from wordorder_lab.transduction.given import BEAMS

LENGTHS = ((1, 9), (10, 14), (15, 19), (20, 24), (25, 1000))
"""Words of the sources that share a row: from, to."""
ROUNDS, REFERENCE_ROUNDS = 5, 1
REFERENCE_PAIRS = 24
TRAINED_ON = 900
"""Pairs that the paper's larger corpus learns from, about: what a pass over them would take."""


def engines() -> tuple[str, ...]:
    """Those that there are here, the one to wait for first."""
    return ("fast", "reference") if choose_engine() == "fast" else ("reference",)


def spread_over(pairs: Sequence[CompressionPair], number: int) -> Sequence[CompressionPair]:
    """About so many pairs, evenly over all."""
    return pairs[:: max(1, len(pairs) // number)][:number]


def by_length(
    model: CompressionModel, pairs: Sequence[CompressionPair], rounds: int = ROUNDS
) -> Iterator[dict[str, Any]]:
    """A row for each engine and range of lengths, with the beam of the experiments.

    ``ms`` is the median a sentence in all, ``ms_search`` that of the decoder alone.
    """
    for engine in engines():
        slow = engine == "reference"
        some = spread_over(pairs, REFERENCE_PAIRS) if slow else pairs
        turns = min(rounds, REFERENCE_ROUNDS) if slow else rounds
        for least, most in LENGTHS:
            mine = [pair for pair in some if least <= len(pair.source.leaves()) <= most]
            if mine:
                row = {"engine": engine, "least": least, "most": most, "sentences": len(mine)}
                yield {**row, **_times(model, mine, engine, turns)}


def _times(
    model: CompressionModel, pairs: Sequence[CompressionPair], engine: str, rounds: int
) -> dict[str, Any]:
    trees = [pair.source for pair in pairs]
    problems = [model.problem(tree) for tree in trees]
    whole = _least(partial(model.compress, engine=engine), trees, rounds)
    search = _least(partial(model.search, engine=engine), problems, rounds)
    combinations = 0
    for problem in problems:
        combinations += model.search(problem, engine=engine).counters["combinations"]
    return {
        "ms": round(1000 * median(whole), 3),
        "ms_search": round(1000 * median(search), 3),
        "combinations_per_second": round(combinations / sum(search)),
    }


def _least(work: Callable[[Any], Any], items: Sequence[Any], rounds: int) -> list[float]:
    """Seconds for each item, the least of so many rounds after a first item for free."""
    times: list[list[float]] = [[] for _ in items]
    work(items[0])
    for _ in range(rounds):
        for i, item in enumerate(items):
            begin = time.perf_counter()
            work(item)
            times[i].append(time.perf_counter() - begin)
    return [min(seconds) for seconds in times]


def loss_augmented(
    model: CompressionModel, pairs: Sequence[CompressionPair], engine: str | None = None
) -> dict[str, Any]:
    """One search of training on each pair, with the model's loss and the wide beam.

    ``seconds_per_pass`` is what that makes for ``TRAINED_ON`` pairs such as these.
    """
    engine = choose_engine(engine)
    told = {name: model.settings[name] for name in ("loss", "penalty", "gold", "seed")}
    examples = CompressionExamples(
        [prepared_pair(pair) for pair in pairs],
        model.grammar,
        model.features,
        [model.ngrams],
        beam=BEAMS["training"],
        engine=engine,
        **told,
    )
    seconds = _least(
        lambda i: examples.most_violated(i, model.weights), range(len(examples)), rounds=1
    )
    row = {"engine": engine, "loss": told["loss"], "pairs": len(seconds)}
    mean = sum(seconds) / len(seconds)
    row |= {"ms": round(1000 * median(seconds), 3), "ms_mean": round(1000 * mean, 3)}
    return row | {"seconds_per_pass": round(mean * TRAINED_ON, 1)}
