"""What notebook 42 works with: a parser, pairs of real text, or the Gazette where there is none.

Corpora belong to others, so they are on some machines and not on others. Everything in the notebook
runs on either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from wordorder_lab.corpora.readers.corpus import CorpusError
from wordorder_lab.corpora.texts import load_texts
from wordorder_lab.corpora.treebanks import load_treebank
from wordorder_lab.structures.compression import CompressionPair, TextPair
from wordorder_lab.systems import train
from wordorder_lab.systems.parsed_pairs import every_sentence, parsed, with_trees
from wordorder_lab.systems.parser import default_parser

SPOKEN = "clarke-lapata-spoken"
SHORTEST, LONGEST = 6, 22
"""Words of a sentence that is learned from or tried: short ones are parsed in a moment."""
LEARNED, TRIED = 120, 24
"""So many sentences are learned from, and so many are held out."""
TREES = 500
"""Trees of the Gazette that a parser learns from, where there is no other."""


@dataclass(frozen=True)
class Material:
    """A parser, pairs to learn from and pairs held out; ``texts`` are all that people shortened.

    ``name`` is the corpus; ``texts`` is empty where it is the Gazette's, ``parser_of`` what the
    parser has read.
    """

    name: str
    parser: Any
    parser_of: str
    train: tuple[CompressionPair, ...]
    held_out: tuple[CompressionPair, ...]
    texts: tuple[TextPair, ...] = field(default=(), repr=False)

    @property
    def is_real(self) -> bool:
        """Whether people have made the compressions."""
        return bool(self.texts)

    def __str__(self) -> str:
        says = f"The parser has read {self.parser_of}. "
        learned = f"{len(self.train)} pairs to learn from, {len(self.held_out)} held out"
        if self.is_real:
            return f"{says}Compressions are those of {self.name}: {learned}."
        return (
            f"{says}{SPOKEN} is not on this machine (no command gets it: it belongs to others), so "
            f"compressions are the deletions of {self.name}: {learned}. All cells run; sentences "
            "are simpler, and numbers look better than they would on real text."
        )


def material(others: Any, *, learned: int = LEARNED, tried: int = TRIED) -> Material:
    """CLspoken with trees where it is to be had, otherwise the deletions of ``others``.

    ``others`` is a corpus of pairs of trees, as ``load_compressions`` gives it.
    """
    parser, parser_of = _parser()
    try:
        texts = load_texts(SPOKEN)
        train, dev = tuple(texts.train), tuple(texts.dev)
    except CorpusError:
        train_pairs, dev_pairs = (_deletions(split) for split in (others.train, others.dev))
        return Material(others.name, parser, parser_of, train_pairs[:learned], dev_pairs[:tried])
    pairs = [_with_trees(part, parser, most) for part, most in ((train, learned), (dev, tried))]
    return Material(SPOKEN, parser, parser_of, pairs[0], pairs[1], (*train, *dev))


def _parser() -> tuple[Any, str]:
    try:
        return default_parser(), "the Penn sample"
    except CorpusError:
        trees = load_treebank("gazette").train[:TREES]
        return train("parser", trees, progress=False), "the Gazette's trees"


def _deletions(pairs: Sequence[CompressionPair]) -> tuple[CompressionPair, ...]:
    return tuple(
        pair
        for pair in pairs
        if pair.kind == "deletion" and SHORTEST <= len(pair.source.leaves()) <= LONGEST
    )


def _with_trees(texts: Sequence[TextPair], parser: Any, most: int) -> tuple[CompressionPair, ...]:
    """The first sentences of the right length whose compressions are shorter, parsed."""
    chosen = [
        text
        for text in texts
        if SHORTEST <= len(text.source) <= LONGEST
        and any(len(target) < len(text.source) for target in text.targets)
    ][:most]
    trees = parsed(every_sentence(chosen), parser, progress=False)
    return with_trees(chosen, trees)[0].sentences
