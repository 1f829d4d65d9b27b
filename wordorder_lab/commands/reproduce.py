"""``wordorder-lab reproduce``: a paper's table or figure, run here, with its record."""

from __future__ import annotations

import shlex
from argparse import Namespace
from pathlib import Path
from typing import Any

from wordorder_lab.commands.common import STDOUT, check_target, keeping, printer, report
from wordorder_lab.experiments import records
from wordorder_lab.experiments.report import plot, table
from wordorder_lab.experiments.reproduce import Override, partial_of, reproduce
from wordorder_lab.experiments.specification import Specification, load_specification, names


def run(arguments: Namespace) -> int:
    """List the experiments, check their records, or run one."""
    if arguments.check:
        return _check([arguments.experiment] if arguments.experiment else names(), arguments)
    if arguments.experiment is None:
        rows = [_listed(name) for name in names()]
        wide = max(len(row["name"]) for row in rows)
        lines = [
            f"{row['name']:<{wide}} {row['title']}\n{'':{wide}} {row['record']}" for row in rows
        ]
        report(lines, rows, arguments.json)
        return 0
    specification = load_specification(arguments.experiment)
    override = Override(arguments.epochs, arguments.sentences)
    out = _target(specification, override, arguments)
    with keeping(partial_of(out)):
        record = reproduce(
            specification,
            out,
            command=_command(specification, override, arguments),
            override=override,
            jobs=arguments.jobs,
            show=printer(arguments.json),
        )
    picture = out.with_suffix(".png")
    with keeping(out, "the record is in"):
        plot(record, specification.plot, picture)
    _told(record, out, picture, arguments)
    return 0


def _target(specification: Specification, override: Override, arguments: Namespace) -> Path:
    """Where the record goes: among the package's own only if it is of the full experiment."""
    if arguments.json not in (None, STDOUT):
        return check_target(arguments.json)
    if override.full:
        records.FOLDER.mkdir(exist_ok=True)
        return check_target(records.record_file(specification.name))
    folder = Path("build") / "experiments"
    folder.mkdir(parents=True, exist_ok=True)
    return check_target(folder / records.record_file(specification.name).name)


def _command(specification: Specification, override: Override, arguments: Namespace) -> str:
    words = ["wordorder-lab", "reproduce", specification.name]
    for name, value in (("epochs", override.epochs), ("sentences", override.sentences)):
        words += [f"--{name}", str(value)] if value else []
    return shlex.join([*words, *(["--jobs", str(arguments.jobs)] if arguments.jobs > 1 else [])])


def _told(record: dict[str, Any], out: Path, picture: Path, arguments: Namespace) -> None:
    lines = [
        "",
        record["title"],
        f"the paper: {record['paper'].get('place')}; {record['paper'].get('claim')}",
        *_values(record),
        f"here ({record['seconds']:.0f} s):",
        table(record),
        f"wrote {out} and {picture}",
    ]
    report(lines, record, STDOUT if arguments.json == STDOUT else None)


def _values(record: dict[str, Any]) -> list[str]:
    """What the paper's text gives; of input conditions, the table has it beside ours."""
    rows = [] if "comparisons" in record else record["paper"].get("values", [])
    return ["  " + ", ".join(f"{name} {value}" for name, value in row.items()) for row in rows]


def _listed(name: str) -> dict[str, Any]:
    specification = load_specification(name)
    path = records.record_file(name)
    told = "not run yet"
    if path.exists():
        record = records.read_record(path)
        told = f"run on {record['date']} in {record['seconds']:,.0f} s"
    runs = len(specification.runs)
    title = f"{specification.title} ({runs} runs; {specification.paper.get('place')})"
    return {"name": name, "title": title, "record": told}


def _check(chosen: list[str], arguments: Namespace) -> int:
    """Whether records and what they were made from belong together; 1 if one does not."""
    rows = []
    for name in chosen:
        specification = load_specification(name)
        path = records.record_file(name)
        wrong: list[str] = ["there is no record: run it"]
        notes: list[str] = []
        if path.exists():
            wrong, notes = records.check(records.read_record(path), specification)
        rows.append({"name": name, "wrong": wrong, "notes": notes})
    lines = [line for row in rows for line in _verdict(row)]
    report(lines, rows, arguments.json)
    return int(any(row["wrong"] for row in rows))


def _verdict(row: dict[str, Any]) -> list[str]:
    lines = [f"{row['name']}: {'WRONG' if row['wrong'] else 'in order'}"]
    return lines + [f"  {line}" for line in row["wrong"]] + [f"  note: {n}" for n in row["notes"]]
