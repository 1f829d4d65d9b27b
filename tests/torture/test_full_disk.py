"""Disks that are full, or become so in the middle of a write: one clear line, and nothing is lost.

A limit on the size of files (``RLIMIT_FSIZE``) stands for the full disk: the write of one byte more
fails in the system, wherever it comes from.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from command_line import PLAIN, ROOT
from learners import LEARNERS, begin, corpora, finish, training
from test_bad_command_lines import complaint_of

pytestmark = pytest.mark.torture

SIZES = (0, 1, 500, 2_000, 6_000)
"""Bytes after which the disk is full."""


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_full_disk_loses_nothing(learner, tmp_path) -> None:
    corpus = corpora(tmp_path)[learner]
    runs = tmp_path / "runs"
    runs.mkdir()
    straight, out = tmp_path / "straight.wol", runs / "m.wol"
    assert finish(begin(training(learner, corpus, straight)))[0] == 0
    words, refused = training(learner, corpus, out), 0
    for size in SIZES:
        code, said = finish(begin(words, size))
        if code == 0:
            assert out.read_bytes() == straight.read_bytes()
            out.unlink()
            continue
        assert complaint_of(code, said) is None, said
        assert str(runs) in said and "too large" in said.lower()
        assert all(path.suffix in {".checkpoint", ".2"} for path in runs.iterdir())
        refused += 1
    assert refused >= 3
    assert finish(begin(words))[0] == 0
    assert out.read_bytes() == straight.read_bytes()
    assert [path.name for path in runs.iterdir()] == ["m.wol"]


def test_an_old_answer_stays_where_the_new_one_does_not_fit(tmp_path) -> None:
    model, corpus = tmp_path / "m.wol", corpora(tmp_path)["perceptron"]
    assert finish(begin(training("perceptron", corpus, model)))[0] == 0
    runs = tmp_path / "runs"
    runs.mkdir()
    names = {"--json": "a.json", "--trace": "a.events", "--play": "a.html"}
    for option, name in names.items():
        target = runs / name
        target.write_text("old")
        words = ["order", "--model", str(model), *PLAIN]
        words += [option, str(target), "robin watches [a clock] ."]
        code, said = finish(begin(words, 64))
        assert complaint_of(code, said) is None, said
        assert str(target) in said
        assert target.read_text() == "old"
    assert sorted(path.name for path in runs.iterdir()) == sorted(names.values())


def test_a_full_cache_is_named_and_does_not_stop_the_work(tmp_path) -> None:
    pytest.importorskip("numba")
    program = (
        "import resource, signal, sys, numpy as np\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "from wordorder_lab.runtime.heap_fast import heap_push\n"
        "heap = np.zeros(4, np.int64)\n"
        "heap_push(0, heap, np.ones(4), 0); heap_push(1, heap, np.ones(4, np.float32), 1)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert str(tmp_path) in run.stderr and len(run.stderr.splitlines()) == 1
