"""How far a reader walks: from ``order``, ``compress`` or ``realize`` to an answer, and from a
specification to its record and its verdicts.

``python tests/test_walks.py`` prints each walk with the files in the order in which it comes to
them first. A walk begins in a fresh process with a model that has been read, and nothing else:
what is made once in a process (tables of kernels, checks of arguments) is made on the way. Every
step of the interpreter counts: whenever the next one is in another folder of the package, by a
call or by a return, that is a change. Both engines are run as plain Python, so that what a kernel
calls is seen as well. What is only imported on the way is no part of a walk.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ORDER: dict[str, object] = {"beam": 8, "epochs": 1}  # a wider beam goes nowhere else
FEW: dict[str, object] = {"epochs": 1}
SYSTEMS: dict[str, dict[str, dict[str, object]]] = {
    "order": {
        "liu-2015": ORDER,
        "zhang-clark-2015-dependency": ORDER,
        "zhang-clark-2015-ccg": ORDER,
    },
    "compress": {
        "cohn-lapata-2009": {"max_iterations": 2},
        "mcdonald-2006": FEW,
        "clarke-lapata-2008-ilp": FEW,
        "clarke-lapata-2008-lm": {"text": ()},
    },
    "realize": {
        "liu-2015-realization": {"beam": 4, **FEW},
        "zhang-clark-2015-realization": {"beam": 8, "expansions": 200, **FEW},
        "domain-beam-realization": {"beam": 4, **FEW},
        "bohnet-2011": {"beam": 8, **FEW},
        "guo-2011": {},
    },
}
"""Task -> its systems, and how they are trained."""
CHANGES = {"order": 60, "compress": 80, "realize": 80}
"""Task -> the most changes from one folder to another on the way to an answer."""
FILES = {"order": 32, "compress": 24, "realize": 32}
"""Task -> the most files."""
RECORD, RECORD_AGAIN = 62, 44
"""The most files from a specification to its record: with all that reads the corpus and trains, and
once the model is there, as in the second run of a sweep."""
VERDICTS = 12
"""The most files that are opened for the verdicts on one experiment."""

TRACER = """
import json, os, sys
from pathlib import Path
import wordorder_lab as wl

HOME = str(Path(wl.__file__).parent) + os.sep
steps, files, importing = [], {}, 0


def visit(frame):
    file = frame.f_code.co_filename[len(HOME):]
    files.setdefault(file)
    if (folder := os.path.dirname(file)) != (steps and steps[-1]):
        steps.append(folder)


def step(frame, event, _):
    if event == "opcode":  # the first one after a call, which says that we are here again
        frame.f_trace_opcodes = False
        if not importing:
            visit(frame)
    elif event == "return":
        back = frame.f_back
        while back is not None and back.f_trace is None:
            back = back.f_back
        if back is not None:
            back.f_trace_opcodes = True
    return step


def imported(frame, event, _):
    global importing
    importing -= event == "return"
    return imported


def called(frame, event, _):
    global importing
    name = frame.f_code.co_filename
    if name.startswith("<frozen importlib") and frame.f_code.co_name == "_find_and_load":
        importing += 1
        return imported
    if name.startswith(HOME):
        frame.f_trace_lines = False
        if not importing:
            visit(frame)
        return step


def walk(do):
    steps.clear(), files.clear()
    sys.settrace(called)
    do()
    sys.settrace(None)
    return list(files), len(steps) - 1
"""

TRAIN = """
import sys, json
import wordorder_lab as wl

systems, folder = json.loads(sys.argv[1]), sys.argv[2]
LESSONS = {
    "order": lambda: wl.load_corpus("gazette", units="base-np").train[:10],
    "compress": lambda: [
        pair for pair in wl.load_compressions("gazette").train if len(pair.source.leaves()) < 14
    ][:20],
    "realize": lambda: [t for t in wl.load_lemma_trees("gazette").train if len(t) < 12][:20],
}
for task, own in systems.items():
    lessons = LESSONS[task]()
    for name, how in own.items():
        wl.train(name, lessons, engine="reference", progress=False, **how).save(f"{folder}/{name}")
"""

ANSWER = f"""{TRACER}
from nltk import Tree
from wordorder_lab.structures.lemma_tree import LemmaNode, LemmaTree

