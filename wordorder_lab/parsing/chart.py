"""What CKY leaves behind: the constituents of every cell, and the tree that is read off them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from nltk.tree import Tree

from wordorder_lab.parsing.annotation import label_of
from wordorder_lab.parsing.binarise import is_half
from wordorder_lab.parsing.grammar import TreebankGrammar
from wordorder_lab.structures.phrase_tree import PhraseTree

NONE = -1
MOST_ITEMS = 4_000_000
"""Constituents of a chart. One takes 36 bytes in the fast engine (twice that while its arrays grow)
and some 410 in the reference engine, whose charts so stay below 2 GiB."""


@dataclass(frozen=True, eq=False)
class Chart:
    """Constituent ``i`` covers the words from ``starts[i]`` up to, not including, ``ends[i]``.

    Its symbol is ``symbols[i]``. ``lowers[i]`` is the symbol at the lower end of its chain of unary
    rules, -1 for none; that one, or else the constituent itself, was made of ``lefts[i]`` and
    ``rights[i]``, both -1 for a word. ``serials[i]`` is its number in a trace. ``goal`` is the
    constituent that is the whole tree, -1 where there is none, with its ``score``.
    """

    length: int
    starts: np.ndarray
    ends: np.ndarray
    symbols: np.ndarray
    scores: np.ndarray
    lowers: np.ndarray
    lefts: np.ndarray
    rights: np.ndarray
    serials: np.ndarray
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
    left, right = chart.lefts[item], chart.rights[item]
    below: list[Tree | str] = [words[chart.starts[item]]]
    if left != NONE:
        below = [
            *_nodes(chart, grammar, left, words),
            *_nodes(chart, grammar, right, words),
        ]
    symbol, lower = chart.symbols[item], chart.lowers[item]
    path = [symbol] if lower == NONE else grammar.chains.path(symbol, lower)
    for one in reversed(path):
        name = grammar.symbols[one]
        if is_half(name):
            return below
        below = [PhraseTree(label_of(name), below)]
    return below
