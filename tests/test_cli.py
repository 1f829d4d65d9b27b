"""The command line as it is meant: each command once, and what it prints and writes."""

from __future__ import annotations

import base64
import gzip
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import PLAIN, ROOT, SCORES, complaint, evaluate, order, stop_at

from wordorder_lab.cli import COMMANDS, main, parser
from wordorder_lab.commands.common import open_parser
from wordorder_lab.commands.demo import run as demo
from wordorder_lab.commands.learning import Learning
from wordorder_lab.commands.options import OPTIONS
from wordorder_lab.corpora import CorpusError, load_corpus
from wordorder_lab.corpora.registry import UNITS
from wordorder_lab.experiments import bench
from wordorder_lab.models.model_file import load_arrays, save_arrays
from wordorder_lab.structures.sentence import Sentence, Token
from wordorder_lab.systems import find, load_model, train
from wordorder_lab.systems.model import ENGINES
from wordorder_lab.systems.parser import default_parser
from wordorder_lab.systems.registry import ROWS
from wordorder_lab.systems.setting import settings_of

HEAVY = "print([m for m in sys.argv[1].split() if m in sys.modules])"
HELP = f"import sys; from wordorder_lab.cli import parser; parser().format_help(); {HEAVY}"
ORDERS = (
    "import sys; from wordorder_lab.cli import main; "
    f"from wordorder_lab.commands import evaluate, train; assert main(sys.argv[2:]) == 0; {HEAVY}"
)


@pytest.mark.parametrize(
    ("program", "heavy"),
    [(HELP, "numpy numba nltk tqdm"), (ORDERS, "nltk scipy.stats pandas matplotlib")],
)
def test_nobody_waits_for_what_is_not_needed(own, program: str, heavy: str) -> None:
    """nltk is most of a second, and more where it finds scipy."""
    line = ["order", "--model", own.model, *PLAIN, "the robin"]
    command = [sys.executable, "-c", program, heavy, *line]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.stdout.endswith("[]\n"), run.stdout + run.stderr


def test_choices_are_those_of_the_library() -> None:
    assert OPTIONS["--units"]["choices"] == UNITS
    assert OPTIONS["--engine"]["choices"] == ENGINES


def test_help_has_every_setting_of_every_system(monkeypatch, capsys) -> None:
    """Of a training on one screen and a half, for one system; in the list of all, each is named."""
    monkeypatch.setenv("COLUMNS", "80")
    for name in ROWS:
        system = find(name)
        kinds = {"train": system.settings, system.does.verb: system.model.Search}
        for command, kind in kinds.items():
            with pytest.raises(SystemExit):
                main([command, *([name] if command == "train" else []), "--help"])
            shown = capsys.readouterr().out.replace("[no-]", "")
            assert all(one.option in shown and one.about.help for one in settings_of(kind))
            assert command != "train" or shown.count("\n") <= 60, name
    with pytest.raises(SystemExit):
        main(["train", "--help"])
    shown = capsys.readouterr().out
    assert all(name in shown for name in ROWS) and shown.count("\n") <= 60


def test_help_of_one_system_is_silent_on_what_it_refuses(own, capsys) -> None:
    """Options that only others have are in the list of all, and in the help of these."""
    for line, there, not_there in (
        ("train liu-2015 --help", "usage: wordorder-lab train liu-2015 --lm-text", "--grid --set"),
        ("train cohn-lapata-2009 -h", "--grid --jobs [gazette]", "--units --supertagger"),
        (f"evaluate --help --model {own.less}", "--rate --constraints", "--pos --lm-weight"),
    ):
        with pytest.raises(SystemExit):
            main(line.split())
        shown = " ".join(capsys.readouterr().out.split())
        assert all(word in shown for word in there.split()), line
        assert not any(word in shown for word in not_there.split()), line


def test_every_command_has_help(capsys) -> None:
    """A bare command prints the help of all."""
    with pytest.raises(SystemExit) as stop:
        main([])
    assert stop.value.code == 0 and "reproduce" in capsys.readouterr().out
    for name, verb in COMMANDS.items():
        with pytest.raises(SystemExit) as stop:
            parser([name]).parse_args([name, "--help"])
        assert stop.value.code == 0
        shown = capsys.readouterr().out
        options = [option.rstrip("*+") for option in verb.options.split() if "--" in option]
        assert all(option in shown for option in options)


def test_train_tells_what_it_does(own, tmp_path, capsys) -> None:
    out, numbers, events = tmp_path / "m.wol", tmp_path / "m.json", tmp_path / "m.events"
    argv = ["train", "liu-2015", "--corpus", own.corpus, "--beam", "2", "--epochs", "2", *PLAIN]
    argv += ["--eval", "dev", "--trace", str(events), "--json", str(numbers), "--out", str(out)]
    assert main(argv) == 0
    shown = capsys.readouterr().out
    assert "epoch   2  dev BLEU" in shown and f"wrote {out}" in shown
    assert [row["epoch"] for row in json.loads(numbers.read_text())["by_epoch"]] == [1, 2]
    assert out.exists() and events.exists()
    assert not Path(f"{out}.checkpoint").exists()


