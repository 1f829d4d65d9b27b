"""The files that decide what an experiment gives: as they lie here, and as a commit has them.

A commit's files are read out of git's store; nothing is checked out. Where there is no git, or the
package does not lie in its own repository (installed from a wheel, unpacked from an archive), no
commit is known and the answer is ``None``.

The entries of an experiment are the files of its systems, that of its measure, and the templates
that its runs name. What these reach (``runs.reached_code``) decides. Whatever is not reached may
change, and the record is in order: a new system, a view, a command. What comes from other packages
has a checksum of its own (``own_code``).
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from wordorder_lab.experiments.measures.measure import Specification
from wordorder_lab.experiments.own_code import own_code
from wordorder_lab.experiments.runs.reached_code import (
    EVERYTHING,
    PACKAGE,
    bare,
    counting,
    files_here,
    reached,
)
from wordorder_lab.experiments.runs.training import (
    FLOORS,
    UNTRAINED,
    settings_of,
)
from wordorder_lab.structures.templates import is_own_file
from wordorder_lab.systems.names import FILES, ORDERED_BY, OURS, TRAINING

FIRST = (
    *("structures", "corpora", "models", "metrics", "systems"),
    *("transition", "best_first", "transduction", "experiments", "trace"),
)
"""The folders that a checksum takes first, in this order; all others follow."""
DIRTY = "-dirty"
"""Ends the name of a commit when files that it has were other than in it."""
_COMMIT = re.compile(r"[0-9A-Za-z][\w./-]*")


def checksum_of(files: Mapping[str, bytes]) -> str:
    """SHA-256 over names and contents: folder by folder, in each by the parts of the names."""
    digest = hashlib.sha256()
    for name in sorted(files, key=_place):
        digest.update(f"{name}\n".encode())
        digest.update(files[name])
    return digest.hexdigest()


def _place(name: str) -> tuple[int, PurePosixPath]:
    path = PurePosixPath(name)
    return FIRST.index(path.parts[0]) if path.parts[0] in FIRST else len(FIRST), path


def commit_here(package: Path) -> str | None:
    """The commit, with ``DIRTY`` if files of it have changed since; ``None`` without git.

    Records do not count: one that was made a moment ago says nothing against the next.
    """
    told = _git(package, "describe", "--always", "--abbrev=12")
    name = told.decode().strip() if told is not None else ""
    if not name:
        return None
    others = f":(top,exclude){package.name}/experiments/records"
    changed = _git(package, "status", "--porcelain", "--untracked-files=no", "--", ":(top)", others)
    return name + DIRTY if changed else name


def has_git(package: Path) -> bool:
    """Whether the package lies at the top of a git repository, and git is there to read it."""
    return (package.parent / ".git").exists() and shutil.which("git") is not None


def refused(package: Path) -> bool:
    """Whether git reads nothing of the repository because its folder belongs to somebody else."""
    if not has_git(package):
        return False
    run = _run(package, ("rev-parse", "--git-dir"))
    return run.returncode != 0 and b"dubious ownership" in run.stderr


@cache
def files_at(package: Path, commit: str) -> dict[str, bytes] | None:
    """The package's files as a commit has them; ``None`` where the commit is not known here.

    ``commit`` is without ``DIRTY``.
    """
    if not _known(package, commit):
        return None
    listed = _git(package, "ls-tree", "-r", "-z", commit, "--", package.name)
    if listed is None:
        return None
    named: dict[str, str] = {}
    for line in filter(None, listed.decode().split("\0")):
        (_, kind, key), name = line.partition("\t")[0].split(), line.partition("\t")[2]
        if kind == "blob" and list(counting([Path(name)])):
            named[name.removeprefix(f"{package.name}/")] = key
    return _contents(package, named)


def _contents(package: Path, named: Mapping[str, str]) -> dict[str, bytes] | None:
    """What git keeps under these keys: each comes as ``key kind size``, a line, and the bytes."""
    asked = "".join(f"{key}\n" for key in named.values()).encode()
    told = _git(package, "cat-file", "--batch", given=asked)
    if told is None:
        return None
    files, at = {}, 0
    for name in named:
        begin = told.index(b"\n", at) + 1
        *_, size = told[at:begin].split()
        at = begin + int(size)
        files[name] = told[begin:at]
        at += 1
    return files


def file_at(package: Path, commit: str, path: Path) -> bytes | None:
    """One file as a commit has it; ``None`` where the commit has no such file, or is not known.

    Raises ``ValueError`` for a path outside the repository.
    """
    name = path.resolve().relative_to(package.parent.resolve()).as_posix()
    if not _known(package, commit):
        return None
    return _git(package, "cat-file", "blob", f"{commit}:{name}")


def changes(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> list[str]:
    """What happened to each file that is not the same: ``["changed metrics/bleu.py", ...]``.

    What changed comes first, then what was removed: a file that was added may be of no account.
    """
    both = before.keys() & after
    told = {
        "changed": {name for name in both if before[name] != after[name]},
        "removed": before.keys() - both,
        "added": after.keys() - both,
    }
    return [f"{how} {name}" for how in told for name in sorted(told[how], key=_place)]


def _known(package: Path, commit: str) -> bool:
    """Whether this repository has the commit; its name comes from a file and is not trusted."""
    if not _COMMIT.fullmatch(commit):
        return False
    return _git(package, "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}") is not None


def _git(package: Path, *words: str, given: bytes | None = None) -> bytes | None:
    """What git says; ``None`` where there is none or it failed."""
    if not has_git(package):
        return None
    run = _run(package, words, given)
    return run.stdout if run.returncode == 0 else None


def _run(
    package: Path, words: tuple[str, ...], given: bytes | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["git", *words],
        cwd=package.parent,
        env={**os.environ, "LC_ALL": "C"},  # what it says is read, so it must be in English
        input=given,
        capture_output=True,
        check=False,
    )


# --- The code that a record depends on: what can be reached from its system and its measure ---


PROSE = "docstrings and comments"
"""What a checksum leaves out; a record says so."""


def code_of(package: Path, specification: Specification) -> dict[str, Any]:
    """Of a record: the commit, the entries, how many files they reach, and a checksum of these."""
    entries = entries_of(package, specification)
    files = code_here(package, {"entries": entries})
    return {
        "commit": commit_here(package),
        "entries": list(entries),
        "without": PROSE,
        "files": len(files),
        "checksum": checksum_of(files),
        **({"outside": outside} if (outside := own_code(specification)) else {}),
    }


def code_here(package: Path, code: Mapping[str, Any]) -> dict[str, bytes]:
    """The files here that a record depends on, by the entries that it names; without prose."""
    return _counted(files_here(package, EVERYTHING), package, code)


def code_at(package: Path, code: Mapping[str, Any], commit: str) -> dict[str, bytes] | None:
    """The same of a commit; ``None`` where that is not known here."""
    files = files_at(package, commit)
    return None if files is None else _counted(files, package, code)


def _counted(
    files: Mapping[str, bytes], package: Path, code: Mapping[str, Any]
) -> dict[str, bytes]:
    found = reached(files, code.get("entries", ()), package.name)
    return {name: bare(text) if name.endswith(".py") else text for name, text in found.items()}


def entries_of(package: Path, specification: Specification) -> tuple[str, ...]:
    """The files from which everything that an experiment runs can be reached, and its templates."""
    measure = type(specification.measure).__module__
    is_ours = measure.startswith(f"{PACKAGE.name}.")
    entries = {_file_of(measure) if is_ours else "experiments/measures/measure.py"}
    for run in specification.runs:
        system = run["system"]
        if system in (*FLOORS, *UNTRAINED):
            continue
        if system not in OURS:
            entries.add("systems/own_system.py")
            continue
        names = {FILES[system][0], TRAINING.get(system, FILES[system][0])}
        entries |= {f"systems/{name}.py" for name in names}
        entries |= set(_templates(package, _template_name(run)))
    return tuple(sorted(entries))


def _template_name(run: Mapping[str, Any]) -> str:
    """The templates of a run; of what orders words for another system, those that it chooses."""
    settings = settings_of(run)
    if run["system"] in ORDERED_BY:
        return str(settings.ordering()["templates"])
    return str(getattr(settings, "templates", ""))


def _templates(package: Path, name: str) -> Iterator[str]:
    """Where templates of this name lie; each slice has a folder of its own."""
    if name and not is_own_file(name):  # one's own: see own_code
        for path in sorted(package.glob(f"*/tables/**/{name}.txt")):
            yield path.relative_to(package).as_posix()


def _file_of(module: str) -> str:
    return "/".join(module.split(".")[1:]) + ".py"
