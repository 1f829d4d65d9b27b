"""Universal Dependencies treebanks as splits: by name, a folder, or one CoNLL-U file."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from pathlib import Path
from shlex import quote

from wordorder_lab.corpora.readers.conllu import read_conllu
from wordorder_lab.corpora.readers.corpus import SPLITS, CorpusError, Part, cut_in_three
from wordorder_lab.corpora.readers.files import data_roots, missing
from wordorder_lab.runtime.user_cache import user_cache

Readers = dict[str, Callable[[], Part]]
ReadFiles = Callable[[Sequence[Path]], Part]

TREEBANKS = {"ewt": "UD_English-EWT", "gum": "UD_English-GUM"}
"""Our names for treebanks, with their names in a release."""
OTHER_LANGUAGES = {"szeged": "UD_Hungarian-Szeged", "gsd": "UD_German-GSD"}
"""The same of those that are read as trees of lemmas alone; German may come without its train part,
which is large."""
_SPLIT = re.compile(r"-(train|dev|test)(?=[-.])")


def named_treebank(
    name: str, data: str | os.PathLike[str] | None = None, read: ReadFiles = read_conllu
) -> Readers:
    """The splits of a treebank that has a name; raises ``CorpusError`` where its files are not
    found."""
    release = (TREEBANKS | OTHER_LANGUAGES)[name]
    for root in data_roots(data):
        for folder in (root / release.lower().replace("-", "_"), root / release):
            if folder.is_dir() and _conllu_files(folder):
                return treebank_folder(folder, read)[1]
    source = f"https://github.com/UniversalDependencies/{release}"
    command = f"git clone --depth 1 {source}"
    try:
        place = quote(str((user_cache() if data is None else Path(data)) / release))
    except RuntimeError:  # the user has no home
        raise missing(name, f"{command}, and name the folder instead of {name}", data) from None
    raise missing(name, f"{command} {place}", data)


def treebank_folder(folder: Path, read: ReadFiles = read_conllu) -> tuple[str, Readers]:
    """Name and splits of the one treebank in a folder, by its names ``...-train.conllu``."""
    files = _conllu_files(folder)
    prefixes = {_prefix(path) for path in files if _prefix(path)}
    if len(prefixes) == 1:
        prefix = prefixes.pop()
        return prefix, _by_split((path for path in files if _prefix(path) == prefix), read)
    if not prefixes and len(files) == 1:
        return conllu_file(files[0], read)
    held = ", ".join(sorted(prefixes) or [path.name for path in files])
    raise CorpusError(f"{folder} holds more than one treebank ({held}): name one of its files")


def conllu_file(path: Path, read: ReadFiles = read_conllu) -> tuple[str, Readers]:
    """Name and splits of a file: with its siblings if it is one of three, else cut in three."""
    if prefix := _prefix(path):
        siblings = (p for p in _conllu_files(path.parent) if _prefix(p) == prefix)
        return prefix, _by_split(siblings, read)
    return path.name, cut_in_three(cache(partial(read, [path])))


def is_conllu(path: Path) -> bool:
    """Whether a file is CoNLL-U by its name."""
    return path.name.endswith((".conllu", ".conllu.gz"))


def _conllu_files(folder: Path) -> list[Path]:
    """The CoNLL-U files of a folder; of one that is there plain and packed, the plain one."""
    names = {path.name for path in folder.iterdir() if is_conllu(path)}
    return sorted(folder / name for name in names if name.removesuffix(".gz") not in names - {name})


def _prefix(path: Path) -> str:
    """``en_ewt-ud`` for ``en_ewt-ud-train.conllu``; nothing for a file that names no split."""
    match = _SPLIT.search(path.name)
    return path.name[: match.start()] if match else ""


def _by_split(files: Iterable[Path], read: ReadFiles) -> Readers:
    """A large treebank may spread a split over several files."""
    by_split: defaultdict[str, list[Path]] = defaultdict(list)
    for path in files:
        match = _SPLIT.search(path.name)
        assert match
        by_split[match.group(1)].append(path)
    return {split: partial(read, by_split[split]) for split in SPLITS if split in by_split}
