"""Where corpora lie on a machine, and how their files are read: plain, gzipped, or in a zip.

A licensed treebank lies in numbered section folders (``Layout``). The papers train on sections 02
to 21 and test on section 23. Liu et al. (2015) tune on section 22; Zhang and Clark (2011, 2015) say
section 00, so the section is a parameter.
"""

from __future__ import annotations

import gzip
import os
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from shlex import quote
from typing import IO
from zipfile import BadZipFile
from zipfile import Path as ZipPath

from wordorder_lab.corpora.readers.corpus import CorpusError, Item, Part, Readers, cut_in_three
from wordorder_lab.runtime.user_cache import user_cache
from wordorder_lab.structures.messages import cited, unfit_character

AnyPath = Path | ZipPath
DataFolder = str | os.PathLike[str] | None
"""The folder that a user names to look in, if any."""
FileReader = Callable[[Sequence[AnyPath]], Part[Item]]
LOOKED = " (looked in"
"""In the message of a corpus that is not here, behind what everybody may read."""
TEXT, TEXT_PER_BYTE = 1 << 26, 50
"""Bytes that any packed text may have, and that a larger one may have for each byte on the disk."""

_DAMAGE: tuple[type[Exception], ...]
_DAMAGE = (OSError, EOFError, KeyError, ValueError, RuntimeError, zlib.error, BadZipFile)
"""What a packed file says that is damaged, or packed in a way that nobody here can undo."""
with suppress(ImportError):  # the Python of a browser lacks it, and unpacks nothing with it
    from lzma import LZMAError

    _DAMAGE = (*_DAMAGE, LZMAError)

BESIDE_REPOSITORY = Path(__file__).resolve().parents[3].parent / "shared" / "data"


def read_text(path: AnyPath, *, unfit: bool = False) -> str:
    """The text of a file; ``.gz`` is unpacked. ``CorpusError`` for what is none, and, unless
    ``unfit``, with the line for a character that no word may hold."""
    try:
        if isinstance(path, ZipPath):
            with path.open("rb") as member:
                data = _limited(member, path.root.getinfo(path.at).compress_size)
        else:
            data = path.read_bytes()
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


@contextmanager
def open_text(path: Path) -> Iterator[Iterator[str]]:
    """The lines of a text file, one after the other. Raises ``CorpusError`` for what is none."""
    try:
        with path.open(encoding="utf-8-sig") as lines:
            yield lines
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise CorpusError(f"{path} cannot be read: {reason}") from None


def _limited(packed: IO[bytes] | gzip.GzipFile, size: int) -> bytes:
    """What is packed in so many bytes; ``ValueError`` for more than text ever unpacks to."""
    most = max(TEXT, TEXT_PER_BYTE * size)
    data = packed.read(most + 1)
    if len(data) > most:
        raise ValueError(f"{size:,} bytes unpack to more than {most:,}, which no text does")
    return data


def data_roots(data: DataFolder = None) -> Iterator[Path]:
    """``data`` alone if given; or ``$WORDORDER_LAB_DATA``, ``../shared/data`` beside the
    repository, NLTK's data folders, the user's cache: the folders that may hold corpora, in
    order. None, where ``$WORDORDER_LAB_DATA`` is there and empty."""
    if data is not None:
        yield Path(data)
        return
    named = os.environ.get("WORDORDER_LAB_DATA")
    if named == "":
        return
    if named:
        yield Path(named)
    yield BESIDE_REPOSITORY
    with suppress(ImportError):
        import nltk.data  # takes most of a second, and is seldom reached

        yield from map(Path, nltk.data.path)
    with suppress(RuntimeError):  # the user has no home
        yield user_cache()


def find_nltk(package: str, inside: str, data: DataFolder = None) -> AnyPath:
    """The folder ``inside`` of an NLTK corpus, in its zip or unpacked; ``CorpusError`` for none."""
    for root in data_roots(data):
        for corpora in (root / "nltk_data" / "corpora", root / "corpora"):
            if (folder := corpora / package / inside).is_dir():
                return folder
            if (archive := corpora / f"{package}.zip").is_file():
                try:
                    return ZipPath(archive, f"{package}/{inside}".rstrip("/") + "/")
                except (OSError, BadZipFile) as error:
                    whole = f"{archive} is not a whole zip file ({error})"
                    raise CorpusError(f"{whole}: get it again") from None
    place = "" if data is None else f"-d {quote(str(Path(data) / 'nltk_data'))} "
    command = f"python -m nltk.downloader {place}treebank dependency_treebank brown"
    raise missing(f"NLTK's {package}", command, data)


