"""The notebooks' exercises: ``check("20.1", answer)``, ``check.hint("20.1")``, ``check.solution``.

A right answer is told so. A wrong one gets a counterexample and the next hint. The solution is
shown when all hints have been. Nothing is graded and nothing leaves the machine; what is right is
found out by asking the engines, mostly about every state of every small bag.

Beside them is what a notebook need not make anew: models, trained once, and records of experiments.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from wordorder_lab.check.exercise import Desk, Exercise, Verdict, check
from wordorder_lab.runtime.user_cache import user_cache
from wordorder_lab.structures.compression import CompressionPair

__all__ = ["Desk", "Exercise", "Verdict", "check", "recorded", "trained"]

PACKAGE = Path(__file__).parents[1]
KEPT = 60  # models, those that were read last: those of all notebooks and one edit more


def trained(examples: Sequence[Any], system: str = "liu-2015", **settings: object) -> Any:
    """``wl.train(system, examples, **settings)``, or the same model from the last time.

    Says how long it took, without a bar, of which an exported page shows the beginning. Kept in the
    user's cache under a checksum of examples, settings and code. Where nothing can be written,
    every call trains.
    """
    from wordorder_lab.models.model_file import ModelError
    from wordorder_lab.systems import load_model, task_of, train

    path = _folder() / f"{_checksum(examples, {'system': system, **settings})}.wol"
    with suppress(OSError, ModelError):
        model = load_model(path)
        os.utime(path)  # it is in use
        return model
    what = {"compress": "pairs", "realize": "trees"}.get(task_of(system), "sentences")
    print(f"learning from {len(examples):,} {what} ...", end=" ", flush=True)
    begin = time.perf_counter()
    model = train(system, examples, progress=False, **settings)
    print(f"{time.perf_counter() - begin:.0f} seconds")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_old(path.parent)
        model.save(path)
    return model


def recorded(name: str) -> str:
    """The record of an experiment as text, or how to make it."""
    from wordorder_lab.experiments.records import read_record, record_file
    from wordorder_lab.experiments.report import table

    if record_file(name).is_file():
        return table(read_record(record_file(name)))
    return f"{name} has no record here: wordorder-lab reproduce {name}"


def _folder() -> Path:
    try:
        return user_cache() / "models"
    except RuntimeError:  # the user has no home
        return Path(os.devnull) / "models"


def _checksum(examples: Sequence[object], settings: Mapping[str, object]) -> str:
    digest = hashlib.sha256(repr(sorted(settings.items())).encode())
    for example in examples:
        digest.update(_written(example).encode())
    for path in sorted(PACKAGE.rglob("*.py")) + sorted(PACKAGE.rglob("tables/**/*.txt")):
        if "widgets" not in path.parts and "check" not in path.parts:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _written(example: object) -> str:
    """All of an example; a pair's own ``repr`` is short."""
    if isinstance(example, CompressionPair):
        return f"{example.source} {example.targets} {example.alignment}"
    return repr(example)


def _remove_old(folder: Path) -> None:
    with suppress(OSError):  # another notebook may be at it, too
        by_age = sorted(folder.glob("*.wol"), key=lambda path: -path.stat().st_mtime)
        for path in by_age[KEPT - 1 :]:
            path.unlink()
