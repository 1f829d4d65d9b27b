"""Models on their way to workers: as the bytes of their file, which is checked when it is read.

Nothing of a model is pickled. A worker reads a model once and keeps the last one; a thread has its
own, since a decoder works in rooms that belong to its model.
"""

from __future__ import annotations

import hashlib
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wordorder_lab.systems import load_model

_last = threading.local()


@contextmanager
def saved(model: Any) -> Iterator[tuple[str, str]]:
    """The path of a model's file and its checksum; inside the ``with`` the file is there."""
    with tempfile.TemporaryDirectory(prefix="wordorder_lab-model-") as folder:
        path = Path(folder) / "model.wol"
        model.save(path)
        yield str(path), hashlib.sha256(path.read_bytes()).hexdigest()


def model_of_file(path: str, checksum: str) -> Any:
    """The model of this thread; raises ``ModelError`` as ``load_model``."""
    if getattr(_last, "checksum", None) != checksum:
        _last.model, _last.checksum = load_model(path), checksum
    return _last.model


def model_of_bytes(data: bytes, checksum: str) -> Any:
    """The same for a file that came as its bytes."""
    if getattr(_last, "checksum", None) == checksum:
        return _last.model
    with tempfile.TemporaryDirectory(prefix="wordorder_lab-model-") as folder:
        path = Path(folder) / "model.wol"
        path.write_bytes(data)
        return model_of_file(str(path), checksum)
