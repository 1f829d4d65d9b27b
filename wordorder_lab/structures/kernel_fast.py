"""``@kernel``: numba's ``@njit(cache=True)`` with a cache that notices every edit.

numba keeps compiled kernels on disk, and compiles one again when the file has changed that it
stands in. But a kernel also contains the kernels it calls and the constants it reads, and when
their files change, by an edit or by git pull, numba would go on with the old machine code. So ours
lie in a folder that is named after a checksum of everything that kernels are made of.

The folder lies below ``$NUMBA_CACHE_DIR`` if that is set, otherwise in the user's cache. Where
neither can be written it is a temporary one, and the next process compiles again. Only our own
kernels go there: what else numba compiles, it keeps where it always did.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import platform
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from threading import Lock
from typing import Any

import numba

from wordorder_lab.structures.user_cache import user_cache

PACKAGE = Path(__file__).parents[1]
_DECIDING = Lock()  # two threads may import kernels at once
KEPT_DAYS = 30
"""A folder that no process has used for so long is removed when another is made."""


def kernel(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compile a function when it is first called: ``@kernel`` or ``@kernel(inline="always")``.

    ``options`` are those of ``numba.njit``.
    """
    if function is None:
        return partial(kernel, **options)
    with _DECIDING:
        before = numba.config.CACHE_DIR
        try:
            # numba decides here, not when it compiles, where this function is to be cached.
            numba.config.CACHE_DIR = str(cache_folder())
            return numba.njit(cache=True, **options)(function)
        finally:
            numba.config.CACHE_DIR = before


@cache
def cache_folder() -> Path:
    """Where this process keeps its kernels, made and writable; raises ``OSError`` for nowhere."""
    name = f"kernels-{checksum(PACKAGE)}"
    try:
        root = Path(numba.config.CACHE_DIR or user_cache() / "numba")
        if not (root / name).is_dir():
            _remove_old(root)
        (root / name).mkdir(parents=True, exist_ok=True)
        os.utime(root / name)  # it is in use
        tempfile.TemporaryFile(dir=root / name).close()
        return root / name
    except (OSError, RuntimeError):
        folder = tempfile.mkdtemp(prefix="wordorder_lab-kernels-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return Path(folder)


def checksum(package: Path) -> str:
    """A checksum of all that kernels are made of, and of the Python and numba that compile them."""
    digest = hashlib.sha256(f"{platform.python_version()} {numba.__version__}".encode())
    # A kernel imports from its own folder and from others that hold kernels.
    for folder in sorted({file.parent for file in package.glob("*/*_fast.py")}):
        for path in sorted(folder.rglob("*.py")):
            digest.update(f"\n{path.relative_to(package).as_posix()}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _remove_old(root: Path) -> None:
    for folder in root.glob("kernels-*"):
        with suppress(OSError):  # another process may be at it, too
            if time.time() - folder.stat().st_mtime > KEPT_DAYS * 24 * 60 * 60:
                shutil.rmtree(folder, ignore_errors=True)
