"""The training of a compressor, which is kept.

It takes minutes, and several experiments ask for the same one. So a trained model is kept in the
user's cache under a checksum of its settings, its pairs and the code; of a grid every C for itself,
with the learner's checkpoint beside it: an experiment that was interrupted goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from wordorder_lab.experiments.runs import code_files
from wordorder_lab.experiments.runs import settings as runs
from wordorder_lab.experiments.runs.code_files import PACKAGE, code_in, files_here
from wordorder_lab.experiments.runs.compression_pairs import Parts, trees_of
from wordorder_lab.experiments.runs.map_in_order import several_at_once
from wordorder_lab.experiments.runs.schema import GRID, LEARNING, NEEDED, RATES, Row, Table
from wordorder_lab.experiments.runs.training import train_timed
from wordorder_lab.models.model_file import ModelError
from wordorder_lab.runtime.user_cache import KEPT_DAYS, keep_value, kept_value, writable_cache
from wordorder_lab.systems import find, load_model
from wordorder_lab.systems.compression_grid import best_row, grid_search
from wordorder_lab.systems.model import TrainedModel
from wordorder_lab.systems.registry import ROWS

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
    said = {name: run[name] for name in names if run[name] != ""}  # an empty one is as none
    settings = {name: said[name] for name in said if said[name] != getattr(usual, name, None)}
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
