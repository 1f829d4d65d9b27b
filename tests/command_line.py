"""What the tests of the command line share: small files of our own, and ways to run it."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lemma_sentences import as_input, lemma_conllu

import wordorder_lab as wl
from wordorder_lab.cli import main
from wordorder_lab.corpora import gazette_corpus
from wordorder_lab.corpora.readers.ccgbank import AutoEntry, write_auto
from wordorder_lab.corpora.supertags import write_unit
from wordorder_lab.experiments.runs import compression_pairs, corpora
from wordorder_lab.structures.sentence import Sentence, Supertagged

ROOT = Path(__file__).resolve().parent.parent
NOUNS = ("gardener", "teacher", "robin", "clock", "river")
VERBS = ("watches", "paints", "follows", "forgets")
PATIENCE = 600
"""Seconds until a process is given up, on a machine that is busy with other things."""
PLAIN = ["--engine", "reference"]
"""What keeps numba from compiling, which takes longer than all these tests."""


SCORES = set(
    """
    sentences bleu_cased bleu_cased_signature bleu_13a_lc bleu_13a_lc_signature
    system corpus split units pos deps beam seed exact_match brevity ms_per_sentence timeouts
    """.split()
)
"""What an evaluation writes at least."""


def exit_code(argv: list[str]) -> int | str | None:
    """What the command returns, also where a value is refused while the line is parsed."""
    try:
        return main(argv)
    except SystemExit as stop:
        return stop.code


# --- files ----------------------------------------------------------------------------------------


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


@cache
def derived() -> list[Sentence]:
    """Short sentences of the Gazette that have derivations."""
    every = wl.load_corpus("gazette", units="words").train
    return [one for one in every if one.derivation is not None and len(one) <= 7][:20]


def _write_derivations(path: Path) -> None:
    write_auto(path, [AutoEntry("", one.derivation) for one in derived() if one.derivation])


def _write_supertags(path: Path) -> None:
    lines = [
        " ".join(f"{write_unit(unit, tag, [])}|{category}" for unit, tag, category in zip(*columns))
        for columns in ((s.words, s.pos, s.categories) for s in map(Supertagged.of, derived()))
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


WRITTEN: dict[str, tuple[str, Callable[[Path], object]]] = {
    "corpus": ("own.mrg", lambda path: write_corpus(path.parent)),
    "pairs": ("own.jsonl", lambda path: write_pairs(path.parent)),
    "auto": ("own.auto", _write_derivations),
    "stagged": ("own.stagged", _write_supertags),
    "bank": ("own.conllu", lambda path: path.write_text(lemma_conllu(40))),
    "input": ("input.conllu", lambda path: path.write_text(as_input(lemma_conllu(3, first=500)))),
}
TRAINED = {
    "model": ("own.wol", "liu-2015 own.mrg --beam 4 --epochs 2"),
    "best": ("best.wol", "zhang-clark-2015-dependency own.mrg --beam 4 --epochs 2 --expansions 60"),
    "ccg": ("ccg.wol", "zhang-clark-2015-ccg own.auto --beam 16 --epochs 3 --expansions 150"),
    "short": ("short.wol", "cohn-lapata-2009 own.jsonl --C 1 --beam 5 --iterations 8"),
    "less": ("less.wol", "clarke-lapata-2008-ilp own.jsonl --epochs 1"),
    "tagger": ("tags.wol", "supertagger own.stagged --iterations 15 --min-count 2"),
    "parser": ("trees.wol", "parser own.mrg"),
    "realizer": ("real.wol", "liu-2015-realization own.conllu --beam 4 --epochs 2"),
}
"""A file by its name in these tests: its own name, and how it is made."""


class Files:
    """Small corpora and models in a folder, for reading only; each is made when it is asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __getattr__(self, name: str) -> str:
        if name not in {**WRITTEN, **TRAINED}:
            raise AttributeError(name)
        path = self.folder / {**WRITTEN, **TRAINED}[name][0]
        if not path.exists() and name in WRITTEN:
            WRITTEN[name][1](path)
        elif not path.exists():
            system, corpus, *size = TRAINED[name][1].split()
            (source,) = (one for one, (file, _) in WRITTEN.items() if file == corpus)
            line = ["train", system, "--corpus", getattr(self, source), *size, *PLAIN, "--out"]
            with redirect_stdout(io.StringIO()):
                assert main([*line, str(path)]) == 0
        return str(path)


