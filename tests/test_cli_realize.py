"""The command line with realisers: train, realize, evaluate, and what is no tree."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from command_line import PLAIN, exit_code, typed
from lemma_sentences import as_input, lemma_conllu

import wordorder_lab as wl
from wordorder_lab.cli import main
from wordorder_lab.corpora import CorpusError
from wordorder_lab.corpora.lemma_corpora import GET
from wordorder_lab.corpora.readers.lemma_trees import read_lemma_trees
from wordorder_lab.structures.messages import LONGEST

SYSTEM = "liu-2015-realization"


@pytest.fixture(scope="module")
def own(tmp_path_factory: Any) -> SimpleNamespace:
    """A treebank, a task's input made of others of its kind, and a model."""
    folder: Path = tmp_path_factory.mktemp("own")
    made = SimpleNamespace(bank=str(folder / "own.conllu"), input=str(folder / "input.conllu"))
    made.model = str(folder / "own.wol")
    Path(made.bank).write_text(lemma_conllu(40), encoding="utf-8")
    Path(made.input).write_text(as_input(lemma_conllu(3, first=500)), encoding="utf-8")
    learn = ["train", SYSTEM, "--corpus", made.bank, "--beam", "4", "--epochs", "2", *PLAIN]
    assert main([*learn, "--out", made.model]) == 0
    return made


