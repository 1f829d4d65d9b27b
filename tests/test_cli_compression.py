"""The command line on making sentences shorter: each verb once, bad input, and interruptions."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from command_line import PLAIN, complaint, own_files, write_pairs

from wordorder_lab.cli import OPTIONS, main
from wordorder_lab.commands import train_compression, train_grid
from wordorder_lab.commands.options import BEAMS
from wordorder_lab.decoders import stsg_input
from wordorder_lab.decoders.compression_losses import LOSSES
from wordorder_lab.experiments import compression_bench
from wordorder_lab.grammars.gold_transductions import GOLD
from wordorder_lab.grammars.rule_extraction import CHOICES
from wordorder_lab.learners.svm_settings import FORMULATIONS
from wordorder_lab.models.arpa import write_arpa
from wordorder_lab.models.kneser_ney import estimate
from wordorder_lab.systems import COMPRESSORS, load_model, training_names

SYSTEM = "cohn-lapata-2009"
SMALL = ["--C", "1", "--beam", "5", "--iterations", "8", *PLAIN]
TREE = "(S (NP (DT the) (JJ old) (NN robin)) (VP (VBZ paints) (NP (DT a) (NN clock))) (. .))"
SHORT = "The robin paints a clock ."


@pytest.fixture(scope="module")
def own(tmp_path_factory) -> SimpleNamespace:
    """Pairs of our own, a model of them, and a model that orders words; for reading only."""
    folder = tmp_path_factory.mktemp("own")
    made = own_files(folder)
    pairs, model = str(write_pairs(folder)), str(folder / "short.wol")
    assert main(["train", SYSTEM, "--corpus", pairs, *SMALL, "--out", model]) == 0
    return SimpleNamespace(pairs=pairs, model=model, orderer=made.model, sentences=made.corpus)


def train(own: SimpleNamespace, out: Path, *more: str) -> int:
    return main(["train", SYSTEM, "--corpus", own.pairs, *SMALL, *more, "--out", str(out)])


def compress(own: SimpleNamespace, *more: str) -> int:
    return main(["compress", "--model", own.model, *PLAIN, *more])


def evaluate(own: SimpleNamespace, *more: str) -> int:
    return main(["evaluate", "--model", own.model, *PLAIN, *more])


def typed(monkeypatch: pytest.MonkeyPatch, text: str, terminal: bool = False) -> None:
    stdin = io.StringIO(text)
    stdin.isatty = lambda: terminal  # type: ignore[method-assign]
    monkeypatch.setattr("sys.stdin", stdin)


def test_choices_are_those_of_the_library() -> None:
    assert set(BEAMS) == set(stsg_input.BEAMS)
    for option, values in (
        *(("--search", stsg_input.SEARCHES), ("--loss", LOSSES), ("--gold", GOLD)),
        *(("--choice", CHOICES), ("--formulation", FORMULATIONS)),
    ):
        assert OPTIONS[option]["choices"] == values
    settings = {*training_names(SYSTEM)} - {"variables", "nodes", "targets"}
    assert {name.replace("max_", "") for name in settings} <= {name[2:] for name in OPTIONS}
    assert all(system in OPTIONS["system"]["help"] for system in COMPRESSORS)


# --- train ----------------------------------------------------------------------------------------


def test_train_tells_what_it_does(own, tmp_path, capsys) -> None:
    out, numbers, events = tmp_path / "m.wol", tmp_path / "m.json", tmp_path / "m.events"
    assert train(own, out, "--eval", "dev", "--json", str(numbers), "--trace", str(events)) == 0
    shown = capsys.readouterr().out
    assert "iteration   2  dev relation F1" in shown and f"wrote {out}" in shown
    told = json.loads(numbers.read_text())
    assert told.keys() >= {"system", "corpus", "C", "loss", "rules", "objective", "gap", "pairs"}
    rows = told["by_iteration"]
    assert [row["iteration"] for row in rows] == [*range(1, len(rows) + 1)]
    assert rows[-1]["held_out_loss"] == 0 and rows[0].keys() >= {"primal", "seconds"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.events", "m.json", "m.wol"]
    assert load_model(out).settings["corpus"] == own.pairs


def stop_at(monkeypatch: pytest.MonkeyPatch, place: Any, name: str, call: int) -> None:
    """From the ``call``-th time on, Ctrl-C comes in place of this function."""
    whole, calls = getattr(place, name), iter(range(1, 1000))

    def stopped(*arguments: Any, **more: Any) -> Any:
        if next(calls) >= call:
            raise KeyboardInterrupt
        return whole(*arguments, **more)

    monkeypatch.setattr(place, name, stopped)


@pytest.mark.parametrize("gold", ["max-rules", "min-score"])
def test_interrupted_training_goes_on(own, tmp_path, capsys, gold: str) -> None:
    """By score there are two trainings; it is interrupted in the second."""
    whole, out = tmp_path / "whole.wol", tmp_path / "m.wol"
    more = ["--gold", gold, "--eval", "dev"]
    assert train(own, whole, *more) == 0
    rounds = [row["round"] for row in load_model(whole).settings["history"]]
    with pytest.MonkeyPatch.context() as patch:
        stop_at(patch, train_compression, "on_held_out", len(rounds))
        assert train(own, out, *more) == 130
    assert f"the same command goes on from {out}.checkpoint" in capsys.readouterr().err
    assert not out.exists() and set(rounds) == ({1} if gold == "max-rules" else {1, 2})
    assert train(own, out, *more) == 0
    assert f"going on from {out}.checkpoint" in capsys.readouterr().out
    assert out.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.wol", "whole.wol"]


def test_a_language_model_of_ones_own(own, tmp_path, capsys) -> None:
    arpa, out = tmp_path / "own.arpa", tmp_path / "m.wol"
    write_arpa(estimate([["the", "robin", "paints", "a", "clock", "."]], 2), arpa)
    assert train(own, out, "--ngrams", str(arpa)) == 0
    model = load_model(out)
    assert (model.ngrams.order, model.settings["order"]) == (2, 2)
    assert train(own, out, "--ngrams", str(arpa), "--order", "3") == 2
    assert "--order and --folds are for" in capsys.readouterr().err.splitlines()[-1]


# --- train --grid ---------------------------------------------------------------------------------

GRID = ["--gold", "max-score", "--scaling", "1"]


def test_a_grid_keeps_the_best(own, tmp_path, capsys) -> None:
    """Interrupted at its second point it goes on there, and the model is as if trained alone."""
    out, alone, numbers = tmp_path / "m.wol", tmp_path / "alone.wol", tmp_path / "m.json"
    several = [*GRID, "--C", "0.0001", "0.1", "1", "--json", str(numbers)]
    with pytest.MonkeyPatch.context() as patch:
        stop_at(patch, train_grid, "_line", 2)
        assert train(own, out, *several) == 130
    assert f"goes on from {out}.partial" in capsys.readouterr().err and not out.exists()
    assert len(json.loads(Path(f"{out}.partial").read_text())["rows"]) == 1
    assert train(own, out, *several) == 0
    shown = capsys.readouterr().out
    assert "1 points are done" in shown and "smallest loss on dev: C 0.1, " in shown
    told = json.loads(numbers.read_text())
    assert [row["C"] for row in told["rows"]] == [0.0001, 0.1, 1]
    assert told["rows"][0]["loss"] > told["rows"][1]["loss"] == told["best"]["loss"]
    assert told["best"].keys() >= {"scaling", "relation_f1", "rate", "objective", "gap"}
    assert train(own, alone, *GRID, "--C", "0.1") == 0
    assert out.read_bytes() == alone.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["alone.wol", "m.json", "m.wol"]


# --- compress -------------------------------------------------------------------------------------


def test_compress_prints_score_and_text(own, capsys) -> None:
    assert compress(own, TREE) == 0
    score, text = capsys.readouterr().out.split(maxsplit=1)
    assert float(score) and text.strip() == SHORT


def test_compress_lists_k_best_with_trees_rules_and_a_page(own, tmp_path, capsys) -> None:
    events, answers, page = (tmp_path / name for name in ("run.events", "run.json", "run.html"))
    files = ["--trace", str(events), "--json", str(answers), "--play", str(page)]
    assert compress(own, "--k", "2", "--tree", "--rules", *files, TREE, TREE) == 0
    shown = capsys.readouterr().out
    assert shown.count(f"  {SHORT}\n") == 2 and "(NN robin)" in shown
    assert "<NP, NP> -> <[NP DT_1 JJ_eps NN_2], [NP DT_1 NN_2]>" in shown
    assert "wol-data" in page.read_text(encoding="utf-8") and events.exists()
    first, second = json.loads(answers.read_text())
    assert first == second and first["source"] == TREE and first["text"] == SHORT
    assert len(first["k_best"]) == 2 and first["k_best"][0]["text"] == SHORT
    assert first["rate"] == 6 / 7 and first["words"] == SHORT.split()
    assert first["tree"].startswith("(S (NP (DT The)") and "[NN robin]" in str(first["rules"])


def test_the_bonus_lengthens_and_the_search_is_chosen(own, capsys) -> None:
    lengths = []
    for bonus in ("-1000", "0", "1000"):
        assert (
            compress(own, "--bonus", bonus, "--beam", "exact", "--search", "exhaustive", TREE) == 0
        )
        lengths.append(len(capsys.readouterr().out.split()) - 1)
    assert lengths == sorted(lengths) and lengths[0] == 1 and lengths[2] >= 7


def test_trees_from_a_file(own, tmp_path, capsys, monkeypatch) -> None:
    """In the Treebank's layout, from a path or from stdin."""
    path = tmp_path / "own.mrg"
    text = "( (S \n    (NP-SBJ (DT the) (NN robin) )\n    (VP (VBZ paints) )\n    (. .) ))\n" * 2
    path.write_text(text)
    assert compress(own, "--trees", str(path)) == 0
    shown = capsys.readouterr().out
    assert shown.count("The robin paints .") == 2
    typed(monkeypatch, text)
    assert compress(own, "--trees", "-") == 0
    assert capsys.readouterr().out == shown


