"""Experiments with their records: checked, run, and run again where they are out of date."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from wordorder_lab.commands import output
from wordorder_lab.commands.output import STDOUT, check_target
from wordorder_lab.corpora import CorpusError
from wordorder_lab.experiments import records
from wordorder_lab.experiments.cluster import LOCAL
from wordorder_lab.experiments.measures.claims import Verdict
from wordorder_lab.experiments.measures.measure import Specification
from wordorder_lab.experiments.record_check import GOOD, NOT_RUN, WRONG, Checked, Here, check
from wordorder_lab.experiments.report import plot, table
from wordorder_lab.experiments.reproduce import Override, reproduce
from wordorder_lab.experiments.runs.code_files import PACKAGE
from wordorder_lab.experiments.runs.outputs import TABLE
from wordorder_lab.experiments.runs.schema import Row, SpecificationError
from wordorder_lab.experiments.scoreboard.tasks import LIST
from wordorder_lab.experiments.specification import load_specification, read_specification
from wordorder_lab.experiments.variants import Variant
from wordorder_lab.experiments.verdicts import judges_here, keep, verdict_lines, verdicts_of
from wordorder_lab.runtime.atomic import plain_target
from wordorder_lab.structures.messages import brief

VARIED = ("corpus", "units", "folds", "seeds")
BUILD, EXPERIMENTS = Path("build"), "experiments"
MISSING = "there is no record: run it"
ELSEWHERE = "tcp://HOST:PORT"
"""What the command of a record says of a cluster, which is somebody's own."""
OF_PAPER = ("place", "claim")
"""What is printed of the paper: where its table stands, and what it says of it in one sentence."""


@dataclass(frozen=True)
class Entry:
    """An experiment; its record, ``None`` if there is none to read; ``checked`` has the reason.
    ``kept`` is what is kept beside the record (``records.kept``), if that is in order."""

    specification: Specification
    record: Row | None
    checked: Checked | None
    kept: Row | None = None

    @property
    def state(self) -> str:
        """``NOT_RUN``, or the state of the verdict."""
        return self.checked.state if self.checked is not None else NOT_RUN

    @cached_property
    def verdicts(self) -> list[Verdict]:
        """What became of its claims; kept, or judged once: the bootstrap takes its time."""
        if self.kept is not None:
            return records.verdicts_in(self.kept)
        return verdicts_of(self.specification, self.record)


def everything() -> list[str]:
    """All experiments by their names, then those of the scoreboard alone as files."""
    folder = records.PAPERS.with_name(LIST.parent.name)
    files = sorted(path for path in folder.glob("*.toml") if path.name != LIST.name)
    return [*records.names(), *map(os.path.relpath, files)]


def entries(chosen: Sequence[str], *, data: bool) -> list[Entry]:
    """These experiments with their records, checked; the data only if it is wished."""
    here, judges = Here(), judges_here()
    return [_entry(name, data, here, judges) for name in chosen]


def _entry(name: str, data: bool, here: Here, judges: bytes) -> Entry:
    wanted, path = wanted_and_record(name)
    if not path.exists():
        return Entry(wanted, None, None)
    try:
        record = records.read_record(path)
        kept = records.kept(name, judges) if name in records.names() else None
        return Entry(wanted, record, check(record, wanted, data=data, here=here), kept)
    except records.RecordError as error:
        return Entry(wanted, None, Checked([str(error)]))
    except records.UNFIT as error:
        return unfit(wanted, path, error)


def unfit(wanted: Specification, path: Path, error: Exception) -> Entry:
    """An experiment whose record has rows that cannot be read as its measure makes them."""
    wrong = f"{path} does not fit the measure {wanted.measure.name!r}: {brief(error)}"
    return Entry(wanted, None, Checked([wrong]))


def wanted_and_record(name: str) -> tuple[Specification, Path]:
    """An experiment by name or file, and its record's place; raises ``SpecificationError``."""
    if not name.endswith(".toml"):
        wanted = load_specification(name)
        return wanted, records.record_file(wanted.name)
    path = Path(name)
    if not path.is_file():
        raise SpecificationError(f"there is no file {name}: write one, or name an experiment")
    return read_specification(path), path.with_suffix(".json")


def asked(name: str, arguments: Namespace) -> tuple[Specification, Path]:
    """The same, on another corpus, in folds or with seeds where that is asked for: the package's
    own variant, or one whose record goes below ``build``. Raises ``SpecificationError``."""
    given = {key: getattr(arguments, key, None) for key in VARIED}
    if not any(given.values()):
        return wanted_and_record(name)
    of = Path(name).stem.replace("_", "-") if name.endswith(".toml") else name
    folds, seeds = given["folds"] or 0, given["seeds"] or 0
    variant = Variant(of, given["corpus"], given["units"], folds, seeds=seeds)
    if variant.name in records.names():
        return wanted_and_record(variant.name)
    path = Path(name) if name.endswith(".toml") else records.specification_file(name)
    if not path.is_file():
        wanted_and_record(name)  # raises
    usual = BUILD / EXPERIMENTS / f"{variant.name.replace('-', '_')}.json"
    return read_specification(path, variant), usual


# --- checking -------------------------------------------------------------------------------------