GIVEN = {{
    "order": wl.WordBag(["the board", "joined", "Pierre Vinken", "."]),
    "compress": Tree.fromstring("(S (NP (DT the) (NN board)) (VP (VBD met)) (. .))"),
    "realize": LemmaTree((
        LemmaNode("the", "DET", "DT", (), "det", 1),
        LemmaNode("board", "NOUN", "NN", (("Number", "Sing"),), "nsubj", 2),
        LemmaNode("meet", "VERB", "VBD", (("Tense", "Past"),), "root", -1),
        LemmaNode(".", "PUNCT", ".", (), "punct", 2),
    )),
}}
cases, folder = json.loads(sys.argv[1]), sys.argv[2]
for task, system, engine in cases:
    child = os.fork()  # which is as fresh as this process: nothing has been read or made in it
    if not child:
        answer = getattr(wl.load_model(f"{{folder}}/{{system}}"), task)
        print(json.dumps(walk(lambda: answer(GIVEN[task], engine=engine))), flush=True)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, (task, system, engine)
"""

TO_RECORD = f"""{TRACER}
import tempfile
from wordorder_lab.experiments.reproduce import Override, reproduce
from wordorder_lab.experiments.specification import read_specification

folder = Path(tempfile.mkdtemp())
own = folder / "own.toml"
own.write_text(sys.argv[1])


def run():
    reproduce(
        read_specification(own), folder / "out.json",
        command="", override=Override(1, 6), show=lambda line: None,
    )


print(json.dumps([walk(run), walk(run)]))
"""
OWN = """
title = "BLEU of one model"
measure = "end"
[settings]
system = "liu-2015"
corpus = "gazette"
split = "dev"
units = "base-np"
engine = "reference"
beam = 4
pos = 1
[plot]
kind = "bars"
y = "bleu_cased"
labels = ["beam"]
"""

TO_VERDICTS = f"""{TRACER}
from wordorder_lab.experiments.verdicts import judged

print(json.dumps(walk(lambda: judged("liu-2015-table-4"))))
"""


class Walk(NamedTuple):
    """The files of the package in the order of the first visits; all changes of folder."""

    files: list[str]
    changes: int

    def __str__(self) -> str:
        name = "\n    ".join(self.files)
        return f"{len(self.files)} files, {self.changes} changes of folder\n    {name}"


def to_answers(folder: Path, systems: dict[str, Any] = SYSTEMS) -> dict[tuple[str, str, str], Walk]:
    """From four words to what each system makes of them; the models go into the folder."""
    engines = ("reference", "fast")
    cases = [(task, one, engine) for task in systems for one in systems[task] for engine in engines]
    _run(TRAIN, json.dumps(systems), str(folder))
    lines = _run(ANSWER, json.dumps(cases), str(folder)).splitlines()
    return {case: Walk(*json.loads(line)) for case, line in zip(cases, lines, strict=True)}


@cache
def to_record() -> list[Walk]:
    """From a specification to its record, and to that of a second run."""
    return [Walk(*one) for one in json.loads(_run(TO_RECORD, OWN))]


def to_verdicts() -> Walk:
    """From the name of an experiment to the verdicts on it."""
    return Walk(*json.loads(_run(TO_VERDICTS)))


def _run(script: str, *words: str) -> str:
    path = [str(Path(__file__).resolve().parent.parent), os.environ.get("PYTHONPATH")]
    joined = os.pathsep.join(filter(None, path))
    environment = {**os.environ, "PYTHONPATH": joined, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "ignore", "-c", script, *words]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


FIRST = {"order": "liu-2015", "compress": "mcdonald-2006", "realize": "guo-2011"}
"""Of each task the system that is walked to every time; to all it is for the night."""
OFTEN = {task: {system: SYSTEMS[task][system]} for task, system in FIRST.items()}


@pytest.mark.parametrize(
    "systems",
    [
        pytest.param(OFTEN, marks=pytest.mark.slow, id="one of each task"),
        pytest.param(SYSTEMS, marks=pytest.mark.torture, id="all"),
    ],
)
def test_walks_are_short(systems: dict[str, Any], tmp_path: Path) -> None:
    pytest.importorskip("numba")
    for case, walk in to_answers(tmp_path, systems).items():
        assert 1 < len(walk.files) <= FILES[case[0]], (case, walk)
        assert walk.changes <= CHANGES[case[0]], (case, walk)


@pytest.mark.slow
def test_a_specification_is_soon_a_record() -> None:
    first, again = to_record()
    assert "systems/liu_2015.py" in first.files
    assert len(first.files) <= RECORD, first
    assert len(again.files) <= RECORD_AGAIN, again


@pytest.mark.slow
def test_verdicts_open_few_files() -> None:
    walk = to_verdicts()
    assert 1 < len(walk.files) <= VERDICTS, walk


def main() -> None:
    """Print all walks."""
    with tempfile.TemporaryDirectory() as folder:
        for case, walk in to_answers(Path(folder)).items():
            print(*case, walk)
    for said, walk in zip(("a specification to its record:", "and once more:"), to_record()):
        print(said, walk)
    print("an experiment to its verdicts:", to_verdicts())


if __name__ == "__main__":
    main()
