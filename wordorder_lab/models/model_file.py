"""One file a model: a JSON header and arrays, in a zip of ``.npy`` files; no pickle.

The file is written beside its target and moved there, so a reader sees the old file or the new one,
never half of one. The same content gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import sys
import zipfile
from collections.abc import Mapping

import numpy as np

from wordorder_lab.models.file_parts import Json, JsonView
from wordorder_lab.runtime.atomic import ESCAPED, ctrl_c_waits, replacing
from wordorder_lab.structures.messages import brief, cited
from wordorder_lab.structures.version import VERSION as PACKAGE_VERSION

FORMAT = "wordorder_lab model"
VERSION = 1
EPOCH = (1980, 1, 1, 0, 0, 0)

LONGEST_HEADER = 256
"""Characters of an ``.npy`` header; ours have half of that, and in more there may be deep nests."""


def versions() -> dict[str, str]:
    """What a model was made with: the versions of Python, numpy and this package."""
    python = ".".join(str(part) for part in sys.version_info[:3])
    return {"python": python, "numpy": np.__version__, "wordorder-lab": PACKAGE_VERSION}


class ModelError(ValueError):
    """A file is no model of ours, or it is damaged."""


def save_arrays(
    path: str | os.PathLike[str], header: JsonView, arrays: Mapping[str, np.ndarray]
) -> None:
    """Write header and arrays atomically; Ctrl-C waits until they are there. Raises ``OSError`` if
    the folder cannot be written."""
    full = {**header, "format": FORMAT, "version": VERSION, "checksum": _checksum(arrays)}
    text = json.dumps(full, ensure_ascii=False, sort_keys=True)
    with ctrl_c_waits(), replacing(path) as part, zipfile.ZipFile(part, "w") as archive:
        archive.writestr(zipfile.ZipInfo("header.json", EPOCH), text.encode("utf-8", ESCAPED))
        for name, array in arrays.items():
            entry = zipfile.ZipInfo(f"{name}.npy", EPOCH)
            with archive.open(entry, "w", force_zip64=True) as file:
                np.lib.format.write_array(file, array, allow_pickle=False)


def load_arrays(path: str | os.PathLike[str]) -> tuple[Json, dict[str, np.ndarray]]:
    """Read what ``save_arrays`` wrote; nothing before it is known how long it is. Raises
    ``ModelError`` for a file that is damaged, foreign, of another version or too large for the
    memory, and ``FileNotFoundError`` where there is none."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = _members(archive, os.stat(path).st_size)
            header = _header(path, archive.read(members.pop("header.json")))
            arrays = {
                name.removesuffix(".npy"): _read(archive, member)
                for name, member in members.items()
                if name.endswith(".npy")
            }
            checksum = _checksum(arrays)
    except (FileNotFoundError, PermissionError, IsADirectoryError, ModelError):
        raise
    except MemoryError:
        raise ModelError(f"{path} is too large for the memory of this machine") from None
    except Exception as error:  # zip, JSON and array readers raise many kinds for foreign bytes
        raise ModelError(
            f"{brief(path)} is damaged or not a model of wordorder_lab ({brief(error)}): "
            "copy it again, or train it again"
        ) from None
    if checksum != header.get("checksum"):
        raise ModelError(f"{path} is damaged: its checksum is wrong; copy it or train it again")
    return header, arrays


def system_of_file(path: str | os.PathLike[str]) -> str:
    """The system that a model file names; nothing where it cannot be read."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = _members(archive, os.stat(path).st_size)
            return str(_header(path, archive.read(members["header.json"])).get("system", ""))
    except Exception:  # as there: foreign bytes raise many kinds
        return ""


def _members(archive: zipfile.ZipFile, size: int) -> dict[str, zipfile.ZipInfo]:
    """The members by name, which lie in the zip as they are, and not two in one place. Raises
    ``ValueError`` for a packed one, which could grow without limit, and for too long ones."""
    members = {member.filename: member for member in archive.infolist()}
    if len(members) < len(archive.infolist()):
        raise ValueError("two members have one name")
    for name, member in members.items():
        if member.compress_type != zipfile.ZIP_STORED or member.file_size != member.compress_size:
            raise ValueError(f"{cited(name)} is packed; our files are not")
    stated = sum(member.file_size for member in members.values())
    if stated > size:
        raise ValueError(f"its members are {stated:,} bytes long, the file {size:,}")
    return members


def _header(path: str | os.PathLike[str], data: bytes) -> Json:
    """What the header says; ``ModelError`` where it is another program's or of another version."""
    header = json.loads(data)
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ModelError(f"{path} is not a model of wordorder_lab")
    if header.get("version") != VERSION:
        raise ModelError(
            f"{path} is a model file of version {brief(header.get('version'))}; this program "
            f"reads version {VERSION}: train the model again"
        )
    if not isinstance(header.get("system", ""), str):
        raise ValueError("the name of its system is no text")
    if b"\\u" in data:  # half a character would be found out when it is printed, far from here
        json.dumps(header, ensure_ascii=False).encode("utf-8", "surrogateescape")
    return header


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> np.ndarray:
    """An array of numbers; ``ValueError`` where its shape asks for more or less than is there."""
    with archive.open(member) as file:
        if np.lib.format.read_magic(file) != (1, 0):
            raise ValueError(f"{cited(member.filename)} is of another version of the format")
        shape, _, kind = np.lib.format.read_array_header_1_0(file, LONGEST_HEADER)
        asked = math.prod(shape) * kind.itemsize
        if kind.kind not in "iuf" or asked != member.file_size - file.tell():
            raise ValueError(f"{cited(member.filename)} does not hold {kind} of shape {shape}")
        file.seek(0)
        return np.lib.format.read_array(file, allow_pickle=False)


def _checksum(arrays: Mapping[str, np.ndarray]) -> str:
    digest = hashlib.sha256()
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype.str} {arrays[name].shape}\n".encode())
        digest.update(np.ascontiguousarray(arrays[name]).view(np.uint8).data)
    return digest.hexdigest()