def check_all(arguments: Namespace) -> int:
    """Whether records and what they were made from belong together; 1 if one does not."""
    one = arguments.experiment
    chosen, missing = [one] if one else everything(), Checked([MISSING])
    rows = [
        _row(entry.specification.name if one else name, entry.state, entry.checked or missing)
        for name, entry in zip(chosen, entries(chosen, data=True), strict=True)
    ]
    known = set(map(records.record_file, records.names()))
    for path in [] if one else [path for path in records.records() if path not in known]:
        stray = f"no experiment is called {path.stem.replace('_', '-')}: delete it"
        rows.append(_row(path.stem, WRONG, Checked([stray])))
    lines = []
    for row in rows:
        notes = [f"note: {note}" for note in row["notes"]]
        lines += [f"{row['name']}: {row['state']}"]
        lines += [f"  {line}" for line in (*row["wrong"], *notes)]
    output.report(lines, rows, arguments.json)
    return int(any(row["wrong"] for row in rows))


def _row(name: str, state: str, found: Checked) -> Row:
    beside = {"wrong": found.wrong, "notes": found.notes, "other_code": found.other_code}
    return {"name": name, "state": state, **beside}


# --- running --------------------------------------------------------------------------------------


def run_one(name: str, arguments: Namespace) -> None:
    """Run an experiment, write its record and picture, and say what came out."""
    specification, usual = asked(name, arguments)
    override = Override(arguments.epochs, arguments.sentences)
    out = target(usual, override, arguments)
    folder = Path(arguments.outputs or BUILD / "outputs" / specification.name)
    plain_target(folder / TABLE)
    with output.keeping(records.partial_of(out)):
        record = reproduce(
            specification,
            out,
            command=_command(name, specification, override, arguments),
            override=override,
            jobs=arguments.jobs,
            show=output.printer(arguments.json),
            outputs=folder,
        )
    if out == records.record_file(specification.name):
        verdicts = records.verdicts_in(keep(specification.name))
    else:
        verdicts = verdicts_of(specification, record)
    wrote = f"wrote {out}, what systems put out and the table as CSV into {folder}"
    if specification.plot:
        picture = out.with_suffix(".png")
        wrote += f" and {picture}"
        with output.keeping(out, "the record is in"):
            try:
                plot(record, specification.plot, picture)
            except records.UNFIT as error:  # only the rows show what its columns are
                raise SpecificationError(
                    f"the record is in {out}, but its rows cannot be drawn as [plot] says: "
                    f"{brief(error)}"
                ) from None
    lines = [*_came_out(specification, record, verdicts), wrote]
    output.report(lines, record, STDOUT if arguments.json == STDOUT else None)


def run_stale(arguments: Namespace) -> int:
    """Run again what has no record or a wrong one, most costly last; 1 if a corpus is not here."""
    chosen = [arguments.experiment] if arguments.experiment else everything()
    every = zip(chosen, entries(chosen, data=True), strict=True)
    stale = [(name, entry) for name, entry in every if entry.state != GOOD]
    stale.sort(key=lambda pair: (pair[1].record or {}).get("seconds", 0.0))
    say = output.printer(arguments.json)
    left = 0
    for number, (name, entry) in enumerate(stale, 1):
        say(f"{number} of {len(stale)}: {name} ({entry.state})")
        try:
            run_one(name, arguments)
        except CorpusError as error:
            left = 1
            say(f"{name} was left out: {error}")
    if not stale:
        say("every record is in order")
    return left


def target(usual: Path, override: Override, arguments: Namespace) -> Path:
    """Among the package's own, or beside one's own file, only if it is of the full experiment."""
    if arguments.json not in (None, STDOUT):
        return check_target(arguments.json)
    if override.full and (records.is_checkout() or not usual.is_relative_to(PACKAGE)):
        usual.parent.mkdir(parents=True, exist_ok=True)
        return check_target(usual)
    folder = BUILD / EXPERIMENTS
    folder.mkdir(parents=True, exist_ok=True)
    return check_target(folder / usual.name)


def _command(
    name: str, specification: Specification, override: Override, arguments: Namespace
) -> str:
    """The command that makes the record; one of our own experiments is called by its name."""
    experiment = specification.name if specification.name in records.names() else name
    cluster, jobs = arguments.cluster, None
    if cluster is None:
        jobs = arguments.jobs if arguments.jobs > 1 else None
    elif cluster != LOCAL:
        cluster = ELSEWHERE
    options = {"epochs": override.epochs, "sentences": override.sentences}
    if specification.name != experiment:
        options |= {key: getattr(arguments, key, None) for key in VARIED}
    return output.command_line("reproduce", experiment, **options, cluster=cluster, jobs=jobs)


def _came_out(wanted: Specification, record: Row, verdicts: Sequence[Verdict]) -> list[str]:
    paper = record["paper"]
    about = "; ".join(paper[key] for key in OF_PAPER if key in paper)
    values = [] if wanted.measure.has_papers else paper.get("values", [])
    return [
        "",
        record["title"],
        *([f"the paper: {about}"] if about else []),
        *("  " + ", ".join(f"{name} {value}" for name, value in row.items()) for row in values),
        f"here ({record['seconds']:.0f} s):",
        table(record),
        *(["what the paper claims:", *verdict_lines(verdicts)] if verdicts else []),
    ]
