"""A model that knows nothing, to be searched with beside one that has learned."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wordorder_lab.best_first.packed_weights import PackedEdgeWeights


def without_weights(model: Any) -> Any:
    """The same best-first model with all weights 0; the given one stays as it is."""
    nothing = PackedEdgeWeights(model.weights.keys[:0], model.weights.values[:0])
    return replace(model.unshared(), weights=nothing)
