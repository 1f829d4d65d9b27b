"""Experiments: specifications, runs that can be interrupted, records, and the work in between."""

from __future__ import annotations

import json
import operator
import subprocess
import sys
import textwrap
import threading
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_line import PATIENCE, ROOT
from joblib import parallel_config
from small_experiments import Made, draws, own_corpus, run, specified, without_times

from wordorder_lab.best_first.templates import edge_template_files
from wordorder_lab.cli import main
from wordorder_lab.commands.common import place_of, usual_corpus
from wordorder_lab.commands.evaluate import BESIDE, parsing
from wordorder_lab.corpora import CorpusError, load_corpus
from wordorder_lab.experiments import records, specification
from wordorder_lab.experiments.measures.epochs import Epochs
from wordorder_lab.experiments.measures.measure import TIMES, all_measures
from wordorder_lab.experiments.measures.time import fit_power, time_each, time_search
from wordorder_lab.experiments.record_check import check
from wordorder_lab.experiments.records import names, partial_of
from wordorder_lab.experiments.report import table
from wordorder_lab.experiments.reproduce import reproduce
from wordorder_lab.experiments.runs.evaluate import evaluate
from wordorder_lab.experiments.runs.map_in_order import map_in_order
from wordorder_lab.experiments.runs.ordering_evaluate import random_order
from wordorder_lab.experiments.runs.schema import SpecificationError
from wordorder_lab.experiments.specification import load_specification, read_specification
from wordorder_lab.metrics.bleu import corpus_bleu
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.transition.templates import template_files

SMALL = """
title = "Two beams"
measure = "{measure}"

[paper]
place = "Figure 0"
claim = "none"
values = [{{ beam = 2, bleu = 1.5 }}]

[settings]
system = "liu-2015"
corpus = "{corpus}"
split = "dev"
units = "base-np"
engine = "reference"
epochs = 2

[vary]
pos = [1, 0]
beam = [1, 2]

[plot]
{plot}
"""
PLOTS = {
    "epochs": 'kind = "lines"\nx = "epoch"\ny = "bleu_cased"\nlines = "beam"\npanels = "pos"',
    "end": 'kind = "bars"\ny = "bleu_cased"\nlabels = ["beam", "pos"]',
    "time": 'kind = "power"\nx = "length"\ny = "ms"\nlines = "pos"',
}


@pytest.fixture(scope="module")
def own(tmp_path_factory) -> SimpleNamespace:
    return own_corpus(tmp_path_factory.mktemp("own"))


def small(own: SimpleNamespace, folder: Path, measure: str) -> specification.Specification:
    text = SMALL.format(measure=measure, corpus=own.path, plot=PLOTS[measure])
    return specified(folder, text, name=f"own_{measure}.toml")


@pytest.fixture(scope="module")
def epochs(own, tmp_path_factory) -> Made:
    """A score after each epoch."""
    folder = tmp_path_factory.mktemp("epochs")
    wanted = small(own, folder, "epochs")
    return Made(wanted, run(wanted, folder / "whole.json"), [], folder)


# --- the seam -------------------------------------------------------------------------------------


def test_map_in_order_is_the_same_with_any_jobs() -> None:
    numbers = [3, -1, 2, -5]
    assert list(map_in_order(abs, numbers)) == [3, 1, 2, 5]
    assert list(map_in_order(operator.neg, numbers, jobs=2)) == [-3, 1, -2, 5]
    seen: list[int] = []  # what another process appends would not be seen here
    with parallel_config("threading"):  # the backend around a call is used
        assert list(map_in_order(abs, numbers, jobs=2)) == [3, 1, 2, 5]
        list(map_in_order(seen.append, [1, 2], jobs=2))
    assert sorted(seen) == [1, 2] and list(map_in_order(abs, [])) == []


