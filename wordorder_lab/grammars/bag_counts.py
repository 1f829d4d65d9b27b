"""How often the words of a bag may be used, and in which order: the input check of CCG edges.

Zhang & Clark 2011, section 3.1: two edges may be combined if together they use no word more often
than the input has it.

Differences. A type of the bag is a word with its tag; a type may have a least and a most count
(word selection). The papers say that the order of words may be constrained and not how; here it is
given by pairs, and ``right`` may not hold what has to stand before a word of ``left``. Heads are
for dependency trees and are refused. Orders that follow from others hold as well, also where the
word between is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from wordorder_lab.structures.problem import OrderingProblem


class BagCounts:
    """The counts of a problem by type. Raises ``ValueError`` if heads are given."""

    def __init__(self, problem: OrderingProblem) -> None:
        if any(head is not None for head in problem.given.heads):
            raise ValueError(
                "heads are given, which a CCG search cannot keep: leave them out (deps 0), or use "
                "a system for dependency trees"
            )
        self.least, self.most = problem.least, problem.most
        self.before = problem.given.before

    def can_combine(self, left: Sequence[int], right: Sequence[int]) -> bool:
        """The input check, by the counts of two edges: whether ``right`` may follow ``left``."""
        for t, most in enumerate(self.most):
            if left[t] + right[t] > most:
                return False
            if left[t] and any(right[earlier] for earlier in self.before[t]):
                return False
        return True
