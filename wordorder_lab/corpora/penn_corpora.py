"""The Penn Treebank as splits: NLTK's sample, the whole Treebank, any folder of ``.mrg`` files.

A sentence's heads are the Penn tree's. Its CCG derivation (``penn_derivations``) has heads of its
own, and is made when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wordorder_lab.corpora.ccg_corpora import CCGBANK
from wordorder_lab.corpora.penn_derivations import Converted, PennDerivations, derivation_over
from wordorder_lab.corpora.readers.corpus import Item, Part, Readers, cut_in_three, progress
from wordorder_lab.corpora.readers.files import AnyPath, DataFolder, FileReader, Layout, find_nltk
from wordorder_lab.corpora.readers.penn import read_tree_file, to_sentence, without_traces
from wordorder_lab.structures.sentence import Sentence

if TYPE_CHECKING:
    from nltk.tree import Tree

PENN = ("ptb-sample", "ptb-sample-in-order", "ptb", "ptb-00")
"""The corpora with a name that are Penn trees, from which CCG derivations are made."""
SAMPLE_SPLITS = {"dev": range(1, 21), "test": range(21, 41), "train": range(41, 200)}
PENN_TREEBANK = Layout(
    what="the Penn Treebank",
    licence="LDC99T42",
    folder="ptb",
    variable="WORDORDER_LAB_PTB",
    inside=("", "wsj", "WSJ", "mrg/wsj", "parsed/mrg/wsj", "combined/wsj"),
    suffixes=(".mrg",),
    instead="ptb-sample",
)
TRACES_ONLY = "traces only"


class PennTree(NamedTuple):
    """A tree of a corpus with its sentence's name, and where its derivation comes from."""

    name: str
    tree: Tree
    source: PennDerivations
    place: int

    def sentence(self, units: str = "words", min_np_words: int = 1) -> Sentence | None:
        """The tree's sentence, its derivation made when asked for; ``None`` for traces only."""
        sentence = to_sentence(self.tree, units, min_np_words, self.name)
        if sentence is None:
            return None
        return sentence.with_derivation(
            partial(derivation_over, sentence.tokens, self.source, self.place)
        )

    @property
    def converted(self) -> Converted:
        """What came of the tree, from the cache if it is there."""
        return self.source[self.place]


def penn_reader(units: str, min_np_words: int) -> FileReader[Sentence]:
    """A function that reads bracket files into one ``Part`` with the given units."""

    def read(files: Sequence[AnyPath]) -> Part[Sentence]:
        trees = _trees(files)
        return Part.of((tree.sentence(units, min_np_words), TRACES_ONLY) for tree in trees)

    return read


def read_penn_trees(files: Sequence[AnyPath]) -> Part[PennTree]:
    """The same with a ``PennTree`` for each sentence."""
    trees = _trees(files)
    return Part.of((one if without_traces(one.tree) else None, TRACES_ONLY) for one in trees)


def _trees(files: Sequence[AnyPath]) -> Iterator[PennTree]:
    source, place = PennDerivations(files), 0
    for path in progress(files, "reading trees", few=20):
        for number, tree in enumerate(read_tree_file(path), start=1):
            yield PennTree(f"{path.name}:{number}", tree, source, place)
            place += 1


def sample_files(split: str, data: DataFolder = None) -> list[AnyPath]:
    """The files of one split of NLTK's sample, in order."""
    folder = find_nltk("treebank", "combined", data)
    return [folder / f"wsj_{number:04}.mrg" for number in SAMPLE_SPLITS[split]]


def named_trees(
    name: str, read: FileReader[Item], data: DataFolder = None, dev_section: int | None = None
) -> Readers[Item]:
    """The splits of one of ``PENN``; ``CorpusError`` where its files are not found."""
    if name in ("ptb", "ptb-00"):
        section = 22 if dev_section is None else dev_section
        return PENN_TREEBANK.licensed(read, 0 if name == "ptb-00" else section, data)
    files = {split: sample_files(split, data) for split in SAMPLE_SPLITS}
    if name == "ptb-sample":
        return {split: partial(read, files[split]) for split in files}
    return cut_in_three(partial(read, [path for split in files.values() for path in split]))


def trees_at(
    path: Path, read: FileReader[Item], dev_section: int | None = None
) -> Readers[Item] | None:
    """The splits of a file or folder of bracketed trees; ``None`` if it is no such thing."""
    if path.is_dir() and PENN_TREEBANK.sections(path):
        return PENN_TREEBANK.by_section(path, read, 22 if dev_section is None else dev_section)
    if path.is_dir() and CCGBANK.sections(path):
        return None
    files = PENN_TREEBANK.files(path)
    return cut_in_three(partial(read, files)) if files else None
