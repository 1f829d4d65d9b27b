"""Curves over numbers, one panel or several side by side, all in one manner; and the colours.

The colours are Okabe and Ito's, which colour-blind people can tell apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from wordorder_lab.experiments.measures.figures import COLOURS, GREY, whole_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, RED, GREEN, PINK, ORANGE, SKY, BLACK = COLOURS
"""Red is Okabe and Ito's vermilion; grey is for what is there to compare with, such as a random
order."""
CURVES = (BLUE, ORANGE, GREEN, RED, PINK, SKY, BLACK)
Style = dict[str, Any]
MARKERS = "os^Dv*P"
"""Curves differ in these, too: a picture may be printed in black and white."""


@dataclass(frozen=True)
class Panel:
    """One plot of a picture.

    ``curves`` has by its name what each curve goes through: a dictionary or a pandas ``Series``
    from x to y, a pair ``(xs, ys)``, or a list of heights over 1, 2, 3 and so on. ``x`` and ``y``
    are the names of the axes, ``log`` which of them are logarithmic ("x", "y", "xy").

    ``looks`` gives a curve another look, ``(style, colour)``, the style as matplotlib writes it
    (``"o--"``). ``notes`` are short texts beside the points of a curve. ``levels`` are heights to
    compare with, ``marks`` places on the x axis; a level with the name of a curve has its colour.
    ``ticks`` are the numbers below the x axis; ``percent`` writes shares as percentages: of y, of x
    ("x", "y", "xy"). ``low`` and ``high`` bound the y axis.
    """

    curves: Mapping[str, Any]
    x: str
    y: str = ""
    title: str = ""
    log: str = ""
    looks: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    notes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    levels: Mapping[str, float] = field(default_factory=dict)
    marks: Mapping[str, float] = field(default_factory=dict)
    ticks: Sequence[float] | None = None
    percent: str = ""
    low: float | None = None
    high: float | None = None


def lines(
    curves: Mapping[str, Any], x: str, y: str, *, size: tuple[float, float] = (7.5, 3), **more: Any
) -> Figure:
    """Draws curves into one plot; everything else is as in ``Panel``."""
    return panels(Panel(curves, x, y, **more), size=size)


def panels(*several: Panel, size: tuple[float, float] = (9, 3.2), share_y: bool = False) -> Figure:
    """Draws plots side by side; where all have the same curves, the names stand above them."""
    figure, all_axes = room(len(several), size, share_y)
    for axes, panel in zip(all_axes, several):
        _draw(axes, panel)
    named = [axes.get_legend_handles_labels() for axes in all_axes]
    if len({tuple(names) for _, names in named}) == 1:
        handles, names = named[0]
        if len(names) > 1:
            place: Style = {"loc": "outside upper center"}
            figure.legend(handles, names, frameon=False, ncol=4, **place)
    else:
        for axes, (handles, _) in zip(all_axes, named):
            if len(handles) > 1:
                axes.legend(frameon=False, fontsize="small")
    return figure


def room(
    columns: int, size: tuple[float, float], share_y: bool = False, rows: int = 1
) -> tuple[Figure, list[Axes]]:
    """A figure with empty plots without frames; several ``rows`` share their x axes. It is closed
    at once: a notebook then shows it once, as the value of its cell."""
    from matplotlib import pyplot

    options: Style = {"sharex": rows > 1, "sharey": share_y, "layout": "constrained"}
    figure, all_axes = pyplot.subplots(rows, columns, figsize=size, squeeze=False, **options)
    pyplot.close(figure)
    for axes in all_axes.flat:
        axes.spines[["top", "right"]].set_visible(False)
    return figure, list(all_axes.flat)


def _draw(axes: Axes, panel: Panel) -> None:
    colour_of: dict[str, str] = {}
    whole = True
    for place, (name, points) in enumerate(panel.curves.items()):
        dash = "-" if place < 2 else "--"  # what lies below a third curve is still seen
        usual = (MARKERS[place % len(MARKERS)] + dash, CURVES[place % len(CURVES)])
        style, colour_of[name] = panel.looks.get(name, usual)
        xs, ys = _points(points)
        whole = whole and all(float(one).is_integer() for one in xs)
        axes.plot(xs, ys, style, color=colour_of[name], label=name, markersize=4, alpha=0.85)
        for note, at in zip(panel.notes.get(name, ()), zip(xs, ys)):
            axes.annotate(f"  {note}", at, color=colour_of[name], fontsize="small", va="top")
    for name, height in panel.levels.items():
        if name in colour_of:
            axes.axhline(height, linestyle=":", color=colour_of[name])
        else:
            axes.axhline(height, linestyle="--", color=GREY, label=name)
    for name, place_on_x in panel.marks.items():
        axes.axvline(place_on_x, linestyle=":", color=GREEN, label=name)
    _scale(axes, panel, whole)


def _points(points: Any) -> tuple[list[float], list[float]]:
    if isinstance(points, tuple):
        return list(points[0]), list(points[1])
    pairs = list(points.items() if hasattr(points, "items") else enumerate(points, 1))
    return [x for x, _ in pairs], [y for _, y in pairs]


def _scale(axes: Axes, panel: Panel, whole: bool) -> None:
    axes.set(xlabel=panel.x, ylabel=panel.y, title=panel.title)
    for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
        if name in panel.log:
            axes.set(**{f"{name}scale": "log"})
        if name in panel.percent:
            axis.set_major_formatter(lambda value, _: f"{value:.0%}")
    if panel.low is not None or panel.high is not None:
        axes.set_ylim(panel.low, panel.high)
    if panel.ticks is not None:
        share = "x" in panel.percent
        texts = [f"{one:.0%}" if share else f"{one:,}" for one in panel.ticks]
        axes.set_xticks(list(panel.ticks), texts)
        axes.set_xticks([], minor=True)
    elif whole and "x" not in panel.log:
        whole_ticks(axes)
