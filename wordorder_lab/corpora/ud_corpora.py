"""Universal Dependencies treebanks as splits: by name, a folder, or one CoNLL-U file."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import partial
from pathlib import Path
from shlex import quote

from wordorder_lab.corpora.readers.corpus import SPLITS, CorpusError, Item, Readers, cut_in_three
from wordorder_lab.corpora.readers.files import DataFolder, FileReader, data_roots, missing
from wordorder_lab.runtime.user_cache import user_cache

TREEBANKS = {"ewt": "UD_English-EWT", "gum": "UD_English-GUM"}
"""Our names for treebanks, with their names in a release."""
OTHER_LANGUAGES = {"szeged": "UD_Hungarian-Szeged", "gsd": "UD_German-GSD"}
"""Those that are read as trees of lemmas alone; German's train part is large and may be absent."""
_SPLIT = re.compile(r"-(train|dev|test)(?=[-.])")


def named_treebank(name: str, read: FileReader[Item], data: DataFolder = None) -> Readers[Item]:
    """The splits of a treebank that has a name; ``CorpusError`` where its files are not found."""
    return treebank_at(named_folder(name, data), read)[1]


def named_folder(name: str, data: DataFolder = None) -> Path:
    """Where a treebank that has a name lies; ``CorpusError`` with the command that gets it."""
    release = (TREEBANKS | OTHER_LANGUAGES)[name]
    for root in data_roots(data):
        for folder in (root / release.lower().replace("-", "_"), root / release):
            if holds_conllu(folder):
                return folder
    source = f"https://github.com/UniversalDependencies/{release}"
    command = f"git clone --depth 1 {source}"
    try:
        place = quote(str((user_cache() if data is None else Path(data)) / release))
    except RuntimeError:  # the user has no home
        raise missing(name, f"{command}, and name the folder instead of {name}", data) from None
    raise missing(name, f"{command} {place}", data)


def treebank_at(path: Path, read: FileReader[Item]) -> tuple[str, Readers[Item]]:
    """Name and splits of a file, or of the one treebank in a folder. A file that is one of three by
    its name, ``...-train.conllu``, brings its siblings; one alone is cut in three. ``CorpusError``
    for a folder with several."""
    files = _conllu_files(path if path.is_dir() else path.parent)
    if path.is_dir():
        prefixes = {_prefix(file) for file in files} - {""}
        if len(prefixes) > 1 or (not prefixes and len(files) > 1):
            held = ", ".join(sorted(prefixes) or [file.name for file in files])
            raise CorpusError(
                f"{path} holds more than one treebank ({held}): name one of its files"
            )
        path, prefix = files[0], next(iter(prefixes), "")
    else:
        prefix = _prefix(path)
    if prefix:
        by_split: defaultdict[str, list[Path]] = defaultdict(list)
        for file in files:  # a large treebank may spread a split over several
            if _prefix(file) == prefix:
                by_split["".join(_SPLIT.findall(file.name)[:1])].append(file)
        readers = {s: partial(read, by_split[s]) for s in SPLITS if s in by_split}
        return prefix, readers
    return path.name, cut_in_three(partial(read, [path]))


def holds_conllu(path: Path) -> bool:
    """Whether a path is a CoNLL-U file by its name, or a folder of such files."""
    return any(map(_is_conllu, path.iterdir() if path.is_dir() else [path])) and path.exists()


def _is_conllu(path: Path) -> bool:
    return path.name.endswith((".conllu", ".conllu.gz"))


def _conllu_files(folder: Path) -> list[Path]:
    """The CoNLL-U files of a folder; of one that is there plain and packed, the plain one."""
    names = {path.name for path in folder.iterdir() if _is_conllu(path)}
    return sorted(folder / name for name in names if name.removesuffix(".gz") not in names - {name})


def _prefix(path: Path) -> str:
    """``en_ewt-ud`` for ``en_ewt-ud-train.conllu``; nothing for a file that names no split."""
    before, *behind = _SPLIT.split(path.name, maxsplit=1)
    return before if behind else ""
