"""A parser on sentences with gold trees: labelled brackets with tags given and not, and speed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wordorder_lab.corpora.readers.penn import without_traces
from wordorder_lab.corpora.treebanks import TreebankTree
from wordorder_lab.metrics.evalb import BracketScores, bracket_scores
from wordorder_lab.runtime.progress import progress_bar
from wordorder_lab.structures.head_rules import bare_label
from wordorder_lab.systems.parser import LONGEST, Parse, TreebankParser

if TYPE_CHECKING:
    from nltk.tree import Tree

SHORT = 40
"""Words of a sentence, at most, in what the literature calls short ones."""


@dataclass(frozen=True)
class ParsingScores:
    """Brackets with gold tags and with the parser's own, for all sentences and for short ones.

    ``fallbacks`` of each are the sentences for which the grammar had no tree, ``left_out`` those
    that are too long. Sentences a second of the processor are those of up to ``SHORT`` words.
    """

    tags_given: BracketScores
    tags_guessed: BracketScores
    short_given: BracketScores
    short_guessed: BracketScores
    fallbacks_given: int
    fallbacks_guessed: int
    sentences: int
    left_out: int
    per_second_given: float
    per_second_guessed: float

    def to_dict(self) -> dict[str, Any]:
        """As JSON-ready values."""
        return {
            name: value.to_dict() if isinstance(value, BracketScores) else value
            for name, value in self.__dict__.items()
        }


def evaluate_parser(
    parser: TreebankParser,
    trees: Sequence[TreebankTree],
    *,
    beam: float | None = None,
    engine: str | None = None,
) -> ParsingScores:
    """Parse the sentences with their gold tags, and once more without.

    Raises ``ValueError`` where no sentence is short enough to be parsed.
    """
    gold = short_enough_to_parse(trees)
    parser.parse(gold[0][1].leaves()[:1], engine=engine)  # compiles before the clock starts
    given, seconds = parses_of(parser, gold, True, beam, engine)
    guessed, more_seconds = parses_of(parser, gold, False, beam, engine)
    short = [len(tree.leaves()) <= SHORT for _, tree in gold]
    few = short if any(short) else [True] * len(gold)
    return ParsingScores(
        _scores(gold, given, [True] * len(gold)),
        _scores(gold, guessed, [True] * len(gold)),
        _scores(gold, given, few),
        _scores(gold, guessed, few),
        sum(parse.fallback for parse in given),
        sum(parse.fallback for parse in guessed),
        len(gold),
        len(trees) - len(gold),
        sum(short) / max(seconds, 1e-9),
        sum(short) / max(more_seconds, 1e-9),
    )


def short_enough_to_parse(trees: Sequence[TreebankTree]) -> list[tuple[str, Tree]]:
    """Names and gold trees, without traces, of the sentences that a parser takes.

    Raises ``ValueError`` where there is none.
    """
    gold: list[tuple[str, Tree]] = []
    for one in trees:
        tree = without_traces(one.tree)
        if tree is not None and len(tree.leaves()) <= LONGEST:
            gold.append((one.name, tree))
    if not gold:
        raise ValueError("no sentences to score on: give at least one")
    return gold


def parses_of(
    parser: TreebankParser,
    gold: Sequence[tuple[str, Tree]],
    with_tags: bool,
    beam: float | None = None,
    engine: str | None = None,
) -> tuple[list[Parse], float]:
    """The parses, and the processor's seconds for the sentences of up to ``SHORT`` words."""
    parses, seconds = [], 0.0
    for _, tree in progress_bar(gold, desc="parsing", delay=2, leave=False):
        tags = [bare_label(tag) for _, tag in tree.pos()] if with_tags else None
        begin = time.process_time()
        parses.append(parser.parse(tree.leaves(), tags, beam=beam, engine=engine))
        if len(tree.leaves()) <= SHORT:
            seconds += time.process_time() - begin
    return parses, seconds


def _scores(
    gold: Sequence[tuple[str, Tree]], parses: Sequence[Parse], counted: Sequence[bool]
) -> BracketScores:
    rows = [(*one, parse.tree) for one, parse, here in zip(gold, parses, counted) if here]
    names, trees, outputs = zip(*rows)
    return bracket_scores(trees, outputs, names)
