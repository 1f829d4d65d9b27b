"""What a step can bring at best: the best path from start to end that goes through it.

The Viterbi sums of all paths into a state and out of it, for scores of bigrams or of trigrams:

    in(start) = 0      in(state)  = max over the steps into it of  in(state before) + score(step)
    out(end) = 0       out(state) = max over the steps out of it of  score(step) + out(state after)
    best(step) = in(state before) + score(step) + out(state after)

No solution with this step is better than best(step), whatever else it has to obey; so a step whose
best is below that of a known solution can be left out. n words take n^2 or n^3 additions.
"""

from __future__ import annotations

import numpy as np


def best_through(scores: np.ndarray, prices: np.ndarray) -> np.ndarray:
    """The best path through each step, of the shape of ``scores``; -inf where there is no step.

    ``scores`` are those of ``integer_programme.solve``; ``prices``, float64, one a word, are added
    for every kept word.
    """
    size = len(scores)
    priced = scores + np.concatenate([[0.0], prices, [0.0]])
    if scores.ndim == 2:
        return _of_bigrams(np.where(real_steps(size, 2), priced, -np.inf))
    return _of_trigrams(np.where(real_steps(size, 3), priced, -np.inf))


def real_steps(size: int, order: int) -> np.ndarray:
    """Which places of an array of scores are steps: positions rise, and one word stays at least."""
    place = np.arange(size)
    end = size - 1
    if order == 2:
        before, to = place[:, None], place[None, :]
        return (before < to) & ((before > 0) | (to < end))
    first, middle, last = place[:, None, None], place[None, :, None], place[None, None, :]
    begins = (first == 0) & (middle == 0) & (last > 0) & (last < end)
    behind = (middle > first) & (last > middle)
    return begins | behind


def _of_bigrams(scores: np.ndarray) -> np.ndarray:
    size = len(scores)
    into, out = np.full(size, -np.inf), np.full(size, -np.inf)
    into[0] = out[-1] = 0.0
    for j in range(1, size):
        into[j] = (into[:j] + scores[:j, j]).max()
    for i in range(size - 2, -1, -1):
        out[i] = (scores[i, i + 1 :] + out[i + 1 :]).max()
    return into[:, None] + scores + out[None, :]


def _of_trigrams(scores: np.ndarray) -> np.ndarray:
    """A state is two positions, the start twice at first."""
    size = len(scores)
    into, out = np.full((size, size), -np.inf), np.full((size, size), -np.inf)
    into[0, 0] = 0.0
    out[:, -1] = 0.0
    for i in range(size - 1):
        into[i, i + 1 :] = (into[: i + 1, i, None] + scores[: i + 1, i, i + 1 :]).max(axis=0)
    for i in range(size - 2, -1, -1):
        out[:, i] = (scores[:, i, i + 1 :] + out[i, i + 1 :]).max(axis=1)
    found = scores
    found += into[:, :, None]
    found += out[None, :, :]
    return found
