"""``wordorder-lab bench``: how fast everything is on this machine."""

from __future__ import annotations

import os
import tempfile
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from wordorder_lab.commands.common import check_json, open_model, printer, usual_corpus
from wordorder_lab.commands.output import report
from wordorder_lab.corpora import load_corpus
from wordorder_lab.experiments import bench, provenance
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.typed_bag import type_bag
from wordorder_lab.systems import task_of
from wordorder_lab.systems.mcdonald_2006 import Search as DeletionSearch
from wordorder_lab.systems.model import OrderingModel

EPOCHS = 10
"""Of the training that is timed, where nobody says how many."""


def run(arguments: Namespace) -> int:
    """Measure, printing each number as soon as it is known."""
    check_json(arguments.json)
    say = printer(arguments.json)
    begin = time.perf_counter()
    computer, libraries = provenance.machine(), provenance.versions()
    say(f"{computer['platform']}, {computer['processor']}, {computer['cpu_count']} cores, one used")
    say(", ".join(f"{name} {version}" for name, version in libraries.items()))
    data: dict[str, Any] = {"name": "bench", "versions": libraries, "machine": computer}
    if arguments.players:
        return _players(arguments, data, begin, say)
    if arguments.growth:
        from wordorder_lab.commands import bench_growth

        return bench_growth.run(arguments, data, say)
    given = open_model(arguments.model) if arguments.model else None
    if given is not None and issubclass(given.Search, DeletionSearch):
        raise ValueError(f"bench does not measure {given.system}: evaluate prints ms a sentence")
    if given is not None and task_of(given.system) == "compress":
        from wordorder_lab.commands import bench_compression

        return bench_compression.run(arguments, given, data, say)
    corpus = load_corpus(arguments.corpus or usual_corpus())
    held_out = corpus.dev[: arguments.sentences]
    data |= {"corpus": corpus.name, "units": corpus.units, "rows": [], "seconds": 0.0}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        model, path = _model(given, arguments, corpus, folder, data, say)
        _decoding(model, held_out, data, say)
        _processes(model.system, path, held_out, data, say)
    data["peak_memory_mib"] = bench.peak_memory()
    say(f"peak memory of all this: {data['peak_memory_mib']} MiB")
    data["seconds"] = round(time.perf_counter() - begin, 2)
    report([], data, arguments.json)
    return 0


def _players(
    arguments: Namespace, data: dict[str, Any], begin: float, say: Callable[[str], None]
) -> int:
    """The pages alone. Raises ``ValueError`` where there is no browser, and for other options."""
    if arguments.model:
        raise ValueError("--players makes its own logs: leave out --model")
    if arguments.growth:
        raise ValueError("--players and --growth are two things: one at a time")
    from wordorder_lab.commands import bench_players

    bench_players.run(data, say)
    data["seconds"] = round(time.perf_counter() - begin, 2)
    report([], data, arguments.json)
    return 0


def _model(
    given: OrderingModel | None,
    arguments: Namespace,
    corpus: Any,
    folder: Path,
    data: dict,
    say: Callable[[str], None],
) -> tuple[OrderingModel, str]:
    """The model given, or one that is trained with the clock running."""
    if given is not None:
        return given, arguments.model
    sentences = corpus.train[: arguments.sentences]
    say(f"\ntraining: {len(sentences):,} sentences, POS given, beam 64")
    about = {"corpus": corpus.name, "units": corpus.units}
    model, data["training"] = bench.training(sentences, arguments.epochs or EPOCHS, say, about)
    numbers = data["training"]
    say(
        f"{numbers['seconds_per_epoch']:.2f} s an epoch, "
        f"{numbers['sentences_per_second']:,.0f} sentences a second"
    )
    path = os.fspath(folder / "bench.wol")
    model.save(path)
    return model, path


def _decoding(
    model: OrderingModel,
    sentences: Sequence[Sentence],
    data: dict[str, Any],
    say: Callable[[str], None],
) -> None:
    say("\ndecoding: milliseconds a sentence, and those in the decoder alone")
    for row in bench.decoding(model, sentences):
        data["rows"].append(row)
        given = "POS given" if row["pos"] else "no POS"
        say(
            f"  {row['engine']:<10}{given:<10} beam {row['beam']:>4}"
            f"{row['ms_per_sentence']:>10.3f}{row['ms_search']:>10.3f}{_edges(row)}"
        )
    data["growth"] = bench.growth(model, sentences)
    for fit in data["growth"]:
        say(
            f"  grows as n^{fit['power']:.2f} (+- {1.96 * fit['error']:.2f}), pos {fit['pos']}, "
            f"beam 64, from {fit['least']} units"
        )


def _edges(row: dict[str, Any]) -> str:
    """How fast edges are made, where there are edges, and until when."""
    if "edges_per_second" not in row:
        return ""
    return f"{row['edges_per_second']:>12,} edges a second, {row['expansions']} expansions"


def _processes(
    system: str,
    path: str,
    sentences: Sequence[Sentence],
    data: dict[str, Any],
    say: Callable[[str], None],
) -> None:
    short = min(sentences, key=lambda sentence: abs(len(sentence) - 10))
    data["compiling_seconds"] = bench.compiling(system)
    data["first_answer_seconds"] = bench.first_answer(path, type_bag(bag_of(short)))
    say("\nseconds in a fresh process, with an empty cache (cold) and again (warm)")
    for name in ("learner", "decoder"):
        cold, warm = (data["compiling_seconds"][state][name] for state in ("cold", "warm"))
        say(f"  {name}, first use   {cold:8.2f}{warm:8.2f}")
    answer = data["first_answer_seconds"]
    say(f"  order, whole command {answer['cold']:6.2f}{answer['warm']:8.2f}")
