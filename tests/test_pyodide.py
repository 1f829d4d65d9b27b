"""The reference engines in Pyodide, a browser's Python, under Node: as here, bit for bit."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyodide_files
import pytest
from site_pages.pyodide_files import CHECKSUMS, NUMPY, NoFiles
from site_pages.pyodide_files import pyodide_files as files_of

import wordorder_lab as wl
from wordorder_lab.systems.everyday import model_for

FILES = """
bag ccg labels models replay search_replay search_again forbidden_actions best_gold
""".split()
"""Tests of bags, of derivations, of searches with their events, of learning and of models."""
SOME = ("labels", "models")
LEAST, BAGS = 300, 200
"""Tests that pass there, and bags on which every system gives the same, to the last bit."""
SLOW, TORTURE = pytest.mark.slow, pytest.mark.torture


@pytest.mark.parametrize(
    ("files", "least"),
    [pytest.param(SOME, 10, marks=SLOW), pytest.param(FILES, LEAST, marks=TORTURE)],
    ids=["some", "all"],
)
def test_ordinary_tests_pass(files: Sequence[str], least: int) -> None:
    names = [f"tests/test_{name}.py" for name in files]
    program = f"import pyodide_pytest\npyodide_pytest.main({names!r})"
    printed = pyodide_files.run(program)
    *_, summary = re.findall(r"^.*\d+ passed.*$", printed, re.MULTILINE)
    print(summary)
    numbers = {word: int(number) for number, word in re.findall(r"(\d+) (\w+)", summary)}
    assert numbers["passed"] >= least and "failed" not in numbers, printed[-5000:]


def digest(does: str, model, given, engine: str, **search: int) -> list[str]:
    """Of everything given a checksum of the output, its score and counters, and the events."""
    found = []
    for one in given:
        log = wl.EventLog()
        made = getattr(model, does)(one, engine=engine, trace=log, **search)
        result = made.result if does == "realize" else made
        actions = getattr(result, "actions", ())
        told = [made.text, made.score.hex(), dict(result.counters), actions, list(log)]
        found.append(hashlib.sha256(repr(told).encode()).hexdigest())
    return found


def some_of(does: str, number: int) -> list[Any]:
    """Bags, trees of lemmas or trees of the Gazette, short ones first."""
    if does == "compress":
        pairs = wl.load_compressions("gazette")
        trees = [one.source for one in (*pairs.dev, *pairs.test, *pairs.train[:BAGS])]
        return sorted(trees, key=lambda tree: len(tree.leaves()))[:number]
    gazette = wl.load_lemma_trees("gazette") if does == "realize" else wl.load_corpus("gazette")
    short = sorted([*gazette.dev, *gazette.test], key=len)[:number]
    return short if does == "realize" else [wl.bag_of(one) for one in short]


PROGRAM = """
import json
from test_pyodide import digest, model_of, some_of
for does, name, search in json.loads(TASKS):
    model, given = model_of(does, name), some_of(does, NUMBER)
    print(json.dumps(digest(does, model, given, "reference", **search)))
"""
SYSTEMS = {
    "liu-2015": ({"epochs": 2, "beam": 8}, {"beam": 8}),
    "zhang-clark-2015-dependency": ({"epochs": 2}, {"expansions": 100}),
    "zhang-clark-2015-ccg": ({"epochs": 2}, {"expansions": 100}),
    "ngram-beam": ({}, {"beam": 8}),
}
ALONG = {"order": {"beam": 16}, "realize": {"beam": 16}, "compress": {}}
"""What the models do that come along, and with which settings."""


def model_of(does: str, name: str):
    """A model that comes along, or one of a file of the folder that is mounted."""
    return model_for(does) if name == "everyday" else wl.load_model(f"/models/{name}.wol")


@TORTURE
def test_searches_are_those_of_the_fast_engine(tmp_path) -> None:
    pyodide_files.folder()
    few = wl.load_corpus("gazette").train[:100]
    tasks = [(does, "everyday", search) for does, search in ALONG.items()]
    models = [model_for(does) for does in ALONG]
    for system, (settings, search) in SYSTEMS.items():
        models.append(wl.train(system, few, progress=False, **settings))
        models[-1].save(tmp_path / f"{system}.wol")
        tasks.append(("order", system, search))
    program = PROGRAM.replace("TASKS", repr(json.dumps(tasks))).replace("NUMBER", str(BAGS))
    printed = pyodide_files.run(program, mounts=[("/models", tmp_path)])
    found = [json.loads(line) for line in printed.splitlines()]
    for (does, name, search), model, there in zip(tasks, models, found, strict=True):
        here = digest(does, model, some_of(does, BAGS), "fast", **search)
        assert len(here) == BAGS and there == here, (does, name)


# --- Where the files come from ------------------------------------------------------------------


def test_files_of_a_folder_are_checked(tmp_path) -> None:
    environment = {"PYODIDE": str(tmp_path)}
    with pytest.raises(NoFiles, match=r"has no pyodide\.mjs"):
        files_of(environment)
    for name in CHECKSUMS:
        (tmp_path / name).write_bytes(b"something else")
    with pytest.raises(NoFiles, match=r"pyodide\.mjs .* its checksum differs"):
        files_of(environment)
    with pytest.raises(NoFiles, match="PYODIDE is empty"):
        files_of({"PYODIDE": ""})


def test_downloads_are_checked_and_kept(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    host = tmp_path / "host"
    host.mkdir()
    with pytest.raises(NoFiles, match=r"cannot be downloaded .* PYODIDE=folder"):
        files_of({}, host.as_uri())
    contents = {name: name.encode() for name in CHECKSUMS}
    for name, data in contents.items():
        (host / name).write_bytes(data)
        monkeypatch.setitem(CHECKSUMS, name, hashlib.sha256(data).hexdigest())
    assert files_of({}, host.as_uri()) == contents
    kept = next(Path(tmp_path / "cache").rglob(NUMPY))
    kept.write_bytes(b"cut")
    (host / "pyodide.mjs").unlink()  # it is in the cache
    assert files_of({}, host.as_uri()) == contents and kept.read_bytes() == NUMPY.encode()
    (host / NUMPY).write_bytes(b"other")
    kept.unlink()
    with pytest.raises(NoFiles, match="its checksum differs"):
        files_of({}, host.as_uri())
