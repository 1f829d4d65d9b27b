"""A yardstick between random order and a trained system: word bigrams and a beam.

It knows which word followed which in training and nothing else, neither tags nor trees. How far a
linearizer is ahead of it says how much of a corpus cannot be had by remembering pairs of words.
"""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from wordorder_lab.corpora.readers.corpus import Corpus
from wordorder_lab.experiments.runs.evaluate import Evaluation, evaluate, random_order
from wordorder_lab.experiments.runs.schema import Row
from wordorder_lab.metrics.ordering import bleu_counts, score_ordering
from wordorder_lab.structures.bag import WordBag, bag_of
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems import train

NAME = "bigram-beam"
BORDER = ""
"""Stands before the first word and behind the last; no word is empty."""


@dataclass(frozen=True)
class Bigrams:
    """How often each word followed each other one; ``BORDER`` counts as a word."""

    pairs: Counter[tuple[str, str]]
    first: Counter[str]
    second: Counter[str]
    followers: dict[str, int]

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> Bigrams:
        """Count the surface words, base noun phrases taken apart."""
        pairs: Counter[tuple[str, str]] = Counter()
        for sentence in sentences:
            words = (BORDER, *sentence.surface, BORDER)
            pairs.update(pairwise(words))
        first: Counter[str] = Counter()
        second: Counter[str] = Counter()
        followers: dict[str, int] = defaultdict(int)
        for (one, two), count in pairs.items():
            first[one] += count
            second[two] += count
            followers[one] += 1
        return cls(pairs, first, second, dict(followers))

    def gain(self, one: str, two: str) -> float:
        """``log P(two | one) - log P(two)``: how much more likely a word is behind this one.

        P(two | one) is interpolated as Witten and Bell (1991) do it, P(two) has a count added to
        every word. Over a whole bag the second term is the same in every order; without it, a
        beam would prefer orders that put frequent words first.
        """
        seen, kinds = self.first[one], self.followers.get(one, 0)
        if not seen:
            return 0.0
        alone = (self.second[two] + 1) / (self.second.total() + len(self.second) + 1)
        together = (self.pairs[one, two] + kinds * alone) / (seen + kinds)
        return math.log(together / alone)

    def order(self, bag: WordBag, beam: int = 64) -> list[int]:
        """The best order that a beam finds, as indices into the bag.

        Partial orders of the same units with the same last one are one: only the best goes on. Of
        equal scores the one stays whose units come first in the alphabet, so that the order of the
        bag does not matter. Tags and heads of the bag are not looked at. Raises ``ValueError``
        for a beam below 1.
        """
        if beam < 1:
            raise ValueError(f"the beam ({beam}) is at least 1")
        kinds = WordBag(bag.words).types()
        units = [kind.words for kind, _ in kinds]
        gains = self._gains(units)
        hypotheses = [_Hypothesis(0.0, (), tuple(len(places) for _, places in kinds))]
        for _ in range(len(bag)):
            hypotheses = _best(_extended(hypotheses, gains), beam)
        last = [_Hypothesis(h.score + gains[h.last][-1], h.order, h.left) for h in hypotheses]
        left = [iter(places) for _, places in kinds]
        return [next(left[kind]) for kind in _best(last, 1)[0].order]

    def _gains(self, units: Sequence[tuple[str, ...]]) -> list[list[float]]:
        """What each unit gains behind each; the last row and column are those of ``BORDER``."""
        sides = [*units, (BORDER,)]
        return [[self.gain(one[-1], two[0]) for two in sides] for one in sides]


class _Hypothesis(NamedTuple):
    """A partial order: its score, the kinds of units in order, how many are left of each."""

    score: float
    order: tuple[int, ...]
    left: tuple[int, ...]

    @property
    def last(self) -> int:
        return self.order[-1] if self.order else -1


def _extended(
    hypotheses: Iterable[_Hypothesis], gains: Sequence[Sequence[float]]
) -> list[_Hypothesis]:
    """Every order with one unit more."""
    found = []
    for score, order, left in hypotheses:
        row = gains[order[-1] if order else -1]
        for kind, count in enumerate(left):
            if count:
                fewer = (*left[:kind], count - 1, *left[kind + 1 :])
                found.append(_Hypothesis(score + row[kind], (*order, kind), fewer))
    return found


def _best(found: list[_Hypothesis], beam: int) -> list[_Hypothesis]:
    found.sort(key=lambda h: (-h.score, h.order))
    kept: dict[tuple[int, tuple[int, ...]], _Hypothesis] = {}
    for hypothesis in found:
        kept.setdefault((hypothesis.last, hypothesis.left), hypothesis)
        if len(kept) == beam:
            break
    return list(kept.values())


def bigram_order(
    learned: Iterable[Sentence], sentences: Sequence[Sentence], *, beam: int = 64, seed: int = 1
) -> Evaluation:
    """Count the bigrams of ``learned`` and order the bags of ``sentences``; score the outcome.

    Raises ``ValueError`` for no sentences and a beam below 1.
    """
    bigrams = Bigrams.of(learned)
    begin = time.perf_counter()
    outputs = []
    for sentence in sentences:
        bag = bag_of(sentence, seed=seed)
        places = bigrams.order(bag, beam)
        outputs.append(" ".join(word for i in places for word in bag.words[i]))
    seconds = time.perf_counter() - begin
    references = [sentence.text for sentence in sentences]
    counts = bleu_counts(outputs, references)
    scores = score_ordering(outputs, references, seconds=seconds, counts=counts)
    condition = {"system": NAME, "beam": beam, "seed": seed}
    return Evaluation(condition, tuple(outputs), tuple(references), scores, counts["cased"])


def beside(corpus: Corpus, *, epochs: int = 10, beam: int = 64) -> list[Row]:
    """Random order, bigrams and a linearizer trained for this: rows of scores on the dev split.

    Tags are given, to the one system that looks at them. Raises ``CorpusError`` as ``corpus`` does.
    """
    about: Row = {"corpus": corpus.name, "units": corpus.units, "split": "dev"}
    about |= {"pos": 1, "deps": 0, "beam": beam, "epochs": epochs, "seed": 1}
    model = train("liu-2015", corpus.train, epochs=epochs, beam=beam, progress=False)
    done = (
        random_order(corpus.dev),
        bigram_order(corpus.train, corpus.dev, beam=beam),
        evaluate(model, corpus.dev),
    )
    return [
        {**about, "system": one.condition["system"], "bleu_cased": one.scores.bleu_cased}
        for one in done
    ]
