"""Weights of a linear model while they are learned: the reference learner's own.

The averaged perceptron (Collins 2002) adds whole numbers. So do we: the average over T examples is
kept as its undivided sum, T * w - u, where every change d at example c adds c * d to u. Whole
numbers below 2^53 add up exactly in any order; they are divided for display only.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

from wordorder_lab.models.packed import RawWeights


@dataclass
class Weights:
    """Weights in learning: feature -> action number -> [w, u]; the reference learner's own.

    ``examples`` counts the training examples that have been seen.
    """

    rows: dict[Hashable, dict[int, list[int]]] = field(default_factory=dict)
    examples: int = 0

    def row(self, feature: Hashable) -> Mapping[int, float]:
        """The raw weights of a feature by action number."""
        return {action: w for action, (w, _) in self.rows.get(feature, {}).items()}

    def add(self, feature: Hashable, action: int, change: int) -> None:
        """Change one weight; an action without a number (-1) has none."""
        if action >= 0:
            entry = self.rows.setdefault(feature, {}).setdefault(action, [0, 0])
            entry[0] += change
            entry[1] += change * self.examples

    def raw(self, key: Callable[[Any], int | None]) -> RawWeights:
        """Everything learned so far under the keys of the features."""
        rows = sorted((key(feature), sorted(row.items())) for feature, row in self.rows.items())
        entries = [(action, w, u) for _, row in rows for action, (w, u) in row]
        table = np.array(entries, np.int64).reshape(-1, 3)
        return RawWeights(
            np.array([k for k, _ in rows], np.int64),
            np.array([len(row) for _, row in rows], np.int32),
            table[:, 0].astype(np.int32),
            table[:, 1].copy(),
            table[:, 2].copy(),
            self.examples,
        )

    @classmethod
    def of_raw(cls, raw: RawWeights, feature: Callable[[int], Hashable]) -> Weights:
        """What ``raw`` gave."""
        entries = iter(zip(raw.actions.tolist(), raw.w.tolist(), raw.u.tolist(), strict=True))
        rows = {
            feature(key): {a: [w, u] for a, w, u in islice(entries, length)}
            for key, length in zip(raw.keys.tolist(), raw.lengths.tolist(), strict=True)
        }
        return cls(rows, raw.examples)
