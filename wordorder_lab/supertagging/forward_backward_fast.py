"""``forward_backward`` in numba, with the same additions in the same order.

The live states of word i are rows ``first[i + 1]`` to ``first[i + 2]`` of ``states``: the places of
the category before and of its own among the candidates, sorted as in the reference; row 0 is the
beginning. ``steps`` has the next word's probabilities behind state ``s`` from ``at_steps[s]`` on.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.supertagging.features import BEYOND, BITS, FIRST, NONE, TagNumbers, TagWeights
from wordorder_lab.supertagging.log_linear_fast import add_weights, exponentials


@kernel
def feature_of(keys, key):
    """The number of the feature with this key; ``NONE`` where there is none."""
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    if low < len(keys) and keys[low] == key:
        return low
    return NONE


@kernel
def find_history(before, last, history, keys, features):
    """The numbers of the history features; whether any looks two categories back."""
    looks_back = False
    for t in range(len(history)):
        key = history[t, 0]
        if history[t, 1] == -2:
            key |= before << BITS
        elif history[t, 1] == -1:
            key |= last << BITS
        key |= before if history[t, 2] == -2 else last
        features[t] = feature_of(keys, key)
        if features[t] != NONE and (history[t, 1] == -2 or history[t, 2] == -2):
            looks_back = True
    return looks_back


@kernel
def local(window, features, some, table, scores, shares, behind):
    """p(c | window, the two categories before) of some candidates, into ``behind``."""
    _, starts, labels, weights = table
    for c in range(len(scores)):
        scores[c] = window[c]
    add_weights(scores, features, starts, labels, weights)
    total, _ = exponentials(scores, shares)
    for j in range(len(some)):
        behind[j] = shares[some[j]] / total


@kernel
def number_of(candidates, bounds, i, place):
    """The number of a category, by its place among the candidates of word i."""
    if i < 0:
        return BEYOND
    return np.int64(candidates[bounds[i] + place]) + FIRST


@kernel
def larger(array, needed):
    """The array with room for so many numbers or rows."""
    while needed > len(array):
        array = np.concatenate((array, np.empty_like(array)))
    return array


@kernel
def divide(sums, begin, end):
    """Divide sums by their total."""
    total = 0.0
    for s in range(begin, end):
        total += sums[s]
    for s in range(begin, end):
        sums[s] = sums[s] / total


@kernel
def forward_step(i, rows, candidates, bounds, size, history, table, room, width):
    """The states of word i behind those of the word before, and the steps to them."""
    first, states, forward, steps, at_steps, used = room
    keys, starts, labels, weights = table
    some = candidates[bounds[i] : bounds[i + 1]]
    wide = len(some)
    before_wide = bounds[i] - bounds[i - 1] if i else 1
    window, scores, shares = np.zeros(size), np.empty(size), np.empty(size)
    add_weights(window, rows[i], starts, labels, weights)
    features, same = np.empty(len(history), np.int64), np.full(before_wide, NONE, np.int64)
    reached, touched = np.zeros((before_wide, wide)), np.zeros(before_wide, np.bool_)
    for s in range(first[i], first[i + 1]):
        steps = larger(steps, used + wide)
        behind = steps[used : used + wide]
        at_steps[s] = used
        used += wide
        before = number_of(candidates, bounds, i - 2, states[s, 0])
        last = number_of(candidates, bounds, i - 1, states[s, 1])
        looks_back = find_history(before, last, history, keys, features)
        if not looks_back and same[states[s, 1]] != NONE:  # the last category alone says it all
            behind[:] = steps[same[states[s, 1]] : same[states[s, 1]] + wide]
        else:
            local(window, features, some, table, scores, shares, behind)
            if not looks_back:
                same[states[s, 1]] = at_steps[s]
        touched[states[s, 1]] = True
        for c in range(wide):
            reached[states[s, 1], c] += forward[s] * behind[c]
    highest = 0.0
    for b in range(before_wide):
        for c in range(wide):
            if reached[b, c] > highest:
                highest = reached[b, c]
    end = first[i + 1]
    for b in range(before_wide):
        for c in range(wide):
            if touched[b] and reached[b, c] >= width * highest:
                states, forward = larger(states, end + 1), larger(forward, end + 1)
                at_steps = larger(at_steps, end + 1)
                states[end, 0], states[end, 1], forward[end] = b, c, reached[b, c]
                end += 1
    divide(forward, first[i + 1], end)
    first[i + 2] = end
    return first, states, forward, steps, at_steps, used


@kernel
def marginals(rows, candidates, bounds, size, history, table, width):
    """The probability of each candidate, word after word."""
    n = len(rows)
    first = np.zeros(n + 2, np.int64)
    first[1] = 1
    states, forward = np.zeros((64, 2), np.int64), np.ones(64)
    room = first, states, forward, np.empty(1024), np.zeros(64, np.int64), 0
    for i in range(n):
        room = forward_step(i, rows, candidates, bounds, size, history, table, room, width)
    first, states, forward, steps, at_steps, _ = room
    backward = np.ones(len(forward))
    found = np.zeros(bounds[n])
    for i in range(n - 1, -1, -1):
        wide = bounds[i + 1] - bounds[i]
        if i < n - 1:
            step_back(i, first, states, steps, at_steps, backward, wide)
        total = 0.0
        for s in range(first[i + 1], first[i + 2]):
            product = forward[s] * backward[s]
            found[bounds[i] + states[s, 1]] += product
            total += product
        for c in range(wide):
            found[bounds[i] + c] = found[bounds[i] + c] / total
    return found


@kernel
def step_back(i, first, states, steps, at_steps, backward, wide):
    """The backward sums of word i's states: those behind stand sorted, in runs of one word."""
    runs = np.full(wide + 1, first[i + 3], np.int64)
    for s in range(first[i + 3] - 1, first[i + 2] - 1, -1):
        runs[states[s, 0]] = s
    for s in range(first[i + 1], first[i + 2]):
        total = 0.0
        at = runs[states[s, 1]]
        while at < first[i + 3] and states[at, 0] == states[s, 1]:
            total += steps[at_steps[s] + states[at, 1]] * backward[at]
            at += 1
        backward[s] = total
    divide(backward, first[i + 1], first[i + 2])


class FastMarginals:
    """What ``forward_backward`` gives under some weights, bit for bit."""

    def __init__(self, numbers: TagNumbers, table: TagWeights) -> None:
        self.size = len(numbers.categories)
        self.table = table.keys, table.starts, table.labels, table.weights
        first = len(numbers.templates.window)
        parts = [[0, *(away for _, away in of)][-2:] for of in numbers.templates.history]
        keys = [first + t << 2 * BITS for t in range(len(parts))]
        rows = [(key, *away) for key, away in zip(keys, parts, strict=True)]
        self.history = np.array(rows, np.int64).reshape(-1, 3)

    def __call__(
        self, rows: Sequence[Sequence[int]], candidates: Sequence[Sequence[int]], width: float
    ) -> list[list[float]]:
        bounds = np.zeros(len(candidates) + 1, np.int64)
        np.cumsum([len(labels) for labels in candidates], out=bounds[1:])
        flat = np.array([label for labels in candidates for label in labels], np.int64)
        how = self.size, self.history, self.table, width
        found = marginals(np.array(rows, np.int32), flat, bounds, *how).tolist()
        return [found[begin:end] for begin, end in pairwise(bounds.tolist())]
