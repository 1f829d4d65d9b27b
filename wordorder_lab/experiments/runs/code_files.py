"""The files that decide what something gives: those that its code reaches, here and at a commit.

A module is reached if one that is reached imports it, at its top or inside a function: systems and
engines are loaded by name, when they are needed, and in the workers of a run too. Docstrings and
comments do not count (``bare``). Three kinds of files are passed over: tables that only list names
(``LISTS``), since a new row says nothing about the others; what only draws (``DRAWS``); and imports
for type checkers. Whatever is not reached may change, and a record is in order: a new system, a
view, a command. What comes from other packages has a checksum of its own (``provenance``).

A commit's files are read out of git's store; nothing is checked out. Where there is no git, or the
package does not lie in its own repository (installed from a wheel, unpacked from an archive), no
commit is known and the answer is ``None``.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
import shutil
import subprocess
import tokenize
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatch
from functools import cache
from io import BytesIO
from pathlib import Path, PurePosixPath

PACKAGE = Path(__file__).parents[2]
LISTS = (
    "systems/names.py",
    "systems/registry.py",
    "experiments/runs/schema.py",
    "experiments/runs/known_settings.py",  # of earlier commits
)
DRAWS = (
    "experiments/measures/*_report.py",
    "experiments/measures/figures.py",
    "experiments/measures/rows.py",
    "experiments/measures/style.py",  # of earlier commits
)
COUNTING = (".py", ".txt")
LONG_TEXT = (b'"""', b"'''", b"\\\n")
"""Without one of these, no text goes on in a second line: what begins with # there is a comment."""
Files = Mapping[str, bytes]


def reached(files: Files, entries: Iterable[str], package: str) -> dict[str, bytes]:
    """Of the files of a package, those that are reached from the entries. Entries that are not
    there are left out: then the checksum is another one, as it should be."""
    found: dict[str, bytes] = {}
    todo = sorted(set(entries) & files.keys())
    while todo:
        name = todo.pop()
        if name in found or name in LISTS or draws(name):
            continue
        found[name] = files[name]
        if name.endswith(".py"):
            todo += [other for other in _imported(files[name], package) if other in files]
    return dict(sorted(found.items()))


@cache
def draws(name: str) -> bool:
    """Whether a file of the package only draws."""
    return any(fnmatch(name, drawn) for drawn in DRAWS)


@cache
def _imported(text: bytes, package: str) -> tuple[str, ...]:
    """What a file imports of its own package, as a file might be called; with a module come the
    packages around it."""
    modules: list[Sequence[str]] = []
    for node in _parsed(text):
        if isinstance(node, ast.Import):
            modules += [alias.name.split(".") for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            base = node.module.split(".")
            modules += [base, *([*base, alias.name] for alias in node.names)]
    files: dict[str, None] = {}
    for first, *parts in modules:
        if first != package:
            continue
        for n in range(len(parts) + 1):
            files["/".join([*parts[:n], "__init__.py"])] = None
        if parts:
            files[f"{'/'.join(parts)}.py"] = None
    return tuple(files)


@cache
def _parsed(text: bytes) -> tuple[ast.stmt, ...]:
    """Imports that run, and docstrings wherever they stand: all that is asked of a file's tree."""
    found: list[ast.stmt] = []
    todo: list[tuple[ast.AST, bool]] = [(ast.parse(text), True)]
    while todo:
        node, runs = todo.pop()
        imports = runs and isinstance(node, ast.Import | ast.ImportFrom)
        prose = isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str)
        if isinstance(node, ast.stmt) and (imports or prose):
            found.append(node)
        for name in ("body", "handlers", "cases", "orelse", "finalbody"):
            only_types = name == "body" and isinstance(node, ast.If) and _for_types(node)
            inside = getattr(node, name, ())
            if isinstance(inside, list):  # the body of a lambda is an expression
                todo += [(child, runs and not only_types) for child in inside]
    return tuple(found)


def _for_types(node: ast.If) -> bool:
    names = (getattr(n, "id", getattr(n, "attr", "")) for n in ast.walk(node.test))
    return "TYPE_CHECKING" in names


def files_here(package: Path, folders: Sequence[str] = ("",)) -> dict[str, bytes]:
    """The code and templates of these folders, or of all."""
    found = (path for folder in folders for path in (package / folder).rglob("*.*"))
    counting = (path for path in found if path.suffix in COUNTING)
    return {path.relative_to(package).as_posix(): path.read_bytes() for path in counting}


