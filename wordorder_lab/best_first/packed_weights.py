"""Weights of edge features at rest: the arrays of checkpoints and model files, for both engines.

Zhang & Clark 2015, sections 3.4 and 3.5. The large-margin updates add fractions, so weights are
floats, and the order of the additions is part of the result.

    add(feature, change):   w += change;   u += examples * change
    average              =  w - u / examples        (Collins 2002, lazily)

Differences
- *Paper silent*, 2015: whether weights are averaged. Section 5 of 2011 is not: "the final parameter
  vector is used as the model", which is ``last``. A system's settings say which it takes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wordorder_lab.best_first.keys import EdgeKeys
from wordorder_lab.models.file_parts import BEYOND_REASON, ascending, in_range, row
from wordorder_lab.structures.problem import Item
from wordorder_lab.structures.templates import Feature

LEARNED = ("keys", "values")
"""The arrays of a model file."""
LEARNING = ("keys", "w", "u")
"""The arrays of a checkpoint."""
MAX_KEPT = 500_000
"""Weights that the reference engine keeps in a dictionary between sentences."""


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
        return {name: getattr(self, name) for name in LEARNING}

    def check(self) -> None:
        """Raise ``ValueError`` if these are not weights in learning."""
        arrays = self.arrays()
        _check_keys(arrays)
        for name in ("w", "u"):
            numbers = row(arrays, name, np.float64, len(self.keys))
            in_range(numbers, name, -BEYOND_REASON, BEYOND_REASON)


@dataclass(frozen=True)
class PackedEdgeWeights:
    """Weights at rest: ascending feature ``keys`` and their ``values``, no zeros."""

    keys: np.ndarray
    values: np.ndarray

    def check(self) -> None:
        """Raise ``ValueError`` if these are no packed weights."""
        arrays = self.arrays()
        _check_keys(arrays)
        values = row(arrays, "values", np.float64, len(self.keys))
        in_range(values, "values", -BEYOND_REASON, BEYOND_REASON)
        if not values.all():
            raise ValueError("the array 'values' has a zero, which is left out of our files")

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
        return {name: getattr(self, name) for name in LEARNED}


class FeatureWeights:
    """The weights of features by their names: what a search of the reference engine calls. A weight
    is looked up under the feature's key when it is first asked for."""

    def __init__(self, keys: EdgeKeys, weights: PackedEdgeWeights) -> None:
        self.keys, self.weights = keys, weights
        self._kept: dict[Feature, float] = {}

    def __call__(self, feature: Feature) -> float:
        value = self._kept.get(feature)
        if value is None:
            if len(self._kept) >= MAX_KEPT:
                self._kept.clear()
            value = self._kept[feature] = self.weights.get(self.keys.key(feature))
        return value

    def of_items(self, items: Sequence[Item]) -> dict[Feature, float]:
        """The weights of all features that have no other words, tags and labels than these items.
        Categories and rules may be any."""
        keys, own, found = self.weights.keys, self.keys, []
        there = {"w": {i.word for i in items}, "p": {i.pos for i in items}}
        there["l"] = {i.label for i in items}
        numbers = {kind: [own.ids[kind].get(text, -1) for text in there[kind]] for kind in there}
        for template, fields, rows in zip(own.templates.templates, own.places, self._rows):
            for atom, (factor, radix) in zip(template.atoms, fields, strict=True):
                if atom.attribute in numbers:
                    values = keys[rows] // factor % radix
                    rows = rows[np.isin(values, numbers[atom.attribute])]
            found.append(rows)
        kept = np.concatenate(found)
        return dict(zip(map(own.feature, keys[kept].tolist()), self.weights.values[kept].tolist()))

    @cached_property
    def _rows(self) -> list[np.ndarray]:
        """Template by template, where its weights are."""
        index = self.weights.keys % self.keys.base
        return [np.flatnonzero(index == i) for i in range(len(self.keys.templates.templates))]


def _check_keys(arrays: Mapping[str, np.ndarray]) -> None:
    keys = row(arrays, "keys", np.int64)
    ascending(keys, "keys")
    in_range(keys[:1], "keys", 0, np.inf)
