"""The measure "time": how long ordering takes, and how it grows with the length of the sentence.

A row is a sentence of the split that was asked for: its number, how many units it has, and the
milliseconds of a processor that its words took to be ordered, beside the settings that they were
ordered with. The same sentence has the same number for every system, so that times are compared
sentence by sentence. A difference of 1 in ``log10_ms`` is a factor of ten.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from wordorder_lab.experiments.measures import figures
from wordorder_lab.experiments.measures.figures import COLOURS, label, panels
from wordorder_lab.experiments.measures.measure import Measure, Sentences, Specification
from wordorder_lab.experiments.measures.tables import Record, Row, Rows, grouped
from wordorder_lab.experiments.runs.ordering_evaluate import as_in_training
from wordorder_lab.experiments.runs.schema import NEEDED
from wordorder_lab.experiments.runs.settings import for_search
from wordorder_lab.experiments.runs.training import last_trained
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.systems.category_sources import task_of
from wordorder_lab.systems.model import OrderingModel

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

Item = TypeVar("Item")
GIVEN = ("pos", "deps")
LINES = ("system", *GIVEN)
"""Whose rows are a line."""
LEAST_LENGTH = 10
"""A second line is fitted from here on: below it, what a sentence costs at all weighs in."""


class _Time(Measure):
    """A row for each sentence, with its time."""

    def rows_of(self, run: Record, sentences: Sentences, held_out: Sentences) -> list[Row]:
        model = last_trained(run, sentences).model
        given = as_in_training(model, pos=None, deps=None, seed=None)
        options = model.search_settings(**for_search(run))
        task, left = task_of(model, given, options)
        bags = [task(each) for each in held_out]
        seconds = time_each(model, bags, engine=run.get("engine"), **left)
        fixed = {name: run[name] for name in NEEDED} | {n: given[n] for n in GIVEN}
        fixed |= {name: value for name, value in options.items() if value is not None}
        return [
            {**fixed, "number": number, "length": len(bag), **_milliseconds(1000 * each)}
            for number, (bag, each) in enumerate(zip(bags, seconds, strict=True), 1)
        ]

    def finish(self, record: Row) -> None:
        record["fits"] = _fits(record["rows"])

    def wanted(self, specification: Specification) -> Iterator[Record]:
        """Rows are sentences, and show how they were searched."""
        for run in specification.runs:
            yield {name: run[name] for name in (*NEEDED, *GIVEN) if name in run}


def _milliseconds(each: float) -> Row:
    return {"ms": round(each, 4), "log10_ms": round(math.log10(each), 4)}


class Power(NamedTuple):
    """``milliseconds = factor * n ** power``, over ``points`` sentences of ``least`` units up, with
    the standard error of the power and the share of variance explained, both in log-log."""

    least: int
    points: int
    power: float
    error: float
    factor: float
    r_squared: float


def fit_power(
    lengths: Sequence[int], milliseconds: Sequence[float], least: int = 1
) -> Power | None:
    """Least squares in log-log; ``None`` unless there are two lengths to draw a line through."""
    from scipy.stats import linregress

    kept = [(n, ms) for n, ms in zip(lengths, milliseconds, strict=True) if n >= least and ms > 0]
    if len({n for n, _ in kept}) < 2:
        return None
    x, y = np.log(np.array(kept, float)).T
    line = linregress(x, y)
    values = (line.slope, line.stderr, np.exp(line.intercept), line.rvalue**2)
    return Power(least, len(kept), *map(float, values))


def _fits(rows: Rows) -> list[Row]:
    found = []
    for key, mine in grouped(rows, LINES):
        for least in (1, LEAST_LENGTH):
            fit = fit_power([row["length"] for row in mine], [row["ms"] for row in mine], least)
            found += [{**key, **fit._asdict()}] if fit is not None else []
    return found


def least_seconds(
    work: Callable[[Item], object], items: Sequence[Item], rounds: int
) -> list[float]:
    """Seconds of a processor for each item: the least of so many rounds over all, after a first
    item for free. Other work on the machine only ever adds to them, so the least is the best guess
    at the truth."""
    work(items[0])
    found: list[list[float]] = [[] for _ in items]
    for _ in range(rounds):
        for times, item in zip(found, items):
            begin = time.process_time()
            work(item)
            times.append(time.process_time() - begin)
    return [min(times) for times in found]


def time_each(
    model: OrderingModel, bags: Sequence[WordBag], rounds: int = 5, **search: Any
) -> list[float]:
    """Seconds for each bag; ``search`` is for ``model.order``."""
    return least_seconds(partial(model.order, **search), bags, rounds)


def time_search(
    model: OrderingModel, bags: Sequence[WordBag], rounds: int = 1, **search: Any
) -> list[float]:
    """Seconds for each bag in the decoder alone, its tags looked up and its result not read off."""
    problems = [model.problem(bag) for bag in bags]
    return least_seconds(partial(model.search, **search), problems, rounds)


def _named(fit: Record) -> str:
    """Which rows a line is of: the system, and what it was given."""
    arcs = [f"{fit['deps']:.0%} of arcs given"] if fit.get("deps") else []
    return ", ".join([fit["system"], label("pos", fit["pos"]), *arcs])


def _fit_lines(record: Record) -> list[str]:
    import pandas

    lines = [
        f"{_named(fit)}, {fit['least']} units and more ({fit['points']} sentences): "
        f"ms = {fit['factor']:.2g} * n^{fit['power']:.2f} (+- {1.96 * fit['error']:.2f}), "
        f"R2 {fit['r_squared']:.2f}"
        for fit in record.get("fits", [])
    ]
    return lines or [pandas.DataFrame(record["rows"]).describe().to_string()]


def power(axes: figures.Axes, frame: pandas.DataFrame, options: Record, record: Record) -> None:
    """Every sentence a point, both axes logarithmic, and the fitted lines."""
    for colour, (key, rows) in zip(COLOURS, grouped(frame.to_dict("records"), LINES)):
        x, y = ([row[options[axis]] for row in rows] for axis in ("x", "y"))
        axes.plot(x, y, ".", ms=4, alpha=0.4, color=colour)
        for fit in [fit for fit in record.get("fits", []) if key.items() <= fit.items()][-1:]:
            ends = [fit["least"], max(x)]
            heights = [fit["factor"] * n ** fit["power"] for n in ends]
            text = f"{_named(fit)}: n^{fit['power']:.2f} from {fit['least']} units"
            axes.plot(ends, heights, "-", color=colour, lw=1.5, label=text)
    axes.set(xscale="log", yscale="log")
    for axis, name in ((axes.xaxis, options["x"]), (axes.yaxis, options["y"])):
        figures.plain_ticks(axis, frame[name].min(), frame[name].max())
    figures.name_axes(axes, options)


def _power(figure: Figure, record: Record, options: Record) -> None:
    panels(power, figure, record, options)
    if record.get("fits"):
        figures.legend_below(figure, figure.axes, 1)


MEASURES = (_Time("time", by_the_clock=True, report=_fit_lines, pictures={"power": _power}),)
