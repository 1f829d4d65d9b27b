"""Liu et al. 2015, Figure 8, Table 4 and Figure 9 as pictures of our records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wordorder_lab.experiments.conditions import grouped
from wordorder_lab.experiments.report import COLOURS
from wordorder_lab.experiments.span_tables import KINDS, SCORES, paper_score, units_said

Row = Mapping[str, Any]
STYLES = {"best-first": (COLOURS[0], "o-"), "transition-based": (COLOURS[1], "s-")}
GOLD = "#000000"
PAPER = "#777777"


def brevity(figure: Any, record: Row, how: Row) -> None:
    """Words out over words in the reference by length, in words and in units."""
    panels = grouped(record["rows"], ("length_in",))
    for axes, (key, rows) in zip(figure.subplots(1, len(panels), sharey=True), panels):
        for search, mine in grouped([row for row in rows if row["length"] != "all"], ("search",)):
            colour, mark = STYLES[search["search"]]
            heights = [float("nan") if not row["sentences"] else row["brevity"] for row in mine]
            axes.plot(range(len(mine)), heights, mark, color=colour, label=search["search"])
            names = [f"{row['length'].replace('-', '–')}\n({row['sentences']})" for row in mine]
        axes.set_xticks(range(len(names)), names, fontsize=8)
        axes.set_xlabel(f"{key['length_in']} in the reference (sentences)")
        _plain(axes)
        axes.label_outer()
    axes.legend(frameon=False, fontsize=8, loc="lower left")
    figure.axes[0].set_ylabel("brevity (words out / words in)")


def scores(figure: Any, record: Row, how: Row) -> None:
    """Precision, recall and F by the greatest length; spans of two units or more."""
    chosen = [row for row in record["rows"] if row["least_units"] == 2 and row["spans"] != "kept"]
    lines = {"derivation": "-", "tree": ":"}
    figure.set_size_inches(9.6, 5)
    panels = figure.subplots(1, len(SCORES), sharey=True)
    titles = ("precision", "recall", "F")
    for axes, name, title in zip(panels, SCORES, titles):
        for i, (key, rows) in enumerate(grouped(chosen, ("search", "spans"))):
            colour, mark = STYLES[key["search"]]
            label = f"{key['search']}, {KINDS[key['spans']]}"
            bars = _bars(rows, name)
            places = [x + 0.09 * (i - 1.5) for x in range(len(rows))]  # side by side
            style = {"fmt": mark[0] + lines[key["spans"]], "ms": 4, "lw": 1.2, "color": colour}
            heights = [row[name] for row in rows]
            axes.errorbar(places, heights, bars, capsize=2, label=label, **style)
            _paper(axes, rows, record["paper"].get("values", []), name, colour)
        axes.set_xticks(range(len(rows)), [f"< {row['below']}" for row in rows])
        axes.set(xlabel="words in the span", title=title)
        _plain(axes)
    panels[0].set_ylabel("percent")
    panels[0].plot([], [], "o--", mfc="none", color=PAPER, label="the paper, on its own data")
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=3, fontsize=8)


def _bars(rows: Sequence[Row], name: str) -> list[list[float]]:
    """The 95 % intervals as distances below and above."""
    ends = [(row[name], *row[f"{name}_interval"]) for row in rows]
    below = [max(0.0, middle - low) for middle, low, _ in ends]
    return [below, [max(0.0, high - middle) for middle, _, high in ends]]


def _paper(axes: Any, rows: Sequence[Row], values: Sequence[Row], name: str, colour: str) -> None:
    if rows[0]["spans"] != "derivation":  # the paper's line is drawn once
        return
    points = [paper_score(values, row, name) for row in rows]
    if None not in points:
        mark = STYLES[rows[0]["search"]][1][0]
        style = {"mfc": "none", "ms": 5, "lw": 1.2, "color": colour, "alpha": 0.6}
        axes.plot(range(len(points)), points, f"{mark}--", **style)


def lengths(figure: Any, record: Row, how: Row) -> None:
    """The share of spans of each length; a column for each kind of spans, a row without singles."""
    figure.set_size_inches(11, 6.4)
    far = {_key(one): one["total_variation"] for one in record["distances"]}
    rows = [row for row in record["rows"] if row["spans"] != "made" and row["length"] <= 30]
    grid = figure.subplots(2, 3, sharex=True, sharey="row")
    for axes, (key, mine) in zip(grid.T.flat, grouped(rows, ("spans", "least_units"))):
        for search, line in grouped(mine, ("search",)):
            colour, mark = STYLES[search["search"]]
            gap = far.get(_key(line[0]))
            label = search["search"] + ("" if gap is None else f", {gap:.2f} from gold")
            points = [row["length"] for row in line], [row["share"] for row in line]
            axes.plot(*points, mark, ms=3, lw=1.2, color=colour, label=label)
        gold = [row["gold_share"] for row in line]
        axes.plot(points[0], gold, "--", lw=1.2, color=GOLD, label="gold")
        axes.set_title(f"{KINDS[key['spans']]},\n{units_said(key['least_units'])}", fontsize=9)
        axes.legend(frameon=False, fontsize=8)
        _plain(axes)
    for axes in grid[-1]:
        axes.set_xlabel("words in the span")
    for axes in grid[:, 0]:
        axes.set_ylabel("share of spans")


def _key(row: Row) -> tuple[Any, ...]:
    return row["search"], row["spans"], row["least_units"]


def _plain(axes: Any) -> None:
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)


FIGURES = {"brevity": brevity, "span-scores": scores, "span-lengths": lengths}
"""The kinds of ``[plot]`` that draw a whole figure."""
