"""The measure "corpus-sizes": how many documents, sentences and words each part of a corpus has.

Cohn & Lapata (2009), Table 3. Nothing is learned; a row counts a part of a corpus of real text, and
a last row for each corpus all its parts together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean
from typing import ClassVar

from wordorder_lab.corpora.texts import load_texts
from wordorder_lab.experiments.measures import tables
from wordorder_lab.experiments.measures.measure import Measure, Setup, Specification
from wordorder_lab.experiments.measures.tables import Column, Record, Row, columns
from wordorder_lab.experiments.runs.ordering_evaluate import DIGITS
from wordorder_lab.experiments.runs.schema import SpecificationError
from wordorder_lab.experiments.runs.settings import KEEP_ALL
from wordorder_lab.structures.compression import TextPair

ALL = "all"
COUNTS = ("documents", "sentences", "words", "references", "unchanged")


class _CorpusSizes(Measure):
    """A row for each part of each corpus, and one for all of it."""

    task: ClassVar[str] = "compress"
    has_papers: ClassVar[bool] = True

    def check_run(self, run: Record, _specification: Specification) -> None:
        if run["system"] != KEEP_ALL:
            raise SpecificationError(f"{self.name} learns nothing: its system is {KEEP_ALL!r}")

    def rows(self, setup: Setup) -> list[Row]:
        run = setup.run
        return [{**run, **sizes(setup.cut(load_texts(run["corpus"]).split(run["split"])))}]

    def finish(self, record: Row) -> None:
        rows = record["rows"]
        for _, parts in tables.grouped(list(rows), ["corpus"]):
            whole = {**parts[0], "split": ALL}
            whole |= {name: sum(part[name] for part in parts) for name in COUNTS}
            for rate in ("gold_rate", "first_rate"):
                kept = math.fsum(part[rate] * part["words"] for part in parts)
                whole[rate] = round(kept / whole["words"], DIGITS)
            rows.append(whole)


def sizes(pairs: Sequence[TextPair]) -> Row:
    """The counts of a part. Raises ``ValueError`` for no pairs."""
    if not pairs:
        raise ValueError("no sentences to count: give at least one")
    words = sum(len(pair.source) for pair in pairs)
    kept = math.fsum(fmean(map(len, pair.targets)) for pair in pairs)
    return {
        "documents": len({pair.document for pair in pairs}),
        "sentences": len(pairs),
        "words": words,
        "references": sum(len(pair.targets) for pair in pairs),
        "unchanged": sum({*pair.targets} == {pair.source} for pair in pairs),
        "gold_rate": round(kept / words, DIGITS),
        "first_rate": round(sum(len(pair.targets[0]) for pair in pairs) / words, DIGITS),
    }


SIZES = (
    Column("", lambda row: f"{row['corpus']}, {row['split']}"),
    *columns(",", "documents", "sentences", "words", "references"),
    *columns(".1%", ("rate", "gold_rate"), ("first", "first_rate")),
    *columns(",", "unchanged"),
)


def _size_lines(record: Record) -> list[str]:
    rows = sorted(record["rows"], key=lambda row: str(row["corpus"]))
    return [
        *tables.beside_paper(record, SIZES, rows, ("documents", "sentences", "gold_rate")),
        "rate: words of the references by words of the sentences; first: that of the first",
        "annotator alone; unchanged: sentences of which every reference has all words",
    ]


MEASURES = (_CorpusSizes("corpus-sizes", report=_size_lines),)
