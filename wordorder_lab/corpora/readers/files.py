"""Where corpora lie on a machine, and how their files are read: plain, gzipped, or in a zip."""

from __future__ import annotations

import gzip
import lzma
import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from shlex import quote
from typing import IO
from zipfile import BadZipFile
from zipfile import Path as ZipPath

from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.runtime.user_cache import user_cache
from wordorder_lab.structures.messages import unfit_character

AnyPath = Path | ZipPath
LOOKED = " (looked in"
"""In the message of a corpus that is not here, behind what everybody may read."""
TEXT, TEXT_PER_BYTE = 1 << 26, 50
"""Bytes that any packed text may have, and that a larger one may have for each byte on the disk."""

_DAMAGE = (
    *(OSError, EOFError, KeyError, ValueError, zlib.error, lzma.LZMAError, BadZipFile),
    *(NotImplementedError, RuntimeError),
)
"""What a packed file says that is damaged, or packed in a way that nobody here can undo."""

BESIDE_REPOSITORY = Path(__file__).resolve().parents[3].parent / "shared" / "data"


def read_text(path: AnyPath, *, unfit: bool = False) -> str:
    """The text of a file; ``.gz`` is unpacked.

    Raises ``CorpusError`` where that cannot be done, and with the line for a character that no word
    may hold (``unfit_character``), unless with ``unfit`` the reader looks itself.
    """
    try:
        data = _unzipped(path) if isinstance(path, ZipPath) else path.read_bytes()
        if path.name.endswith(".gz"):
            with gzip.open(BytesIO(data)) as packed:
                data = _limited(packed, len(data))
    except _DAMAGE as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise CorpusError(f"{path} cannot be read: {reason}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CorpusError(f"line {line:,} of {path} is not UTF-8 text: convert the file") from None
    if not unfit and (found := unfit_character(text)):
        raise CorpusError(f"line {found[0]:,} of {path}: {found[1]}")
    return text


def _unzipped(path: ZipPath) -> bytes:
    with path.open("rb") as member:
        return _limited(member, path.root.getinfo(path.at).compress_size)


def _limited(packed: IO[bytes] | gzip.GzipFile, size: int) -> bytes:
    """What is packed in so many bytes; ``ValueError`` for more than text ever unpacks to."""
    most = max(TEXT, TEXT_PER_BYTE * size)
    data = packed.read(most + 1)
    if len(data) > most:
        raise ValueError(f"{size:,} bytes unpack to more than {most:,}, which no text does")
    return data


def data_roots(data: str | os.PathLike[str] | None = None) -> Iterator[Path]:
    """The folders that may hold corpora, in the order they are looked at.

    ``data`` if given, and then nothing else; or ``$WORDORDER_LAB_DATA``, ``../shared/data``
    beside the repository, NLTK's data folders, the user's cache.
    """
    if data is not None:
        yield Path(data)
        return
    if named := os.environ.get("WORDORDER_LAB_DATA"):
        yield Path(named)
    yield BESIDE_REPOSITORY
    import nltk.data  # takes most of a second, and is seldom reached

    yield from map(Path, nltk.data.path)
    with suppress(RuntimeError):  # the user has no home
        yield user_cache()


def find_nltk(package: str, inside: str, data: str | os.PathLike[str] | None = None) -> AnyPath:
    """The folder ``inside`` of an NLTK corpus, in its zip or unpacked beside it.

    Raises ``CorpusError`` with the command that gets the corpus.
    """
    for root in data_roots(data):
        for corpora in (root / "nltk_data" / "corpora", root / "corpora"):
            if (folder := corpora / package / inside).is_dir():
                return folder
            if (archive := corpora / f"{package}.zip").is_file():
                return _in_zip(archive, f"{package}/{inside}".rstrip("/") + "/")
    place = "" if data is None else f"-d {quote(str(Path(data) / 'nltk_data'))} "
    command = f"python -m nltk.downloader {place}treebank dependency_treebank brown"
    raise missing(f"NLTK's {package}", command, data)


def _in_zip(archive: Path, inside: str) -> ZipPath:
    try:
        return ZipPath(archive, inside)
    except (OSError, BadZipFile) as error:
        raise CorpusError(f"{archive} is not a whole zip file ({error}): get it again") from None


def missing(what: str, command: str, data: str | os.PathLike[str] | None) -> CorpusError:
    """The error for a corpus that is nowhere, with the one ``command`` that gets it."""
    places = ", ".join(map(str, data_roots(data)))
    return CorpusError(f"{what} is not here. Get it with: {command}{LOOKED} {places})")
