"""The agenda, the edges that are still to be expanded, and the chart, those that are accepted.

Zhang & Clark 2015, section 3.4. The agenda goes by the scores that edges had when they were put in;
the one order of edges is (-score, serial). In the article the chart is a single beam; in the papers
before it (2011, 2013), and where the model is not scaled, it has one beam for each number of words.
Which edges DPCHARTPRUNE takes for one (2011, section 3.1; 2015, section 3.2) is a signature;
``ccg`` and ``dependency`` say what each looks at.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from wordorder_lab.best_first.edge import Edge
from wordorder_lab.structures.messages import cited

SINGLE, SIZES = "single", "sizes"
CHARTS = (SINGLE, SIZES)


class Agenda:
    """A heap of edges. An edge's score must not be changed while it is in here."""

    def __init__(self) -> None:
        self.heap: list[tuple[tuple[float, int], Edge]] = []

    def __len__(self) -> int:
        return len(self.heap)

    @property
    def edges(self) -> list[Edge]:
        """The edges, in no order that matters."""
        return [edge for _, edge in self.heap]

    def add(self, edge: Edge) -> None:
        """ADD."""
        heapq.heappush(self.heap, (edge.key, edge))

    def pop_best(self) -> Edge:
        """POPBEST: the highest score; of equal ones the edge that was made first."""
        return heapq.heappop(self.heap)[1]

    def min_gold(self) -> Edge:
        """MINGOLD: the lowest-scored gold edge; of equal ones the edge that was made last. Raises
        ``ValueError`` if there is none: then the gold tree cannot be built from this bag."""
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


class Chart:
    """Edges in the order of their coming; each beam has room for ``beam`` of them (0: for all)."""

    def __init__(self, beam: int, kind: str = SINGLE) -> None:
        self.beam, self.kind = beam, kind
        self.edges: list[Edge] = []

    def __len__(self) -> int:
        return len(self.edges)

    def __iter__(self) -> Iterator[Edge]:
        return iter(self.edges)

    def beam_of(self, edge: Edge) -> list[Edge]:
        """The edges that share a beam with this one."""
        if self.kind == SINGLE:
            return self.edges
        return [other for other in self.edges if other.size == edge.size]

    def add(self, edge: Edge) -> None:
        """Put an edge in; whoever does so then looks whether its beam is too full."""
        self.edges.append(edge)

    def is_too_full(self, edge: Edge) -> bool:
        """Whether there are too many edges in this edge's beam."""
        return self.beam > 0 and len(self.beam_of(edge)) > self.beam

    def lowest(self, edge: Edge) -> Edge:
        """The lowest-scored edge of this edge's beam; of equal ones the one that was made last."""
        return max(self.beam_of(edge), key=lambda other: other.key)

    def max_non_gold(self, edge: Edge) -> Edge | None:
        """MAXNONGOLD: the best edge of this edge's beam that is not gold, if there is one."""
        others = (other for other in self.beam_of(edge) if not other.is_gold)
        return min(others, key=lambda other: other.key, default=None)

    def remove(self, edge: Edge) -> None:
        """REMOVE."""
        self.edges.remove(edge)


# --- signatures -----------------------------------------------------------------------------


SIGNATURES = SIGNATURE_2011, SIGNATURE_2015, NO_SIGNATURE = ("2011", "2015", "none")


SAME_ENDS, SAME_WORDS = "ends", "words"
TREE_SIGNATURES = NO_SIGNATURE, SAME_ENDS, SAME_WORDS
"""Those of dependency trees."""


def check_signature(name: str, names: tuple[str, ...] = SIGNATURES) -> None:
    """Raise ``ValueError`` for a signature that there is not."""
    if name not in names:
        raise ValueError(f"no signature {cited(name)}; there are {', '.join(names)}")
