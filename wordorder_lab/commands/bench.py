"""``wordorder-lab bench``: how fast everything is on this machine.

By itself it measures training, decoding and compiling of what puts words in order, or a model that
makes sentences shorter; with ``--growth`` how time, memory and BLEU grow; with ``--players`` the
pages.
"""

from __future__ import annotations

import os
import tempfile
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from wordorder_lab.commands.common import open_compressions, open_model, usual_corpus
from wordorder_lab.commands.output import STDOUT, check_json, command_line, printer, report
from wordorder_lab.corpora import load_corpus
from wordorder_lab.corpora.free_english import NAME
from wordorder_lab.corpora.readers.corpus import Corpus
from wordorder_lab.experiments import bench, bench_against, growth, provenance
from wordorder_lab.experiments.runs.schema import Row, Table
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.typed_bag import type_bag
from wordorder_lab.systems import task_of
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.systems.mcdonald_2006 import Search as DeletionSearch
from wordorder_lab.systems.model import OrderingModel

EPOCHS = 10
"""Of the training that is timed, where nobody says how many."""


class Asked(NamedTuple):
    """What is asked for; the numbers, as they come in; and what prints them at once."""

    arguments: Namespace
    data: Row
    say: Callable[[str], None]


def run(arguments: Namespace) -> int:
    """Measure and print; ``ValueError`` for options that do not go together, or for no browser."""
    check_json(arguments.json)
    say = printer(arguments.json)
    begin = time.perf_counter()
    computer, libraries = provenance.machine(), provenance.versions()
    say(f"{computer['platform']}, {computer['processor']}, {computer['cpu_count']} cores, one used")
    say(", ".join(f"{name} {version}" for name, version in libraries.items()))
    data: Row = {"name": "bench", "versions": libraries, "machine": computer}
    asked = Asked(arguments, data, say)
    kinds = [name for name in ("players", "growth", "against") if getattr(arguments, name)]
    if len(kinds) > 1:
        raise ValueError(f"--{kinds[0]} and --{kinds[1]} are two things: one at a time")
    if kinds and arguments.model:
        raise ValueError(f"--{kinds[0]} makes what it measures: leave out --model")
    if arguments.against:
        _against(asked)
    elif arguments.players:
        from wordorder_lab.commands import bench_players

        bench_players.run(data, say)
    elif arguments.growth:
        _growth(asked)
    else:
        _speed(asked)
        data["peak_memory_mib"] = bench.peak_memory()
        say(f"peak memory of all this: {data['peak_memory_mib']} MiB")
    data["seconds"] = round(time.perf_counter() - begin, 2)
    report([], data, arguments.json)
    return 0


def _speed(asked: Asked) -> None:
    arguments, data = asked.arguments, asked.data
    given = open_model(arguments.model) if arguments.model else None
    if given is not None and issubclass(given.Search, DeletionSearch):
        raise ValueError(f"bench does not measure {given.system}: evaluate prints ms a sentence")
    if given is not None and task_of(given.system) == "compress":
        _compressing(asked, given)
        return
    corpus = load_corpus(arguments.corpus or usual_corpus())
    held_out = corpus.dev[: arguments.sentences]
    data |= {"corpus": corpus.name, "units": corpus.units, "rows": [], "seconds": 0.0}
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.model or os.fspath(Path(folder) / "bench.wol")
        model = given or _trained(asked, corpus, path)
        _decoding(asked, model, held_out)
        _processes(asked, model.system, path, held_out)


def _trained(asked: Asked, corpus: Corpus, path: str) -> OrderingModel:
    sentences = corpus.train[: asked.arguments.sentences]
    asked.say(f"\ntraining: {len(sentences):,} sentences, POS given, beam 64")
    about = {"corpus": corpus.name, "units": corpus.units}
    epochs = asked.arguments.epochs or EPOCHS
    model, numbers = bench.training(sentences, epochs, asked.say, about)
    asked.data["training"] = numbers
    each, speed = numbers["seconds_per_epoch"], numbers["sentences_per_second"]
    asked.say(f"{each:.2f} s an epoch, {speed:,.0f} sentences a second")
    model.save(path)
    return model


def _decoding(asked: Asked, model: OrderingModel, sentences: Sequence[Sentence]) -> None:
    asked.say("\ndecoding: milliseconds a sentence, and those in the decoder alone")
    for row in bench.decoding(model, sentences):
        asked.data["rows"].append(row)
        given, edges = "POS given" if row["pos"] else "no POS", ""
        if "edges_per_second" in row:
            edges = f"{row['edges_per_second']:>12,} edges a second, {row['expansions']} expansions"
        asked.say(
            f"  {row['engine']:<10}{given:<10} beam {row['beam']:>4}"
            f"{row['ms_per_sentence']:>10.3f}{row['ms_search']:>10.3f}{edges}"
        )
    asked.data["growth"] = bench.growth(model, sentences)
    for fit in asked.data["growth"]:
        asked.say(
            f"  grows as n^{fit['power']:.2f} (+- {1.96 * fit['error']:.2f}), pos {fit['pos']}, "
            f"beam 64, from {fit['least']} units"
        )


