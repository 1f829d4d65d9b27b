"""The test scores of several systems as a picture, and how many bags each orders as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wordorder_lab.experiments.best_epoch_tables import (
    final_rows,
    length_name,
    length_rows,
    paper_bleu,
)
from wordorder_lab.experiments.report import AXES, COLOURS

Row = Mapping[str, Any]
SHADES = ("#9ecae1", "#4292c6", "#08519c")
"""Short sentences light, long ones dark."""
PAPER = "the paper, on its own data"
"""Unless ``paper`` of ``[plot]`` says which."""
ROOM = 0.8
"""Of the place of a system, so much is for its bars."""


def best_epoch(figure: Any, record: Row, how: Row) -> None:
    """To the left BLEU with its interval; to the right, the share of bags that a search found one
    derivation or tree for, a bar for each length. The first system is on top."""
    rows = final_rows(record)
    figure.set_size_inches(10.4, 1.6 + 0.62 * len(rows))
    left, right = figure.subplots(1, 2, sharey=True)
    places = {row["system"]: -i for i, row in enumerate(rows)}
    _scores(left, record, rows, places, how.get("paper", PAPER))
    _wholes(right, length_rows(record), places)
    left.set_yticks(list(places.values()), [_name(row) for row in rows], fontsize=9)
    for axes in (left, right):
        axes.grid(axis="x", alpha=0.25)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
    (theirs, paper), (bins, lengths) = (axes.get_legend_handles_labels() for axes in (left, right))
    keys = [*theirs, *bins], [*paper, *lengths]
    figure.legend(*keys, loc="outside lower center", ncols=2, fontsize=8, frameon=False)


def _name(row: Row) -> str:
    return f"{row['system']}\nepoch {row['epoch']}" if "epoch" in row else row["system"]


def _scores(
    axes: Any, record: Row, rows: Sequence[Row], places: Mapping[str, int], paper: str
) -> None:
    heights = [row["bleu_cased"] for row in rows]
    ends = [row["bleu_cased_interval"] for row in rows]
    bars = [
        [max(0.0, score - low) for score, (low, _) in zip(heights, ends)],
        [max(0.0, high - score) for score, (_, high) in zip(heights, ends)],
    ]
    y = [places[row["system"]] for row in rows]
    axes.barh(y, heights, height=0.6, color=COLOURS[0])
    axes.errorbar(heights, y, xerr=bars, fmt="none", ecolor="#333333", lw=1.2, capsize=3)
    known = [(paper_bleu(record, row["system"]), places[row["system"]]) for row in rows]
    theirs = [one for one in known if one[0] is not None]
    if theirs:
        axes.plot(*zip(*theirs), "D", ms=6, mfc="white", mec=COLOURS[1], mew=1.6, label=paper)
    most = max(*(high for _, high in ends), *(score for score, _ in theirs), 1)
    for place, height, (_, high) in zip(y, heights, ends):
        inside = height > most / 8  # else beside the bar
        style = {"color": "white", "weight": "bold"} if inside else {}
        x = 0.02 * most if inside else high + 0.02 * most
        axes.text(x, place, f"{height:.1f}", va="center", fontsize=9, **style)
    axes.set_xlim(0, 1.06 * most)
    axes.set_xlabel(f"{AXES['bleu_cased']}, with its 95 % interval")


def _wholes(axes: Any, systems: Mapping[str, Sequence[Row]], places: Mapping[str, int]) -> None:
    names = list(dict.fromkeys(row["length"] for rows in systems.values() for row in rows))
    height = ROOM / max(1, len(names))
    for i, (name, shade) in enumerate(zip(names, SHADES)):
        mine = [(s, row) for s, rows in systems.items() for row in rows if row["length"] == name]
        y = [places[system] + ROOM / 2 - (i + 0.5) * height for system, _ in mine]
        shares = [100 * row["spanning"] for _, row in mine]
        axes.barh(y, shares, height=0.9 * height, color=shade, label=length_name(mine[0][1]))
        for place, share in zip(y, shares):
            axes.text(share + 1, place, f"{share:.0f}", va="center", fontsize=7)
    axes.set_xlim(0, 112)
    axes.set_xticks(range(0, 101, 20))
    axes.set_xlabel("bags ordered as a whole, %")
    for system, place in places.items():
        if system not in systems:
            axes.text(2, place, "no search", va="center", fontsize=8, style="italic")
