"""Whether the code of a record is what it says, and whether it is still the code that lies here.

Of the record, only what it says of itself is needed, and not its rows (``kept``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from wordorder_lab.experiments import code_files, records, specification_files
from wordorder_lab.experiments.code_files import code_in, commit_here, files_at
from wordorder_lab.experiments.runs.reached_code import EVERYTHING, files_here

SHOWN = 4
"""So many changed files are named, the others counted."""
UNSEEN, HERE = "its code cannot be checked", "all that is known is that its code is the code here"
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


class Here:
    """The package as it lies here, read once for many records."""

    def __init__(self, package: Path | None = None) -> None:
        self.package = package or records.PACKAGE
        self._known: dict[Any, tuple[dict[str, bytes], str]] = {}

    @cached_property
    def files(self) -> dict[str, bytes]:
        """Code and templates, by their names in the package."""
        return files_here(self.package, EVERYTHING)

    @cached_property
    def commit(self) -> str | None:
        """As ``code_files.commit_here``."""
        return commit_here(self.package)

    @cached_property
    def refused(self) -> bool:
        """As ``code_files.refused``."""
        return code_files.refused(self.package)

    def code(
        self, said: Mapping[str, Any], commit: str | None = None
    ) -> tuple[dict[str, bytes], str] | None:
        """The files that what a record ``said`` of its code depends on, with their checksum: here
        or at a commit; ``None`` for one that is not known here."""
        files = self.files if commit is None else files_at(self.package, commit)
        if files is None:
            return None
        key = (commit, *said.get("entries", ()))
        if key not in self._known:
            found = code_in(files, self.package, said)
            self._known[key] = found, code_files.checksum_of(found)
        return self._known[key]


def check_code(
    record: Record, name: str, wrong: list[str], notes: list[str], here: Here | None = None
) -> Checked:
    """The verdict on the record of the experiment ``name``, of which ``wrong`` and ``notes`` are
    already known: what its commit and the code here say is added."""
    here = here or Here()
    code = _code(record)
    now = here.code(code)
    other = now is None or code.get("checksum") != now[1]
    then = _of_commit(record, name, wrong, notes, here, UNSEEN if other else HERE)
    if other:
        notes.append(_since(record, then, here))
    if others := _changed_outside(code):
        notes.append(f"another code than it was made by, from other packages: {_some(others)}")
    return Checked(wrong, notes, other or bool(others), other and then is None)


def _changed_outside(code: Mapping[str, Any]) -> list[str]:
    """What other packages brought that is not as it was; few records have any."""
    if not code.get("outside"):
        return []
    from wordorder_lab.experiments.own_code import changed_since

    return changed_since(code)


def _code(record: Record) -> Mapping[str, Any]:
    return record.get("code") or {}


def _of_commit(
    record: Record, name: str, wrong: list[str], notes: list[str], here: Here, otherwise: str
) -> dict[str, bytes] | None:
    """Code and specification as the named commit has them; the code, if it is the record's.

    ``otherwise`` is what can be said of the code without the commit.
    """
    said = _code(record).get("commit")
    if not said:
        notes.append(f"it does not say at which commit it was made: {otherwise}")
        return None
    if not code_files.has_git(here.package):
        notes.append(f"made at {said}, and there is no repository here: {otherwise}")
        return None
    if here.refused:
        notes.append(
            f"made at {said}; git does not read this repository, whose folder belongs to another "
            f"user (git config --global --add safe.directory, and the folder): {otherwise}"
        )
        return None
    commit = str(said).removesuffix(code_files.DIRTY)
    known = here.code(_code(record), commit)
    if known is None:
        notes.append(
            f"made at {said}, which is not in this repository (git fetch --unshallow gets what a "
            f"shallow clone left out): {otherwise}"
        )
        return None
    then, checksum = known
    same = checksum == _code(record).get("checksum")
    parts = [] if same else ["code"]
    parts += [] if _same_specification(record, name, commit, notes, here) else ["specification"]
    if commit != said:
        notes.append(_dirty(said, parts, otherwise))
    else:
        wrong += [f"commit {commit} has another {part} than it was made by" for part in parts]
    return then if same else None


def _same_specification(
    record: Record, name: str, commit: str, notes: list[str], here: Here
) -> bool:
    """Whether the commit has the specification that the record was made from."""
    path = specification_files.file_of(name)
    if not path.exists():
        return True  # one's own: no commit has it, and the checksum above has said all there is
    folder = here.package.resolve()
    if not path.resolve().is_relative_to(folder):
        notes.append("its specification does not lie in the repository: no commit has it")
        return True
    files = files_at(here.package, commit) or {}
    then = files.get(path.resolve().relative_to(folder).as_posix())
    return then is not None and specification_files.checksum_of(then) == record["specification"]


def _dirty(said: str, parts: list[str], otherwise: str) -> str:
    told = [otherwise] if "code" in parts else []
    told += ["no commit has its specification"] if "specification" in parts else []
    if not told:
        told = ["not in its code, which is the commit's, and not in its specification"]
    return f"made at {said}, with changes that were not committed: {', and '.join(told)}"


def _since(record: Record, then: Mapping[str, bytes] | None, here: Here) -> str:
    """What has become of the code since; by name where the code of the record is known."""
    said, now = _code(record).get("commit"), here.code(_code(record))
    told = f"other code since: made at {said or 'no commit'}, here is {here.commit or 'no commit'}"
    if then is None or now is None:
        return told
    return f"{told}: {_some(code_files.changes(then, now[0]))}"


def _some(every: list[str]) -> str:
    rest = [f"{len(every) - SHOWN} more"] if len(every) > SHOWN else []
    return ", ".join([*every[:SHOWN], *rest])
