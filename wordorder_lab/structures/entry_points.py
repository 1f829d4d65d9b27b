"""What other packages bring: their entry points, found when asked for and loaded when used.

A package says in its ``pyproject.toml`` what it brings, under one of three groups:

    [project.entry-points."wordorder_lab.systems"]
    greedy-bigrams = "greedy_bigrams:SYSTEM"

Nothing of it is imported until somebody names it, so a broken package is in nobody's way but of
whoever uses it, and is told then which package it is.
"""

from __future__ import annotations

import sys
from collections.abc import Container
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from wordorder_lab.structures.one_line import brief

SYSTEMS, VIEWS, MEASURES = (f"wordorder_lab.{kind}" for kind in ("systems", "views", "measures"))
"""The groups of entry points."""
SAID = {SYSTEMS: "system", VIEWS: "view", MEASURES: "measure"}


def brought(group: str, ours: Container[str] = ()) -> dict[str, EntryPoint]:
    """The entry points of a group by their names, sorted.

    Raises ``ValueError`` where two packages bring the same name, or one brings a name of ``ours``:
    whose it is would depend on the order of folders.
    """
    found: dict[str, EntryPoint] = {}
    for point in _all(group, tuple(sys.path)):
        other = found.get(point.name)
        if point.name in ours or other is not None:
            whose = "wordorder_lab" if other is None else package_of(other)
            raise ValueError(
                f"the packages {whose} and {package_of(point)} both have a {SAID[group]} "
                f"{point.name!r}: take one of them out with pip uninstall, or rename it"
            )
        found[point.name] = point
    return found


def load(group: str, name: str, kind: type, ours: Container[str] = ()) -> Any:
    """What a package brings under this name, imported now; it is a ``kind``.

    Raises ``ValueError`` as ``brought``, where it cannot be imported, and where it is something
    else; the message names the package and the way out. ``KeyError`` for no such name.
    """
    point = brought(group, ours)[name]
    try:
        thing = point.load()
    except Exception as error:  # somebody else's code: it may raise anything
        said = f"{point.value} cannot be loaded ({type(error).__name__}: {brief(error)})"
        raise _broken(group, point, said) from error
    if not isinstance(thing, kind):
        said = f"{point.value} is no {kind.__name__} but a {type(thing).__name__}"
        raise _broken(group, point, said)
    return thing


def package_of(point: EntryPoint) -> str:
    """The package that brings it, with its version: ``"greedy-bigrams 0.1"``."""
    if point.dist is None:
        return point.module
    return f"{point.dist.name} {point.dist.version}"


def _broken(group: str, point: EntryPoint, said: str) -> ValueError:
    name = point.module if point.dist is None else point.dist.name
    return ValueError(
        f"the package {package_of(point)} brings the {SAID[group]} {point.name!r}, but {said}: "
        f"mend it, or take it out with pip uninstall {name}"
    )


@cache
def _all(group: str, path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """In the order of names and packages. ``path`` is where they are looked for: it may change."""
    points = entry_points(group=group)  # of each package, by its name, once
    return tuple(sorted(points, key=lambda point: (point.name, package_of(point), point.value)))
