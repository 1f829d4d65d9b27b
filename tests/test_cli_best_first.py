"""The command line with best-first systems, of links and of CCG, and their experiments."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from command_line import PLAIN, derived, evaluate, order
from small_experiments import Made, draws, made

import wordorder_lab as wl
from wordorder_lab.cli import main
from wordorder_lab.experiments.measures.epochs import learning_lines
from wordorder_lab.experiments.report import table
from wordorder_lab.experiments.runs import training as trained
from wordorder_lab.experiments.specification import load_specification
from wordorder_lab.structures.derivation import Derivation

SYSTEM = "zhang-clark-2015-dependency"
SMALL = ["--beam", "4", "--epochs", "2", "--expansions", "60", *PLAIN]


def train(own, out: Path, *more: str) -> int:
    return main(["train", SYSTEM, "--corpus", own.corpus, *SMALL, "--out", str(out), *more])


def test_train_says_what_was_learned(own, tmp_path, capsys) -> None:
    out, numbers = tmp_path / "m.wol", tmp_path / "m.json"
    more = ["--negatives", "discard", "--chart", "sizes", "--max-length", "4", "--no-averaged"]
    assert train(own, out, *more, "--eval", "dev", "--json", str(numbers)) == 0
    assert "dev BLEU" in capsys.readouterr().out
    data = json.loads(numbers.read_text())
    told = [data[name] for name in ("system", "negatives", "chart", "max_length", "averaged")]
    assert told == [SYSTEM, "discard", "sizes", 4, False] and data["update"] == "scaled"
    for row in data["by_epoch"]:
        assert row["learning_seconds"] > 0 and row["seconds"] > 0
        assert row["sentences"]["finished"] and row["updates"].keys() >= {"agenda", "chart"}


def test_defaults_are_those_of_the_system(own, tmp_path, capsys) -> None:
    size = ["--corpus", own.corpus, "--epochs", "1", *PLAIN, "--json", "-"]
    for system, beam in (("liu-2015", 64), ("zhang-2013", 64)):
        out = ["--out", str(tmp_path / "m.wol")]
        assert main(["train", system, *size, *out]) == 0
        data = json.loads(capsys.readouterr().out)
        assert data["beam"] == beam
    assert (data["negatives"], data["chart"]) == ("discard", "single")


def test_order_says_how_the_search_ended(own, tmp_path, capsys) -> None:
    answers, events = tmp_path / "a.json", tmp_path / "a.events"
    bag = "watches [a clock] [the old robin] ./."
    assert order(own, "--trace", str(events), bag, model="best") == 0
    shown = capsys.readouterr().out
    assert "stopped" not in shown and "watches" in shown and events.exists()
    assert order(own, "--expansions", "0", "--tree", "--json", str(answers), bag, model="best") == 0
    assert "(stopped: expansions)" in capsys.readouterr().out
    (answer,) = json.loads(answers.read_text())
    assert (answer["text"], answer["stopped"], answer["heads"]) == ("", "expansions", [])
    for limits in (["--seconds", "0"], ["--memory", "0"]):
        assert order(own, *limits, "--default", "2011", "--chart", "sizes", bag, model="best") == 0
        assert f"(stopped: {limits[0][2:]})" in capsys.readouterr().out


def test_order_writes_a_page_that_plays(own, tmp_path, page) -> None:
    bag, path = "watches [a clock] the robin ./.", tmp_path / "run.html"
    assert order(own, "--play", str(path), bag, model="best") == 0
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready=true]", state="attached")
    assert page.get_by_label("View", exact=True).input_value() == "agenda"
    assert "The search has ended" in page.locator(".wol-narration").inner_text()


def test_evaluate_tells_the_limit_and_the_timeouts(own, capsys, tmp_path) -> None:
    path = tmp_path / "scores.json"
    assert evaluate(own, "--expansions", "1", "--json", str(path), model="best") == 0
    shown = capsys.readouterr().out
    assert "expansions 1, default 2015, seed 1" in shown and "2 expansions" in shown
    data = json.loads(path.read_text())
    assert (data["timeouts"], data["expansions"], data["timeout_s"]) == (1, 1, None)
    assert data["brevity"] < 1 and data["stopped"] == {"expansions": 2}
    assert (data["system"], data["chart"], data["expansions_per_sentence"]) == (SYSTEM, "single", 1)


# --- derivations ----------------------------------------------------------------------------------

CCG = "zhang-clark-2015-ccg"
DERIVED = ["--beam", "16", "--epochs", "2", "--expansions", "150", *PLAIN]


def first() -> Derivation:
    derivation = derived()[0].derivation
    assert derivation is not None
    return derivation


def backwards(end: str = "") -> str:
    """The first sentence as a bag."""
    return " ".join(f"{leaf.word}/{leaf.pos}{end}" for leaf in reversed(first().leaves()))


def test_ccg_training_tells_its_settings(own, tmp_path, capsys) -> None:
    more = ["--signature", "none", "--seen", "3", "--eval", "dev", "--json", "-"]
    out = ["--out", str(tmp_path / "m.wol")]
    assert main(["train", "zhang-clark-2011", "--corpus", own.auto, *DERIVED, *more, *out]) == 0
    data = json.loads(capsys.readouterr().out)
    told = [data[name] for name in ("system", "update", "chart", "signature", "seen", "units")]
    assert told == ["zhang-clark-2011", "perceptron", "sizes", "none", 3, "words"]
    assert [row["sentences"].keys() >= {"finished"} for row in data["by_epoch"]] == [True] * 2


def test_evaluate_tells_what_only_derivations_have(own, tmp_path, capsys) -> None:
    path, asked = tmp_path / "scores.json", ["--split", "train", "--signature", "2011"]
    assert evaluate(own, *asked, "--json", str(path), model="ccg") == 0
    shown = capsys.readouterr().out
    assert "signature 2011" in shown and "spanning" in shown and "category precision" in shown
    data = json.loads(path.read_text())
    assert (data["signature"], data["system"]) == ("2011", CCG)
    assert data["spanning"] == pytest.approx(1 - data["no_goal"]) and data["spanning"] > 0.5
    assert 0.5 < data["category_precision"] <= 1 and data["bleu_cased"] > 50
    asked = ["--expansions", "2", "--pos", "0", "1", "--json", str(path)]
    assert evaluate(own, *asked, model="ccg") == 0
    shown = capsys.readouterr().out
    assert "share found as a whole" in shown and "precision of lexical categories" in shown
    assert "share of time-outs" in shown and "brevity" in shown and "expansions 2" in shown
    data = json.loads(path.read_text())
    assert data["expansions"] == 2 and data["search"]["beam"] == 16 and data["seconds"] >= 0
    rows = data["rows"]
    assert [(row["pos"], row["spanning"], row["timeouts"]) for row in rows] == [
        (0, 0, 1),
        (1, 0, 1),
    ]


def test_a_system_without_derivations_has_no_categories(own, capsys) -> None:
    assert evaluate(own, "--corpus", own.auto, "--json", "-") == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["spanning"], data["category_precision"]) == (1, None)
    assert evaluate(own, "--against", own.model, model="ccg") == 0
    shown = capsys.readouterr().out
    assert "the baseline is liu-2015 with beam 4" in shown and "p =" in shown


def test_order_prints_and_tells_the_derivation(own, capsys, tmp_path) -> None:
    answers = tmp_path / "a.json"
    assert order(own, "--tree", "--json", str(answers), backwards(), model="ccg") == 0
    shown = capsys.readouterr().out
    assert " ".join(first().words()) in shown and "<" in shown and "S[dcl]" in shown
    (answer,) = json.loads(answers.read_text())
    (steps,) = answer["derivations"]
    assert [step["word"] for step in steps if "word" in step] == list(first().words())
    assert steps[-1]["category"].startswith("S") and steps[-1]["parts"] in (1, 2)
    assert len(answer["k_best"]) == 1 and answer["whole"]
    events, page = tmp_path / "a.events", tmp_path / "a.html"
    files = ["--trace", str(events), "--play", str(page)]
    assert order(own, *files, backwards(), model="ccg") == 0
    leaves = [event for event in wl.EventLog.load(events) if event[0] == "leaf"]
    assert leaves and all(leaf[-1] for leaf in leaves) and page.exists()


def test_word_selection_on_the_command_line(own, capsys) -> None:
    assert order(own, "--json", "-", "--k", "3", backwards("{0,2}"), model="ccg") == 0
    (answer,) = json.loads(capsys.readouterr().out)
    for one in answer["k_best"]:
        assert all(one["order"].count(i) <= 2 for i in one["order"]) and one["words"]


# --- experiments ----------------------------------------------------------------------------------

HEAD = f"""
title = "Ways of learning"
measure = "{{measure}}"
[paper]
place = "nowhere"
[settings]
system = "{SYSTEM}"
corpus = "{{corpus}}"
split = "dev"
units = "base-np"
engine = "reference"
beam = 3
epochs = 2
max_length = 4
expansions = 40
decode_expansions = 20
"""
FOUR = """
[[rows]]
update = "large-margin"
negatives = "discard"
[[rows]]
update = "large-margin"
negatives = "expand"
[[rows]]
update = "scaled"
negatives = "discard"
[[rows]]
update = "scaled"
negatives = "expand"
[[rows]]
system = "liu-2015"
[plot]
kind = "lines"
x = "epoch"
y = Y
lines = ["system", "update", "negatives"]
"""
SWEEP = """
[vary]
decode_chart = ["single", "sizes"]
decode_beam = [1, 4]
[plot]
kind = "lines"
x = "decode_beam"
y = ["bleu_cased", "timeouts"]
lines = ["decode_chart"]
log = true
"""


def experiment(own, folder: Path, measure: str, text: str) -> Made:
    """Run and drawn."""
    done = made(folder, HEAD.format(measure=measure, corpus=own.corpus) + text)
    draws(done.record, done.wanted.plot, folder)
    return done


@pytest.mark.slow
def test_two_by_two_and_an_anchor(own, tmp_path) -> None:
    text = FOUR.replace("Y", '["bleu_cased", "brevity", "timeouts"]')
    wanted, record, _, _ = experiment(own, tmp_path, "epochs", text)
    # The common settings that the other system does not have are not its own.
    assert "expansions" not in wanted.runs[-1] and wanted.runs[-1]["max_length"] == 4
    assert len(record["rows"]) == 10
    row = record["rows"][0]
    assert row.keys() >= {"epoch_seconds", "updates_agenda", "timeouts", "brevity", "bleu_cased"}
    assert row["sentences_finished"] + row["sentences_limit"] == 16
    shown = table(record)
    assert (
        "large-margin, negative examples not expanded" in shown
        and "negatives  not expanded  expanded" in shown
    )


@pytest.mark.slow
def test_seconds_by_epoch(own, tmp_path) -> None:
    record = experiment(own, tmp_path, "training", FOUR.replace("Y", '"epoch_seconds"')).record
    assert not any("bleu_cased" in row for row in record["rows"])
    assert len(learning_lines(record["rows"])) == 1 + 2  # a line an epoch


def test_a_sweep_of_searches_trains_once(own, tmp_path, monkeypatch) -> None:
    real, calls = trained.train_run, []

    def counted(*arguments, **how):
        calls.append(arguments)
        return real(*arguments, **how)

    monkeypatch.setattr(trained, "train_run", counted)
    trained._last.clear()
    record = experiment(own, tmp_path, "end", SWEEP).record
    assert len(record["rows"]) == 4 and len(calls) == 1
    assert {(row["decode_chart"], row["decode_beam"]) for row in record["rows"]} == {
        *(("single", 1), ("single", 4), ("sizes", 1), ("sizes", 4))
    }


def test_section_5_2_asks_for_what_the_paper_shows() -> None:
    found = load_specification("zhang-clark-2015-section-5-2")
    ways = {(run.get("update"), run.get("negatives")) for run in found.runs}
    assert {(u, n) for u in ("large-margin", "scaled") for n in ("discard", "expand")} <= ways
    assert {run["system"] for run in found.runs} == {SYSTEM, "zhang-2013", "liu-2015"}
    of_2013 = [run for run in found.runs if run["system"] == "zhang-2013"]
    assert [(run.get("negatives"), run["chart"], run["beam"]) for run in of_2013] == [
        ("stop", "single", 64)
    ]
    assert len({run["epochs"] for run in found.runs}) == 1
    ccg = {
        (v["update"], v["negatives"]): v["bleu"]
        for v in found.paper["values"]
        if v["grammar"] == "CCG"
    }
    assert ccg == {
        ("large-margin", "discard"): 39.04,
        ("large-margin", "expand"): "no convergence",
        ("scaled", "discard"): 40.45,
        ("scaled", "expand"): 43.47,
    }
    others = [v["bleu"] for v in found.paper["values"] if v["grammar"] == "dependency"]
    assert others == [44.71, 46.44]


def test_systems_beside_the_four_do_not_hide_the_table_of_two_by_two() -> None:
    ways = itertools.product(("large-margin", "scaled"), ("discard", "expand"))
    named: list[dict[str, Any]] = [
        {"system": SYSTEM, "update": update, "negatives": negatives} for update, negatives in ways
    ]
    named += [{"system": "zhang-2013", "chart": chart} for chart in ("single", "sizes")]
    scores = {"epoch": 1, "brevity": 1.0, "timeouts": 0.0}
    rows = [{**row, **scores, "bleu_cased": 40.0 + i} for i, row in enumerate(named)]
    lines = learning_lines(rows)
    assert lines[-2].split() == ["large-margin", "40.00", "41.00"]
    assert lines[-1].split() == ["scaled", "42.00", "43.00"]
