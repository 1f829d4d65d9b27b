"""Writing files so that a reader finds the old one or the new one, never half of one.

Ctrl-C is not in the way either (``ctrl_c_waits``): Python raises ``KeyboardInterrupt`` between any
two steps, also inside a library that is closing a file.
"""

from __future__ import annotations

import os
import re
import secrets
import signal
import stat
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from platform import node
from typing import Any

ESCAPED = "backslashreplace"
"""A file's name may be no text: the byte ff stands in JSON as it does in Python, ``\\udcff``."""
KEPT_DAYS = 7
"""A ``.part`` file of this age is nobody's any more, whatever its name says."""
KINDS = (
    (stat.S_ISDIR, "folder"),
    (stat.S_ISFIFO, "pipe"),
    (stat.S_ISSOCK, "socket"),
    (stat.S_ISCHR, "device"),
    (stat.S_ISBLK, "device"),
)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary path in the same folder, which takes the place of ``path`` when all went well.

    A link stays, and what it leads to is replaced. Who may read the file is as with ``open``: the
    umask says so of a new one, and one that was there stays as it was. What runs that were killed
    have left of the same file is swept away. Raises ``ValueError`` for a target that is no plain
    file, ``OSError`` if the folder cannot be written.
    """
    target = plain_target(path)
    _sweep(target)
    stem, suffix = _short(target)
    begin = f"{stem}-{_processes()}-{os.getpid()}-"
    before = None
    with suppress(FileNotFoundError):
        before = target.stat().st_mode & 0o777
    temporary = target.parent / f"{begin}{secrets.token_hex(4)}{suffix}"
    # A new file is for whom the umask says; until it has an old one's mode, it is its owner's.
    mode = 0o666 if before is None else 0o600
    os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
    try:
        yield temporary
        if before is not None:
            temporary.chmod(before)
        temporary.replace(target)
    except OSError as error:  # a full disk says nothing of the file
        error.filename = error.filename or str(target)
        raise
    finally:
        temporary.unlink(missing_ok=True)


def plain_target(path: str | os.PathLike[str]) -> Path:
    """The plain file that is written when ``path`` is: what a link leads to, whether there or not.

    Raises ``ValueError`` for a folder, device, pipe or socket: writing in their place would destroy
    them. Raises ``OSError`` where links go in a circle or may not be followed.
    """
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return Path(os.path.realpath(path))
    except NotADirectoryError:
        raise ValueError(f"{path} lies below a file, not below a folder") from None
    if not stat.S_ISREG(mode):
        kind = next((kind for is_kind, kind in KINDS if is_kind(mode)), "special file")
        way_out = "name a file in it" if kind == "folder" else "name a plain file"
        raise ValueError(f"{path} is a {kind}: {way_out}")
    return Path(os.path.realpath(path))


def _short(target: Path) -> tuple[str, str]:
    return target.stem[:40], f"{target.suffix[:10]}.part"


@cache
def _processes() -> str:
    """A name for this machine and container: elsewhere the number of a process means another."""
    space = ""
    with suppress(OSError):
        space = os.readlink("/proc/self/ns/pid")
    return f"{zlib.crc32(f'{node()} {space}'.encode()):08x}"


def _sweep(target: Path) -> None:
    """Remove what ``replacing`` has left beside ``target`` in processes that are gone."""
    stem, suffix = map(re.escape, _short(target))
    ours = re.compile(rf"{stem}-(?:(?P<processes>[0-9a-f]{{8}})-(?P<number>\d+)-)?\w{{8}}{suffix}")
    with suppress(OSError):
        for entry in os.scandir(target.parent):
            if (named := ours.fullmatch(entry.name)) and entry.is_file(follow_symlinks=False):
                old = time.time() - entry.stat().st_mtime > KEPT_DAYS * 24 * 60 * 60
                if old or (named["processes"] == _processes() and _is_gone(int(named["number"]))):
                    with suppress(OSError):
                        os.unlink(entry.path)


def _is_gone(process: int) -> bool:
    """Whether no process has this number; only where asking does no harm, as it does on Windows."""
    try:
        if os.name == "posix":
            os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):  # somebody else's, or no number of a process
        pass
    return False


@contextmanager
def ctrl_c_waits() -> Iterator[None]:
    """Ctrl-C inside does at the end what it would have done at once; a second one does not wait.

    Nothing changes in other threads, and where Ctrl-C is not Python's to answer.
    """
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(usual):
        yield
        return
    pressed: list[tuple[int, Any]] = []

    def wait(*arguments: Any) -> None:
        pressed.append(arguments)
        signal.signal(signal.SIGINT, usual)

    signal.signal(signal.SIGINT, wait)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if pressed:
            usual(*pressed[0])
