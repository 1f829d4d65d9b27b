"""The command line on making sentences shorter: of trees, and of text that a parser gives trees."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import PLAIN, SHORT, TREE, compress, evaluate, stop_at, train_short, typed
from fake_parser import FakeParser

import wordorder_lab as wl
from wordorder_lab.cli import main
from wordorder_lab.commands import train_grid
from wordorder_lab.commands.answers import tokenisation_hint
from wordorder_lab.commands.common import parser_for
from wordorder_lab.corpora import TEXTS
from wordorder_lab.experiments import bench as compression_bench
from wordorder_lab.models.arpa import write_arpa
from wordorder_lab.models.kneser_ney import estimate_ngrams
from wordorder_lab.systems import compression_grid, load_model, parser

# --- train ----------------------------------------------------------------------------------------


def test_train_tells_what_it_does(own, tmp_path, capsys) -> None:
    out, numbers, events = tmp_path / "m.wol", tmp_path / "m.json", tmp_path / "m.events"
    assert (
        train_short(own, out, "--eval", "dev", "--json", str(numbers), "--trace", str(events)) == 0
    )
    shown = capsys.readouterr().out
    assert "iteration   2  dev relation F1" in shown and f"wrote {out}" in shown
    told = json.loads(numbers.read_text())
    assert told.keys() >= {"system", "corpus", "C", "loss", "rules", "objective", "gap", "pairs"}
    rows = told["by_iteration"]
    assert [row["iteration"] for row in rows] == [*range(1, len(rows) + 1)]
    assert rows[-1]["held_out_loss"] == 0 and rows[0].keys() >= {"primal", "seconds"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.events", "m.json", "m.wol"]
    assert load_model(out).settings["corpus"] == own.pairs


@pytest.mark.parametrize("gold", ["max-rules", "min-score"])
@pytest.mark.slow
def test_interrupted_training_goes_on(own, tmp_path, capsys, gold: str) -> None:
    """By score there are two trainings; it is interrupted in the second."""
    whole, out = tmp_path / "whole.wol", tmp_path / "m.wol"
    more = ["--gold", gold, "--eval", "dev"]
    assert train_short(own, whole, *more) == 0
    rounds = [row["round"] for row in load_model(whole).settings["history"]]
    with pytest.MonkeyPatch.context() as patch:
        stop_at(patch, compression_grid, "on_held_out", len(rounds))
        assert train_short(own, out, *more) == 130
    assert f"the same command goes on from {out}.checkpoint" in capsys.readouterr().err
    assert not out.exists() and set(rounds) == ({1} if gold == "max-rules" else {1, 2})
    assert train_short(own, out, *more) == 0
    assert f"going on from {out}.checkpoint" in capsys.readouterr().out
    assert out.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.wol", "whole.wol"]


def test_a_language_model_of_ones_own_or_none(own, tmp_path) -> None:
    arpa, out = tmp_path / "own.arpa", tmp_path / "m.wol"
    write_arpa(estimate_ngrams([["the", "robin", "paints", "a", "clock", "."]], 2), arpa)
    assert train_short(own, out, "--ngrams", str(arpa)) == 0
    model = load_model(out)
    assert (model.ngrams.order, model.settings["order"]) == (2, 2)
    assert train_short(own, out, "--features", "ngram, token") == 0
    assert load_model(out).settings["features"] == "token,ngram"


# --- train --grid ---------------------------------------------------------------------------------

GRID = ["--gold", "max-score", "--scaling", "1"]


@pytest.mark.slow
def test_a_grid_keeps_the_best(own, tmp_path, capsys) -> None:
    """Interrupted at its second point it goes on there, and the model is as if trained alone."""
    out, alone, numbers = tmp_path / "m.wol", tmp_path / "alone.wol", tmp_path / "m.json"
    several = [*GRID, "--C", "0.0001", "0.1", "1", "--json", str(numbers)]
    with pytest.MonkeyPatch.context() as patch:
        stop_at(patch, train_grid, "_line", 2)
        assert train_short(own, out, *several) == 130
    assert f"goes on from {out}.partial" in capsys.readouterr().err and not out.exists()
    assert len(json.loads(Path(f"{out}.partial").read_text())["rows"]) == 1
    assert train_short(own, out, *several) == 0
    shown = capsys.readouterr().out
    assert "1 points are done" in shown and "smallest loss on dev: C 0.1, " in shown
    told = json.loads(numbers.read_text())
    assert [row["C"] for row in told["rows"]] == [0.0001, 0.1, 1]
    assert told["rows"][0]["loss"] > told["rows"][1]["loss"] == told["best"]["loss"]
    assert told["best"].keys() >= {"scaling", "relation_f1", "rate", "objective", "gap"}
    assert train_short(own, alone, *GRID, "--C", "0.1") == 0
    assert out.read_bytes() == alone.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["alone.wol", "m.json", "m.wol"]


# --- compress -------------------------------------------------------------------------------------


def test_compress_sweeps_a_setting_as_single_runs_do(own, tmp_path, capsys) -> None:
    page = tmp_path / "sweep.html"
    assert compress(own, "--sweep", "bonus=-1,2", "--html", str(page), TREE) == 0
    *rows, says = capsys.readouterr().out.splitlines()
    for row, bonus in zip(rows, ("-1", "2"), strict=True):
        assert compress(own, "--bonus", bonus, TREE) == 0
        score, text = capsys.readouterr().out.split(maxsplit=1)
        assert row.split()[:3] == ["bonus", bonus, score] and row.endswith(f"  {text.strip()}")
    assert "from 2 values" in says and "bonus" in page.read_text(encoding="utf-8")


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


# --- evaluate -------------------------------------------------------------------------------------


def test_evaluate_writes_scores_beside_floors(own, tmp_path, capsys) -> None:
    path, asked = tmp_path / "scores.json", ["--split", "test", "--against", own.short]
    assert evaluate(own, *asked, "--json", str(path), model="short") == 0
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
    assert evaluate(own, "--rate", "1", "--show", "0", "--json", "-", model="short") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["rate"] == told["dev_rate"] == 1 and told["bonus"] == told["dev_bonus"] > 0
    assert evaluate(own, "--rate", "gold", "--show", "0", model="short") == 0
    assert "was found on dev" in capsys.readouterr().out


# --- bench and corpora ----------------------------------------------------------------------------


def test_bench(own, tmp_path, capsys, monkeypatch) -> None:
    # Compiling would take longer than all these tests.
    monkeypatch.setattr(compression_bench, "choose_engine", lambda engine=None: "reference")
    path = tmp_path / "bench.json"
    assert main(["bench", "--model", own.short, "--json", str(path)]) == 0
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
    assert [row["name"] for row in rows if row["compressions"]] == ["gazette", *TEXTS]
    assert main(["corpora", own.pairs]) == 0
    shown = capsys.readouterr().out
    assert "own.jsonl" in shown and "18 deletion, 6 reordering" in shown


# --- text that a parser gives trees ---------------------------------------------------------------

WORDS = ["the robin sang again today .", "a boat left the shore early .", "rain fell here again ."]


@pytest.fixture
def texts(tmp_path, monkeypatch) -> str:
    """A folder of pairs of text, two annotators each; the default parser is a flat one."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(parser, "default_parser", FakeParser)
    folder = tmp_path / "texts"
    folder.mkdir()
    for split in ("train", "dev"):
        rows = []
        for i, words in enumerate(WORDS):
            one = words.split()
            shorter = [" ".join([*one[:3], "."]), " ".join([*one[:2], "."])]
            rows.append(json.dumps({"id": f"{split}.{i}", "text": words, "summaries": shorter}))
        (folder / f"{split}.jsonl").write_text("\n".join(rows), encoding="utf-8")
    return str(folder)


