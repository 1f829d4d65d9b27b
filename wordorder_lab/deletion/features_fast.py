"""The scores of bigrams, in numba: ``features.bigram_scores``, addition by addition."""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from typing import Any

import numpy as np

from wordorder_lab.runtime.kernel_fast import kernel

FIRST, LAST, ABOVE, BELOW, WHOLE, BEGUN, ENDED = range(7)
"""The columns of ``SentenceParts.phrases``."""


@kernel
def score_parts(ids, starts, weights):
    """The score of every row of features."""
    scores = np.empty(starts.shape[0] - 1)
    for row in range(scores.shape[0]):
        total = 0.0
        for i in range(starts[row], starts[row + 1]):
            total += weights[ids[i]]
        scores[row] = total
    return scores


@kernel
def score_bigrams(rows, parts):
    """The score of every bigram, from those of its parts."""
    kept, pair, dropped, phrases = parts.kept, parts.pair, parts.dropped, parts.phrases
    left, right = parts.left, parts.right
    size = kept.shape[0]
    scores = np.zeros((size, size))
    for i in range(size - 1):
        for j in range(i + 1, size):
            total = 0.0
            total += rows[pair[i, j]]
            total += rows[kept[j]]
            for k in range(i + 1, j):
                total += rows[dropped[k]]
                total += rows[left[i, k]]
                total += rows[right[k, j]]
            if j > i + 1:
                for v in range(phrases.shape[0]):
                    row = phrase_row(phrases, v, i, j)
                    if row >= 0:
                        total += rows[row]
            scores[i, j] = total
    return scores


@kernel
def phrase_row(phrases, v, i, j):
    """The row that node v adds to the bigram (i, j), which drops something; -1 for none."""
    first, last = phrases[v, FIRST], phrases[v, LAST]
    if first > i and last < j:
        whole = phrases[v, ABOVE] <= i or phrases[v, BELOW] >= j
        return phrases[v, WHOLE] if whole else np.int32(-1)
    if i < first and first < j and j <= last:
        return phrases[v, BEGUN]
    if first <= i and i < last and last < j:
        return phrases[v, ENDED]
    return np.int32(-1)


def fast_bigram_scores(parts: Any, weights: np.ndarray) -> np.ndarray:
    """The score of every bigram of ``SentenceParts``, float64 of shape (n + 2, n + 2)."""
    scores: np.ndarray = score_bigrams(score_parts(parts.ids, parts.starts, weights), parts)
    return scores
