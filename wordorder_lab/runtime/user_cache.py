"""The user's own cache folder: what was fetched or compiled, and what takes long to make again.

Not everybody has one: a home may be missing, be read-only, or belong to nobody, as in a container
that runs under a bare number. A kept value's file has a name that says what it was made of; it is
written whole or not at all, and begins with a checksum of itself.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from wordorder_lab.runtime.atomic import replacing

PACKAGE = Path(__file__).parents[1]
KEPT_DAYS = 30
"""What has not been used for so long is removed when something is written beside it."""


def user_cache() -> Path:
    """``wordorder_lab`` in ``$XDG_CACHE_HOME`` or ``~/.cache``; ``RuntimeError`` where there is no
    home."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "wordorder_lab"


def writable_cache() -> Path:
    """The user's cache, made and writable; otherwise a folder that lasts as long as the process."""
    with suppress(OSError, RuntimeError):
        folder = user_cache()
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        return folder
    return temporary_folder()


def temporary_home() -> None:
    """Give who has no home one until this process ends: nltk does not start without."""
    os.environ["HOME"] = str(temporary_folder())


@cache
def temporary_folder() -> Path:
    """One that lasts as long as this process; raises ``OSError`` where none can be made."""
    folder = tempfile.mkdtemp(prefix="wordorder_lab-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


# --- Values that are kept there


def kept_value(folder: str, name: str) -> Any:
    """What the cache has there, as JSON holds it; ``None`` if nothing, or nothing whole."""
    for place in (user_cache, writable_cache):
        with suppress(OSError, ValueError, RuntimeError):  # the user may have no home
            file = place() / folder / name
            checksum, _, packed = file.read_bytes().partition(b"\n")
            if checksum.decode("ascii") == hashlib.sha256(packed).hexdigest():
                value = json.loads(packed)
                with suppress(OSError):
                    file.touch()
                return value
    return None


def keep_value(folder: str, name: str, value: Any) -> None:
    """Write a value that JSON can hold; a cache that cannot be written is none."""
    with suppress(OSError, ValueError):
        place = writable_cache() / folder
        place.mkdir(parents=True, exist_ok=True)
        for path in place.glob("*.json"):
            if time.time() - path.stat().st_mtime > KEPT_DAYS * 24 * 60 * 60:
                path.unlink(missing_ok=True)
        with replacing(place / name) as temporary:
            packed = json.dumps(value).encode("ascii")
            checksum = hashlib.sha256(packed).hexdigest().encode("ascii")
            temporary.write_bytes(checksum + b"\n" + packed)


@cache
def code_checksum(*names: str) -> str:
    """A checksum of files and folders of the package, by their bytes."""
    whole = hashlib.sha256()
    for path in code_files(names):
        whole.update(f"{path.relative_to(PACKAGE).as_posix()}\0".encode())
        whole.update(path.read_bytes())
    return whole.hexdigest()


def code_files(names: Iterable[str]) -> list[Path]:
    """The files of the package that these names of files and folders mean, in order."""
    paths = [PACKAGE / name for name in names]
    inside = [file for path in paths if path.is_dir() for file in path.rglob("*.*")]
    every = [path for path in paths if path.is_file()] + inside
    return sorted(file for file in every if file.is_file() and file.parent.name != "__pycache__")
