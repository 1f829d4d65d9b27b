"""Whose mistake an error is: ours, or that of a package that brings a system, a measure or a view.

Ours keeps its traceback, for we want to see it. One of theirs is a line that names the package, the
place in its files, and the way out. Where their code called ours and that failed, it is told as
theirs: most often it was called with something wrong.
"""

from __future__ import annotations

import os
import re
import sys
import traceback
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from types import FrameType, FunctionType

from wordorder_lab.runtime.entry_points import SAID, of_group, package_of, removal
from wordorder_lab.structures.messages import brief

PLACE = re.compile(r'^ *File "(.+)", line (\d+), in (\S+)$', re.MULTILINE)
"""A line of a traceback. One that comes from another process is a text, and has them too."""


def mistake_of_a_package(error: BaseException) -> str | None:
    """What to say of an error in what another package brings; ``None`` where it is none of theirs.

    ``None`` also where Python shall show more: with ``-X dev``, or ``PYTHONDEVMODE=1``.
    """
    points = {
        point.module.partition(".")[0]: point
        for group in SAID
        for point in of_group(group)
        if point.pattern.match(point.value)
    }
    if sys.flags.dev_mode or not points:
        return None
    said = brief(f"{type(error).__name__}: {error}")
    for file, line, function in reversed(PLACE.findall("".join(traceback.format_exception(error)))):
        if (point := _owner(file, points)) is not None:
            where = f"{function} ({os.path.basename(file)}, line {line})"
            return (
                f"the package {package_of(point)} fails in {where} with {said}: {_way_out(point)}"
            )
    if not isinstance(error, Exception):  # who ends Python is who says so, whatever it was given
        return None
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    for frame in reversed(frames):
        for module in _modules_of(frame):
            if (found := points.get(module)) is not None:
                where = frame.f_code.co_name
                return (
                    f"what the package {package_of(found)} brings does not fit: {where} fails with "
                    f"{said}: {_way_out(found)}"
                )
    return None


def _owner(file: str, points: dict[str, EntryPoint]) -> EntryPoint | None:
    """The entry point in whose module, or the package around it, a file of code is."""
    for name, point in points.items():
        found = find_spec(name)
        folders = [] if found is None else found.submodule_search_locations or []
        if found is not None and found.origin == file:
            return point
        if any(file.startswith(os.path.join(folder, "")) for folder in folders):
            return point
    return None


def _modules_of(frame: FrameType) -> Iterator[str]:
    """The modules, without what they are in, from which come the things that a function handles."""
    for value in frame.f_locals.values():
        thing = value if isinstance(value, type | FunctionType) else type(value)
        yield thing.__module__.partition(".")[0]


def _way_out(point: EntryPoint) -> str:
    return f"mend it (PYTHONDEVMODE=1 shows all), or {removal(point)}"
