"""Run an experiment: every run of its specification, row by row into a record.

What a run is and what is said of its rows, the measure knows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from wordorder_lab.experiments import provenance, records
from wordorder_lab.experiments.measures.measure import Specification, Work
from wordorder_lab.experiments.measures.needs import check_corpora
from wordorder_lab.experiments.records import partial_of, unfinished
from wordorder_lab.experiments.runs.corpora import folds_of
from wordorder_lab.experiments.runs.folds import rows_apart
from wordorder_lab.experiments.runs.outputs import OUTPUTS, write_outputs
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.metrics.significance import SENTENCE_SCORES

Item = TypeVar("Item")


@dataclass(frozen=True)
class Override:
    """A smaller run than the specification's: fewer epochs, the first sentences only. What learns
    from pairs has no epochs, but iterations of its learner."""

    epochs: int | None = None
    sentences: int | None = None

    @property
    def full(self) -> bool:
        """Whether nothing is overridden."""
        return self.epochs is None and self.sentences is None

    def cut(self, sentences: Sequence[Item]) -> Sequence[Item]:
        """The sentences (or pairs) that remain."""
        return sentences[: self.sentences]

    def apply(self, specification: Specification) -> Specification:
        """The specification with fewer epochs."""
        if self.epochs is None:
            return specification
        runs = [{**run, specification.measure.passes: self.epochs} for run in specification.runs]
        return replace(specification, runs=tuple(runs))


def reproduce(
    specification: Specification,
    out: Path,
    *,
    command: str,
    override: Override | None = None,
    jobs: int = 1,
    show: Callable[[str], None] = print,
    outputs: Path | None = None,
) -> Row:
    """Run what is not done yet and write the record to ``out``.

    After every run (or whatever else the measure finishes one by one), what is done goes to ``out``
    with ``.partial`` behind its name; the same call goes on from there. Where times are measured,
    runs follow one another whatever ``jobs`` says; elsewhere rows have no times with more than one
    job, since runs slow each other down. Raises ``CorpusError`` without the data and ``OSError``
    where ``out`` cannot be written. The sentences that came out go to the folder ``outputs``, if
    one is named.
    """
    override = override or Override()
    specification = override.apply(specification)
    check_corpora(specification)
    measure = specification.measure
    file = partial_of(out)
    record = _begun(specification, override, command)
    old = unfinished(file, record, ("name", "full", "instead", "specification"))
    record = old or record
    begin = time.perf_counter() - record["seconds"]

    def keep() -> None:
        record["seconds"] = round(time.perf_counter() - begin, 2)
        records.write_json(file, record)

    if old is not None:
        show(f"going on from {file}: {measure.done(old)} are done")
    measure.run(specification, record, Work(out, override.cut, jobs, keep, show))
    for only_unfinished in measure.begin():
        record.pop(only_unfinished)
    measure.finish(record)
    record[SENTENCE_SCORES] = [row.pop(SENTENCE_SCORES, None) for row in record["rows"]]
    kept = [row.pop(OUTPUTS, None) for row in record["rows"]]
    if specification.folds:
        pairs = provenance.corpora_of(specification)
        parted = {pair: folds_of(*pair, specification.folds) for pair in pairs}
        record["folds"] = {", ".join(pair): one.described() for pair, one in parted.items()}
        record["apart"] = rows_apart(record)
    if outputs is not None:
        write_outputs(outputs, record["rows"], kept)
    record["digest"] = records.digest_of(record)
    records.write_json(out, record)
    file.unlink(missing_ok=True)
    return record


def _begun(specification: Specification, override: Override, command: str) -> Row:
    smaller = {"epochs": override.epochs, "sentences": override.sentences}
    return {
        "name": specification.name,
        "title": specification.title,
        "measure": specification.measure.name,
        "paper": dict(specification.paper),
        "full": override.full,
        **({} if override.full else {"instead": smaller}),
        "command": command,
        "date": time.strftime("%Y-%m-%d"),
        "seconds": 0.0,
        **({"load": provenance.load()} if specification.by_the_clock else {}),
        **provenance.provenance(specification),
        "rows": [],
        **specification.measure.begin(),
    }
