"""Learning how siblings are ordered: a large-margin learner on the domains of placed trees.

    LEARN(trees, epochs, beam):
      weights <- 0
      in each epoch, for each domain of each tree, in a random order:
        best <- the best order in the beam, where each part in a wrong place brings a cost
        if best is not the right one:
            step <- what makes the right one better than best by its cost, at most ``most_step``
            weights <- weights + step * (features of the right one - features of best)
      the mean of the weights after every domain

The words below a part stand in their right order while it is learned where the part belongs.
Weights, costs and steps are whole numbers, so that a sum has the same bits in any order.

Differences
- *Paper silent*, as the papers are not before us: Bohnet's learner is MIRA with averaged weights
  elsewhere (2010, *Very High Accuracy ...*), and so is this one; margin, cost and the largest step
  are ours.
- *Our reading*: a step is rounded down to a whole number, one part in ten thousand of the cost of
  one wrong place, or less.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from wordorder_lab.linearization.dependents_beam import best_orders
from wordorder_lab.linearization.domains import Domain, Order, Scored
from wordorder_lab.linearization.sibling_features import SiblingFeatures, buckets_of, scores_of

COST = 10_000
"""What one part in a wrong place costs; weights are of this scale."""
MOST_STEP = 200
"""The largest step: 0.02 of the cost."""
Given = Sequence[tuple[Domain, Order]]


def learn(
    domains: Given,
    features: SiblingFeatures,
    *,
    epochs: int,
    beam: int,
    seed: int,
    after_one: Callable[[], object] | None = None,
    on_epoch: Callable[[int, MeanWeights], None] | None = None,
) -> np.ndarray:
    """The mean weights, int64, one for each bucket. ``after_one`` is called after every domain,
    ``on_epoch`` with the number of the epoch, from 1, and the weights of that moment."""
    weights = MeanWeights.zero(1 << features.bits)
    chance = random.Random(seed)
    given = list(domains)
    for epoch in range(1, epochs + 1):
        chance.shuffle(given)
        for domain, right in given:
            _learn_one(weights, features, domain, right, beam)
            if after_one is not None:
                after_one()
        if on_epoch is not None:
            on_epoch(epoch, weights)
    return weights.mean()


@dataclass(frozen=True)
class SiblingModel:
    """What was learned: the features of siblings, and their weights in whole numbers."""

    features: SiblingFeatures
    weights: np.ndarray

    def best_orders(self, domain: Domain, beam: int) -> list[Scored]:
        """The orders left in the beam, the best first; a part in a wrong place costs ``COST``."""
        scores = scores_of(self.features.buckets(domain), self.weights)
        return [(one.score, one.order) for one in best_orders(scores, domain.needed, beam)]


@dataclass
class MeanWeights:
    """Weights, and what their mean needs: ``late`` has every change times the domains before it."""

    now: np.ndarray
    late: np.ndarray
    seen: int = 0

    @classmethod
    def zero(cls, size: int) -> MeanWeights:
        """Nothing learned."""
        return cls(np.zeros(size, np.int64), np.zeros(size, np.int64))

    def change(self, buckets: np.ndarray, by: np.ndarray) -> None:
        """Add to weights; ``buckets`` are different ones."""
        self.now[buckets] += by
        self.late[buckets] += by * self.seen

    def mean(self) -> np.ndarray:
        """The mean of the weights after every domain, rounded down."""
        mean: np.ndarray = self.now - self.late // max(1, self.seen)
        return mean


def _learn_one(
    weights: MeanWeights, features: SiblingFeatures, domain: Domain, right: Order, beam: int
) -> None:
    buckets = features.buckets(domain)
    scores = scores_of(buckets, weights.now)
    best = best_orders(scores, domain.needed, beam, right, COST)[0].order
    if best != right:
        which, by = _difference(buckets_of(buckets, right), buckets_of(buckets, best))
        norm, margin = 0, 0
        for count, weight in zip(by.tolist(), weights.now[which].tolist()):
            norm += count * count
            margin += count * weight
        wrong = 0
        for a, b in zip(right, best):
            wrong += a != b
        if norm:  # equal parts in another order are as good
            step = min(MOST_STEP, (COST * wrong - margin) // norm)
            weights.change(which, by * step)
    weights.seen += 1


def _difference(right: np.ndarray, wrong: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    which, places = np.unique(np.concatenate([right, wrong]), return_inverse=True)
    counts = np.zeros(len(which), np.int64)
    np.add.at(counts, places[: len(right)], 1)
    np.add.at(counts, places[len(right) :], -1)
    return which[counts != 0], counts[counts != 0]
