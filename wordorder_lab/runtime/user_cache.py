"""The user's own cache folder: corpora that were fetched, kernels that were compiled.

Not everybody has one: a home may be missing, be read-only, or belong to nobody, as in a container
that runs under a bare number.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path


def user_cache() -> Path:
    """``$XDG_CACHE_HOME/wordorder_lab``, or the same in ``~/.cache``; it need not exist yet.

    Raises ``RuntimeError`` where the user has no home folder.
    """
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "wordorder_lab"


def writable_cache() -> Path:
    """The user's cache, made and writable; otherwise a folder that lasts as long as the process.

    Raises ``OSError`` where no temporary folder can be made either.
    """
    with suppress(OSError, RuntimeError):
        folder = user_cache()
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        return folder
    return temporary_folder()


def temporary_home() -> None:
    """Give who has no home one until this process ends: nltk, for one, does not start without.

    Processes that this one starts share it. Raises ``OSError`` where no folder can be made.
    """
    os.environ["HOME"] = str(temporary_folder())


@cache
def temporary_folder() -> Path:
    """One that lasts as long as this process; raises ``OSError`` where none can be made."""
    folder = tempfile.mkdtemp(prefix="wordorder_lab-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)
