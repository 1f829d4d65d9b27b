"""``log_linear`` in numba: the objective of training, with the same additions in the same order."""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

import math

import numpy as np

from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.supertagging.features import NONE, Examples, TagWeights


@kernel
def add_weights(scores, features, starts, labels, weights):
    """Add the weights of some features, in their order, to the scores of all categories."""
    for j in range(len(features)):
        feature = features[j]
        if feature != NONE:
            for at in range(starts[feature], starts[feature + 1]):
                scores[labels[at]] += weights[at]


@kernel
def exponentials(scores, shares):
    """exp of each score less the highest one into ``shares``; their sum, and the highest."""
    highest = scores[0]
    for c in range(1, len(scores)):
        if scores[c] > highest:
            highest = scores[c]
    untouched = math.exp(0.0 - highest)  # of a category that no feature says anything of
    total = 0.0
    for c in range(len(scores)):
        shares[c] = untouched if scores[c] == 0.0 else math.exp(scores[c] - highest)
        total += shares[c]
    return total, highest


@kernel
def negative_log_probability(rows, gold, starts, labels, weights, variance, size, gradient):
    """The objective; its gradient goes into ``gradient``."""
    scores, shares = np.zeros(size), np.zeros(size)
    loss = 0.0
    for i in range(len(rows)):
        for c in range(size):
            scores[c] = 0.0
        add_weights(scores, rows[i], starts, labels, weights)
        total, highest = exponentials(scores, shares)
        loss += math.log(total) - (scores[gold[i]] - highest)
        for c in range(size):
            shares[c] = shares[c] / total
        shares[gold[i]] -= 1.0
        for j in range(rows.shape[1]):
            feature = rows[i, j]
            if feature != NONE:
                for at in range(starts[feature], starts[feature + 1]):
                    gradient[at] += shares[labels[at]]
    for at in range(len(weights)):
        loss += weights[at] * weights[at] / (2.0 * variance)
        gradient[at] += weights[at] / variance
    return loss


class FastObjective:
    """What ``learn_weights`` minimises, and its gradient."""

    def __init__(self, examples: Examples, size: int, table: TagWeights, variance: float) -> None:
        self.given = examples.rows, examples.gold, table.starts, table.labels
        self.size, self.variance = size, variance

    def __call__(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        gradient = np.zeros(len(weights))
        how = weights, self.variance, self.size, gradient
        return float(negative_log_probability(*self.given, *how)), gradient
