"""What every test starts from: our own kernel cache, known seeds, no display.

The variables are set on import, before anything imports numba, and subprocesses inherit them.

Compiled kernels stay in ``.pytest_cache``, for the next run. Where several processes are to share
the tests, what most of them need is compiled before the first one (``warm_up``).
"""

from __future__ import annotations

import gc
import os
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import warm_up

# ruff: noqa: E402  (the variables come before what reads them)

TESTS = Path(__file__).parent
FEW_BUT_LONG = (
    *("jupyterlab", "gallery", "explorer_view", "cluster", "exported_notebook"),
    *("decoding", "crafted_files", "no_home", "bench_players", "growth", "signs"),
    *("walks", "distribution", "teach_exam", "long_logs", "pyodide", "try_page", "site"),
    *("check", "one_screen", "told_apart", "together", "player"),
)
"""Files of few tests that take long, as ``test_*.py``: who shares the tests begins with them."""
assert all((TESTS / f"test_{name}.py").exists() for name in FEW_BUT_LONG)
NOTEBOOKS = ("00",)
"""Notebooks that are run every time, by how their names begin. The others are run at night: each
takes up to two minutes of a processor."""
NIGHT = {
    line
    for line in (TESTS / "night.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
}
"""Tests that are run at night, as ``test_FILE.py::NAME``, some with their parameters."""

if "PYTEST_XDIST_WORKER" not in os.environ:  # the workers of one run share what it compiles
    os.environ["NUMBA_CACHE_DIR"] = str(warm_up.KERNELS)
os.environ["MPLBACKEND"] = "Agg"
gc.set_threshold(200_000, 50, 50)  # corpora stay to the end: looking through them frees nothing
os.environ["SACREBLEU_SEED"] = "12345"

import numpy as np
from hypothesis import settings

# derandomize: the same examples in every run; no deadline: the first call compiles a kernel.
settings.register_profile("wordorder_lab", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("wordorder_lab")

pytest_plugins = ["browser", "command_line"]


def pytest_sessionstart(session: pytest.Session) -> None:
    """Where tests are shared between processes, compile first, unless that was done before."""
    shared = getattr(session.config.option, "numprocesses", None)
    if shared and "PYTEST_XDIST_WORKER" not in os.environ:
        warm_up.main()


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
