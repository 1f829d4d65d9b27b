"""Whether a record, its specification, its data, its code and its command belong together.

What can be checked is checked against the commit that the record names, not against what lies here
today: its code and its specification are read out of version control. Where that is not possible,
a note says why.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from wordorder_lab.corpora import CorpusError
from wordorder_lab.corpora.readers.files import LOOKED
from wordorder_lab.experiments import provenance, records
from wordorder_lab.experiments.code_check import Checked, Here, check_code
from wordorder_lab.experiments.measures.measure import Specification
from wordorder_lab.experiments.runs.training import NEEDED

ONLY_SPEED = ("--jobs", "--cluster")
"""Options of the command that leave the experiment as it is."""
Record = Mapping[str, Any]


def check(
    record: Record, wanted: Specification, *, data: bool = True, here: Here | None = None
) -> Checked:
    """Hold a record against what it says it was made from.

    Wrong is what contradicts it: a specification, sentences, a command or a commit's code other
    than its own, and an experiment that was not run in full. A note is what cannot be checked, and
    code that has changed since: it need not change what comes out. Without ``data``, no corpus is
    read. ``here`` is the package, where it is read once for several records.
    """
    wrong, notes = wrong_in(record, wanted), list[str]()
    if data:
        _of_data(record, wanted, wrong, notes)
    return check_code(record, wanted.name, wrong, notes, here)


def wrong_in(record: Record, wanted: Specification) -> list[str]:
    """What contradicts the record in itself and in its specification: no file else is read."""
    wrong = [*_of_specification(record, wanted), *_of_command(record, wanted.name)]
    if record["specification"] == wanted.checksum:
        wrong += missing(record["rows"], wanted)
    if record.get("digest") != records.digest_of(record):
        wrong.append("it is not as it was written: something has been edited by hand")
    return wrong


def _of_specification(record: Record, wanted: Specification) -> list[str]:
    wrong = []
    if record["name"] != wanted.name:
        wrong.append(f"this is the record of {record['name']!r}")
    if record["specification"] != wanted.checksum:
        wrong.append("the specification has changed since: run the experiment again")
    elif record.get("paper") != json.loads(json.dumps(dict(wanted.paper), default=str)):
        wrong.append("what it says of the paper is not what its specification says")
    if not record.get("full"):
        wrong.append("this was not the full experiment")
    return wrong


def _of_command(record: Record, name: str) -> list[str]:
    """The command must run this experiment, all of it."""
    command = str(record.get("command"))
    try:
        words = shlex.split(command)
    except ValueError as error:
        return [f"its command cannot be read ({error}): {command}"]
    ran = [word.removesuffix(".toml").rpartition("/")[2].replace("_", "-") for word in words[2:3]]
    if words[:2] != ["wordorder-lab", "reproduce"] or ran != [name]:
        return [f"its command runs something else: {command}"]
    options = words[3:]
    if len(options) % 2 or not set(options[::2]) <= set(ONLY_SPEED):
        return [f"its command does not run the full experiment: {command}"]
    return []


def _of_data(record: Record, wanted: Specification, wrong: list[str], notes: list[str]) -> None:
    for name, units in provenance.corpora_of(wanted):
        try:
            now = provenance.data_checksum(name, units)
        except CorpusError as error:
            told, *_ = str(error).partition(LOOKED)  # where is nobody else's concern
            notes.append(f"the data cannot be checked: {told}")
            continue
        if record.get("data", {}).get(f"{name}, {units}") != now:
            wrong.append(f"{name} ({units}) holds other sentences than it did")


# --- Whether every run of a specification has its rows in a record, as far as rows show settings


Row = Mapping[str, Any]


def missing(rows: Sequence[Row], wanted: Specification) -> list[str]:
    """What the rows lack: one line that counts it and names the first; nothing if all is there."""
    every = list(wanted.measure.wanted(wanted))
    gone = [settings for settings in every if not any(_shows(row, settings) for row in rows)]
    if not gone:
        return []
    lacking = gone[0]
    telling = [n for n in lacking if any(other.get(n) != lacking[n] for other in every)]
    first = ", ".join(f"{name} {lacking[name]}" for name in telling or NEEDED[:1])
    return [f"it has no row for {len(gone)} of the {len(every)} that its runs ask for: {first}"]


def _shows(row: Row, wanted: Row) -> bool:
    """Whether a row has these settings; those that it does not show are left aside."""
    if not all(name in row for name in NEEDED):
        return False
    return all(value is None or row.get(name) in (None, value) for name, value in wanted.items())
