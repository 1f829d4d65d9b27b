"""Making sentences shorter on the command line, given bad input: one clear line, nothing lost."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_line import (
    PLAIN,
    SHORT,
    SYSTEM,
    TREE,
    complaint,
    compress,
    exit_code,
    own_pairs,
    train_short,
    typed,
)

from wordorder_lab.cli import main


@pytest.fixture(scope="module")
def own(tmp_path_factory) -> SimpleNamespace:
    return own_pairs(tmp_path_factory.mktemp("own"))


# --- trees ---------------------------------------------------------------------------------------


def test_a_bad_tree_does_not_take_back_the_answers(own, capsys, monkeypatch) -> None:
    typed(monkeypatch, f"{TREE}\n\n{TREE}\n(S (NP rain)\n{TREE}\n")
    assert compress(own, "--json", "-") == 2
    captured = capsys.readouterr()
    assert "line 4 of the input: a closing bracket is missing" in captured.err
    answers = json.loads(captured.out)
    assert [answer["text"] for answer in answers] == [SHORT, SHORT]


def test_who_types_is_told_how_and_may_err(own, capsys, monkeypatch) -> None:
    typed(monkeypatch, f"(S (NP rain)\n{TREE}\n", terminal=True)
    assert compress(own) == 0
    captured = capsys.readouterr()
    assert "a closing bracket is missing" in captured.err and "a tree a line" in captured.err
    assert len(captured.out.splitlines()) == 1


ODD = {
    "one word": "(NP (NN robin))",
    "labels never seen": "(FOO (BAR (BAZ xyzzy)) (QUX plugh))",
    "a chain": "(S (S (S (NP (NN robin)))))",
    "many children": f"(NP {'(NN robin) ' * 14})",
    "signs": r"(S (NP (NN a\/b)) (, <) (. _))",
    "emoji": "(S (NP (NN 👩‍👩‍👧)) (VP (VBZ 🎉)))",
}


@pytest.mark.parametrize("tree", ODD.values(), ids=ODD)
def test_odd_trees_are_compressed(own, capsys, tree: str) -> None:
    assert compress(own, tree) == 0
    assert len(capsys.readouterr().out.split()) >= 2


REFUSED = {
    "nothing": ([""], "tree 1: there is no tree here"),
    "the second": ([TREE, "(S"], "tree 2: a closing bracket is missing"),
    "no words": (["(S)"], "these brackets hold nothing"),
    "words without brackets": (["the robin"], "this is plain text: give --parser"),
    "traces alone": (["(S (NP (-NONE- *)))"], "holds traces and no words"),
    "two trees": ([TREE + TREE], "2 trees, where one should be"),
    "two places": (["--trees", "own.mrg", TREE], "leave one of them out"),
    "no file": (["--trees", "no.mrg"], "no.mrg"),
    "nowhere to write": (["--json", "no/where.json", TREE], "there is no folder no"),
}


@pytest.mark.parametrize(("argv", "reason"), REFUSED.values(), ids=REFUSED)
def test_bad_trees_are_refused(own, capsys, argv: list[str], reason: str) -> None:
    assert compress(own, *argv) == 2
    captured = capsys.readouterr()
    assert reason in captured.err and len(captured.err.strip().splitlines()) == 1


# --- options -------------------------------------------------------------------------------------

WRONG = {
    "evaluate: tags": (["evaluate", "--pos", "1"], f"{SYSTEM} has no --pos in its evaluation"),
    "evaluate: limits": (["evaluate", "--seconds", "1"], "has no --seconds in its search"),
    "evaluate: seeds": (["evaluate", "--seed", "1", "2"], "takes one value"),
    "evaluate: rate and bonus": (["evaluate", "--rate", "gold", "--bonus", "1"], "leave --bonus"),
    "evaluate: no pairs": (["evaluate", "--corpus", "ptb-sample"], "but no compressions"),
    "order": (["order", "a b"], "that is wordorder-lab compress"),
}


@pytest.mark.parametrize(("argv", "reason"), WRONG.values(), ids=WRONG)
def test_what_a_compressor_does_not_have(own, capsys, argv: list[str], reason: str) -> None:
    command, *more = argv
    assert main([command, "--model", own.model, *PLAIN, *more]) == 2
    assert reason in complaint(capsys)


ORDERER = {
    "compress": (["compress", TREE], "that is wordorder-lab order"),
    "rate": (["evaluate", "--rate", "gold"], "liu-2015 has no --rate in its evaluation"),
    "bonus": (["evaluate", "--bonus", "1"], "liu-2015 has no --bonus in its search"),
    "beam": (["evaluate", "--beam", "exact"], "'exact' is not a whole number"),
    "against": (["evaluate", "--against", "short"], "that is wordorder-lab compress"),
}


@pytest.mark.parametrize(("argv", "reason"), ORDERER.values(), ids=ORDERER)
def test_what_an_orderer_does_not_have(own, capsys, argv: list[str], reason: str) -> None:
    argv = [own.model if word == "short" else word for word in argv]
    assert exit_code([argv[0], "--model", own.orderer, *PLAIN, *argv[1:]]) == 2
    assert reason in complaint(capsys)


TRAIN = {
    "no pairs": (["--corpus", "ptb-sample"], "ptb-sample has sentences but no compressions"),
    "tags": (["--pos", "1"], f"{SYSTEM} has no --pos in its training"),
    "units": (["--units", "words"], f"{SYSTEM} has no --units"),
    "templates": (["--templates", "x"], "x"),
    "traced grid": (["--C", "1", "2", "--trace", "t"], "--trace records one training"),
}


@pytest.mark.parametrize(("argv", "reason"), TRAIN.values(), ids=TRAIN)
def test_what_training_refuses(capsys, argv, reason, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["train", SYSTEM, *argv, "--out", "m.wol"]) == 2
    assert reason in complaint(capsys)
    assert not list(tmp_path.iterdir())


def test_what_a_system_for_order_refuses(capsys, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for argv, reason in (
        (["--depth", "1"], "liu-2015 has no --depth in its training (did you mean"),
        (["--grid"], "liu-2015 has no --grid"),
        (["--iterations", "1"], "liu-2015 has no --iterations"),
        (["--beam", "training"], "'training' is not a whole number"),
    ):
        assert exit_code(["train", "liu-2015", *argv, "--out", "m.wol"]) == 2
        assert reason in complaint(capsys)


@pytest.mark.parametrize(
    ("argv", "reason"),
    [
        (["--C", "0"], "'0' is not a number above 0"),
        (["--penalty", "wide"], "'wide' is not a number from 0 up"),
        (["--loss", "bleu"], "no loss 'bleu'; there are"),
        (["--penalty", "-1"], "'-1' is not a number from 0 up"),
    ],
)
def test_what_argparse_refuses(capsys, argv: list[str], reason: str) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["train", SYSTEM, *argv, "--out", "m.wol"])
    assert stop.value.code == 2
    assert reason in complaint(capsys)


def test_a_pair_that_cannot_be_is_named(own, tmp_path, capsys) -> None:
    rows = Path(own.pairs).read_text().splitlines()
    rows[2] = rows[2].replace('"alignment": [', '"alignment": [[99, 0], ') or rows[2]
    rows[3] = rows[3].replace("[2, 0]", "[2, 99]")
    path = tmp_path / "bad.jsonl"
    path.write_text("\n".join(rows))
    assert train_short(SimpleNamespace(pairs=str(path)), tmp_path / "m.wol") == 2
    assert f"line 4 of {path}: alignment" in complaint(capsys)
