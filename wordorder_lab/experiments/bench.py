"""How fast it is: decoding, training, compiling, memory, and the first answer of a fresh process.

Everything runs on one thread. Of repeated rounds the least counts, since other work on the machine
only ever adds time.
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
from statistics import median
from typing import Any, TypeVar

from wordorder_lab.experiments.measures.time import fit_power, time_each, time_search
from wordorder_lab.experiments.runs.reached_code import PACKAGE
from wordorder_lab.structures.bag import bag_of
from wordorder_lab.structures.compression import CompressionPair, prepared_pair
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems import search_names, train
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.systems.compression_examples import CompressionExamples
from wordorder_lab.systems.model import OrderingModel, choose_engine
from wordorder_lab.transduction.problem import BEAMS

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
) -> Iterator[dict[str, Any]]:
    """A row for each engine, share of POS and beam: milliseconds a sentence, in all and in the
    decoder alone."""
    engines = [(choose_engine(), beam) for beam in ORDERING_BEAMS]
    few = sentences[:: max(1, len(sentences) // REFERENCE_SENTENCES)][:REFERENCE_SENTENCES]
    for pos in _shares(model):
        for engine, beam in engines:
            yield _row(model, sentences, pos, beam, engine, rounds, _limit(model, EXPANSIONS))
    if choose_engine() == "fast":
        for beam in REFERENCE_BEAMS:
            limit = _limit(model, REFERENCE_EXPANSIONS)
            yield _row(model, few, _shares(model)[0], beam, "reference", 1, limit)


def _shares(model: OrderingModel) -> tuple[int, ...]:
    """All tags and none; a model that does not read tags has none."""
    return (1, 0) if model.reads_tags else (0,)


def _limit(model: OrderingModel, expansions: int) -> dict[str, int]:
    """The limit of a search that needs one."""
    return {"expansions": expansions} if "expansions" in search_names(model.system) else {}


def _row(
    model: OrderingModel,
    sentences: Sequence[Sentence],
    pos: float,
    beam: int,
    engine: str,
    rounds: int,
    limit: dict[str, int],
) -> dict[str, Any]:
    bags = [bag_of(sentence, pos) for sentence in sentences]
    whole = time_each(model, bags, beam, engine, rounds, **limit)
    searches = [time_search(model, bags, beam, engine, **limit) for _ in range(rounds)]
    search = [min(times) for times in zip(*searches, strict=True)]
    row = {"engine": engine, "pos": pos, "beam": beam, **limit, "sentences": len(bags)}
    row["ms_per_sentence"] = round(_mean_ms(whole), 4)
    row["ms_search"] = round(_mean_ms(search), 4)
    if limit:
        made = [model.order(bag, beam=beam, engine=engine, **limit).counters for bag in bags]
        edges = sum(counters["edges"] for counters in made)
        row["edges_per_second"] = round(1000 * edges / (_mean_ms(search) * len(bags)))
    return row


def _mean_ms(seconds: Sequence[float]) -> float:
    total = 0.0
    for each in seconds:
        total += each
    return 1000 * total / len(seconds)


def growth(
    model: OrderingModel,
    sentences: Sequence[Sentence],
    beam: int = 64,
    engine: str | None = None,
) -> list[dict[str, Any]]:
    """How milliseconds grow with the units of a sentence: the fitted powers."""
    found = []
    for pos in _shares(model):
        bags = [bag_of(sentence, pos) for sentence in sentences]
        seconds = time_each(model, bags, beam, engine, **_limit(model, EXPANSIONS))
        lengths, ms = [len(bag) for bag in bags], [1000 * each for each in seconds]
        fits = [fit_power(lengths, ms, least) for least in (1, 10)]
        found += [{"pos": pos, "beam": beam, **fit._asdict()} for fit in fits if fit]
    return found


def training(
    sentences: Sequence[Sentence],
    epochs: int,
    show: Callable[[str], None],
    about: dict[str, Any] | None = None,
    **settings: Any,
) -> tuple[OrderingModel, dict[str, Any]]:
    """Train once, compiled beforehand: the model, seconds by epoch, sentences a second."""
    train("liu-2015", sentences[:2], epochs=1, progress=False, **settings)
    times: list[float] = []
    begin = time.perf_counter()

    def after(epoch: int, _: Any) -> None:
        nonlocal begin
        times.append(round(time.perf_counter() - begin, 3))
        show(f"epoch {epoch:2}  {times[-1]:6.2f} s")
        begin = time.perf_counter()

    model = train(
        "liu-2015",
        sentences,
        epochs=epochs,
        progress=False,
        about=about,
        on_epoch=after,
        **settings,
    )
    # The first epoch's time contains the preparation of the sentences.
    total = 0.0
    for seconds in times:
        total += seconds
    return model, {
        "beam": model.settings["beam"],
        "pos": model.settings["pos"],
        "sentences": len(sentences),
        "seconds_by_epoch": times,
        "seconds_per_epoch": round(total / len(times), 3),
        "sentences_per_second": round(len(sentences) * len(times) / total, 1),
    }


def compiling(system: str = "liu-2015", rounds: int = 3) -> dict[str, Any]:
    """Seconds that a fresh process takes to learn and order three words, in an empty cache (cold)
    and in the same one again (warm), the learner first."""
    with _fresh_cache() as environment:
        cold = _learn_something(environment, system)
        warm = [_learn_something(environment, system) for _ in range(rounds)]
    names = ("learner", "decoder")
    return {
        "cold": {name: round(cold[i], 3) for i, name in enumerate(names)},
        "warm": {name: round(min(run[i] for run in warm), 3) for i, name in enumerate(names)},
    }


def _learn_something(
    environment: dict[str, str], system: str = "liu-2015", engine: str = ""
) -> list[float]:
    command = ["-c", LEARN_SOMETHING, system, engine]
    return [float(text) for text in _run(command, environment).split()]


def first_answer(
    model_file: str | os.PathLike[str], text: str, rounds: int = 3
) -> dict[str, float]:
    """Seconds that ``wordorder-lab order`` takes in all, with an empty cache and a warm one."""
    command = ["-m", "wordorder_lab.cli", "order", "--model", os.fspath(model_file), text]
    times = []
    with _fresh_cache() as environment:
        for _ in range(1 + rounds):
            begin = time.perf_counter()
            _run(command, environment)
            times.append(time.perf_counter() - begin)
    return {"cold": round(times[0], 3), "warm": round(min(times[1:]), 3)}


@contextmanager
def _fresh_cache() -> Iterator[dict[str, str]]:
    """An environment whose numba cache is empty, and which finds this package."""
    with tempfile.TemporaryDirectory(prefix="wordorder_lab-bench-") as folder:
        path = os.pathsep.join(filter(None, [str(PACKAGE.parent), os.environ.get("PYTHONPATH")]))
        yield {**os.environ, "NUMBA_CACHE_DIR": folder, "PYTHONPATH": path}


def _run(arguments: list[str], environment: dict[str, str]) -> str:
    command = [sys.executable, *arguments]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
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


# --- How fast sentences are made shorter: milliseconds by length, and the searches of training


LENGTHS = ((1, 9), (10, 14), (15, 19), (20, 24), (25, 1000))
"""Words of the sources that share a row: from, to."""
COMPRESSION_ROUNDS, REFERENCE_ROUNDS = 5, 1
REFERENCE_PAIRS = 24
TRAINED_ON = 900
"""Pairs that the paper's larger corpus learns from, about: what a pass over them would take."""


