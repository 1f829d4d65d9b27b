"""A Python as a browser has it, for tests: no compiler of kernels, no processes, no threads.

``python tests/bare_python.py`` runs the program that it reads from its standard input in one.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, NoReturn

import wordorder_lab as wl

MISSING = frozenset(
    """
    numba llvmlite nltk regex lxml pandas scipy matplotlib joblib piqp sacrebleu tqdm
    anywidget ipywidgets
    lzma _lzma sqlite3 _sqlite3 ssl _ssl multiprocessing _multiprocessing subprocess
    _posixsubprocess concurrent
    """.split()
)
"""What Pyodide lacks, or what a page need not load: none of it may be on the way."""


class Without:
    """A finder that finds what others do, without these modules."""

    def __init__(self, finders: Sequence[Any]) -> None:
        self._finders = finders

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] in MISSING:
            return None
        found = (finder.find_spec(name, path, target) for finder in self._finders)
        return next(filter(None, found), None)


def no_thread(thread: threading.Thread) -> NoReturn:
    raise RuntimeError("can't start new thread")


def short(corpus: str) -> tuple[list[wl.Sentence], wl.WordBag]:
    """Short sentences to learn, and a bag."""
    read = wl.load_corpus(corpus)
    return sorted(read.train[:60], key=len)[:6], wl.bag_of(min(read.dev, key=len))


def others(**options: str) -> list[str]:
    """What comes out of systems of other tasks."""
    pairs, log = wl.load_compressions("gazette"), wl.EventLog()
    model = wl.train("mcdonald-2006", pairs.train[:8], epochs=1, **options)
    texts = [model.compress(pairs.dev[0].source, trace=log, **options).text]
    wl.to_html(log, "compression.html")
    trees = wl.load_lemma_trees("gazette")
    few, one = sorted(trees.train[:60], key=len)[:6], min(trees.dev, key=len)
    model = wl.train("liu-2015-realization", few, epochs=1, beam=4, folds=2, **options)
    return [*texts, model.realize(one, **options).text]


if __name__ == "__main__":
    already = MISSING.intersection(name.partition(".")[0] for name in sys.modules)
    assert not already, already
    sys.meta_path[:] = [Without([*sys.meta_path])]
    threading.Thread.start = no_thread  # type: ignore[assignment, method-assign]
    exec(compile(sys.stdin.read(), "<program>", "exec"), {"__name__": "program"})
