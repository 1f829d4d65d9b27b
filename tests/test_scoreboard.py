"""The scoreboard: what a file of outputs must be, its scores, and the test against a system."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sacrebleu.metrics.bleu import BLEU

from wordorder_lab.cli import main
from wordorder_lab.corpora.folds import Folds
from wordorder_lab.corpora.gazette_corpus import NAME
from wordorder_lab.corpora.registry import load_corpus
from wordorder_lab.experiments.record_check import wrong_in
from wordorder_lab.experiments.records import read_record
from wordorder_lab.experiments.scoreboard import board, tasks
from wordorder_lab.experiments.specification import read_specification

BOARD = f"""
[small]
says = "All sentences of the Gazette."
kind = "order"
corpus = "{NAME}"
units = "words"
folds = 2
on = "bleu_cased"
get = "nothing"
systems = [{{ experiment = "small.toml" }}]

[shorter]
says = "Sentences of no corpus."
kind = "compress"
corpus = "clarke-lapata-written"
split = "test"
on = "unigram_f1"
get = "a letter to the authors"
systems = []
"""
SYSTEMS = f"""
title = "A floor"
measure = "end"
folds = 2
[settings]
system = "random-order"
corpus = "{NAME}"
split = "test"
units = "words"
seed = 7
"""


@pytest.fixture
def there(tmp_path: Path, monkeypatch: Any) -> Iterator[list[str]]:
    """A scoreboard of two tasks; the references of the first."""
    (tmp_path / "tasks.toml").write_text(BOARD)
    (tmp_path / "small.toml").write_text(SYSTEMS)
    for module in (tasks, board):
        monkeypatch.setattr(module, "LIST", tmp_path / "tasks.toml")
    tasks.tasks.cache_clear()
    monkeypatch.chdir(tmp_path)
    yield [one.text for one in Folds.of(load_corpus(NAME, units="words"), 2).sentences]
    tasks.tasks.cache_clear()


def scored(path: Path, *more: str) -> Any:
    assert main(["score", str(path), "--task", "small", "--json", f"{path}.json", *more]) == 0
    return json.loads(Path(f"{path}.json").read_text())


def test_scores_are_sacrebleus_and_a_system_is_run_once(there: list[str], tmp_path: Path) -> None:
    mine = [" ".join(line.split()[::-1]) if i % 3 else line for i, line in enumerate(there)]
    path = tmp_path / "mine.txt.gz"
    path.write_bytes(gzip.compress("\n".join(mine).encode()))
    found = scored(path, "--against", "random-order")
    metric = BLEU(tokenize="none", force=True)
    assert found["bleu_cased"] == pytest.approx(metric.corpus_score(mine, [there]).score)
    assert found["bleu_cased_signature"] == str(metric.get_signature())
    assert found["exact_match"] == pytest.approx(
        sum(one.split() == two.split() for one, two in zip(mine, there)) / len(there)
    )
    against = found["against"]
    (record,) = board.MADE.glob("*.json")
    (row,) = json.loads(record.read_text())["rows"]
    assert against["score"] == pytest.approx(row["bleu_cased"], abs=1e-4)
    assert against["difference"] == pytest.approx(found["bleu_cased"] - against["score"])
    low, high = against["interval"]
    assert low < against["difference"] < high and against["p_value"] < 0.01
    made = record.stat().st_mtime_ns
    assert main(["score", "--task", "small", "--json", str(tmp_path / "board.json")]) == 0
    (shown,) = json.loads((tmp_path / "board.json").read_text())["systems"]
    assert shown["interval"][0] < shown["bleu_cased"] < shown["interval"][1]
    own = board.MADE / "small.random-order" / "row-001.txt.gz"
    again = scored(own, "--against", "random-order")
    assert record.stat().st_mtime_ns == made, "it is taken from where it was kept"
    assert again["bleu_cased"] == pytest.approx(row["bleu_cased"], abs=1e-4)
    assert (again["against"]["difference"], again["against"]["p_value"]) == (0, 1)
    assert scored(path, "--against", str(own))["against"]["p_value"] == against["p_value"]


def test_a_file_that_does_not_fit_is_refused_with_the_line(
    there: list[str], tmp_path: Path, capsys: Any
) -> None:
    path = tmp_path / "mine.txt"
    number = len(there)
    word = there[4].split()[0]
    for lines, problem in (
        (there[:-1], f"ends behind line {number - 1:,}, and small has {number:,} sentences"),
        ([*there, "x"], f"line {number + 1:,} of {path} is one too many"),
        ([*there[:2], "zebra", *there[3:]], f"line 3 of {path}: 'zebra' is not in its bag"),
        ([*there[:4], f"{word} " * 9, *there[5:]], f"line 5 of {path}: '{word}' is in its bag"),
    ):
        path.write_text("\n".join(lines))
        assert main(["score", str(path), "--task", "small"]) == 2
        assert problem in capsys.readouterr().err
    path.write_text("\n".join(there))
    assert main(["score", str(path), "--task", "small", "--against", "liu-2014"]) == 2
    assert "small has no system 'liu-2014'" in capsys.readouterr().err
    assert main(["score", str(path), "--task", "smal"]) == 2
    assert "no task 'smal'" in capsys.readouterr().err


def test_a_corpus_that_is_not_here_is_named(
    there: list[str], tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    def missing(name: str) -> None:
        raise tasks.CorpusError(f"{name} is nowhere")

    monkeypatch.setattr(tasks, "load_texts", missing)
    (tmp_path / "a.txt").write_text("a\n")
    assert main(["score", str(tmp_path / "a.txt"), "--task", "shorter"]) == 2
    said = capsys.readouterr().err
    assert "shorter needs the corpus clarke-lapata-written: get it with a letter" in said


@pytest.mark.parametrize("path", sorted(tasks.LIST.parent.glob("[!t]*.toml")), ids=lambda p: p.stem)
def test_records_of_the_scoreboard_are_of_their_experiments(path: Path) -> None:
    """Every system that an experiment asks for has its row."""
    record = read_record(path.with_suffix(".json"))
    assert wrong_in(record, read_specification(path)) == []


def test_every_task_names_experiments_that_there_are() -> None:
    for task in tasks.tasks().values():
        assert task.kind in ("order", "realize", "compress") and task.get and task.says
        for source in task.systems:
            runs = board._specification(source["experiment"]).runs
            assert {run["corpus"].removesuffix("-in-order") for run in runs} >= {task.corpus}
