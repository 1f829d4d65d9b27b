"""Tree transductions that fit on paper: the paper's own examples, and all that comes of them.

Cohn & Lapata (2009) print a pair of trees and a grammar for it (Figures 1 and 3), and explain
contexts of n-grams with *the fast car skidded to a halt* (section 3.4). The weights for the latter
are ours, and so few that scores can be added up by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from math import prod

import numpy as np
from nltk.tree import Tree

from wordorder_lab.models.kneser_ney import estimate_ngrams
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.phrase_tree import phrase_nodes
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.transduction.features import NGRAM, RuleFeatures
from wordorder_lab.transduction.grammar import read_grammar
from wordorder_lab.transduction.problem import TransductionProblem, transduction_problem
from wordorder_lab.transduction.templates import parse_templates

# --- Figures 1, 3 and 6 ---------------------------------------------------------------------------

FIGURE_1 = CompressionPair(
    Tree.fromstring(
        "(S (SBAR (WHNP (RB exactly) (WP what)) (S (NP (NNS records)) (VP (VBD made)"
        " (NP (PRP it))))) (CC and)"
        " (SBAR (WHNP (WP which)) (S (NP (NNS ones)) (VP (VBP are) (VP (VBN involved))))))"
    ),
    (
        Tree.fromstring(
            "(S (WHNP (WP what)) (S (NP (NNS records)) (VP (VBP are) (VP (VBN involved)))))"
        ),
    ),
    ((1, 0), (2, 1), (8, 2), (9, 3)),
    "figure-1",
)
"""The pair of Figure 1 with the alignment of Figure 6; the paper writes S with a bar for SBAR."""

FIGURE_3 = """
    <WHNP, WHNP> -> <[WHNP RB_eps WP_1], [WHNP WP_1]>
    <S, NP> -> <[S NP_1 VP_eps], NP_1>
    <S, VP> -> <[S NP_eps VP_1], VP_1>
    <SBAR, VP> -> <[SBAR WHNP_eps S_1], VP_1>
    <S, S> -> <[S [SBAR WHNP_1 S_2] [CC and] SBAR_3], [S WHNP_1 [S NP_2 VP_3]]>
    <WP, WP> -> <[WP what], [WP what]>
    <NP, NP> -> <[NP NNS_1], [NP NNS_1]>
    <NNS, NNS> -> <[NNS records], [NNS records]>
    <VP, VP> -> <[VP VBP_1 VP_2], [VP VBP_1 VP_2]>
    <VBP, VBP> -> <[VBP are], [VBP are]>
    <VP, VP> -> <[VP VBN_1], [VP VBN_1]>
    <VBN, VBN> -> <[VBN involved], [VBN involved]>
"""
"""The twelve rules of Figure 3, a line each, in the order of their numbers."""

# --- "the fast car skidded to a halt" -------------------------------------------------------------

FAST_CAR = Tree.fromstring(
    "(S (NP (DT the) (JJ fast) (NN car)) (VP (VBD skidded) (PP (TO to) (NP (DT a) (NN halt)))))"
)

READ = (
    "the car skidded",
    "the fast car came to a halt",
    "the old car skidded to a halt",
    "the fast train came to a halt",
    "the driver came to a halt",
    "a halt came fast",
)
"""All that the language model by hand has read."""

BY_HAND = {NGRAM: 1.0, "Length: target shorter": -0.25, "Word count: target terminals": 1.5}
"""Weights that fit on paper; any other is 0."""


def by_hand() -> CompressionModel:
    """Copy and deletion rules alone, three weights, and a trigram model of six lines."""
    return _with_three_weights([], READ)


def figure_1_by_hand() -> CompressionModel:
    """The rules of Figure 3, the same weights, and a model that has read what should come out."""
    return _with_three_weights(FIGURE_3.splitlines(), ["what records are involved"])


def _with_three_weights(rules: Iterable[str], lines: Iterable[str]) -> CompressionModel:
    templates = parse_templates(
        "Length  target shorter\nWord count  target terminals", "two templates"
    )
    features = RuleFeatures(templates, BY_HAND)
    features.freeze()
    ngrams = estimate_ngrams([line.split() for line in lines], 3)
    return CompressionModel(
        read_grammar(rules, ["S"]), features, np.array([*BY_HAND.values()]), ngrams
    )


# --- all derivations ------------------------------------------------------------------------------


def problem_of(
    tree: Tree, rules: Iterable[str] = (), roots: Iterable[str] = ("S",)
) -> TransductionProblem:
    """A tree with what matches it: these rules, and the coverage rules."""
    return transduction_problem(phrase_nodes(tree), read_grammar(rules, roots))


def derivation_count(problem: TransductionProblem) -> int:
    """How many derivations there are: ways multiply over variables, and add up over rules."""
    ways = [0] * len(problem.cells)
    for application, cell in enumerate(problem.cell_of):
        ways[cell] += prod(ways[below] for below in problem.child_cells[application])
    return sum(ways[root] for root in problem.roots)


def derivations(problem: TransductionProblem) -> Iterator[tuple[int, ...]]:
    """Every derivation, as its applications in pre-order. Count them before you ask for all."""

    @cache
    def of_cell(cell: int) -> list[tuple[int, ...]]:
        sequences = []
        for application in problem.in_cell[cell]:
            below = [of_cell(child) for child in problem.child_cells[application]]
            sequences += [(application, *sum(parts, ())) for parts in product(*below)]
        return sequences

    for root in problem.roots:
        yield from of_cell(root)
