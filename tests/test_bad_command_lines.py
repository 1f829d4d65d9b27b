"""Bad command lines from a generator: one short line, exit code 2, and nothing left behind.

``make torture`` runs all 1,000; a share of them is here.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from bad_command_lines import (
    BASES,
    PATIENCE,
    bad_command_lines,
    complaint_of,
    prepare,
    wrongs,
)
from command_line import ROOT

from wordorder_lab.cli import COMMANDS

SEED = 19


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    made = tmp_path_factory.mktemp("bad")
    prepare(made)
    return made


def test_every_verb_is_tried() -> None:
    assert set(BASES) == set(COMMANDS)
    lines = bad_command_lines(1000, SEED)
    assert len({tuple(line) for line in lines}) == 1000
    assert {line[0] for line in lines[:120] if line} >= set(COMMANDS)


def test_bad_command_lines_are_refused(folder) -> None:
    assert not wrongs(bad_command_lines(120, SEED), folder)


def test_the_check_notices_what_is_not_refused(folder) -> None:
    good = ["order", "--model", "own.wol", "--engine", "reference", "robin"]
    assert "exit code 0" in wrongs([good], folder)[0]
    assert complaint_of(2, "wordorder-lab: a\nb\n") and complaint_of(
        2, "wordorder-lab: " + "x" * 300
    )
    assert complaint_of(2, "wordorder-lab: \x1b[2J\n") and complaint_of(1, "wordorder-lab: a\n")
    assert complaint_of(2, "wordorder-lab: a\n") is None


@pytest.mark.torture
def test_all_bad_command_lines_are_refused(folder) -> None:
    assert not wrongs(bad_command_lines(1000, SEED), folder)


@pytest.mark.torture
@pytest.mark.parametrize("locale", ["UTF-8", "ASCII"])
def test_bad_command_lines_in_processes_of_their_own(folder, locale) -> None:
    """Some dozens as a shell runs them, whatever the locale."""
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    more = ascii_only | {"PYTHONIOENCODING": "ascii"} if locale == "ASCII" else {"PYTHONUTF8": "1"}
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **more}
    wrong = []
    for line in bad_command_lines(36, SEED + 1):
        words = [os.fsencode(word.encode("utf-8", "surrogateescape")) for word in line]
        command = [os.fsencode(sys.executable), b"-m", b"wordorder_lab.cli", *words]
        run = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, timeout=PATIENCE, input=b""
        )
        said = run.stderr.decode("utf-8", "replace")
        if (what := complaint_of(run.returncode, said)) is not None:
            wrong.append(f"{line}: {what}")
    assert not wrong
