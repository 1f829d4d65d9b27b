"""Rows as pictures: lines and bars, which need only columns, and what all pictures share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from wordorder_lab.experiments.measures.tables import Record, Row, Rows

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes as Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure as Figure

Draw = Callable[["Figure", Record, Record], None]
"""Draws a whole figure from a record and the specification's ``[plot]``."""
DrawPanel = Callable[["Axes", "pandas.DataFrame", Record, Record], None]
AXES = {
    "epoch": "epoch",
    "bleu_cased": "BLEU, cased",
    "length": "units in the sentence",
    "ms": "milliseconds",
    "ms_per_sentence": "milliseconds a sentence",
    "brevity": "brevity (words out / words in)",
    "timeouts": "share of time-outs",
    "no_goal": "share without a goal",
    "spanning": "share found as a whole",
    "category_precision": "precision of lexical categories",
    "epoch_seconds": "seconds of training",
    "decode_beam": "edges that a beam of the chart keeps",
    "rate": "compression rate (words out / words in)",
    "relation_f1": "F1 of head-word relations",
    "loss_sum": "loss, all sentences together",
    "learned_from": "sentences learned from",
    "rules": "rules of the grammar",
    "deeper_share": "share of rules that an SCFG cannot have",
    "category_share": "share of rules between two categories (X not Y)",
}
NAMES: Mapping[str, Mapping[object, str]] = {
    "pos": {0: "no POS given", 1: "POS given"},
    "given": {
        "nothing": "nothing given",
        "half": "half of tags and arcs given",
        "all": "all tags and arcs given",
    },
}
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Okabe and Ito's, which colour-blind people can tell apart."""
GREY, DARK, OF_PAPER = "#999999", "#333333", "#777777"
LEGEND: Row = {"framealpha": 0.85, "edgecolor": "none", "fontsize": 8}
BARE_LEGEND: Row = {"frameon": False, "fontsize": 8}


def panels(draw: DrawPanel, figure: Figure, record: Record, options: Record) -> None:
    """A panel for each value of a column, or for each of several ``y``, if there are any."""
    import pandas

    frame = pandas.DataFrame(record["rows"])
    ys = options["y"] if isinstance(options["y"], list) else [options["y"]]
    values = list(frame[options["panels"]].unique()) if "panels" in options else [None]
    chosen = [(y, value) for y in ys for value in values]
    figure.set_size_inches(6.4 if len(chosen) == 1 else 4.6 * len(chosen), 4.2)
    row = side_by_side(figure, len(chosen), share_y=len(ys) == 1)
    for axes, (y, value) in zip(row, chosen):
        rows = frame if value is None else frame[frame[options["panels"]] == value]
        draw(axes, rows, {**options, "y": y, "shared": len(ys) > 1}, record)
        if value is not None:
            axes.set_title(label(options["panels"], value), fontsize=10)
        if len(ys) == 1:
            axes.label_outer()  # the shared y axis is named once
    if len(ys) > 1:
        legend_below(figure, row[:1], 3)


def lines(axes: Axes, frame: pandas.DataFrame, options: Record, _record: Record) -> None:
    """One curve for each value of a column, or for each combination of several. Numbers have an
    order, and so have their colours."""
    import matplotlib

    single = isinstance(options["lines"], str)
    names = [options["lines"]] if single else list(options["lines"])
    curves = list(frame.groupby(names, sort=single, dropna=False))
    shades = matplotlib.colormaps["viridis_r"]
    for i, (values, rows) in enumerate(curves):
        ordered = len(names) == 1 and not isinstance(values[0], str)
        shade = shades(0.15 + 0.85 * i / max(1, len(curves) - 1))
        style = "o-" if len(rows) == 1 else "-"  # a line with one point cannot be seen
        name = ", ".join(_short(n, v) for n, v in zip(names, values) if _there(v))
        colour = shade if ordered else COLOURS[i % len(COLOURS)]
        axes.plot(rows[options["x"]], rows[options["y"]], style, color=colour, lw=1.5, label=name)
    if not options["shared"]:
        axes.legend(**LEGEND, loc=options.get("legend", "lower right"))
    if options.get("log"):
        ticks = sorted(set(frame[options["x"]]))
        axes.set_xscale("log", base=2)
        axes.set_xticks(ticks, labels=map(str, ticks))
    else:
        whole_ticks(axes)
    name_axes(axes, options)


