"""Run an experiment, or all that are out of date: record, picture, and what came out."""

from __future__ import annotations

import shlex
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wordorder_lab.commands.common import STDOUT, check_target, keeping, printer
from wordorder_lab.commands.output import report
from wordorder_lab.commands.reproduce.entries import entries, wanted_and_record
from wordorder_lab.corpora import CorpusError
from wordorder_lab.experiments.cluster import LOCAL
from wordorder_lab.experiments.code_check import GOOD
from wordorder_lab.experiments.kept import verdicts_in
from wordorder_lab.experiments.measures.measure import Specification
from wordorder_lab.experiments.records import PACKAGE, UNFIT, is_checkout, partial_of, record_file
from wordorder_lab.experiments.report import plot, table
from wordorder_lab.experiments.reproduce import Override, reproduce
from wordorder_lab.experiments.runs.training import SpecificationError
from wordorder_lab.experiments.specification_files import names
from wordorder_lab.experiments.verdict import Verdict
from wordorder_lab.experiments.verdicts import keep, verdict_lines, verdicts_of
from wordorder_lab.structures.messages import brief

ELSEWHERE = "tcp://HOST:PORT"
"""What the command of a record says of a cluster, which is somebody's own."""
TOLD = ("place", "claim")
"""What is printed of the paper: where its table stands, and what it says of it in one sentence."""


def run_one(name: str, arguments: Namespace) -> None:
    """Run an experiment, write its record and picture, and say what came out."""
    specification, usual = wanted_and_record(name)
    override = Override(arguments.epochs, arguments.sentences)
    out = _target(usual, override, arguments)
    with keeping(partial_of(out)):
        record = reproduce(
            specification,
            out,
            command=_command(name, override, arguments),
            override=override,
            jobs=arguments.jobs,
            show=printer(arguments.json),
        )
    if out == record_file(specification.name):
        verdicts = verdicts_in(keep(specification.name))
    else:
        verdicts = verdicts_of(specification, record)
    picture = out.with_suffix(".png") if specification.plot else None
    if picture is not None:
        with keeping(out, "the record is in"):
            _draw(record, specification, picture, out)
    _told(specification, record, verdicts, out, picture, arguments)


def _draw(record: dict[str, Any], wanted: Specification, picture: Path, out: Path) -> None:
    """Draw the picture; what its columns are, only the rows show. Raises ``SpecificationError``."""
    try:
        plot(record, wanted.plot, picture)
    except UNFIT as error:
        raise SpecificationError(
            f"the record is in {out}, but its rows cannot be drawn as [plot] says: {brief(error)}"
        ) from None


def run_stale(arguments: Namespace) -> int:
    """Run again what has no record, or one that is wrong or of other code; most costly last.

    All of them, or the one that is named. Each record is kept as soon as it is made. An experiment
    whose data are not here is passed over with a line; 1 if there was one.
    """
    chosen = [arguments.experiment] if arguments.experiment else names()
    stale = [entry for entry in entries(chosen, data=True) if entry.state != GOOD]
    stale.sort(key=lambda entry: (entry.record or {}).get("seconds", 0.0))
    say = printer(arguments.json)
    left = 0
    for number, entry in enumerate(stale, 1):
        name = arguments.experiment or entry.specification.name
        say(f"{number} of {len(stale)}: {name} ({entry.state})")
        try:
            run_one(name, arguments)
        except CorpusError as error:
            left = 1
            say(f"{name} was left out: {error}")
    if not stale:
        say("every record is in order")
    return left


def _target(usual: Path, override: Override, arguments: Namespace) -> Path:
    """Where the record goes: among the package's own, or beside one's own specification, only if
    it is of the full experiment. A package that was installed keeps the records it came with."""
    if arguments.json not in (None, STDOUT):
        return check_target(arguments.json)
    if override.full and (is_checkout() or not usual.is_relative_to(PACKAGE)):
        usual.parent.mkdir(exist_ok=True)
        return check_target(usual)
    folder = Path("build") / "experiments"
    folder.mkdir(parents=True, exist_ok=True)
    return check_target(folder / usual.name)


def _command(name: str, override: Override, arguments: Namespace) -> str:
    words = ["wordorder-lab", "reproduce", name]
    for name, value in (("epochs", override.epochs), ("sentences", override.sentences)):
        words += [f"--{name}", str(value)] if value else []
    if arguments.cluster is not None:
        words += ["--cluster", arguments.cluster if arguments.cluster == LOCAL else ELSEWHERE]
    elif arguments.jobs > 1:
        words += ["--jobs", str(arguments.jobs)]
    return shlex.join(words)


def _told(
    specification: Specification,
    record: dict[str, Any],
    verdicts: Sequence[Verdict],
    out: Path,
    picture: Path | None,
    arguments: Namespace,
) -> None:
    told = "; ".join(record["paper"][key] for key in TOLD if key in record["paper"])
    lines = [
        "",
        record["title"],
        *([f"the paper: {told}"] if told else []),
        *([] if specification.measure.has_papers else _values(record)),
        f"here ({record['seconds']:.0f} s):",
        table(record),
        *(["what the paper claims:", *verdict_lines(verdicts)] if verdicts else []),
        f"wrote {out}" + (f" and {picture}" if picture is not None else ""),
    ]
    report(lines, record, STDOUT if arguments.json == STDOUT else None)


def _values(record: dict[str, Any]) -> list[str]:
    """What the paper's text gives."""
    rows = record["paper"].get("values", [])
    return ["  " + ", ".join(f"{name} {value}" for name, value in row.items()) for row in rows]
