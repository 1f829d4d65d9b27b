"""UPDATEPARAMETERS: how the weights change for a positive and a negative edge.

Zhang & Clark 2015, section 3.5, with e+ and e-:

    perceptron     theta + (phi(e+) - phi(e-))                      Zhang & Clark 2011
    large margin   theta + step (Phi(e+) - Phi(e-))                 Zhang, Blackwood & Clark 2012
    scaled         theta + step (Phi(e+)/|e+| - Phi(e-)/|e-|)       this article

    step = (f(e-) - f(e+) + 1) / ||difference||^2, with f^ for f in the scaled model

Differences
- *Paper silent*, section 3.5: where the difference is zero, the formula divides by it. There is no
  update then.
- *Our reading*, section 3.5: the large margin is the least change that leaves e+ ahead by 1. Where
  it is ahead by that already, the formula's step would be negative, and there is none.
- *Paper silent*: features are gone through as they are met, in e+ and then in e-; that is also the
  order of the additions to the norm.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.best_first.packed_weights import RawEdgeWeights
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.templates import Feature

PERCEPTRON, LARGE_MARGIN, SCALED = "perceptron", "large-margin", "scaled"
GUIDED = PERCEPTRON, LARGE_MARGIN, SCALED
EARLY, MAX_VIOLATION, DOMAIN_VIOLATION = "early", "max-violation", "domain-violation"
VIOLATIONS = EARLY, MAX_VIOLATION, DOMAIN_VIOLATION
DOMAIN = "domain"
UPDATES = (*GUIDED, *VIOLATIONS, DOMAIN)
"""Those of guided learning; of ``violation_learning`` with the same search, and with a beam inside
each head's domain."""
IN_DOMAINS = DOMAIN_VIOLATION, DOMAIN
"""For whole trees alone."""
SCALED_SEARCH = SCALED, *VIOLATIONS
"""With these the search goes by f(e) / |e|."""

Difference = Mapping[Feature, float]


def difference(
    positive: Sequence[Feature], negative: Sequence[Feature], divisors: tuple[int, int] = (1, 1)
) -> Difference:
    """Phi(e+) - Phi(e-), each divided by its divisor; features in the order in which they are met.
    A feature that is as frequent in both stays, with 0."""
    plus, minus = Counter(positive), Counter(negative)
    of_plus, of_minus = divisors
    return {f: plus[f] / of_plus - minus[f] / of_minus for f in [*plus, *minus]}


def step_size(update: str, change: Difference, ahead: float, behind: float) -> float:
    """How far to go: 1 for the perceptron, else as far as leaves e+ ahead by 1. ``ahead`` and
    ``behind`` are the scores of e+ and e-. Not above 0: e+ is ahead by as much already."""
    if update == PERCEPTRON:
        return 1.0
    norm = 0.0
    for value in change.values():
        norm += value * value
    return (behind - ahead + 1) / norm


# --- what guided learning counts -----------------------------------------------------------

EXPAND, DISCARD, STOP = "expand", "discard", "stop"
NEGATIVES = (EXPAND, DISCARD, STOP)
"""What becomes of a popped edge that is not gold: Algorithm 3, Algorithm 2, or else learning of the
sentence stops there."""

REASONS = ("agenda", "chart", "signature", "equal", "satisfied", "overfull")
"""Why there was an update, or none."""
OUTCOMES = ("finished", "limit", "stopped")
"""How the search on a sentence ended."""


@dataclass
class EdgeWeights:
    """Weights in learning: feature -> [w, u]; the reference learner's own. ``examples`` counts the
    sentences that have been learned."""

    rows: dict[Feature, list[float]] = field(default_factory=dict)
    examples: int = 0

    def get(self, feature: Feature) -> float:
        """The weight of a feature; 0.0 where there is none."""
        row = self.rows.get(feature)
        return row[0] if row else 0.0

    def add(self, feature: Feature, change: float) -> None:
        """Change one weight."""
        row = self.rows.setdefault(feature, [0.0, 0.0])
        row[0] += change
        row[1] += self.examples * change

    def raw(self, keys: EdgeKeys) -> RawEdgeWeights:
        """Everything learned so far under the keys of the features; [0, 0] is left out."""
        rows: list[tuple[int, list[float]]] = []
        for feature, row in self.rows.items():
            key = keys.key(feature)
            if key is None:
                raise ValueError(f"the feature {cited(feature)} has a word or tag without a number")
            if any(row):
                rows.append((key, row))
        rows.sort()
        table = np.array([row for _, row in rows], np.float64).reshape(-1, 2)
        order = np.array([key for key, _ in rows], np.int64)
        return RawEdgeWeights(order, table[:, 0].copy(), table[:, 1].copy(), self.examples)

    @classmethod
    def of_raw(cls, raw: RawEdgeWeights, keys: EdgeKeys) -> EdgeWeights:
        """What ``raw`` gave."""
        rows = zip(raw.keys.tolist(), raw.w.tolist(), raw.u.tolist(), strict=True)
        return cls({keys.feature(key): [w, u] for key, w, u in rows}, raw.examples)
