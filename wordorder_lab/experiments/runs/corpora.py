"""What runs learn from and are scored on, read once in a process."""

from __future__ import annotations

from functools import cache

from wordorder_lab.corpora import load_corpus
from wordorder_lab.corpora.folds import Folds
from wordorder_lab.corpora.lemma_corpora import load_lemma_trees
from wordorder_lab.corpora.readers.corpus import Corpus
from wordorder_lab.experiments.runs import settings
from wordorder_lab.experiments.runs.schema import Table


@cache
def corpus_of(name: str, units: str | None) -> Corpus:
    """A corpus of sentences; raises as ``load_corpus``."""
    return load_corpus(name, units=units)


@cache
def folds_of(name: str, units: str | None, number: int) -> Folds:
    """A corpus of sentences in folds; raises as ``load_corpus`` and ``Folds.of``."""
    return Folds.of(corpus_of(name, units), number)


def corpus_of_run(run: Table) -> Corpus:
    """What a run learns from and is scored on; of a run of one fold this is its ``test``."""
    name, units = run["corpus"], run["units"]
    if settings.FOLD not in run:
        return corpus_of(name, units)
    return folds_of(name, units, run[settings.FOLDS]).part(run[settings.FOLD])


lemma_corpus = cache(load_lemma_trees)
