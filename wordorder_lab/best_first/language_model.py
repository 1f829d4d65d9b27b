"""A language model in a best-first search: what n-grams add to the score of an edge.

After Zhang, Blackwood & Clark 2012: n-grams count inside an edge, and where two edges are joined
those across the seam. So an edge is scored by the words that it has:

    gain(w)  log p(w | the words of the edge before w) - log p(w)
    G(e)     gain(w) over all words of e
    f(e)     Phi(e) . theta + weight * G(e)

When ``right`` is put after ``left``, only the first words of ``right``, order - 1 at most, get a
longer history; all other gains stay as they were. A goal has the sentence's borders, too: its first
words come after the mark of the beginning, and the mark of the end after its last ones. Inside a
base NP that is kept whole every word counts.

Differences
- *Our reading*: that paper is not among those at hand; the later ones say of it that it puts a
  large language model into the search. The weight is one number, chosen on held-out sentences after
  training, and features are learned without the model.
- *Paper silent*: the first words of an edge have no history yet. They count as without one, which
  is a gain of 0: neither better nor worse than what may still come before them. So edges of
  different sizes can be compared, and over a whole bag log p(w) is the same in every order. For the
  mark of the end it is taken off as well, or goals would wait behind edges that lack a word.
- *Our reading*: f^(e), the scaled score, is all of f(e) divided by |e|, what the n-grams add
  included. Undivided beside scaled features, G(e) makes the search go for large edges sooner: it
  came to as good outputs on dependency trees, with fewer expansions and another weight.
- *Our reading*: a gain is rounded to 1 / GRID. So G(e) is a whole number of grid points, and the
  same for the same words, however an edge was put together.
"""

from __future__ import annotations

import math

from wordorder_lab.best_first.edge import Edge
from wordorder_lab.models.ngram import END_ID, START_ID, NGramModel
from wordorder_lab.structures.problem import OrderingProblem

GRID = 256
"""Gains are multiples of 1 / GRID."""
MOST_GAIN = 1 << 20
"""No gain is more than so many grid points: e to the 4,096th, which only odd files have."""


class EdgeGains:
    """What a language model says of the edges of one bag; ``weight`` is what a unit counts."""

    def __init__(self, ngrams: NGramModel, weight: float, problem: OrderingProblem) -> None:
        self.ngrams, self.weight = ngrams, weight
        self.units = [tuple(ngrams.word_id(word) for word in item.unit) for item in problem.items]
        self._kept: dict[tuple[tuple[int, ...], int], int] = {}

    def score(self, edge: Edge, is_goal: bool) -> float:
        """What the last action of an edge adds to its score beside the features."""
        if edge.left is not None and edge.right is None:  # a unary rule: the same words
            return 0.0
        points = self._inside(edge) + (self._borders(edge) if is_goal else 0)
        return self.weight * (points / GRID)

    def _inside(self, edge: Edge) -> int:
        """The gains inside a leaf, or those that the seam of two edges changes."""
        if edge.left is None or edge.right is None:
            words = self.words(edge)
            return self._gains((), words, len(words))
        left, right = self.words(edge.left), self.words(edge.right)
        return self._longer_history(left, right)

    def _borders(self, edge: Edge) -> int:
        """What the marks of beginning and end add to the words of a goal."""
        words = self.words(edge)
        start = (START_ID,)
        return self._longer_history(start, words) + self._gain((*start, *words), END_ID)

    def _longer_history(self, before: tuple[int, ...], words: tuple[int, ...]) -> int:
        """How much more words gain after ``before`` than after nothing."""
        reached = min(len(words), self.ngrams.order - 1)
        return self._gains(before, words, reached) - self._gains((), words, reached)

    def _gains(self, before: tuple[int, ...], words: tuple[int, ...], number: int) -> int:
        """The gains of the first so many words after ``before``, in grid points."""
        points = 0
        for word in words[:number]:
            points += self._gain(before, word)
            before = (*before, word)
        return points

    def _gain(self, before: tuple[int, ...], word: int) -> int:
        history = before[max(0, len(before) - self.ngrams.order + 1) :]
        if (history, word) not in self._kept:
            log = self.ngrams.log_prob(history, word) - self.ngrams.log_prob((), word)
            self._kept[history, word] = on_grid(log)
        return self._kept[history, word]

    def words(self, edge: Edge) -> tuple[int, ...]:
        """The words of an edge, those of base NPs one by one, in the model's numbers."""
        return tuple(word for item in edge.items for word in self.units[item])


def on_grid(log: float) -> int:
    """A difference of logarithms in grid points."""
    return max(-MOST_GAIN, min(MOST_GAIN, math.floor(log * GRID + 0.5)))
