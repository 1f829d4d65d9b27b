"""A parser on gold trees, a supertagger on gold categories: with gold tags, and with their own."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from wordorder_lab.corpora.readers.penn import without_traces
from wordorder_lab.corpora.treebanks import TreebankTree
from wordorder_lab.experiments.runs.map_in_order import Timed, predictions, timed
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.metrics.evalb import BracketScores, bracket_scores
from wordorder_lab.structures.combinators import PUNCTUATION
from wordorder_lab.structures.head_rules import bare_label
from wordorder_lab.structures.plain_tree import Tree
from wordorder_lab.structures.sentence import Supertagged
from wordorder_lab.systems.parser import LONGEST, Parse, TreebankParser
from wordorder_lab.systems.supertagger import Supertagger, Tagged

SHORT = 40
NONE_TO_SCORE = "no sentences to score on: give at least one"

Gold = Sequence[tuple[str, Tree]]


@dataclass(frozen=True)
class ParsingScores:
    """Brackets with gold tags and with the parser's own, for all sentences and for short ones.
    ``fallbacks`` of each are the sentences for which the grammar had no tree, ``left_out`` those
    that are too long. Sentences a second of the processor are those of up to ``SHORT`` words."""

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

    def to_dict(self) -> Row:
        """As JSON-ready values."""
        return {
            name: value.to_dict() if isinstance(value, BracketScores) else value
            for name, value in self.__dict__.items()
        }


def evaluate_parser(
    parser: TreebankParser,
    trees: Sequence[TreebankTree],
    *,
    engine: str | None = None,
    **search: Any,
) -> ParsingScores:
    """Parse the sentences with their gold tags, and once more without. ``search`` are settings as
    ``parse`` takes them. Raises ``ValueError`` where no sentence is short enough to be parsed."""
    gold = short_enough_to_parse(trees)
    every = range(len(gold))
    short = [i for i, (_, tree) in enumerate(gold) if _length(tree) <= SHORT]
    (given, given_seconds), (guessed, guessed_seconds) = (
        parses_of(parser, gold, with_tags, engine=engine, **search) for with_tags in (True, False)
    )
    return ParsingScores(
        tags_given=_brackets(gold, given, every),
        tags_guessed=_brackets(gold, guessed, every),
        short_given=_brackets(gold, given, short or every),
        short_guessed=_brackets(gold, guessed, short or every),
        fallbacks_given=sum(parse.fallback for parse in given),
        fallbacks_guessed=sum(parse.fallback for parse in guessed),
        sentences=len(gold),
        left_out=len(trees) - len(gold),
        per_second_given=len(short) / max(given_seconds, 1e-9),
        per_second_guessed=len(short) / max(guessed_seconds, 1e-9),
    )


def short_enough_to_parse(trees: Sequence[TreebankTree]) -> list[tuple[str, Tree]]:
    """Names and gold trees, without traces, of the sentences that a parser takes. Raises
    ``ValueError`` where there is none."""
    bare = [(one.name, without_traces(one.tree)) for one in trees]
    gold = [
        (name, tree) for name, tree in bare if tree is not None and len(tree.leaves()) <= LONGEST
    ]
    if not gold:
        raise ValueError(NONE_TO_SCORE)
    return gold


def parses_of(
    parser: TreebankParser, gold: Gold, with_tags: bool, **search: Any
) -> tuple[list[Parse], float]:
    """The parses, and the processor's seconds for the sentences of up to ``SHORT`` words."""
    trees = [tree for _, tree in gold]
    work = partial(_parse, with_tags, search)
    done = predictions(work, parser, trees, what="parsing", size=_length)
    seconds = [one.seconds for tree, one in zip(trees, done) if _length(tree) <= SHORT]
    return [one.output for one in done], sum(seconds)


def _parse(with_tags: bool, search: Row, parser: TreebankParser, tree: Tree) -> Timed[Parse]:
    tags = [bare_label(tag) for _, tag in tree.pos()] if with_tags else None
    return timed(partial(parser.parse, tree.leaves(), tags, **search), time.process_time)


def _length(tree: Tree) -> int:
    return len(tree.leaves())


def _brackets(gold: Gold, parses: Sequence[Parse], places: Sequence[int]) -> BracketScores:
    names, trees = zip(*(gold[i] for i in places))
    return bracket_scores(trees, [parses[i].tree for i in places], names)


