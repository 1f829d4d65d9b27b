"""Cube pruning: the combinations of a cell, the most promising first (Chiang 2007).

Cohn & Lapata (2009), section 3.4: each rule that matches has a grid with a dimension for every
variable, along which the items of the child's cell stand, best first. Combinations are visited in
best-first order under a heuristic score, in which the unigram model stands in for n-grams that are
not complete before two pieces meet. The grids of one cell are walked together.

Differences
- *Our reading*, section 3.4: a combination's successors move on in its last dimension that is not
  0, or a later one. So each is met once, without a list of those seen; its one predecessor is never
  worse where no loss is searched with, so the order is the same.
- *Our reading*, section 3.5: a loss does not add up over pieces; the heuristic has that of the
  combination. Then the order is no more than likely.
- *Paper silent*: ties go to the combination that was pushed first.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

Ranks = tuple[int, ...]


class Grid(NamedTuple):
    """The grid of an application: how many items there are for each variable."""

    application: int
    lengths: tuple[int, ...]


class Combination(NamedTuple):
    """A place in a grid; ``ranks[k]`` is the place of the item for variable k, 0 for the best."""

    application: int
    ranks: Ranks
    heuristic: float


def best_first(
    grids: Sequence[Grid], heuristic: Callable[[int, Ranks], float]
) -> Iterator[Combination]:
    """All combinations of all grids, the best under the heuristic first."""
    queue: list[tuple[float, int, int, Ranks]] = []
    pushed = 0
    for place, grid in enumerate(grids):
        ranks = (0,) * len(grid.lengths)
        queue.append((-heuristic(grid.application, ranks), pushed, place, ranks))
        pushed += 1
    heapq.heapify(queue)
    while queue:
        negative, _, place, ranks = heapq.heappop(queue)
        grid = grids[place]
        yield Combination(grid.application, ranks, -negative)
        for after in successors(ranks, grid.lengths):
            value = -heuristic(grid.application, after)
            heapq.heappush(queue, (value, pushed, place, after))
            pushed += 1


def successors(ranks: Ranks, lengths: Sequence[int]) -> Iterator[Ranks]:
    """The combinations one step on, from the last dimension that has been moved in."""
    last = max((k for k, rank in enumerate(ranks) if rank), default=0)
    for k in range(last, len(ranks)):
        if ranks[k] + 1 < lengths[k]:
            yield (*ranks[:k], ranks[k] + 1, *ranks[k + 1 :])