def test_realize_prints_a_sentence_a_line(own: SimpleNamespace, capsys: Any) -> None:
    asked = ["realize", "--model", own.model, "--conllu", own.input, *PLAIN]
    assert main(asked) == 0
    lines = capsys.readouterr().out.splitlines()
    model = wl.load_model(own.model)
    trees = read_lemma_trees([Path(own.input)]).sentences
    assert lines == [model.realize(tree, engine="reference").text for tree in trees]
    assert main([*asked, "--detokenize", "--k", "2", "--json", "-"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [one["text"] for one in data] == lines
    assert [one["detokenized"] for one in data] == [line.replace(" .", ".") for line in lines]
    assert all(one["k_best"][0]["order"] == one["order"] for one in data)


def test_stdin_is_read_and_what_is_no_tree_can_be_left_out(
    own: SimpleNamespace, capsys: Any, monkeypatch: Any
) -> None:
    blocks = Path(own.input).read_text(encoding="utf-8").split("\n\n")[:3]
    rows = blocks[1].split("\n")
    bad = {
        "a cycle": [*rows[:1], *(_with(row, 6, "2" if i == 0 else "1") for i, row in _of(rows))],
        "two roots": [*rows[:1], *(_with(row, 6, "0") for _, row in _of(rows))],
        "no lemma": [*rows[:1], *(_with(row, 1, "_") for _, row in _of(rows))],
        "spaces": [row.replace("\t", "    ") for row in rows],
        "empty": rows[:1],
        "no value": [*rows[:1], *(_with(row, 5, "Number") for _, row in _of(rows))],
    }
    asked = ["realize", "--model", own.model, "--conllu", "-", *PLAIN]
    for name, broken in bad.items():
        text = "\n\n".join([blocks[0], "\n".join(broken), blocks[2]]) + "\n\n"
        begin = 2 + text[: len(blocks[0])].count("\n")
        typed(monkeypatch, text)
        assert main(asked) == 2, name
        said = capsys.readouterr()
        assert said.err.count("\n") == 1 and "line " in said.err and "Traceback" not in said.err
        number = int(said.err.partition("line ")[2].split(" ")[0].replace(",", ""))
        assert begin <= number <= begin + len(broken), (name, said.err)
        typed(monkeypatch, text)
        assert main([*asked, "--skip-bad"]) == 0, name
        said = capsys.readouterr()
        assert len(said.out.splitlines()) == 2
        assert said.err.startswith("left out: ") and "1 sentence left out" in said.err


def _of(rows: list[str]) -> list[tuple[int, str]]:
    return list(enumerate(rows[1:]))


def _with(row: str, column: int, value: str) -> str:
    columns = row.split("\t")
    columns[column] = value
    return "\t".join(columns)


def test_unknown_names_are_realised_without_a_word(
    own: SimpleNamespace, capsys: Any, monkeypatch: Any
) -> None:
    text = Path(own.input).read_text(encoding="utf-8")
    text = text.replace("\tnsubj\t", "\tdoer\t").replace("Degree=Pos", "Degree=Pos|Mine=Yes")
    typed(monkeypatch, text)
    assert main(["realize", "--model", own.model, "--conllu", "-", *PLAIN]) == 0
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 3 and said.err == ""


def test_evaluate_scores_as_the_shared_tasks_do(own: SimpleNamespace, capsys: Any) -> None:
    asked = ["evaluate", "--model", own.model, "--corpus", own.bank, *PLAIN, "--json", "-"]
    assert main([*asked, "--split", "test"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["sentences"] == 4 and data["brevity"] == 1 and data["stopped"] == {"complete": 4}
    assert 0 < data["bleu_cased"] <= data["bleu_lc"] < 100.001 and data["inflected"] > 0.5
    assert "tok:none" in data["bleu_lc_signature"]
    assert main([*asked, "--split", "test", "--jobs", "2"]) == 0
    again = json.loads(capsys.readouterr().out)
    times = {"ms_per_sentence": 0, "ms_median": 0}
    assert again | times == data | times
    assert main([*asked[:-2], "--split", "test", "--errors"]) == 0
    told = capsys.readouterr().out
    assert "BLEU without it" in told and "punctuation" in told and "wrong way round" in told


def test_other_verbs_say_where_to_go(own: SimpleNamespace, capsys: Any, tmp_path: Path) -> None:
    for asked, told in (
        (["order", "--model", own.model, "robin"], "wordorder-lab realize"),
        (["explore", "--model", own.model, "--out", str(tmp_path / "x.html")], "evaluate"),
        (["evaluate", "--model", own.model, "--corpus", own.bank, "--pos", "1"], "--pos"),
        (["train", SYSTEM, "--corpus", own.bank, "--deps", "1", "--out", "x.wol"], "--deps"),
        (["realize", "--model", own.model, "--conllu", own.input, "--chart", "single"], "--chart"),
    ):
        assert main([*asked, *PLAIN]) == 2
        said = capsys.readouterr().err
        assert told in said and said.count("\n") == 1


def test_training_tells_its_epochs(own: SimpleNamespace, capsys: Any, tmp_path: Path) -> None:
    out = tmp_path / "new.wol"
    learn = ["train", SYSTEM, "--corpus", own.bank, "--beam", "2", "--epochs", "2", *PLAIN]
    told = ["--eval", "dev", "--inflection", "first", "--no-labels", "--json", "-"]
    assert main([*learn, *told, "--out", str(out)]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [row["epoch"] for row in data["by_epoch"]] == [1, 2]
    assert data["trees"] == 32 and data["forms"] == 1 and data["labels"] is False
    assert data["english"] is False and data["corpus"] == own.bank
    assert 0 <= data["by_epoch"][1]["bleu_cased"] <= 100
    assert not out.with_name("new.wol.checkpoint").exists()


def test_options_are_refused_before_any_tree_is_blamed(
    own: SimpleNamespace, capsys: Any, tmp_path: Path
) -> None:
    asked = ["realize", "--model", own.model, "--conllu", own.input, "--skip-bad", *PLAIN]
    for more, told in (
        (["--beam", "0"], "'0' is not a whole number"),
        (["--lm-weight", "1"], "--lm-order"),
    ):
        assert exit_code([*asked, *more]) == 2
        said = capsys.readouterr()
        assert said.out == "" and told in said.err and "line " not in said.err
    untraced = str(tmp_path / "head.wol")
    learn = ["train", "guo-2011", "--corpus", own.bank, *PLAIN, "--out", untraced]
    assert main(learn) == 0 and "--english" in capsys.readouterr().out
    asked[2] = untraced
    assert main([*asked, "--play", str(tmp_path / "page.html")]) == 2
    said = capsys.readouterr().err
    assert "no steps to watch" in said and "left out" not in said


def test_trees_that_do_not_know_their_words_are_neither_learned_nor_scored(
    own: SimpleNamespace, capsys: Any, tmp_path: Path
) -> None:
    task = tmp_path / "task.conllu"
    task.write_text(as_input(lemma_conllu(20)), encoding="utf-8")
    for asked in (
        ["train", SYSTEM, "--corpus", str(task), "--out", str(tmp_path / "none.wol")],
        ["evaluate", "--model", own.model, "--corpus", str(task)],
    ):
        assert main([*asked, *PLAIN]) == 2
        said = capsys.readouterr().err
        assert "knows its words" in said and "column 2" in said and said.count("\n") == 1


def test_a_sentence_is_listed_once_and_what_is_too_large_leaves_no_line(
    own: SimpleNamespace, capsys: Any, monkeypatch: Any
) -> None:
    row = "{}\trobin\t_\tNOUN\tNN\t_\t{}\t{}\t_\t_"
    rows = [row.format(1, 0, "root"), *(row.format(i, 1, "nmod") for i in range(2, 1002))]
    small = Path(own.input).read_text(encoding="utf-8").split("\n\n")[0]
    text = "\n\n".join([small, "\n".join(rows), small]) + "\n\n"
    typed(monkeypatch, text)
    asked = ["realize", "--model", own.model, "--conllu", "-", "--k", "4", *PLAIN]
    assert main([*asked, "--skip-bad"]) == 0
    said = capsys.readouterr()
    lines = [line.split(maxsplit=1)[1] for line in said.out.splitlines()]
    half = len(lines) // 2
    assert lines[:half] == lines[half:] and len(set(lines)) == half
    assert said.err.count("left out: ") == 1 and "1000 are the most" in said.err


def test_the_command_that_gets_the_corpus_is_told_whole(
    capsys: Any, monkeypatch: Any, tmp_path: Path
) -> None:
    folders = [tmp_path / f"{'deep' * 9}{i}" for i in range(9)]
    monkeypatch.setattr("wordorder_lab.corpora.readers.files.data_roots", lambda _: iter(folders))
    assert main(["train", SYSTEM, "--corpus", "sr18", "--out", str(tmp_path / "x.wol")]) == 2
    said = capsys.readouterr().err
    assert GET in said and said.count("\n") == 1 and len(said) <= LONGEST + 1
    assert "looked in" not in said or f"{folders[0]}, ...)" in said


def test_without_lists_of_english_forms_training_says_how_to_do_without(
    own: SimpleNamespace, capsys: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package that was just installed has no such lists."""

    def none_here(*_: object) -> None:
        raise CorpusError("the lists are not here")

    monkeypatch.setattr("wordorder_lab.systems.realization_examples.inflection_lists", none_here)
    out = tmp_path / "own.wol"
    learn = ["train", "bohnet-2011", "--corpus", own.bank, "--epochs", "1", *PLAIN]
    assert main([*learn, "--english", "--out", str(out)]) == 2
    assert "--no-english trains without these: the lists" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
    assert main([*learn, "--no-english", "--out", str(out)]) == 0
