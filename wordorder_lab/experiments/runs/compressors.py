"""A compressor of an experiment: what it learns from, what chooses its C, and its training, kept.

A run of real text says, beside the settings of its system,

    parser       whose trees it is given: a name of ``runs.parsers`` (left out: the default one)
    learned_on   the corpus it learns from (left out: the one that is scored)
    documents    it learns from so many documents, the first ones (left out: from all)
    annotators   it learns from so many annotators of a sentence, each a pair (left out: the first)
    choose_on    which part chooses C and the rate: ``dev`` (left out), or ``train-tenth``

``train-tenth`` holds out every tenth document of the training part, so that the development part
stays unseen and can be scored. No document is on both sides.

A training takes minutes, and several experiments ask for the same one. So a trained model is kept
in the user's cache under a checksum of its settings, its pairs and the code; of a grid every C for
itself, with the learner's checkpoint beside it: an experiment that was interrupted goes on where it
was, in the middle of a training too.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from wordorder_lab.experiments.runs.known_settings import GRID, LEARNING, RATES
from wordorder_lab.experiments.runs.parsers import DEFAULT, PARSERS
from wordorder_lab.experiments.runs.reached_code import (
    EVERYTHING,
    PACKAGE,
    bare,
    files_here,
    reached,
)
from wordorder_lab.experiments.runs.several_at_once import several_at_once
from wordorder_lab.experiments.runs.training import (
    DEV,
    NEEDED,
    SpecificationError,
    for_training,
    pairs_of,
)
from wordorder_lab.models.model_file import ModelError
from wordorder_lab.runtime.user_cache import KEPT_DAYS, keep_value, kept_value, writable_cache
from wordorder_lab.systems import load_model, train
from wordorder_lab.systems.cohn_lapata_2009_training import Settings
from wordorder_lab.systems.compression_grid import best_row, grid_search
from wordorder_lab.systems.names import FILES, TRAINING
from wordorder_lab.systems.pair_folds import document_of
from wordorder_lab.systems.parsed_pairs import as_separate

if TYPE_CHECKING:
    from wordorder_lab.structures.compression import CompressionPair

TRANSDUCER = "cohn-lapata-2009"
TENTH = "train-tenth"
CHOOSE_ON = (DEV, TENTH)
"""The parts that may choose C and the rate."""
FOLDER = "compressors"
"""Where the user's cache keeps trained compressors."""

Row = dict[str, Any]
Pairs = Sequence["CompressionPair"]
Cut = Callable[[Sequence[Any]], Sequence[Any]]


class Parts(NamedTuple):
    """Pairs to learn from, and pairs that choose C and the rate; no document is in both."""

    learn: Pairs
    choose: Pairs


class Chosen(NamedTuple):
    """The model of the best point, and a row for each point of the grid."""

    model: Any
    tried: list[Row]


def compressor_of(run: Mapping[str, Any], parts: Parts, jobs: int = 1) -> Chosen:
    """The trained model of a run: learned now, or kept from an earlier time.

    With a grid, the C is taken that loses least on ``parts.choose``. ``jobs`` processes search at
    once while the transducer learns; the model is the same. Raises ``ValueError`` as the training
    does.
    """
    if run["system"] != TRANSDUCER:
        return _plain(run, parts)
    settings = {**for_training(run), "in_order": partial(several_at_once, jobs=jobs)}
    one = settings.pop("C", Settings.C)
    key = checksum_of(run, parts)
    models: dict[float, Any] = {}
    rows: dict[float, Row] = {}
    Cs = [float(C) for C in run.get(GRID, [one])]
    for C in Cs:
        model, row = _kept(f"{key}-{C:g}")
        if model is not None:
            models[C], rows[C] = model, row
    for C, model, row in _grid(parts, [C for C in Cs if C not in models], key, settings):
        models[C], rows[C] = model, row
        _keep(f"{key}-{C:g}", model, row)
    tried = [rows[C] for C in Cs]
    return Chosen(models[best_row(tried)["C"]], tried)


def _grid(
    parts: Parts, Cs: Sequence[float], key: str, settings: Mapping[str, Any]
) -> Iterator[tuple[float, Any, Row]]:
    """Train with each C, and look at each model on what chooses."""
    if not Cs:
        return
    told = dict(settings)
    scalings = [told.pop("scaling", Settings.scaling)]
    file = _file(f"{key}.checkpoint")
    begin = time.perf_counter()
    for point in grid_search(
        parts.learn, parts.choose, Cs, scalings, checkpoint=file, progress=False, **told
    ):
        gap = point.row["gap"] / point.row["objective"]
        seconds = round(time.perf_counter() - begin, 1)
        for left in file.parent.glob(f"{file.name}*"):
            left.unlink(missing_ok=True)  # the next point would refuse it
        yield point.row["C"], point.model, {**point.row, "gap": gap, "training_seconds": seconds}
        begin = time.perf_counter()


def _plain(run: Mapping[str, Any], parts: Parts) -> Chosen:
    """A system without a grid."""
    key = checksum_of(run, parts)
    model, row = _kept(key)
    if model is None:
        begin = time.perf_counter()
        model = train(run["system"], parts.learn, progress=False, **for_training(run))
        row = {"training_seconds": round(time.perf_counter() - begin, 1)}
        _keep(key, model, row)
    return Chosen(model, [row])


