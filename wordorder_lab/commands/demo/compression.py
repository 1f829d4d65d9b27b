"""The demo's second half: learn to make sentences shorter, and try it on sentences held out."""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from wordorder_lab.commands.evaluate_compression import floor_lines, output_lines
from wordorder_lab.corpora import CorpusError, load_compressions
from wordorder_lab.experiments.runs.compression_evaluate import (
    CompressionEvaluation,
    evaluate_compressions,
    match_rate,
)
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.systems import train
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.systems.model import choose_engine

SETTINGS: dict[str, Any] = {"C": 5.0, "beam": 20, "max_iterations": 30, "tolerance": 0.05}
PAIRS = {"fast": 400, "reference": 100}
"""Settings and pairs of the training: so much that one can wait for it, on either engine."""
TUNED = 60
"""Further pairs, by which the bonus for a word is chosen: as many words stay as in references."""
SHOWN = 4


class Shorter(NamedTuple):
    """What was done: the model and its file, the pairs it was tried on, and what came of it."""

    model: CompressionModel
    path: Path
    held_out: Sequence[CompressionPair]
    done: CompressionEvaluation
    bonus: float
    seconds: float


def shorten_too(arguments: Namespace, out: Path) -> Shorter | None:
    """Train on pairs of the demo's corpus and tell how well it goes; ``None`` if it has none."""
    try:
        corpus = load_compressions(arguments.corpus)
    except CorpusError:
        print(f"\n{arguments.corpus} has no compressions, so no sentences are made shorter here.")
        return None
    begin = time.perf_counter()
    count = PAIRS[choose_engine(arguments.engine)]
    pairs, others = corpus.train[:count], corpus.train[count:][:TUNED] or corpus.train
    print(
        f"\nnow to make sentences shorter: learning from {len(pairs)} pairs of trees ...",
        flush=True,
    )
    model = train(
        "cohn-lapata-2009",
        pairs,
        about={"corpus": arguments.corpus},
        progress=False,
        engine=arguments.engine,
        seed=arguments.seed,
        **SETTINGS,
    )
    path = out / "compression.wol"
    model.save(path)
    bonus = round(match_rate(model, others, engine=arguments.engine).bonus, 3)
    seconds = time.perf_counter() - begin
    print(
        f"{model.settings['rules']:,} rules; weights, and a bonus for words, in {seconds:.0f} s\n"
    )
    how = {"seed": arguments.seed, "engine": arguments.engine, "bonus": bonus}
    done = evaluate_compressions(model, corpus.dev, **how)
    print(*output_lines(done, SHOWN)[1:], "", *floor_lines(done), sep="\n")
    return Shorter(model, path, corpus.dev, done, bonus, seconds)


def compression_data(shorter: Shorter) -> dict[str, Any]:
    """What the demo's numbers say about it."""
    training = {"pairs": shorter.model.settings["pairs"], "training_seconds": shorter.seconds}
    corpus = shorter.model.settings["corpus"]
    return {"corpus": corpus, "split": "dev", **shorter.done.to_dict(), **training}
