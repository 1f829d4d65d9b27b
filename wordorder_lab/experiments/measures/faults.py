"""The measure "faults": whose fault wrong sentences are, the search's or the model's.

Of each wrong output the model's score is compared with that of the gold structure
(``analysis/gold_score``): gold scores more, a search error; less, a model error; the same, a tie.
An output that was put together when the search was stopped counts as a search error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wordorder_lab.analysis.gold_score import FAULTS
from wordorder_lab.experiments.measures.measure import (
    Draw,
    Measure,
    Record,
    bleu_signatures,
    without_epochs,
)
from wordorder_lab.experiments.measures.style import COLOURS, aligned
from wordorder_lab.experiments.runs.evaluate import score, scores_of
from wordorder_lab.experiments.runs.faults import ALL, by_length, faults_of, lengths_of
from wordorder_lab.experiments.runs.settings import for_search
from wordorder_lab.experiments.runs.training import last_trained
from wordorder_lab.structures.sentence import Sentence

COLUMNS = {fault: fault.replace(" ", "_") for fault in FAULTS}
"""Whose fault -> the column that counts it."""


@dataclass(frozen=True)
class Faults(Measure):
    """A row for each length of a run, and one for all sentences, which has the scores as well."""

    def rows_of(
        self, run: Mapping[str, Any], sentences: Sequence[Sentence], held_out: Sequence[Sentence]
    ) -> list[dict[str, Any]]:
        """Lengths that no sentence has are left out."""
        model, numbers = last_trained(run, sentences)
        done = score(model, held_out, run)
        how = {"engine": run.get("engine"), **for_search(run)}
        faults = faults_of(model, held_out, done, how)
        first = {**without_epochs(run), "epoch": numbers["epoch"]}
        rows = [{**first, **row} for row in length_rows(held_out, faults)]
        return [*rows[:-1], {**rows[-1], **scores_of(done)}]

    def finish(self, record: dict[str, Any]) -> None:
        """Say how BLEU was counted."""
        record["signatures"] = bleu_signatures()

    def meant(self, rows: Sequence[Record], places: Sequence[int], wanted: Record) -> list[int]:
        """The row of all sentences, unless a claim names a length."""
        return [i for i in places if "length" in wanted or rows[i]["length"] == ALL]

    def text(self, record: Record) -> str:
        """A line a length and run."""
        return "\n".join(fault_lines(record["rows"]))

    def figures(self) -> dict[str, Draw]:
        """A bar for each run, cut into faults."""
        return {**super().figures(), "faults": fault_bars}


MEASURES = (Faults("faults"),)


def length_rows(sentences: Sequence[Sentence], faults: Sequence[str]) -> list[dict[str, Any]]:
    """How many sentences of each length are whose fault; last, of all lengths."""
    rows = by_length(lengths_of(sentences), faults)
    return [{COLUMNS.get(name, name): value for name, value in row.items()} for row in rows]


def fault_lines(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """A table: runs and lengths down, faults across."""
    table: list[tuple[str, ...]] = [("system", "beam", "words", "sentences", *FAULTS, "BLEU")]
    for row in rows:
        bleu = f"{row['bleu_cased']:.2f}" if "bleu_cased" in row else ""
        counts = [f"{row[column]:,}" for column in COLUMNS.values()]
        told = str(row["system"]), _beam(row), str(row["length"]), f"{row['sentences']:,}"
        table.append((*told, *counts, bleu))
    return aligned(table)


def _beam(row: Mapping[str, Any]) -> str:
    return str(row.get("decode_beam", row.get("beam", "")))


def fault_bars(figure: Any, record: Record, how: Mapping[str, Any]) -> None:
    """Shares of all sentences, a bar a run; BLEU stands above it."""
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
    axes.set_ylabel("% of the sentences (BLEU above)")
    axes.set_ylim(0, 108)
    axes.legend(
        frameon=False, fontsize=8, ncols=len(FAULTS), loc="upper center", bbox_to_anchor=(0.5, 1.12)
    )
    axes.spines[["top", "right"]].set_visible(False)
