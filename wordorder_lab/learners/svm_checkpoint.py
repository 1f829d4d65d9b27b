"""Checkpoints of a structured SVM: all that an iteration leaves to the next one, in one file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordorder_lab.learners.svm_settings import Iteration
from wordorder_lab.models.model_file import ModelError, load_arrays, save_arrays

if TYPE_CHECKING:
    from wordorder_lab.learners.structured_svm import StructuredSVM

SYSTEM = "structured-svm checkpoint"

FilePath = str | os.PathLike[str]


def save_checkpoint(path: FilePath, svm: StructuredSVM, identity: Mapping[str, Any] | None) -> None:
    """Write a checkpoint atomically. Raises ``OSError`` if the folder cannot be written."""
    header = {
        "system": SYSTEM,
        "identity": _identity(svm, identity),
        "bound": svm.bound,
        "dual": svm.dual,
        "history": svm.history,
    }
    save_arrays(path, header, {**svm.working.arrays(), "best": svm.best})


def resume(path: FilePath, svm: StructuredSVM, identity: Mapping[str, Any] | None) -> None:
    """Go on from a checkpoint if there is one. Raises ``ModelError`` if it is of another run."""
    if not Path(path).exists():
        return
    header, arrays = load_arrays(path)
    if header.get("system") != SYSTEM or header["identity"] != _identity(svm, identity):
        raise ModelError(
            f"{path} is no checkpoint of this run: its settings or examples are others. "
            "Delete it to start anew, or learn with the settings that it was made with"
        )
    svm.working.restore(arrays)
    svm.take_weights()
    svm.best, svm.bound, svm.dual = arrays["best"], header["bound"], header["dual"]
    svm.history = [Iteration(*row) for row in header["history"]]


def _identity(svm: StructuredSVM, identity: Mapping[str, Any] | None) -> dict[str, Any]:
    """What two runs have in common if one may go on where the other was."""
    fixed = {**asdict(svm.settings), "features": svm.features, "examples": len(svm.examples)}
    del fixed["max_iterations"]
    return json.loads(json.dumps({"learner": fixed, "caller": identity}))
