"""The training of a run: a model, how long it took, and the numbers of every epoch.

A compressor's training takes minutes, and several experiments ask for the same one. So a trained
model is kept in the user's cache under a checksum of its settings, its pairs and the code; of a
grid every C for itself, with the learner's checkpoint beside it: an experiment that was interrupted
goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from wordorder_lab.experiments.runs import code_files
from wordorder_lab.experiments.runs import settings as runs
from wordorder_lab.experiments.runs.code_files import PACKAGE, code_in, files_here
from wordorder_lab.experiments.runs.corpora import Parts, trees_of
from wordorder_lab.experiments.runs.map_in_order import several_at_once, timed
from wordorder_lab.experiments.runs.schema import GRID, LEARNING, NEEDED, RATES, Row, Table
from wordorder_lab.models.model_file import ModelError
from wordorder_lab.runtime.user_cache import KEPT_DAYS, keep_value, kept_value, writable_cache
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems import find, load_model, train
from wordorder_lab.systems.model import OrderingModel, TrainedModel, choose_engine
from wordorder_lab.systems.registry import ROWS
from wordorder_lab.systems.training_run import Moment

if TYPE_CHECKING:
    from wordorder_lab.experiments.runs.realization_evaluate import Realizer
    from wordorder_lab.structures.lemma_tree import LemmaTree


class Trained(NamedTuple):
    """A model, and the numbers of its last epoch."""

    model: OrderingModel
    numbers: Row


_compiled: set[tuple[object, ...]] = set()
_last: dict[str, Trained] = {}
"""The model that was trained last, under what it was trained with."""


def last_trained(run: Table, sentences: Sequence[Sentence]) -> Trained:
    """The model of a run; the one of the run before if both are trained alike. So a sweep over
    settings of the search trains once. ``sentences`` are the first ones of the run's corpus: their
    number tells them from others."""
    alike = {name: value for name, value in run.items() if not name.startswith(runs.DECODE)}
    asked = json.dumps([alike, len(sentences)], sort_keys=True)
    if asked not in _last:
        _last.clear()
        last: Row = {}
        model = train_run(run, sentences, lambda numbers, _: last.update(numbers))
        _last[asked] = Trained(model, last)
    return _last[asked]


def train_run(
    run: Table,
    sentences: Sequence[Sentence],
    after: Callable[[Row, Moment[OrderingModel]], None],
    **options: Any,
) -> OrderingModel:
    """Train what a run asks for; ``after`` is called with the numbers of every epoch."""
    system, longest = find(run["system"]), run.get("max_length")
    kept = sentences
    if longest is not None and "max_length" not in system.training_names():
        kept = [one for one in sentences if len(one) <= longest]
    _warm_up(run, kept)
    begin, training = time.perf_counter(), 0.0

    def on_epoch(epoch: int, moment: Moment[OrderingModel]) -> None:
        nonlocal begin, training
        training += time.perf_counter() - begin
        after(numbers_of(epoch, moment, training), moment)
        begin = time.perf_counter()

    settings = {"progress": False, **options, **runs.for_training(run)}
    model: OrderingModel = train(run["system"], kept, on_epoch=on_epoch, **settings)
    return model


def _warm_up(run: Table, sentences: Sequence[Sentence]) -> None:
    """Let numba compile what learns in this way, once in a process, before any clock starts."""
    system, settings = find(run["system"]), runs.for_training(run)
    way = system.name, *(settings.get(name) for name in ("update", "negatives", "chart"))
    engine = choose_engine(run.get("engine"))
    if way in _compiled or engine == "reference" or engine not in system.engines:
        return
    if "epochs" in system.training_names():
        settings["epochs"] = 1
    few = sorted(sentences, key=lambda one: abs(len(one) - 9))[:6]  # long enough to go wrong
    train(system.name, few, progress=False, **settings)
    _compiled.add(way)


def numbers_of(epoch: int, moment: Moment[OrderingModel], training: float) -> Row:
    """What a row says about an epoch: seconds, updates by reason, how its sentences ended."""
    counts = {
        f"{name}_{reason}": number
        for name in ("updates", "sentences")
        for reason, number in moment.numbers.get(name, {}).items()
    }
    seconds = {"training_seconds": round(training, 2), "epoch_seconds": round(moment.seconds, 3)}
    return {"epoch": epoch, **seconds, **counts}


def train_timed(run: Table, examples: Sequence[Any]) -> tuple[Any, float]:
    """The model of a run, and the seconds that it took; raises ``ValueError`` as ``train``."""
    return timed(partial(train, run["system"], examples, progress=False, **runs.for_training(run)))


class Learned(NamedTuple):
    """What realizes, how many trees it learned from, and the seconds that took."""

    model: Realizer
    trees: int
    seconds: float


def as_learned(run: Table) -> Row:
    """What a run's realizer depends on: runs of which this is equal may share it."""
    of_floor = run["system"] in runs.FLOORS
    settings = {"english": run.get("english")} if of_floor else runs.for_training(run)
    few = {"system": run["system"], runs.LEARNED_TREES: run.get(runs.LEARNED_TREES)}
    of = {runs.LEARNED_ON: runs.learned_on(run), runs.LEARNED_SPLIT: runs.learned_split(run)}
    return {**settings, **few, **of}