def bars(axes: Axes, frame: pandas.DataFrame, options: Record, _record: Record) -> None:
    """A bar for each row, the first on top, its score at its end."""
    names = []
    for row in frame.to_dict("records"):
        words = [_short(n, row[n]) for n in options["labels"] if _there(row.get(n))]
        if _there(row.get("templates")):  # which say the system, too
            words = [word for word in words if word != row["system"]]
        names.append(", ".join(filter(None, words)))
    heights = frame[options["y"]].tolist()
    places = list(range(len(names)))[::-1]
    axes.barh(places, heights, height=0.65, color=COLOURS[0])
    for place, height in zip(places, heights):
        axes.text(height + 0.4, place, f"{height:.1f}", va="center", fontsize=8)
    axes.set_yticks(places, names, fontsize=8)
    axes.set(xlabel=AXES.get(options["y"], options["y"]), xlim=(0, max(heights) * 1.12))
    plain(axes, grid="")


OF_COLUMNS: Mapping[str, Draw] = {"lines": partial(panels, lines), "bars": partial(panels, bars)}


def _there(value: object) -> bool:
    return value is not None and value == value  # pandas says NaN where a row has no value


def _short(name: str, value: str | float) -> str:
    if isinstance(value, str):
        return value
    return label(name, int(value) if value == int(value) else value)


def label(name: str, value: object) -> str:
    """A value of a column in words: ``pos`` 1 is "POS given"."""
    return NAMES.get(name, {}).get(value, f"{name} {value}")


def side_by_side(figure: Figure, number: int, share_y: bool = True) -> list[Axes]:
    """So many panels in a row."""
    return list(figure.subplots(1, number, squeeze=False, sharey=share_y)[0])


def plain(*several: Axes, grid: str = "both") -> None:
    """No frame, and a faint grid; upright lines alone ("x") lie below bars."""
    for axes in several:
        if grid:
            axes.grid(axis=grid, alpha=0.25)  # type: ignore[arg-type]
        if grid == "x":
            axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)


def name_axes(axes: Axes, options: Record) -> None:
    """Names for both axes, as ``[plot]`` has them; a grid and no frame."""
    x, y = (AXES.get(options[name], options[name]) for name in "xy")
    axes.set(xlabel=x, ylabel=y)
    plain(axes)


def whole_ticks(axes: Axes) -> None:
    """Only whole numbers below the x axis: there is no step 2.5."""
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def plain_ticks(axis: Axis, low: float, high: float) -> None:
    """Ticks at 1, 2, 5, 10 and so on, written out: a length of 2 * 10^1 is hard to read."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [digit * 10.0**power for power in powers for digit in (1, 2, 5)]
    shown = [tick for tick in ticks if low / 1.5 <= tick <= high * 1.5]
    axis.set_ticks(shown, labels=[f"{tick:g}" for tick in shown])
    axis.set_ticks([], minor=True)


def interval_bars(rows: Rows, name: str, scale: float = 1) -> list[list[float]]:
    """The 95 % intervals of a column as distances below and above it."""
    ends = [(row[name], *row[f"{name}_interval"]) for row in rows]
    below = [max(0.0, scale * middle - scale * low) for middle, low, _ in ends]
    return [below, [max(0.0, scale * high - scale * middle) for middle, _, high in ends]]


LETTERS, MARKER = 14, 8
"""Letters of a legend to an inch, and those that the line before a name and the gap behind it take
the room of."""


def legend_below(figure: Figure, several: Iterable[Axes], columns: int, **options: object) -> None:
    """One legend for some panels, below all of them, in as many ``columns`` as there is room for;
    what has one name stands there once."""
    named: Row = {}
    for axes in several:
        for handle, name in zip(*axes.get_legend_handles_labels()):
            named.setdefault(name, handle)
    room = int(figure.get_figwidth() * LETTERS / (max(map(len, named), default=0) + MARKER))
    ncols = max(1, min(columns, room))
    place: Row = {"loc": "outside lower center", "ncols": ncols, "fontsize": 8, **options}
    figure.legend(list(named.values()), list(named), **place)
