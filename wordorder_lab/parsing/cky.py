"""CKY parsing with a beam in each cell, the reference engine; its fast twin is ``cky_fast``.

    parse(words w_1 ... w_n):
      for end = 1 ... n:
        for start = end - 1 ... 0:
          if end = start + 1: the cell begins with the tags of w_end
          for middle = start + 1 ... end - 1:
            for each constituent B in cell [start, middle], for each rule A -> B C:
              if C is in cell [middle, end]: keep the better of A and what is there
          for each chain of unary rules A => B with B in the cell: keep the better again
          leave out what is worse than the cell's best by more than the beam
      the best constituent of cell [0, n] that may be a root is the tree

What is compared with the beam is a constituent's score plus its symbol's prior: an inside score
alone would favour symbols that are seldom and small. Kasami (1965), Younger (1967); the idea of
priors is that of Goodman (1997), Global Thresholding and Multiple-Pass Parsing.

Differences
- *Our reading*: none of these papers was at hand; priors are shares of symbols among all nodes.
- *Our reading*: of equal scores the first stays, in the order of the loops; rules are in the order
  of (left, right, parent) by number.
- *Our reading*: the beam leaves the cell of the whole sentence alone.
- *Our reading*: chains are taken once, from what binary rules and tags made, which is enough since
  they are closed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordorder_lab.parsing.chart import MOST_ITEMS, NONE, Chart, too_many
from wordorder_lab.parsing.grammar import TreebankGrammar
from wordorder_lab.structures.trace import Trace

Leaf = Sequence[tuple[int, float]]
"""The symbols of a word's tags, ascending, each with its score."""


@dataclass(slots=True)
class Item:
    """A constituent of a cell while it is filled; see ``Chart``."""

    symbol: int
    score: float
    lower: int = NONE
    left: int = NONE
    right: int = NONE
    serial: int = 0


class ReferenceParser:
    """A grammar made ready for the search."""

    def __init__(self, grammar: TreebankGrammar) -> None:
        self.grammar = grammar
        self.priors = grammar.priors.tolist()
        self.rules: dict[int, list[tuple[int, int, float]]] = {}
        columns = (grammar.lefts, grammar.rights, grammar.parents, grammar.scores)
        for left, right, parent, score in zip(*(column.tolist() for column in columns)):
            self.rules.setdefault(left, []).append((right, parent, score))
        chains = grammar.chains
        self.above: dict[int, list[tuple[int, float]]] = {}
        for lower, upper, score in zip(
            chains.lowers.tolist(), chains.uppers.tolist(), chains.scores.tolist()
        ):
            self.above.setdefault(lower, []).append((upper, score))

    def parse(
        self,
        leaves: Sequence[Leaf],
        beam: float,
        trace: Trace | None = None,
        most: int = MOST_ITEMS,
    ) -> Chart:
        """Fill the chart; ``leaves`` has the tags of each word, ``beam`` is a log ratio. Raises
        ``ValueError`` for a chart of more than ``most`` constituents."""
        size = len(leaves)
        self.items: list[Item] = []
        self.spans: list[tuple[int, int]] = []
        self.serials = 0
        # For each start: the places in ``items`` of a cell's constituents, by their symbols.
        ended: list[list[dict[int, int]]] = [[{} for _ in range(size)] for _ in range(size + 1)]
        for end in range(1, size + 1):
            for start in range(end - 1, -1, -1):
                if end == start + 1:
                    cell = {symbol: Item(symbol, score) for symbol, score in leaves[start]}
                else:
                    cell = self._combine(start, end, ended)
                chained = self._chain(cell)
                whole = start == 0 and end == size
                kept = self._within(chained, beam, whole)
                if trace is not None:
                    self._tell(trace, start, end, chained, kept)
                if len(self.items) + len(kept) > most:
                    raise too_many(most)
                for item in kept:
                    ended[end][start][item.symbol] = len(self.items)
                    self.items.append(item)
                    self.spans.append((start, end))
        goal, score = self._goal(ended[size][0])
        return self._chart(size, goal, score)

    def _combine(
        self, start: int, end: int, ended: Sequence[Sequence[dict[int, int]]]
    ) -> dict[int, Item]:
        items, rules = self.items, self.rules
        cell: dict[int, Item] = {}
        for middle in range(start + 1, end):
            rights = ended[end][middle]
            if not rights:
                continue
            for symbol, left in ended[middle][start].items():
                for other, parent, score in rules.get(symbol, ()):
                    right = rights.get(other)
                    if right is None:
                        continue
                    total = items[left].score
                    total += items[right].score
                    total += score
                    there = cell.get(parent)
                    if there is None:
                        cell[parent] = Item(parent, total, NONE, left, right)
                    elif total > there.score:
                        there.score, there.left, there.right = total, left, right
        return cell

    def _chain(self, cell: dict[int, Item]) -> list[Item]:
        best = dict(cell)
        for lower in sorted(cell):
            below = cell[lower]
            for upper, score in self.above.get(lower, ()):
                total = below.score
                total += score
                if upper not in best or total > best[upper].score:
                    best[upper] = Item(upper, total, lower, below.left, below.right)
        return [best[symbol] for symbol in sorted(best)]

    def _within(self, cell: list[Item], beam: float, whole: bool) -> list[Item]:
        if whole or not cell:
            return cell
        best = cell[0].score + self.priors[cell[0].symbol]
        for item in cell:
            best = max(best, item.score + self.priors[item.symbol])
        return [item for item in cell if item.score + self.priors[item.symbol] >= best - beam]

    def _tell(
        self, trace: Trace, start: int, end: int, cell: Sequence[Item], kept: Sequence[Item]
    ) -> None:
        """The events of a full cell: those without a chain first, as the others stand on them."""
        names = self.grammar.symbols
        serials: dict[int, int] = {}
        ordered = [one for one in cell if one.lower == NONE] + [
            one for one in cell if one.lower != NONE
        ]
        for item in ordered:
            self.serials += 1
            item.serial = serials[item.symbol] = self.serials
        for item in ordered:
            left = right = 0
            if item.lower != NONE:
                left = serials[item.lower]
            elif item.left != NONE:
                left, right = self.items[item.left].serial, self.items[item.right].serial
            trace.constituent(item.serial, start, end, names[item.symbol], item.score, left, right)
        inside = {item.serial for item in kept}
        for item in ordered:
            if item.serial not in inside:
                trace.out_of_beam(item.serial)

    def _goal(self, cell: dict[int, int]) -> tuple[int, float]:
        """The best constituent of the whole sentence, and its score as a root."""
        goal, best = NONE, 0.0
        grammar = self.grammar
        for symbol, score in zip(grammar.tops.tolist(), grammar.top_scores.tolist()):
            if symbol in cell:
                total = self.items[cell[symbol]].score
                total += score
                if goal == NONE or total > best:
                    goal, best = cell[symbol], total
        return goal, best

    def _chart(self, size: int, goal: int, score: float) -> Chart:
        rows = [
            (one.symbol, one.lower, one.left, one.right, one.serial, start, end)
            for (start, end), one in zip(self.spans, self.items)
        ]
        items = np.array(rows, dtype=np.int32).reshape(-1, 7)
        scores = np.array([one.score for one in self.items], dtype=np.float64)
        return Chart(size, items, scores, goal, score)
