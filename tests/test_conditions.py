"""Experiments under several input conditions: rows, comparisons, interruptions, pictures."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from small_experiments import Made, draws, made, own_corpus, run, without_times

from wordorder_lab.experiments.measures import conditions as condition_runs
from wordorder_lab.experiments.measures.conditions import Condition, grid, measure, seed_interval
from wordorder_lab.experiments.record_check import missing
from wordorder_lab.experiments.records import digest_of, partial_of
from wordorder_lab.experiments.report import table
from wordorder_lab.experiments.runs.evaluate import evaluate
from wordorder_lab.experiments.specification import load_specification

HEAD = """
title = "Conditions"
measure = "conditions"

[paper]
place = "Table 0"
claim = "none"
values = [
    {{ system = "liu-2015", split = "dev", pos = 0, deps = 0, bleu = 41.5, ms_per_sentence = 155 }},
    {{ system = "another", split = "dev", pos = 1, deps = 0, bleu = 32.5 }},
]

[settings]
system = "liu-2015"
corpus = "{corpus}"
units = "base-np"
engine = "reference"
beam = 2
epochs = 2
"""
ONE_MODEL = """
pos = 0
[evaluate]
split = ["dev", "train"]
pos = [0, 0.5]
deps = [0, 0.5, 1]
seed = [2, 3]
[plot]
kind = "conditions"
split = "dev"
"""
AS_TRAINED = """
[evaluate]
split = ["dev"]
seed = [1, 2]
[[rows]]
pos = 0
[[rows]]
pos = 1
[[rows]]
templates = "liu_2015_table_2"
pos = 1
[plot]
kind = "groups"
split = "dev"
lines = "templates"
"""


@pytest.fixture(scope="module")
def own(tmp_path_factory) -> SimpleNamespace:
    return own_corpus(tmp_path_factory.mktemp("own"))


@pytest.fixture(scope="module")
def done(own, tmp_path_factory) -> Made:
    """One model under many conditions."""
    return made(tmp_path_factory.mktemp("done"), HEAD.format(corpus=own.path) + ONE_MODEL)


@pytest.fixture(scope="module")
def as_trained(own, tmp_path_factory) -> Made:
    """A model for each condition."""
    return made(tmp_path_factory.mktemp("each"), HEAD.format(corpus=own.path) + AS_TRAINED)


def test_the_seed_changes_last() -> None:
    found = grid(["dev"], [0, 1], [0, 0.5], [1, 2])
    assert len(found) == len(set(found)) == 8
    assert {one.seed for one in found[:4]} == {1}
    assert found[1] == Condition("dev", 0, 0.5, 1)


def test_the_interval_over_seeds() -> None:
    assert seed_interval([3.0]) is None
    assert seed_interval([2.0, 2.0]) == [2.0, 2.0]
    # t(0.975, 4) = 2.776, and the standard error of 1 to 5 is 0.7071.
    assert seed_interval([1, 2, 3, 4, 5]) == pytest.approx([1.0368, 4.9632], abs=1e-4)


def test_what_is_kept_of_a_condition_holds_no_text(own) -> None:
    condition = Condition("train", 0.5, 0, 3)
    found = measure(own.model, own.corpus.train, condition, engine="reference")
    usual = evaluate(own.model, own.corpus.train, pos=0.5, deps=0, seed=3, engine="reference")
    assert found["bleu_cased"] == usual.scores.bleu_cased and found["split"] == "train"
    assert not any(word in json.dumps(found) for word in ("robin", "clock"))


def test_one_model_under_many_conditions(done) -> None:
    record, text = done.record, (done.folder / "own.json").read_text()
    assert json.loads(text) == record and record["full"]
    assert [path.name for path in done.folder.glob("own.*")] == ["own.json"]
    assert "results" not in record and "robin" not in text
    rows = {(row["split"], row["pos"], row["deps"]): row for row in record["rows"]}
    assert len(rows) == len(record["rows"]) == 12
    row = rows["train", 0, 0.5]
    assert (row["training_pos"], row["training_deps"], row["epoch"]) == (0, 0, 2)
    assert row["seeds"] == [2, 3] and len(set(row["bleu_cased_by_seed"])) == 2
    assert row["bleu_cased"] == pytest.approx(sum(row["bleu_cased_by_seed"]) / 2, abs=1e-3)
    low, high = row["bleu_cased_seed_interval"]
    assert low < row["bleu_cased"] < high
    # Of each split: 3 x 1 pairs of shares of tags, 2 x 3 pairs of shares of dependencies.
    assert len(record["comparisons"]) == 18
    one = record["comparisons"][0]
    assert one["of"] == "deps" and one["baseline"] == {"split": "dev", "pos": 0, "deps": 0}
    assert 0 < one["p_value"] <= 1 and "comparisons" in record["signatures"]
    # No commit has this specification, which is what a whole check would say in a clean checkout.
    assert record["specification"] == done.wanted.checksum
    assert missing(record["rows"], done.wanted) == []
    assert record["digest"] == digest_of(record)


def test_a_model_for_each_condition(as_trained) -> None:
    record = as_trained.record
    rows = record["rows"]
    assert [(row["pos"], row["training_pos"]) for row in rows] == [(0, 0), (1, 1), (1, 1)]
    assert all(row["bleu_cased_seed_interval"][0] == row["bleu_cased"] for row in rows)
    # The third differs from the first in two things, which is no comparison.
    assert [one["of"] for one in record["comparisons"]] == ["pos", "templates"]


def test_the_table_and_the_picture(done, as_trained, tmp_path) -> None:
    for (wanted, record, _, _), cells in ((done, "(41.5)"), (as_trained, "another")):
        shown = table(record)
        for part in (cells, "no POS", "no dependencies", "milliseconds", "one-sided", "2 sampling"):
            assert part in shown
        draws(record, wanted.plot, tmp_path)


@pytest.mark.parametrize("after", [0, 7, 13])
@pytest.mark.slow
def test_an_interruption_changes_nothing(done, tmp_path, monkeypatch, after: int) -> None:
    wanted, whole, out = done.wanted, done.record, tmp_path / "out.json"
    measured: list[Condition] = []

    def impatient(model, sentences, condition, **how) -> dict:
        if len(measured) == after:
            measured.append(condition)
            raise KeyboardInterrupt
        measured.append(condition)
        return measure(model, sentences, condition, **how)

    monkeypatch.setattr(condition_runs, "measure", impatient)
    with pytest.raises(KeyboardInterrupt):
        run(wanted, out)
    assert not out.exists() and (tmp_path / "out.json.1.checkpoint").exists()
    assert len(json.loads(partial_of(out).read_text())["results"]) == after
    said: list[str] = []
    record = run(wanted, out, show=said.append)
    assert f"{after} conditions are done" in said[0]
    assert len(measured) == 24 + 1 and measured[after] == measured[after + 1]
    assert without_times(record["rows"]) == without_times(whole["rows"])
    assert record["comparisons"] == whole["comparisons"]
    assert [path.name for path in tmp_path.glob("out*")] == ["out.json"]


def test_training_is_not_done_twice(done, tmp_path, monkeypatch) -> None:
    wanted, out = done.wanted, tmp_path / "out.json"
    seconds: list[float] = []

    def stop(*arguments, **how) -> dict:
        seconds.append(json.loads(partial_of(out).read_text())["training_seconds"][0])
        raise KeyboardInterrupt

    monkeypatch.setattr(condition_runs, "measure", stop)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            run(wanted, out)
    assert seconds[0] == seconds[1] > 0


def test_a_checkpoint_without_its_record_is_not_used(as_trained, tmp_path) -> None:
    wanted, out = as_trained.wanted, tmp_path / "out.json"
    (tmp_path / "out.json.1.checkpoint").write_text("of something else")
    partial_of(out).write_text("{")
    assert len(run(wanted, out, epochs=1, sentences=2)["rows"]) == 3


def test_liu_2015_table_3_asks_for_what_the_paper_shows() -> None:
    found = load_specification("liu-2015-table-3")
    (only,) = found.runs
    assert (only["pos"], only["deps"], only["units"], only["beam"]) == (0, 0, "base-np", 64)
    assert len(grid(*(found.evaluate[name] for name in Condition._fields))) == 2 * 9 * 5
    bleu = {(v["system"], v["pos"], v["deps"]): v["bleu"] for v in found.paper["values"]}
    shares = [(pos, deps) for deps in (0, 0.5, 1) for pos in (0, 0.5, 1)]
    ours = [47.5, 47.9, 48.8, 54.8, 55.2, 56.2, 77.8, 79.1, 81.1]
    zhang = [42.9, 43.4, 44.7, 50.5, 51.4, 52.2, 73.3, 74.7, 76.3]
    assert [bleu["liu-2015", pos, deps] for pos, deps in shares] == ours
    assert [bleu["Zhang (2013)", pos, deps] for pos, deps in shares] == zhang


def test_liu_2015_table_5_trains_a_model_for_each_condition() -> None:
    found = load_specification("liu-2015-table-5")
    shares = [(0, 0), (1, 0), (1, 1)]
    assert [(run["pos"], run["deps"]) for run in found.runs] == shares * 2
    assert found.evaluate.keys() == {"split", "seed"}
    bleu = {(v["pos"], v["deps"]): v["bleu"] for v in found.paper["values"]}  # the last is theirs
    assert [bleu[one] for one in shares] == [49.4, 50.8, 82.3]
