"""The measure "cumulative": scores of the sentences of up to 5, 10, 20, 40, 80 words, and of all.

Zhang & Clark (2011), Table 4. Each row holds the shorter ones too, so that the last two are nearly
the same; and a length is that of the reference in words, base NPs counted by theirs.

Differences
- *Paper silent*: whether a base NP that is kept whole counts as one. Here its words count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
    run_name,
)
from wordorder_lab.experiments.runs.evaluate import DIGITS, Evaluation, score
from wordorder_lab.experiments.runs.training import last_trained
from wordorder_lab.metrics.bleu import bleu_of_counts
from wordorder_lab.metrics.ordering import brevity
from wordorder_lab.metrics.significance import SENTENCE_SCORES, of_counts
from wordorder_lab.structures.sentence import Sentence

UP_TO = (5, 10, 20, 40, 80)
"""The lengths of Table 4; the last row has all sentences."""
ALL = "all"


@dataclass(frozen=True)
class Cumulative(Measure):
    """A row for each length of a run, with the scores of all sentences up to it."""

    def rows_of(
        self, run: Mapping[str, Any], sentences: Sequence[Sentence], held_out: Sequence[Sentence]
    ) -> list[dict[str, Any]]:
        """Lengths that no sentence has are left out."""
        model, numbers = last_trained(run, sentences)
        done = score(model, held_out, run)
        first = {**without_epochs(run), "epoch": numbers["epoch"]}
        return [{**first, **row} for row in length_rows(done)]

    def finish(self, record: dict[str, Any]) -> None:
        """Say how BLEU was counted."""
        record["signatures"] = bleu_signatures()

    def text(self, record: Record) -> str:
        """A line a length, a column a run."""
        return "\n".join(length_lines(record["rows"]))

    def figures(self) -> dict[str, Draw]:
        """BLEU by the longest length that is let in."""
        return {**super().figures(), "cumulative": cumulative_figure}


MEASURES = (Cumulative("cumulative"),)


def length_rows(done: Evaluation) -> list[dict[str, Any]]:
    """The scores of the sentences up to each length."""
    lengths = [len(reference.split()) for reference in done.references]
    rows: list[dict[str, Any]] = []
    for most in (*UP_TO, max(lengths)):
        inside = [i for i, length in enumerate(lengths) if length <= most]
        if not inside:
            continue
        outputs, references = (
            [side[i] for i in inside] for side in (done.outputs, done.references)
        )
        counts = done.counts[inside]
        whole = [done.whole[i] for i in inside] if done.whole else []
        shares = {"no_goal": round(1 - sum(whole) / len(whole), DIGITS)} if whole else {}
        rows.append(
            {
                "up_to": ALL if len(rows) == len(UP_TO) else most,
                "sentences": len(inside),
                "bleu_cased": round(bleu_of_counts(counts.sum(axis=0)), DIGITS),
                "brevity": round(brevity(outputs, references), DIGITS),
                **shares,
                SENTENCE_SCORES: of_counts(counts),
            }
        )
    rows[-1]["up_to"] = ALL
    return rows


def length_lines(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """A table: lengths down, and for each system sentences, BLEU, brevity, bags without a goal."""
    table = [("system", "up to", "sentences", "BLEU, cased", "brevity", "no goal")]
    table += [
        (
            run_name(row),
            str(row["up_to"]),
            str(row["sentences"]),
            f"{row['bleu_cased']:.2f}",
            f"{row['brevity']:.3f}",
            f"{row['no_goal']:.1%}" if "no_goal" in row else "-",
        )
        for row in rows
    ]
    return aligned(table)


def cumulative_figure(figure: Any, record: Record, how: Record) -> None:
    """A line a run; the paper's values beside them, where its text gives any."""
    axes = figure.subplots()
    names = [*map(str, UP_TO), ALL]
    runs = list(dict.fromkeys(map(run_name, record["rows"])))
    for name, colour in zip(runs, COLOURS):
        rows = [row for row in record["rows"] if run_name(row) == name]
        places = [names.index(str(row["up_to"])) for row in rows]
        axes.plot(places, [row["bleu_cased"] for row in rows], "o-", color=colour, label=name)
    _paper(axes, record["paper"].get("values", []), names, how.get("paper", "the paper"))
    axes.set_xticks(range(len(names)), [*(f"≤ {name}" for name in names[:-1]), ALL])
    axes.set_xlabel("words of a sentence, at most")
    axes.set_ylabel(AXES.get("bleu_cased", "BLEU"))
    axes.legend(frameon=False, fontsize=8)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)


def _paper(axes: Any, values: Sequence[Record], names: Sequence[str], called: str) -> None:
    """A broken line for each column of the paper's table; several are told apart by colour."""
    columns = grouped(values, ("categories",))
    for (key, mine), colour in zip(columns, COLOURS):
        categories = key["categories"]
        said = f"{called}, {categories_name(categories)}" if categories else called
        points = [names.index(str(value["up_to"])) for value in mine], [v["bleu"] for v in mine]
        colour = colour if len(columns) > 1 else "k"
        axes.plot(*points, "--", marker="s", mfc="none", ms=4, lw=1, color=colour, label=said)
