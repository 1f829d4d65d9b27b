"""Python, and the libraries beside those of the lock: which versions, and can they be imported.

``locked.txt`` has what ``requirements.lock`` says, a library a line: name, version, who needs it
(``run`` for every command, ``lab`` for notebooks, ``test`` for the tests), and ``direct`` where we
import it ourselves. What only some systems need is left out, and what only builds the package.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module, metadata
from pathlib import Path
from typing import NamedTuple

from wordorder_lab.commands.doctor.finding import BROKEN, FINE, MISSING, OTHER, Finding

ABOUT = "Python and libraries"
LOCKED = Path(__file__).with_name("locked.txt")
OLDEST = (3, 11)
EXTRAS = {"lab": "notebooks", "test": "tests, cluster"}
"""What those sections of the lock are for that the commands do without."""
SHOWN = 5
"""So many names stand in a line of a summary."""


class Locked(NamedTuple):
    """A line of ``locked.txt``."""

    name: str
    version: str
    section: str
    direct: bool


@cache
def locked() -> tuple[Locked, ...]:
    """What the lock has."""
    rows = [line.split() for line in LOCKED.read_text(encoding="utf-8").splitlines()]
    return tuple(Locked(row[0], row[1], row[2], "direct" in row) for row in rows)


def libraries() -> Iterator[Finding]:
    """Python; each library that we import; those that they need; then what notebooks need."""
    yield python(sys.version_info[:2])
    ours = [row for row in locked() if row.section == "run"]
    yield from (library(row) for row in ours if row.direct)
    yield several("what these need", [row for row in ours if not row.direct], needed=True)
    for section, name in EXTRAS.items():
        rows = [row for row in locked() if row.section == section]
        yield several(name, rows, needed=False, extra=section)


def python(version: tuple[int, ...]) -> Finding:
    """Is it new enough?"""
    full = f"{platform.python_version()}, {sys.executable}"
    if version < OLDEST:
        advice = f"install Python {'.'.join(map(str, OLDEST))} or newer and set up again with it"
        return Finding(ABOUT, "Python", BROKEN, full, advice)
    return Finding(ABOUT, "Python", FINE, full)


def library(row: Locked) -> Finding:
    """One that we import: it must be here and let itself be imported."""
    here, get = installed(row.name), f"python -m pip install {row.name}=={row.version}"
    if here is None:
        return Finding(ABOUT, row.name, BROKEN, "not installed", get)
    try:
        import_module(row.name)
    except Exception as error:  # whatever a damaged library says
        said = f"{here}, but it cannot be imported: {error}"
        return Finding(ABOUT, row.name, BROKEN, said, f"{get} --force-reinstall")
    if here != row.version:
        said = f"{here}; the lock, with which everything is tested, has {row.version}"
        return Finding(ABOUT, row.name, OTHER, said, f"if results differ from ours: {get}")
    return Finding(ABOUT, row.name, FINE, here)


def several(name: str, rows: Sequence[Locked], needed: bool, extra: str = "") -> Finding:
    """Many libraries in a line: which of them are not here, and which have another version."""
    found = {row.name: installed(row.name) for row in rows}
    absent = [row for row in rows if found[row.name] is None]
    other = [row for row in rows if found[row.name] not in (None, row.version)]
    told = [f"{len(rows) - len(absent)} of {len(rows)} installed"]
    told += [f"not here: {_few([row.name for row in absent])}"] if absent else []
    told += [f"other than the lock: {_few([row.name for row in other])}"] if other else []
    state = (BROKEN if needed else MISSING) if absent else OTHER if other else FINE
    advice = ""
    if absent or other:
        exact = " ".join(f"{row.name}=={row.version}" for row in [*absent, *other])
        advice = f"python -m pip install {exact}"
    if absent and extra:
        advice = f"python -m pip install 'wordorder-lab[{extra}]'"
    return Finding(ABOUT, name, state, "; ".join(told), advice)


def installed(name: str) -> str | None:
    """The version that is installed; ``None`` if none is."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _few(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
