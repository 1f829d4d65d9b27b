"""How far a reader walks: the files that one bag visits from ``order`` to its answer, and those
that a specification visits on its way to a record.

``python tests/test_walks.py`` prints each walk, file by file, in the order in which a call comes to
them first. For bags both engines are run as plain Python, so that what a kernel calls is seen as
well. What is only imported on the way is no part of a walk.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

MOST = {
    ("reference", "liu-2015"): (15, 5),
    ("reference", "zhang-clark-2015-dependency"): (22, 6),
    ("reference", "zhang-clark-2015-ccg"): (24, 7),
    ("fast", "liu-2015"): (18, 6),
    ("fast", "zhang-clark-2015-dependency"): (23, 8),
    ("fast", "zhang-clark-2015-ccg"): (26, 9),
}
"""Engine and system: the most files, and the most changes from one folder to another.
The first file looks at the arguments."""

RECORD = 38
"""The most files from a specification to its record: read, train, evaluate, write. Among them are
those that look at what a file holds, that show bars, and that call kernels."""

WALK = """
import json, sys
from pathlib import Path
import wordorder_lab as wl

home = Path(wl.__file__).parent
lessons = list(wl.load_corpus("gazette", units="base-np").train)[:10]
bag = wl.WordBag(["the board", "joined", "Pierre Vinken", "."])


def walk(model, engine):
    seen = {}

    def called(frame, event, _):
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(home):
            seen.setdefault(path.relative_to(home).as_posix())

    model.order(bag, engine=engine)  # what happens once in a process is no part of the walk
    sys.setprofile(called)
    try:
        model.order(bag, engine=engine)
    finally:
        sys.setprofile(None)
    return list(seen)


walks = []
for system in sys.argv[1:]:
    how = {"epochs": 1, "beam": 8, "seed": 1}  # a wider beam goes nowhere else
    model = wl.train(system, lessons, engine="reference", progress=False, **how)
    walks += [[engine, system, walk(model, engine)] for engine in ("reference", "fast")]
print(json.dumps(walks))
"""


TO_RECORD = """
import json, sys, tempfile
from pathlib import Path
import wordorder_lab as wl
from wordorder_lab.experiments.reproduce import Override, reproduce
from wordorder_lab.experiments.specification import read_specification

home = Path(wl.__file__).parent
folder = Path(tempfile.mkdtemp())
own = folder / "own.toml"
own.write_text(sys.argv[1])
top = sys._getframe()
seen = {}


def importing(frame):
    while frame is not None and frame is not top:
        if frame.f_code.co_name == "<module>":
            return True
        frame = frame.f_back
    return False


def called(frame, event, _):
    path = Path(frame.f_code.co_filename)
    if event == "call" and path.is_relative_to(home) and not importing(frame):
        seen.setdefault(path.relative_to(home).as_posix())


def walk():
    reproduce(
        read_specification(own), folder / "out.json",
        command="", override=Override(1, 20), show=lambda line: None,
    )


walk()  # so that all is compiled; what happens once in a process is no part of the walk
sys.setprofile(called)
try:
    walk()
finally:
    sys.setprofile(None)
print(json.dumps(list(seen)))
"""
OWN = """
title = "BLEU of one model"
measure = "end"
[settings]
system = "liu-2015"
corpus = "gazette"
split = "dev"
units = "base-np"
engine = "fast"
beam = 4
pos = 1
[plot]
kind = "bars"
y = "bleu_cased"
labels = ["beam"]
"""


@cache
def walks() -> dict[tuple[str, str], list[str]]:
    """Engine and system -> the files of the package that one bag visits, in order."""
    systems = dict.fromkeys(system for _, system in MOST)
    found = _run(WALK, *systems, NUMBA_DISABLE_JIT="1")
    return {(engine, system): files for engine, system, files in found}


def to_record() -> list[str]:
    """The files of the package that a specification visits on its way to a record, in order."""
    files: list[str] = _run(TO_RECORD, OWN)
    return files


def _run(script: str, *words: str, **more: str) -> Any:
    path = [str(Path(__file__).resolve().parent.parent), os.environ.get("PYTHONPATH")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path)), **more}
    command = [sys.executable, "-c", script, *words]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def changes(files: list[str]) -> int:
    """How often the next file lies in another folder."""
    folders = [os.path.dirname(name) for name in files]
    return sum(one != other for one, other in pairwise(folders))


@pytest.mark.parametrize(("engine", "system"), MOST)
@pytest.mark.slow
def test_a_walk_is_short(engine: str, system: str) -> None:
    pytest.importorskip("numba")
    files = walks()[engine, system]
    most_files, most_changes = MOST[engine, system]
    assert 1 < len(files) <= most_files, "\n".join(files)
    assert changes(files) <= most_changes, "\n".join(files)


@pytest.mark.slow
def test_a_specification_is_soon_a_record() -> None:
    pytest.importorskip("numba")
    files = to_record()
    assert files[0].startswith("experiments/") and "systems/liu_2015.py" in files
    assert len(files) <= RECORD, "\n".join(files)


if __name__ == "__main__":
    for (engine, system), files in walks().items():
        print(f"{engine} {system}: {len(files)} files, {changes(files)} changes of folder")
        print(*(f"    {name}" for name in files), sep="\n")
    files = to_record()
    print(f"a specification to its record: {len(files)} files")
    print(*(f"    {name}" for name in files), sep="\n")
