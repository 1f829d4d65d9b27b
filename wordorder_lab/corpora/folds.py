"""Folds: every sentence of a corpus is scored by a model that has not seen its document.

All splits of a corpus are put together and parted anew. A document stays whole, since sentences of
one resemble each other; a corpus without documents is cut into blocks of sentences that follow one
another. Documents go, in the order of their names, each to the fold that has fewest sentences yet:
so a fold has something of every part of a corpus that is ordered by genre or date.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from wordorder_lab.corpora.readers.corpus import Corpus, CorpusError, Part
from wordorder_lab.structures.sentence import Sentence

DOCUMENTS, BLOCKS = "documents", "blocks of sentences"
SECTION_00 = "section 00"
OF_00 = "wsj_00"
"""Begins the documents of the Penn Treebank's section 00, which is a development set of papers."""


@dataclass(frozen=True)
class Folds:
    """A corpus in ``number`` folds: the ``sentences`` of all its splits, ordered by document, with
    the fold of each, counted from 0; ``by`` is ``DOCUMENTS`` or ``BLOCKS``."""

    corpus: str
    units: str
    number: int
    sentences: tuple[Sentence, ...]
    fold: tuple[int, ...]
    by: str
    documents: int

    @classmethod
    def of(cls, corpus: Corpus, number: int) -> Folds:
        """Part a corpus. Raises ``CorpusError`` where it has fewer documents, or sentences, than
        there are to be folds."""
        every = sorted(corpus.every(), key=lambda sentence: sentence.document)
        sizes = Counter(sentence.document for sentence in every)
        known = "" not in sizes
        if (len(sizes) if known else len(every)) < number:
            raise CorpusError(
                f"{corpus.name} has {len(sizes) if known else len(every)} "
                f"{DOCUMENTS if known else 'sentences'}: it cannot be cut into {number} folds"
            )
        if known:
            fold_of = _least_filled(sizes, number)
            fold = tuple(fold_of[sentence.document] for sentence in every)
        else:
            fold = tuple(place * number // len(every) for place in range(len(every)))
        by = DOCUMENTS if known else BLOCKS
        documents = len(sizes) if known else 0
        return cls(corpus.name, corpus.units, number, tuple(every), fold, by, documents)

    def part(self, fold: int) -> Corpus:
        """The corpus whose ``test`` is this fold, and whose ``train`` is all others."""
        held_out = [s for s, own in zip(self.sentences, self.fold) if own == fold]
        rest = [s for s, own in zip(self.sentences, self.fold) if own != fold]
        parts = {"train": Part(tuple(rest)), "test": Part(tuple(held_out))}
        readers = {name: lambda part=part: part for name, part in parts.items()}
        return Corpus(self.corpus, self.units, readers)

    def places(self, fold: int) -> list[int]:
        """Where the sentences of a fold stand among all."""
        return [place for place, own in enumerate(self.fold) if own == fold]

    def described(self) -> dict[str, object]:
        """What a record says of them: JSON-ready. ``apart`` names places that are reported apart,
        from the first to behind the last: those of section 00 of the Penn Treebank."""
        of_00 = [i for i, s in enumerate(self.sentences) if s.document.startswith(OF_00)]
        apart = {SECTION_00: [of_00[0], of_00[-1] + 1]} if of_00 else {}
        sizes = [self.fold.count(fold) for fold in range(self.number)]
        about = {"number": self.number, "by": self.by, "documents": self.documents}
        return {**about, "sentences": sizes, "apart": apart}


def _least_filled(sizes: Counter[str], number: int) -> dict[str, int]:
    filled, fold_of = [0] * number, {}
    for document, size in sizes.items():
        fold = min(range(number), key=lambda one: (filled[one], one))
        fold_of[document] = fold
        filled[fold] += size
    return fold_of
