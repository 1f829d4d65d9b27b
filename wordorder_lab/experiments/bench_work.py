"""What ``bench --against`` times: training and outputs of each family, on the Gazette.

It is run as a program by two checkouts of the package. So it calls the public interface alone, and
leaves out what an old checkout does not have. It prints a line of JSON a family: the least seconds
of the processor of some rounds, of training and of all outputs, and a checksum of the outputs.
Of a start they are those of the first command line that compiles nothing beforehand (``cold``), and
of the second (``warm``), everything that Python loads among them.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, NamedTuple

# By name: what is measured is whichever checkout the process finds.
wl = import_module("wordorder_lab")
ROUNDS = 4
Example = Any
"""A sentence, a pair, or a tree, as a corpus has it."""
Settings = Mapping[str, Any]
LIMITED = {"beam": 16, "epochs": 1, "expansions": 200}


class Family(NamedTuple):
    """How much a system learns from and is asked, from sentences with less than ``longest`` words;
    the settings of its training and of its searches. ``verb`` is one of the model, or of the
    package for a whole corpus (``WHOLE``), or of the command line (``STARTS``)."""

    system: str
    verb: str
    corpus: str
    lessons: int
    asked: int
    training: Settings
    search: Settings = MappingProxyType({})
    longest: int = 1000


TREE = "(S (NP (NN rain)) (VP (VBD fell) (ADVP (RB again))) (. .))"
LEMMAS = """1\trobin\t_\tNOUN\tNN\tNumber=Sing\t2\tSUB\t_\t_
2\twin\t_\tVERB\tVBD\tTense=Past\t0\tROOT\t_\t_

"""
STARTS = {
    "start: order": ["order", "--model", "M", "won [the cup] [the robin] ."],
    "start: compress": ["compress", "--model", "M", TREE],
    "start: realize": ["realize", "--model", "M", "--conllu", "F"],
    "start: parse": ["parse", "--model", "M", "the robin won the cup ."],
    "start: supertag": ["supertag", "--model", "M", "the robin won the cup ."],
}
"""Command lines; M stands for the model's file, F for one with ``LEMMAS``."""
WHOLE = ("evaluate", "explore")
LIMIT = {"expansions": 300}
FAMILIES = {
    "liu-2015": Family("liu-2015", "order", "phrases", 300, 120, {"epochs": 1}),
    "liu-2015, tree given": Family(
        "liu-2015", "order", "phrases", 300, 120, {"epochs": 1, "deps": 1}
    ),
    "best-first, dependency": Family(
        "zhang-clark-2015-dependency", "order", "phrases", 80, 30, LIMITED, LIMIT, longest=12
    ),
    "best-first, CCG": Family(
        "zhang-clark-2015-ccg", "order", "phrases", 80, 30, LIMITED, LIMIT, longest=12
    ),
    "n-gram beam": Family("ngram-beam", "order", "words", 300, 40, {}),
    "compression": Family("cohn-lapata-2009", "compress", "pairs", 60, 40, {"max_iterations": 4}),
    "deletion": Family("mcdonald-2006", "compress", "pairs", 150, 60, {"epochs": 2}),
    "realization": Family(
        "liu-2015-realization", "realize", "lemmas", 150, 60, {"epochs": 1, "english": False}
    ),
    "best-first realization": Family(
        system="zhang-clark-2015-realization",
        verb="realize",
        corpus="lemmas",
        lessons=60,
        asked=40,
        training={**LIMITED, "english": False},
        search={"expansions": 200},
        longest=14,
    ),
    "parser": Family("parser", "parse", "trees", 300, 25, {}),
    "supertagger": Family("supertagger", "tag", "words", 150, 60, {"max_iterations": 6}),
    "evaluate": Family("liu-2015", "evaluate", "phrases", 300, 400, {"epochs": 1}),
    "explore": Family("liu-2015", "explore", "phrases", 300, 400, {"epochs": 1}),
    "order, liu-2015": Family("liu-2015", "start: order", "phrases", 300, 1, {"epochs": 1}),
    "order, dependency": Family(
        "zhang-clark-2015-dependency", "start: order", "phrases", 80, 1, LIMITED, longest=12
    ),
    "order, CCG": Family(
        "zhang-clark-2015-ccg", "start: order", "phrases", 80, 1, LIMITED, longest=12
    ),
    "compress": Family(
        "cohn-lapata-2009", "start: compress", "pairs", 60, 1, {"max_iterations": 4}
    ),
    "realize": Family(
        "liu-2015-realization", "start: realize", "lemmas", 150, 1, {"epochs": 1, "english": False}
    ),
    "parse": Family("parser", "start: parse", "trees", 300, 1, {}),
    "supertag": Family("supertagger", "start: supertag", "words", 150, 1, {"max_iterations": 6}),
}
CORPORA: dict[str, tuple[str, Settings]] = {
    "phrases": ("load_corpus", {"units": "base-np"}),
    "words": ("load_corpus", {}),
    "pairs": ("load_compressions", {}),
    "lemmas": ("load_lemma_trees", {}),
    "trees": ("load_treebank", {}),
}
"""Kind of examples -> the function that reads the Gazette's, and its settings."""