@pytest.mark.parametrize("old", [False, True])
def test_a_training_that_went_on_lists_every_epoch(own, tmp_path, monkeypatch, old: bool) -> None:
    """Stopped while its third epoch is scored; a checkpoint of 1.0.0 has no rows."""
    out, numbers = tmp_path / "m.wol", tmp_path / "m.json"
    checkpoint = Path(f"{out}.checkpoint")
    argv = ["train", "liu-2015", "--corpus", own.corpus, "--beam", "2", "--epochs", "4", *PLAIN]
    argv += ["--eval", "dev", "--json", str(numbers), "--out"]
    assert main([*argv, str(tmp_path / "whole.wol")]) == 0
    whole = [row["epoch"] for row in json.loads(numbers.read_text())["by_epoch"]]
    with monkeypatch.context() as patch:
        stop_at(patch, Learning, "after_epoch", 3)
        assert main([*argv, str(out)]) == 130
    if old:
        header, arrays = load_arrays(checkpoint)
        del header["epochs"]
        save_arrays(checkpoint, header, arrays)
    assert main([*argv, str(out)]) == 0
    rows = json.loads(numbers.read_text())["by_epoch"]
    assert [row["epoch"] for row in rows] == whole == [1, 2, 3, 4]
    scored = [row["epoch"] for row in rows if "bleu_cased" in row]
    assert scored == ([4] if old else [1, 2, 4])
    assert out.read_bytes() == (tmp_path / "whole.wol").read_bytes()


@pytest.mark.usefixtures("small_gazette")
def test_without_the_penn_sample_the_gazette_is_learned_and_named(tmp_path, capsys) -> None:
    """And text goes through a parser of its trees; an experiment takes no other corpus."""
    out, text = tmp_path / "m.wol", tmp_path / "own.txt"
    text.write_text("rain fell .\n")
    assert main(["train", "ngram-beam", "--text", str(text), "--out", str(out)]) == 0
    told = capsys.readouterr()
    assert "the gazette" in told.err and "nltk.downloader" in told.err and told.err.count("\n") == 1
    assert "sentences of gazette" in told.out
    assert load_model(out).settings["corpus"] == "gazette"
    assert main(["evaluate", "--model", str(out), "--split", "dev"]) == 0
    assert open_parser("default").settings["corpus"] == "gazette"
    with pytest.raises(CorpusError, match="nltk"):
        default_parser.__wrapped__()


def test_evaluate_writes_the_names_of_the_design(own, tmp_path, capsys) -> None:
    path = tmp_path / "scores.json"
    assert evaluate(own, "--json", str(path), "--against", own.model) == 0
    shown = capsys.readouterr().out
    some = "BLEU cased", "nrefs:1|", "95 %", "exact match", "ms a sentence", "reference", "p ="
    assert all(text in shown for text in some)
    scores = json.loads(path.read_text())
    assert scores.keys() >= SCORES
    assert (scores["units"], scores["beam"], scores["sentences"]) == ("base-np", 4, 2)
    assert 0 <= scores["bleu_cased"] <= 100 and 0 <= scores["exact_match"] <= 1


def test_order_lists_k_best_with_trees_and_a_trace(own, tmp_path, capsys) -> None:
    events, answers, page = (tmp_path / name for name in ("run.events", "run.json", "run.html"))
    files = ["--trace", str(events), "--json", str(answers), "--play", str(page)]
    assert order(own, "--k", "2", "--tree", *files, "watches [a clock] .") == 0
    shown = capsys.readouterr().out
    assert len([line for line in shown.splitlines() if line[:1] == " " and "watches" in line]) >= 2
    assert "watches/VBZ" in shown and events.exists()
    assert "Ordering: . · a clock · watches" in page.read_text(encoding="utf-8")
    (answer,) = json.loads(answers.read_text())
    assert answer["k_best"][0]["text"] == answer["text"]


def test_a_played_search_is_held_against_a_reference(own, tmp_path, capsys) -> None:
    """The one that is typed with the bag, or the lines of a text, which were shuffled."""
    page, text = tmp_path / "run.html", tmp_path / "text.txt"
    play = ["--play", str(page)]
    assert order(own, *play, "--reference", "watches  a clock .", "watches [a clock] .") == 0
    text.write_text("Sue watches a clock .\nSue watches .\n", encoding="utf-8")
    assert references(page) == ["watches a clock ."]
    assert order(own, *play, "--file", str(text)) == 0
    assert references(page) == text.read_text().splitlines()
    assert capsys.readouterr().out
    for asked in (["a clock"], ["--file", str(text), *play]):
        assert order(own, "--reference", "a clock", *asked) == 2
        assert "--reference is what a played search" in capsys.readouterr().err


