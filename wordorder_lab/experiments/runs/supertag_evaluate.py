"""A supertagger on sentences with gold categories: how often it is right, and what beta keeps."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from wordorder_lab.structures.combinators import PUNCTUATION
from wordorder_lab.structures.sentence import Supertagged
from wordorder_lab.systems.supertagger import Supertagger, Tagged

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
    or its tag's; ``guessed`` the accuracy with tags that are guessed, and ``tags_guessed`` how many
    of these are gold.
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

    def to_dict(self) -> dict[str, Any]:
        """As JSON-ready values."""
        rows = [row._asdict() for row in self.kept]
        return {**self.__dict__, "kept": rows}


def evaluate_supertagger(
    tagger: Supertagger,
    sentences: Sequence[Supertagged],
    *,
    betas: Sequence[float] = BETAS,
    engine: str | None = None,
) -> TaggingScores:
    """Tag the sentences with their gold tags, and once more with guessed ones.

    The speed is that of the smallest beta, with gold tags, in seconds of the processor. Raises
    ``ValueError`` for no sentences.
    """
    if not sentences:
        raise ValueError("no sentences to score on: give at least one")
    tagger.tag(sentences[0], engine=engine)  # compiles before the clock starts
    begin = time.process_time()
    outputs = [tagger.tag(one, beta=min(betas), engine=engine) for one in sentences]
    seconds = max(time.process_time() - begin, 1e-9)
    unknown = [tagger.tag(list(one.words), beta=1, engine=engine) for one in sentences]
    words = sum(map(len, sentences))
    marks = sum(gold.text in PUNCTUATION for one in sentences for gold in one.categories)
    usual = same_tags = 0
    for one in sentences:
        guessed = tagger.full_tags(one.words, [None] * len(one))
        for unit, tag, guess, gold in zip(one.words, one.pos, guessed, one.categories):
            usual += tagger.usual_category(unit, tag) == str(gold)
            same_tags += tag == guess
    return TaggingScores(
        len(sentences),
        words,
        _right(sentences, outputs) / words,
        _right(sentences, outputs, PUNCTUATION) / max(words - marks, 1),
        usual / words,
        _right(sentences, unknown) / words,
        same_tags / words,
        tuple(_kept(sentences, outputs, words, beta) for beta in betas),
        words / seconds,
    )


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
