"""The measure "faults": whose fault wrong sentences are, the search's or the model's.

Of each wrong output the model's score is compared with that of the gold structure
(``analysis/gold_score``): gold scores more, a search error; less, a model error; the same, a tie.
An output that was put together when the search was stopped counts as a search error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wordorder_lab.analysis.gold_score import FAULTS
from wordorder_lab.experiments.measures.figures import BARE_LEGEND, COLOURS, plain
from wordorder_lab.experiments.measures.measure import OfTrained, Sentences
from wordorder_lab.experiments.measures.tables import Record, Row, columns
from wordorder_lab.experiments.runs.evaluate import score, scores_of
from wordorder_lab.experiments.runs.faults import ALL, by_length, faults_of, lengths_of
from wordorder_lab.experiments.runs.settings import for_search
from wordorder_lab.experiments.runs.training import Trained

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = {fault: fault.replace(" ", "_") for fault in FAULTS}
"""Whose fault -> the column that counts it."""


def fault_rows(trained: Trained, held_out: Sentences, run: Record) -> list[Row]:
    """A row for each length that a sentence has, and one for all, which has the scores as well."""
    done = score(trained.model, held_out, run)
    how = {"engine": run.get("engine"), **for_search(run)}
    *rows, last = faults_by_length(held_out, faults_of(trained.model, held_out, done, how))
    return [*rows, {**last, **scores_of(done)}]


def faults_by_length(sentences: Sentences, faults: Sequence[str]) -> list[Row]:
    """How many sentences of each length are whose fault; last, of all lengths."""
    rows = by_length(lengths_of(sentences), faults)
    return [{COLUMNS.get(name, name): value for name, value in row.items()} for row in rows]


def _beam(row: Record) -> Any:
    return row.get("decode_beam", row.get("beam"))


OF_FAULTS = (
    *columns("", "system", ("beam", _beam), ("words", "length")),
    *columns(",", "sentences", *COLUMNS.items()),
    *columns(".2f", ("BLEU", "bleu_cased")),
)


def fault_bars(figure: Figure, record: Record, how: Record) -> None:
    """Shares of all sentences, a bar a run, cut into faults; BLEU stands above it."""
    axes = figure.subplots()
    rows = [row for row in record["rows"] if row["length"] == ALL]
    below = [0.0] * len(rows)
    for (fault, column), colour in zip(COLUMNS.items(), COLOURS):
        shares = [100 * row[column] / row["sentences"] for row in rows]
        if any(shares):
            axes.bar(range(len(rows)), shares, bottom=below, color=colour, label=fault)
        below = [low + share for low, share in zip(below, shares)]
    for place, row in enumerate(rows):
        axes.text(place, 101, f"{row['bleu_cased']:.1f}", ha="center", fontsize=8)
    names = [f"{row['system']}\nbeam {_beam(row)}" for row in rows]
    axes.set_xticks(range(len(rows)), names, fontsize=7, rotation=30, ha="right")
    axes.set(ylabel="% of the sentences (BLEU above)", ylim=(0, 108))
    above = {"ncols": len(FAULTS), "loc": "upper center", "bbox_to_anchor": (0.5, 1.12)}
    axes.legend(**BARE_LEGEND, **above)
    plain(axes, grid="")


MEASURES = (
    OfTrained(
        "faults",
        make=fault_rows,
        report=OF_FAULTS,
        pictures={"faults": fault_bars},
        usual={"length": (ALL,)},
        bootstrapped=(),
    ),
)