# --- what is learned from -------------------------------------------------------------------------


def parts_of(run: Mapping[str, Any], cut: Cut) -> Parts:
    """The pairs that a run learns from and those that choose; ``cut`` leaves some of each away.

    Raises ``CorpusError`` without the data, and ``ValueError`` for a corpus of one document that is
    to be parted.
    """
    corpus = pairs_of(run.get("learned_on", run["corpus"]), run.get("parser"))
    learn, choose = list(corpus.train), list(corpus.split(DEV))
    if run.get("choose_on", DEV) == TENTH:
        learn, choose = hold_out(learn)
    if "documents" in run:
        wanted = set(islice(dict.fromkeys(map(document_of, learn)), run["documents"]))
        learn = [pair for pair in learn if document_of(pair) in wanted]
    learn = list(cut(learn))
    if "annotators" in run:
        learn = as_separate(
            [replace(pair, targets=pair.targets[: run["annotators"]]) for pair in learn]
        )
    return Parts(learn, list(cut(choose)))


def hold_out(pairs: Pairs) -> tuple[list[CompressionPair], list[CompressionPair]]:
    """The pairs without every tenth of their documents, and those; of few the last document.

    Raises ``ValueError`` where all pairs are of one document.
    """
    documents = list(dict.fromkeys(map(document_of, pairs)))
    held = set(documents[9::10] or documents[-1:])
    if len(held) == len(documents):
        raise ValueError("pairs of one document cannot be parted: learn from more documents")
    apart: tuple[list[CompressionPair], list[CompressionPair]] = ([], [])
    for pair in pairs:
        apart[document_of(pair) in held].append(pair)
    return apart


def check_learning(run: Mapping[str, Any]) -> None:
    """Raise ``SpecificationError`` for a part that cannot choose, or would score itself, and for no
    such parser."""
    if run.get("parser", DEFAULT) not in PARSERS:
        raise SpecificationError(
            f"no parser is called {run['parser']!r}; there are {', '.join(PARSERS)}"
        )
    chosen = run.get("choose_on", DEV)
    if chosen not in CHOOSE_ON:
        raise SpecificationError(f"choose_on is one of {', '.join(CHOOSE_ON)}, not {chosen!r}")
    same = run.get("learned_on", run["corpus"]) == run["corpus"]
    if same and chosen == run["split"]:
        raise SpecificationError(
            f"{DEV} chooses C and the rate: score on another split, or choose_on = {TENTH!r}"
        )
    if same and run["split"] == "train":
        raise SpecificationError("train is what is learned from: score on dev or test")


# --- trained models in the user's cache -----------------------------------------------------------


def checksum_of(run: Mapping[str, Any], parts: Parts) -> str:
    """Settings, pairs and code of a training, in 24 letters."""
    aside = (*NEEDED[1:], *LEARNING, RATES, GRID, "C")
    search = [name for name in run if name.startswith("decode_")]
    told = {name: value for name, value in run.items() if name not in (*aside, *search)}
    if run["system"] != TRANSDUCER and "C" in run:
        told["C"] = run["C"]
    digest = hashlib.sha256(json.dumps([told, _code(run["system"])], sort_keys=True).encode())
    for part in parts:
        digest.update(f"{len(part)} pairs\n".encode())
        for pair in part:
            trees = [tree.pformat(margin=10**9) for tree in (pair.source, *pair.targets)]
            digest.update(f"{pair.name} {trees} {pair.alignment}\n".encode("utf-8", "replace"))
    return digest.hexdigest()[:24]


@cache
def _code(system: str) -> str:
    """A checksum of the code that a system's training reaches, and of its slice's templates."""
    files = files_here(PACKAGE, EVERYTHING)
    entries = {f"systems/{FILES[system][0]}.py", f"systems/{TRAINING.get(system, 'names')}.py"}
    if system == TRANSDUCER:
        entries.add("systems/compression_grid.py")
    code = reached(files, entries, PACKAGE.name)
    slices = {name.partition("/")[0] for name in code}
    tables = {n: text for n, text in files.items() if "/tables/" in n and n.split("/")[0] in slices}
    digest = hashlib.sha256()
    for name, text in sorted((code | tables).items()):
        digest.update(name.encode() + b"\0" + (bare(text) if name.endswith(".py") else text))
    return digest.hexdigest()


def _file(name: str) -> Path:
    folder = writable_cache() / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    return folder / name


def _kept(key: str) -> tuple[Any, Row]:
    """A model and what was noted of its training; ``None`` where it must be learned."""
    row = kept_value(FOLDER, f"{key}.json")
    with suppress(OSError, ModelError):
        file = _file(f"{key}.wol")
        if row is not None and file.exists():
            model = load_model(file)
            file.touch()
            return model, row
    return None, {}


def _keep(key: str, model: Any, row: Row) -> None:
    with suppress(OSError):
        file = _file(f"{key}.wol")
        for old in file.parent.glob("*.wol"):
            if time.time() - old.stat().st_mtime > KEPT_DAYS * 24 * 60 * 60:
                old.unlink(missing_ok=True)
        model.save(file)
        keep_value(FOLDER, f"{key}.json", row)
