"""In a browser there is no numba, lzma, sqlite3 or ssl, no thread and no process: we need none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from bare_python import others, short
from nltk.tree import Tree

import wordorder_lab as wl
from wordorder_lab.structures.plain_tree import PlainTree

TESTS = Path(__file__).parent
ORDERING = """
import json, sys
import wordorder_lab as wl
from bare_python import short
few, one = short("gazette")
texts = {"everyday": wl.order("the barked dog .").text}
for system, options in SYSTEMS.items():
    epochs, model_log, log = [], wl.EventLog(), wl.EventLog()
    if "epochs" in options:
        options |= {"trace": model_log, "on_epoch": lambda epoch, moment: epochs.append(epoch)}
    model = wl.train(system, few, **options)
    texts[system] = model.order(one, trace=log).text
    model.save(f"{system}.wol")
    assert wl.load_model(f"{system}.wol").order(one).text == texts[system]
    log.save(f"{system}.json.gz")
    assert wl.EventLog.load(f"{system}.json.gz") == log
    wl.to_html(log, f"{system}.html")
    if epochs:
        wl.to_html(model_log, f"{system}_learning.html")
print(json.dumps(texts))
"""
SYSTEMS = {
    "liu-2015": {"epochs": 2, "beam": 4},
    "zhang-clark-2015-dependency": {"epochs": 1},
    "zhang-clark-2015-ccg": {"epochs": 1},
    "ngram-beam": {},
}
REFUSALS = """
import wordorder_lab as wl
try:
    wl.order("the barked dog .", engine="fast")
except ValueError as error:
    print(error)
try:
    wl.load_corpus("ewt", data="nowhere").train
except ValueError as error:
    print(error)
"""


def bare(program: str, folder: Path) -> list[str]:
    """The lines that a program prints in a Python as a browser has it."""
    ran = subprocess.run(
        [sys.executable, str(TESTS / "bare_python.py")],
        input=program,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{TESTS.parent}{os.pathsep}{TESTS}"},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    assert ran.stderr == ""  # no warning either
    return ran.stdout.splitlines()


def test_systems_learn_order_and_are_played(tmp_path) -> None:
    (line,) = bare(f"SYSTEMS = {SYSTEMS!r}\n{ORDERING}", tmp_path)
    few, one = short("gazette")
    expected = {"everyday": wl.order("the barked dog .", engine="reference").text}
    for system, options in SYSTEMS.items():
        model = wl.train(system, few, engine="reference", progress=False, **options)
        expected[system] = model.order(one, engine="reference").text
    assert eval(line) == expected
    assert {path.stat().st_size > 100_000 for path in tmp_path.glob("*.html")} == {True}


def test_sentences_are_compressed_and_realized(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts = bare("from bare_python import others\nprint(*others(), sep='\\n')", tmp_path)
    assert texts == others(engine="reference")


def test_what_is_missing_is_said(tmp_path) -> None:
    engine, corpus = bare(REFUSALS, tmp_path)
    assert "the fast engine needs numba" in engine and "reference" in engine
    assert "nowhere" in corpus or "not here" in corpus


TREES = "(S (NP (DT the) (NN cat)) (VP (VBZ sees) (NP (PRP it))) (. .))", "( (S (NN rain)))"


@pytest.mark.parametrize("text", [*TREES, "(X \\(a b\\) (Y c))", "(A)"])
def test_a_plain_tree_is_as_one_of_nltk(text) -> None:
    trees = [kind.fromstring(text, remove_empty_top_bracketing=True) for kind in (Tree, PlainTree)]
    for one, other in zip(*(tree.subtrees() for tree in trees), strict=True):
        assert [*map(_facts, (one, other))] == [_facts(one)] * 2
        places = range(len(one.leaves()))
        assert [*map(one.leaf_treeposition, places)] == [*map(other.leaf_treeposition, places)]


def _facts(tree):
    shown = [tree.pformat(margin=margin) for margin in (5, 20, 90)]
    inner = [node.label() for node in tree.subtrees(lambda node: len(node) > 1)]
    return tree.label(), tree.leaves(), tree.pos(), shown, str(tree), inner


def test_plain_trees_are_copied_changed_and_compared() -> None:
    tree = PlainTree.fromstring(TREES[0])
    flat, deep = tree.copy(), tree.copy(deep=True)
    assert flat == tree == deep and flat[0] is tree[0] and deep[0] is not tree[0]
    deep[0, 1, 0] = "dog"
    assert deep != tree and deep[0, 1, 0] == "dog" and tree[0][1][0] == "cat"
    flat.set_label("X")
    assert flat != tree and tree.label() == "S" and tree[()] is tree
    assert repr(tree[0, 0]) == "PlainTree('DT', ['the'])" and tree[0, 0] != ["the"]


@pytest.mark.parametrize("text", ["", "(S (NP a)", "(S a))", "(S a) (S b)", "a", ")", "(S a) b"])
def test_what_is_no_whole_tree_is_refused(text) -> None:
    for kind in (Tree, PlainTree):
        with pytest.raises(ValueError, match=r"expected|tree|bracket"):
            kind.fromstring(text)
    with pytest.raises(IndexError):
        PlainTree("S", ["a"]).leaf_treeposition(1)
