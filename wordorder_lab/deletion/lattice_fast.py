"""The best compressions of a sentence by deletion: ``lattice`` in numba.

Ways into positions lie in flat arrays ``[layer, position, rank]``; each position's are kept sorted
while they come in.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.structures.trace import Trace


@kernel
def walk(scores, bonus, k, length, totals, backs, ranks, counts, log):
    """Fill the table; returns how many lines of the log were written. ``length`` is 0 for any. A
    log without lines stays empty."""
    end = scores.shape[0] - 1
    layers = length + 1
    counts[:layers, : end + 1] = 0
    totals[0, 0, 0], backs[0, 0, 0], ranks[0, 0, 0], counts[0, 0] = 0.0, -1, 0, 1
    logged = 0
    for layer in range(layers):
        before = layer - 1 if length else layer
        if before < 0:
            continue
        for j in range(1, end):
            logged = enter(
                scores, bonus, k, before, layer, 0, j, totals, backs, ranks, counts, log, logged
            )
    last = layers - 1
    return enter(scores, 0.0, k, last, last, 1, end, totals, backs, ranks, counts, log, logged)


@kernel
def enter(scores, bonus, k, before, layer, first, j, totals, backs, ranks, counts, log, logged):
    """The k best ways into position j of a layer; those that are equal stay as they came."""
    best = -np.inf
    there = 0
    for i in range(first, j):
        for rank in range(counts[before, i]):
            total = totals[before, i, rank]
            total += scores[i, j]
            total += bonus
            if rank == 0 and log.shape[0] > 0:
                log[logged, 0], log[logged, 1], log[logged, 2] = i, j, scores[i, j]
                log[logged, 3], log[logged, 4] = total, 1.0 if total > best else 0.0
                logged += 1
            if total > best:
                best = total
            if there == k and not total > totals[layer, j, there - 1]:
                continue
            at = there if there < k else there - 1
            while at > 0 and total > totals[layer, j, at - 1]:
                totals[layer, j, at] = totals[layer, j, at - 1]
                backs[layer, j, at] = backs[layer, j, at - 1]
                ranks[layer, j, at] = ranks[layer, j, at - 1]
                at -= 1
            totals[layer, j, at], backs[layer, j, at], ranks[layer, j, at] = total, i, rank
            there = min(there + 1, k)
    counts[layer, j] = there
    return logged


@kernel
def follow(backs, ranks, length, end, rank, kept):
    """The positions of the words on a path, the last first; returns how many there are."""
    layer, at, size = length, end, 0
    step = 1 if length else 0
    position, rank = backs[layer, at, rank], ranks[layer, at, rank]
    while position > 0:
        kept[size] = position
        size += 1
        position, rank = backs[layer, position, rank], ranks[layer, position, rank]
        layer -= step
    return size


def fast_best_paths(
    scores: np.ndarray,
    k: int = 1,
    bonus: float = 0.0,
    length: int | None = None,
    trace: Trace | None = None,
) -> list[tuple[float, tuple[int, ...]]]:
    """Score and places of the k best paths, best first; the arguments have been checked."""
    end = len(scores) - 1
    layers = (length or 0) + 1
    totals = np.empty((layers, end + 1, k))
    backs, ranks = (np.empty((layers, end + 1, k), np.int32) for _ in range(2))
    counts = np.zeros((layers, end + 1), np.int32)
    lines = 0 if trace is None else layers * (end * (end + 1) // 2)
    log = np.empty((lines, 5))
    bonus = float(bonus)
    arrays = totals, backs, ranks, counts, log
    told = walk(np.ascontiguousarray(scores), bonus, k, length or 0, *arrays)
    if trace is not None:
        _tell(log[:told].tolist(), trace.bigram)
    kept = np.empty(end + 1, np.int64)
    found = []
    for rank in range(counts[layers - 1, end]):
        size = follow(backs, ranks, length or 0, end, rank, kept)
        places = tuple((kept[:size][::-1] - 1).tolist())
        found.append((float(totals[layers - 1, end, rank]), places))
    return found


def _tell(lines: Sequence[Sequence[float]], bigram: Callable[..., Any]) -> None:
    for left, right, score, total, back in lines:
        bigram(int(left), int(right), score, total, int(back))
