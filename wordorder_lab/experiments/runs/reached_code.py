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
from pathlib import Path, PurePosixPath

PACKAGE = Path(__file__).parents[2]
LISTS = ("systems/names.py", "experiments/runs/known_settings.py")
DRAWS = (
    "experiments/measures/*_report.py",
    "experiments/measures/rows.py",
    "experiments/measures/style.py",
)
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
        if name in found or any(fnmatch(name, drawn) for drawn in (*LISTS, *DRAWS)):
            continue
        found[name] = files[name]
        if name.endswith(".py"):
            todo += [other for other in _imported(files[name], package) if other in files]
    return dict(sorted(found.items()))


@cache
def _imported(text: bytes, package: str) -> tuple[str, ...]:
    """What a file imports of its own package, as far as its text shows, each as a file might be
    called; with a module come the packages around it."""
    modules: list[Sequence[str]] = []
    for node in _running(ast.parse(text)):
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
            around = PurePosixPath(*parts[:n])
            files[(around / "__init__.py").as_posix()] = None
        if parts:
            files[f"{PurePosixPath(*parts).as_posix()}.py"] = None
    return tuple(files)


def _running(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those that only type checkers read."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            todo += node.orelse
            continue
        yield node
        todo += ast.iter_child_nodes(node)


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
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            for number in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                lines[number - 1] = None
    for token in tokenize.tokenize(BytesIO(text).readline):
        if token.type == tokenize.COMMENT and token.line.lstrip().startswith("#"):
            lines[token.start[0] - 1] = None
    return b"\n".join(line.rstrip() for line in lines if line is not None and line.strip())
