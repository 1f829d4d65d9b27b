"""Pairs dealt into folds, and the text that n-grams are counted in.

A source that three people have shortened is three pairs to learn from (their names end in ``#1``,
``#2``, ``#3``). Its words are in the text once all the same, and no fold learns from a document
that another one is scored on: whoever has read the news of half past six knows its names.

Differences
- *Paper silent*: Cohn & Lapata (2009), section 6.1, has the n-grams of other text, the BNC, and so
  no need of folds.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence

from wordorder_lab.structures.compression import CompressionPair

ANNOTATOR = re.compile(r"#\d+$")
SENTENCE = re.compile(r"\.\d+$")


def folds_of(pairs: Sequence[CompressionPair], folds: int) -> list[int]:
    """The fold of each pair, a number from 0; pairs of one document are in one fold.

    The documents are dealt out as they come, each to the fold that has the fewest pairs so far, of
    equal ones to the first. With fewer documents than ``folds`` there are so many folds.
    """
    sizes: dict[Hashable, int] = {}
    documents = [document_of(pair) for pair in pairs]
    for document in documents:
        sizes[document] = sizes.get(document, 0) + 1
    dealt = [0] * min(folds, len(sizes))
    fold_of: dict[Hashable, int] = {}
    for document, size in sizes.items():
        fold = fold_of[document] = dealt.index(min(dealt))
        dealt[fold] += size
    return [fold_of[document] for document in documents]


def ngram_text(pairs: Sequence[CompressionPair]) -> Iterator[list[str]]:
    """The sentences of the pairs: each source once, whoever has shortened it, and every target."""
    seen = set()
    for pair in pairs:
        source = _sentence(pair)
        if source not in seen:
            seen.add(source)
            yield pair.source.leaves()
        yield pair.target.leaves()


def _sentence(pair: CompressionPair) -> tuple[str, ...]:
    """What pairs of one source have in common: the name without the annotator, and the words."""
    return (ANNOTATOR.sub("", pair.name), *pair.source.leaves())


def document_of(pair: CompressionPair) -> Hashable:
    """What pairs of one document have in common: a name without the number of the sentence.

    Names that have none, as the Gazette's, are a document each; of pairs without a name those with
    the same source are one.
    """
    name = ANNOTATOR.sub("", pair.name)
    return SENTENCE.sub("", name) if name else tuple(pair.source.leaves())
