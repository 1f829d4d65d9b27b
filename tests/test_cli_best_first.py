"""The command line with best-first systems, and their experiments on a corpus of our own."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from command_line import PLAIN, complaint, evaluate, exit_code, order, write_corpus, write_model

from wordorder_lab.cli import main
from wordorder_lab.experiments.measures.epochs import learning_lines
from wordorder_lab.experiments.measures.measure import Specification
from wordorder_lab.experiments.report import plot, table
from wordorder_lab.experiments.reproduce import Override, reproduce
from wordorder_lab.experiments.runs import training as trained
from wordorder_lab.experiments.specification import load_specification, read_specification

SYSTEM = "zhang-clark-2015-dependency"
SMALL = ["--beam", "4", "--epochs", "2", "--expansions", "60", *PLAIN]


def train(corpus: str, out: Path, *more: str, system: str = SYSTEM) -> int:
    return main(["train", system, "--corpus", corpus, *SMALL, "--out", str(out), *more])


@pytest.fixture(scope="module")
def own(tmp_path_factory) -> SimpleNamespace:
    folder = tmp_path_factory.mktemp("own")
    corpus = write_corpus(folder)
    liu = write_model(folder, corpus)
    assert train(str(corpus), folder / "best.wol") == 0
    return SimpleNamespace(corpus=str(corpus), model=str(folder / "best.wol"), liu=str(liu))


def test_train_says_what_was_learned(own, tmp_path, capsys) -> None:
    out, numbers = tmp_path / "m.wol", tmp_path / "m.json"
    more = ["--negatives", "discard", "--chart", "sizes", "--max-length", "4", "--no-averaged"]
    assert train(own.corpus, out, *more, "--eval", "dev", "--json", str(numbers)) == 0
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


REFUSED = {
    "negatives": (
        ["train", "liu-2015", "--negatives", "stop", "--out", "m.wol"],
        "liu-2015 has no --negatives in its training",
    ),
    "update": (
        ["train", SYSTEM, "--update", "early", "--out", "m.wol"],
        "no update 'early'; there are perceptron, large-margin, scaled",
    ),
    "update of liu": (
        ["train", "liu-2015", "--update", "scaled", "--out", "m.wol"],
        "no update 'scaled'; there are early, max-violation",
    ),
    "templates": (
        ["train", SYSTEM, "--templates", "liu_2015_table_2", "--out", "m.wol"],
        "zhang_clark_2015_table_2",
    ),
    "system": (
        ["train", "zhang-1813", "--out", "m.wol"],
        "no system 'zhang-1813' (did you mean 'zhang-2013'?); there are liu-2015",
    ),
    "chart": (
        ["order", "--model", "LIU", "--chart", "single", "a"],
        "liu-2015 has no --chart in its search",
    ),
    "limit of a grid": (
        ["evaluate", "--model", "LIU", "--seconds", "5", "--pos", "0", "1"],
        "liu-2015 has no --seconds in its search",
    ),
}


@pytest.mark.parametrize(("argv", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_a_system_does_not_have(
    own, capsys, tmp_path, monkeypatch, argv: list[str], reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    files = {"LIU": own.liu, "OWN": own.model}
    assert exit_code([files.get(word, word) for word in argv]) == 2
    assert reason in complaint(capsys)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("wrong", [["--expansions", "-1"], ["--seconds", "x"], ["--memory", "nan"]])
def test_wrong_limits(own, capsys, wrong: list[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        order(own, *wrong, "robin .")
    assert stop.value.code == 2 and "from 0 up" in complaint(capsys)


def test_order_says_how_the_search_ended(own, tmp_path, capsys) -> None:
    answers, events = tmp_path / "a.json", tmp_path / "a.events"
    bag = "watches [a clock] [the old robin] ./."
    assert order(own, "--trace", str(events), bag) == 0
    shown = capsys.readouterr().out
    assert "stopped" not in shown and "watches" in shown and events.exists()
    assert order(own, "--expansions", "0", "--tree", "--json", str(answers), bag) == 0
    assert "(stopped: expansions)" in capsys.readouterr().out
    (answer,) = json.loads(answers.read_text())
    assert (answer["text"], answer["stopped"], answer["heads"]) == ("", "expansions", [])
    for limits in (["--seconds", "0"], ["--memory", "0"]):
        assert order(own, *limits, "--default", "2011", "--chart", "sizes", bag) == 0
        assert f"(stopped: {limits[0][2:]})" in capsys.readouterr().out


def test_order_writes_a_page_that_plays(own, tmp_path, page) -> None:
    assert order(own, "--play", str(tmp_path / "run.html"), "watches [a clock] the robin ./.") == 0
    page.goto((tmp_path / "run.html").as_uri())
    page.wait_for_selector("html[data-ready=true]", state="attached")
    assert page.get_by_label("View", exact=True).input_value() == "agenda"
    assert "The search has ended" in page.locator(".wol-narration").inner_text()


def test_evaluate_tells_the_limit_and_the_timeouts(own, capsys, tmp_path) -> None:
    path = tmp_path / "scores.json"
    assert evaluate(own, "--expansions", "1", "--json", str(path)) == 0
    shown = capsys.readouterr().out
    assert "expansions 1, default 2015, seed 1" in shown and "2 expansions" in shown
    data = json.loads(path.read_text())
    assert (data["timeouts"], data["expansions"], data["timeout_s"]) == (1, 1, None)
    assert data["brevity"] < 1 and data["stopped"] == {"expansions": 2}
    assert (data["system"], data["chart"], data["expansions_per_sentence"]) == (SYSTEM, "single", 1)


def test_evaluate_against_another_system(own, capsys) -> None:
    assert evaluate(own, "--expansions", "40", "--against", own.liu) == 0
    shown = capsys.readouterr().out
    assert "the baseline is liu-2015 with beam 4" in shown and "p =" in shown


def test_a_grid_of_conditions_with_a_limit(own, capsys, tmp_path) -> None:
    path = tmp_path / "grid.json"
    assert evaluate(own, "--expansions", "2", "--pos", "0", "1", "--json", str(path)) == 0
    shown = capsys.readouterr().out
    assert "share of time-outs" in shown and "brevity" in shown and "expansions 2" in shown
    data = json.loads(path.read_text())
    assert data["expansions"] == 2 and data["search"]["beam"] == 4 and data["seconds"] >= 0
    assert [row["timeouts"] for row in data["rows"]] == [1, 1]


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


def own_experiment(own, folder: Path, measure: str, text: str) -> Specification:
    path = folder / "own.toml"
    path.write_text(HEAD.format(measure=measure, corpus=own.corpus) + text)
    return read_specification(path)


def run(wanted: Specification, folder: Path) -> dict:
    record = reproduce(wanted, folder / "out.json", command="c", show=lambda line: None)
    plot(record, wanted.plot, folder / "out.png")
    assert (folder / "out.png").read_bytes().startswith(b"\x89PNG")
    return record


@pytest.mark.slow
def test_two_by_two_and_an_anchor(own, tmp_path) -> None:
    text = FOUR.replace("Y", '["bleu_cased", "brevity", "timeouts"]')
    wanted = own_experiment(own, tmp_path, "epochs", text)
    # The common settings that the other system does not have are not its own.
    assert "expansions" not in wanted.runs[-1] and wanted.runs[-1]["max_length"] == 4
    record = run(wanted, tmp_path)
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
    record = run(
        own_experiment(own, tmp_path, "training", FOUR.replace("Y", '"epoch_seconds"')), tmp_path
    )
    assert not any("bleu_cased" in row for row in record["rows"])
    assert len(learning_lines(record["rows"])) == 1 + 2  # a line an epoch


def test_a_sweep_of_searches_trains_once(own, tmp_path, monkeypatch) -> None:
    real, calls = trained.train_run, []

    def counted(*arguments, **how):
        calls.append(arguments)
        return real(*arguments, **how)

    monkeypatch.setattr(trained, "train_run", counted)
    trained._last.clear()
    record = run(own_experiment(own, tmp_path, "end", SWEEP), tmp_path)
    assert len(record["rows"]) == 4 and len(calls) == 1
    assert {(row["decode_chart"], row["decode_beam"]) for row in record["rows"]} == {
        *(("single", 1), ("single", 4), ("sizes", 1), ("sizes", 4)),
    }


def test_section_5_2_asks_for_what_the_paper_shows() -> None:
    found = load_specification("zhang-clark-2015-section-5-2")
    ways = {(run.get("update"), run.get("negatives")) for run in found.runs}
    assert {(u, n) for u in ("large-margin", "scaled") for n in ("discard", "expand")} <= ways
    assert {run["system"] for run in found.runs} == {SYSTEM, "zhang-2013", "liu-2015"}
    of_2013 = [run for run in found.runs if run["system"] == "zhang-2013"]
    assert [(run.get("negatives"), run["chart"], run["beam"]) for run in of_2013] == [
        ("stop", "single", 64),
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


def test_a_smaller_run_has_fewer_epochs(own, tmp_path) -> None:
    wanted = own_experiment(own, tmp_path, "epochs", FOUR.replace("Y", '"bleu_cased"'))
    smaller = Override(epochs=1, sentences=3)
    record = reproduce(
        wanted, tmp_path / "o.json", command="c", override=smaller, show=lambda line: None
    )
    assert {row["epoch"] for row in record["rows"]} == {1} and not record["full"]


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
