"""Weights of a linear model: while they are learned, and packed for use and for the file.

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
        """Change one weight; the feature exists from then on, even where the action is unknown."""
        row = self.rows.setdefault(feature, {})
        if action >= 0:
            entry = row.setdefault(action, [0, 0])
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


@dataclass(frozen=True)
class RawWeights:
    """Weights in learning at rest, for checkpoints: what both learners can stop and resume with.

    Ascending feature ``keys``; ``lengths[i]`` entries belong to ``keys[i]``, by ascending action.
    """

    keys: np.ndarray
    lengths: np.ndarray
    actions: np.ndarray
    w: np.ndarray
    u: np.ndarray
    examples: int

    def averaged(self) -> PackedWeights:
        """The undivided averages: T * w - u, without zeros."""
        examples = max(self.examples, 1)
        values = examples * self.w - self.u
        kept = values != 0
        row_of = np.repeat(np.arange(len(self.keys)), self.lengths)
        lengths = np.bincount(row_of[kept], minlength=len(self.keys)).astype(np.int32)
        return PackedWeights(self.keys, lengths, self.actions[kept], values[kept], examples)

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays of a checkpoint file."""
        return {name: getattr(self, name) for name in ("keys", "lengths", "actions", "w", "u")}


@dataclass(frozen=True)
class PackedWeights:
    """Weights at rest: ascending feature ``keys``, and for each a row of (action, value).

    ``lengths[i]`` entries belong to ``keys[i]``; ``actions`` ascend within a row; ``values`` are
    whole numbers, and a score divided by ``divisor`` is in the units of a single weight. Zeros are
    left out; the key of a row that has become empty stays, so that whoever finds no ``S0wS1w``
    knows that there is no longer feature with these words either.
    """

    keys: np.ndarray
    lengths: np.ndarray
    actions: np.ndarray
    values: np.ndarray
    divisor: int

    def __post_init__(self) -> None:
        ends = np.cumsum(self.lengths, dtype=np.int64)
        object.__setattr__(self, "starts", ends - self.lengths)

    starts: np.ndarray = None  # type: ignore[assignment]

    def row(self, key: int | None) -> Mapping[int, float]:
        """The row of a key by action number; empty where there is none."""
        if key is None:
            return {}
        at = int(np.searchsorted(self.keys, key))
        if at == len(self.keys) or self.keys[at] != key:
            return {}
        start = int(self.starts[at])
        inside = slice(start, start + int(self.lengths[at]))
        return dict(
            zip(self.actions[inside].tolist(), self.values[inside].tolist(), strict=True)
        )

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays of the model file."""
        return {
            "keys": self.keys,
            "lengths": self.lengths,
            "actions": self.actions,
            "values": self.values,
        }
