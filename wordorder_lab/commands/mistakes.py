"""Whose mistake an error is: the user's, ours, or that of a package that somebody has installed.

The user's is a line. Ours keeps its traceback. One of a package is a line that names it, the place
in its files, and the way out; also where its code called ours with something wrong.
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

from wordorder_lab.runtime.entry_points import NOUNS, of_group, package_of, removal
from wordorder_lab.structures.messages import LONGEST, as_text, brief

PACKAGE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")
"""The folder of our own files."""
PLACE = re.compile(r'^ *File "(.+)", line (\d+), in (\S+)$', re.MULTILINE)
"""A line of a traceback. One that comes from another process is a text, and has them too."""

ASIDE = re.compile(r" \((?:in Python: |wl\.)[^()]*\)")
"""What a message adds for those who call a function; a command line has options instead."""


def message_of(error: BaseException) -> str | None:
    """The line for an error of the user, or of a package; ``None`` for one of ours."""
    if not is_about_input(error):
        return mistake_of_a_package(error)
    return _places_cut(ASIDE.sub("", _about(error)))


def is_about_input(error: BaseException) -> bool:
    """Whether an error is about a file, or something that we refused ourselves; a ``ValueError``
    that comes out of a library is a mistake of ours, and keeps its traceback."""
    if isinstance(error, OSError) or type(error).__module__.startswith("wordorder_lab."):
        return True
    if not isinstance(error, ValueError):
        return False
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return bool(frames) and frames[-1].f_code.co_filename.startswith(PACKAGE)


def _places_cut(message: str) -> str:
    """As many of the places looked at for a corpus as there is room for: or the command that gets
    it, which comes before them, would lose its middle."""
    room = LONGEST - len("wordorder-lab: ")
    if len(message) <= room:
        return message
    from wordorder_lab.corpora.readers.files import LOOKED

    before, looked, places = message.partition(LOOKED)
    names = places.split(", ") if looked else []
    while len(message) > room and names:
        names.pop()
        message = before + (f"{looked} {', '.join(names)}, ...)" if names else "")
    return message


def _about(error: BaseException) -> str:
    """What an error says. One of the system names the file first, or where space has run out."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    if error.filename:
        return f"{as_text(os.fsdecode(error.filename))}: {error.strerror}"
    return error.strerror


def mistake_of_a_package(error: BaseException) -> str | None:
    """The message for an error in what another package brings; ``None`` where it is none of theirs,
    and where Python shall show more: with ``-X dev``, or ``PYTHONDEVMODE=1``."""
    points = {
        point.module.partition(".")[0]: point
        for group in NOUNS
        for point in of_group(group)
        if point.pattern.match(point.value)
    }
    if sys.flags.dev_mode or not points:
        return None
    message = brief(f"{type(error).__name__}: {error}")
    for file, line, function in reversed(PLACE.findall("".join(traceback.format_exception(error)))):
        if (point := _owner(file, points)) is not None:
            where = f"fails in {function} ({os.path.basename(file)}, line {line}) with {message}"
            return f"the package {package_of(point)} {where}: {_way_out(point)}"
    if not isinstance(error, Exception):  # who ends Python is who says so, whatever it was given
        return None
    for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):
        for module in _modules_of(frame):
            if (point := points.get(module)) is not None:
                where = f"{frame.f_code.co_name} fails with {message}"
                brought = f"what the package {package_of(point)} brings does not fit"
                return f"{brought}: {where}: {_way_out(point)}"
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