@cache
def bare(text: bytes) -> bytes:
    """The lines of a Python file that do something: no docstrings, no lines of comment alone. So a
    sentence that is mended leaves records in order. What stands between quotes anywhere else
    counts, and so does a comment behind code."""
    lines: list[bytes | None] = list(text.split(b"\n"))
    for node in (one for one in _parsed(text) if isinstance(one, ast.Expr)):
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1):
            lines[number - 1] = None
    hashes = [i for i, line in enumerate(lines) if line and line.lstrip().startswith(b"#")]
    code = b"\n".join(filter(None, lines))
    if hashes and any(mark in code for mark in LONG_TEXT):
        tokens = tokenize.tokenize(BytesIO(text).readline)
        comments = {token.start[0] - 1 for token in tokens if token.type == tokenize.COMMENT}
        hashes = [i for i in hashes if i in comments]
    for i in hashes:
        lines[i] = None
    return b"\n".join(line.rstrip() for line in lines if line is not None and line.strip())


def code_in(files: Files, package: Path, entries: Iterable[str]) -> dict[str, bytes]:
    """Of all files of a package those that are reached from the entries, without prose."""
    found = reached(files, entries, package.name)
    return {name: bare(text) if name.endswith(".py") else text for name, text in found.items()}


FIRST = (
    "structures corpora models metrics systems transition best_first transduction experiments trace"
).split()
"""The folders that a checksum takes first, in this order; all others follow."""


def checksum_of(files: Files) -> str:
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


def changes(before: Files, after: Files) -> list[str]:
    """What happened to each file that is not the same: ``["changed metrics/bleu.py", ...]``. What
    changed comes first, then what was removed: a file that was added may be of no account."""
    both = before.keys() & after
    found = {
        "changed": {name for name in both if before[name] != after[name]},
        "removed": before.keys() - both,
        "added": after.keys() - both,
    }
    return [f"{kind} {name}" for kind in found for name in sorted(found[kind], key=_place)]


# --- as a commit has them -------------------------------------------------------------------------

DIRTY = "-dirty"
"""Ends the name of a commit when files that it has were other than in it."""
MADE = ("records", "verdicts")
_COMMIT = re.compile(r"[0-9A-Za-z][\w./-]*")
"""A commit's name comes from a file and is not trusted."""
_blobs: dict[str, bytes] = {}
"""What was read out of git, by its key, which is a checksum: commits have most files in common."""


def commit_here(package: Path) -> str | None:
    """The commit, with ``DIRTY`` if files of it have changed since; ``None`` without git. Records
    and verdicts do not count: what was made a moment ago says nothing against the next."""
    name = _git(package, "describe", "--always", "--abbrev=12")
    if not name:
        return None
    others = [f":(top,exclude){package.name}/experiments/{made}" for made in MADE]
    asked = ("status", "--porcelain", "--untracked-files=no", "--", ":(top)", *others)
    return name.decode().strip() + (DIRTY if _git(package, *asked) else "")


def has_git(package: Path) -> bool:
    """Whether the package lies at the top of a git repository, and git is there to read it."""
    return (package.parent / ".git").exists() and shutil.which("git") is not None


def refused(package: Path) -> bool:
    """Whether git reads nothing of the repository because its folder belongs to somebody else."""
    run = _run(package, ("rev-parse", "--git-dir"))
    return run.returncode != 0 and b"dubious ownership" in run.stderr


@cache
def files_at(package: Path, commit: str) -> dict[str, bytes] | None:
    """The package's files as a commit has them, and its specifications; ``None`` where the commit
    is not known here. ``commit`` is without ``DIRTY``."""
    if not _COMMIT.fullmatch(commit):
        return None
    if _git(package, "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}") is None:
        return None
    listed = _git(package, "ls-tree", "-r", "-z", commit, "--", package.name)
    if listed is None:
        return None
    named: dict[str, str] = {}
    for line in filter(None, listed.decode().split("\0")):
        about, _, name = line.partition("\t")
        _, kind, key = about.split()
        if kind == "blob" and name.endswith((*COUNTING, ".toml")):
            named[name.removeprefix(f"{package.name}/")] = key
    return _contents(package, named)


def _contents(package: Path, named: Mapping[str, str]) -> dict[str, bytes] | None:
    """What git keeps under these keys: each comes as ``key kind size``, a line, and the bytes."""
    new = dict.fromkeys(key for key in named.values() if key not in _blobs)
    found = _git(package, "cat-file", "--batch", given="".join(f"{key}\n" for key in new).encode())
    if found is None:
        return None
    at = 0
    for key in new:
        begin = found.index(b"\n", at) + 1
        *_, size = found[at:begin].split()
        at = begin + int(size)
        _blobs[key] = found[begin:at]
        at += 1
    return {name: _blobs[key] for name, key in named.items()}


def _git(package: Path, *words: str, given: bytes | None = None) -> bytes | None:
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