FORKS = """
import os, signal, sys, time
from wordorder_lab.experiments.runs.map_in_order import map_in_order
read_here = []  # a process that was made anew would not have what is put in below
def work(item):
    if item == sys.argv[1]:
        os.kill(os.getpid(), signal.SIGKILL)
    return os.getpid() != first, item + read_here[0]
first = os.getpid()
read_here.append("!")
try:
    print(list(map_in_order(work, ["a", "b", "c"], jobs=2)))
except ChildProcessError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there are no forks")
@pytest.mark.parametrize(
    ("deadly", "said"),
    [
        ("", "[(True, 'a!'), (True, 'b!'), (True, 'c!')]"),
        ("b", "a process of --jobs was ended from outside"),
    ],
)
def test_forks_have_what_was_here_and_one_that_dies_is_missed(deadly: str, said: str) -> None:
    command = [sys.executable, "-c", FORKS, deadly]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert run.stdout.startswith(said), run.stderr


ENDLESS = """
import os, time
from wordorder_lab.experiments.runs.map_in_order import map_in_order

def work(item):
    os.write(1, b"%d\\n" % os.getpid())  # at once: two processes write
    time.sleep(600)

list(map_in_order(work, range(2), jobs=2))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there are no forks")
def test_forks_end_with_whoever_is_killed() -> None:
    """``kill -9`` leaves nobody who would wait for work for ever, and hold the pipe open."""
    command = [sys.executable, "-c", ENDLESS]
    parent = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    assert all(int(parent.stdout.readline()) != parent.pid for _ in range(2))
    parent.kill()
    assert parent.communicate(timeout=PATIENCE)[0] == ""


def test_map_in_order_refuses_no_jobs() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        map_in_order(abs, [1], jobs=0)


@pytest.mark.parametrize("jobs", [1, 2])
def test_errors_come_through(jobs: int) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        list(map_in_order(int, ["1", "x"], jobs=jobs))


# --- evaluation -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_two_jobs_give_what_one_gives(own) -> None:
    one, two = (evaluate(own.model, own.corpus.train, engine="reference", jobs=n) for n in (1, 2))
    assert one.outputs == two.outputs and (one.counts == two.counts).all()
    assert one.interval() == two.interval()
    first, second = (replace(done.scores, ms_per_sentence=None).to_dict() for done in (one, two))
    assert json.dumps(first) == json.dumps(second)
    assert first["bleu_13a_lc"] == corpus_bleu(one.outputs, one.references, "13a_lc").score
    assert one.condition == {"system": "liu-2015", "pos": 1, "deps": 0, "beam": 4, "seed": 1}
    assert one.scores.ms_per_sentence and one.scores.ms_per_sentence > 0


def test_workers_do_not_share_a_model(own, monkeypatch) -> None:
    from wordorder_lab.experiments.runs import ordering_evaluate as module

    used: list = []
    real = module._order_sentence

    def remembered(bag, options, model, sentence):
        used.append((threading.get_ident(), model))
        return real(bag, options, model, sentence)

    monkeypatch.setattr(module, "_order_sentence", remembered)
    with parallel_config("threading"):
        two = evaluate(own.model, own.corpus.train, engine="reference", jobs=2)
    assert two.outputs == evaluate(own.model, own.corpus.train, engine="reference").outputs
    here = threading.get_ident()
    elsewhere = {(thread, id(model)) for thread, model in used if thread != here}
    assert elsewhere and len({model for _, model in elsewhere}) == len(elsewhere)
    assert id(own.model) not in {model for _, model in elsewhere}
    assert {id(model) for thread, model in used if thread == here} == {id(own.model)}


def test_a_trained_model_beats_the_floor(own) -> None:
    trained = evaluate(own.model, own.corpus.train, engine="reference").scores.bleu_cased
    assert trained > random_order(own.corpus.train).scores.bleu_cased + 20


def test_the_floor_depends_on_the_seed_alone(own) -> None:
    once, again, other = (random_order(own.corpus.train, seed=seed) for seed in (1, 1, 2))
    assert once.outputs == again.outputs != other.outputs
    assert [sorted(a.split()) for a in once.outputs] == [sorted(b.split()) for b in once.references]


@pytest.mark.corpus
def test_the_floor_of_the_penn_sample() -> None:
    try:
        dev = load_corpus("ptb-sample").dev
    except CorpusError as error:
        pytest.skip(str(error))
    scores = [random_order(dev, seed=seed).scores.bleu_cased for seed in (1, 2, 3)]
    assert all(26 < score < 28 for score in scores), scores


