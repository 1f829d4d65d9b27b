"""The measures "epochs" and "training": a row after every epoch, with scores or its seconds alone.

Rows of guided learning are read as text run by run: what each way of learning reaches, and what it
costs. Where both ways of scoring and both treatments of negative examples were run, they stand in a
table of two by two, as in Zhang & Clark (2015), Table 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wordorder_lab.experiments.measures.measure import (
    Measure,
    Record,
    Specification,
    bleu_signatures,
    without_epochs,
)
from wordorder_lab.experiments.measures.style import aligned
from wordorder_lab.experiments.runs.evaluate import score, scores_of
from wordorder_lab.experiments.runs.training import train_run
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems.training_run import Moment

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Epochs(Measure):
    """A row after every epoch; unless ``scored``, its seconds are what matters."""

    scored: bool = True

    def rows_of(
        self, run: Mapping[str, Any], sentences: Sequence[Sentence], held_out: Sequence[Sentence]
    ) -> list[dict[str, Any]]:
        """The clock of the training stands still while a model is scored."""
        rows: list[dict[str, Any]] = []

        def after(numbers: dict[str, Any], moment: Moment) -> None:
            scores = scores_of(score(moment(), held_out, run)) if self.scored else {}
            shown = {**without_epochs(run), "epoch": numbers["epoch"]}
            rows.append({**shown, **scores, **numbers})

        train_run(run, sentences, after)
        return rows

    def finish(self, record: dict[str, Any]) -> None:
        """Say how BLEU was counted, if it was."""
        if self.scored:
            record["signatures"] = bleu_signatures()

    def meant(self, rows: Sequence[Record], places: Sequence[int], wanted: Record) -> list[int]:
        """Of each run its last epoch, unless the claim says which."""
        if "epoch" in wanted:
            return list(places)
        after = [row["epoch"] for row in rows[1:]] + [0]  # the next run begins with its first
        return [i for i in places if after[i] <= rows[i]["epoch"]]

    def wanted(self, specification: Specification) -> Iterator[Record]:
        """Each run after each of its epochs."""
        for run in specification.runs:
            last = run.get("epochs")
            epochs = [None] if last is None else range(1, last + 1)
            yield from ({**run, "epoch": epoch} for epoch in epochs)

    def text(self, record: Record) -> str:
        """Ways of guided learning side by side; of other systems the last rows."""
        rows = record["rows"]
        guided = any("negatives" in row for row in rows)
        if guided and len({row["epoch"] for row in rows if "epoch" in row}) > 1:
            return "\n".join(learning_lines(rows))
        return super().text(record)


MEASURES = (Epochs("epochs"), Epochs("training", by_the_clock=True, scored=False))

# --- ways of guided learning as text --------------------------------------------------------------

NAMES = (
    "system",
    "update",
    "negatives",
    "chart",
    "max_length",
    "beam",
    "pos",
    "units",
    "templates",
)
"""What may tell the runs apart."""
DOWN, ACROSS = ("large-margin", "scaled"), ("discard", "expand")
HEAD = (
    *("", "best", "epoch", "last", "brevity", "timeouts", "ms", "s, first", "s, last"),
    *("agenda", "chart", "finished"),
)
"""BLEU and its epoch; of the last epoch milliseconds a sentence, seconds of training (beside those
of the first), updates by reason, and the share of training sentences that found the gold goal."""
TITLES = {"discard": "not expanded", "expand": "expanded"}


def learning_lines(rows: Sequence[Row]) -> list[str]:
    """A line a run: its best epoch and its last one; and the table of two by two.

    Where nothing was scored, a line an epoch: the seconds of each run.
    """
    runs = _runs(rows)
    if all("bleu_cased" in row for row in rows):
        return [*aligned([HEAD, *(_line(name, mine) for name, mine in runs)]), *_two_by_two(runs)]
    epochs = sorted({row["epoch"] for row in rows})
    seconds = [{row["epoch"]: f"{row['epoch_seconds']:.1f}" for row in mine} for _, mine in runs]
    lines = [[f"epoch {n}", *(mine.get(n, "-") for mine in seconds)] for n in epochs]
    return aligned([["seconds", *(name for name, _ in runs)], *lines])


def best_epoch(rows: Sequence[Row]) -> Row:
    """The first of the rows with the highest BLEU."""
    return max(rows, key=lambda row: row["bleu_cased"])


def _runs(rows: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    """The rows of each run, under what tells it from the others."""
    telling = [name for name in NAMES if len({row.get(name) for row in rows}) > 1]
    runs: dict[str, list[Row]] = {}
    for row in rows:
        values = (_said(name, row[name]) for name in telling if row.get(name) is not None)
        runs.setdefault(", ".join(values), []).append(row)
    return list(runs.items())


def _said(name: str, value: Any) -> str:
    return value if isinstance(value, str) else f"{name} {value}"


def _line(name: str, rows: Sequence[Row]) -> list[str]:
    best, last = best_epoch(rows), rows[-1]
    learned = _learned(last)
    return [
        name,
        *(f"{best['bleu_cased']:.2f}", str(best["epoch"]), f"{last['bleu_cased']:.2f}"),
        *(f"{last['brevity']:.3f}", f"{last['timeouts']:.1%}"),
        _number(last, "ms_per_sentence", ".1f"),
        *(_number(row, "epoch_seconds", ".1f") for row in (rows[0], last)),
        *(_number(last, f"updates_{reason}", ",") for reason in ("agenda", "chart")),
        f"{last['sentences_finished'] / learned:.1%}" if learned else "-",
    ]


def _learned(row: Row) -> int:
    """How many sentences an epoch had."""
    return sum(row.get(f"sentences_{end}", 0) for end in ("finished", "limit", "stopped"))


def _number(row: Row, name: str, form: str) -> str:
    value = row.get(name)
    return "-" if value is None else format(value, form)


def _two_by_two(runs: Sequence[tuple[str, Sequence[Row]]]) -> list[str]:
    four = {}
    for _, rows in runs:
        key = rows[0].get("update"), rows[0].get("negatives")
        if key[0] not in DOWN or key[1] not in ACROSS:
            continue  # the systems that stand beside the four
        if key in four:  # what else differs between them would be mixed up here
            return []
        four[key] = rows
    if not all((update, negatives) in four for update in DOWN for negatives in ACROSS):
        return []
    cells = [
        [update, *(f"{best_epoch(four[update, n])['bleu_cased']:.2f}" for n in ACROSS)]
        for update in DOWN
    ]
    heads = ["BLEU, cased, best epoch; negatives", *(TITLES[n] for n in ACROSS)]
    return ["", *aligned([heads, *cells])]
