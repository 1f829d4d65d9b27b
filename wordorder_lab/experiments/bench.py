"""How fast it is: decoding, training, compiling, memory, and the first answer of a fresh process.

Everything runs on one thread. Of repeated rounds the least counts: other work only ever adds time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from statistics import fmean, median
from typing import TypeVar

from wordorder_lab.experiments.measures.tables import Row
from wordorder_lab.experiments.measures.time import fit_power, least_seconds, time_each, time_search
from wordorder_lab.experiments.runs.code_files import PACKAGE
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.structures.compression import CompressionPair, prepared_pair
from wordorder_lab.structures.plain_tree import Tree
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems import search_names, train
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.systems.cohn_lapata_2009_training import CompressionExamples, Settings
from wordorder_lab.systems.language_models import FoldedModels
from wordorder_lab.systems.model import OrderingModel, choose_engine

Item = TypeVar("Item")

ORDERING_BEAMS = (1, 4, 16, 64, 128)
REFERENCE_BEAMS = (8, 64)
REFERENCE_SENTENCES = 8
EXPANSIONS, REFERENCE_EXPANSIONS = 500, 50
"""Where a search needs a limit, it is this one, so that every machine does the same work."""
ROUNDS = 5
LEARN_SOMETHING = """
import sys
import time
import wordorder_lab as wl
system, engine = sys.argv[1], sys.argv[2] or None
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.systems import training_names
heads = (1, -1, 1)
tokens = tuple(wl.Token((w,), w.upper(), h) for w, h in zip("abc", heads))
pair, noun, phrase, whole = map(Category.parse, ("(S/NP)/NP", "NP", "S/NP", "S"))
leaves = [Derivation.leaf(w, w.upper(), label) for w, label in zip("abc", (pair, noun, noun))]
derivation = Derivation.binary(phrase, leaves[0], leaves[1])
derivation = Derivation.binary(whole, derivation, leaves[2])
begin = time.perf_counter()
sentences = [wl.Sentence(tokens, derivation=derivation)]
once = {"epochs": 1} if "epochs" in training_names(system) else {}
model = wl.train(system, sentences, beam=64, **once, engine=engine, progress=False)
middle = time.perf_counter()
model.order(wl.WordBag(list("cab")), engine=engine)
print(middle - begin, time.perf_counter() - middle)
"""


def decoding(
    model: OrderingModel, sentences: Sequence[Sentence], rounds: int = ROUNDS
) -> Iterator[Row]:
    """A row for each engine, share of POS and beam: milliseconds a sentence, in all and in the
    decoder alone."""
    few = spread_over(sentences, REFERENCE_SENTENCES)
    for pos in _shares(model):
        for beam in ORDERING_BEAMS:
            search = {"beam": beam, "engine": choose_engine(), **_limit(model, EXPANSIONS)}
            yield _decoded(model, sentences, pos, rounds, search)
    for beam in REFERENCE_BEAMS if choose_engine() == "fast" else ():
        search = {"beam": beam, "engine": "reference", **_limit(model, REFERENCE_EXPANSIONS)}
        yield _decoded(model, few, _shares(model)[0], 1, search)


def _shares(model: OrderingModel) -> tuple[int, ...]:
    return (1, 0) if model.reads_tags else (0,)


def _limit(model: OrderingModel, expansions: int) -> dict[str, int]:
    return {"expansions": expansions} if "expansions" in search_names(model.system) else {}


def _decoded(
    model: OrderingModel, sentences: Sequence[Sentence], pos: float, rounds: int, search: Row
) -> Row:
    bags = [bag_of(sentence, pos) for sentence in sentences]
    whole = time_each(model, bags, rounds, **search)
    alone = fmean(time_search(model, bags, rounds, **search))
    row: Row = {"engine": search["engine"], "pos": pos, **search, "sentences": len(bags)}
    row |= {"ms_per_sentence": round(1000 * fmean(whole), 4), "ms_search": round(1000 * alone, 4)}
    if "expansions" in search:
        edges = sum(model.order(bag, **search).counters["edges"] for bag in bags)
        row["edges_per_second"] = round(edges / (alone * len(bags)))
    return row


def growth(
    model: OrderingModel, sentences: Sequence[Sentence], beam: int = 64, engine: str | None = None
) -> list[Row]:
    """How milliseconds grow with the units of a sentence: the fitted powers."""
    found = []
    for pos in _shares(model):
        bags = [bag_of(sentence, pos) for sentence in sentences]
        search: Row = {"beam": beam, "engine": engine, **_limit(model, EXPANSIONS)}
        ms = [1000 * each for each in time_each(model, bags, **search)]
        fits = [fit_power([len(bag) for bag in bags], ms, least) for least in (1, 10)]
        found += [{"pos": pos, "beam": beam, **fit._asdict()} for fit in fits if fit]
    return found


def training(
    sentences: Sequence[Sentence], epochs: int, show: Callable[[str], None], about: Row
) -> tuple[OrderingModel, Row]:
    """Train once, compiled beforehand: the model, seconds by epoch, sentences a second."""
    learn = partial(train, "liu-2015", progress=False)
    learn(sentences[:2], epochs=1)
    times: list[float] = []
    begin = time.perf_counter()

    def after(epoch: int, _: object) -> None:
        nonlocal begin
        times.append(round(time.perf_counter() - begin, 3))
        show(f"epoch {epoch:2}  {times[-1]:6.2f} s")
        begin = time.perf_counter()

    model: OrderingModel = learn(sentences, epochs=epochs, about=about, on_epoch=after)
    # The first epoch's time contains the preparation of the sentences.
    return model, {
        "beam": model.settings["beam"],
        "pos": model.settings["pos"],
        "sentences": len(sentences),
        "seconds_by_epoch": times,
        "seconds_per_epoch": round(fmean(times), 3),
        "sentences_per_second": round(len(sentences) / fmean(times), 1),
    }


def compiling(system: str = "liu-2015", rounds: int = 3) -> Row:
    """Seconds that a fresh process takes to learn and order three words, in an empty cache (cold)
    and in the same one again (warm), the learner first."""
    with _fresh_cache() as environment:
        cold, *warm = (_learn_something(environment, system) for _ in range(1 + rounds))
    least = [min(times) for times in zip(*warm)]
    names = ("learner", "decoder")
    return {
        kind: {name: round(seconds, 3) for name, seconds in zip(names, both)}
        for kind, both in (("cold", cold), ("warm", least))
    }


def _learn_something(
    environment: dict[str, str], system: str = "liu-2015", engine: str = ""
) -> list[float]:
    return list(map(float, python("-c", LEARN_SOMETHING, system, engine, **environment).split()))


def first_answer(
    model_file: str | os.PathLike[str], text: str, rounds: int = 3
) -> dict[str, float]:
    """Seconds that ``wordorder-lab order`` takes in all, with an empty cache and a warm one."""
    command = ("-m", "wordorder_lab.cli", "order", "--model", os.fspath(model_file), text)
    times = []
    with _fresh_cache() as environment:
        for _ in range(1 + rounds):
            begin = time.perf_counter()
            python(*command, **environment)
            times.append(time.perf_counter() - begin)
    return {"cold": round(times[0], 3), "warm": round(min(times[1:]), 3)}


@contextmanager
def _fresh_cache() -> Iterator[dict[str, str]]:
    with tempfile.TemporaryDirectory(prefix="wordorder_lab-bench-") as folder:
        yield {"NUMBA_CACHE_DIR": folder}


def python(*arguments: str, **environment: str) -> str:
    """What a fresh Python prints that finds this package. Raises ``RuntimeError`` if it fails."""
    command = [sys.executable, *arguments]
    path = os.pathsep.join(filter(None, [str(PACKAGE.parent), os.environ.get("PYTHONPATH")]))
    there = {**os.environ, "PYTHONPATH": path, **environment}
    run = subprocess.run(command, env=there, capture_output=True, text=True, check=False)
    if run.returncode:
        raise RuntimeError(f"{command} failed:\n{run.stderr}")
    return run.stdout


def peak_memory() -> float | None:
    """The most memory that this process has held so far, in MiB; ``None`` on Windows."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1 << 20 if sys.platform == "darwin" else 1 << 10), 1)


