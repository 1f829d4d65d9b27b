"""The command line with a parser: train, parse, evaluate."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from command_line import PLAIN, complaint, exit_code, typed, write_corpus
from nltk.tree import Tree

import wordorder_lab as wl
from wordorder_lab.cli import main

SENTENCE = "the old robin paints a clock ."


@pytest.fixture(scope="module")
def own(tmp_path_factory: Any) -> SimpleNamespace:
    """A file of trees, and a parser of it."""
    folder: Path = tmp_path_factory.mktemp("own")
    made = SimpleNamespace(corpus=str(write_corpus(folder)), model=str(folder / "trees.wol"))
    assert main(["train", "parser", "--corpus", made.corpus, "--out", made.model, *PLAIN]) == 0
    return made


def parse(own: SimpleNamespace, *more: str) -> int:
    return main(["parse", "--model", own.model, *PLAIN, *more])


def test_a_sentence_is_parsed_typed_from_stdin_and_from_a_file(
    own: SimpleNamespace, tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    tree = wl.load_model(own.model).parse(SENTENCE).tree
    assert parse(own, SENTENCE) == 0
    said = capsys.readouterr()
    assert Tree.fromstring(said.out) == tree and said.err == ""
    typed(monkeypatch, f"{SENTENCE}\n\n{SENTENCE}\n")
    assert parse(own, "--tree") == 0
    assert capsys.readouterr().out.count("(S\n") == 2
    path = tmp_path / "some.txt"
    path.write_text(f"{SENTENCE}\nthe old robin ( a clock )\n", encoding="utf-8")
    assert parse(own, "--file", str(path), "--json", "-") == 0
    first, second = json.loads(capsys.readouterr().out)
    assert first["tree"].split() == " ".join(str(tree).split()).split()
    assert second["words"][3] == "(" and "-LRB-)" in second["tree"]
    assert Tree.fromstring(second["tree"]).leaves()[3] == "-LRB-"


def test_tags_may_be_given_and_text_that_is_not_tokenised_gets_a_hint(
    own: SimpleNamespace, tmp_path: Path, capsys: Any
) -> None:
    assert parse(own, "--tagged", "--json", "-", "the|DT old|NN robin paints a clock .") == 0
    (data,) = json.loads(capsys.readouterr().out)
    assert data["tags"][:2] == ["DT", "NN"]
    assert parse(own, "the old robin, a clock.") == 0
    assert "'robin ,'" in capsys.readouterr().err
    path = tmp_path / "some.txt"
    path.write_text("the clock .\nthe old robin, a clock .\nthe robin.\n", encoding="utf-8")
    assert parse(own, "--file", str(path)) == 0
    said = capsys.readouterr().err  # once, however many lines
    assert said.count("looks like two words") == 1 and "line 2 of" in said
    assert parse(own, "the clock|NN") == 0  # without --tagged it is a word
    assert "clock|NN" in capsys.readouterr().out


def test_a_search_is_recorded(own: SimpleNamespace, tmp_path: Path) -> None:
    trace = tmp_path / "run.jsonl"
    assert parse(own, SENTENCE, "--beam", "2", "--trace", str(trace)) == 0
    kinds = {event[0] for event in wl.EventLog.load(trace)}
    assert kinds >= {"begin", "constituent", "out_of_beam", "parsed"}


def test_evaluate_prints_brackets_and_counts(
    own: SimpleNamespace, tmp_path: Path, capsys: Any
) -> None:
    path = tmp_path / "scores.json"
    asked = ["evaluate", "--model", own.model, *PLAIN]  # on what it was trained on
    assert main([*asked, "--json", str(path)]) == 0
    said, data = capsys.readouterr().out, json.loads(path.read_text())
    assert "labelled brackets F1" in said and "put together of pieces" in said
    assert data["tags_given"]["f1"] == data["tags_guessed"]["f1"] == 1.0
    assert (data["sentences"], data["fallbacks_given"], data["left_out"]) == (2, 0, 0)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (["parse", "--model", "{model}", "rain " * 201], "200 are the most"),
        (["parse", "--model", "{model}", "--tagged", "a|b|c"], "is not a word or word|POS"),
        (["parse", "--model", "{model}", "--file", "{empty}"], "holds no sentences"),
        (["order", "--model", "{model}", "rain"], "wordorder-lab parse"),
        (["evaluate", "--model", "{model}", "--pos", "1"], "has no --pos"),
        (["train", "parser", "--corpus", "ewt", "--out", "x.wol"], "no trees of phrases"),
        (["train", "parser", "--epochs", "2", "--out", "x.wol"], "has no --epochs"),
        (["train", "parser", "--vertical", "10", "--out", "x.wol"], "9 is the most"),
    ],
)
def test_wrong_lines_are_refused(
    own: SimpleNamespace, tmp_path: Path, capsys: Any, line: list[str], says: str
) -> None:
    (tmp_path / "empty").touch()
    places = {"model": own.model, "empty": str(tmp_path / "empty")}
    assert exit_code([part.format(**places) for part in line]) == 2
    assert says in complaint(capsys)


@pytest.mark.corpus
def test_trees_of_gum_are_read_beside_the_penn_sample() -> None:
    both, gum = wl.load_treebank("ptb-sample+gum"), wl.load_treebank("gum")
    assert len(both.dev) == 233 and len(gum.dev) == 1_575
    assert len(both.train) == 3_355 + 10_224
    assert gum.dev[0].tree.label() == "ROOT"
