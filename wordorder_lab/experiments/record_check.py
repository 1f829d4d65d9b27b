"""Whether a record, its specification, its data, its code and its command belong together.

What can be checked is checked against the commit that the record names, not against what lies here
today: its code and its specification are read out of version control. Where that is not possible,
a note says why.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Mapping
from typing import Any, NamedTuple

from wordorder_lab.corpora import CorpusError
from wordorder_lab.experiments import code_files, records, specification
from wordorder_lab.experiments.specification import Specification

SHOWN = 4
"""So many changed files are named, the others counted."""
ONLY_SPEED = ("--jobs",)
"""Options of the command that leave the experiment as it is."""
Record = Mapping[str, Any]


class Verdict(NamedTuple):
    """What is wrong with a record, what else is worth knowing, and whether today's code differs."""

    wrong: list[str]
    notes: list[str]
    other_code: bool = False

    @property
    def state(self) -> str:
        """``"WRONG"``, ``"other code since"`` or ``"in order"``."""
        return "WRONG" if self.wrong else "other code since" if self.other_code else "in order"


def check(record: Record, wanted: Specification, *, data: bool = True) -> Verdict:
    """Hold a record against what it says it was made from.

    Wrong is what contradicts it: a specification, sentences, a command or a commit's code other
    than its own, and an experiment that was not run in full. A note is what cannot be checked, and
    code that has changed since: it need not change what comes out. Without ``data``, no corpus is
    read.
    """
    wrong = [*_of_specification(record, wanted), *_of_command(record, wanted.name)]
    notes: list[str] = []
    if "digest" not in record:
        notes.append("made before records had a digest: an edit by hand would not be seen")
    elif record["digest"] != records.digest_of(record):
        wrong.append("it is not as it was written: something has been edited by hand")
    if data:
        _of_data(record, wanted, wrong, notes)
    then = _of_commit(record, wanted.name, wrong, notes)
    other = _code(record).get("checksum") != records.code_version()["checksum"]
    if other:
        notes.append(_since(record, then))
    return Verdict(wrong, notes, other)


def _of_specification(record: Record, wanted: Specification) -> list[str]:
    wrong = []
    if record["name"] != wanted.name:
        wrong.append(f"this is the record of {record['name']!r}")
    if record["specification"] != wanted.checksum:
        wrong.append("the specification has changed since: run the experiment again")
    elif record.get("paper") != json.loads(json.dumps(dict(wanted.paper), default=str)):
        wrong.append("what it says of the paper is not what its specification says")
    if len(record["rows"]) < len(wanted.runs):
        wrong.append(f"it has {len(record['rows'])} rows for {len(wanted.runs)} runs")
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
    if words[:2] != ["wordorder-lab", "reproduce"] or words[2:3] != [name]:
        return [f"its command runs something else: {command}"]
    options = words[3:]
    if len(options) % 2 or not set(options[::2]) <= set(ONLY_SPEED):
        return [f"its command does not run the full experiment: {command}"]
    return []


def _of_data(record: Record, wanted: Specification, wrong: list[str], notes: list[str]) -> None:
    for name, units in records.corpora_of(wanted):
        try:
            now = records.data_checksum(name, units)
        except CorpusError as error:
            told, *_ = str(error).partition(
                " (looked in"
            )  # where it looked is nobody else's concern
            notes.append(f"the data cannot be checked: {told}")
            continue
        if record.get("data", {}).get(f"{name}, {units}") != now:
            wrong.append(f"{name} ({units}) holds other sentences than it did")


def _code(record: Record) -> Mapping[str, Any]:
    return record.get("code") or {}


def _of_commit(
    record: Record, name: str, wrong: list[str], notes: list[str]
) -> dict[str, bytes] | None:
    """Code and specification as the named commit has them; the code, if it is the record's."""
    package, said = records.PACKAGE, _code(record).get("commit")
    if not said:
        notes.append("it does not say at which commit it was made: its code cannot be checked")
        return None
    if not code_files.has_git(package):
        notes.append(f"made at {said}; without the repository its code cannot be checked")
        return None
    commit = str(said).removesuffix(code_files.DIRTY)
    then = code_files.files_at(package, commit)
    if then is None:
        notes.append(
            f"made at {said}, which is not in this repository (git fetch --unshallow gets what a "
            "shallow clone left out): its code cannot be checked"
        )
        return None
    same = code_files.checksum_of(then) == _code(record).get("checksum")
    parts = [] if same else ["code"]
    parts += [] if _same_specification(record, name, commit, notes) else ["specification"]
    if commit != said:
        notes.append(_dirty(said, parts))
    else:
        wrong += [f"commit {commit} has another {part} than it was made by" for part in parts]
    return then if same else None


def _same_specification(record: Record, name: str, commit: str, notes: list[str]) -> bool:
    """Whether the commit has the specification that the record was made from."""
    path = specification.file_of(name)
    try:
        then = code_files.file_at(records.PACKAGE, commit, path)
    except ValueError:
        notes.append("its specification does not lie in the repository: no commit has it")
        return True
    return then is not None and hashlib.sha256(then).hexdigest() == record["specification"]


def _dirty(said: str, parts: list[str]) -> str:
    if parts:
        told = f"its {' and '.join(parts)} cannot be checked"
    else:
        told = "not in its code, which is the commit's, and not in its specification"
    return f"made at {said}, with changes that were not committed: {told}"


def _since(record: Record, then: Mapping[str, bytes] | None) -> str:
    """What has become of the code since; by name where the code of the record is known."""
    said, here = _code(record).get("commit"), records.code_version()["commit"]
    told = f"other code since: made at {said or 'no commit'}, here is {here or 'no commit'}"
    if then is None:
        return told
    every = code_files.changes(then, code_files.files_here(records.PACKAGE))
    rest = [f"{len(every) - SHOWN} more"] if len(every) > SHOWN else []
    return f"{told}: {', '.join([*every[:SHOWN], *rest])}"
