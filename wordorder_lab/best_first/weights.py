"""Weights of the best-first systems: one number a feature, in learning and at rest.

Zhang & Clark 2015, sections 3.4 and 3.5. The large-margin updates add fractions, so weights are
floats, and the order of the additions is part of the result.

    add(feature, change):   w += change;   u += examples * change
    average              =  w - u / examples        (Collins 2002, lazily)

Differences. The paper does not say whether weights are averaged; ``last`` gives them as they are.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np


class Numbering(Protocol):
    """Feature <-> key, as ``keys`` has it."""

    def key(self, feature: Any) -> int | None:
        """The key of a feature."""

    def feature(self, key: int) -> Any:
        """The feature of a key."""


@dataclass
class EdgeWeights:
    """Weights in learning: feature -> [w, u]; the reference learner's own.

    ``examples`` counts the sentences that have been learned.
    """

    rows: dict[Hashable, list[float]] = field(default_factory=dict)
    examples: int = 0

    def get(self, feature: Hashable) -> float:
        """The weight of a feature; 0.0 where there is none."""
        row = self.rows.get(feature)
        return row[0] if row else 0.0

    def add(self, feature: Hashable, change: float) -> None:
        """Change one weight."""
        row = self.rows.setdefault(feature, [0.0, 0.0])
        row[0] += change
        row[1] += self.examples * change

    def raw(self, keys: Numbering) -> RawEdgeWeights:
        """Everything learned so far under the keys of the features; [0, 0] is left out."""
        rows: list[tuple[int, list[float]]] = []
        for feature, row in self.rows.items():
            key = keys.key(feature)
            if key is None:
                raise ValueError(f"the feature {feature!r} has a word or tag without a number")
            if any(row):
                rows.append((key, row))
        rows.sort()
        table = np.array([row for _, row in rows], np.float64).reshape(-1, 2)
        order = np.array([key for key, _ in rows], np.int64)
        return RawEdgeWeights(order, table[:, 0].copy(), table[:, 1].copy(), self.examples)

    @classmethod
    def of_raw(cls, raw: RawEdgeWeights, keys: Numbering) -> EdgeWeights:
        """What ``raw`` gave."""
        rows = zip(raw.keys.tolist(), raw.w.tolist(), raw.u.tolist(), strict=True)
        return cls({keys.feature(key): [w, u] for key, w, u in rows}, raw.examples)


@dataclass(frozen=True)
class RawEdgeWeights:
    """Weights in learning at rest, for checkpoints: ascending ``keys``, with ``w`` and ``u``."""

    keys: np.ndarray
    w: np.ndarray
    u: np.ndarray
    examples: int

    def averaged(self) -> PackedEdgeWeights:
        """The average over the sentences that have been learned: w - u / examples."""
        return self._packed(self.w - self.u / max(self.examples, 1))

    def last(self) -> PackedEdgeWeights:
        """The weights after the last sentence."""
        return self._packed(self.w)

    def _packed(self, values: np.ndarray) -> PackedEdgeWeights:
        kept = values != 0
        return PackedEdgeWeights(self.keys[kept], values[kept])

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays of a checkpoint file."""
        return {"keys": self.keys, "w": self.w, "u": self.u}


@dataclass(frozen=True)
class PackedEdgeWeights:
    """Weights at rest: ascending feature ``keys`` and their ``values``, no zeros."""

    keys: np.ndarray
    values: np.ndarray

    def check(self) -> None:
        """Raise ``ValueError`` if these are no packed weights."""
        if not (
            self.keys.ndim == self.values.ndim == 1
            and len(self.keys) == len(self.values)
            and self.keys.dtype == np.int64
            and self.values.dtype == np.float64
            and bool((self.keys >= 0).all() and (np.diff(self.keys) > 0).all())
            and bool(np.isfinite(self.values).all() and (self.values != 0).all())
        ):
            raise ValueError("its weights do not fit together")

    def get(self, key: int | None) -> float:
        """The weight of a key; 0.0 where there is none."""
        if key is None:
            return 0.0
        at = int(np.searchsorted(self.keys, key))
        if at == len(self.keys) or self.keys[at] != key:
            return 0.0
        return float(self.values[at])

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays of the model file."""
        return {"keys": self.keys, "values": self.values}
