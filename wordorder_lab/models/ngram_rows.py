"""N-grams as rows of word ids, and the trie that they make (its keys are told in ``ngram``)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np


def distinct(rows: np.ndarray, more: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different ones of ``rows`` and ``more``, ascending; for each of ``rows`` its place."""
    both = np.concatenate([rows, more])
    base = int(both.max(initial=0)) + 1
    codes = both[:, 0].astype(np.int64)
    for column in both.T[1:]:
        # Numbered anew at each column, codes stay small enough for any order.
        codes = np.unique(codes, return_inverse=True)[1] * base + column
    _, first, at = np.unique(codes, return_index=True, return_inverse=True)
    return both[first], at[: len(rows)]


def trie(orders: Sequence[np.ndarray], size: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """The keys of all n-grams, and for each order its n-grams' contexts.

    ``orders``: for each length, the different n-grams in ascending order, with every context of a
    longer one among them; the 1-grams are the whole vocabulary of ``size`` words. A context is
    given as its row in the order below, and the empty one as 0.
    """
    keys = np.empty(0, np.int64)
    contexts = [np.zeros(size, np.int64)]
    below = 0
    for shorter, rows in pairwise(orders):
        numbers = rows[:, 0].astype(np.int64)
        for column in rows.T[1:-1]:
            numbers = size + keys.searchsorted(numbers * size + column)
        keys = np.concatenate([keys, numbers * size + rows[:, -1]])
        contexts.append(numbers - below)
        below += len(shorter)
    return keys, contexts
