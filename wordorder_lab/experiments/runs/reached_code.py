"""The code that something depends on: all files that can be reached from a few of them.

A module is reached if one that is reached imports it, at its top or inside a function: systems and
engines are loaded by name, when they are needed, and in the workers of a run too. Docstrings and
comments do not count (``bare``).

Three kinds of files are passed over: tables that only list names (``LISTS``), since a new row says
nothing about the others; what only draws (``DRAWS``); and imports for type checkers.
"""

from __future__ import annotations

import ast
import tokenize
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from functools import cache
from io import BytesIO
from pathlib import Path

PACKAGE = Path(__file__).parents[2]
LISTS = (
    *("systems/names.py", "experiments/runs/known_settings.py"),
    "experiments/runs/schema.py",
)
DRAWS = (
    "experiments/measures/*_report.py",
    "experiments/measures/figures.py",
    "experiments/measures/tables.py",
)
LONG_TEXT = (b'"""', b"'''", b"\\\n")
"""Without one of these, no text goes on in a second line: what begins with # there is a comment."""
EVERYTHING = ("",)
"""All folders of the package, as ``files_here`` and ``files_at`` take them."""

Files = Mapping[str, bytes]


def reached(files: Files, entries: Iterable[str], package: str) -> dict[str, bytes]:
    """Of the files of a package, by their names in it, those that are reached from the entries.

    Entries that are not there are left out: then the checksum is another one, as it should be.
    """
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
    """What a file imports of its own package, as far as its text shows, each as a file might be
    called; with a module come the packages around it."""
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
        if isinstance(node, ast.stmt) and (imports or _is_prose(node)):
            found.append(node)
        for name in ("body", "handlers", "cases", "orelse", "finalbody"):
            only_types = name == "body" and isinstance(node, ast.If) and _for_types(node)
            inside = getattr(node, name, ())
            if isinstance(inside, list):  # the body of a lambda is an expression
                todo += [(child, runs and not only_types) for child in inside]
    return tuple(found)


def _for_types(node: ast.If) -> bool:
    """Whether only type checkers read what follows."""
    asked = ("TYPE_CHECKING",)
    return any(getattr(n, "id", getattr(n, "attr", "")) in asked for n in ast.walk(node.test))


def _is_prose(node: ast.stmt) -> bool:
    """Whether a statement is a text and nothing else."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def files_here(package: Path, folders: tuple[str, ...]) -> dict[str, bytes]:
    """The code and templates of these folders, by their names in the package."""
    found = (path for folder in folders for path in (package / folder).rglob("*"))
    return {path.relative_to(package).as_posix(): path.read_bytes() for path in counting(found)}


def counting(paths: Iterable[Path]) -> Iterable[Path]:
    """Those of the files that count: code and templates."""
    return (path for path in paths if path.suffix in (".py", ".txt"))


@cache
def bare(text: bytes) -> bytes:
    """The lines of a Python file that do something: no docstrings, no lines of comment alone.

    So a sentence that is mended leaves records in order. What stands between quotes anywhere else
    counts, and so does a comment behind code.
    """
    lines: list[bytes | None] = list(text.split(b"\n"))
    for node in (one for one in _parsed(text) if isinstance(one, ast.Expr)):
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1):
            lines[number - 1] = None
    hashes = [i for i, line in enumerate(lines) if line and line.lstrip().startswith(b"#")]
    code = b"\n".join(filter(None, lines))
    if hashes and any(mark in code for mark in LONG_TEXT):
        hashes = [i for i in _comments(text) if i in hashes]
    for i in hashes:
        lines[i] = None
    return b"\n".join(line.rstrip() for line in lines if line is not None and line.strip())


def _comments(text: bytes) -> Iterator[int]:
    """The lines, from 0, in which a comment begins."""
    for token in tokenize.tokenize(BytesIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0] - 1
