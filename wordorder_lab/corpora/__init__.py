"""From files to sentences with gold analyses."""

from wordorder_lab.corpora.compressions import Compressions, load_compressions
from wordorder_lab.corpora.readers.corpus import Corpus, CorpusError
from wordorder_lab.corpora.registry import CORPORA, load_corpus

__all__ = [
    "CORPORA",
    "Compressions",
    "Corpus",
    "CorpusError",
    "load_compressions",
    "load_corpus",
]
