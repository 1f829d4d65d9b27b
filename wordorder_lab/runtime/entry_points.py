"""What other packages bring: their entry points, found when asked for and loaded when used.

A package says in its ``pyproject.toml`` what it brings, under one of three groups:

    [project.entry-points."wordorder_lab.systems"]
    greedy-bigrams = "greedy_bigrams:SYSTEM"

Nothing of it is imported until somebody names it, and then first in a process of its own: it may
raise anything, end Python or go on for ever. So a broken package is in nobody's way but of whoever
uses it, and the message says which package it is. What claims a name of ours, or one that another
package has, is not used.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Container
from contextlib import redirect_stdout, suppress
from functools import cache
from importlib.metadata import Distribution, EntryPoint, distributions
from tempfile import TemporaryFile
from typing import Any

from wordorder_lab.structures.messages import brief, cited, one_line

SYSTEMS, VIEWS, MEASURES = (f"wordorder_lab.{kind}" for kind in ("systems", "views", "measures"))
NOUNS = {SYSTEMS: "system", VIEWS: "view", MEASURES: "measure"}
SECONDS_TO_IMPORT = "WORDORDER_LAB_IMPORT_SECONDS"
"""The environment variable for how long the import of a package may take."""
USUALLY = 30  # seconds, where it says nothing
TRIAL = """
import importlib, json, os, sys
path, module, token = sys.argv[1:]
del sys.argv[1:]
output = os.dup(1)
os.dup2(2, 1)
try:
    sys.path[:] = json.loads(path)
    importlib.import_module(module)
finally:
    os.write(output, token.encode())
    os._exit(0)
