"""A head and its dependents in order, by a beam: the manner of STUMABA.

Bohnet, Wanner, Mille & Burga (2010), *Broad Coverage Multilingual Deep Sentence Generation with a
Stochastic Multi-Level Realizer*, and the system of 2011 that Zhang & Clark (2015, Table 10) compare
theirs with. As we remember them, trees are put in order from below, head by head; of each head and
its dependents the order is sought that a linear model likes best, and the model has been learned on
the orders of siblings.

    ORDER(tree):
      for each head, dependents before their heads:
        parts <- the head, and its dependents with their words in the order found before
        beam <- { the empty order }
        as often as there are parts:
            longer <- every order of the beam, with every part behind it that may come next
            beam <- the best of them, so many as it is wide
        the words of the head <- those of its parts, as the best order has them
      the words of the root

The score of an order is the weight of its features (``sibling_features``): who stands somewhere
before whom, who right beside whom, and which three follow each other. A part that is placed stands
before all that are still to come, so their precedences are known as soon as it is.

Differences
- *Paper silent*, as the papers of Bohnet et al. are not before us: the beam's width, the learner
  and every single feature are ours; known are the order of work, the beam, the linear model, and
  that its features are labels, tags and lemmas of siblings and head.
- *Our reading*: a head's parts are one sequence from left to right, the head among them.
- *Our reading*: a head has one order in the end; the second best is not tried further up.
- *Our reading*: ranks that the input has (``lin`` in SR'20) forbid what contradicts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wordorder_lab.linearization.domains import HEAD, Order

Row = Sequence[int]


class OrderScores(NamedTuple):
    """What a model says of the ``n`` parts of a domain, in whole numbers.

    Parts are counted from 0; ``n`` stands for what is before the first, ``n + 1`` for what is
    behind the last. ``before[a][b]``: a somewhere before b. ``beside[side][a][b]``: a right before
    b, where ``side`` is 1 once the head is placed, a itself included. ``three[a][b][c]``: these
    right one after the other; ``None`` where there are too many parts to look at them.
    """

    before: Sequence[Row]
    beside: Sequence[Sequence[Row]]
    three: Sequence[Sequence[Row]] | None


class Partial(NamedTuple):
    """The beginning of an order, with its last two parts and a mask of what is in it."""

    score: int
    order: Order
    placed: int
    last_but_one: int
    last: int


def best_orders(
    scores: OrderScores, needed: Sequence[int], beam: int, right: Order | None = None, cost: int = 0
) -> list[Partial]:
    """The orders that are left in the beam when every part is placed, the best first.

    ``needed[k]`` is a mask of the parts that must stand before part k. Of equal scores the one
    comes first that was made first. In learning, a part that is not where ``right`` has it brings
    ``cost``: what is wrong has to be beaten by that much. Raises ``ValueError`` for contradictory
    ``needed``.
    """
    n = len(needed)
    end = n + 1
    ahead = [_all_behind(row, part) for part, row in enumerate(scores.before)]
    hypotheses = [Partial(0, (), 0, n, n)]
    for place in range(n):
        longer: list[Partial] = []
        for score, order, placed, before_last, last in hypotheses:
            beside = scores.beside[placed >> HEAD & 1][last]
            three = scores.three[before_last][last] if scores.three else None
            for part in range(n):
                if placed >> part & 1 or needed[part] & ~placed:
                    continue
                total = score + beside[part] + ahead[part]
                row = scores.before[part]
                for earlier in order:
                    total -= row[earlier]
                if three:
                    total += three[part]
                if right and right[place] != part:
                    total += cost
                if place == n - 1:
                    total += scores.beside[1][part][end]
                    total += scores.three[last][part][end] if scores.three else 0
                longer.append(Partial(total, (*order, part), placed | 1 << part, last, part))
        longer.sort(key=_by_score)
        hypotheses = longer[:beam]
    if not hypotheses:
        raise ValueError("the orders that are given for some dependents contradict each other")
    return hypotheses


def _all_behind(row: Row, part: int) -> int:
    """The score of a part that stands before all others."""
    total = 0
    for other, score in enumerate(row):
        if other != part:
            total += score
    return total


def _by_score(partial: Partial) -> int:
    return -partial.score


def steps_of(order: Order) -> tuple[list[tuple[int, int]], list[tuple[int, int, int]]]:
    """The entries of ``before`` and of ``beside``, as (side, a, b) from left to right, that make up
    the score of an order; with the step before, the latter also name those of ``three``."""
    n = len(order)
    precedences = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    chain = (n, *order, n + 1)
    head = chain.index(HEAD)
    steps = [(int(i >= head), chain[i], chain[i + 1]) for i in range(n + 1)]
    return precedences, steps
