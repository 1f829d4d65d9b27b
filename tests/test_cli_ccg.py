"""The command line with CCG systems: train, evaluate, order, word selection."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_line import PLAIN, complaint, evaluate, order, write_corpus, write_model

import wordorder_lab as wl
from wordorder_lab.cli import main
from wordorder_lab.corpora.readers.ccgbank import AutoEntry, write_auto

SYSTEM = "zhang-clark-2015-ccg"
SMALL = ["--beam", "16", "--epochs", "3", "--expansions", "150", *PLAIN]


@pytest.fixture(scope="module")
def own(tmp_path_factory) -> SimpleNamespace:
    """A file of derivations and a model of it, written by the command itself."""
    folder = tmp_path_factory.mktemp("own")
    every = wl.load_corpus("gazette", units="words").train
    short = [one.derivation for one in every if one.derivation is not None and len(one) <= 7][:20]
    corpus, out = folder / "own.auto", folder / "own.wol"
    write_auto(corpus, [AutoEntry("", derivation) for derivation in short])
    assert main(["train", SYSTEM, "--corpus", str(corpus), *SMALL, "--out", str(out)]) == 0
    return SimpleNamespace(corpus=str(corpus), model=str(out), first=short[0])


def typed(own: SimpleNamespace, end: str = "") -> str:
    """The first sentence as a bag, backwards."""
    return " ".join(f"{leaf.word}/{leaf.pos}{end}" for leaf in reversed(own.first.leaves()))


def test_train_tells_its_settings(own, tmp_path, capsys) -> None:
    more = ["--signature", "none", "--seen", "3", "--eval", "dev", "--json", "-"]
    out = ["--out", str(tmp_path / "m.wol")]
    assert main(["train", "zhang-clark-2011", "--corpus", own.corpus, *SMALL, *more, *out]) == 0
    data = json.loads(capsys.readouterr().out)
    told = [data[name] for name in ("system", "update", "chart", "signature", "seen", "units")]
    assert told == ["zhang-clark-2011", "perceptron", "sizes", "none", 3, "words"]
    assert [row["sentences"].keys() >= {"finished"} for row in data["by_epoch"]] == [True] * 3


def test_evaluate_tells_what_only_derivations_have(own, tmp_path, capsys) -> None:
    path = tmp_path / "scores.json"
    assert evaluate(own, "--split", "train", "--signature", "2011", "--json", str(path)) == 0
    shown = capsys.readouterr().out
    assert "signature 2011" in shown and "spanning" in shown and "category precision" in shown
    data = json.loads(path.read_text())
    assert (data["signature"], data["system"]) == ("2011", SYSTEM)
    assert data["spanning"] == pytest.approx(1 - data["no_goal"]) and data["spanning"] > 0.5
    assert 0.5 < data["category_precision"] <= 1 and data["bleu_cased"] > 50
    assert evaluate(own, "--expansions", "2", "--pos", "0", "1", "--json", str(path)) == 0
    shown = capsys.readouterr().out
    assert "share found as a whole" in shown and "precision of lexical categories" in shown
    rows = json.loads(path.read_text())["rows"]
    assert [(row["pos"], row["spanning"], row["timeouts"]) for row in rows] == [
        (0, 0, 1),
        (1, 0, 1),
    ]


def test_a_system_without_derivations_has_no_categories(own, tmp_path, capsys) -> None:
    liu = write_model(tmp_path, Path(own.corpus))
    capsys.readouterr()
    assert main(["evaluate", "--model", str(liu), *PLAIN, "--json", "-"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["spanning"], data["category_precision"]) == (1, None)
    assert evaluate(own, "--against", str(liu)) == 0
    assert "the baseline is liu-2015" in capsys.readouterr().out


def test_order_prints_and_tells_the_derivation(own, capsys, tmp_path) -> None:
    answers = tmp_path / "a.json"
    assert order(own, "--tree", "--json", str(answers), typed(own)) == 0
    shown = capsys.readouterr().out
    assert " ".join(own.first.words()) in shown and "<" in shown and "S[dcl]" in shown
    (answer,) = json.loads(answers.read_text())
    (steps,) = answer["derivations"]
    assert [step["word"] for step in steps if "word" in step] == list(own.first.words())
    assert steps[-1]["category"].startswith("S") and steps[-1]["parts"] in (1, 2)
    assert len(answer["k_best"]) == 1 and answer["whole"]
    events, page = tmp_path / "a.events", tmp_path / "a.html"
    assert order(own, "--trace", str(events), "--play", str(page), typed(own)) == 0
    leaves = [event for event in wl.EventLog.load(events) if event[0] == "leaf"]
    assert leaves and all(leaf[-1] for leaf in leaves) and page.exists()


def test_word_selection_on_the_command_line(own, capsys) -> None:
    assert order(own, "--json", "-", "--k", "3", typed(own, "{0,2}")) == 0
    (answer,) = json.loads(capsys.readouterr().out)
    for one in answer["k_best"]:
        assert all(one["order"].count(i) <= 2 for i in one["order"]) and one["words"]
    assert order(own, typed(own, "{3,1}")) == 2
    assert "the first not above the second" in complaint(capsys)


BARE = "1\train\t_\tNOUN\tNN\t_\t2\tnsubj\t_\t_\n2\tfalls\t_\tVERB\tVBZ\t_\t0\troot\t_\t_\n\n"
"""A sentence that no derivation can be made of."""
REFUSED = {
    "heads": (["order", "--model", "OWN", "a>2 b>0"], "heads are given, which a CCG search cannot"),
    "heads of a corpus": (["evaluate", "--model", "OWN", "--deps", "1"], "heads are given"),
    "heads in training": (
        ["train", SYSTEM, "--corpus", "OWN.auto", "--deps", "1", "--out", "m.wol"],
        "deps (1) is 0 for a CCG system",
    ),
    "no derivations": (
        ["train", SYSTEM, "--corpus", "BARE.conllu", "--out", "m.wol"],
        "has a CCG derivation that can be built: train on a corpus that has them",
    ),
    "a tag": (["order", "--model", "OWN", "a/XYZ"], "the model never saw the tag XYZ"),
    "word selection": (["order", "--model", "LIU", "a{0,1} b"], "only the CCG systems take"),
}


@pytest.mark.parametrize(("argv", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(own, capsys, tmp_path, monkeypatch, argv: list[str], reason: str) -> None:
    monkeypatch.chdir(tmp_path)
    files = {"OWN": own.model, "OWN.auto": own.corpus}
    if "BARE.conllu" in argv:
        (tmp_path / "bare.conllu").write_text(BARE * 20, encoding="utf-8")
        files["BARE.conllu"] = str(tmp_path / "bare.conllu")
    if "LIU" in argv:
        files["LIU"] = str(write_model(tmp_path, write_corpus(tmp_path)))
        capsys.readouterr()
    assert main([*(files.get(word, word) for word in argv), *PLAIN]) == 2
    assert reason in complaint(capsys)
