"""What became of the papers' claims: judged by a record, kept beside it (``records``), shown.

Everything here is computed from specifications and records; nothing is written by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from wordorder_lab.experiments import records
from wordorder_lab.experiments.claim_list import several_trainings, with_trainings
from wordorder_lab.experiments.measures.claims import ELSEWHERE, Claim, Verdict, judge
from wordorder_lab.experiments.measures.measure import Specification, measure_called
from wordorder_lab.experiments.paper_values import pairs, setting_in_words
from wordorder_lab.experiments.record_check import wrong_in
from wordorder_lab.experiments.records import names, verdicts_in
from wordorder_lab.experiments.runs.code_files import PACKAGE, files_here
from wordorder_lab.experiments.runs.folds import apart_in, part_of
from wordorder_lab.experiments.runs.schema import Row, Table
from wordorder_lab.experiments.specification import load_questions, load_specification
from wordorder_lab.metrics.randomisation import p_in_words
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.messages import brief

if TYPE_CHECKING:
    import pandas

NO_PAPER = "no paper's: questions of ours"
"""Under which experiments stand that no paper has."""
HEAD = ("the paper says", "where", "verdict", "here")
VALUES_HEAD = (
    "experiment, the paper's row, quantity, paper, ours, difference, low, high, our row".split(", ")
)
MADE_FROM = ("specification", "code")


def verdicts_of(wanted: Specification, record: Table | None) -> list[Verdict]:
    """The verdict on each claim of a specification by a record of it, or by none."""
    named = {named[ELSEWHERE] for named in wanted.names.values() if ELSEWHERE in named}
    read = {name: _record_of(name) for name in sorted(named)}
    elsewhere = {
        name: (other, measure.meant)
        for name, other in read.items()
        if other is not None and (measure := measure_called(other["measure"])) is not None
    }
    found = judge(wanted.claims, wanted.names, record, wanted.measure.meant, elsewhere)
    for part in apart_in(record or {}):
        parts = {
            name: (part_of(one, part), meant)
            for name, (one, meant) in elsewhere.items()
            if part in apart_in(one)
        }
        own = part_of(record or {}, part)
        alone = judge(wanted.claims, wanted.names, own, wanted.measure.meant, parts)
        found = [_with_part(*both, part) for both in zip(found, alone)]
    return found


def _with_part(one: Verdict, alone: Verdict, part: str) -> Verdict:
    """The verdict on all sentences; beside its numbers, those of a part of them."""
    if one.p_value is None or alone.p_value is None or alone.interval is None:
        return one
    low, high = alone.interval
    told = f"{part} alone: {alone.difference:+.2f} ({low:+.2f} to {high:+.2f}), "
    told += f"{p_in_words(alone.p_value)}, {alone.sentences:,} sentences"
    return one._replace(told=f"{one.told}; {told}")


def judged(name: str) -> list[Verdict]:
    """The verdicts of an experiment, judged now from its own two files."""
    return verdicts_of(load_questions(name), _record_of(name))


def judges_here() -> bytes:
    """``records.judging_code`` of the package as it lies here."""
    return records.judging_code(files_here(PACKAGE, ("experiments", "metrics")))


def summary_of_any(name: str) -> Row:
    """What is kept of an experiment, made now; a damaged record is none, and what is wrong with it
    is told. Raises ``SpecificationError`` for an experiment that there is not."""
    wanted, path = load_specification(name), records.record_file(name)
    try:
        return summarized(wanted, _record_of(name))
    except records.RecordError as error:
        reason = str(error)
    except records.UNFIT as error:
        reason = f"{path} does not fit the measure {wanted.measure.name!r}: {brief(error)}"
    return {**summarized(wanted, None), "wrong": [reason]}


def _record_of(name: str) -> Row | None:
    path = records.record_file(name)
    return records.read_record(path) if path.exists() else None


def summarized(wanted: Specification, record: Table | None) -> Row:
    """What follows from a record and its specification alone, as JSON-ready values."""
    there = record or {}
    machine = there.get("machine", {})
    listed = {
        "name": wanted.name,
        "title": wanted.title,
        **{key: wanted.paper.get(key) for key in ("reference", "place")},
        "measure": wanted.measure.name,
        "runs": len(wanted.runs),
        "rows": len(there["rows"]) if there else None,
        **{key: there.get(key) for key in ("date", "seconds", "command")},
        "processor": machine.get("processor"),
        "cores": machine.get("cpu_count"),
        "platform": machine.get("platform"),
        "commit": there.get("code", {}).get("commit"),
    }
    return {
        "listed": listed,
        "made_from": {key: there.get(key) for key in MADE_FROM} if there else None,
        "wrong": [] if record is None else wrong_in(record, wanted),
        "claims": [
            {**one._asdict(), "claim": asdict(one.claim)} for one in verdicts_of(wanted, record)
        ],
    }


def keep(name: str) -> Row:
    """Judge an experiment, keep what came out, atomically, and give it back. Raises ``OSError``
    without a record, or where nothing can be written, ``SpecificationError`` for an experiment that
    there is not, ``RecordError`` for a damaged record."""
    key = records.key_of(name, judges_here())
    record = records.read_record(records.record_file(name))
    made = summarized(load_specification(name), record)
    path = records.kept_file(name)
    path.parent.mkdir(exist_ok=True)
    records.write_json(path, {"key": key, **made})
    return made


def all_verdicts(chosen: Iterable[str] = ()) -> dict[str, list[Verdict]]:
    """Experiment -> its verdicts, by the package's own records; of all, or of these. What is kept
    is taken, the rest is judged now. Raises ``SpecificationError`` for an experiment that there is
    not, ``RecordError`` for a damaged record."""
    judges = judges_here()
    found = {name: records.kept(name, judges) for name in chosen or names()}
    return {name: verdicts_in(one) if one else judged(name) for name, one in found.items()}


def says(claim: Claim) -> str:
    """What a claim says, with a remark where no paper says it, or another one."""
    whose = "ours, no paper's" if claim.ours else claim.paper
    return f"{claim.says} ({whose})" if whose else claim.says


def paper_of(experiment: str) -> str:
    """Authors and year as the specification names them; ``NO_PAPER`` where it names none."""
    reference = str(load_questions(experiment).paper.get("reference", ""))
    year = re.match(r"[^()]*\(\d{4}\)", reference)
    return year.group() if year else NO_PAPER


@checks_arguments
def claims_table(*chosen: str) -> pandas.DataFrame:
    """The claims of the papers, a row each, to show: of the ``chosen`` experiments, or of all.

    ``the paper says`` is the claim, ``where`` its table or figure, ``verdict`` what became of it by
    our record, ``here`` the numbers that say so. Where a variant trains several times, its claims
    take the place of those of the one training. Raises ``SpecificationError`` for an experiment
    that there is not, ``RecordError`` for a damaged record.
    """
    import pandas

    rows = []
    every = all_verdicts(with_trainings(chosen))
    for name, verdicts in several_trainings(every).items():
        place = str(load_questions(name).paper.get("place", ""))
        rows += [(says(one.claim), place, one.verdict, one.told) for one in verdicts]
    return pandas.DataFrame(rows, columns=list(HEAD))


@checks_arguments
def paper_table(*chosen: str) -> pandas.DataFrame:
    """Every number that a paper prints beside ours, a row each, to show.

    It is of the ``chosen`` experiments (``"liu-2015-table-4"``), or of all. ``experiment`` and
    ``the paper's row`` say where it stands, ``quantity`` what it is, in the units in which the
    paper prints it: BLEU from 0 to 100, an F1 from 0 to 1 or in per cent, exact matches as a number
    of sentences. ``paper`` is the paper's number, ``ours`` that of ``our row``. ``difference`` is
    ours less the paper's, in the units of the quantity; it is empty for times, which are of another
    machine. ``low`` and ``high`` are the ends of our 95 % interval, where there is one. A value
    that was not run here has no ``ours``. Raises ``SpecificationError`` for an experiment that
    there is not, ``RecordError`` for a damaged record.
    """
    import pandas

    rows = []
    for name in chosen or names():
        load_questions(name)  # one that there is not is said to be so
        record = _record_of(name)
        for pair in pairs(record) if record else ():
            low, high = pair.interval or (None, None)
            of = ", ".join(setting_in_words(*setting) for setting in pair.of.items())
            values = (name, of, pair.quantity, pair.paper, pair.ours, pair.difference)
            rows.append((*values, low, high, pair.which))
    return pandas.DataFrame(rows, columns=list(VALUES_HEAD))


def verdict_lines(verdicts: Sequence[Verdict]) -> list[str]:
    """A line on each claim and one on what came out, indented below it."""
    lines = []
    for one in verdicts:
        printed = f" (the paper: {one.claim.printed:+g})" if one.claim.printed is not None else ""
        lines += [f"  {one.verdict}: {says(one.claim)}", f"      {one.told}{printed}"]
    return lines
