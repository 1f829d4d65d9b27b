"""Pairs that compressors learn from and are scored on: each is parsed once in a process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import NamedTuple

from nltk.tree import Tree

from wordorder_lab.corpora.compressions import Compressions
from wordorder_lab.corpora.treebanks import load_treebank
from wordorder_lab.experiments.runs import settings
from wordorder_lab.experiments.runs.schema import Table
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.messages import unknown_name
from wordorder_lab.systems import train
from wordorder_lab.systems.cohn_lapata_2009_training import document_of
from wordorder_lab.systems.parsed_pairs import as_separate, compressions_of
from wordorder_lab.systems.parser import CORPUS, TreebankParser, default_parser


@cache
def pairs_of(name: str, parser: str | None = None) -> Compressions:
    """Pairs of a corpus; raises as ``compressions_of``. Real text gets its trees from ``parser``, a
    name of ``TREES_OF``; without, from the default one."""
    return compressions_of(name, None if parser is None else parser_called(parser))


@cache
def parser_called(name: str) -> TreebankParser:
    """A parser of ``TREES_OF``, whose trees a run of real text is given.

    default    the Penn sample's training part, as ``default_parser`` has it
    tenth      every tenth sentence of that part: a worse parser
    with-gum   that part and the trees of GUM: one that also knows English of other kinds, and that
               brackets the Penn sample's development part no better

    They are trained alike. Raises ``ValueError`` for another name, ``CorpusError`` where a treebank
    is missing.
    """
    if name not in settings.TREES_OF:
        raise ValueError(unknown_name("parser", name, settings.TREES_OF))
    if name == settings.DEFAULT:
        return default_parser()
    trees = load_treebank(CORPUS if name == settings.WITH_TENTH else f"{CORPUS}+gum").train
    some = trees[::10] if name == settings.WITH_TENTH else trees
    parser: TreebankParser = train("parser", some, about={"corpus": name}, progress=False)
    return parser


Pairs = Sequence[CompressionPair]


class Parts(NamedTuple):
    """Pairs to learn from, and pairs that choose C and the rate; no document is in both."""

    learn: Pairs
    choose: Pairs


def parts_of(run: Table, cut: Callable[[Pairs], Pairs]) -> Parts:
    """The pairs that a run learns from and those that choose; ``cut`` leaves some of each away.
    Raises ``CorpusError`` without the data, and ``ValueError`` for a corpus of one document that is
    to be parted."""
    corpus = pairs_of(settings.learned_on(run), run.get("parser"))
    learn, choose = list(corpus.train), list(corpus.split(settings.DEV))
    if run.get("choose_on", settings.DEV) == settings.TENTH:
        learn, choose = hold_out(learn)
    if "documents" in run:
        wanted = set(islice(dict.fromkeys(map(document_of, learn)), run["documents"]))
        learn = [pair for pair in learn if document_of(pair) in wanted]
    learn = list(cut(learn))
    if "annotators" in run:
        annotators = run["annotators"]
        learn = as_separate([replace(pair, targets=pair.targets[:annotators]) for pair in learn])
    return Parts(learn, list(cut(choose)))


def hold_out(pairs: Pairs) -> tuple[list[CompressionPair], list[CompressionPair]]:
    """The pairs without every tenth of their documents, and those; of few the last document. Raises
    ``ValueError`` where all pairs are of one document."""
    documents = list(dict.fromkeys(map(document_of, pairs)))
    held = set(documents[9::10] or documents[-1:])
    if len(held) == len(documents):
        raise ValueError("pairs of one document cannot be parted: learn from more documents")
    apart: tuple[list[CompressionPair], list[CompressionPair]] = ([], [])
    for pair in pairs:
        apart[document_of(pair) in held].append(pair)
    return apart


def trees_of(pair: CompressionPair) -> list[str]:
    """The trees of a pair, each on a line of its own."""
    return [_flat(tree) for tree in (pair.source, *pair.targets)]


def _flat(tree: Tree) -> str:
    return str(tree.pformat(margin=10**9))
