"""Whether a record, its specification, its data, its code and its command belong together.

What can be checked is checked against the commit that the record names, not against what lies here
today: its code and its specification are read out of version control. Where that is not possible,
a note says why.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from wordorder_lab.corpora import CorpusError
from wordorder_lab.corpora.readers.files import LOOKED
from wordorder_lab.experiments import code_files, records, specification
from wordorder_lab.experiments.code_files import code_at, code_here
from wordorder_lab.experiments.measures.measure import Specification
from wordorder_lab.experiments.own_code import changed_since
from wordorder_lab.experiments.runs.training import NEEDED

SHOWN = 4
"""So many changed files are named, the others counted."""
UNSEEN, HERE = "its code cannot be checked", "all that is known is that its code is the code here"
ONLY_SPEED = ("--jobs", "--cluster")
"""Options of the command that leave the experiment as it is."""
WRONG, UNKNOWN, OTHER, GOOD = "WRONG", "cannot be checked", "other code since", "in order"
"""The states of a record, in the list, on the page and in the check."""
Record = Mapping[str, Any]


class Checked(NamedTuple):
    """What is wrong with a record, what else is worth knowing, and whether today's code differs.

    ``unknown_code`` says that neither the record's commit nor what lies here has its code.
    """

    wrong: list[str]
    notes: list[str]
    other_code: bool = False
    unknown_code: bool = False

    @property
    def state(self) -> str:
        """``WRONG``, ``UNKNOWN``, ``OTHER`` or ``GOOD``."""
        if self.wrong:
            return WRONG
        return UNKNOWN if self.unknown_code else OTHER if self.other_code else GOOD


def check(record: Record, wanted: Specification, *, data: bool = True) -> Checked:
    """Hold a record against what it says it was made from.

    Wrong is what contradicts it: a specification, sentences, a command or a commit's code other
    than its own, and an experiment that was not run in full. A note is what cannot be checked, and
    code that has changed since: it need not change what comes out. Without ``data``, no corpus is
    read.
    """
    wrong = [*_of_specification(record, wanted), *_of_command(record, wanted.name)]
    if _is_that_of(record, wanted):
        wrong += missing(record["rows"], wanted)
    notes: list[str] = []
    if record.get("digest") != records.digest_of(record):
        wrong.append("it is not as it was written: something has been edited by hand")
    if data:
        _of_data(record, wanted, wrong, notes)
    code = _code(record)
    other = code.get("checksum") != code_files.checksum_of(code_here(records.PACKAGE, code))
    then = _of_commit(record, wanted.name, wrong, notes, UNSEEN if other else HERE)
    if other:
        notes.append(_since(record, then))
    if others := changed_since(code):
        notes.append(f"another code than it was made by, from other packages: {_some(others)}")
    return Checked(wrong, notes, other or bool(others), other and then is None)


def _of_specification(record: Record, wanted: Specification) -> list[str]:
    wrong = []
    if record["name"] != wanted.name:
        wrong.append(f"this is the record of {record['name']!r}")
    if not _is_that_of(record, wanted):
        wrong.append("the specification has changed since: run the experiment again")
    elif record.get("paper") != json.loads(json.dumps(dict(wanted.paper), default=str)):
        wrong.append("what it says of the paper is not what its specification says")
    if not record.get("full"):
        wrong.append("this was not the full experiment")
    return wrong


def _is_that_of(record: Record, wanted: Specification) -> bool:
    """Whether this is the specification that the record was made from, whatever its comments say.

    That comments alone have changed, only the record's commit can tell.
    """
    path, commit = specification.file_of(wanted.name), str(_code(record).get("commit"))
    if record["specification"] == wanted.checksum or not code_files.has_git(records.PACKAGE):
        return bool(record["specification"] == wanted.checksum)
    with suppress(OSError, ValueError):
        now = path.read_bytes()
        then = code_files.file_at(records.PACKAGE, commit.removesuffix(code_files.DIRTY), path)
        made = then is not None and specification.checksum_of(then) == record["specification"]
        is_here = specification.checksum_of(now) == wanted.checksum
        return made and is_here and _without_comments(then or b"") == _without_comments(now)
    return False


def _without_comments(data: bytes) -> str:
    return specification.checksum_of(re.sub(rb"^#.*\n", b"", data, flags=re.MULTILINE))


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
    for name, units in records.corpora_of(wanted):
        try:
            now = records.data_checksum(name, units)
        except CorpusError as error:
            told, *_ = str(error).partition(LOOKED)  # where is nobody else's concern
            notes.append(f"the data cannot be checked: {told}")
            continue
        if record.get("data", {}).get(f"{name}, {units}") != now:
            wrong.append(f"{name} ({units}) holds other sentences than it did")


def _code(record: Record) -> Mapping[str, Any]:
    return record.get("code") or {}


def _of_commit(
    record: Record, name: str, wrong: list[str], notes: list[str], otherwise: str
) -> dict[str, bytes] | None:
    """Code and specification as the named commit has them; the code, if it is the record's.

    ``otherwise`` is what can be said of the code without the commit.
    """
    package, said = records.PACKAGE, _code(record).get("commit")
    if not said:
        notes.append(f"it does not say at which commit it was made: {otherwise}")
        return None
    if not code_files.has_git(package):
        notes.append(f"made at {said}, and there is no repository here: {otherwise}")
        return None
    if code_files.refused(package):
        notes.append(
            f"made at {said}; git does not read this repository, whose folder belongs to another "
            f"user (git config --global --add safe.directory, and the folder): {otherwise}"
        )
        return None
    commit = str(said).removesuffix(code_files.DIRTY)
    then = code_at(package, _code(record), commit)
    if then is None:
        notes.append(
            f"made at {said}, which is not in this repository (git fetch --unshallow gets what a "
            f"shallow clone left out): {otherwise}"
        )
        return None
    same = code_files.checksum_of(then) == _code(record).get("checksum")
    parts = [] if same else ["code"]
    parts += [] if _same_specification(record, name, commit, notes) else ["specification"]
    if commit != said:
        notes.append(_dirty(said, parts, otherwise))
    else:
        wrong += [f"commit {commit} has another {part} than it was made by" for part in parts]
    return then if same else None


def _same_specification(record: Record, name: str, commit: str, notes: list[str]) -> bool:
    """Whether the commit has the specification that the record was made from."""
    path = specification.file_of(name)
    if not path.exists():
        return True  # one's own: no commit has it, and the checksum above has said all there is
    try:
        then = code_files.file_at(records.PACKAGE, commit, path)
    except ValueError:
        notes.append("its specification does not lie in the repository: no commit has it")
        return True
    return then is not None and specification.checksum_of(then) == record["specification"]


def _dirty(said: str, parts: list[str], otherwise: str) -> str:
    told = [otherwise] if "code" in parts else []
    told += ["no commit has its specification"] if "specification" in parts else []
    if not told:
        told = ["not in its code, which is the commit's, and not in its specification"]
    return f"made at {said}, with changes that were not committed: {', and '.join(told)}"


def _since(record: Record, then: Mapping[str, bytes] | None) -> str:
    """What has become of the code since; by name where the code of the record is known."""
    said, here = _code(record).get("commit"), code_files.commit_here(records.PACKAGE)
    told = f"other code since: made at {said or 'no commit'}, here is {here or 'no commit'}"
    if then is None:
        return told
    return f"{told}: {_some(code_files.changes(then, code_here(records.PACKAGE, _code(record))))}"


def _some(every: list[str]) -> str:
    rest = [f"{len(every) - SHOWN} more"] if len(every) > SHOWN else []
    return ", ".join([*every[:SHOWN], *rest])


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
