"""Experiments with their records, checked: what ``reproduce`` checks, shows and runs again."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from wordorder_lab.commands.output import report
from wordorder_lab.commands.reproduce.list import NOT_RUN
from wordorder_lab.experiments import records
from wordorder_lab.experiments.code_check import WRONG, Checked, Here
from wordorder_lab.experiments.measures.measure import Specification
from wordorder_lab.experiments.record_check import check
from wordorder_lab.experiments.runs.training import SpecificationError
from wordorder_lab.experiments.specification import load_specification, read_specification
from wordorder_lab.experiments.specification_files import names
from wordorder_lab.experiments.verdict import Verdict
from wordorder_lab.experiments.verdicts import verdicts_of
from wordorder_lab.structures.messages import brief

MISSING = "there is no record: run it"


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
    here = Here()
    return [_entry(name, data, here) for name in chosen]


def _entry(name: str, data: bool, here: Here) -> Entry:
    wanted, path = wanted_and_record(name)
    if not path.exists():
        return Entry(wanted, None, None)
    try:
        record = records.read_record(path)
    except records.RecordError as error:
        return Entry(wanted, None, Checked([str(error)], []))
    try:
        return Entry(wanted, record, check(record, wanted, data=data, here=here))
    except records.UNFIT as error:
        return unfit(wanted, path, error)


def unfit(wanted: Specification, path: Path, error: Exception) -> Entry:
    """An experiment whose record has rows that cannot be read as its measure makes them."""
    told = f"{path} does not fit the measure {wanted.measure.name!r}: {brief(error)}"
    return Entry(wanted, None, Checked([told], []))


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