@pytest.mark.parametrize("target", ["-", "file"])
def test_a_bad_tree_does_not_take_back_the_answers(
    own, tmp_path, capsys, monkeypatch, target: str
) -> None:
    typed(monkeypatch, f"{TREE}\n\n{TREE}\n(S (NP rain)\n{TREE}\n")
    path = tmp_path / "a.json"
    assert compress(own, "--json", str(path) if target == "file" else target) == 2
    captured = capsys.readouterr()
    assert "line 4 of the input: a closing bracket is missing" in captured.err
    answers = json.loads(path.read_text() if target == "file" else captured.out)
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
    "words without brackets": (["the robin"], "stands outside the brackets"),
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


# --- evaluate -------------------------------------------------------------------------------------


def test_evaluate_writes_scores_beside_floors(own, tmp_path, capsys) -> None:
    path = tmp_path / "scores.json"
    assert evaluate(own, "--split", "test", "--json", str(path), "--against", own.model) == 0
    shown = capsys.readouterr().out
    some = "keep all", "random deletion", "exact match", "mean loss", "ms a sentence", " S ", " O "
    for text in (*some, "beam experiments, search cube, bonus 0", "p = 1 (Wilcoxon"):
        assert text in shown, text
    told = json.loads(path.read_text())
    assert told.keys() >= {
        *("system", "corpus", "split", "sentences", "rate", "gold_rate", "relation_f1"),
        *("unigram_f1", "exact_match", "training_loss", "beam", "seed", "ms_per_sentence"),
    }
    assert (told["split"], told["sentences"], told["corpus"]) == ("test", 3, own.pairs)
    floor = told["floors"]["keep_all"]
    assert (floor["rate"], floor["exact_match"]) == (1, 0) and floor["relation_precision"] < 1
    assert (told["relation_f1"], told["exact_match"], told["training_loss"]) == (1, 1, 0)
    assert told["against"]["wilcoxon"]["p_value"] == 1


