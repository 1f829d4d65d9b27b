"""What the tests of the command line share: a corpus of our own invention, and a way to run it."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from wordorder_lab.cli import main

ROOT = Path(__file__).resolve().parent.parent
NOUNS = ("gardener", "teacher", "robin", "clock", "river")
VERBS = ("watches", "paints", "follows", "forgets")
PATIENCE = 600
"""Seconds until a process is given up, on a machine that is busy with other things."""
PLAIN = ["--engine", "reference"]
"""What keeps numba from compiling, which takes longer than all these tests."""


def exit_code(argv: list[str]) -> int | str | None:
    """What the command returns, also where a value is refused while the line is parsed."""
    try:
        return main(argv)
    except SystemExit as stop:
        return stop.code


def tree(i: int) -> str:
    """A bracketed sentence: ``the old gardener watches a clock .``"""
    first, second, verb = NOUNS[i % 5], NOUNS[(i * 2 + 1) % 5], VERBS[i % 4]
    return (
        f"( (S (NP-SBJ (DT the) (JJ old) (NN {first})) "
        f"(VP (VBZ {verb}) (NP (DT a) (NN {second}))) (. .)) )\n"
    )


def write_corpus(folder: Path, sentences: int = 20) -> Path:
    """A file of bracketed trees; it is cut in three, 80, 10 and 10 %."""
    path = folder / "own.mrg"
    path.write_text("".join(map(tree, range(sentences))), encoding="utf-8")
    return path


def write_model(folder: Path, corpus: Path) -> Path:
    """A small model, trained by the command itself."""
    path = folder / "own.wol"
    size = ["--beam", "4", "--epochs", "2", *PLAIN]
    assert main(["train", "liu-2015", "--corpus", str(corpus), *size, "--out", str(path)]) == 0
    return path


def pair_row(i: int) -> dict[str, Any]:
    """A sentence and a shorter version: adjective and adverb go, or a beginning moves back."""
    first, second, verb = NOUNS[i % 5], NOUNS[(i * 2 + 1) % 5], VERBS[i % 4]
    rest = f"(VP (VBZ {verb}) (NP (DT a) (NN {second}))%s) (. .))"
    if i % 4 == 3:  # "at night the robin paints a clock ." to "the robin paints a clock at night ."
        night = "(PP (IN at) (NP (NN night)))"
        source = f"(S {night} (NP (DT the) (JJ old) (NN {first})) {rest % ''}"
        target = f"(S (NP (DT the) (NN {first})) {rest % f' {night}'}"
        places = [(2, 0), (4, 1), (5, 2), (6, 3), (7, 4), (0, 5), (1, 6), (8, 7)]
        row = {"alignment": places, "kind": "reordering"}
    else:
        source = f"(S (NP (DT the) (JJ old) (NN {first})) {rest % ' (ADVP (RB again))'}"
        target = f"(S (NP (DT the) (NN {first})) {rest % ''}"
        row = {"kind": "deletion"}
    return {"id": f"own-{i}", "source_tree": source, "target_tree": target, **row}


def write_pairs(folder: Path, pairs: int = 30) -> Path:
    """A file of compression pairs; it is cut in three, 80, 10 and 10 %."""
    path = folder / "own.jsonl"
    rows = [json.dumps(pair_row(i)) + "\n" for i in range(pairs)]
    path.write_text("".join(rows), encoding="utf-8")
    return path


EXPERIMENT = """
title = "two orders by chance"
measure = "end"
[settings]
system = "random-order"
corpus = "gazette"
split = "dev"
units = "base-np"
[vary]
seed = [1, 2]
[plot]
kind = "bars"
y = "bleu_cased"
labels = ["seed"]
[names]
first = { seed = 1 }
second = { seed = 2 }
[[claims]]
says = "the first order is better"
better = "first"
than = "second"
on = "bleu_cased"
"""
"""An experiment of one's own, which takes no training."""


def write_experiment(folder: Path) -> Path:
    """The same of a corpus of our own."""
    path = folder / "mine.toml"
    path.write_text(EXPERIMENT.replace("gazette", str(write_corpus(folder))))
    return path


def start(*arguments: str) -> subprocess.Popen[str]:
    """The command in a process of its own, which hears Ctrl-C even where the tests do not.

    What a shell runs in the background ignores it, and so would every process from there.
    """
    command = [sys.executable, "-m", "wordorder_lab.cli", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command,
        env=environment,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        text=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )


def own_files(folder: Path) -> SimpleNamespace:
    """A corpus and a model of it, for reading only."""
    corpus = write_corpus(folder)
    return SimpleNamespace(corpus=str(corpus), model=str(write_model(folder, corpus)))


def order(own: SimpleNamespace, *arguments: str) -> int:
    """``wordorder-lab order`` with that model."""
    return main(["order", "--model", own.model, *PLAIN, *arguments])


def evaluate(own: SimpleNamespace, *arguments: str) -> int:
    """``wordorder-lab evaluate`` with that model."""
    return main(["evaluate", "--model", own.model, *PLAIN, *arguments])


def complaint(capsys: Any) -> str:
    """The one line on stderr; nothing else may be there."""
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    assert len(captured.err.strip().splitlines()) == 1, captured.err
    return captured.err


# --- making sentences shorter ---------------------------------------------------------------------

SYSTEM = "cohn-lapata-2009"
SMALL = ["--C", "1", "--beam", "5", "--iterations", "8", *PLAIN]
TREE = "(S (NP (DT the) (JJ old) (NN robin)) (VP (VBZ paints) (NP (DT a) (NN clock))) (. .))"
SHORT = "The robin paints a clock ."
"""A tree, and what a model of the pairs makes of it."""


def own_pairs(folder: Path) -> SimpleNamespace:
    """Pairs of our own, a model of them, and a model that orders words; for reading only."""
    pairs, model = str(write_pairs(folder)), str(folder / "short.wol")
    assert main(["train", SYSTEM, "--corpus", pairs, *SMALL, "--out", model]) == 0
    return SimpleNamespace(pairs=pairs, model=model, orderer=own_files(folder).model)


def train_short(own: SimpleNamespace, out: Path, *more: str) -> int:
    """``wordorder-lab train`` on these pairs."""
    return main(["train", SYSTEM, "--corpus", own.pairs, *SMALL, *more, "--out", str(out)])


def compress(own: SimpleNamespace, *more: str) -> int:
    """``wordorder-lab compress`` with that model."""
    return main(["compress", "--model", own.model, *PLAIN, *more])


def typed(monkeypatch: pytest.MonkeyPatch, text: str, terminal: bool = False) -> None:
    """Let this text be on stdin, as if somebody typed it at a ``terminal`` or not."""
    stdin = io.StringIO(text)
    stdin.isatty = lambda: terminal  # type: ignore[method-assign]
    monkeypatch.setattr("sys.stdin", stdin)
