"""What ``reproduce`` says about experiments that were run: the list, and the check."""

from __future__ import annotations

import textwrap
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from wordorder_lab.commands.common import report
from wordorder_lab.experiments import records
from wordorder_lab.experiments.claims import Verdict
from wordorder_lab.experiments.measures.measure import Specification
from wordorder_lab.experiments.record_check import WRONG, Checked, check
from wordorder_lab.experiments.runs.training import SpecificationError
from wordorder_lab.experiments.specification import (
    load_specification,
    names,
    read_specification,
)
from wordorder_lab.experiments.verdicts import as_data, count_line, verdicts_of

WIDE = 100
NOT_RUN = "not run"
MISSING = "there is no record: run it"
HEAD = ("name", "runs", "run on", "took", "cores", "processor", "state")
PROCESSOR = 22
"""Letters of the processor's name that the list has room for."""
UNREAD = "The list does not read the data; wordorder-lab reproduce --check does."


@dataclass(frozen=True)
class Entry:
    """An experiment, its record if there is one, and what was found about it.

    A record that cannot be read is ``None`` too; ``checked`` says why.
    """

    specification: Specification
    record: dict[str, Any] | None
    checked: Checked | None

    @property
    def state(self) -> str:
        """``NOT_RUN``, or the state of the verdict."""
        return self.checked.state if self.checked is not None else NOT_RUN

    @cached_property
    def verdicts(self) -> list[Verdict]:
        """What became of its claims; judged once, since the bootstrap takes its time."""
        return verdicts_of(self.specification, self.record)


def entries(chosen: Sequence[str], *, data: bool) -> list[Entry]:
    """These experiments with their records, checked; the data only if it is wished."""
    return [_entry(name, data) for name in chosen]


def _entry(name: str, data: bool) -> Entry:
    wanted, path = wanted_and_record(name)
    if not path.exists():
        return Entry(wanted, None, None)
    try:
        record = records.read_record(path)
    except records.RecordError as error:
        return Entry(wanted, None, Checked([str(error)], []))
    return Entry(wanted, record, check(record, wanted, data=data))


def wanted_and_record(name: str) -> tuple[Specification, Path]:
    """An experiment by its name, or by the file of one's own; and where its record is kept.

    The record of one's own lies beside its file. Raises ``SpecificationError``.
    """
    if not name.endswith(".toml"):
        wanted = load_specification(name)
        return wanted, records.record_file(wanted.name)
    path = Path(name)
    if not path.is_file():
        raise SpecificationError(f"there is no file {name}: write one, or name an experiment")
    return read_specification(path), path.with_suffix(".json")


def list_all(arguments: Namespace) -> None:
    """Every experiment: what it is, and when, how long, on what and by which command it ran."""
    found = entries(names(), data=False)
    said = count_line(one.verdicts for one in found)
    rows = [_listed(one) for one in found]
    report([*_lines(rows), "", f"{said}."], rows, arguments.json)


def _listed(entry: Entry) -> dict[str, Any]:
    """All fields of the list; what is not known is ``None``."""
    wanted, record = entry.specification, entry.record or {}
    machine = record.get("machine", {})
    return {
        "name": wanted.name,
        "title": wanted.title,
        **{key: wanted.paper.get(key) for key in ("reference", "place")},
        "measure": wanted.measure.name,
        "runs": len(wanted.runs),
        "rows": len(record["rows"]) if record else None,
        **{key: record.get(key) for key in ("date", "seconds", "command")},
        "processor": machine.get("processor"),
        "cores": machine.get("cpu_count"),
        "platform": machine.get("platform"),
        "commit": record.get("code", {}).get("commit"),
        "state": entry.state,
        "wrong": entry.checked.wrong if entry.checked else [],
        "notes": entry.checked.notes if entry.checked else [],
        "claims": as_data(entry.verdicts),
    }


def _lines(rows: Sequence[dict[str, Any]]) -> list[str]:
    cells = [HEAD, *map(_cells, rows)]
    widths = [max(map(len, column)) for column in zip(*cells)]
    lines = [_line(cells[0], widths)]
    for row, line in zip(rows, cells[1:]):
        lines += ["", _line(line, widths), *_wrapped(f"{row['title']} ({row['place']})")]
        lines += [f"    {row['command'] or 'wordorder-lab reproduce ' + row['name']}"]
        lines += [part for wrong in row["wrong"] for part in _wrapped(wrong)]
    return [*lines, "", UNREAD]


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    known = row["date"] is not None
    return (
        row["name"],
        str(row["runs"]),
        row["date"] or "-",
        duration(row["seconds"]) if row["seconds"] is not None else "-",
        str(row["cores"] or "-"),
        textwrap.shorten(row["processor"] or ("not noted" if known else "-"), PROCESSOR),
        row["state"],
    )


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Numbers to the right, words to the left."""
    sides = (str.ljust, str.rjust, str.ljust, str.rjust, str.rjust, str.ljust, str.ljust)
    parts = (side(cell, width) for side, cell, width in zip(sides, cells, widths))
    return "  ".join(parts).rstrip()


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDE, initial_indent="    ", subsequent_indent="    ")


def duration(seconds: float) -> str:
    """A time as one says it: "41 s", "30 min", "2.5 h"."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def check_all(arguments: Namespace) -> int:
    """Whether records and what they were made from belong together; 1 if one does not."""
    one = arguments.experiment
    found = entries([one] if one else names(), data=True)
    rows = [_checked(entry) for entry in found]
    if one is None:
        rows += [{"name": name, "state": WRONG, **_stray(name)} for name in _strays()]
    report([line for row in rows for line in _verdict(row)], rows, arguments.json)
    return int(any(row["wrong"] for row in rows))


def _checked(entry: Entry) -> dict[str, Any]:
    verdict = entry.checked or Checked([MISSING], [])
    return {"name": entry.specification.name, "state": entry.state, **_found(verdict)}


def _found(verdict: Checked) -> dict[str, Any]:
    return {"wrong": verdict.wrong, "notes": verdict.notes, "other_code": verdict.other_code}


def _strays() -> list[str]:
    """Records that no experiment has."""
    known = {records.record_file(name) for name in names()}
    return [path.stem for path in records.records() if path not in known]


def _stray(name: str) -> dict[str, Any]:
    return _found(Checked([f"no experiment is called {name.replace('_', '-')}: delete it"], []))


def _verdict(row: dict[str, Any]) -> list[str]:
    lines = [f"{row['name']}: {row['state']}"]
    return lines + [f"  {line}" for line in row["wrong"]] + [f"  note: {n}" for n in row["notes"]]