def learn(run: Table, trees: Sequence[LemmaTree]) -> Learned:
    """The realizer of a run, or a floor, which learns forms; ``trees`` are those of its corpus.
    Raises ``ValueError`` as ``train`` and ``learn_inflector``."""
    few = trees[: run.get(runs.LEARNED_TREES)]
    if run["system"] not in runs.FLOORS:
        model, seconds = train_timed(run, few)
        return Learned(model, len(few), seconds)
    from wordorder_lab.experiments.runs.realization_evaluate import Floor
    from wordorder_lab.systems.realization_examples import learn_inflector

    forms, seconds = timed(partial(learn_inflector, few, english=run.get("english", True)))
    return Learned(Floor(run["system"], forms, run.get("seed", 1)), len(few), seconds)


# --- compressors, which are kept ------------------------------------------------------------------

TRANSDUCER = "cohn-lapata-2009"
FOLDER = "compressors"


class Chosen(NamedTuple):
    """The model of the best point, and a row for each point of the grid."""

    model: Any
    tried: list[Row]


def compressor_of(run: Table, parts: Parts, jobs: int = 1) -> Chosen:
    """The trained model of a run: learned now, or kept from an earlier time. With a grid, the C is
    taken that loses least on ``parts.choose``. ``jobs`` processes search at once while the
    transducer learns; the model is the same. Raises ``ValueError`` as the training does."""
    key = checksum_of(run, parts)
    if run["system"] != TRANSDUCER:
        model, row = kept_model(FOLDER, key)
        if model is None:
            model, seconds = train_timed(run, parts.learn)
            row = {"training_seconds": round(seconds, 1)}
            keep_model(FOLDER, key, model, row)
        return Chosen(model, [row])
    # Here, and not above: it brings nltk, for which a program that orders words need not wait.
    from wordorder_lab.systems.compression_grid import best_row

    settings = {**runs.for_training(run), "in_order": partial(several_at_once, jobs=jobs)}
    settings["scaling"] = runs.usual(run, "scaling")
    Cs = [float(C) for C in run.get(GRID, [runs.usual(run, "C")])]
    done = {C: kept_model(FOLDER, f"{key}-{C:g}") for C in Cs}
    for C, model, row in _grid(parts, [C for C in Cs if done[C][0] is None], key, settings):
        done[C] = model, row
        keep_model(FOLDER, f"{key}-{C:g}", model, row)
    tried = [done[C][1] for C in Cs]
    return Chosen(done[best_row(tried)["C"]][0], tried)


def _grid(
    parts: Parts, Cs: Sequence[float], key: str, settings: Row
) -> Iterator[tuple[float, Any, Row]]:
    from wordorder_lab.systems.compression_grid import grid_search

    if not Cs:
        return
    settings.pop("C", None)
    scalings, file = [settings.pop("scaling")], _file(FOLDER, f"{key}.checkpoint")
    more: Row = {"checkpoint": file, "progress": False, **settings}
    begin = time.perf_counter()
    for point in grid_search(parts.learn, parts.choose, Cs, scalings, **more):
        gap = point.row["gap"] / point.row["objective"]
        seconds = round(time.perf_counter() - begin, 1)
        for left in file.parent.glob(f"{file.name}*"):
            left.unlink(missing_ok=True)  # the next point would refuse it
        yield point.row["C"], point.model, {**point.row, "gap": gap, "training_seconds": seconds}
        begin = time.perf_counter()


def checksum_of(run: Table, parts: Parts) -> str:
    """Settings, pairs and code of a training, in 24 letters: those of one that says a default and
    of one that says nothing are the same."""
    aside = {*NEEDED[1:], *LEARNING, RATES, GRID}
    aside |= {"C"} if run["system"] == TRANSDUCER else set()
    names = [name for name in run if name not in aside and not name.startswith(runs.DECODE)]
    usual = find(run["system"]).checked({})
    settings = {name: run[name] for name in names if run[name] != getattr(usual, name, None)}
    digest = hashlib.sha256(json.dumps([settings, code_of(run["system"])], sort_keys=True).encode())
    for part in parts:
        digest.update(f"{len(part)} pairs\n".encode())
        for pair in part:
            line = f"{pair.name} {trees_of(pair)} {pair.alignment}\n"
            digest.update(line.encode("utf-8", "replace"))
    return digest.hexdigest()[:24]


@cache
def code_of(system: str) -> str:
    """A checksum of the code that a system's training reaches, and of its slice's templates."""
    files = files_here(PACKAGE)
    entries = {f"systems/{ROWS[system][1]}.py" if system in ROWS else "systems/own_model.py"}
    if system == TRANSDUCER:
        entries.add("systems/compression_grid.py")
    code = code_in(files, PACKAGE, entries)
    slices = {name.partition("/")[0] for name in code}
    tables = {n: text for n, text in files.items() if "/tables/" in n and n.split("/")[0] in slices}
    return code_files.checksum_of(code | tables)


def _file(folder: str, name: str) -> Path:
    place = writable_cache() / folder
    place.mkdir(parents=True, exist_ok=True)
    return place / name


def kept_model(folder: str, key: str) -> tuple[Any, Row]:
    """A model of the user's cache and what was noted of its training; ``None`` where it must be
    learned."""
    row = kept_value(folder, f"{key}.json")
    with suppress(OSError, ModelError):
        file = _file(folder, f"{key}.wol")
        if row is not None and file.exists():
            model = load_model(file)
            file.touch()
            return model, row
    return None, {}


def keep_model(folder: str, key: str, model: TrainedModel, row: Row) -> None:
    """Keep a model there, and remove what nobody has used for a while."""
    with suppress(OSError):
        file = _file(folder, f"{key}.wol")
        for old in file.parent.glob("*.wol"):
            if time.time() - old.stat().st_mtime > KEPT_DAYS * 24 * 60 * 60:
                old.unlink(missing_ok=True)
        model.save(file)
        keep_value(folder, f"{key}.json", row)
