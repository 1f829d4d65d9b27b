"""The best compressions of a sentence by deletion: Viterbi over bigrams of kept words.

McDonald (2006), Discriminative sentence compression with soft syntactic evidence. A
compression is a path from a start before the sentence to an end after it, through the words that
stay; the score of a path is that of its bigrams, and the score of a bigram knows its two words and
everything dropped between them. So the words before the last kept one are forgotten:

    C[start] = 0
    for each position j after the start, from left to right
        C[j] = max over the positions i before j of C[i] + s(i, j)
    follow the best choices back from the end

n words take n^2 steps. For the k best, each position keeps the k best ways into it. For a fixed
length there is a table for each number of kept words (*layer*): C[l][j] comes from C[l - 1][i].

A position is 0 for the start, 1 to n for words, n + 1 for the end. One word stays at least.

Differences
- *Our reading*: the paper was not at hand. Of ties the way from further left wins, then the better
  one of those from there.
- *Our reading*: a bonus for every kept word moves the compression rate. As we remember it, the
  paper bounds the length in the search; that is ``length``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wordorder_lab.structures.messages import MOST_HYPOTHESES, check_most, cited
from wordorder_lab.structures.trace import Trace

MOST_LENGTH = 400
"""Words of a sentence: the table of its bigrams grows with the square."""
MOST_WAYS = 20_000_000
"""Of all positions and layers together: each is kept until the end."""

MOST_TOLD = 2_000_000
"""Bigrams that a trace is told of: with a length they are told for every number of kept words."""


class Path(NamedTuple):
    """A compression: its score, and the places of the words that stay, counted from 0."""

    score: float
    kept: tuple[int, ...]


class BackPointer(NamedTuple):
    """A way into a position: its score, the position before, and which of the ways into that."""

    total: float
    back: int
    rank: int


def best_paths(
    scores: np.ndarray,
    k: int = 1,
    bonus: float = 0.0,
    length: int | None = None,
    trace: Trace | None = None,
) -> list[Path]:
    """The k best paths, best first; fewer where there are fewer.

    ``scores[i, j]``, float64 of shape (n + 2, n + 2), is for keeping position j straight after i;
    only i < j counts. ``bonus`` is added for every word, ``length`` is how many words stay.
    The trace is told of every bigram; ``tell`` tells it of paths.

    Raises ``ValueError`` for an array, k or length that cannot be.
    """
    end = check(scores, k, length, traced=trace is not None) + 1
    points = scores.tolist()
    layers = 1 if length is None else length + 1
    ways: list[list[list[BackPointer]]] = [[[] for _ in range(end + 1)] for _ in range(layers)]
    ways[0][0] = [BackPointer(0.0, -1, 0)]
    for layer in range(layers):
        for j in range(1, end):
            before = layer if length is None else layer - 1
            if before >= 0:
                starts = ways[before][:j]
                ways[layer][j] = _best_ways(starts, points, j, bonus, k, 0, trace)
    last = ways[layers - 1]
    last[end] = _best_ways(last[:end], points, end, 0.0, k, 1, trace)
    return [_path(ways, layers - 1, end, rank, length) for rank in range(len(last[end]))]


def _best_ways(
    starts: Sequence[Sequence[BackPointer]],
    points: Sequence[Sequence[float]],
    j: int,
    bonus: float,
    k: int,
    first: int,
    trace: Trace | None,
) -> list[BackPointer]:
    """The k best ways into position j; ``first`` is the first position it may come from."""
    found: list[BackPointer] = []
    best = -np.inf
    for i in range(first, j):
        for rank, way in enumerate(starts[i]):
            total = way.total
            total += points[i][j]
            total += bonus
            found.append(BackPointer(total, i, rank))
            if trace is not None and rank == 0:
                trace.bigram(i, j, points[i][j], total, int(total > best))
            best = max(best, total)
    found.sort(key=lambda way: -way.total)  # stable: from left to right, then by rank
    return found[:k]


def _path(
    ways: Sequence[Sequence[Sequence[BackPointer]]],
    layer: int,
    end: int,
    rank: int,
    length: int | None,
) -> Path:
    way = ways[layer][end][rank]
    score, kept = way.total, []
    while way.back > 0:
        kept.append(way.back - 1)
        position = way.back
        way = ways[layer][position][way.rank]
        layer -= length is not None
    return Path(score, tuple(reversed(kept)))


def tell(found: Sequence[Path], trace: Trace | None, words: Sequence[str]) -> None:
    """Tell a trace of the paths that were found in a sentence of these words."""
    if trace is not None:
        for rank, path in enumerate(found):
            trace.path(rank, path.score, list(path.kept), [words[i] for i in path.kept])


def path_score(scores: np.ndarray, kept: Sequence[int], bonus: float = 0.0) -> float:
    """The score of keeping just the words at these places, added up as the search does."""
    total, before = 0.0, 0
    for place in kept:
        total += float(scores[before, place + 1])
        total += bonus
        before = place + 1
    total += float(scores[before, len(scores) - 1])
    total += 0.0
    return total


def check(scores: np.ndarray, k: int, length: int | None, traced: bool = False) -> int:
    """The number of words. Raises ``ValueError`` as ``best_paths``."""
    words = len(scores) - 2
    if scores.dtype != np.float64 or scores.shape != (words + 2, words + 2) or words < 1:
        raise ValueError(
            "scores of bigrams are float64 in a square, two more than words each way, not "
            f"{scores.dtype} {scores.shape}"
        )
    check_most("a sentence of so many words:", words, MOST_LENGTH)
    if not isinstance(k, int) or k < 1:
        raise ValueError(f"k ({cited(k)}) is a whole number from 1 up")
    check_most("k", k, MOST_HYPOTHESES)
    if length is not None and not 1 <= length <= words:
        raise ValueError(f"a length of {cited(length)}: of {words} words 1 to {words} may stay")
    check_most("k times words times length,", k * (words + 2) * ((length or 0) + 1), MOST_WAYS)
    if traced:
        steps = (words + 1) * (words + 2) // 2 * ((length or 0) + 1)
        check_most("a trace of the bigrams of all numbers of words:", steps, MOST_TOLD)
    return words
