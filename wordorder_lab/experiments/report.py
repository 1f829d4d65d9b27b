"""Records as a table to print and as a picture."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wordorder_lab.experiments.measures.style import AXES, COLOURS, label, plain_ticks
from wordorder_lab.structures.atomic import replacing

if TYPE_CHECKING:
    import pandas


def table(record: Mapping[str, Any]) -> str:
    """The rows as text, columns that never change left out; long records by their last rows."""
    import pandas

    from wordorder_lab.experiments.record_kinds import tables

    for fits, lines in tables():
        if fits(record):
            return "\n".join(lines(record))
    frame = pandas.DataFrame(record["rows"])
    if "negatives" in frame and "epoch" in frame and frame["epoch"].nunique() > 1:
        from wordorder_lab.experiments.measures.learning import learning_lines

        return "\n".join(learning_lines(record["rows"]))
    if "epoch" in frame and len(frame) > 20:
        keys = [name for name in ("pos", "beam", "units", "templates") if name in frame]
        frame = frame.groupby(keys, sort=False).tail(1)
    if "length" in frame:
        return _fit_lines(record) or frame.describe().to_string()
    for name in [name for name in frame if str(name).endswith("_interval")]:
        frame[name] = frame[name].map(_interval, na_action="ignore")
    changing = [name for name in frame if frame[name].nunique(dropna=False) > 1]
    shown = frame[changing or list(frame)].convert_dtypes()  # whole numbers beside gaps stay whole
    return shown.to_string(index=False, na_rep="-")


def _interval(ends: Sequence[float]) -> str:
    return f"{ends[0]:.2f} to {ends[1]:.2f}"


def _fit_lines(record: Mapping[str, Any]) -> str:
    return "\n".join(
        f"{label('pos', fit['pos'])}, {fit['least']} units and more ({fit['points']} sentences): "
        f"ms = {fit['factor']:.2g} * n^{fit['power']:.2f} (+- {1.96 * fit['error']:.2f}), "
        f"R2 {fit['r_squared']:.2f}"
        for fit in record.get("fits", [])
    )


def plot(record: Mapping[str, Any], how: Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """Draw a record as its specification's ``[plot]`` says, into a PNG file, atomically."""
    from matplotlib.figure import Figure

    from wordorder_lab.experiments.record_kinds import figures

    figure = Figure(layout="constrained")
    draws = figures()
    if how["kind"] in draws:
        figure.set_size_inches(9.2, 4.2)
        draws[how["kind"]](figure, record, how)
    else:
        _panels(figure, record, how)
    figure.suptitle(_caption(record, how), fontsize=10)
    # Without the date inside, the same record gives the same bytes.
    with replacing(path) as part:
        figure.savefig(part, format="png", dpi=120, metadata={"Software": None})


def _panels(figure: Any, record: Mapping[str, Any], how: Mapping[str, Any]) -> None:
    """The kinds that draw a frame of rows: a panel for each value of a column, or for each of
    several ``y``, if there are any."""
    import pandas

    frame = pandas.DataFrame(record["rows"])
    ys = how["y"] if isinstance(how["y"], list) else [how["y"]]
    values = list(frame[how["panels"]].unique()) if "panels" in how else [None]
    panels = [(y, value) for y in ys for value in values]
    figure.set_size_inches(6.4 if len(panels) == 1 else 4.6 * len(panels), 4.2)
    draw = {"lines": _lines, "power": _power, "bars": _bars}[how["kind"]]
    row = figure.subplots(1, len(panels), squeeze=False, sharey=len(ys) == 1)[0]
    for axes, (y, value) in zip(row, panels):
        chosen = frame if value is None else frame[frame[how["panels"]] == value]
        draw(axes, chosen, {**how, "y": y, "shared": len(ys) > 1}, record)
        if value is not None:
            axes.set_title(label(how["panels"], value), fontsize=10)
        if len(ys) == 1:
            axes.label_outer()  # the shared y axis is named once
    if len(ys) > 1:
        handles, names = row[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=3, fontsize=8)


def _caption(record: Mapping[str, Any], how: Mapping[str, Any]) -> str:
    names = ("corpus", "split", "units")
    rows = [row for row in record["rows"] if how.get("split", row.get("split")) == row.get("split")]
    same = [name for name in names if len({row.get(name) for row in rows}) == 1]
    where = " ".join(str(rows[0][name]) for name in same if name in rows[0])
    smaller = "" if record.get("full") else " (not the full experiment)"
    return f"{record['title']}\n{where}{smaller}"


def _style(axes: Any, how: Mapping[str, Any]) -> None:
    axes.set_xlabel(AXES.get(how["x"], how["x"]))
    axes.set_ylabel(AXES.get(how["y"], how["y"]))
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)


def _lines(axes: Any, frame: pandas.DataFrame, how: Mapping[str, Any], record: Mapping) -> None:
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
    _style(axes, how)


def curve_name(name: str, value: Any) -> str:
    """A value of a column in a legend: words stand for themselves, numbers have a name."""
    if isinstance(value, str):
        return value
    return label(name, int(value) if value == int(value) else value)


def _power(axes: Any, frame: pandas.DataFrame, how: Mapping[str, Any], record: Mapping) -> None:
    """Every sentence a point, both axes logarithmic, and the fitted lines."""
    for colour, value in zip(COLOURS, frame[how["lines"]].unique()):
        rows = frame[frame[how["lines"]] == value]
        name = label(how["lines"], value)
        axes.plot(rows[how["x"]], rows[how["y"]], ".", ms=4, alpha=0.4, color=colour)
        fits = [fit for fit in record.get("fits", []) if fit["pos"] == value]
        for fit in fits[-1:]:
            ends = [fit["least"], int(rows[how["x"]].max())]
            heights = [fit["factor"] * n ** fit["power"] for n in ends]
            text = f"{name}: n^{fit['power']:.2f} from {fit['least']} units"
            axes.plot(ends, heights, "-", color=colour, lw=1.5, label=text)
    axes.set(xscale="log", yscale="log")
    plain_ticks(axes.xaxis, frame[how["x"]].min(), frame[how["x"]].max())
    plain_ticks(axes.yaxis, frame[how["y"]].min(), frame[how["y"]].max())
    if record.get("fits"):
        axes.legend(frameon=False, fontsize=8, loc="upper left")
    _style(axes, how)


def _bars(axes: Any, frame: pandas.DataFrame, how: Mapping[str, Any], record: Mapping) -> None:
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
