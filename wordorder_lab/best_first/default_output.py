"""What a search gives when it found no goal: edges of the chart, one after the other.

Zhang & Clark 2015, section 3.4:

    sort the edges of the chart by size
    output <- the largest
    for e in the others do
      if the bag has words enough for output and e then
        output <- output + e

In 2011 two edges that cover the bag together were looked for first. Where all heads are given
there is a better way, ``whole_tree``.

Differences
- *Our reading*, section 3.4: an edge is taken once. As equal words are one leaf here, of a word
  that the bag has twice one may be lost.
- *Paper silent*: edges of equal size go by score, then by serial.
- *Paper silent*: an edge is also left out if what is in it must come before something in the
  output.
- *Paper silent*, 2011, section 3.2: in which order the pairs are looked through. It is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from wordorder_lab.best_first.edge import Edge

JOIN_2015, PAIRS_2011 = "2015", "2011"
DEFAULTS = (JOIN_2015, PAIRS_2011)
WHOLE_TREE = "tree"
"""Of dependency trees alone; where not all heads are given it is the way of 2015."""
TREE_DEFAULTS = (*DEFAULTS, WHOLE_TREE)

CanCombine = Callable[[Sequence[int], Sequence[int]], bool]


def default_output(
    chart: Sequence[Edge],
    can_combine: CanCombine,
    least: Sequence[int],
    kind: str = JOIN_2015,
) -> list[Edge]:
    """The edges whose words, one after the other, are the output.

    Two edges may stand next to each other if ``can_combine`` says so of their counts; ``least``
    are the counts that a whole sentence has at least. From an empty chart comes no edge.
    """
    edges = sorted(chart, key=lambda edge: (-edge.size, *edge.key))
    pair = covering_pair(edges, can_combine, least) if kind == PAIRS_2011 else []
    return pair or joined(edges, can_combine)


def joined(edges: Sequence[Edge], can_combine: CanCombine) -> list[Edge]:
    """The first edge, and of the others in their order all that fit to its right."""
    output = list(edges[:1])
    counts = list(edges[0].counts) if edges else []
    for edge in edges[1:]:
        if can_combine(counts, edge.counts):
            output.append(edge)
            counts = [so_far + more for so_far, more in zip(counts, edge.counts, strict=True)]
    return output


def covering_pair(
    edges: Sequence[Edge], can_combine: CanCombine, least: Sequence[int]
) -> list[Edge]:
    """The first two different edges that have all words of the bag together, or none.

    ``edges`` are sorted by size, the largest first: of what comes after the first that is too
    small for ``left``, nothing needs to be looked at.
    """
    table = np.array([edge.counts for edge in edges], np.int64)
    sizes = np.array([-edge.size for edge in edges])
    size = 0
    for count in least:
        size += count
    for left in edges:
        enough = int(np.searchsorted(sizes, left.size - size, side="right"))
        if not enough:
            break
        for at in np.flatnonzero((table[:enough] + left.counts >= least).all(axis=1)):
            right = edges[int(at)]
            if right is not left and can_combine(left.counts, right.counts):
                return [left, right]
    return []
