"""How far MIRA moves, in numba: ``mira.move`` and Hildreth's method."""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from wordorder_lab.deletion.features import SentenceParts
from wordorder_lab.deletion.features_fast import phrase_row
from wordorder_lab.runtime.kernel_fast import kernel


class Tally(NamedTuple):
    """How often each feature counts, whether it was met, and those that were, in that order."""

    counts: np.ndarray
    seen: np.ndarray
    met: np.ndarray


@kernel(borrows=True)
def count_row(row, sign, parts, tally, size):
    """Count the features of a row; ``size`` are met before it, and returned is how many now."""
    counts, seen = tally.counts, tally.seen
    for at in range(parts.starts[row], parts.starts[row + 1]):
        feature = parts.ids[at]
        if not seen[feature]:
            seen[feature] = True
            tally.met[size] = feature
            size += 1
        counts[feature] += sign
    return size


@kernel(borrows=True)
def count_path(path, sign, parts, tally, size):
    """Count the features of a path, given by its positions from start to end."""
    for p in range(path.shape[0] - 1):
        i, j = path[p], path[p + 1]
        size = count_row(parts.pair[i, j], sign, parts, tally, size)
        size = count_row(parts.kept[j], sign, parts, tally, size)
        for k in range(i + 1, j):
            size = count_row(parts.dropped[k], sign, parts, tally, size)
            size = count_row(parts.left[i, k], sign, parts, tally, size)
            size = count_row(parts.right[k, j], sign, parts, tally, size)
        if j > i + 1:
            for v in range(parts.phrases.shape[0]):
                row = phrase_row(parts.phrases, v, i, j)
                if row >= 0:
                    size = count_row(row, sign, parts, tally, size)
    return size


@kernel
def solve(gram, missing, C, close, most_steps):
    """Hildreth's method: a multiplier for each constraint."""
    size = missing.shape[0]
    alphas, lacks = np.zeros(size), missing.copy()
    for _ in range(most_steps):
        worst, most = -1, close
        for i in range(size):
            alpha, broken = alphas[i], lacks[i]
            if alpha > 0.0:
                broken = -broken if alpha >= C else abs(broken)
            if gram[i, i] > 0.0 and broken > most:
                worst, most = i, broken
        if worst < 0:
            break
        step = lacks[worst] / gram[worst, worst]
        reached = min(max(alphas[worst] + step, 0.0), C)
        step = reached - alphas[worst]
        alphas[worst] = reached
        for i in range(size):
            lacks[i] -= step * gram[i, worst]
    return alphas


@kernel
def move_weights(paths, bounds, parts, missing, w, u, examples, C, close, most_steps):
    """Count, solve, move. Path p is ``paths[bounds[p]:bounds[p + 1]]``, the gold one the last."""
    outputs = bounds.shape[0] - 2
    room = min(2 * parts.ids.shape[0], w.shape[0])
    counts, seen = np.zeros(w.shape[0]), np.zeros(w.shape[0], np.bool_)
    met = np.empty(room + 1, np.int32)
    tally = Tally(counts, seen, met)
    ways = np.empty((outputs, room))
    names = np.empty((outputs, room), np.int32)
    sizes = np.zeros(outputs, np.int64)
    gold = paths[bounds[outputs] : bounds[outputs + 1]]
    for o in range(outputs):
        path = paths[bounds[o] : bounds[o + 1]]
        size = count_path(path, -1.0, parts, tally, count_path(gold, 1.0, parts, tally, 0))
        for m in range(size):
            feature = met[m]
            if counts[feature] != 0.0:
                names[o, sizes[o]], ways[o, sizes[o]] = feature, counts[feature]
                sizes[o] += 1
            counts[feature], seen[feature] = 0.0, False
    gram = np.zeros((outputs, outputs))
    for o in range(outputs):
        for m in range(sizes[o]):
            counts[names[o, m]] = ways[o, m]
        for other in range(outputs):
            for m in range(sizes[other]):
                gram[o, other] += counts[names[other, m]] * ways[other, m]
        for m in range(sizes[o]):
            counts[names[o, m]] = 0.0
    alphas = solve(gram, missing, C, close, most_steps)
    for o in range(outputs):
        if alphas[o] != 0.0:
            for m in range(sizes[o]):
                step = alphas[o] * ways[o, m]
                w[names[o, m]] += step
                u[names[o, m]] += examples * step


class Weights(Protocol):
    """The weights in learning: ``MiraWeights``."""

    @property
    def w(self) -> np.ndarray:
        """The weights."""

    @property
    def u(self) -> np.ndarray:
        """Each step times its example."""

    @property
    def examples(self) -> int:
        """How many were learned."""


@dataclass(eq=False, repr=False)
class FastMove:
    """``mira.move`` with its two limits, what is near enough and how many steps there are."""

    close: float
    most_steps: int

    def __call__(
        self,
        parts: SentenceParts,
        gold: Sequence[int],
        outputs: Sequence[Sequence[int]],
        missing: Sequence[float],
        weights: Weights,
        C: float,
    ) -> None:
        end = len(parts.kept) - 1
        paths = [[0, *(place + 1 for place in kept), end] for kept in (*outputs, gold)]
        bounds = np.zeros(len(paths) + 1, np.int64)
        bounds[1:] = np.cumsum([len(path) for path in paths])
        flat = np.array([position for path in paths for position in path], np.int64)
        lacks = np.array(missing, np.float64)
        w, u, examples = weights.w, weights.u, weights.examples
        close, most = self.close, self.most_steps
        move_weights(flat, bounds, parts, lacks, w, u, examples, float(C), close, most)
