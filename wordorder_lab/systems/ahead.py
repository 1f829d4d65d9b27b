"""A second process compiles kernels while the first is at others, so the first answer comes sooner.

The first process goes on as ever and compiles what it comes to. The second (``second_process``)
compiles what the first comes to late, and leaves it in the cache, where the first finds it
(``runtime.turns``). It is the same machine code, and nothing depends on the second process: what
it does not do, the first one does.

It is started where kernels are to be kept and there is a second core, until it has been through
once. ``LOKY_MAX_CPU_COUNT=1`` (joblib's) means that there is one core.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree

from wordorder_lab.runtime import turns
from wordorder_lab.systems.names import OURS, WITHOUT_KERNELS

TRAIN, ORDER = "train", "order"
PROGRAM = "wordorder_lab.systems.second_process"
_STARTING = threading.Lock()


def compile_ahead(*tasks: tuple[str, str]) -> None:
    """Start the second process for these (system, ``TRAIN`` or ``ORDER``), if there is need of it.

    It says nothing, and ends with this process. Where it cannot be started, nothing happens.
    """
    with _STARTING:
        if not _is_possible():
            return
        from wordorder_lab.runtime.kernel_fast import shared_folder

        kernels = shared_folder()
        with_kernels = OURS - WITHOUT_KERNELS  # of other packages nothing is known
        asked = [task for task in tasks if task[0] in with_kernels]
        todo = [task for task in asked if kernels and not mark(kernels, *task).exists()]
        if kernels and todo:
            _start(kernels, [word for task in todo for word in task])


def mark(kernels: Path, system: str, task: str) -> Path:
    """The file that says that the second process has been through."""
    return kernels / f"ahead-{task}-{system}"


def _is_possible() -> bool:
    if turns.is_shared() or multiprocessing.parent_process() is not None:
        return False
    if not sys.executable or find_spec("numba") is None:
        return False
    import joblib

    return bool(joblib.cpu_count() > 1)


def _start(kernels: Path, tasks: Sequence[str]) -> None:
    package = str(Path(__file__).parents[2])
    paths = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
    folder = tempfile.mkdtemp(prefix="wordorder_lab-turns-")
    try:
        second = subprocess.Popen(
            [sys.executable, "-m", PROGRAM, folder, *tasks],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(kernels.parent)},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError:
        rmtree(folder, ignore_errors=True)
        return
    turns.share(Path(folder), lambda: second.poll() is None)
    threading.Thread(target=_see_off, args=(second, folder), daemon=True).start()
    atexit.register(_end, second, folder, os.getpid())


def _see_off(second: subprocess.Popen[bytes], folder: str) -> None:
    """Wait for its end, so that nothing stays behind."""
    second.wait()
    turns.share_no_more(Path(folder))
    rmtree(folder, ignore_errors=True)
    assert second.stdin is not None
    second.stdin.close()


def _end(second: subprocess.Popen[bytes], folder: str, owner: int) -> None:
    if os.getpid() == owner:  # and not in a copy of this process that ends before it
        second.kill()
        _see_off(second, folder)
