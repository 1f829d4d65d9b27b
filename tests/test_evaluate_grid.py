"""``evaluate`` with several values of ``--pos``, ``--deps`` or ``--seed``."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_line import PATIENCE, PLAIN, start
from small_experiments import without_times

from wordorder_lab.cli import main
from wordorder_lab.commands import evaluate_grid


def evaluate(own: SimpleNamespace, *more: object) -> int:
    return main(["evaluate", "--model", own.model, "--split", "train", *PLAIN, *map(str, more)])


def test_the_grid_is_made_of_single_runs(own, tmp_path, capsys) -> None:
    path, single = tmp_path / "grid.json", tmp_path / "one.json"
    lists = ("--pos", 0, 0.5, "--deps", 0, 1, "--seed", 1, 2)
    assert evaluate(own, *lists, "--json", path) == 0
    shown = capsys.readouterr().out
    for told in ("pos 0 0.5, deps 0 1", "50 % POS", "all dependencies", "nrefs:1|", "one-sided"):
        assert told in shown
    data = json.loads(path.read_text())
    assert data.keys() >= {"system", "corpus", "split", "units", "beam", "sentences", "machine"}
    assert (data["pos"], data["deps"], data["seed"]) == ([0, 0.5], [0, 1], [1, 2])
    assert len(data["rows"]) == 4 and len(data["runs"]) == 8
    for one in data["runs"][::3]:
        shares = [word for name in ("pos", "deps", "seed") for word in (f"--{name}", one[name])]
        assert evaluate(own, *shares, "--json", single) == 0
        alone = json.loads(single.read_text())
        assert without_times(one).items() <= without_times(alone).items()
    assert not list(tmp_path.glob("*.partial"))


def test_one_seed_has_the_interval_of_a_single_run(own, capsys) -> None:
    assert evaluate(own, "--pos", 0, 1, "--json", "-") == 0
    row = json.loads(capsys.readouterr().out)["rows"][1]
    assert evaluate(own, "--pos", 1, "--json", "-") == 0
    alone = json.loads(capsys.readouterr().out)
    assert row["bleu_cased_seed_interval"] is None
    assert row["bleu_cased_interval"] == pytest.approx(alone["bleu_cased_interval"], abs=1e-3)


def test_one_value_each_is_what_it_was(own, capsys) -> None:
    assert evaluate(own, "--pos", 0, "--seed", 2, 2, "--json", "-") == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["pos"], data["deps"], data["seed"]) == (0, 0, 2) and "rows" not in data


def stop_after(number: int, monkeypatch) -> list:
    """Ctrl-C when so many conditions are done; the list says which were begun."""
    real, begun = evaluate_grid.measure, []

    def impatient(model, sentences, condition, **how) -> dict:
        begun.append(condition)
        if len(begun) == number + 1:
            raise KeyboardInterrupt
        return real(model, sentences, condition, **how)

    monkeypatch.setattr(evaluate_grid, "measure", impatient)
    return begun


def test_an_interruption_changes_nothing(own, tmp_path, capsys, monkeypatch) -> None:
    path, whole = tmp_path / "grid.json", tmp_path / "whole.json"
    lists = ("--pos", 0, 0.5, 1, "--seed", 1, 2)
    assert evaluate(own, *lists, "--json", whole) == 0
    begun = stop_after(4, monkeypatch)
    assert evaluate(own, *lists, "--json", path) == 130
    kept = Path(f"{path}.partial")
    assert f"the same command goes on from {kept}" in capsys.readouterr().err
    assert not path.exists() and "robin" not in kept.read_text()
    assert evaluate(own, *lists, "--json", path) == 0
    assert "4 conditions are done" in capsys.readouterr().out
    assert len(begun) == 5 + 2 and not kept.exists()
    assert without_times(json.loads(path.read_text())) == without_times(
        json.loads(whole.read_text())
    )


@pytest.mark.parametrize("other", [("--beam", 2), ("--split", "dev"), ("--seed", 1, 3)])
def test_work_of_other_settings_is_not_used(own, tmp_path, capsys, monkeypatch, other) -> None:
    path = tmp_path / "grid.json"
    lists = ("--pos", 0, 1, "--seed", 1, 2, "--json", path)
    begun = stop_after(2, monkeypatch)
    assert evaluate(own, *lists) == 130
    assert evaluate(own, *lists, *other) == 0
    assert "beginning anew" in capsys.readouterr().out and len(begun) == 3 + 4


def test_without_a_file_nothing_is_kept_and_that_is_said(own, capsys, monkeypatch) -> None:
    stop_after(1, monkeypatch)
    assert evaluate(own, "--pos", 0, 1) == 130
    captured = capsys.readouterr()
    assert evaluate_grid.NOTHING_KEPT in captured.err and evaluate_grid.NOTHING_KEPT in captured.out


@pytest.mark.slow
def test_kill_loses_nothing_either(own, tmp_path) -> None:
    path, kept = tmp_path / "grid.json", tmp_path / "grid.json.partial"
    argv = ["evaluate", "--model", own.model, "--split", "train", *PLAIN, "--json", str(path)]
    argv += ["--pos", "0", "1", "--seed", *map(str, range(200))]
    process = start(*argv)
    limit = time.monotonic() + PATIENCE
    while not kept.exists():
        assert process.poll() is None and time.monotonic() < limit, process.communicate()[1]
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=PATIENCE)
    assert not path.exists() and json.loads(kept.read_text())["runs"]