@pytest.fixture(scope="session")
def own(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """What all tests of the command line read."""
    return Files(tmp_path_factory.mktemp("own"))


@pytest.fixture
def small_gazette(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The beginning of the Gazette in its place, and no other corpus; nothing is in the cache."""
    folder = tmp_path / "gazette"
    folder.mkdir()
    for split, most in (("train", 60), ("dev", 10), ("test", 10)):
        for kind, lines in (("mrg", most), ("auto", 2 * most)):
            whole = (gazette_corpus.folder() / f"{split}.{kind}").read_text(encoding="utf-8")
            some = whole.splitlines(keepends=True)[:lines]
            (folder / f"{split}.{kind}").write_text("".join(some), encoding="utf-8")
    monkeypatch.setattr(gazette_corpus, "folder", lambda: folder)
    monkeypatch.setattr("wordorder_lab.corpora.readers.files.data_roots", lambda data: [tmp_path])
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    kept = (corpora.corpus_of, corpora.lemma_corpus, compression_pairs.pairs_of)
    for one in kept:
        one.cache_clear()
    yield folder
    for one in kept:  # who comes next reads the whole Gazette
        one.cache_clear()


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


# --- commands -------------------------------------------------------------------------------------


def start(*arguments: str) -> subprocess.Popen[str]:
    """The command in a process of its own, which hears Ctrl-C even where the tests do not.

    What a shell runs in the background ignores it, and so would every process from there.
    """
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-m", "wordorder_lab.cli", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        text=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )


def order(own: Files, *arguments: str, model: str = "model") -> int:
    return main(["order", "--model", getattr(own, model), *PLAIN, *arguments])


def evaluate(own: Files, *arguments: str, model: str = "model") -> int:
    return main(["evaluate", "--model", getattr(own, model), *PLAIN, *arguments])


def compress(own: Files, *arguments: str) -> int:
    return main(["compress", "--model", own.short, *PLAIN, *arguments])


def complaint(capsys: Any) -> str:
    """The one line on stderr; nothing else may be there."""
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    assert len(captured.err.strip().splitlines()) == 1, captured.err
    return captured.err


TREE = "(S (NP (DT the) (JJ old) (NN robin)) (VP (VBZ paints) (NP (DT a) (NN clock))) (. .))"
SHORT = "The robin paints a clock ."
"""A tree, and what a model of the pairs makes of it."""


def train_short(own: Files | SimpleNamespace, out: Path, *more: str) -> int:
    """``wordorder-lab train`` on these pairs, as ``own.short`` is trained."""
    system, _, *size = TRAINED["short"][1].split()
    return main(["train", system, "--corpus", own.pairs, *size, *PLAIN, *more, "--out", str(out)])


def typed(monkeypatch: pytest.MonkeyPatch, text: str, terminal: bool = False) -> None:
    """Let this text be on stdin, as if somebody typed it at a ``terminal`` or not."""
    stdin = io.StringIO(text)
    stdin.isatty = lambda: terminal  # type: ignore[method-assign]
    monkeypatch.setattr("sys.stdin", stdin)


def stop_at(monkeypatch: pytest.MonkeyPatch, place: Any, name: str, call: int = 1) -> None:
    """From the ``call``-th time on, Ctrl-C comes in place of this function."""
    whole, calls = getattr(place, name), iter(range(1, 1000))

    def stopped(*arguments: Any, **more: Any) -> Any:
        if next(calls) >= call:
            raise KeyboardInterrupt
        return whole(*arguments, **more)

    monkeypatch.setattr(place, name, stopped)
