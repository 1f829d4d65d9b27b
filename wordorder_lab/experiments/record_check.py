"""Whether a record, its specification, its data, its code and its command belong together.

What can be checked is checked against the commit that the record names, whose code and
specification are read out of version control. Where that is not possible, a note says why. Of the
code, only what a record says of itself is asked, and not its rows; so a list of all records
(``records.kept``) need not read them.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from wordorder_lab.experiments import records
from wordorder_lab.experiments.runs import code_files
from wordorder_lab.experiments.runs.schema import NEEDED, Table

if TYPE_CHECKING:
    from wordorder_lab.experiments.measures.measure import Specification

ONLY_SPEED = ("--jobs", "--cluster")
SHOWN = 4
UNSEEN, HERE = "its code cannot be checked", "all that is known is that its code is the code here"
WRONG, UNKNOWN, OTHER, GOOD = "WRONG", "cannot be checked", "other code since", "in order"
"""The states of a record, in the list, on the page and in the check."""
NOT_RUN = "not run"
BY_NAME, CORPORA = "corpora/registry.py", "corpora/"
"""What finds a corpus by its name, and where corpora are read. What a corpus holds has a checksum
of its own (``data``), so a corpus that is new says nothing about a record."""


@dataclass
class Checked:
    """What is wrong with a record, what else is worth knowing, and whether today's code differs.
    ``unknown_code`` says that neither the record's commit nor what lies here has its code."""

    wrong: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    other_code: bool = False
    unknown_code: bool = False

    @property
    def state(self) -> str:
        """``WRONG``, ``UNKNOWN``, ``OTHER`` or ``GOOD``."""
        if self.wrong:
            return WRONG
        return UNKNOWN if self.unknown_code else OTHER if self.other_code else GOOD


def check(
    record: Table, wanted: Specification, *, data: bool = True, here: Here | None = None
) -> Checked:
    """Hold a record against what it says it was made from.

    Wrong is what contradicts it: a specification, sentences, a command or a commit's code other
    than its own, and an experiment that was not run in full. A note is what cannot be checked, and
    code that has changed since: it need not change what comes out. Without ``data``, no corpus is
    read. ``here`` is the package, where it is read once for several records.
    """
    found = Checked(wrong_in(record, wanted))
    if data:
        _check_data(record, wanted, found)
    return check_code(record, wanted.name, found, here)


def wrong_in(record: Table, wanted: Specification) -> list[str]:
    """What contradicts the record in itself and in its specification: no file else is read."""
    wrong = []
    if record["name"] != wanted.name:
        wrong.append(f"this is the record of {record['name']!r}")
    same = record["specification"] == wanted.checksum
    if not same:
        wrong.append("the specification has changed since: run the experiment again")
    elif record.get("paper") != json.loads(json.dumps(dict(wanted.paper), default=str)):
        wrong.append("what it says of the paper is not what its specification says")
    if not record.get("full"):
        wrong.append("this was not the full experiment")
    wrong += _of_command(record, wanted.name)
    wrong += missing(record["rows"], wanted) if same else []
    if record.get("digest") != records.digest_of(record):
        wrong.append("it is not as it was written: something has been edited by hand")
    return wrong


def _of_command(record: Table, name: str) -> list[str]:
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


def missing(rows: Sequence[Table], wanted: Specification) -> list[str]:
    """Whether every run has its rows, as far as rows show settings: one line that counts what is
    lacking and names the first; nothing if all is there."""
    every = list(wanted.measure.wanted(wanted))
    whole = [row for row in rows if all(name in row for name in NEEDED)]
    gone = [
        settings
        for settings in every
        if not any(
            all(value is None or row.get(name) in (None, value) for name, value in settings.items())
            for row in whole
        )
    ]
    if not gone:
        return []
    lacking = gone[0]
    telling = [n for n in lacking if any(other.get(n) != lacking[n] for other in every)]
    first = ", ".join(f"{name} {lacking[name]}" for name in telling or NEEDED[:1])
    return [f"it has no row for {len(gone)} of the {len(every)} that its runs ask for: {first}"]


def _check_data(record: Table, wanted: Specification, found: Checked) -> None:
    from wordorder_lab.corpora import CorpusError
    from wordorder_lab.corpora.readers.files import LOOKED
    from wordorder_lab.experiments import provenance

    for name, units in provenance.corpora_of(wanted):
        try:
            now = provenance.data_checksum(name, units)
        except CorpusError as error:
            reason, *_ = str(error).partition(LOOKED)  # where is nobody else's concern
            found.notes.append(f"the data cannot be checked: {reason}")
            continue
        if record.get("data", {}).get(f"{name}, {units}") != now:
            found.wrong.append(f"{name} ({units}) holds other sentences than it did")
        elif (name, units) in provenance.derivations_of(wanted):
            of = record["data"].get(f"{name}, {units}, {provenance.DERIVATIONS}")
            if of is None:
                found.notes.append(
                    f"{name} ({units}) may have other derivations than it had: when this was made, "
                    "they had no checksum"
                )
            elif of != provenance.derivations_checksum(name, units):
                found.wrong.append(f"{name} ({units}) has other derivations than it had")


