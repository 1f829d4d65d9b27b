"""Records of input conditions as pictures: what more input is worth, and what time it saves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wordorder_lab.experiments.condition_tables import (
    PAPERS,
    TRAINED,
    half_width,
    model_name,
    share_name,
)
from wordorder_lab.experiments.conditions import grouped
from wordorder_lab.experiments.report import AXES, COLOURS, plain_ticks

Row = Mapping[str, Any]
PANELS = ("bleu_cased", "ms_per_sentence")
PAPER, OF_PAPER = "#777777", "the paper, on its own data"


def conditions(figure: Any, record: Row, how: Row) -> None:
    """BLEU and milliseconds by dependencies, a line a share of tags; the paper's are dashed."""
    rows, values = _chosen(record, how)
    panels = figure.subplots(1, len(PANELS))
    for axes, name in zip(panels, PANELS):
        _by_dependencies(axes, rows, values, name)
    _logarithmic(panels[1], [one[PANELS[1]] for one in (*rows, *values) if PANELS[1] in one])
    _legend(panels[0], values)


def trainings(figure: Any, record: Row, how: Row) -> None:
    """BLEU as in ``conditions``, a panel for each model by what its training was given."""
    rows, values = _chosen(record, how)
    models = grouped(rows, tuple(TRAINED))
    panels = figure.subplots(1, len(models), sharey=True, squeeze=False)[0]
    for axes, (key, mine) in zip(panels, models):
        own = [v for v in values if all(v[name] == share for name, share in key.items())]
        _by_dependencies(axes, mine, own, "bleu_cased")
        axes.set_title(model_name(key), fontsize=10)
        axes.label_outer()
    _legend(panels[0], values)


def _by_dependencies(axes: Any, rows: Sequence[Row], values: Sequence[Row], name: str) -> None:
    for colour, (key, mine) in zip(COLOURS, grouped(rows, ("pos",))):
        paper = [v for v in values if v["pos"] == key["pos"] and PAPERS[name] in v]
        _line(axes, mine, name, color=colour, fmt="o-", label=share_name("pos", key["pos"]))
        _line(axes, paper, PAPERS[name], color=colour, fmt="o--", mfc="none", alpha=0.6)
    deps = sorted({row["deps"] for row in rows})
    axes.set_xticks(deps, [share_name("deps", share).split(" dep")[0] for share in deps])
    axes.set(xlabel="dependencies given", ylabel=AXES[name])
    _plain(axes)


def _legend(axes: Any, values: Sequence[Row]) -> None:
    if values:
        axes.errorbar([], [], fmt="o--", ms=4, color=PAPER, mfc="none", label=OF_PAPER)
    axes.legend(framealpha=0.85, edgecolor="none", fontsize=8, loc="upper left")


def groups(figure: Any, record: Row, how: Row) -> None:
    """A group of bars for each combination of tags and dependencies: the paper's, then ours."""
    rows, values = _chosen(record, how)
    columns = sorted({(row["pos"], row["deps"]) for row in rows})
    bars = [(OF_PAPER, "bleu", values, PAPER)] if values else []
    for colour, (key, mine) in zip(COLOURS, grouped(rows, (how["lines"],))):
        bars.append((str(key[how["lines"]]), "bleu_cased", mine, colour))
    axes, width = figure.subplots(), 0.8 / len(bars)
    for i, (label, name, mine, colour) in enumerate(bars):
        heights = {(row["pos"], row["deps"]): row[name] for row in mine}
        shift = (i - (len(bars) - 1) / 2) * width
        drawn = [(x + shift, heights[c]) for x, c in enumerate(columns) if c in heights]
        axes.bar(*zip(*drawn), width=0.92 * width, color=colour, label=label)
        for x, height in drawn:
            axes.text(x, height + 0.8, f"{height:.1f}", ha="center", fontsize=8)
    names = [f"{share_name('pos', p)}\n{share_name('deps', d)}" for p, d in columns]
    axes.set_xticks(range(len(columns)), names, fontsize=9)
    axes.set_ylabel(AXES["bleu_cased"])
    axes.legend(framealpha=0.85, edgecolor="none", fontsize=8, loc="upper left")
    _plain(axes)


FIGURES = {"conditions": conditions, "groups": groups, "trainings": trainings}
"""The kinds of ``[plot]`` that draw a whole figure."""


def _chosen(record: Row, how: Row) -> tuple[list[Row], list[Row]]:
    """The rows of the split to show, and the paper's values for the same system and split."""
    rows = [row for row in record["rows"] if row["split"] == how["split"]]
    systems = {row["system"] for row in rows}
    values = record["paper"].get("values", [])
    mine = [v for v in values if v.get("split") == how["split"] and v.get("system") in systems]
    return rows, mine


def _line(axes: Any, rows: Sequence[Row], name: str, **style: Any) -> None:
    if not rows:
        return
    rows = sorted(rows, key=lambda row: row["deps"])
    bars = [half_width(row) for row in rows] if name == "bleu_cased" else None
    points = [row[name] for row in rows]
    axes.errorbar([row["deps"] for row in rows], points, bars, lw=1.5, ms=4, capsize=2, **style)


def _logarithmic(axes: Any, milliseconds: Sequence[float]) -> None:
    """Times on a logarithmic axis: the paper's program and machine are a hundred times slower."""
    axes.set_yscale("log")
    plain_ticks(axes.yaxis, min(milliseconds), max(milliseconds))


def _plain(axes: Any) -> None:
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
