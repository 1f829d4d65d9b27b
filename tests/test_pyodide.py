"""The reference engines in Pyodide, a browser's Python, under Node: as here, bit for bit."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pyodide_files
import pytest
from site_pages.pyodide_files import CHECKSUMS, NUMPY, NoFiles
from site_pages.pyodide_files import pyodide_files as files_of

import wordorder_lab as wl

FILES = """
bag ccg labels models replay search_replay search_again forbidden_actions best_gold
""".split()
"""Tests of bags, of derivations, of searches with their events, of learning and of models."""
LEAST, BAGS = 300, 200
"""Tests that pass there, and bags on which every system gives the same, to the last bit."""


@pytest.mark.slow
def test_ordinary_tests_pass() -> None:
    names = [f"tests/test_{name}.py" for name in FILES]
    program = f"import pyodide_pytest\npyodide_pytest.main({names!r})"
    printed = pyodide_files.run(program)
    *_, summary = re.findall(r"^.*\d+ passed.*$", printed, re.MULTILINE)
    print(summary)
    numbers = {word: int(number) for number, word in re.findall(r"(\d+) (\w+)", summary)}
    assert numbers["passed"] >= LEAST and "failed" not in numbers, printed[-5000:]


def digest(model, bags: list[wl.WordBag], engine: str, **search: int) -> list[str]:
    """Of every bag a checksum of the output, its score and counters, and the event stream."""
    found = []
    for bag in bags:
        log = wl.EventLog()
        result = model.order(bag, engine=engine, trace=log, **search)
        told = [result.text, result.score.hex(), dict(result.counters), result.actions, list(log)]
        found.append(hashlib.sha256(repr(told).encode()).hexdigest())
    return found


def some_bags(number: int) -> list[wl.WordBag]:
    """Bags of the Gazette, short ones first."""
    gazette = wl.load_corpus("gazette")
    return [wl.bag_of(one) for one in sorted([*gazette.dev, *gazette.test], key=len)[:number]]


PROGRAM = """
import json
import wordorder_lab as wl
from test_pyodide import digest, some_bags
for path, search in json.loads(TASKS):
    model = wl.load_model(path)
    print(json.dumps(digest(model, some_bags(NUMBER), "reference", **search)))
"""
SYSTEMS = {
    "liu-2015": ({"epochs": 2, "beam": 8}, {"beam": 8}),
    "zhang-clark-2015-dependency": ({"epochs": 2}, {"expansions": 100}),
    "zhang-clark-2015-ccg": ({"epochs": 2}, {"expansions": 100}),
    "ngram-beam": ({}, {"beam": 8}),
}


@pytest.mark.slow
def test_searches_are_those_of_the_fast_engine(tmp_path) -> None:
    pyodide_files.folder()
    few, bags = wl.load_corpus("gazette").train[:100], some_bags(BAGS)
    tasks, expected = [("everyday", {"beam": 16})], []
    expected.append(digest(wl.load_model("everyday"), bags, "fast", beam=16))
    for system, (settings, search) in SYSTEMS.items():
        model = wl.train(system, few, progress=False, **settings)
        model.save(tmp_path / f"{system}.wol")
        tasks.append((f"/models/{system}.wol", search))
        expected.append(digest(model, bags, "fast", **search))
    program = PROGRAM.replace("TASKS", repr(json.dumps(tasks))).replace("NUMBER", str(BAGS))
    printed = pyodide_files.run(program, mounts=[("/models", tmp_path)])
    found = [json.loads(line) for line in printed.splitlines()]
    for (name, _), there, here in zip(tasks, found, expected, strict=True):
        assert len(here) == BAGS and there == here, name


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
