"""Our systems on a task: rows of records, or of a run that is made when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from wordorder_lab.experiments import records
from wordorder_lab.experiments.measures.measure import Specification
from wordorder_lab.experiments.reproduce import reproduce
from wordorder_lab.experiments.runs.outputs import read_lines, row_file
from wordorder_lab.experiments.runs.schema import Table
from wordorder_lab.experiments.scoreboard.tasks import COMPRESS, LIST, RATE, Task, scores_of
from wordorder_lab.experiments.specification import load_specification, read_specification
from wordorder_lab.metrics.randomisation import Change, compare
from wordorder_lab.metrics.significance import (
    SENTENCE_SCORES,
    Scores,
    has,
    pooled_interval,
    table_of,
)
from wordorder_lab.structures.messages import unknown_name

OWN = ".toml"
"""Ends an experiment of the scoreboard alone: a file beside ``tasks.toml``."""
MADE, OUTPUTS = Path("build") / "scoreboard", Path("build") / "outputs"
"""Where a run goes that somebody asks for, and where ``reproduce`` puts outputs."""


class Entry(NamedTuple):
    """A system on a task: its row, what its sentences have kept, the experiment of both, and
    the file of its outputs, which need not be there."""

    system: str
    row: Table
    scores: Scores
    experiment: str
    outputs: Path

    def beside(self, task: Task) -> dict[str, Any]:
        """What a score is read with: the 95 % interval of a BLEU (over sentences, of one training)
        and how long outputs are beside their references; of a compression, how many words stay."""
        if task.kind == COMPRESS:
            return {RATE: self.row[RATE], "at": self.row.get("at")}
        (kept, *_) = self.scores[task.on]
        ends = pooled_interval([table_of(kept).astype("float32")])
        return {"interval": [ends.low, ends.high], "brevity": self.row["brevity"]}


def entries(task: Task) -> list[Entry]:
    """The systems that have a record, the best first."""
    found: dict[str, Entry] = {}
    for source in task.systems:
        for place in _places(source["experiment"]):
            for entry in _rows(task, source, place):
                found.setdefault(entry.system, entry)
    return sorted(found.values(), key=lambda one: -one.row[task.on])


class Place(NamedTuple):
    """Where a record is, and the folder of its outputs, which need not be there."""

    record: Path
    outputs: Path


def _places(experiment: str) -> list[Place]:
    """An experiment's records that are there: in the package, and made here on demand."""
    name = Path(experiment).stem
    if experiment.endswith(OWN):
        first = Place(LIST.with_name(experiment).with_suffix(".json"), OUTPUTS / name)
    else:
        first = Place(records.record_file(experiment), OUTPUTS / experiment)
    made = [Place(file, file.with_suffix("")) for file in sorted(MADE.glob(f"{name}.*.json"))]
    return [place for place in (first, *made) if place.record.exists()]


def _rows(task: Task, source: Mapping[str, Any], place: Place) -> list[Entry]:
    """The rows that a source means, those of the earlier values of its lists first."""
    record, wanted = records.read_record(place.record), source.get("rows", {})
    lists = {name: one if isinstance(one, list) else [one] for name, one in wanted.items()}
    found = []
    for number, (row, kept) in enumerate(zip(record["rows"], record[SENTENCE_SCORES]), 1):
        fits = all(row.get(name) in (None, *values) for name, values in lists.items())
        if fits and has(kept, task.on) and task.on in row:
            order = [values.index(row[n]) for n, values in lists.items() if row.get(n) in values]
            outputs = place.outputs / row_file(number)
            found.append((order, number, Entry(row["system"], row, kept, record["name"], outputs)))
    return [entry for *_, entry in sorted(found, key=lambda one: one[:2])]


def entry_of(task: Task, system: str, show: Callable[[str], None], jobs: int = 1) -> Entry:
    """The system on the task: its record, or else a run, which is kept below ``build`` with its
    outputs. Where words are not counted as a record counts them, it is scored by its outputs.
    Raises ``ValueError`` for a system that the task does not have, and as ``reproduce``."""
    if found := _comparable(task, system):
        return found
    known = {entry.system for entry in entries(task)}
    for source in task.systems:
        specification = _specification(source["experiment"])
        runs = tuple(run for run in specification.runs if run["system"] == system)
        known |= {run["system"] for run in specification.runs}
        if runs:
            why = f"no record has {system} on this task"
            if any(entry.system == system for entry in entries(task)):
                why = (
                    f"the record of {system} has no outputs, whose words could be counted as yours"
                )
            show(f"{why}: it is run now, and kept in {MADE}")
            MADE.mkdir(parents=True, exist_ok=True)
            stem = f"{Path(source['experiment']).stem}.{system}"
            reproduce(
                replace(specification, runs=runs[:1]),
                MADE / f"{stem}.json",
                command=f"wordorder-lab score FILE --task {task.name} --against {system}",
                jobs=jobs,
                show=show,
                outputs=MADE / stem,
            )
            made = _comparable(task, system)
            assert made is not None, "what was just run is there"
            return made
    raise ValueError(
        f"{task.name} has {unknown_name('system', system, sorted(known))}; nor is there such a file"
    )


def _comparable(task: Task, system: str) -> Entry | None:
    """The first entry of a system that outputs can be compared with."""
    for source in task.systems:
        for place in _places(source["experiment"]):
            for entry in _rows(task, source, place):
                if entry.system != system:
                    continue
                if task.kind != COMPRESS:
                    return entry
                if entry.outputs.exists():
                    again = scores_of(task, read_lines(entry.outputs))
                    return entry._replace(scores=again[SENTENCE_SCORES])
    return None


def _specification(experiment: str) -> Specification:
    if experiment.endswith(OWN):
        return read_specification(LIST.with_name(experiment))
    return load_specification(experiment)


def against(task: Task, mine: Scores, entry: Entry) -> Change:
    """The paired test of outputs against a system: how far they are above it. Raises ``ValueError``
    where the record is of other sentences than are here."""
    return compare([[entry.scores], [mine]], task.on)
