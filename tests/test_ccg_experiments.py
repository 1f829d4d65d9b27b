"""Table 9 in small: the dev split chooses the epoch, the other split is scored after it."""

from __future__ import annotations

import json

import pytest
from small_experiments import Made, draws, interrupted, made, refused, run, without_times

import wordorder_lab as wl
from wordorder_lab.experiments.record_check import missing
from wordorder_lab.experiments.report import table
from wordorder_lab.experiments.runs.evaluate import evaluate
from wordorder_lab.experiments.specification import load_specification

SMALL = """
title = "Small"
measure = "best-epoch"

[paper]
data = "another corpus"
values = [{ system = "liu-2015", split = "test", length = "all", bleu = 50.8 }]

[settings]
corpus = "gazette"
split = "test"
units = "base-np"
engine = "reference"
epochs = 3
expansions = 40
decode_expansions = 40

[[rows]]
system = "zhang-clark-2011"
beam = 4

[[rows]]
system = "liu-2015"
beam = 2

[[rows]]
system = "random-order"

[plot]
kind = "best-epoch"
split = "test"
"""
SENTENCES = 10
CCG, TRANSITIONS = "zhang-clark-2011", "liu-2015"


@pytest.fixture(scope="module")
def done(tmp_path_factory) -> Made:
    return made(tmp_path_factory.mktemp("table_9"), SMALL, sentences=SENTENCES)


def rows_of(record: dict, system: str, split: str) -> list[dict]:
    return [row for row in record["rows"] if (row["system"], row["split"]) == (system, split)]


@pytest.mark.parametrize(("system", "beam"), [(CCG, 4), (TRANSITIONS, 2)])
def test_the_model_of_the_best_epoch_on_dev_is_scored(done, system, beam) -> None:
    """Held against trainings of one, two and three epochs, each on its own."""
    corpus = wl.load_corpus("gazette", units="base-np")
    train, dev, test = (part[:SENTENCES] for part in (corpus.train, corpus.dev, corpus.test))
    limits = {"expansions": 40} if system == CCG else {}
    how = {"engine": "reference", "beam": beam, "progress": False, **limits}
    models = [wl.train(system, train, epochs=n, **how) for n in (1, 2, 3)]
    curve = [evaluate(m, dev, engine="reference", **limits).scores.bleu_cased for m in models]
    shown = [row["bleu_cased"] for row in rows_of(done.record, system, "dev")]
    assert shown == pytest.approx(curve, abs=1e-4)
    best = curve.index(max(curve))
    last = rows_of(done.record, system, "test")[-1]
    assert (last["epoch"], last["dev_bleu_cased"]) == (best + 1, shown[best])
    scores = evaluate(models[best], test, engine="reference", **limits).scores
    assert last["bleu_cased"] == pytest.approx(scores.bleu_cased, abs=1e-4)
    assert last["spanning"] == pytest.approx(scores.spanning, abs=1e-4)
    assert last.get("category_precision") == pytest.approx(scores.category_precision, abs=1e-4)


def test_the_best_epoch_need_not_be_the_last(done) -> None:
    chosen = {row["epoch"] for row in done.record["rows"] if "dev_bleu_cased" in row}
    assert min(chosen) < 3


def test_lengths_add_up_to_all(done) -> None:
    for system in (CCG, TRANSITIONS):
        *bins, last = rows_of(done.record, system, "test")
        assert len(bins) > 1 and last["length"] == "all"
        assert sum(row["sentences"] for row in bins) == last["sentences"] == SENTENCES
        whole = sum(row["spanning"] * row["sentences"] for row in bins)
        assert whole == pytest.approx(last["spanning"] * SENTENCES, abs=0.01)
    assert 0 < rows_of(done.record, CCG, "test")[-1]["spanning"] < 1


def test_systems_are_compared_and_no_sentence_is_kept(done) -> None:
    (one,) = done.record["comparisons"]
    ours, other = (rows_of(done.record, s, "test")[-1]["bleu_cased"] for s in (TRANSITIONS, CCG))
    assert one["difference"] == pytest.approx(ours - other, abs=1e-3)
    assert 0 < one["p_value"] <= 1
    text = json.dumps(done.record)
    assert '"counts"' not in json.dumps(done.record["rows"])
    first = wl.load_corpus("gazette", units="base-np").test[0].text
    assert first not in text


def test_an_interrupted_run_goes_on_with_the_same_record(done) -> None:
    out = done.folder / "again.json"
    interrupted(done.wanted, out, sentences=SENTENCES)
    again = run(done.wanted, out, sentences=SENTENCES)
    assert without_times(again["rows"]) == without_times(done.record["rows"])
    assert again["comparisons"] == done.record["comparisons"]


def test_its_table_its_picture_and_its_check(done) -> None:
    lines = table(done.record).splitlines()
    (ours,) = (line for line in lines if line.startswith(f"  {TRANSITIONS}  ") and " of 3" in line)
    assert "50.8" in ours and "100.0%" in ours
    draws(done.record, done.wanted.plot, done.folder)
    rows = done.record["rows"]
    assert missing(rows, done.wanted) == []
    dev = rows_of(done.record, CCG, "dev")[1]
    (told,) = missing([row for row in rows if row is not dev], done.wanted)
    assert "epoch 2" in told and CCG in told
    (told,) = missing([row for row in rows if "dev_bleu_cased" not in row], done.wanted)
    assert "2 of the 9" in told


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('split = "test"\nunits', 'split = "dev"\nunits', "chooses epochs on dev"),
        ('system = "liu-2015"\nbeam', 'system = "zhang-clark-2011"\nbeam', "comes twice"),
    ],
)
def test_what_cannot_be_compared_is_refused(tmp_path, old, new, told) -> None:
    refused(tmp_path, SMALL, (old, new), told)


@pytest.mark.parametrize(("corpus", "units"), [("gazette", "base-np"), ("sick-candc", "words")])
def test_table_9_asks_for_all_systems_under_one_limit(corpus, units) -> None:
    name = f"zhang-clark-2015-table-9-{corpus.partition('-')[0]}"
    wanted = load_specification(name)
    runs = {run["system"]: run for run in wanted.runs}
    assert {run["corpus"] for run in runs.values()} == {corpus}
    assert {(run["split"], run["units"]) for run in runs.values()} == {("test", units)}
    best_first = {s: run for s, run in runs.items() if s.startswith("zhang")}
    assert len(best_first) == 4 and set(runs) - set(best_first) == {TRANSITIONS, "random-order"}
    assert len({run["decode_expansions"] for run in best_first.values()}) == 1
    assert len({run["epochs"] for run in best_first.values()}) == 1
    printed = {one["system"]: one["bleu"] for one in wanted.paper["values"]}
    assert printed["zhang-clark-2015-ccg"] == 46.5 and printed["zhang-clark-2011"] == 40.1
    assert ("silver" in wanted.title + wanted.paper["condition"]) == (corpus != "gazette")