def test_evaluate_at_a_rate(own, capsys) -> None:
    assert evaluate(own, "--rate", "1", "--show", "0", "--json", "-") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["rate"] == told["dev_rate"] == 1 and told["bonus"] == told["dev_bonus"] > 0
    assert evaluate(own, "--rate", "gold", "--show", "0") == 0
    assert "was found on dev" in capsys.readouterr().out


WRONG = {
    "evaluate: tags": (["evaluate", "--pos", "1"], f"{SYSTEM} has no --pos in its evaluation"),
    "evaluate: limits": (["evaluate", "--seconds", "1"], "has no --seconds in its search; it has"),
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
    "rate": (["evaluate", "--rate", "gold"], "--rate is for models that make sentences shorter"),
    "bonus": (["evaluate", "--bonus", "1"], "liu-2015 has no --bonus in its search; it has --beam"),
    "beam": (["evaluate", "--beam", "exact"], "--beam of liu-2015 is a whole number"),
    "against": (["evaluate", "--against", "short"], "does not order words"),
}


@pytest.mark.parametrize(("argv", "reason"), ORDERER.values(), ids=ORDERER)
def test_what_an_orderer_does_not_have(own, capsys, argv: list[str], reason: str) -> None:
    argv = [own.model if word == "short" else word for word in argv]
    assert main([argv[0], "--model", own.orderer, *PLAIN, *argv[1:]]) == 2
    assert reason in complaint(capsys)


