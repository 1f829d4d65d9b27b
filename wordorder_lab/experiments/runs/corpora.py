"""What runs learn from and are scored on, read once in a process, and what tells it from others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from wordorder_lab.corpora import TEXTS, load_corpus, load_texts
from wordorder_lab.corpora.compressions import Compressions
from wordorder_lab.corpora.folds import Folds
from wordorder_lab.corpora.lemma_corpora import load_lemma_trees
from wordorder_lab.corpora.readers.corpus import Corpus
from wordorder_lab.corpora.treebanks import load_treebank
from wordorder_lab.experiments.runs import settings
from wordorder_lab.experiments.runs.schema import Table
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.messages import unknown_name
from wordorder_lab.systems import train

if TYPE_CHECKING:
    from nltk.tree import Tree

    from wordorder_lab.systems.parser import TreebankParser


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


@cache
def pairs_of(name: str, parser: str | None = None) -> Compressions:
    """Pairs of a corpus; raises as ``compressions_of``. Real text gets its trees from ``parser``, a
    name of ``TREES_OF``; without, from the default one."""
    # Here, and not above: it brings nltk, for which a program that orders words need not wait.
    from wordorder_lab.systems.parsed_pairs import compressions_of

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
    # Here for the same reason.
    from wordorder_lab.systems.parser import CORPUS, default_parser

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
    from wordorder_lab.systems.cohn_lapata_2009_training import document_of
    from wordorder_lab.systems.parsed_pairs import as_separate

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
    from wordorder_lab.systems.cohn_lapata_2009_training import document_of

    documents = list(dict.fromkeys(map(document_of, pairs)))
    held = set(documents[9::10] or documents[-1:])
    if len(held) == len(documents):
        raise ValueError("pairs of one document cannot be parted: learn from more documents")
    apart: tuple[list[CompressionPair], list[CompressionPair]] = ([], [])
    for pair in pairs:
        apart[document_of(pair) in held].append(pair)
    return apart


def corpus_lines(name: str, units: str) -> Iterator[bytes]:
    """All examples of a corpus with these units, a line each; raises ``CorpusError`` for none. Of
    real text it is the words: its trees come from a parser, which is code."""
    line: Callable[[Any], str]
    corpus: Any
    if units == settings.TREES:
        corpus, line = load_treebank(name), lambda one: f"{one.name} {_flat(one.tree)}"
    elif units == settings.LEMMAS:
        corpus, line = lemma_corpus(name), lambda one: f"{one.name} {one.nodes!r} {one.reference!r}"
    elif units == settings.PAIRS and name in TEXTS:
        corpus, line = load_texts(name), lambda one: f"{one.name} {one.source} {one.targets}"
    elif units == settings.PAIRS:
        corpus, line = pairs_of(name), lambda one: f"{one.kind} {trees_of(one)} {one.alignment}"
    else:
        corpus, line = corpus_of(name, units), lambda one: repr(one.tokens)
    for split in corpus.splits:
        for one in corpus.split(split):
            yield f"{split} {line(one)}\n".encode()


def trees_of(pair: CompressionPair) -> list[str]:
    """The trees of a pair, each on a line of its own."""
    return [_flat(tree) for tree in (pair.source, *pair.targets)]


def _flat(tree: Tree) -> str:
    return str(tree.pformat(margin=10**9))
