"""All English sentences that cost nothing, as one corpus: Penn sample, EWT, GUM, Gazette.

Units are plain words. Tags are universal: UD's own UPOS, and for the Penn sample and the Gazette
what their Penn tags come to. It is there to see how a system grows with what it learns from
(``wordorder-lab bench --growth``); scores of it belong to no paper.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial

from wordorder_lab.corpora import gazette_corpus, penn_corpora, ud_corpora
from wordorder_lab.corpora.readers.conllu import read_conllu
from wordorder_lab.corpora.readers.corpus import SPLITS, Part
from wordorder_lab.corpora.readers.sections import Readers
from wordorder_lab.corpora.universal_tags import with_universal_tags

NAME = "free-english"


def splits(data: str | os.PathLike[str] | None = None) -> Readers:
    """Each split: that of the Penn sample, then those of EWT, GUM and the Gazette.

    Raises ``CorpusError`` where one of them is not found, with the command that gets it.
    """
    read = penn_corpora.penn_reader("words", 1)
    read_upos = partial(read_conllu, universal=True)
    sources = [
        _mapped(penn_corpora.sample(read, data)),
        *(ud_corpora.named_treebank(name, data, read_upos) for name in ud_corpora.TREEBANKS),
        _mapped(gazette_corpus.splits(read)),
    ]
    return {split: partial(_joined, [source[split] for source in sources]) for split in SPLITS}


def _mapped(readers: Readers) -> Readers:
    return {split: partial(_universal, reader) for split, reader in readers.items()}


def _universal(reader: Callable[[], Part]) -> Part:
    part = reader()
    return Part(tuple(map(with_universal_tags, part.sentences)), part.left_out)


def _joined(readers: Sequence[Callable[[], Part]]) -> Part:
    """The parts behind one another; what was left out keeps its place."""
    sentences: list = []
    left_out: list[tuple[int, str]] = []
    for reader in readers:
        part = reader()
        left_out += [(len(sentences) + place, why) for place, why in part.left_out]
        sentences += part.sentences
    return Part(tuple(sentences), tuple(left_out))