TRAIN = {
    "no pairs": (["--corpus", "ptb-sample"], "ptb-sample has sentences but no compressions"),
    "tags": (["--pos", "1"], f"{SYSTEM} has no --pos in its training; it has --depth"),
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
        (["--depth", "1"], "liu-2015 has no --depth in its training; it has --pos"),
        (["--grid"], "liu-2015 has no --grid"),
        (["--iterations", "1"], "liu-2015 has no --iterations"),
        (["--beam", "training"], "--beam of liu-2015 is a whole number, not 'training'"),
    ):
        assert main(["train", "liu-2015", *argv, "--out", "m.wol"]) == 2
        assert reason in complaint(capsys)


@pytest.mark.parametrize(
    ("argv", "reason"),
    [
        (["--C", "0"], "'0' is not a number above 0"),
        (["--beam", "wide"], "'wide' is not a whole number from 0 up"),
        (["--loss", "bleu"], "choose from"),
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
    assert train(SimpleNamespace(pairs=str(path)), tmp_path / "m.wol") == 2
    assert f"line 4 of {path}: alignment" in complaint(capsys)


# --- bench and corpora ----------------------------------------------------------------------------


def test_bench(own, tmp_path, capsys, monkeypatch) -> None:
    # Compiling would take longer than all these tests.
    monkeypatch.setattr(compression_bench, "choose_engine", lambda engine=None: "reference")
    path = tmp_path / "bench.json"
    assert main(["bench", "--model", own.model, "--json", str(path)]) == 0
    assert "combinations a second" in capsys.readouterr().out
    told = json.loads(path.read_text())
    assert told.keys() >= {"name", "rows", "seconds", "versions", "machine", "corpus", "system"}
    assert [(row["engine"], row["least"], row["sentences"]) for row in told["rows"]] == [
        ("reference", 1, 3)
    ]
    assert all(row["ms"] > 0 and row["ms_search"] > 0 for row in told["rows"])
    assert told["loss_augmented"]["seconds_per_pass"] > 0


def test_corpora_tell_who_has_compressions(own, capsys) -> None:
    assert main(["corpora", "--json", "-"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in rows if row["compressions"]] == ["gazette"]
    assert main(["corpora", own.pairs]) == 0
    shown = capsys.readouterr().out
    assert "own.jsonl" in shown and "18 deletion, 6 reordering" in shown
