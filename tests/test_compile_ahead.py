"""The second process compiles what the first would, and ends with it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numba")
from wordorder_lab.runtime import ahead, kernel_fast
from wordorder_lab.runtime.kernel_fast import PACKAGE, kernel

QUITTING = """
import wordorder_lab.runtime.ahead as ahead, subprocess, sys
ahead.compile_ahead(("zhang-clark-2015-dependency", "order"))
print(ahead._STARTED[0].pid, flush=True)
sys.stdin.readline()
"""


@kernel
def outer(x):
    return first(x) + second(x, 2)


@kernel
def first(x):
    return x


@kernel
def second(x, y):
    return inlined(first(x) * y)


@kernel(inline="always")
def inlined(x):
    return x


def test_calls_are_noted_with_their_types_but_for_the_first_way_down() -> None:
    calls = kernel_fast.calls_in(lambda: (outer(1), outer(1), outer(1.5), first(True)))
    told = [(compiled.py_func.__name__, *map(str, types)) for compiled, types in calls]
    assert told == [
        ("second", "int64", "int64"),
        ("outer", "float64"),
        ("first", "float64"),
        ("second", "float64", "int64"),
        ("first", "bool"),
    ]
    doors = [compiled for compiled, _ in calls if not isinstance(compiled, kernel_fast.Kernel)]
    assert doors == [outer.door(), first.door()]


@pytest.mark.parametrize("task", [ahead.TRAIN, ahead.ORDER])
@pytest.mark.parametrize(
    "system", ["liu-2015", "zhang-clark-2015-dependency", "zhang-clark-2015-ccg"]
)
def test_the_second_process_compiles_what_the_first_does(system: str, task: str) -> None:
    ahead.example(system, task)()  # so that all of it lies in the cache
    calls = kernel_fast.calls_in(ahead.example(system, task))
    assert len(calls) > 10
    for compiled, types in calls:
        before = compiled.stats.cache_misses.copy()
        compiled.compile(types)
        assert compiled.stats.cache_misses == before


@pytest.mark.parametrize("how", ["ends", "is killed"])
def test_it_ends_with_the_first_process(how: str, tmp_path) -> None:
    command = [sys.executable, "-c", QUITTING]
    paths = {"PYTHONPATH": str(PACKAGE.parent), "NUMBA_CACHE_DIR": str(tmp_path)}
    environment = os.environ | paths | {"LOKY_MAX_CPU_COUNT": "2"}
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=environment, **pipes) as begun:
        assert begun.stdout is not None and begun.stdin is not None
        number = int(begun.stdout.readline())
        if how == "ends":
            begun.stdin.write("\n")
        else:
            begun.kill()
        begun.stdin.close()
    while is_running(number):
        time.sleep(0.01)  # the run's own limit ends this where it never comes true


def is_running(number: int) -> bool:
    """Whether a process runs; one that has ended may wait for somebody to ask how."""
    try:
        os.kill(number, 0)
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_where_it_is_started(tmp_path, monkeypatch) -> None:
    started: list[list[str]] = []

    def start(kernels: Path, words: list[str]) -> list[Any]:
        started.append(words)
        return []

    monkeypatch.setattr(ahead, "_start", start)
    monkeypatch.setattr(ahead, "_STARTED", [])
    monkeypatch.setattr(kernel_fast, "cache_folder", lambda: tmp_path / "kernels-1")
    (tmp_path / "kernels-1").mkdir()
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "2")
    task, again = ("liu-2015", ahead.TRAIN), ("liu-2015", ahead.ORDER)
    ahead.compile_ahead(task, again, ("ngram-beam", ahead.ORDER))
    assert started.pop() == [*task, *again]
    ahead._mark(tmp_path / "kernels-1", *task).touch()
    ahead.compile_ahead(task, again)
    assert started.pop() == [*again]
    ahead.compile_ahead(("ngram-beam", ahead.ORDER))
    with monkeypatch.context() as changed:
        changed.setenv("LOKY_MAX_CPU_COUNT", "1")
        ahead.compile_ahead(again)
    with monkeypatch.context() as changed:
        changed.setattr("numba.config.DISABLE_JIT", 1)
        ahead.compile_ahead(again)
    with monkeypatch.context() as changed:
        changed.setattr(kernel_fast, "cache_folder", lambda: tmp_path)  # a temporary one
        ahead.compile_ahead(again)
    assert not started
