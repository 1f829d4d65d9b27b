"""What other packages bring: their entry points, found when asked for and loaded when used.

A package says in its ``pyproject.toml`` what it brings, under one of three groups:

    [project.entry-points."wordorder_lab.systems"]
    greedy-bigrams = "greedy_bigrams:SYSTEM"

Nothing of it is imported until somebody names it, and then first in a process of its own: it may
raise anything, end Python or go on for ever. So a broken package is in nobody's way but of whoever
uses it, and is told then which package it is. What claims a name of ours, or one that another
package has, is not used.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Container
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from wordorder_lab.structures.one_line import brief, one_line

SYSTEMS, VIEWS, MEASURES = (f"wordorder_lab.{kind}" for kind in ("systems", "views", "measures"))
"""The groups of entry points."""
SAID = {SYSTEMS: "system", VIEWS: "view", MEASURES: "measure"}
SECONDS_TO_IMPORT = 30
"""So long may the import of a package take."""
CAME_BACK = 83
"""The exit code of a process in which the import came to an end, well or with an error."""
TRIAL = f"""
import importlib, json, os, sys
try:
    sys.path[:] = json.loads(sys.argv[1])
    importlib.import_module(sys.argv[2])
finally:
    os._exit({CAME_BACK})
"""


def brought(group: str, ours: Container[str] = ()) -> dict[str, EntryPoint]:
    """The entry points of a group that can be used, by their names, sorted.

    What has a name of ``ours``, or one that another package has, is left out; a line says so, once.
    """
    clashing = clashes(group, ours)
    for said in clashing.values():
        _say(said)
    return {point.name: point for point in of_group(group) if point.name not in clashing}


def clashes(group: str, ours: Container[str] = ()) -> dict[str, str]:
    """Name -> whose it is besides and what to do, of those that a package cannot have."""
    found: dict[str, list[str]] = {}
    for point in of_group(group):
        found.setdefault(point.name, ["wordorder_lab"] if point.name in ours else [])
        found[point.name].append(package_of(point))
    return {
        name: f"the packages {' and '.join(packages)} both have a {SAID[group]} {name!r}, and "
        f"{'only ours' if name in ours else 'none'} is used: take one of them out with pip "
        "uninstall, or rename it"
        for name, packages in found.items()
        if len(packages) > 1
    }


def entry_point(group: str, name: str, ours: Container[str] = ()) -> EntryPoint:
    """The one of this name; ``ValueError`` where it cannot be used, ``KeyError`` for no such name.

    What clashes beside it is not said here: it is in nobody's way.
    """
    clashing = clashes(group, ours)
    if name in clashing:
        raise ValueError(clashing[name])
    return {point.name: point for point in of_group(group)}[name]


def load(group: str, name: str, kind: type, ours: Container[str] = ()) -> Any:
    """What a package brings under this name, imported now; it is a ``kind``.

    Raises ``ValueError`` as ``entry_point``, where it cannot be imported, ends Python or takes
    longer than ``SECONDS_TO_IMPORT``, and where it is something else; the message names the package
    and the way out. ``KeyError`` for no such name.
    """
    point = entry_point(group, name, ours)
    try:
        _try_apart(point)
        thing = point.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # somebody else's code: it may raise anything
        said = f"{point.value} cannot be loaded ({type(error).__name__}: {brief(error)})"
        raise does_not_fit(group, name, said) from error
    if not isinstance(thing, kind):
        said = f"{point.value} is no {kind.__name__} but a {type(thing).__name__}"
        raise does_not_fit(group, name, said)
    return thing


def _try_apart(point: EntryPoint) -> None:
    """Import it in a process of its own, which may end or hang; an error is raised again here."""
    if point.module in sys.modules or not sys.executable:
        return
    command = [sys.executable, "-c", TRIAL, json.dumps(sys.path), point.module]
    null = subprocess.DEVNULL
    try:
        code = subprocess.run(
            command, stdin=null, stdout=null, stderr=null, timeout=SECONDS_TO_IMPORT, check=False
        ).returncode
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"its import takes more than {SECONDS_TO_IMPORT} seconds") from None
    if code != CAME_BACK:
        raise ChildProcessError(f"its import ends Python, exit code {code}")


def package_of(point: EntryPoint) -> str:
    """The package that brings it, with its version: ``"greedy-bigrams 0.1"``."""
    if point.dist is None:
        return point.value
    return f"{point.dist.name} {point.dist.version}"


def does_not_fit(group: str, name: str, said: str) -> ValueError:
    """The error for what a package brings under this name: which package, and the way out."""
    point = next((point for point in of_group(group) if point.name == name), None)
    if point is None:  # a class of one's own, used without a package
        return ValueError(f"the {SAID[group]} {name!r} does not fit: {said}")
    package = point.value if point.dist is None else point.dist.name
    return ValueError(
        f"the package {package_of(point)} brings the {SAID[group]} {name!r}, but {said}: "
        f"mend it, or take it out with pip uninstall {package}"
    )


def of_group(group: str) -> tuple[EntryPoint, ...]:
    """All entry points of a group, in the order of names and packages."""
    return _all(group, tuple(sys.path))


@cache
def _all(group: str, path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """``path`` is where they are looked for: it may change."""
    points = entry_points(group=group)  # of each package, by its name, once
    return tuple(sorted(points, key=lambda point: (point.name, package_of(point), point.value)))


@cache
def _say(said: str) -> None:
    print(one_line(said), file=sys.stderr)
