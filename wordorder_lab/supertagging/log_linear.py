"""The log-linear model of one category: its probabilities, and what its weights should maximise.

Clark & Curran (2007): given what is seen at a word, the words and tags around it and the two
categories before it, a category has a probability

    p(c | seen)  =  exp(sum of the weights of c's features)  /  the same, summed over all categories

Training finds the weights under which the gold categories of all words are likeliest, with a
Gaussian prior: a weight w costs w * w / (2 * variance). ``objective`` gives the negative of that
logarithm and its gradient, in which a feature's weight for a category moves by how often the model
expects the two together, less how often they were seen. scipy's L-BFGS does the rest.

``log_linear_fast`` is the same, compiled. Both add in the same order, so that L-BFGS is told the
same numbers by both.

Differences
- *Paper silent*: weights are rounded to ``STEP`` in the end. A sum of them is exact, and a
  difference in the last bit of a library's additions does not reach the file.
- *Our reading*: Clark & Curran learn from the categories seen ten times; here from all of them,
  since the corpora are smaller.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from wordorder_lab.supertagging.features import (
    LARGEST_WEIGHT,
    NONE,
    Examples,
    TagNumbers,
    TagWeights,
)

STEP = 2.0**-16
"""Weights in a model are whole multiples of it."""
CORRECTIONS = 10
"""How many steps L-BFGS remembers."""
ENOUGH = 1e-5
"""It stops where a step gains less than this share."""

Objective = Callable[[np.ndarray], tuple[float, np.ndarray]]


def learn_weights(
    objective: Objective, size: int, iterations: int, after: Callable[[], None]
) -> np.ndarray:
    """The weights with the least ``objective``, or after so many iterations; then rounded.
    ``after`` is called behind each iteration. The same scipy gives the same weights."""
    from scipy.optimize import minimize

    best: np.ndarray = minimize(
        objective,
        np.zeros(size),
        jac=True,
        method="L-BFGS-B",
        callback=lambda _: after(),
        options={"maxiter": iterations, "maxcor": CORRECTIONS, "ftol": ENOUGH, "gtol": 0.0},
    ).x
    rounded: np.ndarray = np.round(best / STEP) * STEP
    return rounded.clip(-LARGEST_WEIGHT, LARGEST_WEIGHT)


class LogLinear:
    """Probabilities under some weights: what the two-tag history and the window say of a word."""

    def __init__(self, numbers: TagNumbers, table: TagWeights) -> None:
        self.numbers, self.table = numbers, table
        self.starts, self.labels = table.starts.tolist(), table.labels.tolist()
        self.weights = table.weights.tolist()
        self.size = len(numbers.categories)

    def add_weights(self, scores: list[float], features: Sequence[int]) -> None:
        """Add the weights of some features, in their order, to the scores of all categories."""
        for feature in features:
            if feature != NONE:
                for at in range(self.starts[feature], self.starts[feature + 1]):
                    scores[self.labels[at]] += self.weights[at]

    def window_scores(self, features: Sequence[int]) -> list[float]:
        """What the window says of each category."""
        scores = [0.0] * self.size
        self.add_weights(scores, features)
        return scores

    def probabilities(
        self, window: Sequence[float], before: int, last: int, candidates: Sequence[int]
    ) -> list[float]:
        """p(c | window, the two categories before) of the candidates; all others share the rest."""
        scores = list(window)
        self.add_weights(scores, self.table.feature_ids(self.numbers.history_keys(before, last)))
        shares, total = exponentials(scores)
        return [shares[label] / total for label in candidates]


def exponentials(scores: Sequence[float]) -> tuple[list[float], float]:
    """exp of each score less the highest one, so that none is too large; and their sum."""
    highest = max(scores)
    shares = [math.exp(score - highest) for score in scores]
    total = 0.0
    for share in shares:
        total += share
    return shares, total


class ReferenceObjective:
    """What ``learn_weights`` minimises, and its gradient."""

    def __init__(
        self, examples: Examples, numbers: TagNumbers, table: TagWeights, variance: float
    ) -> None:
        self.rows, self.gold = examples.rows.tolist(), examples.gold.tolist()
        self.model = LogLinear(numbers, table)
        self.variance = variance

    def __call__(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        model, gradient = self.model, [0.0] * len(weights)
        model.weights = weights.tolist()
        loss = 0.0
        for features, gold in zip(self.rows, self.gold):
            scores = model.window_scores(features)
            shares, total = exponentials(scores)
            loss += math.log(total) - (scores[gold] - max(scores))
            for feature in features:
                if feature != NONE:
                    for at in range(model.starts[feature], model.starts[feature + 1]):
                        label = model.labels[at]
                        gradient[at] += shares[label] / total - (label == gold)
        for at, weight in enumerate(model.weights):
            loss += weight * weight / (2.0 * self.variance)
            gradient[at] += weight / self.variance
        return loss, np.array(gradient)