def test_fit_power_finds_the_power() -> None:
    lengths = [1, 2, 4, 8, 16]
    fit = fit_power(lengths, [3.0 * n**2 for n in lengths], least=2)
    assert fit is not None
    assert (round(fit.power, 9), round(fit.factor, 9), fit.points) == (2, 3, 4)
    assert fit_power([5, 5], [1.0, 2.0]) is None


def test_times_are_positive(own) -> None:
    bags = [bag_of(sentence) for sentence in own.corpus.dev]
    assert all(t > 0 for t in time_each(own.model, bags, 2, beam=2, engine="reference"))
    assert all(t > 0 for t in time_search(own.model, bags, beam=2, engine="reference"))


# --- specifications -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_specifications_can_be_run(name: str) -> None:
    found = load_specification(name)
    assert found.runs and found.paper["place"]
    assert found.measure is all_measures()[found.measure.name]
    assert found.plot["kind"] in found.measure.figures()
    assert list(found.measure.wanted(found))
    every = [*template_files(), *edge_template_files()]
    assert all(one.get("templates", every[0]) in every for one in found.runs)


def test_liu_2015_figure_7_asks_for_what_the_paper_shows() -> None:
    found = load_specification("liu-2015-figure-7")
    beams = {run["beam"] for run in found.runs if run["pos"] == 0 and run["epochs"] == 50}
    assert beams == {1, 4, 16, 64, 128}
    assert {(v["beam"], v["bleu"]) for v in found.paper["values"]} == {(64, 47.5), (128, 48.2)}


def test_every_template_file_has_its_row() -> None:
    scored = {run.get("templates") for run in load_specification("liu-2015-table-2").runs}
    assert scored == {name for name in template_files() if name.startswith("liu_2015_table_2")}


BASE = """
title = "x"
measure = "end"
[settings]
system = "liu-2015"
corpus = "ptb-sample"
split = "dev"
units = "words"
"""
CONDITIONS = BASE.replace('"end"', '"conditions"').replace('split = "dev"', "") + "[evaluate]\n"
LISTS = "split = ['dev']\nseed = [1]\n"
BROKEN = [
    ("title = ", "not TOML"),
    (
        BASE.replace('"end"', '"often"'),
        "no measure 'often'; there are best-epoch, brevity, compression, compressors",
    ),
    (BASE.replace('split = "dev"', ""), "no 'split'"),
    (BASE + "beams = 3", "no setting 'beams'"),
    (BASE + "beam = '3'", "takes a whole number, not '3'"),
    (BASE + "beam = true", r"beam is a whole number"),
    (BASE + "beam = 0", r"beam is a whole number from 1"),
    (BASE + "pos = 2", "pos is a number between 0 and 1, not 2"),
    (BASE + "[vary]\nbeam = 3", "vary.beam is a list that is not empty, not 3"),
    (BASE + "[colours]\nbeam = 3", "has no key 'colours'"),
    (BASE.replace("liu-2015", "liu-1815"), "no system 'liu-1815'"),
    (BASE + "[[rows]]\nnegatives = 'stop'", "liu-2015 has no setting 'negatives'"),
    (BASE + "negatives = 'stop'", "liu-2015 has no setting 'negatives'"),
    (BASE + "labels = 1", "labels is true or false, not 1"),
    (BASE + "update = 'scaled'", "no update 'scaled'; there are early, max-violation"),
    (BASE + "[evaluate]\nsplit = ['dev']", "need each other"),
    (BASE.replace('"end"', '"conditions"'), "need each other"),
    (CONDITIONS + "split = ['dev']", "evaluate has no 'seed'"),
    (CONDITIONS + "seed = [1]", "evaluate has no 'split'"),
    (CONDITIONS + LISTS + "beam = [1]", "there are split, pos, deps, seed"),
    (CONDITIONS + LISTS + "pos = 1", "evaluate.pos is a list that is not empty"),
    (CONDITIONS + LISTS + "pos = []", "evaluate.pos is a list that is not empty"),
    (CONDITIONS + LISTS + "pos = [2]", "pos.* is a number between 0 and 1"),
    (CONDITIONS + LISTS + "deps = ['1']", "deps.* is a number between 0 and 1, not '1'"),
    (CONDITIONS + LISTS + "deps = [0, 0.0]", "deps lists a value twice"),
    (CONDITIONS.replace("liu-2015", "random-order") + LISTS, "conditions are for models"),
]


