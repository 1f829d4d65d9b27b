"""A filled chart on flat arrays told in Python: the ways to reach its items, and its events."""

from __future__ import annotations

from typing import Any

import numpy as np

from wordorder_lab.decoders.k_best_derivations import Hyperedge
from wordorder_lab.decoders.stsg_arrays_fast import (
    APPLICATION,
    BETTER,
    FIRST_COMBINATION,
    FIRST_ITEM,
    HEURISTIC,
    ITEM,
    KEPT,
    LOSS,
    NEW,
    NGRAMS,
    OUTCOME,
    RANKS,
    WHOLE,
    WORSE,
    Combinations,
    Items,
)
from wordorder_lab.structures.transduction import TransductionProblem

NAMES = {NEW: "new", BETTER: "better", WORSE: "worse"}


class Filled:
    """The chart of a problem after its search, which took ``taken`` combinations."""

    def __init__(
        self,
        problem: TransductionProblem,
        items: Items,
        combinations: Combinations,
        taken: int,
    ) -> None:
        self.problem, self.items = problem, items
        self.ints, self.floats = combinations.ints[:taken], combinations.floats[:taken]
        self._order = np.argsort(self.ints[:, ITEM], kind="stable")
        self._sorted = self.ints[self._order, ITEM]
        self._edges: dict[int, list[Hyperedge]] = {}

    def ranks(self, line: int) -> list[int]:
        """The ranks of the items of a combination."""
        variables = len(self.problem.child_cells[self.ints[line, APPLICATION]])
        return self.ints[line, RANKS : RANKS + variables].tolist()

    def edges(self, item: int) -> list[Hyperedge]:
        """The ways to reach an item, in the order in which they were found."""
        if item not in self._edges:
            begin, end = np.searchsorted(self._sorted, (item, item + 1))
            self._edges[item] = [self._edge(line) for line in self._order[begin:end].tolist()]
        return self._edges[item]

    def _edge(self, line: int) -> Hyperedge:
        application = int(self.ints[line, APPLICATION])
        cells, ranks = self.problem.child_cells[application], self.ranks(line)
        tails = tuple(self.listed(cell, rank) for cell, rank in zip(cells, ranks))
        return Hyperedge(application, tails, float(self.floats[line, NGRAMS]))

    def listed(self, cell: int, rank: int) -> int:
        """The item at this rank of a cell."""
        return int(self.items.listed[self.items.cells[cell, FIRST_ITEM] + rank])

    def tell(self, trace: Any) -> None:
        """The events of the search, in the order of the reference engine."""
        cells = self.items.cells
        for cell, (node, category) in enumerate(self.problem.cells):
            trace.cell(cell, node, category)
            end = int(cells[cell + 1, FIRST_COMBINATION])
            for line in range(int(cells[cell, FIRST_COMBINATION]), end):
                self._tell_combined(line, trace)
            kept = int(cells[cell, KEPT])
            trace.filled(cell, [self.listed(cell, rank) + 1 for rank in range(kept)])

    def _tell_combined(self, line: int, trace: Any) -> None:
        item, application, outcome = self.ints[line, [ITEM, APPLICATION, OUTCOME]].tolist()
        worth = self.floats[line, [HEURISTIC, WHOLE, NGRAMS]].tolist()
        loss = float(self.items.floats[item, LOSS])
        trace.combined(
            line + 1, application, self.ranks(line), *worth, loss, item + 1, NAMES[outcome]
        )
