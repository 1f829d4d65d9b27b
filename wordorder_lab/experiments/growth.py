"""How a system grows with what it learns from: seconds, memory and BLEU at four sizes.

A size is every eighth, fourth, second or each sentence of the whole, so that all have the same
mixture. Each is learned, and scored on held-out sentences, in a process of its own: the peak of
memory is that of this size. Kernels are compiled before any clock starts; seconds of the processor
stand beside those of the wall, which other work makes longer.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from scipy.stats import t

from wordorder_lab.corpora import load_corpus
from wordorder_lab.experiments.bench import peak_memory, python, spread_over
from wordorder_lab.experiments.measures.figures import COLOURS, legend_below, plain
from wordorder_lab.experiments.measures.tables import Record, Row, Rows
from wordorder_lab.experiments.measures.time import fit_power
from wordorder_lab.experiments.runs.map_in_order import timed
from wordorder_lab.metrics.significance import bootstrap_interval
from wordorder_lab.runtime.atomic import replacing
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems import train

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from wordorder_lab.systems.model import OrderingModel

Result = TypeVar("Result")
UNITS = "words"
PARTS = (8, 4, 2, 1)
"""A size is one sentence of so many."""
HELD_OUT = 4
"""Scored is one held-out sentence of so many."""


class Plan(NamedTuple):
    """What is learned how: the whole is one sentence of ``of`` in the corpus; ``passes`` are the
    usual epochs."""

    system: str
    of: int
    passes: int
    training: Record
    search: Record


PLANS = (
    Plan("liu-2015", 1, 10, {"beam": 64, "pos": 1, "seed": 1}, {"beam": 64}),
    # Such a search takes ten times as long as a beam: a sixteenth of it all has to be enough.
    Plan(
        "zhang-clark-2015-dependency",
        16,
        5,
        {"beam": 64, "pos": 1, "seed": 1, "max_length": 25, "expansions": 500},
        {"beam": 64, "expansions": 500},
    ),
)
ONE_SIZE = """
import json
import sys
from wordorder_lab.experiments.growth import one_size
print(json.dumps(one_size(**json.loads(sys.argv[1]))))
"""


def sizes(
    corpus: str, epochs: int | None = None, sentences: int | None = None
) -> Iterator[tuple[Row, bool]]:
    """A row for each plan and size, the smallest first, and whether it is the plan's last.
    ``sentences`` takes about so many of each split only. Raises ``CorpusError`` without the corpus
    and ``RuntimeError`` where a process fails."""
    load_corpus(corpus, units=UNITS)  # reads nothing, and says what is missing before all work
    for number, plan in enumerate(PLANS):
        for part in PARTS:
            wanted = {"corpus": corpus, "plan": number, "part": part}
            wanted |= {"epochs": epochs or plan.passes, "sentences": sentences}
            # Linux counts the caller's memory at the start as the new process's: it stays small.
            output = python("-c", ONE_SIZE, json.dumps(wanted))
            yield json.loads(output.splitlines()[-1]), part == PARTS[-1]


def one_size(corpus: str, plan: int, part: int, epochs: int, sentences: int | None) -> Row:
    """Learn and score one size here: this process is to do nothing else."""
    chosen = PLANS[plan]
    whole = load_corpus(corpus, units=UNITS)
    every, held_out = whole.train[:: chosen.of], whole.dev[::HELD_OUT]
    if sentences is not None:
        every, held_out = spread_over(every, sentences), spread_over(held_out, sentences)
    longest = chosen.training.get("max_length", max(map(len, every)))
    learned = [sentence for sentence in every[::part] if len(sentence) <= longest]
    read = peak_memory()
    row: Row = {
        "system": chosen.system,
        "share": f"1/{chosen.of * part}",
        "sentences": len(learned),
    }
    row |= {"units": sum(map(len, learned)), **chosen.training, "epochs": epochs}
    learn: Callable[..., OrderingModel] = partial(
        train, chosen.system, progress=False, **chosen.training
    )
    learn(sorted(learned, key=len)[len(learned) // 2 :][:6], epochs=1)  # compiles the learner
    times: list[float] = []
    learn = partial(learn, on_epoch=lambda _, moment: times.append(moment.seconds))
    model, seconds = _clocked("training", partial(learn, learned, epochs=epochs))
    row |= seconds
    row["seconds_by_epoch"] = [round(seconds, 2) for seconds in times]
    row |= {"reading_mib": read, "training_mib": peak_memory()}
    row |= _scored(model, held_out, chosen.search)
    return row | {"peak_mib": peak_memory()}


def _scored(model: OrderingModel, held_out: Sequence[Sentence], search: Record) -> Row:
    bags = [bag_of(sentence) for sentence in held_out]
    model.order(bags[0], **search)  # compiles the decoder
    outputs, seconds = _clocked(
        "decoding", lambda: [model.order(bag, **search).text for bag in bags]
    )
    row: Row = {"held_out": len(bags), **seconds}
    row["ms_per_sentence"] = round(1000 * row["decoding_cpu_seconds"] / len(bags), 3)
    interval = bootstrap_interval(outputs, [sentence.text for sentence in held_out])
    ends = [round(interval.low, 2), round(interval.high, 2)]
    return row | {"bleu_cased": round(interval.score, 2), "bleu_cased_interval": ends}


def _clocked(what: str, call: Callable[[], Result]) -> tuple[Result, Row]:
    """What a call gave, and its seconds, on the wall and of the processor."""
    (made, cpu), wall = timed(partial(timed, call, time.process_time))
    return made, {f"{what}_seconds": round(wall, 2), f"{what}_cpu_seconds": round(cpu, 2)}


def exponents(rows: Rows) -> list[Row]:
    """For each system the power with which training time grows, with its 95 % interval. Least
    squares in log-log, the interval by Student's t; one fit for seconds of the processor and one
    for the wall's. A system with fewer than three sizes has none."""
    fits: list[Row] = []
    for system in dict.fromkeys(row["system"] for row in rows):
        mine = [row for row in rows if row["system"] == system]
        for clock in ("training_cpu_seconds", "training_seconds"):
            fit = fit_power([row["sentences"] for row in mine], [row[clock] for row in mine])
            if fit is None or fit.points < 3:
                continue
            half = float(t.ppf(0.975, fit.points - 2)) * fit.error
            ends = [round(fit.power - half, 3), round(fit.power + half, 3)]
            numbers = {"power": round(fit.power, 3), "power_interval": ends, "factor": fit.factor}
            fits.append({"system": system, "clock": clock, "points": fit.points, **numbers})
    return fits


