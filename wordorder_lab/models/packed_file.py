"""A model file made small, for the models that come with the package.

What it holds is a model file's header and arrays (``models/model_file``), packed: ascending numbers
as differences, whole numbers in the fewest bytes that hold them, and what is no whole number as a
multiple of a fraction such as 1/64. ``pack`` rounds to such multiples first, so what is read again
is what was written, bit for bit. Packed files are read from the package's own folder alone, since a
small one may unpack to a very large one.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Mapping

import numpy as np

from wordorder_lab.models.file_parts import Json, JsonView
from wordorder_lab.models.model_file import EPOCH, FORMAT, VERSION, ModelError
from wordorder_lab.runtime.atomic import replacing

SMALL = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64)


def pack(
    path: str | os.PathLike[str],
    header: JsonView,
    arrays: Mapping[str, np.ndarray],
    scales: Mapping[str, int],
) -> None:
    """Write a model, atomically; the same content gives the same bytes. ``scales`` says of arrays
    that are no whole numbers the multiples of which fraction their values are (64: of 1/64). Raises
    ``ValueError`` for such an array that they do not name."""
    how: dict[str, list[object]] = {}
    members: list[tuple[str, bytes]] = []
    for name, array in arrays.items():
        whole = np.rint(array * scales.get(name, 1)).astype(np.int64)
        if name not in scales and (whole != array).any():
            raise ValueError(f"{name} has values that are no whole numbers: give it a scale")
        ascends = len(whole) > 1 and bool((np.diff(whole) > 0).all())
        small = _small(np.diff(whole, prepend=0) if ascends else whole)
        how[name] = [array.dtype.str, ascends, scales.get(name, 1)]
        buffer = io.BytesIO()
        np.lib.format.write_array(buffer, small, allow_pickle=False)
        members.append((f"{name}.npy", buffer.getvalue()))
    full = {**header, "format": FORMAT, "version": VERSION, "packed": how}
    text = json.dumps(full, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    with replacing(path) as part, zipfile.ZipFile(part, "w") as archive:
        for member, data in [("header.json", text.encode()), *members]:
            entry = zipfile.ZipInfo(member, EPOCH)
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)


def unpack(path: str | os.PathLike[str]) -> tuple[Json, dict[str, np.ndarray]]:
    """Header and arrays as ``load_arrays`` gives them. Raises ``ModelError`` for a damaged file."""
    try:
        with zipfile.ZipFile(path) as archive:
            header = json.loads(archive.read("header.json"))
            arrays = {}
            for name, (kind, ascends, scale) in header.pop("packed").items():
                array = np.lib.format.read_array(io.BytesIO(archive.read(f"{name}.npy")))
                array = np.cumsum(array, dtype=np.int64) if ascends else array
                array = array.astype(kind)
                arrays[name] = array / scale if scale != 1 else array
    except (zipfile.BadZipFile, KeyError, ValueError, OSError) as error:
        raise ModelError(
            f"{path}, which comes with the package, is damaged ({error}): install it again"
        ) from None
    return header, arrays


def _small(array: np.ndarray) -> np.ndarray:
    """The same whole numbers in the fewest bytes."""
    low, high = (int(array.min()), int(array.max())) if len(array) else (0, 0)
    kind = next(k for k in SMALL if np.iinfo(k).min <= low and high <= np.iinfo(k).max)
    return array.astype(kind)
