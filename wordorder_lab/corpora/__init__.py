"""From files to sentences with gold analyses."""

from wordorder_lab.corpora.corpus import Corpus, CorpusError
from wordorder_lab.corpora.registry import CORPORA, load_corpus

__all__ = ["CORPORA", "Corpus", "CorpusError", "load_corpus"]