class Here:
    """The package as it lies here, read once for many records."""

    def __init__(self, package: Path | None = None) -> None:
        self.package = package or code_files.PACKAGE
        self._known: dict[tuple[str | None, ...], tuple[dict[str, bytes], str]] = {}

    @cached_property
    def files(self) -> dict[str, bytes]:
        """Code and templates, by their names in the package."""
        return code_files.files_here(self.package)

    @cached_property
    def commit(self) -> str | None:
        """As ``code_files.commit_here``."""
        return code_files.commit_here(self.package)

    @cached_property
    def unreadable(self) -> str:
        """Why no commit can be read here; "" where it can be."""
        if not code_files.has_git(self.package):
            return ", and there is no repository here"
        if code_files.refused(self.package):
            return (
                "; git does not read this repository, whose folder belongs to another user "
                "(git config --global --add safe.directory, and the folder)"
            )
        return ""

    def code(self, code: Table, commit: str | None = None) -> tuple[dict[str, bytes], str] | None:
        """The files that what a record says of its ``code`` depends on, with their checksum: here
        or at a commit; ``None`` for one that is not known here."""
        files = self.files if commit is None else code_files.files_at(self.package, commit)
        if files is None:
            return None
        entries = code.get("entries", ())
        key = (commit, *entries)
        if key not in self._known:
            there = code_files.code_in(files, self.package, entries)
            self._known[key] = there, code_files.checksum_of(there)
        return self._known[key]


def check_code(record: Table, name: str, found: Checked, here: Here | None = None) -> Checked:
    """Add what the commit of the record of the experiment ``name`` and the code here say of it."""
    here = here or Here()
    code = record.get("code") or {}
    now = here.code(code)
    other = now is None or code.get("checksum") != now[1]
    then = _of_commit(record, name, found, here, UNSEEN if other else HERE)
    if other and then is not None and now is not None:
        other = any(map(_counts, code_files.changes(then, now[0])))
    if other:
        made, lies = (commit or "no commit" for commit in (code.get("commit"), here.commit))
        since = f"other code since: made at {made}, here is {lies}"
        if then is not None and now is not None:
            since += f": {_some(code_files.changes(then, now[0]))}"
        found.notes.append(since)
    others = []
    if code.get("outside"):  # few records have any
        from wordorder_lab.experiments.provenance import changed_since

        others = changed_since(code)
    if others:
        found.notes.append(
            f"another code than it was made by, from other packages: {_some(others)}"
        )
    found.other_code, found.unknown_code = other or bool(others), other and then is None
    return found


def _counts(change: str) -> bool:
    kind, _, name = change.partition(" ")
    return name != BY_NAME and not (kind == "added" and name.startswith(CORPORA))


def _of_commit(
    record: Table, name: str, found: Checked, here: Here, otherwise: str
) -> dict[str, bytes] | None:
    """Code and specification as the named commit has them; the code, if it is the record's. Without
    the commit, ``otherwise`` is all that can be said."""
    code = record.get("code") or {}
    made = code.get("commit")
    if not made:
        found.notes.append(f"it does not say at which commit it was made: {otherwise}")
        return None
    if here.unreadable:
        found.notes.append(f"made at {made}{here.unreadable}: {otherwise}")
        return None
    commit = str(made).removesuffix(code_files.DIRTY)
    known = here.code(code, commit)
    if known is None:
        found.notes.append(
            f"made at {made}, which is not in this repository (git fetch --unshallow gets what a "
            f"shallow clone left out): {otherwise}"
        )
        return None
    then, checksum = known
    same_code = checksum == code.get("checksum")
    same_specification = _same_specification(record, name, commit, found, here)
    if commit == made:
        parts = {"code": same_code, "specification": same_specification}
        found.wrong += [
            f"commit {commit} has another {part} than it was made by"
            for part, same in parts.items()
            if not same
        ]
    else:
        lacking = [] if same_code else [otherwise]
        lacking += [] if same_specification else ["no commit has its specification"]
        about = ", and ".join(lacking) or (
            "not in its code, which is the commit's, and not in its specification"
        )
        found.notes.append(f"made at {made}, with changes that were not committed: {about}")
    return then if same_code else None


def _same_specification(record: Table, name: str, commit: str, found: Checked, here: Here) -> bool:
    path = records.specification_file(name)
    if not path.exists():
        return True  # one's own: no commit has it, and the checksum above has said all there is
    folder = here.package.resolve()
    if not path.resolve().is_relative_to(folder):
        found.notes.append("its specification does not lie in the repository: no commit has it")
        return True
    files = code_files.files_at(here.package, commit) or {}

    def then(file: Path) -> bytes | None:
        return files.get(file.resolve().relative_to(folder).as_posix())

    return bool(records.checksum_by(then, path) == record["specification"])


def _some(every: list[str]) -> str:
    rest = [f"{len(every) - SHOWN} more"] if len(every) > SHOWN else []
    return ", ".join([*every[:SHOWN], *rest])
