"""Judge an experiment by its record, and keep beside the record what came out (``kept``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from wordorder_lab.experiments import kept, records
from wordorder_lab.experiments.claims import judge
from wordorder_lab.experiments.measures.measure import Specification
from wordorder_lab.experiments.record_check import wrong_in
from wordorder_lab.experiments.runs.reached_code import files_here
from wordorder_lab.experiments.specification import load_specification
from wordorder_lab.experiments.verdict import Verdict

Record = Mapping[str, Any]
MADE_FROM = ("specification", "code")
"""What the check of a record's code asks of it."""


def verdicts_of(wanted: Specification, record: Record | None) -> list[Verdict]:
    """The verdict on each claim of a specification by a record of it, or by none."""
    return judge(wanted.claims, wanted.names, record, wanted.measure.meant)


def judges_here() -> bytes:
    """``kept.judging_code`` of the package as it lies here."""
    return kept.judging_code(files_here(records.PACKAGE, ("experiments", "metrics")))


def summary(name: str, judges: bytes) -> dict[str, Any]:
    """What is kept of an experiment, or else the same, made now; ``judges`` as ``judges_here``.

    Raises ``SpecificationError`` for an experiment that there is not, ``RecordError`` for a damaged
    record.
    """
    path = records.record_file(name)
    if found := kept.kept(name, judges):
        return found
    wanted = load_specification(name)
    return summarized(wanted, records.read_record(path) if path.exists() else None)


def summarized(wanted: Specification, record: Record | None) -> dict[str, Any]:
    """What follows from a record and its specification alone, as JSON-ready values."""
    machine = (record or {}).get("machine", {})
    code = (record or {}).get("code", {})
    listed = {
        "name": wanted.name,
        "title": wanted.title,
        **{key: wanted.paper.get(key) for key in ("reference", "place")},
        "measure": wanted.measure.name,
        "runs": len(wanted.runs),
        "rows": len(record["rows"]) if record else None,
        **{key: (record or {}).get(key) for key in ("date", "seconds", "command")},
        "processor": machine.get("processor"),
        "cores": machine.get("cpu_count"),
        "platform": machine.get("platform"),
        "commit": code.get("commit"),
    }
    verdicts = verdicts_of(wanted, record)
    return {
        "listed": listed,
        "made_from": None if record is None else {k: record.get(k) for k in MADE_FROM},
        "wrong": [] if record is None else wrong_in(record, wanted),
        "claims": [{**one._asdict(), "claim": asdict(one.claim)} for one in verdicts],
    }


def keep(name: str) -> None:
    """Judge an experiment and keep what came out, atomically.

    Raises ``OSError`` without a record, or where nothing can be written, and as ``summary``.
    """
    key = kept.key_of(name, judges_here())
    record = records.read_record(records.record_file(name))
    made = summarized(load_specification(name), record)
    path = kept.kept_file(name)
    path.parent.mkdir(exist_ok=True)
    records.write_json(path, {"key": key, **made})
