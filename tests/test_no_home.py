"""Who has no home, or one that cannot be written, works all the same, and leaves nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from wordorder_lab.runtime import user_cache as module

ROOT = Path(__file__).resolve().parent.parent
NOBODY = """
import os, pwd
def unknown(number):
    raise KeyError(number)
pwd.getpwuid = unknown
os.environ.pop("HOME", None)
"""
"""Nobody has an entry among the users: a container that runs under a bare number."""
WORK = """
import wordorder_lab as wl
from wordorder_lab.cli import main
few = wl.load_corpus("gazette").train[:4]
model = wl.train("liu-2015", few, beam=2, epochs=1, engine="reference", progress=False)
print(model.order("rain fell", engine="reference").text)
assert main(["corpora"]) == 0
"""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["nobody", "a file"])
def test_a_first_training_without_a_home(kind: str, tmp_path) -> None:
    """A home that is a file is one that cannot be written, whoever runs the test."""
    work, temporary, home = tmp_path / "work", tmp_path / "tmp", tmp_path / "home"
    work.mkdir()
    temporary.mkdir()
    home.write_text("")
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)}
    environment["HOME"] = str(home / "inside")
    code = NOBODY + WORK if kind == "nobody" else WORK
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert sorted(ran.stdout.split("\n")[0].split()) == ["fell", "rain"]
    assert "Traceback" not in ran.stderr
    assert list(work.iterdir()) == [] and list(temporary.glob("wordorder_lab-*")) == []


def test_the_cache_is_the_users_own_where_it_can_be(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert module.writable_cache() == module.user_cache() == tmp_path / "wordorder_lab"
    assert list(module.writable_cache().iterdir()) == []
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    other = module.writable_cache()
    assert other.is_dir() and tmp_path not in other.parents and other == module.writable_cache()