def missing(what: str, command: str, data: DataFolder) -> CorpusError:
    """The error for a corpus that is nowhere, with the one ``command`` that gets it."""
    return CorpusError(f"{what} is not here. Get it with: {command}{_looked(data)}")


def _looked(data: DataFolder) -> str:
    return f"{LOOKED} {', '.join(map(str, data_roots(data)))})"


def _find(names: Sequence[str], data: DataFolder, lacking: str) -> list[Path]:
    for root in data_roots(data):
        if all((root / name).exists() for name in names):
            return [root / name for name in names]
    raise CorpusError(f"{lacking}{_looked(data)}")


def find_or_get(what: str, command: str, names: Sequence[str], data: DataFolder) -> list[Path]:
    """These files or folders; ``CorpusError`` with the one ``command`` that gets them."""
    return _find(names, data, f"{what} is not here. Get it with: {command}")


def find_given(what: str, source: str, names: Sequence[str], data: DataFolder) -> list[Path]:
    """The same for files that no command gets; the ``CorpusError`` says of which ``source``."""
    lacking = f"{what} is not here, and no command gets it: it is {source}. Put "
    lacking += f"{' and '.join(names)} where corpora are looked for, or use 'gazette'"
    return _find(names, data, lacking)


def given_splits(
    name: str,
    source: str,
    files: Mapping[str, str],
    data: DataFolder,
    read: Callable[[Path], Part[Item]],
) -> Readers[Item]:
    """The same as splits: a file each, or one without a split (``""``), which is cut in three."""
    paths = dict(zip(files, find_given(name, source, [*files.values()], data), strict=True))
    if "" in paths:
        return cut_in_three(partial(read, paths[""]))
    return {split: partial(read, path) for split, path in paths.items()}


def packed_or_not(folder: Path, name: str) -> Path:
    """A file of the folder, gzipped or not; ``CorpusError`` where it is neither."""
    for path in (folder / name, folder / f"{name}.gz"):
        if path.is_file():
            return path
    raise CorpusError(f"{folder} has no file {name}, nor {name}.gz")


@dataclass(frozen=True, slots=True)
class Layout:
    """How a licensed treebank is named, where discs keep its sections (``inside``), what its files
    end in (in lower case: discs shout ``WSJ_0001.MRG``), and a corpus for those without a licence.
    """

    what: str
    licence: str
    folder: str
    variable: str
    inside: tuple[str, ...]
    suffixes: tuple[str, ...]
    instead: str

    def files(self, path: Path) -> list[Path]:
        """The files of this format in a folder and its folders, by name; or the file itself."""
        every = path.rglob("*") if path.is_dir() else [path]
        return sorted(p for p in every if p.name.lower().endswith(self.suffixes) and p.is_file())

    def sections(self, folder: Path) -> dict[int, Path]:
        """The section folders ``00`` to ``24`` in ``folder`` or where the discs keep them."""
        for inside in self.inside:
            place = folder / inside
            if place.is_dir():
                named = [p for p in place.iterdir() if re.fullmatch(r"\d\d", p.name)]
                if sections := [path for path in named if self.files(path)]:
                    return {int(path.name): path for path in sections}
        return {}

    def licensed(
        self, read: FileReader[Item], dev_section: int, data: DataFolder = None
    ) -> Readers[Item]:
        """The papers' splits of the folder that is named; ``CorpusError`` where none is known."""
        named = os.environ.get(self.variable) if data is None else None
        for root in [Path(named)] if named else data_roots(data):
            for folder in (root, root / self.folder, root / "corpora" / self.folder):
                if self.sections(folder):
                    return self.by_section(folder, read, dev_section)
        raise CorpusError(
            f"{self.what} is not here. It is licensed ({self.licence}): give the path of its "
            f"folder of sections 00 to 24 as the corpus, or set ${self.variable} to it, "
            f"or use {cited(self.instead)}" + (f" (${self.variable} is {named})" if named else "")
        )

    def by_section(self, folder: Path, read: FileReader[Item], dev_section: int) -> Readers[Item]:
        """The papers' splits: train 02-21, dev ``dev_section``, test 23."""
        sections = self.sections(folder)

        def split(wanted: Sequence[int]) -> Part[Item]:
            if lacking := [f"{number:02}" for number in wanted if number not in sections]:
                raise CorpusError(
                    f"{folder} has no section {', '.join(lacking)}: this split needs it"
                )
            return read([path for number in wanted for path in self.files(sections[number])])

        wanted = {"train": range(2, 22), "dev": [dev_section], "test": [23]}
        return {name: partial(split, numbers) for name, numbers in wanted.items()}