def _processes(asked: Asked, system: str, path: str, sentences: Sequence[Sentence]) -> None:
    short = min(sentences, key=lambda sentence: abs(len(sentence) - 10))
    compiling = asked.data["compiling_seconds"] = bench.compiling(system)
    answer = asked.data["first_answer_seconds"] = bench.first_answer(path, type_bag(bag_of(short)))
    asked.say("\nseconds in a fresh process, with an empty cache (cold) and again (warm)")
    for name in ("learner", "decoder"):
        cold, warm = (compiling[state][name] for state in ("cold", "warm"))
        asked.say(f"  {name}, first use   {cold:8.2f}{warm:8.2f}")
    asked.say(f"  order, whole command {answer['cold']:6.2f}{answer['warm']:8.2f}")


# --- a model that makes sentences shorter ---------------------------------------------------------


def _compressing(asked: Asked, model: CompressionModel) -> None:
    corpus = open_compressions(asked.arguments.corpus or model.settings.get("corpus", "gazette"))
    pairs = corpus.dev[: asked.arguments.sentences]
    asked.data.update(corpus=corpus.name, system=model.system, rows=[])
    asked.say("\ncompressing: milliseconds a sentence (median), and those in the decoder alone")
    for row in bench.by_length(model, pairs):
        asked.data["rows"].append(row)
        longest = row["most"] >= bench.LENGTHS[-1][1]
        words = f"from {row['least']}" if longest else f"{row['least']} to {row['most']}"
        asked.say(
            f"  {row['engine']:<10} {words + ' words':<14}{row['sentences']:>4} sentences"
            f"{row['ms']:>10.3f}{row['ms_search']:>10.3f}"
            f"{row['combinations_per_second']:>12,} combinations a second"
        )
    row = asked.data["loss_augmented"] = bench.loss_augmented(model, pairs)
    asked.say(
        f"\na search of training ({row['loss']}, {row['engine']}): {row['ms']:.3f} ms (median of "
        f"{row['pairs']} pairs), {row['seconds_per_pass']:.1f} s a pass over "
        f"{bench.TRAINED_ON} such pairs"
    )


# --- beside an older commit -----------------------------------------------------------------------


def _against(asked: Asked) -> None:
    """Raises ``ValueError`` for a commit that there is not."""
    name, folder = bench_against.checkout(asked.arguments.against)
    asked.say(
        f"\nseconds of the processor at {name[:10]} (then) and here (now)\n{bench_against.HEAD}"
    )
    command = command_line("bench", "--against", name[:10])
    data: Row = {"against": name, "command": command, "code": provenance.code_version()}
    data |= {"loop_seconds": bench_against.loop_seconds(), "rows": [], "seconds": 0.0}
    asked.data.update(data)
    for row in bench_against.rows(folder, asked.say):
        asked.data["rows"].append(row)


# --- growth ---------------------------------------------------------------------------------------

HEAD = (
    f"{'sentences':>10}{'share':>7}{'epochs':>8}{'training':>11}{'cpu':>9}{'decoding':>11}{'cpu':>9}"
    f"{'ms each':>9}{'peak':>11}{'BLEU':>8}"
)


def _growth(asked: Asked) -> None:
    """Measure every size, printing its row as soon as it is known; beside ``--json FILE`` goes a
    picture."""
    arguments, data, say = asked
    corpus = arguments.corpus or NAME
    options = {"corpus": arguments.corpus if corpus != NAME else None}
    options |= {"epochs": arguments.epochs, "sentences": arguments.sentences}
    command = command_line("bench", "--growth", **options)
    data |= {"corpus": corpus, "units": growth.UNITS, "command": command}
    data |= {"date": time.strftime("%Y-%m-%d"), "load": provenance.load()}
    data |= {"code": provenance.code_version(), "rows": [], "fits": [], "seconds": 0.0}
    system = ""
    for row, last in growth.sizes(corpus, arguments.epochs, arguments.sentences):
        if row["system"] != system:
            system = row["system"]
            say(f"\n{system} on {corpus}\n{HEAD}")
        data["rows"].append(row)
        say(_line(row))
        if last:
            data["fits"] = growth.exponents(data["rows"])
            for fit in (fit for fit in data["fits"] if fit["system"] == system):
                say(_fitted(fit))
    if arguments.json not in (None, STDOUT):
        path = Path(arguments.json).with_suffix(".png")
        growth.picture(data, path)
        say(f"wrote {path}")


def _line(row: Table) -> str:
    return (
        f"{row['sentences']:>10,}{row['share']:>7}{row['epochs']:>8}"
        f"{row['training_seconds']:>9.1f} s{row['training_cpu_seconds']:>7.1f} s"
        f"{row['decoding_seconds']:>9.1f} s{row['decoding_cpu_seconds']:>7.1f} s"
        f"{row['ms_per_sentence']:>9.2f}{row['peak_mib'] or 0:>7,.0f} MiB{row['bleu_cased']:>8.2f}"
    )


def _fitted(fit: Table) -> str:
    low, high = fit["power_interval"]
    clock = "of the processor" if "cpu" in fit["clock"] else "on the wall"
    return (
        f"  training seconds {clock} grow as n^{fit['power']:.2f} ({low:.2f} to {high:.2f}, "
        f"{fit['points']} sizes)"
    )