PANELS = {
    "training_cpu_seconds": "processor seconds of training",
    "ms_per_sentence": "milliseconds to order a sentence",
    "peak_mib": "most memory, MiB",
    "bleu_cased": "BLEU, cased",
}


def picture(record: Record, path: str | os.PathLike[str]) -> None:
    """Four panels over the number of sentences, a colour a system, into a PNG file, atomically."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 3.8), layout="constrained")
    for axes, (name, title) in zip(figure.subplots(1, len(PANELS)), PANELS.items()):
        _panel(axes, record, name)
        axes.set(xscale="log", xlabel="sentences learned from", ylabel=title)
        plain(axes)
    legend_below(figure, figure.axes[:1], 2)
    figure.suptitle(f"{record['corpus']}, {record['units']}: how it grows", fontsize=10)
    with replacing(path) as part:
        figure.savefig(part, format="png", dpi=120, metadata={"Software": None})


def _panel(axes: Axes, record: Record, name: str) -> None:
    rows = record["rows"]
    for colour, system in zip(COLOURS, dict.fromkeys(row["system"] for row in rows)):
        mine = [row for row in rows if row["system"] == system]
        x, y = ([row[column] for row in mine] for column in ("sentences", name))
        fits = [fit for fit in record["fits"] if (fit["system"], fit["clock"]) == (system, name)]
        power = "".join(f": n^{fit['power']:.2f}" for fit in fits)
        axes.plot(x, y, "o" if fits else "o-", color=colour, lw=1.2, label=f"{system}{power}")
        for fit in fits:
            axes.plot(x, [fit["factor"] * n ** fit["power"] for n in x], "-", color=colour, lw=1.2)
        if name == "bleu_cased":
            low, high = zip(*(row["bleu_cased_interval"] for row in mine))
            axes.fill_between(x, low, high, color=colour, alpha=0.15, lw=0)
    if name == "training_cpu_seconds":
        axes.set_yscale("log")
    elif name != "bleu_cased":
        axes.set_ylim(bottom=0)
