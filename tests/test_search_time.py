"""Zhang & Clark (2015), section 5.3 and Table 7: limits of the search, shares of the input."""

from __future__ import annotations

from pathlib import Path

import pytest
import small_experiments
from command_line import write_corpus

from wordorder_lab.experiments.measures import measure as module
from wordorder_lab.experiments.report import table
from wordorder_lab.experiments.runs import training as trained
from wordorder_lab.experiments.specification import load_specification

LIMITS = """
title = "Limits"
measure = "end"

[paper]
place = "section 0"
claim = "none"
values = [{{ seconds = 5, bleu = 42.89 }}]

[settings]
system = "zhang-clark-2015-dependency"
corpus = "{corpus}"
split = "train"
units = "words"
engine = "reference"
epochs = 1
expansions = 50

[vary]
decode_expansions = [1, 300]

[[rows]]
decode_seconds = 600

[plot]
kind = "limits"
"""
TRAININGS = """
title = "Trainings"
measure = "conditions"

[paper]
place = "Table 0"
claim = "none"
values = [
    {{ system = "liu-2015", split = "dev", bleu = 42.89, {shares_0} }},
    {{ system = "liu-2015", split = "dev", bleu = 74.79, {shares_1} }},
]

[settings]
system = "liu-2015"
corpus = "{corpus}"
units = "words"
engine = "reference"
beam = 2
epochs = 1

[evaluate]
split = ["dev"]
pos = [0, 1]
deps = [0, 1]
seed = [1]

[[rows]]
pos = 0
deps = 0

[[rows]]
pos = 1
deps = 1

[plot]
kind = "trainings"
split = "dev"
"""


SHARES = {
    f"shares_{x}": ", ".join(
        f"{name} = {x}" for name in ("training_pos", "training_deps", "pos", "deps")
    )
    for x in (0, 1)
}


def made(text: str, folder: Path, **how):
    text = text.format(corpus=write_corpus(folder), **SHARES)
    done = small_experiments.made(folder, text, **how)
    small_experiments.draws(done.record, done.wanted.plot, folder)
    return done.record


@pytest.mark.slow
def test_limits_share_a_model_and_a_clock_has_the_machine_to_itself(tmp_path, monkeypatch) -> None:
    trainings, jobs = [], []
    real_train, real_map = trained.train_run, module.map_in_order

    def counted_train(*arguments, **how):
        trainings.append(1)
        return real_train(*arguments, **how)

    def counted_map(work, items, number, **how):
        jobs.append(number)
        return real_map(work, items, number, **how)

    monkeypatch.setattr(trained, "train_run", counted_train)
    monkeypatch.setattr(trained, "_last", {})
    monkeypatch.setattr(module, "map_in_order", counted_map)
    record = made(LIMITS, tmp_path, jobs=2)
    assert len(trainings) == 1 and jobs == [1] and "load" in record
    short, long, timed = record["rows"]
    assert short["timeouts"] == 1 and long["timeouts"] < 1
    assert long["bleu_cased"] > short["bleu_cased"] + 20
    assert {k: long[k] for k in ("bleu_cased", "no_goal")} == {
        k: timed[k] for k in ("bleu_cased", "no_goal")
    }
    for row in record["rows"]:
        low, high = row["bleu_cased_interval"]
        assert low <= row["bleu_cased"] <= high and row["ms_per_sentence"] > 0
    text = table(record)
    assert f"{long['bleu_cased']:.2f} ±" in text and "seconds a sentence may take" in text


def test_trainings_stand_side_by_side(tmp_path) -> None:
    record = made(TRAININGS, tmp_path)
    text = table(record)
    without, everything = (
        text.index(f"dev, trained with {given}: BLEU, cased")
        for given in ("no POS, no dependencies", "all POS, all dependencies")
    )
    assert without < text.index("(42.89)") < everything < text.index("(74.79)")
    pairs = [one for one in record["comparisons"] if one["of"] == "training_shares"]
    assert len(pairs) == 4  # each input once, the one model against the other
    for one in pairs:
        assert (one["baseline"]["pos"], one["baseline"]["deps"]) == (
            one["system"]["pos"],
            one["system"]["deps"],
        )
    scores = {
        (row["training_pos"], row["pos"], row["deps"]): row["bleu_cased"] for row in record["rows"]
    }
    for one in pairs:
        before, after = (
            scores[key["training_pos"], key["pos"], key["deps"]]
            for key in (one["baseline"], one["system"])
        )
        assert one["difference"] == pytest.approx(after - before, abs=1e-3)


def test_table_7_has_the_papers_ten_values() -> None:
    found = load_specification("zhang-clark-2015-table-7")
    values = {
        (v["training_pos"], v["training_deps"], v["pos"], v["deps"]): v["bleu"]
        for v in found.paper["values"]
    }
    printed = (42.89, 43.41, 44.71, 50.46, 51.40, 52.18, 73.34, 74.68, 76.28)
    cells = [(0, 0, pos, deps) for deps in (0, 0.5, 1) for pos in (0, 0.5, 1)]
    assert values == dict(zip(cells, printed)) | {(1, 1, 1, 1): 74.79}
    assert [(run["pos"], run["deps"]) for run in found.runs] == [(0, 0), (1, 1)]
