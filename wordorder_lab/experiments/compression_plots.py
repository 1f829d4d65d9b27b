"""Relation F1 at the references' rate, beside the floors; and what a score costs in words kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wordorder_lab.experiments.compression_runs import GOLD, OWN
from wordorder_lab.experiments.compression_tables import ngrams, row_name, rows_at
from wordorder_lab.experiments.report import COLOURS

Row = Mapping[str, Any]
FLOOR_COLOUR = "#999999"


def compressions(figure: Any, record: Row, how: Row) -> None:
    """To the left a bar for each run at the references' rate, the first on top; to the right every
    run at its own rate (open) and at that of the references (filled)."""
    gold, own = (rows_at(record, at, dev=False) for at in (GOLD, OWN))
    bars = [*gold, *(row for row in own if "depth" not in row)]
    figure.set_size_inches(11.2, 1.8 + 0.34 * len(bars))
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    _bars(left, bars)
    _rates(right, gold, own)
    for axes in (left, right):
        axes.grid(axis="x", alpha=0.25)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
    figure.legend(
        *right.get_legend_handles_labels(), loc="outside lower center", ncols=5, fontsize=8
    )


def _bars(axes: Any, rows: Sequence[Row]) -> None:
    places = [-i for i in range(len(rows))]
    heights = [100 * row["relation_f1"] for row in rows]
    ends = [row["relation_f1_interval"] for row in rows]
    errors = [
        [max(0.0, height - 100 * low) for height, (low, _) in zip(heights, ends)],
        [max(0.0, 100 * high - height) for height, (_, high) in zip(heights, ends)],
    ]
    axes.barh(places, heights, height=0.7, color=[_colour(row) for row in rows])
    axes.errorbar(heights, places, xerr=errors, fmt="none", ecolor="#333333", lw=1, capsize=2)
    for place, height, row in zip(places, heights, rows):
        told = f"{height:.1f}" if row["at"] == GOLD else f"{height:.1f} at {row['rate']:.0%}"
        axes.text(1, place, told, va="center", fontsize=8, color="white", weight="bold")
    axes.set_yticks(places, [row_name(row, rows) for row in rows], fontsize=8)
    axes.set_xlim(0, 100)
    axes.set_xlabel("relation F1 at the references' rate, %, with its 95 % interval")


def _rates(axes: Any, gold: Sequence[Row], own: Sequence[Row]) -> None:
    """Points, so that one sees which score was bought by deleting less or more."""
    seen: set[str] = set()
    for rows, fill in ((own, False), (gold, True)):
        for row in rows:
            colour, label = _colour(row), _label(row)
            axes.plot(
                100 * row["rate"],
                100 * row["relation_f1"],
                "o" if "depth" in row else "s",
                ms=6,
                mec=colour,
                mfc=colour if fill or "depth" not in row else "white",
                ls="none",
                label=None if label in seen else label,
            )
            seen.add(label)
    wanted = 100 * gold[0]["gold_rate"]
    axes.axvline(wanted, color="#333333", lw=1, ls="--")
    axes.text(
        wanted, 0.99, " the references", transform=axes.get_xaxis_transform(), fontsize=8, va="top"
    )
    axes.set_xlabel("words kept, %; open: as trained")
    axes.set_ylabel("relation F1, %")


def _colour(row: Row) -> str:
    """A colour for each order of n-grams."""
    return COLOURS[(row["order"] - 1) % len(COLOURS)] if "depth" in row else FLOOR_COLOUR


def _label(row: Row) -> str:
    return ngrams(row["order"]) if "depth" in row else str(row["system"]).replace("-", " ")