def engines() -> tuple[str, ...]:
    """Those that there are here, the one to wait for first."""
    return ("fast", "reference") if choose_engine() == "fast" else ("reference",)


def spread_over(items: Sequence[Item], number: int) -> Sequence[Item]:
    """About so many items, evenly over all."""
    return items[:: max(1, len(items) // number)][:number]


def by_length(
    model: CompressionModel, pairs: Sequence[CompressionPair], rounds: int = COMPRESSION_ROUNDS
) -> Iterator[dict[str, Any]]:
    """A row for each engine and range of lengths, with the beam of the experiments.

    ``ms`` is the median a sentence in all, ``ms_search`` that of the decoder alone.
    """
    for engine in engines():
        slow = engine == "reference"
        some = spread_over(pairs, REFERENCE_PAIRS) if slow else pairs
        turns = min(rounds, REFERENCE_ROUNDS) if slow else rounds
        for least, most in LENGTHS:
            mine = [pair for pair in some if least <= len(pair.source.leaves()) <= most]
            if mine:
                row = {"engine": engine, "least": least, "most": most, "sentences": len(mine)}
                yield {**row, **_times(model, mine, engine, turns)}


def _times(
    model: CompressionModel, pairs: Sequence[CompressionPair], engine: str, rounds: int
) -> dict[str, Any]:
    trees = [pair.source for pair in pairs]
    problems = [model.problem(tree) for tree in trees]
    whole = _least(partial(model.compress, engine=engine), trees, rounds)
    search = _least(partial(model.search, engine=engine), problems, rounds)
    combinations = 0
    for problem in problems:
        combinations += model.search(problem, engine=engine).counters["combinations"]
    return {
        "ms": round(1000 * median(whole), 3),
        "ms_search": round(1000 * median(search), 3),
        "combinations_per_second": round(combinations / sum(search)),
    }


def _least(work: Callable[[Any], Any], items: Sequence[Any], rounds: int) -> list[float]:
    """Seconds for each item, the least of so many rounds after a first item for free."""
    times: list[list[float]] = [[] for _ in items]
    work(items[0])
    for _ in range(rounds):
        for i, item in enumerate(items):
            begin = time.perf_counter()
            work(item)
            times[i].append(time.perf_counter() - begin)
    return [min(seconds) for seconds in times]


def loss_augmented(
    model: CompressionModel, pairs: Sequence[CompressionPair], engine: str | None = None
) -> dict[str, Any]:
    """One search of training on each pair, with the model's loss and the wide beam.

    ``seconds_per_pass`` is what that makes for ``TRAINED_ON`` pairs such as these.
    """
    engine = choose_engine(engine)
    told = {name: model.settings[name] for name in ("loss", "penalty", "gold", "seed")}
    examples = CompressionExamples(
        [prepared_pair(pair) for pair in pairs],
        model.grammar,
        model.features,
        [model.ngrams],
        beam=BEAMS["training"],
        engine=engine,
        **told,
    )
    seconds = _least(
        lambda i: examples.most_violated(i, model.weights), range(len(examples)), rounds=1
    )
    row = {"engine": engine, "loss": told["loss"], "pairs": len(seconds)}
    mean = sum(seconds) / len(seconds)
    row |= {"ms": round(1000 * median(seconds), 3), "ms_mean": round(1000 * mean, 3)}
    return row | {"seconds_per_pass": round(mean * TRAINED_ON, 1)}
