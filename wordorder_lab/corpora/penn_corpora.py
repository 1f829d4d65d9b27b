"""The Penn Treebank as splits: NLTK's sample, the whole Treebank, any folder of ``.mrg`` files.

The papers train on sections 02 to 21 and test on section 23. Liu et al. (2015) tune on section
22; Zhang and Clark (2011, 2015) say section 00, so the section is a parameter.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from pathlib import Path

from wordorder_lab.corpora.corpus import CorpusError, Part, cut_in_three, progress
from wordorder_lab.corpora.files import AnyPath, data_roots, find_nltk
from wordorder_lab.corpora.penn import read_tree_file
from wordorder_lab.corpora.penn_to_dependencies import to_sentence
from wordorder_lab.structures.sentence import Sentence

Readers = dict[str, Callable[[], Part]]
TreeReader = Callable[[Sequence[AnyPath]], Part]

SAMPLE_SPLITS = {"dev": range(1, 21), "test": range(21, 41), "train": range(41, 200)}
"""The files wsj_0001 to wsj_0199 of NLTK's sample, by split."""
FOLDER_VARIABLE = "WORDORDER_LAB_PTB"


def penn_reader(units: str, min_np_words: int) -> TreeReader:
    """A function that reads bracket files into one ``Part`` with the given units."""

    def read(files: Sequence[AnyPath]) -> Part:
        sentences: list[Sentence] = []
        left_out: list[tuple[int, str]] = []
        for path in progress(files, "reading trees", few=20):
            for number, tree in enumerate(read_tree_file(path), start=1):
                sentence = to_sentence(tree, units, min_np_words, f"{path.name}:{number}")
                if sentence is None:
                    left_out.append((len(sentences), "traces only"))
                else:
                    sentences.append(sentence)
        return Part(tuple(sentences), tuple(left_out))

    return read


def sample_files(split: str, data: str | os.PathLike[str] | None = None) -> list[AnyPath]:
    """The files of one split of NLTK's sample, in order."""
    folder = find_nltk("treebank", "combined", data)
    return [folder / f"wsj_{number:04}.mrg" for number in SAMPLE_SPLITS[split]]


def sample(read: TreeReader, data: str | os.PathLike[str] | None = None) -> Readers:
    """NLTK's 3,914 sentences: 20 files to tune on, 20 to test on, 159 to train on."""
    files = {split: sample_files(split, data) for split in SAMPLE_SPLITS}
    return {split: partial(read, files[split]) for split in files}


def whole_treebank(
    read: TreeReader, dev_section: int, data: str | os.PathLike[str] | None = None
) -> Readers:
    """The licensed Treebank from the folder that the user names, with the papers' splits.

    Raises ``CorpusError`` where no such folder is known.
    """
    named = os.environ.get(FOLDER_VARIABLE) if data is None else None
    for root in [Path(named)] if named else data_roots(data):
        for folder in (root, root / "ptb", root / "corpora" / "ptb"):
            if sections := section_folders(folder):
                return by_section(read, sections, dev_section, folder)
    raise CorpusError(
        "the Penn Treebank is not here. It is licensed (LDC99T42): give the path of its folder of "
        f"sections 00 to 24 as the corpus, or set ${FOLDER_VARIABLE} to it, or use 'ptb-sample'"
        + (f" (${FOLDER_VARIABLE} is {named})" if named else "")
    )


def section_folders(folder: Path) -> dict[int, Path]:
    """The section folders ``00`` to ``24`` in ``folder`` or where the LDC's discs keep them."""
    for inside in ("", "wsj", "WSJ", "mrg/wsj", "parsed/mrg/wsj", "combined/wsj"):
        place = folder / inside
        if place.is_dir():
            found = [p for p in place.iterdir() if re.fullmatch(r"\d\d", p.name) and tree_files(p)]
            if found:
                return {int(p.name): p for p in found}
    return {}


def by_section(
    read: TreeReader, sections: dict[int, Path], dev_section: int, folder: Path
) -> Readers:
    """The papers' splits of the Treebank: train 02-21, dev ``dev_section``, test 23."""

    def split(wanted: Iterable[int]) -> Part:
        if lacking := [f"{number:02}" for number in wanted if number not in sections]:
            raise CorpusError(f"{folder} has no section {', '.join(lacking)}: this split needs it")
        return read([path for number in wanted for path in tree_files(sections[number])])

    return {
        "train": partial(split, range(2, 22)),
        "dev": partial(split, [dev_section]),
        "test": partial(split, [23]),
    }


def tree_files(folder: Path) -> list[Path]:
    """The bracket files below a folder, in order of their names; discs shout: ``WSJ_0001.MRG``."""
    return sorted(p for p in folder.rglob("*") if p.suffix.lower() == ".mrg" and p.is_file())


def any_trees(read: TreeReader, files: Sequence[Path]) -> Readers:
    """Other bracket files, in three by the order of their sentences; read once for all three."""
    return cut_in_three(cache(partial(read, files)))
