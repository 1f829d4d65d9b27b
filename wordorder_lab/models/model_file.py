"""One file a model: a JSON header and arrays, in a zip of ``.npy`` files; no pickle.

The file is written beside its target and moved there, so a reader sees the old file or the new one,
never half of one. The same content gives the same bytes.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import sys
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from wordorder_lab.structures.atomic import ESCAPED, replacing
from wordorder_lab.structures.version import VERSION as PACKAGE_VERSION

FORMAT = "wordorder_lab model"
VERSION = 1
_EPOCH = (1980, 1, 1, 0, 0, 0)

_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, KeyError, TypeError),
    *(NotImplementedError, RuntimeError),
)
"""What a zip or an array says when its bytes are not what they were."""


def versions() -> dict[str, str]:
    """What a model was made with: the versions of Python, numpy and this package."""
    python = ".".join(str(part) for part in sys.version_info[:3])
    return {"python": python, "numpy": np.__version__, "wordorder-lab": PACKAGE_VERSION}


class ModelError(ValueError):
    """A file is no model of ours, or it is damaged."""


def save_arrays(
    path: str | os.PathLike[str], header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]
) -> None:
    """Write header and arrays atomically. Raises ``OSError`` if the folder cannot be written."""
    full = {**header, "format": FORMAT, "version": VERSION, "checksum": _checksum(arrays)}
    text = json.dumps(full, ensure_ascii=False, sort_keys=True)
    with replacing(path) as part, zipfile.ZipFile(part, "w") as archive:
        archive.writestr(zipfile.ZipInfo("header.json", _EPOCH), text.encode("utf-8", ESCAPED))
        for name, array in arrays.items():
            entry = zipfile.ZipInfo(f"{name}.npy", _EPOCH)
            with archive.open(entry, "w", force_zip64=True) as file:
                np.lib.format.write_array(file, array, allow_pickle=False)


def load_arrays(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Read what ``save_arrays`` wrote.

    Raises ``ModelError`` for a file that is damaged, foreign or of another version, and
    ``FileNotFoundError`` where there is none.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            header = json.loads(archive.read("header.json"))
            if not isinstance(header, dict) or header.get("format") != FORMAT:
                raise ModelError(f"{path} is not a model of wordorder_lab")
            if header.get("version") != VERSION:
                raise ModelError(
                    f"{path} is a model file of version {header.get('version')}; this program "
                    f"reads version {VERSION}: train the model again"
                )
            names = [name for name in archive.namelist() if name.endswith(".npy")]
            arrays = {name[:-4]: _read(archive, name) for name in names}
    except (FileNotFoundError, PermissionError, IsADirectoryError):
        raise
    except ModelError:
        raise
    except _DAMAGE as error:
        raise ModelError(
            f"{path} is damaged or not a model of wordorder_lab ({error}): "
            "copy it again, or train it again"
        ) from None
    if _checksum(arrays) != header.get("checksum"):
        raise ModelError(f"{path} is damaged: its checksum is wrong; copy it or train it again")
    return header, arrays


def _read(archive: zipfile.ZipFile, name: str) -> np.ndarray:
    data = io.BytesIO(archive.read(name))
    return np.lib.format.read_array(data, allow_pickle=False)


def _checksum(arrays: Mapping[str, np.ndarray]) -> str:
    digest = hashlib.sha256()
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype.str} {arrays[name].shape}\n".encode())
        digest.update(np.ascontiguousarray(arrays[name]).view(np.uint8).data)
    return digest.hexdigest()
