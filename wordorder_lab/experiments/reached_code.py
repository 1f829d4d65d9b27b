"""The code that a record depends on: what can be reached from its system and its measure.

A module is reached if one that is reached imports it, at its top or inside a function: systems and
engines are loaded by name, when they are needed, and in the workers of a run too. So the entries of
an experiment are the files of its systems, that of its measure, and the templates that its runs
name. Whatever is not reached may change, and the record is in order: a new system, a view, a
command.

Three kinds of files are passed over: tables that only list names (``LISTS``), since a new row says
nothing about the others; what only draws (``DRAWS``); and imports for type checkers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from wordorder_lab.experiments.code_files import (
    checksum_of,
    commit_here,
    files_at,
    files_here,
)
from wordorder_lab.experiments.measures.measure import Specification
from wordorder_lab.experiments.runs.training import FLOOR, KEEP_ALL, RANDOM_DELETION, for_training
from wordorder_lab.systems import training_settings
from wordorder_lab.systems.names import FILES, TRAINING

LISTS = ("systems/names.py", "experiments/runs/known_settings.py")
DRAWS = (
    "experiments/measures/*_report.py",
    "experiments/measures/rows.py",
    "experiments/measures/style.py",
    "experiments/measures/claims.py",
)
EVERYTHING = ("",)
"""All folders of the package, as ``files_here`` and ``files_at`` take them."""

Files = Mapping[str, bytes]


def code_of(package: Path, specification: Specification) -> dict[str, Any]:
    """Of a record: the commit, the entries, how many files they reach, and a checksum of these."""
    entries = entries_of(package, specification)
    files = code_here(package, {"entries": entries})
    return {
        "commit": commit_here(package),
        "entries": list(entries),
        "files": len(files),
        "checksum": checksum_of(files),
    }


def code_here(package: Path, code: Mapping[str, Any]) -> dict[str, bytes]:
    """The files here that a record depends on, by what it says of its code.

    One that was made before records named their entries depends on whole folders.
    """
    if "entries" not in code:
        return files_here(package)
    return reached(files_here(package, EVERYTHING), code["entries"], package.name)


def code_at(package: Path, code: Mapping[str, Any], commit: str) -> dict[str, bytes] | None:
    """The same of a commit; ``None`` where that is not known here."""
    if "entries" not in code:
        return files_at(package, commit)
    files = files_at(package, commit, EVERYTHING)
    return None if files is None else reached(files, code["entries"], package.name)


def entries_of(package: Path, specification: Specification) -> tuple[str, ...]:
    """The files from which everything that an experiment runs can be reached, and its templates."""
    entries = {_file_of(type(specification.measure).__module__)}
    for run in specification.runs:
        system = run["system"]
        if system in (FLOOR, KEEP_ALL, RANDOM_DELETION):
            continue
        names = {FILES[system][0], TRAINING.get(system, FILES[system][0])}
        entries |= {f"systems/{name}.py" for name in names}
        given = {k: v for k, v in for_training(run).items() if k != "engine"}
        entries |= set(
            _templates(package, getattr(training_settings(system, **given), "templates", ""))
        )
    return tuple(sorted(entries))


def _templates(package: Path, name: str) -> Iterator[str]:
    """Where templates of this name lie; each slice has a folder of its own."""
    if name:
        for path in sorted(package.glob(f"*/tables/**/{name}.txt")):
            yield path.relative_to(package).as_posix()


def _file_of(module: str) -> str:
    return "/".join(module.split(".")[1:]) + ".py"


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
