"""``wordorder-lab train cohn-lapata-2009 --grid``: train with several C, keep the best on dev.

What is finished lies beside the model until all is done, and the same command goes on from it. With
``--cluster`` points are trained side by side; each worker reads the pairs and extracts the grammar.
"""

from __future__ import annotations

import hashlib
import os
import time
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path

from wordorder_lab.commands.common import go_on
from wordorder_lab.commands.learning import Transducing, described, remove, wrote
from wordorder_lab.commands.output import beginning, keeping, report
from wordorder_lab.experiments import provenance, records
from wordorder_lab.experiments.cluster import on_cluster
from wordorder_lab.experiments.records import partial_of
from wordorder_lab.experiments.runs.map_in_order import map_in_order, saved
from wordorder_lab.experiments.runs.schema import Row, Table
from wordorder_lab.runtime.atomic import plain_target, replacing
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.systems import find, load_model
from wordorder_lab.systems.compression_grid import CS, SCALINGS, best_row, grid_search

SAME = ("system", "corpus", "settings", "ngrams", "lm_text", "engine", "C", "scaling")
"""What the parts of one grid have in common, beside data, code, versions and machine."""


def run(training: Transducing, out: Path) -> int:
    """Train every point that is not done, print the rows, keep the best model."""
    arguments = training.arguments
    if arguments.trace:
        raise ValueError("--trace records one training: give one value each of --C and --scaling")
    points = {"C": CS, "scaling": SCALINGS, **training.several()}
    fixed = {name: value for name, value in training.settings.items() if name not in points}
    kept, best = partial_of(out), out.with_name(f"{out.name}.best")
    checkpoint = out.with_name(f"{out.name}.checkpoint")
    lost = "no point was finished yet"
    with keeping(kept, lost=lost), beginning(checkpoint), on_cluster(arguments.cluster) as jobs:
        training.ready()
        data = _begun(training, fixed, points)
        if best.exists():
            data = go_on(kept, data, SAME, "rows", "points", training.say)
        if jobs is None:
            trained = _points_here(training, fixed, data, checkpoint)
        else:
            trained = _points_elsewhere(training, fixed, data, jobs)
        for row, save in trained:
            training.say(_line(row))
            if best_row([*data["rows"], row]) is row:
                save(best)
            remove(checkpoint)
            data["rows"].append(row)
            data["seconds"] = round(data["seconds"] + time.perf_counter() - training.begin, 2)
            records.write_json(kept, data)
        os.replace(best, plain_target(out))
        kept.unlink()
    _report(training, out, data)
    return 0


def _begun(training: Transducing, fixed: Table, points: Mapping[str, Sequence[float]]) -> Row:
    arguments, corpus = training.arguments, training.corpus
    return {
        "system": arguments.system,
        "corpus": arguments.corpus,
        "settings": dict(fixed),
        "ngrams": arguments.ngrams,
        "lm_text": arguments.lm_text,
        "engine": arguments.engine,
        **{name: list(values) for name, values in points.items()},
        "data": {split: _checksum(corpus.split(split)) for split in ("train", "dev")},
        "code": provenance.code_version(),
        "versions": provenance.versions(),
        "machine": provenance.machine(),
        "seconds": 0.0,
        "rows": [],
    }


def _checksum(pairs: Sequence[CompressionPair]) -> str:
    digest = hashlib.sha256()
    for pair in pairs:
        digest.update(f"{pair.source} {pair.targets} {pair.alignment}\n".encode())
    return digest.hexdigest()


Points = Iterator[tuple[Row, Callable[[Path], None]]]
"""The row of each point, and what writes its model."""


def _points_here(training: Transducing, fixed: Row, data: Table, checkpoint: Path) -> Points:
    training.begin = time.perf_counter()
    done, options = tuple(data["rows"]), _options(training, fixed)
    grid = data["C"], data["scaling"]
    for point in grid_search(
        training.examples, training.corpus.dev, *grid, done=done, checkpoint=checkpoint, **options
    ):
        yield point.row, point.model.save


def _points_elsewhere(training: Transducing, fixed: Row, data: Table, jobs: int) -> Points:
    training.begin = time.perf_counter()
    done = {(row["C"], row["scaling"]) for row in data["rows"]}
    todo = [point for point in product(data["C"], data["scaling"]) if point not in done]
    work = partial(_trained, training.arguments, fixed)
    for row, model in map_in_order(work, todo, jobs, "points"):
        yield row, partial(_write, model)


def _trained(arguments: Namespace, fixed: Row, point: tuple[float, float]) -> tuple[Row, bytes]:
    """On a worker: one point, its model as the bytes of its file."""
    training = Transducing(arguments, find(arguments.system))
    training.ready()
    options = {**_options(training, fixed), "progress": False, "on_epoch": None}
    C, scaling = point
    (trained,) = grid_search(training.examples, training.corpus.dev, [C], [scaling], **options)
    with saved(trained.model) as (path, _):
        return trained.row, Path(path).read_bytes()


def _options(training: Transducing, fixed: Row) -> Row:
    extra = {"about": training.about, "engine": training.arguments.engine}
    return {**fixed, **extra, "on_epoch": training.after_epoch, **training.more()}


def _write(model: bytes, path: Path) -> None:
    with replacing(path) as part:
        part.write_bytes(model)


def _line(row: Table) -> str:
    return (
        f"C {row['C']:g}, scaling {row['scaling']:g}: dev loss {row['loss']:.3f}, relation F1 "
        f"{row['relation_f1']:6.2%}, rate {row['rate']:6.2%}, objective {row['objective']:.4g} "
        f"(gap {row['gap']:.2g}, {row['iterations']} iterations)"
    )


def _report(training: Transducing, out: Path, data: Row) -> None:
    best, model, arguments = best_row(data["rows"]), load_model(out), training.arguments
    lines = ["", *map(_line, data["rows"]), "", f"smallest loss on dev: {_line(best)}"]
    numbers = {"system": model.system, **described(model), "model": str(out)}
    numbers |= {"rows": data["rows"], "best": best}
    numbers |= {name: data[name] for name in ("seconds", "versions", "machine")}
    report([*lines, f"wrote {wrote(out)}, {training.summary(model)}"], numbers, arguments.json)
