"""The Penn Treebank as splits: NLTK's sample, the whole Treebank, any folder of ``.mrg`` files.

A sentence's heads are the Penn tree's. Its CCG derivation (``penn_derivations``) has heads of its
own, and is made when it is first asked for.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wordorder_lab.corpora.penn_derivations import (
    Converted,
    PennDerivations,
    with_lazy_derivation,
)
from wordorder_lab.corpora.readers.corpus import Part, cut_in_three, progress
from wordorder_lab.corpora.readers.files import AnyPath, find_nltk
from wordorder_lab.corpora.readers.penn import read_tree_file, to_sentence, without_traces
from wordorder_lab.corpora.readers.sections import FileReader, Layout, Readers
from wordorder_lab.structures.sentence import Sentence

if TYPE_CHECKING:
    from nltk.tree import Tree

SAMPLE_SPLITS = {"dev": range(1, 21), "test": range(21, 41), "train": range(41, 200)}
"""The files wsj_0001 to wsj_0199 of NLTK's sample, by split."""
PENN_TREEBANK = Layout(
    what="the Penn Treebank",
    licence="LDC99T42",
    folder="ptb",
    variable="WORDORDER_LAB_PTB",
    inside=("", "wsj", "WSJ", "mrg/wsj", "parsed/mrg/wsj", "combined/wsj"),
    suffixes=(".mrg",),
    instead="ptb-sample",
)
"""The licensed Treebank, as the LDC's discs lay it out."""
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
        return sentence and with_lazy_derivation(sentence, self.source, self.place)

    @property
    def converted(self) -> Converted:
        """What came of the tree, from the cache if it is there."""
        return self.source[self.place]


def penn_reader(units: str, min_np_words: int) -> FileReader:
    """A function that reads bracket files into one ``Part`` with the given units."""

    def read(files: Sequence[AnyPath]) -> Part:
        sentences: list[Sentence] = []
        left_out: list[tuple[int, str]] = []
        for tree in _trees(files):
            sentence = tree.sentence(units, min_np_words)
            if sentence is None:
                left_out.append((len(sentences), TRACES_ONLY))
            else:
                sentences.append(sentence)
        return Part(tuple(sentences), tuple(left_out))

    return read


def read_penn_trees(files: Sequence[AnyPath]) -> Part[PennTree]:
    """The same with a ``PennTree`` for each sentence."""
    trees: list[PennTree] = []
    left_out: list[tuple[int, str]] = []
    for tree in _trees(files):
        if without_traces(tree.tree) is None:
            left_out.append((len(trees), TRACES_ONLY))
        else:
            trees.append(tree)
    return Part(tuple(trees), tuple(left_out))


def _trees(files: Sequence[AnyPath]) -> Iterator[PennTree]:
    """Every tree of the files, in order."""
    source, place = PennDerivations(files), 0
    for path in progress(files, "reading trees", few=20):
        for number, tree in enumerate(read_tree_file(path), start=1):
            yield PennTree(f"{path.name}:{number}", tree, source, place)
            place += 1


def sample_files(split: str, data: str | os.PathLike[str] | None = None) -> list[AnyPath]:
    """The files of one split of NLTK's sample, in order."""
    folder = find_nltk("treebank", "combined", data)
    return [folder / f"wsj_{number:04}.mrg" for number in SAMPLE_SPLITS[split]]


def sample(read: FileReader, data: str | os.PathLike[str] | None = None) -> Readers:
    """NLTK's 3,914 sentences: 20 files to tune on, 20 to test on, 159 to train on."""
    files = {split: sample_files(split, data) for split in SAMPLE_SPLITS}
    return {split: partial(read, files[split]) for split in files}


def sample_in_order(read: FileReader, data: str | os.PathLike[str] | None = None) -> Readers:
    """The same sentences cut in three as they come: 3,131 to train on, then 391, then 392."""
    files = [path for split in SAMPLE_SPLITS for path in sample_files(split, data)]
    return cut_in_three(cache(partial(read, files)))


def any_trees(read: FileReader, files: Sequence[Path]) -> Readers:
    """Other bracket files, in three by the order of their sentences; read once for all three."""
    return cut_in_three(cache(partial(read, files)))
