"""Weights at rest, as arrays: what checkpoints and model files hold, and both engines read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np


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
        full = lengths > 0
        rows = self.keys[full], lengths[full]
        return PackedWeights(*rows, self.actions[kept], values[kept], examples)

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays of a checkpoint file."""
        return {name: getattr(self, name) for name in ("keys", "lengths", "actions", "w", "u")}


@dataclass(frozen=True)
class PackedWeights:
    """Weights at rest: ascending feature ``keys``, and for each a row of (action, value).

    ``lengths[i]`` entries belong to ``keys[i]``; ``actions`` ascend within a row; ``values`` are
    whole numbers, and a score divided by ``divisor`` is in the units of a single weight. Zeros and
    rows without entries are left out.
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

    def check(self, n_actions: int) -> None:
        """Raise ``ValueError`` if these are not packed weights of so many actions."""
        entries = int(self.lengths.sum())
        if not (
            len(self.keys) == len(self.lengths)
            and entries == len(self.actions) == len(self.values)
            and bool((self.lengths > 0).all())
            and bool((np.diff(self.keys) > 0).all())
            and bool((self.actions >= 0).all() and (self.actions < n_actions).all())
            and self.divisor >= 1
        ):
            raise ValueError("its weights do not fit together")

    def row(self, key: int | None) -> Mapping[int, float]:
        """The row of a key by action number; empty where there is none."""
        if key is None:
            return {}
        at = int(np.searchsorted(self.keys, key))
        if at == len(self.keys) or self.keys[at] != key:
            return {}
        start = int(self.starts[at])
        inside = slice(start, start + int(self.lengths[at]))
        return dict(zip(self.actions[inside].tolist(), self.values[inside].tolist(), strict=True))

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays of the model file."""
        return {
            "keys": self.keys,
            "lengths": self.lengths,
            "actions": self.actions,
            "values": self.values,
        }