def references(page: Path) -> list[str]:
    """What the player of a page was given as such."""
    found = re.search(r'<script id="wol-data"[^>]*>([^<]*)</script>', page.read_text())
    assert found
    letters = str.maketrans(",./:", "&<>`")
    data = json.loads(gzip.decompress(base64.b85decode(found[1].translate(letters))))
    return list(data["references"])


def test_order_sweeps_a_setting(own, tmp_path, capsys) -> None:
    page = tmp_path / "sweep.html"
    assert order(own, "--sweep", "beam=1,2", "--html", str(page), "watches [a clock] .") == 0
    first, second, says = capsys.readouterr().out.splitlines()
    assert first.startswith("beam 1 ") and second.startswith("beam 2 ") and "from 2 values" in says
    assert "<title>What does \u201cbeam\u201d change?</title>" in page.read_text(encoding="utf-8")


def test_corpora_lists_and_describes(own, tmp_path, capsys) -> None:
    assert main(["corpora"]) == 0
    assert "ptb-sample" in capsys.readouterr().out
    path = tmp_path / "own.json"
    assert main(["corpora", own.corpus, "--json", str(path)]) == 0
    assert "base NPs" in capsys.readouterr().out
    every = json.loads(path.read_text())["splits"]["all"]
    assert (every["sentences"], every["base_nps_per_sentence"], every["longest"]) == (20, 2, 4)


def test_demo_asks_for_the_corpus_once(tmp_path, capsys, monkeypatch) -> None:
    def nowhere(name: str) -> None:
        raise CorpusError("NLTK's treebank is not here. Get it with: a command")

    asked = []
    monkeypatch.setattr(demo, "load_corpus", nowhere)
    monkeypatch.setattr("nltk.download", lambda name, **_: asked.append(name))
    assert main(["demo", "--corpus", "ptb-sample", "--out", str(tmp_path)]) == 2
    assert "Get it with" in complaint(capsys)
    assert asked == ["treebank"]


def test_bench(own, tmp_path, capsys, monkeypatch) -> None:
    # Compiling is what the measurements are about, and what this test has no time for.
    two = {"cold": 2.0, "warm": 1.0}
    monkeypatch.setattr(bench, "choose_engine", lambda engine=None: "reference")
    monkeypatch.setattr(bench, "growth", lambda model, sentences: [])
    monkeypatch.setattr(bench, "ORDERING_BEAMS", (1, 4))
    halves = {state: {"learner": 1.0, "decoder": 1.0} for state in two}
    monkeypatch.setattr(bench, "compiling", lambda system: halves)
    monkeypatch.setattr(bench, "first_answer", lambda path, text: two)
    path = tmp_path / "bench.json"
    argv = ["bench", "--model", own.model, "--corpus", own.corpus, "--json", str(path)]
    assert main(argv) == 0
    assert "peak memory" in capsys.readouterr().out
    data = json.loads(path.read_text())
    assert data.keys() >= {"name", "rows", "seconds", "versions", "machine", "corpus", "units"}
    assert data.keys() >= {"growth", "compiling_seconds", "first_answer_seconds"}
    assert data["name"] == "bench" and data["seconds"] > 0 and "numpy" in data["versions"]
    assert data["machine"].keys() == {"platform", "processor", "cpu_count"}
    rows = data["rows"]
    assert [(row["pos"], row["beam"]) for row in rows] == [(1, 1), (1, 4), (0, 1), (0, 4)]
    assert all(row["ms_search"] > 0 for row in rows)


def test_bench_gives_no_tags_to_a_model_that_reads_none(own, monkeypatch) -> None:
    monkeypatch.setattr(bench, "choose_engine", lambda engine=None: "reference")
    monkeypatch.setattr(bench, "ORDERING_BEAMS", (1,))
    sentences = [s for s in load_corpus("gazette").train if len(s) <= 12][:8]
    words, tagged = (train("ngram-beam", sentences, order=2, tagged=yes) for yes in (False, True))
    models = load_model(own.model), words, tagged
    shares = [[row["pos"] for row in bench.decoding(model, sentences, 1)] for model in models]
    assert shares == [[1, 0], [0], [1, 0]]
    assert {fit["pos"] for fit in bench.growth(words, sentences, 1, "reference")} == {0}


@pytest.mark.slow
def test_what_bench_runs_in_a_fresh_process() -> None:
    with bench._fresh_cache() as environment:
        learner, decoder = bench._learn_something(environment, engine="reference")
    assert learner > 0 and decoder > 0


def test_bench_fits_the_growth(own) -> None:
    lengths = (1, 2, 4, 10, 12)
    chains = [Sentence(tuple(Token(("a",), "NP", i - 1) for i in range(n))) for n in lengths]
    fits = bench.growth(load_model(own.model), chains, beam=1, engine="reference")
    assert [(fit["pos"], fit["least"], fit["points"]) for fit in fits] == [
        (pos, least, points) for pos in (1, 0) for least, points in ((1, 5), (10, 2))
    ]
    assert all(fit["beam"] == 1 for fit in fits)
