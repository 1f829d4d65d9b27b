"""A language model beside syntax: what it adds to the score of a SHIFT.

After Zhang, Blackwood & Clark 2012, who put n-grams into a syntactic search: the score of a
derivation is that of its features plus a weight times the log-probability of its words. A SHIFT
says which words come next, so it pays for them:

    gain(SHIFT-i) = log p(words of i | words shifted before) - log p(words of i | nothing)
    the last SHIFT adds log p(end of the sentence | all words)
    score(SHIFT-i) = features + weight * gain(SHIFT-i)

Inside a base NP that is kept whole every word counts, each after those before it.

Differences
- *Paper silent*: states of one beam have shifted different numbers of words, and every word costs.
  So what a word would cost without a context is taken off: over a whole bag that is the same in
  every order, and on the way it is the future cost of Schmaltz, Rush & Shieber (2016), that of the
  words left over.
- *Our reading*: that paper is not among those at hand. The weight is one number, chosen on held-out
  sentences after training, and features are learned without the model unless that is asked for
  (``lm_in_training``). Features that were learned beside it leave more to it, and want a larger
  weight. A weight learned by the perceptron, as that of one more feature or of one for each bin of
  gains, was tried and left out: it came out below the weight that is chosen afterwards.
- *Our reading*: a gain is rounded to 1/256. So sums stay exact, as those of the features are
  (``packed_weights``), and derivations that come to the same words and arcs in another order of
  actions tie, as they do without a model.
"""

from __future__ import annotations

import math

from wordorder_lab.models.ngram import END_ID, START_ID, NGramModel
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.transition.state import SHIFT, State

GRID = 256
"""Gains are multiples of 1 / GRID."""


class ShiftGains:
    """What a language model says of the SHIFTs of one sentence; ``weight`` is what a unit counts.
    The weight is a multiple of a power of two, or sums would not be exact."""

    def __init__(self, ngrams: NGramModel, weight: float, problem: OrderingProblem) -> None:
        self.ngrams, self.weight, self.problem = ngrams, weight, problem
        self.words = [tuple(ngrams.word_id(word) for word in item.read) for item in problem.items]
        self.alone = [self._log_prob((), words) for words in self.words]
        self._kept: dict[tuple[tuple[int, ...], int, bool], float] = {}

    def score(self, state: State, action: int) -> float:
        """What the score of a SHIFT has beside its features."""
        return self.weight * self.gain(state, action - SHIFT)

    def gain(self, state: State, item: int) -> float:
        """What the SHIFT of an item gains in this state, its end included if it is the last."""
        before = self._before(state)
        key = before, item, len(state.order) + 1 == self.problem.size
        if key not in self._kept:
            self._kept[key] = self._gain(*key)
        return self._kept[key]

    def _gain(self, before: tuple[int, ...], item: int, closes: bool) -> float:
        words = self.words[item]
        gain = on_grid(self._log_prob(before, words) - self.alone[item])
        if closes:
            gain += on_grid(self.ngrams.log_prob((*before, *words), END_ID))
        return gain

    def _before(self, state: State) -> tuple[int, ...]:
        """The words before the next one, as many as the model may look at."""
        most = self.ngrams.order - 1
        before: tuple[int, ...] = ()
        for item in reversed(state.order):
            if len(before) >= most:
                break
            before = (*self.words[item], *before)
        else:
            before = (START_ID, *before)
        return before[max(0, len(before) - most) :]

    def _log_prob(self, before: tuple[int, ...], words: tuple[int, ...]) -> float:
        total = 0.0
        for word in words:
            total += self.ngrams.log_prob(before, word)
            before = (*before, word)
        return total


def on_grid(log: float) -> float:
    """A logarithm, rounded."""
    return math.floor(log * GRID + 0.5) / GRID
