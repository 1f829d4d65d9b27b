"""Models that a notebook trains once: the second time they are read from disk."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from wordorder_lab.models.model_file import ModelError
from wordorder_lab.runtime.user_cache import user_cache
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.systems import load_model, task_of, train

PACKAGE = Path(__file__).parents[1]
KEPT = 12
"""So many models are kept, those that were read last; each edit of the code makes new ones."""


def trained(examples: Sequence[Any], system: str = "liu-2015", **settings: Any) -> Any:
    """``wl.train(system, examples, **settings)``, or the same model from the last time.

    Examples are sentences, pairs of trees for a system that compresses, or trees of lemmas. Says
    how long it took, without a bar, which an exported page could only show as it began. Kept in
    the user's cache under a checksum of examples, settings and code, so an edit of any of these
    trains anew. Where nothing can be written, every call trains.
    """
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


def _folder() -> Path:
    try:
        return user_cache() / "models"
    except RuntimeError:  # the user has no home
        return Path(os.devnull) / "models"


def _checksum(examples: Sequence[Any], settings: dict[str, Any]) -> str:
    digest = hashlib.sha256(repr(sorted(settings.items())).encode())
    for example in examples:
        digest.update(_written(example).encode())
    for path in sorted(PACKAGE.rglob("*.py")) + sorted(PACKAGE.rglob("tables/**/*.txt")):
        if "widgets" not in path.parts and "check" not in path.parts:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _written(example: Any) -> str:
    """All of an example; a pair's own ``repr`` is short."""
    if isinstance(example, CompressionPair):
        return f"{example.source} {example.targets} {example.alignment}"
    return repr(example)


def _remove_old(folder: Path) -> None:
    with suppress(OSError):  # another notebook may be at it, too
        by_age = sorted(folder.glob("*.wol"), key=lambda path: -path.stat().st_mtime)
        for path in by_age[KEPT - 1 :]:
            path.unlink()
