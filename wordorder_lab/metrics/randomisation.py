"""Whether scores of the same sentences move from one group of rows to the next by more than chance.

Sign, interval and p-value are of one statistic, which is the measure that a table prints: BLEU, F1
or brevity of all sentences together, and of values of sentences their mean. The p-value is that of
paired randomisation (Noreen 1989; Yeh 2000; Riezler & Maxwell 2005), in its far tail by a normal
curve; the interval is that of the paired bootstrap (Koehn 2004). What rows have kept of their
sentences, ``significance`` says.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from wordorder_lab.metrics.bleu import COLUMNS, bleus_of_counts
from wordorder_lab.metrics.significance import (
    SAMPLES,
    SCALES,
    SEED,
    Scores,
    columns_of,
    has_values,
    resampled,
)

if TYPE_CHECKING:
    import numpy as np

PERMUTATIONS = 9_999
LEAST = 1 / (PERMUTATIONS + 1)
"""The least p that can be counted: the share of the permutation that was seen itself."""
SMALLEST = 1e-300
"""The least p that a curve gives: below it are no numbers with all their digits."""
MOST_COINS = 4_000_000
"""Tossed at a time: what fits into little memory."""
LEVEL, POWER = 0.05, 0.8
"""Of the number of sentences that a test would need."""
Z = NormalDist().inv_cdf(1 - LEVEL / 2)
"""So many errors a 95 % interval has on each side."""


class Change(NamedTuple):
    """How a score moves along groups of rows; of two, how far the last is above the first.

    ``scores`` has one for each group. ``change`` is how far the straight line through them rises
    from the first to the last, ``low`` and ``high`` hold 95 % of its resampled values, ``p_value``
    is two-sided. ``sentences`` says how many were tested, ``means`` whether the score is the mean
    of their own scores.
    """

    scores: tuple[float, ...]
    change: float
    low: float
    high: float
    p_value: float
    sentences: int
    means: bool

    def over_trainings(self, variance: float) -> Change:
        """The same over trainings, too, where each score is the mean of several: ``variance`` is
        that of the change which other trainings would give (from the spread of these, over their
        number), in the points of ``change``. The interval grows, and p with it, as errors of two
        independent sources do, by the normal curve; of three trainings that is rather narrow."""
        if variance <= 0:
            return self
        error = (self.high - self.low) / (2 * Z)
        if error <= 0:
            half, p_value = Z * math.sqrt(variance), _tail(self.change / math.sqrt(variance))
            low, high = self.change - half, self.change + half
        else:
            wider = math.hypot(error, math.sqrt(variance)) / error
            low, high = (self.change + wider * (end - self.change) for end in (self.low, self.high))
            p_value = _tail(NormalDist().inv_cdf(self.p_value / 2) / wider)
        return self._replace(low=round(low, 9), high=round(high, 9), p_value=p_value)


def _tail(z: float) -> float:
    """How likely a normal variable is as far from 0, or farther."""
    return max(math.erfc(abs(z) / math.sqrt(2)), SMALLEST)


def p_in_words(p_value: float) -> str:
    """``"p = 0.012"``; below what so many permutations can count, that it is below it."""
    return f"p = {p_value:.2g}" if p_value >= LEAST else f"p < {LEAST:g}"


def compare(groups: Sequence[Sequence[Scores]], quantity: str) -> Change:
    """The paired test of groups of rows: does the score of the same sentences move along them?

    A permutation leaves each sentence's scores in the order of the groups or turns them round, by
    the toss of a coin; p is the share of permutations that move the score as far as it was seen to
    move. They are not shuffled: what a longer search changes once stays so, neighbours resemble
    each other, and a shuffle would take that for evidence. The interval draws sentences anew. All
    orderings of a sentence go together. Raises ``ValueError`` for scores of different sentences.
    """
    import numpy as np

    each = [columns_of(group, quantity) for group in groups]
    words = [table[:, 1] for table in each if table.shape[1] == COLUMNS]
    if len({table.shape for table in each}) > 1 or any((w != words[0]).any() for w in words):
        raise ValueError(f"{quantity} was kept of other sentences here than there")
    tables, sums = np.stack(each), np.stack([table.sum(axis=0) for table in each])
    count, line = tables.shape[1], _line(len(tables))
    turned = ((tables - tables[::-1]) / 2).transpose(1, 0, 2).reshape(count, -1)
    chance, moved = np.random.default_rng(SEED), []
    for some in np.array_split(np.arange(PERMUTATIONS), 1 + PERMUTATIONS * count // MOST_COINS):
        coins = 2.0 * chance.integers(0, 2, (len(some), count)) - 1
        tossed = (coins @ turned).reshape(len(some), *sums.shape) + (sums + sums[::-1]) / 2
        moved.append(_scores(tossed) @ line)
    drawn = resampled(np.hstack(each), SAMPLES, SEED).reshape(SAMPLES, len(tables), -1)
    of = (_scores(sums), _scores(drawn), np.concatenate(moved))
    return _change(*of, count, SCALES.get(quantity, 1.0), has_values(groups[0], quantity))


def compare_bins(groups: Sequence[Sequence[Scores]], quantity: str, nested: bool) -> Change:
    """``compare`` along groups of other sentences each, such as those of one length; ``nested``
    where each has the sentences of the one before and more.

    A permutation fills bins of these sizes by chance; the interval draws each bin's own sentences.
    """
    import numpy as np

    tables = [columns_of(group, quantity) for group in groups]
    if nested:
        tables = [tables[0], *(_beyond(*pair) for pair in pairwise(tables))]
    every, sizes = np.vstack(tables), [len(table) for table in tables]
    bins = np.repeat(np.eye(len(tables)), sizes, axis=1)
    bins = bins.cumsum(axis=0) if nested else bins
    ends = [*pairwise(np.cumsum([0, *sizes]))]
    chance, draw = np.random.default_rng(SEED), range(SAMPLES)
    by_chance = [bins @ every[chance.permutation(len(every))] for _ in range(PERMUTATIONS)]
    draws = (np.hstack([chance.integers(*of, size=of[1] - of[0]) for of in ends]) for _ in draw)
    drawn = _scores(np.array([bins @ every[places] for places in draws]))
    moved = _scores(np.array(by_chance)) @ _line(len(tables))
    scale, means = SCALES.get(quantity, 1.0), has_values(groups[0], quantity)
    return _change(_scores(bins @ every), drawn, moved, len(every), scale, means)


def _change(
    scores: np.ndarray, drawn: np.ndarray, moved: np.ndarray, count: int, scale: float, means: bool
) -> Change:
    """``moved`` has the change of each permutation, ``drawn`` the scores of each bootstrap. Nine
    decimal places are given back: the last bits of a logarithm differ between processors."""
    import numpy as np

    line = _line(len(scores))
    change = float(scores @ line)
    low, high = np.percentile(drawn @ line, (2.5, 97.5))
    beyond = int(np.count_nonzero(np.abs(moved) >= abs(change) - 1e-9))
    p_value = (beyond + 1) / (PERMUTATIONS + 1)
    if not beyond:  # fewer than can be counted: by the normal curve through the permutations
        p_value = min(p_value, _tail(change / float(moved.std() or 1)))
    *shown, told, low, high = (round(scale * float(x), 9) for x in (*scores, change, low, high))
    return Change(tuple(shown), told, low, high, p_value, count, means)


def _line(points: int) -> np.ndarray:
    """Weights of scores: how far the least-squares line rises from the first to the last point.
    Only their order counts, not what stands on the x axis: limits and beams are doubled."""
    import numpy as np

    x = np.arange(points) - (points - 1) / 2
    line: np.ndarray = x * (points - 1) / (x @ x)
    return line


def rise(scores: Sequence[float]) -> float:
    """How far the straight line through scores rises from the first to the last."""
    return float(_line(len(scores)) @ list(scores))


def _scores(sums: np.ndarray) -> np.ndarray:
    """The score of each sum of columns, which are on the last axis."""
    import numpy as np

    if sums.shape[-1] == COLUMNS:
        return bleus_of_counts(sums)
    above, below = sums[..., 0], sums[..., 1]
    none = np.zeros_like(above, dtype=float)
    ratios: np.ndarray = np.divide(above, below, out=none, where=below > 0)
    return ratios


def _beyond(inner: np.ndarray, outer: np.ndarray) -> np.ndarray:
    """The rows of ``outer`` that are not in ``inner``, which has some of them."""
    left = Counter(map(tuple, inner.tolist()))
    rows = []
    for row in outer.tolist():
        left[tuple(row)] -= 1
        rows += [row] if left[tuple(row)] < 0 else []
    if len(rows) != len(outer) - len(inner):
        raise ValueError("these groups are not nested")
    import numpy as np

    return np.array(rows).reshape(-1, outer.shape[1])


def sentences_needed(change: float, low: float, high: float, sentences: int) -> int:
    """So many sentences would show a change of this size at 5 % with a power of 80 %: the interval
    shrinks with the root of their number. The change must not be 0."""
    error = (high - low) / (2 * Z)
    wanted = Z + NormalDist().inv_cdf(POWER)
    return math.ceil(sentences * (wanted * error / change) ** 2)


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values corrected for their number, in the same order (Holm 1979): of those that stay
    below a level, one or more is by chance no more often than that level says."""
    corrected, most = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        most = max(most, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = most
    return corrected
