"""Rows of any measure as a table, and as the two pictures that need only columns: lines, bars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wordorder_lab.experiments.measures.style import AXES, COLOURS, label
from wordorder_lab.experiments.runs.settings import setting_names

if TYPE_CHECKING:
    import pandas

Row = Mapping[str, Any]


def rows_text(rows: Sequence[Row]) -> str:
    """The rows as text, columns that never change left out; of many, the last one of each curve."""
    import pandas

    frame = pandas.DataFrame(rows)
    if "epoch" in frame and len(frame) > 20:
        keys = [name for name in frame if name in setting_names(rows)]
        frame = frame.groupby(keys, sort=False, dropna=False).tail(1)
    for name in [name for name in frame if str(name).endswith("_interval")]:
        frame[name] = frame[name].map(_interval, na_action="ignore")
    changing = [name for name in frame if frame[name].nunique(dropna=False) > 1]
    shown = frame[changing or list(frame)].convert_dtypes()  # whole numbers beside gaps stay whole
    return shown.to_string(index=False, na_rep="-")


def _interval(ends: Sequence[float]) -> str:
    return f"{ends[0]:.2f} to {ends[1]:.2f}"


DrawPanel = Callable[[Any, "pandas.DataFrame", Row, Row], None]
"""Draws into one panel the rows of a frame, as ``[plot]`` says; it is given the record, too."""


def panels(draw: DrawPanel, figure: Any, record: Row, how: Row) -> None:
    """A panel for each value of a column, or for each of several ``y``, if there are any."""
    import pandas

    frame = pandas.DataFrame(record["rows"])
    ys = how["y"] if isinstance(how["y"], list) else [how["y"]]
    values = list(frame[how["panels"]].unique()) if "panels" in how else [None]
    chosen = [(y, value) for y in ys for value in values]
    figure.set_size_inches(6.4 if len(chosen) == 1 else 4.6 * len(chosen), 4.2)
    row = figure.subplots(1, len(chosen), squeeze=False, sharey=len(ys) == 1)[0]
    for axes, (y, value) in zip(row, chosen):
        rows = frame if value is None else frame[frame[how["panels"]] == value]
        draw(axes, rows, {**how, "y": y, "shared": len(ys) > 1}, record)
        if value is not None:
            axes.set_title(label(how["panels"], value), fontsize=10)
        if len(ys) == 1:
            axes.label_outer()  # the shared y axis is named once
    if len(ys) > 1:
        handles, names = row[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=3, fontsize=8)


def style_axes(axes: Any, how: Row) -> None:
    """Names for both axes, a grid, and no frame."""
    axes.set_xlabel(AXES.get(how["x"], how["x"]))
    axes.set_ylabel(AXES.get(how["y"], how["y"]))
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)


def lines(axes: Any, frame: pandas.DataFrame, how: Row, record: Row) -> None:
    """One curve for each value of a column, or for each combination of several.

    Numbers have an order, and so have their colours.
    """
    import matplotlib
    from matplotlib.ticker import MaxNLocator

    names = [how["lines"]] if isinstance(how["lines"], str) else list(how["lines"])
    curves = list(frame.groupby(names, sort=isinstance(how["lines"], str), dropna=False))
    shades = matplotlib.colormaps["viridis_r"]
    for i, (values, rows) in enumerate(curves):
        ordered = len(names) == 1 and not isinstance(values[0], str)
        shade = shades(0.15 + 0.85 * i / max(1, len(curves) - 1))
        colour = shade if ordered else COLOURS[i % len(COLOURS)]
        style = "o-" if len(rows) == 1 else "-"  # a line with one point cannot be seen
        told = ", ".join(curve_name(n, v) for n, v in zip(names, values) if _there(v))
        axes.plot(rows[how["x"]], rows[how["y"]], style, color=colour, lw=1.5, label=told)
    if not how["shared"]:
        place = how.get("legend", "lower right")
        axes.legend(framealpha=0.85, edgecolor="none", fontsize=8, loc=place)
    if how.get("log"):
        axes.set_xscale("log", base=2)
        axes.set_xticks(sorted(set(frame[how["x"]])), labels=map(str, sorted(set(frame[how["x"]]))))
    else:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    style_axes(axes, how)


def curve_name(name: str, value: Any) -> str:
    """A value of a column in a legend: words stand for themselves, numbers have a name."""
    if isinstance(value, str):
        return value
    return label(name, int(value) if value == int(value) else value)


def bars(axes: Any, frame: pandas.DataFrame, how: Row, record: Row) -> None:
    """A bar for each row, the first on top, its score at its end."""
    names = [_bar_name(row, how["labels"]) for row in frame.to_dict("records")]
    heights = frame[how["y"]].tolist()
    places = list(range(len(names)))[::-1]
    axes.barh(places, heights, height=0.65, color=COLOURS[0])
    for place, height in zip(places, heights):
        axes.text(height + 0.4, place, f"{height:.1f}", va="center", fontsize=8)
    axes.set_yticks(places, names, fontsize=8)
    axes.set_xlabel(AXES.get(how["y"], how["y"]))
    axes.set_xlim(0, max(heights) * 1.12)
    axes.spines[["top", "right"]].set_visible(False)


def _bar_name(row: Mapping[Any, Any], names: Sequence[str]) -> str:
    """What tells this row from the others: the templates for a system that has some."""
    words = [row[name] for name in names if _there(row.get(name))]
    if _there(row.get("templates")):
        words = [word for word in words if word != row["system"]]
    return ", ".join(label("pos", word) if not isinstance(word, str) else word for word in words)


def _there(value: Any) -> bool:
    return value is not None and value == value  # pandas says NaN where a row has no value