@pytest.mark.parametrize(("text", "reason"), BROKEN)
def test_broken_specifications_say_why(tmp_path, text: str, reason: str) -> None:
    path = tmp_path / "own_2015_table.toml"
    path.write_text(text)
    with pytest.raises(SpecificationError, match=reason) as caught:
        read_specification(path)
    assert path.name in str(caught.value)


def test_rows_and_vary_make_runs(tmp_path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(BASE + "beam = 8\n[vary]\npos = [1, 0]\n[[rows]]\nbeam = 2")
    found = read_specification(path)
    assert [(run["beam"], run.get("pos")) for run in found.runs] == [(8, 1), (8, 0), (2, None)]


# --- records --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("measure", "rows"), [("epochs", 8), ("end", 4), ("time", 8)])
@pytest.mark.slow
def test_reproduce(own, tmp_path, measure: str, rows: int) -> None:
    wanted, out = small(own, tmp_path, measure), tmp_path / "out.json"
    record = run(wanted, out)
    assert json.loads(out.read_text()) == record
    assert record.keys() >= {"name", "paper", "rows", "seconds", "versions", "command", "full"}
    assert len(record["rows"]) == rows and record["full"]
    assert table(record)
    draws(record, wanted.plot, tmp_path)
    assert not list(tmp_path.glob("*.part"))


def test_two_jobs_give_the_same_rows(epochs, tmp_path) -> None:
    one, two = epochs.record, run(epochs.wanted, tmp_path / "2.json", jobs=2)
    assert without_times(one["rows"]) == without_times(two["rows"])
    assert all(row.keys() >= set(TIMES) for row in one["rows"])
    # Runs side by side slow each other down, so their times say nothing.
    assert not any(row.keys() & set(TIMES) for row in two["rows"])


def test_an_interrupted_experiment_goes_on(epochs, tmp_path, monkeypatch) -> None:
    wanted, whole, out = epochs.wanted, epochs.record, tmp_path / "out.json"
    ran: list[dict] = []
    real = Epochs.rows_of

    def impatient(measure: Epochs, run: dict, *sentences) -> list[dict]:
        ran.append(run)
        if len(ran) == 3:
            raise KeyboardInterrupt
        return real(measure, run, *sentences)

    monkeypatch.setattr(Epochs, "rows_of", impatient)
    with pytest.raises(KeyboardInterrupt):
        run(wanted, out)
    assert not out.exists() and len(json.loads(partial_of(out).read_text())["rows"]) == 4
    said: list[str] = []
    record = run(wanted, out, show=said.append)
    assert "going on" in said[0] and len(ran) == 5
    assert without_times(record["rows"]) == without_times(whole["rows"])
    assert not partial_of(out).exists()


def test_a_partial_record_of_something_else_is_not_used(own, tmp_path) -> None:
    wanted, out = small(own, tmp_path, "end"), tmp_path / "out.json"
    partial_of(out).write_text('{"name": "x", "rows": [], "specification": "y"}')
    record = run(wanted, out)
    assert len(record["rows"]) == 4


def test_a_smaller_run_is_marked(epochs, tmp_path) -> None:
    wanted = epochs.wanted
    record = run(wanted, tmp_path / "out.json", epochs=1, sentences=5)
    assert not record["full"] and record["instead"] == {"epochs": 1, "sentences": 5}
    assert {row["epoch"] for row in record["rows"]} == {1}
    assert "this was not the full experiment" in check(record, wanted).wrong


def test_a_record_as_it_was_made_is_in_order(own, tmp_path, monkeypatch) -> None:
    wanted = small(own, tmp_path, "end")
    monkeypatch.setattr(records, "PAPERS", tmp_path)
    command = "wordorder-lab reproduce own-end --jobs 2"
    record = reproduce(wanted, tmp_path / "out.json", command=command, show=lambda line: None)
    verdict = check(record, wanted)
    assert verdict.wrong == [] and not verdict.other_code
    assert record["machine"].keys() == {"platform", "processor", "cpu_count"}
    older = {key: value for key, value in record.items() if key != "machine"}
    assert check({**older, "digest": records.digest_of(older)}, wanted) == verdict


WHOLE = '{"name": "a", "rows": %s, "specification": "b", "seconds": %s}'


@pytest.mark.parametrize(
    "text",
    ["{", "[]", '{"name": 1}', WHOLE % ("{}", 1.0), WHOLE % ("[1]", 1.0), WHOLE % ("[]", '""')],
)
def test_a_foreign_record_is_refused(tmp_path, text: str) -> None:
    path = tmp_path / "r.json"
    path.write_text(text)
    with pytest.raises(records.RecordError, match=r"r\.json is"):
        records.read_record(path)


def test_the_command_lists_runs_and_checks(own, tmp_path, capsys, monkeypatch) -> None:
    small(own, tmp_path, "end")
    monkeypatch.setattr(records, "PAPERS", tmp_path)
    monkeypatch.setattr(records, "FOLDER", tmp_path / "records")
    monkeypatch.chdir(tmp_path)
    assert main(["reproduce"]) == 0
    assert "own-end" in capsys.readouterr().out
    assert main(["reproduce", "--check"]) == 1
    assert main(["reproduce", "own-end", "--epochs", "1"]) == 0
    assert not (tmp_path / "records").exists()
    assert main(["reproduce", "own-end"]) == 0
    shown = capsys.readouterr().out
    assert textwrap.dedent("beam 2, bleu 1.5") in shown and "Figure 0" in shown
    made = json.loads((tmp_path / "records" / "own_end.json").read_text())
    assert made["command"] == "wordorder-lab reproduce own-end"
    assert (tmp_path / "records" / "own_end.png").exists()
    assert main(["reproduce", "own-end", "--check"]) == 0
    assert "in order" in capsys.readouterr().out
    (tmp_path.parent / "scoreboard").mkdir()
    task = tmp_path.parent / "scoreboard" / "task.toml"
    task.write_text((tmp_path / "own_end.toml").read_text())
    assert main(["reproduce", "--check"]) == 1
    assert "../scoreboard/task.toml: not run" in capsys.readouterr().out
    assert main(["reproduce", "--stale"]) == 0 and task.with_suffix(".json").exists()
    assert main(["reproduce", "--check"]) == 0


def test_every_specification_is_read_where_there_is_no_corpus(monkeypatch) -> None:
    """``reproduce`` lists them all on a machine that has nothing but the package."""

    def none_here(*_: object) -> None:
        raise CorpusError("there is no corpus here")

    monkeypatch.setattr("wordorder_lab.corpora.plain_text.find_nltk", none_here)
    every = [read_specification(records.specification_file(name)) for name in records.names()]
    assert "lm-and-syntax" in {one.name for one in every}


@pytest.mark.parametrize(
    "score", [place_of, lambda model, arguments: parsing(arguments, model, {})]
)
def test_who_scores_takes_no_other_corpus_than_the_one_that_is_missing(
    score: Callable[..., object],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A model that was trained from Python does not say on what; only a training falls back."""

    def missing(name: str, *_: object, **__: object) -> None:
        raise CorpusError(f"{name} is not here: get it")

    for place in ("commands.common.sample_files", "commands.common.corpus_of"):
        monkeypatch.setattr(f"wordorder_lab.{place}", missing)
    monkeypatch.setattr("wordorder_lab.corpora.treebanks.load_treebank", missing)
    names = (*BESIDE, "corpus", "split", "engine", "settings")
    arguments = Namespace(**dict.fromkeys(names))
    model = SimpleNamespace(system="parser", settings={}, search_settings=dict)
    with pytest.raises(CorpusError, match="ptb-sample is not here: get it"):
        score(model, arguments)
    assert capsys.readouterr().err == ""
    assert usual_corpus() == "gazette"
    assert "no corpus is named: the gazette" in capsys.readouterr().err
