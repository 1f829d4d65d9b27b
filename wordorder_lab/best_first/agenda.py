"""The agenda: a priority queue of the edges that are still to be expanded.

Zhang & Clark 2015, section 3.4. It goes by the scores that edges had when they were put in; the
one order is (-score, serial).
"""

from __future__ import annotations

import heapq

from wordorder_lab.best_first.edge import Edge


class Agenda:
    """A heap of edges. An edge's score must not be changed while it is in here."""

    def __init__(self) -> None:
        self.heap: list[tuple[tuple[float, int], Edge]] = []

    def __len__(self) -> int:
        return len(self.heap)

    def add(self, edge: Edge) -> None:
        """ADD."""
        heapq.heappush(self.heap, (edge.key, edge))

    def pop_best(self) -> Edge:
        """POPBEST: the highest score; of equal ones the edge that was made first."""
        return heapq.heappop(self.heap)[1]

    def min_gold(self) -> Edge:
        """MINGOLD: the lowest-scored gold edge; of equal ones the edge that was made last.

        Raises ``ValueError`` if there is none: then the gold tree cannot be built from this bag.
        """
        gold = [entry for entry in self.heap if entry[1].is_gold]
        if not gold:
            raise ValueError("no gold edge is left: the bag does not allow the gold tree")
        return max(gold)[1]

    def pop_down_to(self, edge: Edge) -> list[Edge]:
        """Take out every edge down to this one, and this one too, the best first."""
        last, found = edge.key, []
        while self.heap and self.heap[0][0] <= last:
            found.append(self.pop_best())
        return found
