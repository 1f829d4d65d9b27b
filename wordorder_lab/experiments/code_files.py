"""The files that decide what an experiment gives: as they lie here, and as a commit has them.

A commit's files are read out of git's store; nothing is checked out. Where there is no git, or the
package does not lie in its own repository (installed from a wheel, unpacked from an archive), no
commit is known and the answer is ``None``.

What the entries of an experiment (``provenance``) reach (``runs.reached_code``) decides. Whatever
is not reached may change, and the record is in order: a new system, a view, a command. What comes
from other packages has a checksum of its own (``own_code``).
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from wordorder_lab.experiments.runs.reached_code import (
    EVERYTHING,
    bare,
    counting,
    files_here,
    reached,
)

FIRST = (
    *("structures", "corpora", "models", "metrics", "systems"),
    *("transition", "best_first", "transduction", "experiments", "trace"),
)
"""The folders that a checksum takes first, in this order; all others follow."""
DIRTY = "-dirty"
"""Ends the name of a commit when files that it has were other than in it."""
MADE = ("records", "verdicts")
"""The folders that a run of an experiment writes."""
_blobs: dict[str, bytes] = {}
"""What was read out of git, by its key, which is a checksum: commits have most files in common."""
_COMMIT = re.compile(r"[0-9A-Za-z][\w./-]*")


def checksum_of(files: Mapping[str, bytes]) -> str:
    """SHA-256 over names and contents: folder by folder, in each by the parts of the names."""
    digest = hashlib.sha256()
    for name in sorted(files, key=_place):
        digest.update(f"{name}\n".encode())
        digest.update(files[name])
    return digest.hexdigest()


@cache
def _place(name: str) -> tuple[int, PurePosixPath]:
    path = PurePosixPath(name)
    return FIRST.index(path.parts[0]) if path.parts[0] in FIRST else len(FIRST), path


def commit_here(package: Path) -> str | None:
    """The commit, with ``DIRTY`` if files of it have changed since; ``None`` without git.

    Records and verdicts do not count: what was made a moment ago says nothing against the next.
    """
    told = _git(package, "describe", "--always", "--abbrev=12")
    name = told.decode().strip() if told is not None else ""
    if not name:
        return None
    others = [f":(top,exclude){package.name}/experiments/{made}" for made in MADE]
    asked = ("status", "--porcelain", "--untracked-files=no", "--", ":(top)", *others)
    changed = _git(package, *asked)
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
    """The package's files as a commit has them, and its specifications; ``None`` where the commit
    is not known here.

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
        if kind == "blob" and (name.endswith(".toml") or list(counting([Path(name)]))):
            named[name.removeprefix(f"{package.name}/")] = key
    return _contents(package, named)


def _contents(package: Path, named: Mapping[str, str]) -> dict[str, bytes] | None:
    """What git keeps under these keys: each comes as ``key kind size``, a line, and the bytes."""
    new = dict.fromkeys(key for key in named.values() if key not in _blobs)
    told = _git(package, "cat-file", "--batch", given="".join(f"{key}\n" for key in new).encode())
    if told is None:
        return None
    at = 0
    for key in new:
        begin = told.index(b"\n", at) + 1
        *_, size = told[at:begin].split()
        at = begin + int(size)
        _blobs[key] = told[begin:at]
        at += 1
    return {name: _blobs[key] for name, key in named.items()}


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


def code_here(package: Path, code: Mapping[str, Any]) -> dict[str, bytes]:
    """The files here that a record depends on, by the entries that it names; without prose."""
    return code_in(files_here(package, EVERYTHING), package, code)


def code_in(files: Mapping[str, bytes], package: Path, code: Mapping[str, Any]) -> dict[str, bytes]:
    """The same of all files of a package."""
    found = reached(files, code.get("entries", ()), package.name)
    return {name: bare(text) if name.endswith(".py") else text for name, text in found.items()}
