"""From files to sentences with gold analyses."""

from wordorder_lab.corpora.compressions import Compressions, load_compressions
from wordorder_lab.corpora.readers.corpus import Corpus, CorpusError
from wordorder_lab.corpora.registry import CORPORA, load_corpus
from wordorder_lab.corpora.texts import TEXTS, Texts, load_texts

__all__ = [
    "CORPORA",
    "TEXTS",
    "Compressions",
    "Corpus",
    "CorpusError",
    "Texts",
    "load_compressions",
    "load_corpus",
    "load_texts",
]
