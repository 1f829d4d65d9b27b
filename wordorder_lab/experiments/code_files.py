"""The files that decide what an experiment gives: as they lie here, and as a commit has them.

A commit's files are read out of git's store; nothing is checked out. Where there is no git, or the
package does not lie in its own repository (installed from a wheel, unpacked from an archive), no
commit is known and the answer is ``None``.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path, PurePosixPath

PACKAGE = Path(__file__).parents[1]
RESULTS_COME_FROM = (
    *("structures", "corpora", "tasks", "grammars", "features", "models"),
    *("decoders", "learners", "metrics", "systems"),
    *("transition", "best_first", "transduction"),
)
"""The folders whose code and templates decide what an experiment gives; ``tasks``, ``grammars``,
``features``, ``decoders`` and ``learners`` are those of older commits."""
COUNT_AND_DRAW = ("experiments", "trace")
"""The folders that run experiments, count what comes out and draw it; not in the checksum."""
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
    path, known = PurePosixPath(name), (*RESULTS_COME_FROM, *COUNT_AND_DRAW)
    return known.index(path.parts[0]) if path.parts[0] in known else len(known), path


def files_here(package: Path, folders: tuple[str, ...] = RESULTS_COME_FROM) -> dict[str, bytes]:
    """The code and templates of these folders, by their names in the package."""
    found = (path for folder in folders for path in (package / folder).rglob("*"))
    return {path.relative_to(package).as_posix(): path.read_bytes() for path in _counting(found)}


def _counting(paths: Iterable[Path]) -> Iterable[Path]:
    return (path for path in paths if path.suffix in (".py", ".txt"))


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
def files_at(
    package: Path, commit: str, folders: tuple[str, ...] = RESULTS_COME_FROM
) -> dict[str, bytes] | None:
    """The same files as a commit has them; ``None`` where the commit is not known here.

    ``commit`` is without ``DIRTY``.
    """
    if not _known(package, commit):
        return None
    paths = [f"{package.name}/{folder}".rstrip("/") for folder in folders]
    listed = _git(package, "ls-tree", "-r", "-z", commit, "--", *paths)
    if listed is None:
        return None
    named: dict[str, str] = {}
    for line in filter(None, listed.decode().split("\0")):
        (_, kind, key), name = line.partition("\t")[0].split(), line.partition("\t")[2]
        if kind == "blob" and list(_counting([Path(name)])):
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