def main(*names: str) -> None:
    """Print the line of each of these families, by default of all."""
    for name in names or FAMILIES:
        try:
            row = measured(FAMILIES[name])
        except (AttributeError, ValueError) as error:  # an old checkout
            row = {"missing": str(error)}
        print(json.dumps({"family": name, **row}), flush=True)


def measured(family: Family) -> dict[str, object]:
    """Seconds and outputs; raises ``ValueError`` or ``AttributeError`` for what is not there."""
    load, settings = CORPORA[family.corpus]
    corpus = getattr(wl, load)("gazette", **settings)
    lessons = _some(corpus.train, family.longest, family.lessons)
    asked = [_asked(family, one) for one in _some(corpus.dev, family.longest, family.asked)]
    if family.corpus == "trees":
        lessons = [one.tree for one in lessons]
    learn = partial(wl.train, family.system, lessons, progress=False, **family.training)
    if family.verb in STARTS:
        return started(learn(), STARTS[family.verb])
    training, model = least(learn)
    if family.verb in WHOLE:
        outputs, done = least(partial(getattr(wl, family.verb), model, asked))
        return {"training": training, "outputs": outputs, "items": len(asked), "checksum": ""}
    answer = partial(getattr(model, family.verb), **family.search)
    outputs, done = least(lambda: [answer(one) for one in asked])
    shown = "\n".join(
        f"{one.text} {getattr(one, 'tree', '')}" if hasattr(one, "text") else str(one)
        for one in done
    )
    checksum = hashlib.sha256(shown.encode()).hexdigest()[:16]
    return {"training": training, "outputs": outputs, "items": len(asked), "checksum": checksum}


def started(model: Example, command: Sequence[str]) -> dict[str, object]:
    """Seconds of two processes that do the same, the first without compiled kernels."""
    with TemporaryDirectory() as folder:
        names = {name: os.path.join(folder, name) for name in "MFK"}
        model.save(names["M"])
        Path(names["F"]).write_text(LEMMAS, encoding="utf-8")
        words = [sys.executable, "-m", "wordorder_lab.cli", *(names.get(w, w) for w in command)]
        one_core = {"LOKY_MAX_CPU_COUNT": "1", "NUMBA_CACHE_DIR": names["K"]}
        seconds, done = [_of_children()], b""
        for _ in range(2):
            run = subprocess.run(words, env={**os.environ, **one_core}, capture_output=True)
            if run.returncode:
                raise ValueError(run.stderr.decode()[-500:])
            seconds.append(_of_children())
            done = run.stdout
    cold, warm = (later - before for before, later in pairwise(seconds))
    checksum = hashlib.sha256(done).hexdigest()[:16]
    return {"cold": cold, "warm": warm, "items": 1, "checksum": checksum}


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _some(items: Sequence[Example], longest: int, number: int) -> list[Example]:
    def words(one: Example) -> int:
        tree: Example = getattr(one, "source", getattr(one, "tree", None))
        return len(tree.leaves() if hasattr(tree, "leaves") else one)

    return [one for one in items if words(one) < longest][:number]


def _asked(family: Family, one: Example) -> Example:
    """What the verb is given of an example of the corpus."""
    if family.verb in (*WHOLE, *STARTS):
        return one
    if family.verb == "order":
        return wl.bag_of(one, family.training.get("pos", 1), family.training.get("deps", 0))
    if family.verb == "parse":
        return " ".join(one.tree.leaves())
    return one.source if family.verb == "compress" else one


def least(work: Callable[[], Example]) -> tuple[float, Example]:
    """The least seconds of the processor after a first call, which compiles; and a result."""
    done, seconds = work(), []
    for _ in range(ROUNDS):
        gc.collect()
        begin = time.process_time()
        done = work()
        seconds.append(time.process_time() - begin)
    return min(seconds), done


if __name__ == "__main__":
    main(*sys.argv[1:])
