"""The tutorial's package, installed beside ours: its system trains, orders, plays, and so on."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from command_line import ROOT, Files, write_corpus
from joblib.externals.loky import get_reusable_executor

import wordorder_lab as wl
from wordorder_lab.cli import main
from wordorder_lab.commands.doctor.other_packages import other_packages
from wordorder_lab.experiments.specification import read_specification
from wordorder_lab.runtime.entry_points import (
    MEASURES,
    SECONDS_TO_IMPORT,
    SYSTEMS,
    VIEWS,
    load,
)
from wordorder_lab.systems import SYSTEMS as KNOWN
from wordorder_lab.systems import load_model, search_names, training_names
from wordorder_lab.systems.registry import names_of
from wordorder_lab.widgets.module import module_text
from wordorder_lab.widgets.page import contents

OWN = Path(__file__).parent / "own_system"
NAME = "greedy-bigrams"
CODE_LINES = 80
"""The tutorial's system has at most so many lines of code."""


def installed(folder: Path, points: dict[str, dict[str, str]] | None = None) -> Path:
    """A folder that pip might have made: the modules of the tutorial, and what says who they are.

    ``points`` are its entry points; those of its ``pyproject.toml`` if they are not given.
    """
    project = tomllib.loads((OWN / "pyproject.toml").read_text())["project"]
    said = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    shutil.copytree(OWN, folder, ignore=shutil.ignore_patterns("pyproject.toml", "__pycache__"))
    said.mkdir()
    told = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (said / "METADATA").write_text(told)
    groups = project["entry-points"] if points is None else points
    lines = [
        line
        for group, rows in groups.items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in rows.items()))
    ]
    (said / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture
def brings(tmp_path, monkeypatch) -> Callable[..., Path]:
    """Installs a package with these entry points, for this process alone."""

    def bring(points: dict[str, dict[str, str]] | None = None) -> Path:
        folder = installed(tmp_path / "site", points)
        monkeypatch.syspath_prepend(folder)
        return folder

    return bring


@pytest.fixture
def own(brings, monkeypatch) -> Path:
    """The tutorial's package."""
    folder = brings()
    for path in OWN.iterdir():  # those of an earlier test were others
        monkeypatch.delitem(sys.modules, path.stem, raising=False)
    # Workers that joblib keeps from an earlier test would look for the package in that one's place.
    get_reusable_executor().shutdown()
    return folder


def sentences(words: list[str]) -> list[wl.Sentence]:
    """Sentences of plain words, the first of which is the root."""
    rows = [line.split() for line in words]
    return [
        wl.Sentence(tuple(wl.Token((word,), "X", min(i, 1) - 1) for i, word in enumerate(row)))
        for row in rows
    ]


TRAIN = ["rain falls on boats .", "rain falls today .", "snow falls on roofs ."]

# --- the package itself, in a process that knows nothing else -------------------------------------

SPECIFICATION = """
title = "Does a feature of one's own help?"
measure = "{measure}"
[settings]
system = "greedy-bigrams"
corpus = "{corpus}"
split = "dev"
units = "base-np"
[vary]
suffix = [0, 2]
[plot]
kind = "bars"
y = "{y}"
labels = ["suffix"]
"""
PROGRAM = """
import sys
from pathlib import Path
from wordorder_lab.cli import main
from wordorder_lab.commands.doctor.other_packages import other_packages
from wordorder_lab.experiments.specification import read_specification
corpus, folder = sys.argv[1:]
own = ["--corpus", corpus]
model, log, page = (str(Path(folder) / name) for name in ("g.wol", "g.log", "g.html"))
bag = "watches the clock robin a ."
for line in (
    ["train", "greedy-bigrams", *own, "--set", "suffix=2", "--out", model],
    ["evaluate", "--model", model, *own, "--split", "test", "--json", str(Path(folder) / "e.json")],
    ["order", bag, "--model", model, "--trace", log, "--play", page],
    ["explore", "--model", model, *own, "--out", str(Path(folder) / "x.html")],
    ["reproduce", str(Path(folder) / "mine.toml")],
    ["reproduce", str(Path(folder) / "first.toml")],
    ["reproduce", str(Path(folder) / "mine.toml"), "--check"],
):
    code = main(line)
    assert code == 0, (code, line)
"""


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Python in another process, which finds our package and the one in this folder."""
    paths = os.pathsep.join([str(ROOT), str(folder)])
    return subprocess.run(
        [sys.executable, *words],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )


def test_trained_ordered_played_and_reproduced_from_a_package_of_its_own(tmp_path) -> None:
    site, corpus = installed(tmp_path / "site"), write_corpus(tmp_path)
    wanted = {"mine": ("end", "bleu_cased"), "first": ("first-words", "first_words")}
    for name, (measure, y) in wanted.items():
        text = SPECIFICATION.format(corpus=corpus, measure=measure, y=y)
        (tmp_path / f"{name}.toml").write_text(text)
    done = run(site, "-c", PROGRAM, str(corpus), str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "mine: in order" in done.stdout and "the paper:" not in done.stdout
    assert json.loads((tmp_path / "e.json").read_text())["system"] == NAME
    for page in ("g.html", "x.html"):
        assert (tmp_path / page).read_text().startswith("<!DOCTYPE html>")
    mine, first = (json.loads((tmp_path / f"{n}.json").read_text()) for n in ("mine", "first"))
    assert [row["suffix"] for row in mine["rows"]] == [0, 2]
    assert set(mine["code"]["outside"]) == {f"system {NAME}"}
    assert set(first["code"]["outside"]) == {f"system {NAME}", "measure first-words"}
    assert all(0 <= row["first_words"] <= 1 for row in first["rows"])
    told = mine["code"]["outside"][f"system {NAME}"]
    assert told["package"] == f"{NAME} 0.1"

    (site / "greedy_bigrams.py").write_text((OWN / "greedy_bigrams.py").read_text() + "\nX = 1\n")
    checked = run(
        site, "-m", "wordorder_lab.cli", "reproduce", str(tmp_path / "mine.toml"), "--check"
    )
    assert "other code since" in checked.stdout
    assert "from other packages: system greedy-bigrams" in checked.stdout


def test_pip_installs_the_same(tmp_path) -> None:
    """What ``installed`` writes by hand is what pip makes of the pyproject.toml, without a net.

    With ``--prefix`` each file lands where its scheme says, as in an environment.
    """
    pytest.importorskip("setuptools", minversion="77")
    pytest.importorskip("pip")
    source, prefix = tmp_path / "source", tmp_path / "prefix"
    shutil.copytree(OWN, source)
    how = ("--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--prefix")
    done = run(tmp_path, "-m", "pip", "install", *how, str(prefix), str(source))
    assert done.returncode == 0, done.stderr
    site = Path(sysconfig.get_path("purelib", vars={"base": str(prefix)}))
    by_hand = installed(tmp_path / "by_hand")
    mine, pips = ({one.relative_to(at) for one in at.rglob("*.*")} for at in (by_hand, site))
    assert mine <= pips and [*prefix.rglob("*.js")] == [*site.rglob("*.js")] != []
    program = (
        "from wordorder_lab.systems import SYSTEMS, training_names\n"
        "from wordorder_lab.widgets.module import scripts_of\n"
        "assert 'sentenceView' in scripts_of(['sentence'])['own/sentence.js']\n"
        f"print(SYSTEMS[{NAME!r}], *training_names({NAME!r}))\n"
    )
    told = run(site, "-c", program)
    assert told.stdout.split() == f"brought by the package {NAME} 0.1 suffix".split(), told.stderr


# --- the system -----------------------------------------------------------------------------------


def greedy_by_hand(counts: dict[tuple[str, str], int], words: list[str]) -> list[str]:
    """The same search without any of the package: words sorted, of equal ones the first."""
    left, order, last = sorted(words), [], ""
    while left:
        best = max(left, key=lambda word: (counts.get((last, word), 0), -left.index(word)))
        left.remove(best)
        order.append(best)
        last = best
    return order


def test_it_orders_as_by_hand_and_tells_every_step(own, tmp_path) -> None:
    model, log = wl.train(NAME, sentences(TRAIN), progress=False), wl.EventLog()
    counts: dict[tuple[str, str], int] = {}
    for line in TRAIN:
        row = line.split()
        for pair in zip(["", *row], row):
            counts[pair] = counts.get(pair, 0) + 1
    words = ["boats", ".", "falls", "on", "snow", "rain"]
    result = model.order(words, trace=log)
    assert list(result.surface) == greedy_by_hand(counts, words)
    assert sorted(result.order) == list(range(len(words)))
    assert result.text == " ".join(words[i] for i in result.order)
    kinds = [event[0] for event in log]
    assert kinds.count("candidate") == 6 + 5 + 4 + 3 + 2 + 1 == result.counters["candidates"]
    assert kinds.count("kept") == kinds.count("step") == len(words)
    assert model.order(words) == result  # a trace changes nothing
    page = wl.to_html(log, tmp_path / "page.html", view="beam")
    assert page.read_text().startswith("<!DOCTYPE html>")


def test_its_model_file_is_the_model(own, tmp_path) -> None:
    model = wl.train(NAME, sentences(TRAIN), suffix=2, progress=False)
    path = tmp_path / "own.wol"
    model.save(path)
    again = load_model(path)
    assert again == model and again.settings["suffix"] == 2 and again.system == NAME
    again.save(tmp_path / "again.wol")
    assert (tmp_path / "again.wol").read_bytes() == path.read_bytes()


def test_what_the_interface_refuses_is_said(own) -> None:
    train = sentences(TRAIN)
    with pytest.raises(ValueError, match="suffix is a number of letters, not -1"):
        wl.train(NAME, train, suffix=-1)
    with pytest.raises(ValueError, match=r"suffix.* a whole number, not 'two'"):
        wl.train(NAME, train, suffix="two")
    with pytest.raises(ValueError, match="no setting 'beam' in its training; it has suffix"):
        wl.train(NAME, train, beam=2)
    with pytest.raises(ValueError, match="no sentences"):
        wl.train(NAME, [])
    model = wl.train(NAME, train, progress=False)
    with pytest.raises(ValueError, match="takes no heads and no orders"):
        model.order("rain falls | 1<2")
    with pytest.raises(ValueError, match="no setting 'beam' in its search"):
        model.order("rain falls", beam=2)
    with pytest.raises(ValueError, match="no engine 'quick'"):
        model.order("rain falls", engine="quick")
    assert training_names(NAME) == ("suffix",) and search_names(NAME) == ()


def test_a_search_that_loses_a_unit_is_found_out(own, monkeypatch) -> None:
    model = wl.train(NAME, sentences(TRAIN), progress=False)
    monkeypatch.setattr(type(model), "search", lambda self, problem, **how: [wl.Found(0.0, [0, 0])])
    with pytest.raises(ValueError, match=r"not each of the 2 of the bag once"):
        model.order("rain falls")
    monkeypatch.setattr(type(model), "search", lambda self, problem, **how: [])
    with pytest.raises(ValueError, match="found no order"):
        model.order("rain falls")
    wrong: list[tuple[Any, Any]] = [(None, [0, 1]), ("1", [0, 1]), (10**400, [0, 1])]
    for given in (*wrong, (10**5000, [0, 1]), (0.0, None), (0.0, [0.0, 1.0]), (0.0, 3)):
        monkeypatch.setattr(
            type(model), "search", lambda *_, given=given, **how: [wl.Found(*given)]
        )
        said = (
            rf"{NAME} 0\.1 brings the system '{NAME}', but its search gave the score .* whole num"
        )
        with pytest.raises(ValueError, match=said):
            model.order("rain falls")


def test_a_learner_of_ones_own_below_a_decoder_of_ours(brings, tmp_path) -> None:
    """A package may bring a learner alone: here one that hands words in lower case to ours."""
    folder = brings({SYSTEMS: {"lower-beam": "lower_beam:SYSTEM"}})
    (folder / "lower_beam.py").write_text(
        "import wordorder_lab as wl\n"
        "from dataclasses import asdict, dataclass\n"
        "from wordorder_lab.systems.ngram_beam import NGramOrderer\n"
        "class Model(NGramOrderer):\n"
        "    SYSTEMS = ('lower-beam',)\n"
        "    system = 'lower-beam'\n"
        "@dataclass(frozen=True)\n"
        "class Settings:\n"
        "    order: int = 2\n"
        "def learn(sentences, settings, *, engine, trace):\n"
        "    known = wl.train('ngram-beam', sentences, order=settings.order, min_count=1,\n"
        "                     lower_case=True, engine=engine, progress=False)\n"
        "    yield Model(known.ngrams, known.dictionary, known.settings)\n"
        "SYSTEM = wl.System('n-grams of small letters', Settings, learn, Model)\n"
    )
    model = wl.train("lower-beam", sentences(TRAIN), engine="reference", progress=False)
    how = {"beam": 8, "engine": "reference"}
    assert model.order("falls Rain .", **how).text == "Rain falls ."
    model.save(tmp_path / "lower.wol")
    assert load_model(tmp_path / "lower.wol").order("falls Rain .", **how).text == "Rain falls ."
    assert search_names("lower-beam") == ("beam", "future_cost", "recombine", "exact")


def test_a_template_file_of_ones_own_is_named_by_its_path(tmp_path) -> None:
    """With a copy of the paper's templates it is the paper's system; with others, another."""
    paper = resources.files("wordorder_lab.transition") / "tables/liu_2015_table_2.txt"
    mine = tmp_path / "mine.txt"
    mine.write_text(paper.read_text(encoding="utf-8"))
    how: dict[str, Any] = {"epochs": 2, "beam": 2, "engine": "reference", "progress": False}
    train, bag = sentences(TRAIN), ["falls", ".", "rain", "on", "roofs"]

    def ordered(**more: Any) -> tuple[str, float]:
        path = tmp_path / "model.wol"
        wl.train("liu-2015", train, **how, **more).save(path)
        mine.rename(away := tmp_path / "away.txt")  # a model has its templates with it
        result = load_model(path).order(bag, engine="reference")
        away.rename(mine)
        return result.text, result.score

    theirs = ordered(templates="liu_2015_table_2")
    assert ordered(templates=str(mine)) == theirs
    mine.write_text("Mine\nS0w; w0w-1;\nGroups\nS0; w0 w-1;\n")
    assert ordered(templates=str(mine)) != theirs
    mine.write_text("Mine\nS0x;\n")
    with pytest.raises(ValueError, match="cannot read"):
        wl.train("liu-2015", train, **how, templates=str(mine))
    with pytest.raises(ValueError, match=r"'none\.txt' cannot be read .* without \.txt: liu_2015"):
        wl.train("liu-2015", train, **how, templates="none.txt")


# --- broken packages ------------------------------------------------------------------------------

BROKEN = {
    "no such module": ({"mine": "nowhere:SYSTEM"}, "cannot be loaded (ModuleNotFound"),
    "no such name": ({"mine": "greedy_bigrams:SYSTEMS"}, "cannot be loaded (AttributeError"),
    "something else": ({"mine": "greedy_bigrams:BORDER"}, "is no System but a str"),
}


@pytest.mark.parametrize(("points", "told"), BROKEN.values(), ids=BROKEN)
def test_a_broken_package_is_named_with_the_way_out(
    brings, points: dict[str, str], told: str
) -> None:
    brings({SYSTEMS: points})
    assert "mine" in KNOWN  # nothing is loaded for that, and ours work as ever
    assert training_names("ngram-beam")
    with pytest.raises(ValueError, match=re.escape(told)) as caught:
        wl.train("mine", sentences(TRAIN))
    assert f"the package {NAME} 0.1 brings the system 'mine'" in str(caught.value)
    assert f"pip uninstall {NAME}" in str(caught.value)


MISTAKES = {
    "import": ("import wordorder_lab as wl\n", "import nowhere\n", "cannot be loaded (ModuleNot"),
    "learn": (
        "    counts: Counter[str] = Counter()\n",
        '    raise RuntimeError("mine")\n',
        "fails in learn (greedy_bigrams.py, line {line}) with RuntimeError: mine: mend it",
    ),
    "no model class": (
        "    yield GreedyModel(",
        "    return GreedyModel(",
        "fails with TypeError: 'GreedyModel' object is not iterable: mend it",
    ),
    "no search": ("def search(", "def find(", "fails in learn (greedy_bigrams.py, line "),
    "search": (
        "        left, items = list(problem.counts), problem.items\n",
        "        left = items = problem.itens\n",
        "fails in search (greedy_bigrams.py, line {line}) with AttributeError: ",
    ),
    "other things": (
        'return [wl.Found(total, order, {"steps": problem.size, "candidates": serial})]',
        "return order",
        "brings does not fit: _result fails with AttributeError: 'int' object has no",
    ),
}


@pytest.mark.parametrize(("right", "wrong", "told"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_in_a_package_is_a_line_with_its_place(
    own, tmp_path, capsys, right: str, wrong: str, told: str
) -> None:
    code = (OWN / "greedy_bigrams.py").read_text()
    assert code.count(right) == 1
    (own / "greedy_bigrams.py").write_text(code.replace(right, wrong))
    corpus, model = str(write_corpus(tmp_path)), str(tmp_path / "m.wol")
    train = ["train", NAME, "--corpus", corpus, "--out", model, "--quiet"]
    if main(train) == 0:
        capsys.readouterr()
        assert main(["order", "watches the clock .", "--model", model]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    told = told.format(line=code[: code.index(right)].count("\n") + 1)
    assert told in line and f"package {NAME} 0.1" in line and f"pip uninstall {NAME}" in line


def test_a_mistake_in_a_worker_has_its_place_too(own, tmp_path, capsys) -> None:
    code = (OWN / "first_words.py").read_text()
    (own / "first_words.py").write_text(code.replace('run["system"]', 'run["sistem"]'))
    text = SPECIFICATION.format(
        corpus=write_corpus(tmp_path), measure="first-words", y="first_words"
    )
    (tmp_path / "first.toml").write_text(text)
    assert main(["reproduce", str(tmp_path / "first.toml"), "--jobs", "2", "--quiet"]) == 2
    line = capsys.readouterr().err.splitlines()[-1]
    assert "fails in rows_of (first_words.py, line 19) with KeyError: 'sistem': mend it" in line


def test_a_mistake_of_ours_keeps_its_traceback(own, monkeypatch) -> None:
    monkeypatch.setattr("wordorder_lab.commands.corpora.run", lambda arguments: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        main(["corpora"])


DOCTORED = {
    "nothing": ("greedy_bigrams.py", "import", "import", NAME, "a system of greedy-bigrams 0.1"),
    "settings": ("greedy_bigrams.py", "@dataclass(frozen=True)\n", "", NAME, "are no dataclass"),
    "default": ("greedy_bigrams.py", "suffix: int = 0", "suffix: int", NAME, "has no default"),
    "train's": ("greedy_bigrams.py", "suffix: int", "engine: int", NAME, "setting engine has the"),
    "abstract": ("greedy_bigrams.py", "def search(", "def find(", NAME, "GreedyModel lacks search"),
    "names": ("greedy_bigrams.py", 'S = ("greedy', 'S = ("greed', NAME, "not in the tuple SYSTEMS"),
    "learn": ("greedy_bigrams.py", "*, engine: str, trace: Any\n)", ")", NAME, "not take engine"),
    "model": ("greedy_bigrams.py", "learn, GreedyModel", "learn, str", NAME, "no class below OwnM"),
    "import": ("first_words.py", "import wordorder", "import nowhere", "first-words", "ModuleNotF"),
    "rows": ("first_words.py", "def rows_of", "def rows_off", "first-words", "FirstWords lacks r"),
    "called": ("first_words.py", '"first-words"', '"firsts"', "first-words", "calls itself 'firs"),
    "script": ("sentence_view/sentence.js", "export const", "const", "sentence", "exports nothing"),
}


@pytest.mark.parametrize(
    ("file", "right", "wrong", "name", "told"), DOCTORED.values(), ids=DOCTORED
)
def test_the_doctor_looks_at_other_packages(
    own, file: str, right: str, wrong: str, name: str, told: str
) -> None:
    code = (own / file).read_text()
    assert right in code
    (own / file).write_text(code.replace(right, wrong, 1))
    module_text.cache_clear()
    found = {finding.name: finding for finding in other_packages()}
    assert set(found) == {NAME, "first-words", "sentence"}
    assert told in found[name].found and bool(found[name].advice) == (right != wrong)
    assert all(one.state == ("missing" if one.advice else "fine") for one in found.values())
    assert [one.name for one in found.values() if one.advice] == [name] * (right != wrong)


def test_the_doctor_names_a_clash(brings, tmp_path) -> None:
    assert list(other_packages()) == []
    points = {SYSTEMS: {"liu-2015": "greedy_bigrams:SYSTEM"}, MEASURES: {"end": "first_words:M"}}
    brings(points)
    for finding in other_packages():
        assert "both have a" in finding.found and "pip uninstall" in finding.advice
    assert len(list(other_packages())) == 2


@pytest.mark.parametrize("gone", [SYSTEMS, MEASURES])
def test_an_experiment_whose_package_has_gone_says_what_is_not_here(
    brings, tmp_path, gone: str
) -> None:
    points = {SYSTEMS: {NAME: "greedy_bigrams:SYSTEM"}, MEASURES: {"firsts": "first_words:MEASURE"}}
    del points[gone]
    brings(points)
    text = SPECIFICATION.format(corpus=write_corpus(tmp_path), measure="firsts", y="first_words")
    if gone == SYSTEMS:
        text = text.replace("firsts", "end")
    (tmp_path / "mine.toml").write_text(text)
    what = "system 'greedy-bigrams'" if gone == SYSTEMS else "measure 'firsts'"
    with pytest.raises(ValueError, match=rf"mine\.toml: no {what}; there are .* must be installed"):
        read_specification(tmp_path / "mine.toml")


@pytest.mark.parametrize("name", ["liu-2015", "parser"])
def test_a_name_of_ours_stays_ours(brings, capsys, name: str) -> None:
    brings({SYSTEMS: {name: "greedy_bigrams:SYSTEM"}})
    assert search_names("ngram-beam") and search_names(name) is not None
    assert not capsys.readouterr().err
    assert [*KNOWN] == [*names_of("order")] and "Liu et al." in KNOWN["liu-2015"]
    (line,) = capsys.readouterr().err.splitlines()
    assert f"wordorder_lab and {NAME} 0.1 both have a system '{name}', and only ours is" in line


def test_two_packages_of_one_name_are_refused(tmp_path, monkeypatch) -> None:
    for folder, package in (("one", "first"), ("two", "second")):
        site = installed(tmp_path / folder)
        (said,) = site.glob("*.dist-info")
        text = (said / "METADATA").read_text().replace(NAME, package)
        (said / "METADATA").write_text(text)
        said.rename(site / f"{package}-0.1.dist-info")
        monkeypatch.syspath_prepend(site)
    with pytest.raises(ValueError, match=r"first 0\.1 and second 0\.1 both have a system"):
        load(SYSTEMS, NAME, wl.System)


def two_words() -> wl.EventLog:
    """The log of a search on two words."""
    log = wl.EventLog()
    log.begin(["falls", "rain"], [1, 1], 2, 1)
    log.step(1)
    log.candidate(1, 0, "SHIFT-rain-", 1.0)
    log.kept(1, 0)
    return log


# --- the view -------------------------------------------------------------------------------------


def test_its_view_is_on_the_pages_that_it_suits(own, page, tmp_path) -> None:
    model, log = wl.train(NAME, sentences(TRAIN), progress=False), wl.EventLog()
    result = model.order(["falls", ".", "rain"], trace=log)
    path = wl.to_html(log, tmp_path / "own.html", view="sentence")
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready]")
    assert page.locator("svg.wol-picture text").first.text_content() == result.text
    page.evaluate("wordorderPlayer.go(0)")
    assert page.locator("svg.wol-picture text").first.text_content() == "…"


def test_a_notebook_has_it_too(own) -> None:
    pytest.importorskip("anywidget")
    player = wl.play(two_words(), view="sentence")
    assert 'VIEWS["sentence"] = sentenceView' in player._esm
    assert player.data["own"] == ["sentence"] and player.page.startswith("<!DOCTYPE html>")


def test_a_view_that_cannot_be_joined_is_refused(own, monkeypatch) -> None:
    script = own / "sentence_view/sentence.js"
    for text, told in (
        ("const a = 1;\n", "exports nothing"),
        ('import { a } from "../player/none.js";\nexport const b = 1;\n', "which is not there"),
        ("export const VIEWS = {};\n", "both declare VIEWS"),
    ):
        script.write_text(text)
        module_text.cache_clear()
        with pytest.raises(ValueError, match=told):
            module_text(own=("sentence",))
    log = two_words()
    assert "own" not in contents(log)
    with pytest.raises(ValueError, match="both declare VIEWS"):
        contents(log, view="sentence")
    script.unlink()
    with pytest.raises(ValueError, match=rf"cannot be read .* {NAME} 0\.1 anew"):
        module_text(own=("sentence",))


def test_an_event_told_with_too_little_says_its_columns() -> None:
    log = two_words()
    log.kept(2)
    with pytest.raises(ValueError, match=r"'kept' has the columns serial, rank, .* with \(2,\)"):
        contents(log)


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ('Path(__file__).with_name("sentence.js")', '"sentence.js"', "is a pathlib.Path, not"),
        ('frozenset({"candidate"})', "3", "a set of names of events, not 3; there are begin"),
        ('{"candidate"}', '{"candidates"}', "a set of names of events, not frozenset"),
        ("import wordorder_lab", "import nowhere", "ModuleNotFoundError"),
    ],
)
def test_a_view_with_a_mistake_is_in_no_other_players_way(
    own, right: str, wrong: str, told: str
) -> None:
    code = (OWN / "sentence_view/__init__.py").read_text()
    (own / "sentence_view/__init__.py").write_text(code.replace(right, wrong))
    log = two_words()
    assert "own" not in contents(log)
    with pytest.raises(ValueError, match=f"{told}.*pip uninstall {NAME}"):
        contents(log, view="sentence")


def test_a_view_that_takes_a_name_of_ours_is_in_no_players_way(brings, tmp_path) -> None:
    points = {VIEWS: {"beam": "sentence_view:VIEW"}}
    brings(points)
    assert "own" not in contents(two_words(), view="beam")
    with pytest.raises(ValueError, match="no view 'sentence' of this log; there are beam"):
        contents(two_words(), view="sentence")


# --- packages that are worse than broken ----------------------------------------------------------

WORSE = """
from dataclasses import fields
import wordorder_lab as wl
from greedy_bigrams import SYSTEM as GREEDY, GreedyModel, Settings
class Worse(GreedyModel):
    SYSTEMS = ("{name}",)
    def search(self, problem, **how):
        whole = range(problem.size)
        {body}
def learn(sentences, settings, **how):
    for model in GREEDY.learn(sentences, settings, **how):
        yield Worse(model.dictionary, model.counts)
SYSTEM = wl.System("worse", Settings, learn, Worse)
"""


def found(score: str, items: str) -> str:
    return f"return [wl.Found({score}, {items})]"


SEARCHES = {
    "nan": (found("float('nan')", "whole"), "its search gave the score nan"),
    "endless": (found("float('-inf')", "whole"), "its search gave the score -inf"),
    "negative": (found("0.0", "[i - 1 for i in whole]"), "took item -1, of items 0 to 2"),
    "far": (found("0.0", "[i + 1 for i in whole]"), "took item 3, of items 0 to 2"),
    "twice": (found("0.0", "[0, 0, 1]"), "not each of the 3 of the bag once"),
    "leaving": ("raise SystemExit(0)", "fails in search (leaving.py, line 9) with SystemExit: 0"),
}
"""Name -> what a search does, and what is said of it."""
LONG = f"(TimeoutError: its import takes more than 2 seconds, which {SECONDS_TO_IMPORT} changes)"
IMPORTS = {
    "exiting": (VIEWS, "raise SystemExit(0)", "cannot be loaded (SystemExit: 0)"),
    "looping": (VIEWS, "while True: pass", LONG),
    "ending": (VIEWS, "import os; os._exit(0)", "(ChildProcessError: its import ends Python"),
    "halting": (SYSTEMS, "import os; os._exit(1)", "(ChildProcessError: its import ends Python"),
    "stuck": (SYSTEMS, "while True: pass", LONG),
    "posing": (SYSTEMS, "import os; os._exit(83)", "its import ends Python, exit code 83)"),
    "broken": (SYSTEMS, "raise BaseException('so')", "cannot be loaded (BaseException: so)"),
}
"""Name -> what is brought, what its module does, and what is said of it."""
CLAIMED = ("liu-2015", "shared", "shared")
UNREADABLE = {"wordless": b"[console_scripts]\nfoo bar\n", "latin": b"[\xe9]\n"}
"""Package -> an ``entry_points.txt`` that nobody can read; the second has no metadata."""
BESIDE_THEM = """
import contextlib, io, json, os, sys
from pathlib import Path
import wordorder_lab as wl
from wordorder_lab.cli import main
from wordorder_lab.commands.doctor.other_packages import other_packages
from wordorder_lab.runtime.entry_points import SECONDS_TO_IMPORT
corpus, folder, systems, views = sys.argv[1], Path(sys.argv[2]), *map(json.loads, sys.argv[3:])
told = {}
def said(name, *argv):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main([*argv])
        except SystemExit as stop:
            code = stop.code
    told[name] = [code, out.getvalue(), err.getvalue()]
def trained(name, bag, *more):
    model, page = str(folder / f"{name}.wol"), str(folder / f"{name}.html")
    said(name, "train", name, "--corpus", corpus, "--out", model, "--quiet", *more)
    if told[name][0] == 0:
        said(name, "order", bag, "--model", model, "--play", page, *more[-2:])
said("help", "--help")
said("list", "reproduce")
trained("liu-2015", "a robin watches", "--epochs", "1", "--beam", "2", "--engine", "reference")
said("none", "train", "none", "--out", str(folder / "none.wol"))
told["loaded"] = sorted({*systems, *views} & {*sys.modules})
for name in systems:
    os.environ[SECONDS_TO_IMPORT] = "2" if name == "stuck" else "60"
    trained(name, "a robin watches")
os.environ[SECONDS_TO_IMPORT] = "2"  # the others are quick, or have been imported
log = wl.EventLog()
log.begin(["falls", "rain"], [1, 1], 2, 1)
log.candidate(1, 0, "SHIFT-rain-", 1.0)
for name in views:
    try:
        wl.to_html(log, folder / "view.html", view=name)
    except ValueError as error:
        told[name] = [2, "", f"{error}\\n"]
told["doctor"] = {finding.name: finding.found for finding in other_packages()}
print(json.dumps(told))
"""


@pytest.mark.slow
def test_bad_packages_are_in_nobodys_way(tmp_path) -> None:
    """Eighteen at once: ours train, order, play and are listed, and each has a line of its own."""
    site = installed(tmp_path / "site", {})
    modules = {
        name: (SYSTEMS, WORSE.format(name=name, body=b)) for name, (b, _) in SEARCHES.items()
    }
    modules |= {name: (group, body) for name, (group, body, _) in IMPORTS.items()}
    brings = {name: (group, name) for name, (group, _) in modules.items()}
    brings |= {f"claims-{i}": (SYSTEMS, name) for i, name in enumerate(CLAIMED)}
    for package, (group, name) in brings.items():
        said = site / f"{package.replace('-', '_')}-1.dist-info"
        said.mkdir()
        (said / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
        (said / "entry_points.txt").write_text(f"[{group}]\n{name} = {name}:SYSTEM\n")
        if package in modules:
            (site / f"{package}.py").write_text(modules[package][1])
    for package, text in UNREADABLE.items():
        (said := site / f"{package}-1.dist-info").mkdir()
        (said / "entry_points.txt").write_bytes(text)
    told_as = {"wordless": "wordless 1", "latin": str(site / "latin-1.dist-info")}
    (site / "wordless-1.dist-info/METADATA").write_text("Name: wordless\nVersion: 1\n")
    asked = [[*SEARCHES, *(name for name, row in IMPORTS.items() if row[0] == SYSTEMS), "shared"]]
    asked += [[name for name, row in IMPORTS.items() if row[0] == VIEWS]]
    words = (str(write_corpus(tmp_path)), str(tmp_path), *map(json.dumps, asked))
    done = run(site, "-c", BESIDE_THEM, *words)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    for name in ("help", "list", "liu-2015"):
        assert told[name][0] == 0 and told[name][1], told[name]
        lines = told[name][2].splitlines()
        mine = [line for line in lines if not line.startswith("note: ")]  # of unknown words
        assert all("both have a system" in line or "cannot be read" in line for line in mine)
    assert (tmp_path / "liu-2015.html").is_file() and not told["loaded"]
    assert told["none"][0] == 2 and "no system 'none'; there are liu-2015" in told["none"][2]
    wanted = {name: line for name, (_, line) in SEARCHES.items()}
    wanted |= {name: line for name, (*_, line) in IMPORTS.items()}
    for name, line in wanted.items():
        code, _, err = told[name]
        assert code == 2 and err.count("\n") == 1 and line in err, (name, err)
        assert f"the package {name} 1 " in err and f"pip uninstall {name}" in err
        if name in IMPORTS:
            assert line in told["doctor"][name]
    assert "claims-1 1 and claims-2 1 both have a system 'shared', and none is" in told["shared"][2]
    assert "and claims-0 1 both have a system 'liu-2015', and only" in told["doctor"]["liu-2015"]
    assert {*told["doctor"]} == {*wanted, *CLAIMED, *told_as.values()}
    errors = "".join(told[name][2] for name in ("help", "list", "liu-2015", "none"))
    for package in told_as.values():
        assert errors.count(f"{Path(package).name} cannot be read (") == 1, errors
        assert "cannot be read (" in told["doctor"][package]


def test_what_is_printed_while_a_package_is_imported_is_no_output_of_ours(
    brings, tmp_path, monkeypatch, capsys
) -> None:
    """Also where ``sys.path`` has a ``Path`` in it, and nobody can say who brings the package."""
    site = brings({SYSTEMS: {"mine": "printing:SYSTEM"}})
    (site / "printing.py").write_text("print('hello')\nSYSTEM = 'mine'\n")
    (said,) = site.glob("*.dist-info")
    (said / "METADATA").unlink()
    monkeypatch.setattr(sys, "path", [*sys.path, tmp_path])
    monkeypatch.setenv(SECONDS_TO_IMPORT, "60")
    assert load(SYSTEMS, "mine", str) == "mine"
    assert capsys.readouterr() == ("", "hello\n")
    with pytest.raises(ValueError, match=rf"the package {said} brings .* delete that folder"):
        load(SYSTEMS, "mine", wl.System)


@pytest.mark.parametrize("given", ["0", "-1", "nan", "inf", "long"])
def test_the_time_for_an_import_is_a_number_above_0(own, monkeypatch, given: str) -> None:
    monkeypatch.setenv(SECONDS_TO_IMPORT, given)
    with pytest.raises(ValueError, match=rf"^{SECONDS_TO_IMPORT} is .* above 0, not '{given}'$"):
        load(SYSTEMS, NAME, wl.System)


def test_what_argparse_ends_is_nobodys_mistake(own, monkeypatch, capsys) -> None:
    """Nor is an exit of ours, whatever it was given; nobody is asked for one of argparse."""
    system = load(SYSTEMS, NAME, wl.System)

    def ending(arguments: Any, given: Any = system) -> None:
        raise SystemExit(3)

    monkeypatch.setattr("wordorder_lab.commands.corpora.run", ending)
    with pytest.raises(SystemExit, match="3"):
        main(["corpora"])
    monkeypatch.setitem(sys.modules, "wordorder_lab.commands.mistakes", None)
    for argv, code in ((["--help"], 0), (["parse"], 2)):
        with pytest.raises(SystemExit, match=str(code)):
            main(argv)


# --- the tutorial ---------------------------------------------------------------------------------


def code_lines(text: str) -> int:
    """Lines that are neither empty nor comments nor docstrings."""
    prose: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            prose |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(text.splitlines(), 1)
    return len([i for i, line in lines if i not in prose and re.match(r"\s*[^#\s]", line)])


def test_the_tutorial_is_short_and_shows_what_there_is() -> None:
    """That what it shows is what the files have, ``test_claims_table.py`` looks at."""
    code = (OWN / "greedy_bigrams.py").read_text(encoding="utf-8")
    assert code_lines(code) <= CODE_LINES
    page = (ROOT / "docs/do/own_system.md").read_text(encoding="utf-8")
    shown = re.findall(r"^<!-- code of (\S+)(?: (\w+))? -->$", page, re.MULTILINE)
    parts = re.findall(r"^ *# part (\w+)$", code, re.MULTILINE)
    assert [part for name, part in shown if name.endswith("greedy_bigrams.py")] == parts != []
    files = [path for path in OWN.rglob("*.*") if "__pycache__" not in path.parts]
    assert {name for name, _ in shown} == {str(path.relative_to(ROOT)) for path in files}


TOYS = {
    f"toy-{name}": f"toys:{name.upper()}" for name in ("compressor", "parser", "tagger", "realizer")
}
SENTENCES = {
    "toy-compressor": (
        "pairs",
        ["compress", "(S (NP (DT the) (NN robin)) (VP (VBD rose)))"],
        "the",
    ),
    "toy-parser": ("corpus", ["parse", "rain fell ."], "(S (NN rain)"),
    "toy-tagger": ("stagged", ["supertag", "rain falls ."], "rain|NN|"),
    "toy-realizer": ("bank", ["realize", "--conllu"], "fall rain"),
}
"""Toy -> the corpus of ``command_line`` that it learns from, a command, and what that says."""
TREE = "1\t_\train\tNOUN\tNN\t_\t2\tnsubj\t_\t_\n2\t_\tfall\tVERB\tVBZ\t_\t0\troot\t_\t_\n\n"


@pytest.mark.parametrize("name", TOYS)
def test_a_system_of_any_task_comes_in_by_the_same_door(
    brings, name: str, tmp_path, monkeypatch, capsys
) -> None:
    """From train to evaluate, its verb, a trace and a player, by its name alone."""
    brings({SYSTEMS: TOYS})
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tree.conllu").write_text(TREE)
    plain = ["--engine", "reference", "--quiet"]
    kind, (verb, *words), said = SENTENCES[name]
    corpus = ["--corpus", getattr(Files(tmp_path), kind)]
    assert main(["train", name, *corpus, "--out", "toy.wol", "--seldom", "2", *plain]) == 0
    assert "wrote toy.wol" in capsys.readouterr().out
    assert load_model("toy.wol").settings["seldom"] == 2
    score = ["evaluate", "--model", "toy.wol", *corpus, "--split", "test", "--json", "e.json"]
    assert main([*score, *plain]) == 0
    assert name in capsys.readouterr().out and Path("e.json").exists()
    more = [] if name == "toy-tagger" else ["--trace", "t.log", "--play", "p.html"]
    words += ["tree.conllu"] if name == "toy-realizer" else []
    assert main([verb, *words, "--model", "toy.wol", *more, *plain]) == 0
    assert said in capsys.readouterr().out
    assert not more or ("<html" in Path("p.html").read_text() and len(wl.EventLog.load("t.log")))
    assert main([verb, *words, "--model", "toy.wol", "--baem", "2"]) == 2
    assert f"{name} has no --baem" in capsys.readouterr().err
