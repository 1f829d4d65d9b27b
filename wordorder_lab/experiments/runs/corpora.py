"""The corpora of runs, each read once in a process."""

from __future__ import annotations

from functools import cache

from wordorder_lab.corpora import load_compressions, load_corpus
from wordorder_lab.corpora.compressions import Compressions
from wordorder_lab.corpora.readers.corpus import Corpus


@cache
def corpus_of(name: str, units: str | None) -> Corpus:
    """A corpus that is read once in a process; raises as ``load_corpus``."""
    return load_corpus(name, units=units)


@cache
def pairs_of(name: str) -> Compressions:
    """Pairs of a corpus, read once in a process; raises as ``load_compressions``."""
    return load_compressions(name)
