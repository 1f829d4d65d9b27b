"""What every test starts from: our own kernel cache, known seeds, no display.

The variables are set on import, before anything imports numba, and subprocesses inherit them.

Compiled kernels stay in ``.pytest_cache``, for the next run: a folder there is named after a
checksum of all that they are made of, so an edit makes a new one. Where several processes are to
share the tests, two of them compile before the first test, each what the other does not.
"""

from __future__ import annotations

import gc
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import pytest

# ruff: noqa: E402  (the variables come before what reads them)

KERNELS = Path(__file__).resolve().parents[1] / ".pytest_cache" / "kernels"
KEPT = 3
"""Folders of kernels that stay there: the newest."""

TESTS = Path(__file__).parent
FEW_BUT_LONG = (
    *("jupyterlab", "gallery", "explorer_view", "cluster", "exported_notebook"),
    *("decoding", "crafted_files", "no_home", "bench_players", "growth", "signs"),
    *("walks", "distribution", "teach_exam", "long_logs", "pyodide", "try_page", "site"),
    *("check", "one_screen", "told_apart", "together", "player"),
)
"""Files of few tests that take long, as ``test_*.py``: who shares the tests begins with them."""
assert all((TESTS / f"test_{name}.py").exists() for name in FEW_BUT_LONG)
NOTEBOOKS = ("00", "01", "02")
"""Notebooks that are run every time, by how their names begin. The others are run at night: each
takes up to two minutes of a processor."""
NIGHT = {
    line
    for line in (TESTS / "night.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
}
"""Tests that are run at night, as ``test_FILE.py::NAME``, some with their parameters."""

if "PYTEST_XDIST_WORKER" not in os.environ:  # the workers of one run share what it compiles
    os.environ["NUMBA_CACHE_DIR"] = str(KERNELS)
os.environ["MPLBACKEND"] = "Agg"
gc.set_threshold(200_000, 50, 50)  # corpora stay to the end: looking through them frees nothing
os.environ["SACREBLEU_SEED"] = "12345"

import numpy as np
from hypothesis import settings

# derandomize: the same examples in every run; no deadline: the first call compiles a kernel.
settings.register_profile("wordorder_lab", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("wordorder_lab")

pytest_plugins = ["browser", "command_line"]

WARM_UP = """
import sys
import wordorder_lab as wl
from wordorder_lab.systems.model import choose_engine
if choose_engine() == "fast":
    how = {"progress": False, "engine": "fast"}
    sentences = wl.load_corpus("gazette").train[:3]
    for system in sys.argv[1:]:
        if system == "cohn-lapata-2009":
            pairs = wl.load_compressions("gazette").train[:2]
            wl.train(system, pairs, max_iterations=2, **how)
        else:
            model = wl.train(system, sentences, epochs=1, **how)
            model.order(wl.bag_of(sentences[0]), engine="fast", trace=wl.EventLog())
"""
"""Learn and search a little, so that it is compiled."""
SHARES = (
    ("liu-2015", "cohn-lapata-2009"),
    ("zhang-clark-2015-dependency", "zhang-clark-2015-ccg"),
)
"""Systems that have kernels in common are warmed up in one process."""


def pytest_sessionstart(session: pytest.Session) -> None:
    """Where tests are shared between processes, compile first, unless that was done before."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        return
    folders = sorted(KERNELS.glob("kernels-*"), key=lambda path: path.stat().st_mtime)
    for folder in folders[:-KEPT]:
        shutil.rmtree(folder, ignore_errors=True)
    if not getattr(session.config.option, "numprocesses", None) or not find_spec("numba"):
        return
    from wordorder_lab.runtime import ahead
    from wordorder_lab.runtime.kernel_fast import cache_folder

    kernels = cache_folder()
    if (kernels / "warm").exists():
        return
    root = os.pathsep.join(filter(None, [str(KERNELS.parents[1]), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": root, "LOKY_MAX_CPU_COUNT": "1"}  # each has one
    command = [sys.executable, "-c", WARM_UP]
    processes = [subprocess.Popen([*command, *share], env=environment) for share in SHARES]
    codes = [process.wait() for process in processes]
    assert not any(codes), "the fast engine cannot be compiled"
    for system, task in product(ahead.SYSTEMS, (ahead.TRAIN, ahead.ORDER)):
        ahead._mark(kernels, system, task).touch()  # no test's process starts one beside it
    (kernels / "warm").touch()


def pytest_configure(config: pytest.Config) -> None:
    """Each split of the Gazette is read once in a process; nobody changes what is read."""
    from wordorder_lab.corpora import compressions, gazette_corpus

    read, pairs = gazette_corpus._read, compressions._gazette
    kept: dict[tuple, Any] = {}

    def stamps(split: str) -> tuple:
        """The files behind a split as they are now: a test may have its own."""
        paths = sorted(gazette_corpus.folder().glob(f"{split}.*"))
        return tuple((str(path), path.stat().st_mtime_ns) for path in paths)

    def read_once(reader: Any, split: str) -> Any:
        settings = tuple(str(cell.cell_contents) for cell in reader.__closure__)
        key = (reader.__qualname__, settings, stamps(split))
        if key not in kept:
            kept[key] = read(reader, split)
        return kept[key]

    def pairs_once(split: str) -> Any:
        key = ("pairs", stamps(split))
        if key not in kept:
            kept[key] = pairs(split)
        return kept[key]

    monkey = pytest.MonkeyPatch()  # for the whole session
    monkey.setattr(gazette_corpus, "_read", read_once)
    monkey.setattr(compressions, "_gazette", pairs_once)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks, before ``-m`` looks at them: what takes a page or the browser is ``browser``, and what
    is for the night ``torture``."""
    for item in items:
        if {"page", "chromium"}.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("browser")
        name = f"{item.path.name}::{item.name}"
        is_late = item.path.suffix == ".ipynb" and not item.path.name.startswith(NOTEBOOKS)
        if is_late or not NIGHT.isdisjoint((name, name.partition("[")[0])):
            item.add_marker("torture")
    if "PYTEST_XDIST_WORKER" in os.environ:
        items.sort(key=_longest_first(items))


def _longest_first(items: list[pytest.Item]) -> Callable[[pytest.Item], tuple[int, int]]:
    """The order in which workers take files, so that none is left alone with a long one.

    Notebooks come first, then files of few long tests, then the others by their numbers of tests.
    """
    count = Counter(item.path for item in items)
    early = [TESTS / f"test_{name}.py" for name in FEW_BUT_LONG]

    def place(item: pytest.Item) -> tuple[int, int]:
        rank = 0 if item.path.suffix == ".ipynb" else 1 if item.path in early else 2
        return rank, -count[item.path]

    return place


@pytest.fixture(autouse=True)
def _seeded() -> None:
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002  (exactly the legacy generator is meant)
