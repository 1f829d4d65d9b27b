"""A derivation as Figure 4 of Cohn & Lapata (2009) prints it: the target tree after every rewrite.

Algorithm 2: the root of the source is to become the root of the target, and each rule rewrites the
leftmost node that waits. A node that waits is labelled X/Y, source category and target category,
and has the source subtree below it.
"""

from __future__ import annotations

from collections.abc import Iterator

from nltk.tree import Tree

from wordorder_lab.transduction.applications import child_categories
from wordorder_lab.transduction.problem import TransductionProblem, filled


def rewrites(problem: TransductionProblem, derivation: tuple[int, ...]) -> Iterator[Tree]:
    """The target tree before the first rewrite, after it, ..., after the last.

    ``derivation`` has the applications in pre-order, as decoders give them.
    """
    for steps in range(len(derivation) + 1):
        yield _after(problem, derivation, steps)


def _after(problem: TransductionProblem, derivation: tuple[int, ...], steps: int) -> Tree:
    todo = iter(derivation[:steps])

    def build(node: int, category: str) -> Tree:
        number = next(todo, None)
        if number is None:
            source = problem.nodes.tree(node)
            return Tree(f"{source.label()}/{category}", list(source))
        one = problem.applications[number]
        parts = [build(*cell) for cell in zip(one.children, child_categories(one.rule))]
        return filled(one.rule.target, parts)

    return build(problem.nodes.root, problem.applications[derivation[0]].category)
