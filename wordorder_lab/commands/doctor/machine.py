"""The machine: how many cores and how much memory and disk there is for what we do."""

from __future__ import annotations

import os
import platform
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from wordorder_lab.commands.doctor.finding import BROKEN, FINE, OTHER, Finding

ABOUT = "Machine"
GIB = 2**30
LITTLE_DISK = GIB
"""Below this much free space we say so: kernels, models and pages are kept."""
LIMITS = "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"
"""Where Linux says how much memory a container may take."""


def machine() -> Iterator[Finding]:
    """System, cores, memory, and space where files are written while work goes on."""
    yield Finding(ABOUT, "system", FINE, platform.platform())
    yield Finding(ABOUT, "cores", FINE, _cores())
    yield Finding(ABOUT, "memory", FINE, _memory())
    yield temporary_files()


def _cores() -> str:
    every = os.cpu_count() or 1
    ours = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else every
    said = f"{ours}" if ours == every else f"{ours} of {every}"
    return f"{said}; --jobs {ours} uses them" if ours > 1 else said


def _memory() -> str:
    """What is built in, and what a container leaves of it."""
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return "this system does not say"
    allowed = min([whole, *filter(None, map(_limit, map(Path, LIMITS)))])
    said = f"{whole / GIB:.1f} GiB"
    return said if allowed == whole else f"{said}, of which {allowed / GIB:.1f} may be taken"


def _limit(path: Path) -> int | None:
    try:
        text = path.read_text().strip()
    except OSError:
        return None
    return int(text) if text.isdecimal() else None


def temporary_files() -> Finding:
    """The folder for temporary files: can it be written, and is there room?"""
    advice = "name a folder that can be written in $TMPDIR"
    try:
        folder = tempfile.gettempdir()
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        return Finding(ABOUT, "temporary files", BROKEN, str(error), advice)
    free = shutil.disk_usage(folder).free
    said = f"{folder}, {free / GIB:.1f} GiB free"
    if free < LITTLE_DISK:
        return Finding(ABOUT, "temporary files", OTHER, said, "make room there")
    return Finding(ABOUT, "temporary files", FINE, said)
