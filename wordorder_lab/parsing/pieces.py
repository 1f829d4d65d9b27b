"""What comes out where the grammar has no tree: the fewest constituents side by side, below an S.

way(0) is empty
for end = 1 ... n: way(end) is the best way(start) + the best node from start to end,
  fewer nodes first, then the higher sum of scores
"""

from __future__ import annotations

from wordorder_lab.parsing.binarise import is_half
from wordorder_lab.parsing.chart import END, START, SYMBOL, Chart
from wordorder_lab.parsing.grammar import TreebankGrammar

LABEL = "S"
"""The label above the pieces."""


def pieces(chart: Chart, grammar: TreebankGrammar) -> list[int]:
    """The constituents, left to right, that together cover the sentence; each word has one."""
    best: dict[tuple[int, int], int] = {}
    for item, (symbol, start, end) in enumerate(chart.items[:, [SYMBOL, START, END]].tolist()):
        if is_half(grammar.symbols[symbol]):
            continue
        there = best.get((start, end))
        if there is None or chart.scores[item] > chart.scores[there]:
            best[start, end] = item
    # For each place: how many pieces lead there, minus their scores, the last piece.
    ways: list[tuple[int, float, int]] = [(0, 0.0, -1)]
    for end in range(1, chart.length + 1):
        found: tuple[int, float, int] | None = None
        for start in range(end):
            if (start, end) in best:
                number, cost, _ = ways[start]
                item = best[start, end]
                way = (number + 1, cost - float(chart.scores[item]), item)
                if found is None or way < found:
                    found = way
        assert found is not None  # a word's own cell is never empty
        ways.append(found)
    chosen: list[int] = []
    end = chart.length
    while end:
        chosen.append(ways[end][2])
        end = int(chart.items[chosen[-1], START])
    return chosen[::-1]
