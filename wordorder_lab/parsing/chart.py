"""What CKY leaves behind: the constituents of every cell, and the tree that is read off them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordorder_lab.parsing.annotation import label_of
from wordorder_lab.parsing.binarise import is_half
from wordorder_lab.parsing.grammar import TreebankGrammar
from wordorder_lab.structures.phrase_tree import PhraseTree
from wordorder_lab.structures.plain_tree import Tree

NONE = -1
MOST_ITEMS = 4_000_000
"""Constituents of a chart. One takes 36 bytes in the fast engine (twice that while its arrays grow)
and some 410 in the reference engine, whose charts so stay below 2 GiB."""


SYMBOL, LOWER, LEFT, RIGHT, SERIAL, START, END = range(7)
"""Columns of ``Chart.items``: a constituent covers the words from START up to, not including, END.
LOWER is the symbol at the lower end of its chain of unary rules, -1 for none; that one, or else the
constituent itself, was made of LEFT and RIGHT, both -1 for a word. SERIAL is for a trace."""


@dataclass(frozen=True, eq=False)
class Chart:
    """The constituents of a sentence of so many words, ``items`` of int32, with their ``scores``.

    ``goal`` is the one that is the whole tree, -1 where there is none, and its ``score``.
    """

    length: int
    items: np.ndarray
    scores: np.ndarray
    goal: int
    score: float


def too_many(most: int) -> ValueError:
    """What is raised where a chart would have more constituents than ``most``."""
    return ValueError(
        f"the chart of this sentence has more than {most:,} constituents: take a smaller beam"
    )


def tree_of(chart: Chart, grammar: TreebankGrammar, item: int, words: Sequence[str]) -> Tree:
    """The tree of a constituent with bare labels, half-built nodes dissolved."""
    (tree,) = _nodes(chart, grammar, item, words)
    return tree


def _nodes(chart: Chart, grammar: TreebankGrammar, item: int, words: Sequence[str]) -> list[Tree]:
    """The node of a constituent, or the children of one that is half built."""
    symbol, lower, left, right, _, start, _ = chart.items[item].tolist()
    below: list[Tree | str] = [words[start]]
    if left != NONE:
        below = [*_nodes(chart, grammar, left, words), *_nodes(chart, grammar, right, words)]
    path = [symbol] if lower == NONE else grammar.chains.path(symbol, lower)
    for one in reversed(path):
        name = grammar.symbols[one]
        if is_half(name):
            return below
        below = [PhraseTree(label_of(name), below)]
    return below
