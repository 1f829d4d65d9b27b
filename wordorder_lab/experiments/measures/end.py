"""The measure "end": a row for each run, when its training is done.

Where runs differ in what their searches may take, of both kinds, the rows say what a longer search
is worth: scores by the limit of the search, as text and as a picture.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from wordorder_lab.experiments.measures.measure import (
    Draw,
    Measure,
    Record,
    bleu_signatures,
    without_epochs,
)
from wordorder_lab.experiments.measures.style import (
    AXES,
    COLOURS,
    aligned,
    categories_name,
    grouped,
    share_name,
)
from wordorder_lab.experiments.runs.evaluate import score, scores_of
from wordorder_lab.experiments.runs.training import last_trained
from wordorder_lab.structures.sentence import Sentence

Row = Mapping[str, Any]


@dataclass(frozen=True)
class End(Measure):
    """A row for each run, with the scores of its last epoch and their interval."""

    intervals: ClassVar[bool] = True

    def rows_of(
        self, run: Mapping[str, Any], sentences: Sequence[Sentence], held_out: Sequence[Sentence]
    ) -> list[dict[str, Any]]:
        """One row: the settings, the scores, and the numbers of the last epoch."""
        model, numbers = last_trained(run, sentences)
        scores = scores_of(score(model, held_out, run), interval=True)
        return [{**without_epochs(run), "epoch": numbers["epoch"], **scores, **numbers}]

    def finish(self, record: dict[str, Any]) -> None:
        """Say how BLEU was counted, and its interval."""
        from wordorder_lab.metrics.significance import bootstrap_signature

        record["signatures"] = {
            **bleu_signatures(),
            "bleu_cased_interval": bootstrap_signature(),
        }

    def text(self, record: Record) -> str:
        """A table for each kind of limit, if there are both kinds."""
        return "\n".join(limit_lines(record)) if by_limit(record) else super().text(record)

    def figures(self) -> dict[str, Draw]:
        """Limits have a picture of their own."""
        return {**super().figures(), "limits": limits}


MEASURES = (End("end"),)

# --- scores by the limit of the search ------------------------------------------------------------

KINDS = {
    "decode_expansions": "expansions a sentence may take",
    "decode_seconds": "seconds a sentence may take",
}
"""The limits that there are a panel of, with the name of its axis."""
SERIES = ("system", "categories", "update", "negatives", "chart", "pos", "deps")
"""What may tell models apart."""
HEAD = ("", "BLEU, cased", "brevity", "time-outs", "no goal", "categories", "edges", "ms")


def by_limit(record: Row) -> bool:
    """Whether the rows of a record differ in what their searches may take, of both kinds."""
    return all(any(name in row for row in record["rows"]) for name in KINDS)


def limit_lines(record: Row) -> list[str]:
    """A table for each model and kind of limit, a line a limit; ± is 95 % over the sentences."""
    lines = []
    for kind, title in KINDS.items():
        for name, rows in _series(record["rows"], kind):
            table = [HEAD, *(_cells(row, kind) for row in rows)]
            lines += [f"{title}: {name}", *aligned(table), ""]
    return [*lines, "± is half the 95 % interval over the choice of sentences"]


def _cells(row: Row, kind: str) -> list[str]:
    low, high = row["bleu_cased_interval"]
    return [
        f"{row[kind]:,}",
        f"{row['bleu_cased']:.2f} ± {(high - low) / 2:.2f}",
        f"{row['brevity']:.3f}",
        f"{row['timeouts']:.1%}",
        f"{row['no_goal']:.1%}",
        f"{row['category_precision']:.1%}" if "category_precision" in row else "-",
        f"{row['edges_per_sentence']:,.0f}" if "edges_per_sentence" in row else "-",
        f"{row['ms_per_sentence']:.1f}" if "ms_per_sentence" in row else "-",
    ]


def _series(rows: Sequence[Row], kind: str) -> list[tuple[str, list[Row]]]:
    """The rows that have this kind of limit, by model, each under what tells it from the others."""
    telling = [name for name in SERIES if len({row.get(name) for row in rows}) > 1]
    groups = grouped([row for row in rows if kind in row], telling or SERIES[:1])
    return [
        (", ".join(_said(name, value) for name, value in key.items()), list(mine))
        for key, mine in groups
    ]


def _said(name: str, value: Any) -> str:
    if name in ("pos", "deps"):
        return share_name(name, value)
    if name == "categories":
        return categories_name(value)
    words = {"expand": "negative examples expanded", "discard": "negative examples not expanded"}
    return words.get(value, str(value))


def limits(figure: Any, record: Row, how: Row) -> None:
    """Above, BLEU by the limit, a panel for each kind and a line for each model; below, the share
    of searches that the limit stopped. The paper's points stand in the panel of seconds."""
    figure.set_size_inches(9.2, 6.0)
    grid = figure.subplots(2, 2, sharex="col", sharey="row", height_ratios=(3, 1))
    names = list(dict.fromkeys(n for kind in KINDS for n, _ in _series(record["rows"], kind)))
    colours = dict(zip(names, COLOURS))
    for kind, upper, lower in zip(KINDS, *grid):
        for name, rows in _series(record["rows"], kind):
            _curves(upper, lower, rows, kind, color=colours[name], label=name)
        _paper(upper, record["paper"].get("values", []), kind)
        upper.set_xscale("log")
        lower.set_xlabel(KINDS[kind])
        lower.set_ylim(-0.03, 1.03)
        for axes in (upper, lower):
            axes.grid(alpha=0.25)
            axes.spines[["top", "right"]].set_visible(False)
        _written_out(lower, kind, record)
    grid[0][0].set_ylabel(AXES["bleu_cased"])
    grid[1][0].set_ylabel("share stopped\nby the limit")
    for axes in grid[0]:
        axes.legend(framealpha=0.85, edgecolor="none", fontsize=8, loc="lower right")


def _curves(upper: Any, lower: Any, rows: Sequence[Row], kind: str, **style: Any) -> None:
    x = [row[kind] for row in rows]
    ends = list(zip(*(row["bleu_cased_interval"] for row in rows)))
    upper.fill_between(x, *ends, color=style["color"], alpha=0.12, lw=0)
    upper.plot(x, [row["bleu_cased"] for row in rows], "o-", ms=4, lw=1.5, **style)
    lower.plot(x, [row["timeouts"] for row in rows], "o-", ms=3, lw=1, color=style["color"])


def _paper(axes: Any, values: Sequence[Row], kind: str) -> None:
    name = kind.removeprefix("decode_")
    mine = [value for value in values if name in value]
    if mine:
        told = "the paper: another program, machine, corpus"
        points = [value[name] for value in mine], [value["bleu"] for value in mine]
        axes.plot(*points, "D--", ms=4, lw=1, mfc="none", color="#777777", label=told)


def _written_out(axes: Any, kind: str, record: Row) -> None:
    """The limits themselves as ticks, every second one where they would run into each other."""
    paper = (value.get(kind.removeprefix("decode_")) for value in record["paper"].get("values", []))
    ticks = {x for x in (*(row.get(kind) for row in record["rows"]), *paper) if x is not None}
    axes.set_xticks(sorted(ticks), labels=[f"{x:g}" for x in sorted(ticks)], fontsize=8)
    axes.set_xticks([], minor=True)
    axes.tick_params("x", rotation=45)