def test_train_and_evaluate_on_text(texts, tmp_path, capsys) -> None:
    out, numbers = tmp_path / "m.wol", tmp_path / "m.json"
    size = ["--beam", "5", "--iterations", "2", *PLAIN]
    line = ["train", "cohn-lapata-2009", "--corpus", texts, *size, "--out", str(out)]
    assert main(line) == 0
    model = wl.load_model(out)
    assert (model.settings["pairs"], model.settings["parser"]) == (6, "default")
    assert (model.settings["variables"], model.settings["nodes"]) == (10, 40)
    assert main([*line, "--variables", "3", "--jobs", "2"]) == 0
    narrow = wl.load_model(out).settings
    assert (narrow["variables"], narrow["nodes"]) == (3, 40)
    assert narrow["rules"] < model.settings["rules"]
    line = ["evaluate", "--model", str(out), "--rate", "gold", "--json", str(numbers), *PLAIN]
    assert main(line) == 0
    shown = capsys.readouterr().out
    for told in ("parsed anew", "at its own rate", "first clause", "4-gram F1", "keep all"):
        assert told in shown
    told = json.loads(numbers.read_text())
    assert (told["corpus"], told["parser"], told["sentences"]) == (texts, "default", 3)
    assert told["reparsed"]["refused"] == 0 and told["at_own_rate"]["bonus"] == 0


def test_compress_takes_plain_text(own, texts, tmp_path, capsys) -> None:
    path = tmp_path / "out.json"
    line = ["compress", "--model", own.short, "--parser", "default", "--json", str(path), *PLAIN]
    assert main([*line, WORDS[0], "It didn't rain."]) == 0
    shown = capsys.readouterr()
    first, second = json.loads(path.read_text())
    assert first["source"].startswith("(S (NN the) (NN robin)") and first["words"]
    assert second["text"] == "It did n't rain ." and not shown.err  # cut as treebanks are
    assert main([*line, "(S (NP (NN rain)) (VP (VBD fell)))"]) == 2
    assert "sentence 1: this is a tree" in capsys.readouterr().err
    assert main([*line, "word " * 61]) == 2
    assert "sentence 1: 61 words, and 60 are the most" in capsys.readouterr().err


def test_text_that_is_not_tokenised_gets_a_hint() -> None:
    for text, apart in (
        ("It rained.", "rained ."),
        ("He said, again", "said ,"),
        ("She's here .", "She 's"),
        ('"Rain fell .', '" Rain'),
        ("it isn't rain .", "is n't"),
        ("the end) .", "end )"),
    ):
        assert repr(apart) in tokenisation_hint(text)
    for text in (
        "Mr. Smith of Acme Corp. did n't say , `` never '' , at 5:30 p.m. in the U.S. .",
        "He 's 5,000 years old : 3.5 % more -- cease-fires ... -LRB- ok -RRB- ( ok )",
    ):
        assert not tokenisation_hint(text)


def test_a_parser_by_its_file(own, tmp_path) -> None:
    trees = [pair.source for pair in wl.load_compressions("gazette").dev[:5]]
    path = tmp_path / "parser.wol"
    model = wl.train("parser", trees)
    model.save(path)
    found = parser_for(str(path), own.pairs)
    assert found is not None and found.checksum == model.checksum
    assert parser_for(None, own.pairs) is None


def test_corpora_describes_text(texts, capsys) -> None:
    assert main(["corpora", texts]) == 0
    shown = capsys.readouterr().out
    assert "rate of each annotator" in shown and "66.7% 50.0%" in shown
