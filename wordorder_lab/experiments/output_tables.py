"""A paper's printed sentences and ours: as text to read, and as a picture of their scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wordorder_lab.experiments.condition_tables import share_name
from wordorder_lab.experiments.conditions import grouped
from wordorder_lab.experiments.report import COLOURS

Row = Mapping[str, Any]
HERE, PAPER = "here", "the paper"
SHORT = 26
"""Letters of a sentence beside its bars."""


def output_lines(record: Row) -> list[str]:
    """Every sentence with its outputs, what they score together, and where other examples stand."""
    lines = []
    for _, rows in grouped(record["rows"], ("number", "training_pos", "training_deps")):
        lines += [_heading(rows[0]), f"   reference: {rows[0]['reference']}"]
        for row in rows:
            lines += [f"   {_given(row)}", *_outputs(row)]
        lines.append("")
    lines += ["BLEU, cased, of all sentences together (the paper's outputs in brackets):"]
    for one in record["together"]:
        scores = f"{one['bleu_cased']:.1f} ({one['paper_bleu_cased']:.1f})"
        exact = f"{one['exact']} ({one['paper_exact']}) of {one['sentences']} word for word"
        lines.append(f"   {_given(one)}: {scores}, {exact}")
    return [*lines, *_also(record["also"])]


def _heading(row: Row) -> str:
    if row["split"] is None:
        return f"{row['number']}  not in {row['corpus']}"
    learned = ": THE MODEL HAS LEARNED FROM IT" if row["learned"] else ""
    return f"{row['number']}  {row['split']}, {row['sentence']}, {row['length']} units{learned}"


def _given(row: Row) -> str:
    return f"{share_name('pos', row['pos'])}, {share_name('deps', row['deps'])}"


def _outputs(row: Row) -> list[str]:
    if "output" not in row:
        return [f"      {PAPER:<9}        {row['paper_output']}"]
    told = [] if row["stopped"] == "complete" else [f"stopped: {row['stopped']}"]
    return [_output(HERE, row, "", told), _output(PAPER, row, "paper_", [])]


def _output(whose: str, row: Row, prefix: str, told: Sequence[str]) -> str:
    share = row[f"{prefix}brevity"]
    told = [*told, *([f"{share:.0%} of the words"] if share != 1 else [])]
    score, text = row[f"{prefix}bleu_sentence"], row[f"{prefix}output"]
    note = f"  ({', '.join(told)})" if told else ""
    return f"      {whose:<9} {score:5.1f}  {text}{note}"


def _also(rows: Sequence[Row]) -> list[str]:
    lines = []
    for key, mine in grouped(rows, ("table",)):
        lines += ["", f"{key['table']}, {len(mine)} sentences:"]
        for split, of_split in grouped(mine, ("split",)):
            named = ", ".join(row["sentence"] or row["printed"] for row in of_split)
            lines.append(f"   {split['split'] or 'not found'}: {named}")
    return lines


def sentences(figure: Any, record: Row, how: Row) -> None:
    """A panel for each input, a pair of bars for each sentence: its BLEU here and in the paper."""
    rows = [row for row in record["rows"] if "output" in row]
    inputs = grouped(rows, ("pos", "deps"))
    figure.set_size_inches(3.4 * max(1, len(inputs)) + 1.6, 4.8)
    panels = figure.subplots(1, max(1, len(inputs)), sharey=True, squeeze=False)[0]
    names = {row["number"]: _short(row) for row in rows}
    for axes, (key, mine) in zip(panels, inputs):
        for shift, colour, whose, label in (
            (0.2, COLOURS[0], "", HERE),
            (-0.2, "#999999", "paper_", f"{PAPER}'s output"),
        ):
            places = [shift - row["number"] for row in mine]
            heights = [row[f"{whose}bleu_sentence"] for row in mine]
            axes.barh(places, heights, height=0.38, color=colour, label=label)
            for place, height in zip(places, heights):
                axes.text(height + 1, place, f"{height:.0f}", va="center", fontsize=7)
        axes.set_title(_given(key), fontsize=9)
        axes.set_xlim(0, 112)
        axes.set_xlabel("BLEU of the sentence, cased")
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_yticks([-number for number in names], list(names.values()), fontsize=8)
    if rows:
        figure.legend(
            *panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, fontsize=8
        )


def _short(row: Row) -> str:
    text = row["reference"]
    text = text if len(text) <= SHORT else f"{text[: SHORT - 1].rstrip()}…"
    return f"{row['number']}  {text}\n{row['split']}{', learned from' if row['learned'] else ''}"