BETAS = (0.075, 0.03, 0.01, 0.005, 0.001, 0.0001)
"""From the cut for newspaper text to the smallest of Zhang & Clark (2011)."""
PAPER = {0.075: 1.3, 0.0001: 5.4}
"""Categories a word in Zhang & Clark (2011, section 6.1), by C&C's supertagger on section 00."""


class Kept(NamedTuple):
    """What a beta keeps: categories a word, and the share of words whose gold one is kept."""

    beta: float
    categories: float
    coverage: float


@dataclass(frozen=True)
class TaggingScores:
    """Shares of words that are right, and rows of ``Kept``.

    ``accuracy`` is that with gold tags, punctuation counted; ``without_marks`` leaves the marks
    out, whose category is hardly ever in doubt. ``baseline`` is each word's most frequent category,
    or its tag's; ``guessed`` the accuracy with guessed tags, of which ``tags_guessed`` are gold.
    """

    sentences: int
    words: int
    accuracy: float
    without_marks: float
    baseline: float
    guessed: float
    tags_guessed: float
    kept: tuple[Kept, ...]
    words_per_second: float

    def to_dict(self) -> Row:
        """As JSON-ready values."""
        return {**self.__dict__, "kept": [row._asdict() for row in self.kept]}


def evaluate_supertagger(
    tagger: Supertagger,
    sentences: Sequence[Supertagged],
    *,
    betas: Sequence[float] = BETAS,
    engine: str | None = None,
) -> TaggingScores:
    """Tag the sentences with their gold tags, and once more with guessed ones. The speed is that of
    the smallest beta, with gold tags, in seconds of the processor. Raises ``ValueError`` for no
    sentences."""
    if not sentences:
        raise ValueError(NONE_TO_SCORE)
    given, guess = partial(_tag, True, min(betas), engine), partial(_tag, False, 1.0, engine)
    done = predictions(given, tagger, sentences, what="tagging", size=len)
    unknown = predictions(guess, tagger, sentences, what="tagging", size=len)
    outputs = [one.output for one in done]
    words = sum(map(len, sentences))
    marks = sum(gold.text in PUNCTUATION for one in sentences for gold in one.categories)
    usual = same_tags = 0
    for sentence in sentences:
        guessed = tagger.full_tags(sentence.words, [None] * len(sentence))
        every = zip(sentence.words, sentence.pos, sentence.categories, guessed)
        for unit, tag, category, own_tag in every:
            usual += tagger.usual_category(unit, tag) == str(category)
            same_tags += tag == own_tag
    return TaggingScores(
        sentences=len(sentences),
        words=words,
        accuracy=_right(sentences, outputs) / words,
        without_marks=_right(sentences, outputs, PUNCTUATION) / max(words - marks, 1),
        baseline=usual / words,
        guessed=_right(sentences, [one.output for one in unknown]) / words,
        tags_guessed=same_tags / words,
        kept=tuple(_kept(sentences, outputs, words, beta) for beta in betas),
        words_per_second=words / max(sum(one.seconds for one in done), 1e-9),
    )


def _tag(
    with_tags: bool, beta: float, engine: str | None, tagger: Supertagger, sentence: Supertagged
) -> Timed[list[Tagged]]:
    given = sentence if with_tags else list(sentence.words)
    return timed(partial(tagger.tag, given, beta=beta, engine=engine), time.process_time)


def _right(
    sentences: Sequence[Supertagged],
    outputs: Sequence[list[Tagged]],
    but_for: frozenset[str] = frozenset(),
) -> int:
    return sum(
        of_word[0][0] is gold and gold.text not in but_for
        for one, output in zip(sentences, outputs, strict=True)
        for of_word, gold in zip(output, one.categories, strict=True)
    )


def _kept(
    sentences: Sequence[Supertagged], outputs: Sequence[list[Tagged]], words: int, beta: float
) -> Kept:
    categories = covered = 0
    for one, output in zip(sentences, outputs):
        for of_word, gold in zip(output, one.categories):
            kept = [category for category, share in of_word if share >= beta * of_word[0][1]]
            categories += len(kept)
            covered += gold in kept
    return Kept(beta, categories / words, covered / words)
