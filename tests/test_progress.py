"""Progress bars: seen by whoever looks at a terminal, never in files; they say that it compiles."""

from __future__ import annotations

import io
import subprocess
import sys
from functools import partialmethod

import pytest
from command_line import PLAIN, ROOT

from wordorder_lab.cli import COMMANDS, main
from wordorder_lab.runtime.progress import COMPILING, progress_bar, quiet


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def watched(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal for stderr from now on. (A fixture would be too early: pytest sets it anew.)"""
    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    # tqdm has read its variables when it was imported; others may run these tests without bars.
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    from tqdm.std import tqdm

    begin = vars(tqdm)["__init__"]
    monkeypatch.setattr(tqdm, "__init__", partialmethod(getattr(begin, "func", begin)))
    return shown


def test_a_bar_is_for_a_terminal_and_for_whoever_wants_it(monkeypatch) -> None:
    terminal = watched(monkeypatch)
    assert list(progress_bar(range(3), desc="counting")) == [0, 1, 2]
    assert "counting: 100%" in terminal.getvalue()
    before = terminal.getvalue()
    assert list(progress_bar(range(3), wanted=False)) == [0, 1, 2]
    with quiet(), quiet(False):
        assert list(progress_bar(range(3))) == [0, 1, 2]
    assert terminal.getvalue() == before
    pipe = io.StringIO()
    monkeypatch.setattr("sys.stderr", pipe)
    with progress_bar(total=3) as shown:
        shown.update()
        shown.set_description("more")
    assert pipe.getvalue() == ""


def test_a_variable_hides_bars_in_a_notebook_too(monkeypatch) -> None:
    """There tqdm's bars are widgets, which ask no variable; a page would have their beginning."""
    from tqdm.notebook import tqdm

    monkeypatch.setattr("tqdm.auto.tqdm", tqdm)
    monkeypatch.setenv("TQDM_DISABLE", "1")
    monkeypatch.setattr("sys.stderr", Terminal())
    assert progress_bar(range(3)).disable


def test_training_has_bars_in_a_terminal_only(own, tmp_path, monkeypatch) -> None:
    terminal = watched(monkeypatch)
    argv = ["train", "liu-2015", "--corpus", own.corpus, "--beam", "1", "--epochs", "1", *PLAIN]
    assert main([*argv, "--quiet", "--out", str(tmp_path / "a.wol")]) == 0
    assert terminal.getvalue() == ""
    assert main([*argv, "--out", str(tmp_path / "a.wol")]) == 0
    assert "epoch 1: 100%" in terminal.getvalue()
    assert all("--quiet" in verb.options for verb in COMMANDS.values())


def test_a_bar_says_that_kernels_compile(monkeypatch) -> None:
    terminal = watched(monkeypatch)
    numba = pytest.importorskip("numba")
    from wordorder_lab.runtime import kernel_fast  # noqa: F401  (it listens)

    add_one, add_two = numba.njit(lambda x: x + 1), numba.njit(lambda x: x + 2)
    with progress_bar(total=2, desc="learning") as shown:
        assert add_one(1) == 2
        compiled = terminal.getvalue()
        assert COMPILING in compiled and compiled.rstrip().split("\r")[-1].startswith("learning")
        assert add_one(2) == 3 and terminal.getvalue() == compiled
        shown.update(2)
    before = terminal.getvalue()
    assert add_two(1) == 3  # without a bar a line says so, and goes
    line = terminal.getvalue()[len(before) :]
    assert COMPILING in line and not line.split("\r")[-1].strip()


def test_no_bar_where_the_variable_says_so() -> None:
    program = (
        "import sys; from wordorder_lab.runtime.progress import progress_bar\n"
        "sys.stderr.isatty = lambda: True; list(progress_bar(range(3)))"
    )
    command = [sys.executable, "-c", program]
    plain = {"PYTHONPATH": str(ROOT), "PATH": ""}
    for more, empty in (({}, False), ({"TQDM_DISABLE": "1"}, True)):
        run = subprocess.run(command, env=plain | more, capture_output=True, text=True)
        assert run.returncode == 0 and (run.stderr == "") is empty