"""
"""Tells the token once the import has come to an end, well or with an error."""


def brought(group: str, ours: Container[str] = ()) -> dict[str, EntryPoint]:
    """The entry points of a group that can be used, by their names, sorted.

    What has a name of ``ours``, or one that another package has, is left out, and so is all of a
    package whose entry points cannot be read; a line says so, once.
    """
    clashing = clashes(group, ours)
    for message in (*unreadable().values(), *clashing.values()):
        _say(message)
    return {point.name: point for point in of_group(group) if point.name not in clashing}


def clashes(group: str, ours: Container[str] = ()) -> dict[str, str]:
    """Name -> whose it is besides and what to do, of those that a package cannot have."""
    found: dict[str, list[str]] = {}
    for point in of_group(group):
        found.setdefault(point.name, ["wordorder_lab"] if point.name in ours else [])
        found[point.name].append(package_of(point))
    return {
        name: f"the packages {' and '.join(packages)} both have a {NOUNS[group]} {name!r}, and "
        f"{'only ours' if name in ours else 'none'} is used: take one of them out with pip "
        "uninstall, or rename it"
        for name, packages in found.items()
        if len(packages) > 1
    }


def unreadable() -> dict[str, str]:
    """Package -> why its entry points cannot be read and what to do, of those that have such."""
    return _installed(_path())[1]


def entry_point(group: str, name: str, ours: Container[str] = ()) -> EntryPoint:
    """The one of this name; ``ValueError`` where it cannot be used, ``KeyError`` for
    no such name."""
    clashing = clashes(group, ours)
    if name in clashing:
        raise ValueError(clashing[name])
    return {point.name: point for point in of_group(group)}[name]


def load(group: str, name: str, kind: type, ours: Container[str] = ()) -> Any:
    """What a package brings under this name, imported now; it is a ``kind``.

    Raises ``ValueError`` as ``entry_point``, where it cannot be imported, ends Python or takes
    longer than it may, and where it is something else; the message names the package and the way
    out. ``ValueError`` also where ``SECONDS_TO_IMPORT`` is no time, ``KeyError`` for no such name.
    """
    point = entry_point(group, name, ours)
    seconds = _seconds()
    try:
        _try_apart(point, seconds)
        with redirect_stdout(sys.stderr):  # our output may be JSON
            thing = point.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # somebody else's code: it may raise anything
        what = f"{point.value} cannot be loaded ({type(error).__name__}: {brief(error)})"
        raise does_not_fit(group, name, what) from error
    if not isinstance(thing, kind):
        what = f"{point.value} is no {kind.__name__} but a {type(thing).__name__}"
        raise does_not_fit(group, name, what)
    return thing


def _seconds() -> float:
    given = os.environ.get(SECONDS_TO_IMPORT) or str(USUALLY)
    try:
        seconds = float(given)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise ValueError(f"{SECONDS_TO_IMPORT} is a number of seconds above 0, not {cited(given)}")
    return seconds


def _try_apart(point: EntryPoint, seconds: float) -> None:
    """Import it in a process of its own, which may end or hang; an error is raised again here."""
    if point.module in sys.modules or not sys.executable:
        return
    import subprocess  # a browser has none, and no other packages that bring something

    token, null = os.urandom(16).hex(), subprocess.DEVNULL  # what it could not tell by chance
    command = [sys.executable, "-c", TRIAL, json.dumps(_path()), point.module, token]
    with TemporaryFile() as output:  # a pipe would wait for what it leaves running, too
        try:
            code = subprocess.run(
                command, stdin=null, stdout=output, stderr=null, timeout=seconds, check=False
            ).returncode
        except subprocess.TimeoutExpired:
            raise TimeoutError(
                f"its import takes more than {seconds:g} seconds, which {SECONDS_TO_IMPORT} changes"
            ) from None
        output.seek(0)
        came_back = output.read() == token.encode()
    if not came_back:
        raise ChildProcessError(f"its import ends Python, exit code {code}")


def package_of(point: EntryPoint) -> str:
    """The package that brings it, with its version, ``"greedy-bigrams 0.1"``, or its path."""
    return point.value if point.dist is None else _called(point.dist)


def removal(point: EntryPoint) -> str:
    """How the package is got rid of: ``"take it out with pip uninstall greedy-bigrams"``."""
    unnamed = f"take it out with pip uninstall {point.module}"
    return unnamed if point.dist is None else _removal(point.dist)


def does_not_fit(group: str, name: str, what: str) -> ValueError:
    """The error for what a package brings under this name: which package, and the way out."""
    point = next((point for point in of_group(group) if point.name == name), None)
    if point is None:  # a class of one's own, used without a package
        return ValueError(f"the {NOUNS[group]} {name!r} does not fit: {what}")
    return ValueError(
        f"the package {package_of(point)} brings the {NOUNS[group]} {name!r}, but {what}: "
        f"mend it, or {removal(point)}"
    )


def of_group(group: str) -> tuple[EntryPoint, ...]:
    """All entry points of a group, in the order of names and packages."""
    return tuple([point for point in _installed(_path())[0] if point.group == group])


def _path() -> tuple[str, ...]:
    """``sys.path`` as texts: somebody may have put anything into it."""
    given = (os.fspath(one) for one in sys.path if isinstance(one, str | os.PathLike))
    return tuple([one for one in given if isinstance(one, str)])


@cache
def _installed(path: tuple[str, ...]) -> tuple[tuple[EntryPoint, ...], dict[str, str]]:
    """The entry points of our groups in the packages on this path, and what is ``unreadable``."""
    seen: set[str] = set()
    points: list[EntryPoint] = []
    wrong: dict[str, str] = {}
    for package in distributions(path=list(path)):
        if (key := _key(package)) in seen:
            continue
        seen.add(key)
        try:
            points += [point for point in package.entry_points if point.group in NOUNS]
        except Exception as error:  # its file may have anything in it
            called = _called(package)
            wrong[called] = (
                f"the entry points of the package {called} cannot be read "
                f"({type(error).__name__}: {brief(error)}): mend it, or {_removal(package)}"
            )
    points.sort(key=lambda point: (point.name, package_of(point), point.value))
    return tuple(points), wrong


def _key(package: Distribution) -> str:
    """The name by which a package is known: mostly that of its folder, which is quick."""
    try:
        return str(getattr(package, "_normalized_name", None) or package.name)
    except Exception:
        return _place(package)


def _place(package: Distribution) -> str:
    """The folder with its metadata."""
    return str(getattr(package, "_path", None) or package.locate_file(""))


def _called(package: Distribution) -> str:
    with suppress(Exception):  # its file may have anything in it
        if package.name:
            return f"{package.name} {package.version or ''}".rstrip()
    return _place(package)


def _removal(package: Distribution) -> str:
    with suppress(Exception):
        if package.name:
            return f"take it out with pip uninstall {package.name}"
    return "delete that folder"


@cache
def _say(message: str) -> None:
    print(one_line(message), file=sys.stderr)
