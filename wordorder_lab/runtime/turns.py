"""Two processes compile the kernels of one cache, and neither what the other is at.

While one compiles a kernel, a file says so in a folder that only these two know. Whoever comes to a
kernel of the other's waits until that file is gone: then the kernel lies in the cache. They never
wait for each other both, since a process waits for what is called by all that it is at, and kernels
call each other in no circle.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from wordorder_lab.runtime.progress import compiling_begins, compiling_ends

PAUSE = 0.005
"""Seconds between two looks."""


@dataclass
class _Sharing:
    """With whom this process takes turns: a folder, whether the other one lives, what is ours."""

    folder: Path
    other_lives: Callable[[], bool]
    ours: set[str] = field(default_factory=set)


_SHARING: list[_Sharing] = []
"""None, or one."""
if hasattr(os, "register_at_fork"):  # whoever copies this process does not know when the other ends
    os.register_at_fork(after_in_child=_SHARING.clear)


def share(folder: Path, other_lives: Callable[[], bool]) -> None:
    """Take turns in this folder from now on.

    Who waits asks ``other_lives``, so a process that was killed keeps nobody waiting.
    """
    _SHARING[:] = [_Sharing(folder, other_lives)]


def share_no_more(folder: Path) -> None:
    """The other process of this folder has ended."""
    _SHARING[:] = [sharing for sharing in _SHARING if sharing.folder != folder]


def is_shared() -> bool:
    """Whether there is another process to take turns with."""
    return bool(_SHARING)


@contextmanager
def turn(what: str) -> Iterator[None]:
    """Inside, the other process does not compile ``what``; it may have done so before.

    Threads do not take turns here; numba has a lock for them.
    """
    name = _named(what)
    for sharing in tuple(_SHARING):
        if name not in sharing.ours and _take(sharing, name):
            break
    else:
        yield
        return
    sharing.ours.add(name)
    try:
        yield
    finally:
        sharing.ours.discard(name)
        with suppress(OSError):
            (sharing.folder / name).unlink()


def is_taken(what: str) -> bool:
    """Whether one of the two is at it."""
    return any((sharing.folder / _named(what)).exists() for sharing in tuple(_SHARING))


def _named(what: str) -> str:
    return hashlib.sha256(what.encode()).hexdigest()[:32]


def _take(sharing: _Sharing, name: str) -> bool:
    """Wait for the turn and take it; false if there is nobody left to wait for."""
    if (is_ours := _claim(sharing, name)) is not None:
        return is_ours
    compiling_begins()  # for whoever looks at a progress bar, waiting is the same
    try:
        while (is_ours := _claim(sharing, name)) is None:
            time.sleep(PAUSE)
        return is_ours
    finally:
        compiling_ends()


def _claim(sharing: _Sharing, name: str) -> bool | None:
    """Whether it is ours now; none while the other process is at it, who may be gone."""
    if not sharing.other_lives():
        return False
    try:
        (sharing.folder / name).touch(exist_ok=False)
    except FileExistsError:
        return None
    except OSError:  # the folder is gone, or the disk is full: then both may compile it
        return False
    return True
