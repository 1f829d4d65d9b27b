"""The chart: the accepted edges, as many as a beam holds.

Zhang & Clark 2015, section 3.4. In the article the chart is a single beam; in the papers before it
(2011, 2013), and where the model is not scaled, it has one beam for each number of words. Which
edges DPCHARTPRUNE takes for one (2011, section 3.1; 2015, section 3.2) is a signature; ``ccg`` and
``dependency`` say what each looks at.
"""

from __future__ import annotations

from collections.abc import Iterator

from wordorder_lab.best_first.edge import Edge
from wordorder_lab.structures.messages import cited

SINGLE, SIZES = "single", "sizes"
CHARTS = (SINGLE, SIZES)


class Chart:
    """Edges in the order of their coming; each beam has room for ``beam`` of them (0: for all)."""

    def __init__(self, beam: int, kind: str = SINGLE) -> None:
        if kind not in CHARTS or beam < 0:
            raise ValueError(f"a chart is one of {', '.join(CHARTS)}, with a beam of 0 or more")
        self.beam = beam
        self.kind = kind
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