# --- how fast sentences are made shorter: milliseconds by length, and the searches of training ----


LENGTHS = ((1, 9), (10, 14), (15, 19), (20, 24), (25, 1000))
COMPRESSION_ROUNDS, REFERENCE_ROUNDS = 5, 1
REFERENCE_PAIRS = 24
TRAINED_ON = 900
"""Pairs that the paper's larger corpus learns from, about: what a pass over them would take."""


def spread_over(items: Sequence[Item], number: int) -> Sequence[Item]:
    """About so many items, evenly over all."""
    return items[:: max(1, len(items) // number)][:number]


def by_length(
    model: CompressionModel, pairs: Sequence[CompressionPair], rounds: int = COMPRESSION_ROUNDS
) -> Iterator[Row]:
    """A row for each engine and range of lengths, with the beam of the experiments. ``ms`` is the
    median a sentence in all, ``ms_search`` that of the decoder alone."""
    for engine in ("fast", "reference") if choose_engine() == "fast" else ("reference",):
        some, often = pairs, rounds
        if engine == "reference":
            some, often = spread_over(pairs, REFERENCE_PAIRS), min(rounds, REFERENCE_ROUNDS)
        for least, most in LENGTHS:
            trees = [p.source for p in some if least <= len(p.source.leaves()) <= most]
            if trees:
                row = {"engine": engine, "least": least, "most": most, "sentences": len(trees)}
                yield {**row, **_compressed(model, trees, engine, often)}


def _compressed(model: CompressionModel, trees: Sequence[Tree], engine: str, rounds: int) -> Row:
    problems = [model.problem(tree) for tree in trees]
    whole = least_seconds(partial(model.compress, engine=engine), trees, rounds)
    search = least_seconds(partial(model.search, engine=engine), problems, rounds)
    found = [model.search(problem, engine=engine) for problem in problems]
    combinations = sum(one.counters["combinations"] for one in found)
    return {
        "ms": round(1000 * median(whole), 3),
        "ms_search": round(1000 * median(search), 3),
        "combinations_per_second": round(combinations / sum(search)),
    }


def loss_augmented(
    model: CompressionModel, pairs: Sequence[CompressionPair], engine: str | None = None
) -> Row:
    """One search of training on each pair, with the model's loss and the wide beam.
    ``seconds_per_pass`` is what that makes for ``TRAINED_ON`` pairs such as these."""
    engine = choose_engine(engine)
    settings = {name: model.settings[name] for name in ("loss", "penalty", "gold", "seed")}
    examples = CompressionExamples(
        [prepared_pair(pair) for pair in pairs],
        model.grammar,
        model.features,
        FoldedModels(model.ngrams, (model.ngrams,)),
        Settings(**settings),
        engine,
    )
    work = partial(examples.most_violated, weights=model.weights)
    seconds = least_seconds(work, range(len(examples)), rounds=1)
    mean = fmean(seconds)
    return {
        "engine": engine,
        "loss": model.settings["loss"],
        "pairs": len(seconds),
        "ms": round(1000 * median(seconds), 3),
        "ms_mean": round(1000 * mean, 3),
        "seconds_per_pass": round(mean * TRAINED_ON, 1),
    }
