"""The doctor: says what is here, survives what is not, and tells what to do about it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wordorder_lab.cli import main
from wordorder_lab.commands.doctor import BROKEN, FINE, MISSING, OTHER, Finding, run
from wordorder_lab.commands.doctor.run import Locked, examined, lines

ROOT = Path(__file__).resolve().parent.parent


def asked(*without: str, **variables: str) -> tuple[int, str, dict[tuple[str, str], Any]]:
    """The doctor's exit code, stderr and findings, in a process that lacks these run."""
    program = (
        "import sys\n"
        f"for name in {without!r}: sys.modules[name] = None\n"
        "from wordorder_lab.cli import main\n"
        "sys.exit(main(['doctor', '--json', '-']))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    ran = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True
    )
    data = json.loads(ran.stdout)
    assert data["healthy"] == (ran.returncode == 0)
    return ran.returncode, ran.stderr, {(f["about"], f["name"]): f for f in data["findings"]}


def test_here_and_now(tmp_path, capsys) -> None:
    """Where the tests run, nothing is broken; what is not fine says what to do."""
    target = tmp_path / "doctor.json"
    assert main(["doctor", "--json", str(target)]) == 0
    shown, data = capsys.readouterr().out, json.loads(target.read_text())
    assert "All that is needed is here." in shown and f"wrote {target}" in shown
    findings = [Finding(*(row[key] for key in Finding._fields)) for row in data["findings"]]
    assert {row["about"] for row in data["findings"]} >= {"The package", "Machine"}
    assert {finding.state for finding in findings} <= {FINE, OTHER, MISSING}
    assert all(bool(finding.advice) == (finding.state != FINE) for finding in findings)
    names = {finding.name for finding in findings}
    assert names >= {"Python", "numba", "gazette", "ewt", "Chromium", "cores", "memory"}
    assert all(f"{finding.state:<9}{finding.name}" in shown for finding in findings)


def test_libraries_that_are_gone_are_named_and_nothing_else_falls() -> None:
    gone = ("numpy", "numba", "conllu")
    code, errors, found = asked(*gone)
    assert code == 1 and "Traceback" not in errors
    for library in gone:
        finding = found["Python and libraries", library]
        assert finding["state"] == BROKEN and f"pip install {library}==" in finding["advice"]
    assert found["Machine", "cores"]["state"] == FINE


def test_a_library_of_another_version_or_not_installed() -> None:
    for row, state in (
        (Locked("numpy", "0.0.1", "run", True), OTHER),
        (Locked("no-such-library", "1.0", "run", True), BROKEN),
    ):
        finding = run.library(row)
        assert finding.state == state and f"{row.name}=={row.version}" in finding.advice


def test_many_libraries_in_a_line() -> None:
    gone = [Locked(f"no-such-{n}", "1.0", "lab", False) for n in range(7)]
    here = Locked("numpy", run.installed("numpy") or "", "lab", True)
    finding = run.several("notebooks", [here, *gone], extra="lab")
    assert finding.state == MISSING and "1 of 8 installed" in finding.found
    assert "and 2 more" in finding.found and "'wordorder-lab[lab]'" in finding.advice
    assert run.several("these", gone).state == BROKEN
    assert run.several("these", [here]).state == FINE


def test_an_old_python() -> None:
    assert run.python((3, 10)).state == BROKEN
    assert run.python((3, 11)).state == run.python((3, 13)).state == FINE


def test_a_package_without_its_data(tmp_path) -> None:
    (tmp_path / "experiments" / "papers").mkdir(parents=True)
    (tmp_path / "experiments" / "papers" / "one.toml").touch()
    finding = run.contents(tmp_path)
    assert finding.state == BROKEN
    assert "no templates" in finding.found and "no specifications" not in finding.found


def test_no_corpora_no_browser_no_cache(tmp_path) -> None:
    """Each is told with the way to get it, and the exit code stays 0."""
    (tmp_path / "file").touch()
    nowhere = str(tmp_path / "file" / "below")
    code, errors, found = asked(
        WORDORDER_LAB_DATA=nowhere,
        NUMBA_CACHE_DIR=nowhere,
        XDG_CACHE_HOME=nowhere,
        PATH=str(tmp_path),
    )
    assert code == 0 and "Traceback" not in errors
    browser, cache = found["Browser", "Chromium"], found["Cache", "cache"]
    assert browser["state"] == MISSING and "$WORDORDER_LAB_BROWSER" in browser["advice"]
    assert cache["state"] == OTHER and "$XDG_CACHE_HOME" in cache["advice"]
    kernels = found["Cache", "compiled kernels"]
    assert kernels["state"] == OTHER and "$NUMBA_CACHE_DIR" in kernels["advice"]
    licensed = found["Corpora", "ccgbank"]
    assert licensed["state"] == FINE or "$WORDORDER_LAB_CCGBANK" in licensed["advice"]


def test_a_browser_that_does_not_start(tmp_path, monkeypatch) -> None:
    program = tmp_path / "browser"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("WORDORDER_LAB_BROWSER", str(program))
    first, *_ = run.browser()
    assert first.state == MISSING and "does not start" in first.found


def test_the_cache_and_its_size(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    models = tmp_path / "wordorder_lab" / "models"
    models.mkdir(parents=True)
    (models / "one.wol").write_bytes(bytes(3 * 2**20))
    finding = run.own_cache()
    assert finding.state == FINE and "3.0 MiB: models 3.0 MiB" in finding.found


def test_a_part_that_cannot_be_looked_at_is_told() -> None:
    def stars() -> Iterator[Finding]:
        yield Finding("sun", FINE, "there")
        raise ImportError("no telescope")

    sun, rest = examined(stars)
    assert sun.state == FINE and "no telescope" in rest.found and rest.advice
    shown = "\n".join(lines({"stars": [sun, rest]}))
    assert "All that is needed is here. 1 missing" in shown
    assert "Broken: 1" in lines({"stars": [sun._replace(state=BROKEN)]})[-1]
