"""The code of other packages that an experiment depends on: whose it is, and a checksum.

Template files of one's own count as well. A record says for each system and measure from outside
which package brought it and what its files were. No commit of ours has them, so they are held
against what is installed here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from importlib.machinery import ModuleSpec
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from wordorder_lab.experiments.measures.measure import Specification, all_measures
from wordorder_lab.experiments.runs.training import FLOORS, UNTRAINED
from wordorder_lab.runtime.entry_points import (
    MEASURES,
    SYSTEMS,
    brought,
    entry_point,
    package_of,
)
from wordorder_lab.structures.templates import is_own_file
from wordorder_lab.systems.names import OURS

TEMPLATES = "templates "
"""Begins what a record calls a template file of one's own."""
COUNTING = (".py", ".txt", ".toml")
"""Files of a package that count: code, and what may be templates or tables."""


def own_code(specification: Specification) -> dict[str, dict[str, str]]:
    """What an experiment uses of other packages: "system greedy-bigrams" -> package, checksum."""
    said = {told: _said(point) for told, point in _used(specification)}
    return said | {f"{TEMPLATES}{name}": _file_said(name) for name in _own_templates(specification)}


def changed_since(code: Mapping[str, Any]) -> list[str]:
    """What of a record's ``outside`` is here no longer as it was, each with its package."""
    here = {
        f"{kind} {name}": point
        for kind, group, ours in (("system", SYSTEMS, OURS), ("measure", MEASURES, all_measures()))
        for name, point in (brought(group, ours) if code.get("outside") else {}).items()
    }
    return [
        f"{told} of {then.get('package')}"
        for told, then in code.get("outside", {}).items()
        if (
            _file_said(told.removeprefix(TEMPLATES)) != then
            if told.startswith(TEMPLATES)
            else told not in here or _said(here[told]) != then
        )
    ]


def _own_templates(specification: Specification) -> list[str]:
    """The files of one's own that runs name as their templates, as they name them."""
    named = {str(run.get("templates", "")) for run in specification.runs}
    return sorted(filter(is_own_file, named))


def _file_said(name: str) -> dict[str, str]:
    """A file of one's own: no package, and SHA-256 over it; of one that has gone, over nothing."""
    path = Path(name)
    data = path.read_bytes() if path.is_file() else b""
    return {"package": "a file", "checksum": hashlib.sha256(data).hexdigest()}


def _used(specification: Specification) -> Iterator[tuple[str, EntryPoint]]:
    systems = {run["system"] for run in specification.runs} - {*FLOORS, *UNTRAINED} - OURS
    for name in sorted(systems):
        yield f"system {name}", entry_point(SYSTEMS, name, OURS)
    if specification.measure.name not in all_measures():
        name = specification.measure.name
        yield f"measure {name}", entry_point(MEASURES, name, all_measures())


def _said(point: EntryPoint) -> dict[str, str]:
    """The package, and SHA-256 over the files of the module or package that it names."""
    found = find_spec(point.module.partition(".")[0])
    digest = hashlib.sha256()
    for name, path in _files(found):
        digest.update(f"{name}\n".encode())
        digest.update(path.read_bytes())
    return {"package": package_of(point), "checksum": digest.hexdigest()}


def _files(found: ModuleSpec | None) -> Iterator[tuple[str, Path]]:
    if found is None:
        return
    for folder in map(Path, found.submodule_search_locations or ()):
        for path in sorted(folder.rglob("*")):
            if path.suffix in COUNTING and path.is_file():
                yield path.relative_to(folder).as_posix(), path
    if not found.submodule_search_locations and found.origin:
        yield Path(found.origin).name, Path(found.origin)
