"""What a run needs of its corpus, and what a corpus lacks: asked before anything is trained."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from wordorder_lab.corpora import CORPORA, CorpusError
from wordorder_lab.corpora.readers.corpus import Corpus
from wordorder_lab.experiments.runs.corpora import corpus_of, corpus_of_run
from wordorder_lab.experiments.runs.schema import Table
from wordorder_lab.experiments.runs.settings import FLOORS, FOLDS, task_of_run
from wordorder_lab.systems.registry import find

if TYPE_CHECKING:
    from wordorder_lab.experiments.measures.measure import Specification

LOOKED_AT = 20
"""Sentences: of a corpus that has derivations, some may have none."""


def check_corpora(specification: Specification) -> None:
    """Raise ``CorpusError`` with the name of a corpus and what it lacks that a run needs, and as
    ``load_corpus`` for one that is not here."""
    parts = specification.parts[: len(specification.runs)]
    for run in parts:
        if task_of_run(run) == "order" and run["corpus"] in CORPORA:
            for lacking in _lacks(run, specification.evaluate):
                raise CorpusError(f"{run['corpus']} has no {lacking}")


def _lacks(run: Table, conditions: Table) -> Iterator[str]:
    name, system = run["corpus"], run["system"]
    try:
        corpus = corpus_of(name, run["units"])
    except CorpusError as error:
        if run["units"] != "base-np" or corpus_of(name, None).units != "words":
            raise
        yield f"base NPs, which {system} is to be given: take --units words ({error})"
        return
    yield from _missing_splits(run, corpus, conditions)
    if system in FLOORS:
        return
    own = find(system)
    few = list(islice(corpus_of_run(run).train, LOOKED_AT))
    if own.needs_trees and any(sentence.is_plain for sentence in few):
        yield f"tags and trees, which {system} learns from: take a treebank"
    if own.needs_derivations and all(sentence.derivation is None for sentence in few):
        yield f"CCG derivations, which {system} learns from: take ptb-sample, gazette or sick-candc"


def _missing_splits(run: Table, corpus: Corpus, conditions: Table) -> Iterator[str]:
    if FOLDS in run:
        return
    for split in ("train", *conditions.get("split", [run["split"]] if "split" in run else [])):
        if split not in (*corpus.splits, "all"):
            yield f"{split} split, which is needed (it has {', '.join(corpus.splits)})"
