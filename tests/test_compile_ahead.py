"""The second process compiles what the first would, the first waits for nobody who is dead."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from wordorder_lab.runtime import turns
from wordorder_lab.runtime.kernel_fast import PACKAGE
from wordorder_lab.systems import ahead as first
from wordorder_lab.systems.names import FILES

pytest.importorskip("numba")
from wordorder_lab.systems import second_process as second

SYSTEMS = ("liu-2015", "zhang-clark-2015-dependency", "zhang-clark-2015-ccg")
ALL = (*SYSTEMS, "cohn-lapata-2009")
TASKS = [(system, task) for system in ALL for task in (first.TRAIN, first.ORDER)]
COUNTED = """
import sys
import wordorder_lab as wl
from numba.core import event
from wordorder_lab.systems import ahead, second_process
ahead._start = None  # it must not be called
compiled = []

class Compiled(event.Listener):
    def on_start(self, event):
        kernel = event.data["dispatcher"]
        door = "!" if type(kernel).__name__ == "Door" else ""
        compiled.append(kernel.py_func.__name__ + door)

    def on_end(self, event):
        pass

event.register("numba:compile", Compiled())
sentences = wl.load_corpus("gazette").train[:6]
model = wl.train(sys.argv[1], sentences, epochs=1, progress=False, beam=4)
model.order(sentences[0].surface)
print(*compiled)
"""
QUITTING = """
import wordorder_lab.systems.ahead as ahead, os, subprocess, sys
popen = subprocess.Popen
def told(*arguments, **how):
    process = popen(*arguments, **how)
    print(process.pid, arguments[0][3], flush=True)
    return process
subprocess.Popen = told
ahead.compile_ahead(("zhang-clark-2015-dependency", "order"))
sys.stdin.readline()
"""


@pytest.fixture
def sharing(tmp_path: Path) -> Iterator[set[str]]:
    """Turns with another process that lives as long as "other" is in the set."""
    living = {"other"}
    turns.share(tmp_path, lambda: "other" in living)
    yield living
    turns.share_no_more(tmp_path)


def test_a_kernel_is_waited_for_while_its_process_lives(sharing: set[str], tmp_path: Path) -> None:
    done: list[str] = []

    def compiling() -> None:
        with turns.turn("kernel"), turns.turn("kernel"):  # by way of itself: no waiting
            done.append("compiled")

    with turns.turn("kernel"):
        (claim,) = tmp_path.iterdir()
    for end in (claim.unlink, sharing.clear):
        claim.touch()
        assert turns.is_taken("kernel") and not turns.is_taken("other kernel")
        waiting = threading.Thread(target=compiling)
        waiting.start()
        waiting.join(20 * turns.PAUSE)
        assert waiting.is_alive() and not done
        end()
        waiting.join()
        assert done.pop() == "compiled"
    assert claim.exists()  # a dead process's; nobody looks at it any more


def test_without_the_folder_nobody_waits(sharing: set[str], tmp_path: Path) -> None:
    tmp_path.rmdir()
    with turns.turn("kernel"):
        assert not turns.is_taken("kernel")
    tmp_path.mkdir()


@pytest.mark.parametrize(("system", "task"), TASKS)
def test_every_kernel_of_the_list_is_called_in_the_example(system: str, task: str) -> None:
    listed = second.AHEAD[FILES[system][0], task].split()
    called = {call.name for call in second.calls_of(system, task)}
    assert len(listed) == len(set(listed)) and set(listed) <= called


def environment(cache: Path, **more: str) -> dict[str, str]:
    paths = {"PYTHONPATH": str(PACKAGE.parent), "NUMBA_CACHE_DIR": str(cache)}
    return os.environ | paths | {"LOKY_MAX_CPU_COUNT": "2"} | more


@pytest.mark.slow
@pytest.mark.parametrize(
    "system", ["liu-2015", *(pytest.param(name, marks=pytest.mark.torture) for name in SYSTEMS[1:])]
)
def test_the_first_process_compiles_nothing_of_it(system: str, tmp_path: Path) -> None:
    (tmp_path / "turns").mkdir()
    tasks = [word for task in (first.TRAIN, first.ORDER) for word in (system, task)]
    command = [sys.executable, "-m", first.PROGRAM, str(tmp_path / "turns"), *tasks]
    with subprocess.Popen(command, stdin=subprocess.PIPE, env=environment(tmp_path)) as helper:
        assert helper.wait() == 0
    command = [sys.executable, "-c", COUNTED, system]
    done = subprocess.run(command, env=environment(tmp_path), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    compiled = set(done.stdout.split())
    listed = {name for task in tasks[1::2] for name in second.AHEAD[FILES[system][0], task].split()}
    assert compiled and not compiled & listed


@pytest.mark.parametrize("how", ["ends", "is killed"])
def test_it_ends_with_the_first_process(how: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", QUITTING]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    how_begun: Any = {"env": environment(tmp_path), **pipes}
    with subprocess.Popen(command, **how_begun) as begun:
        assert begun.stdout is not None and begun.stdin is not None
        number, folder = begun.stdout.readline().split()
        if how == "ends":
            begun.stdin.write("\n")
        else:
            begun.kill()
        begun.stdin.close()
    while is_running(int(number)) or Path(folder).exists():
        time.sleep(0.01)  # the run's own limit ends this where it never comes true


def is_running(number: int) -> bool:
    """Whether a process runs; one that has ended may wait for somebody to ask how."""
    try:
        os.kill(number, 0)
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_where_it_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from wordorder_lab.runtime import kernel_fast

    started: list[list[str]] = []
    monkeypatch.setattr(first, "_start", lambda kernels, tasks: started.append(tasks))
    monkeypatch.setattr(kernel_fast, "cache_folder", lambda: tmp_path / "kernels-1")
    (tmp_path / "kernels-1").mkdir()
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "2")
    task, again = ("liu-2015", first.TRAIN), ("liu-2015", first.ORDER)
    first.compile_ahead(task, again)
    assert started.pop() == [*task, *again]
    first.mark(tmp_path / "kernels-1", *task).touch()
    first.compile_ahead(task, again)
    assert started.pop() == [*again]
    with monkeypatch.context() as changed:
        changed.setenv("LOKY_MAX_CPU_COUNT", "1")
        first.compile_ahead(again)
    with monkeypatch.context() as changed:
        changed.setattr("numba.config.DISABLE_JIT", 1)
        first.compile_ahead(again)
    with monkeypatch.context() as changed:
        changed.setattr(kernel_fast, "cache_folder", lambda: tmp_path)  # a temporary one
        first.compile_ahead(again)
    assert not started
