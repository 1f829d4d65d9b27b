"""The scores of a source tree's applications in one kernel: the twin of ``application_scores``."""

from __future__ import annotations

import numpy as np

from wordorder_lab.features.rule_features import FeatureRows
from wordorder_lab.structures.kernel_fast import kernel


def fast_application_scores(rows: FeatureRows, weights: np.ndarray) -> np.ndarray:
    """What ``application_scores`` gives, bit for bit, as float64."""
    scores = np.zeros(len(rows.starts) - 1)
    add_up(rows.starts, rows.ids, rows.values, np.ascontiguousarray(weights, np.float64), scores)
    return scores


@kernel
def add_up(starts, ids, values, weights, scores):
    """Weight times value, added from left to right."""
    for a in range(len(scores)):
        for i in range(starts[a], starts[a + 1]):
            scores[a] += weights[ids[i]] * values[i]
