"""The possible actions where a whole tree is given: no choices but the order of the words.

Liu et al. 2015, section 3.2.3; Algorithm 3:

    GETPOSSIBLEACTIONS(([stack|j i], bag, A), C)
    1   T <- {}
    2   if the stack is empty then
    3     for k in bag do
    4       T <- T + (SHIFT, POS, k)
    5   else
    6     if some j is in DESCENDANTS(i) and in bag then
    7       for j in DESCENDANTS(i) and in bag do
    8         T <- T + (SHIFT, POS, j)
    9     else
    10      if {j -> i} in C then
    11        T <- T + RIGHTARC
    12      else if {j <- i} in C then
    13        T <- T + LEFTARC
    14      else
    15        for k in SIBLINGS(i) + HEAD(i) and in bag do
    16          T <- T + (SHIFT, POS, k)
    17  return T

It reaches the same outputs as Algorithm 2 (``actions``), each in one way only: an arc is built as
soon as the dependent is complete, except that a left dependent waits until its head has all on its
right. The searches here use Algorithm 2, which serves for every share of a tree.

Differences
- *Text against figure*, line 15: as printed it takes the siblings of i; the text says "a word in
  i's sibling tree". The text is right. With the siblings alone no order is reached in which a
  sibling's dependent comes before the sibling: the smallest is "c d b a" for c <- a -> b -> d.
- *Paper silent*: equal words, and equal subtrees (``its_turn``), are treated as in ``actions``; so
  are orders.
"""

from __future__ import annotations

from collections.abc import Iterable

from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.transition.actions import its_turn
from wordorder_lab.transition.state import LEFTARC, RIGHTARC, SHIFT, State


def full_tree_actions(state: State, problem: OrderingProblem) -> list[int]:
    """GETPOSSIBLEACTIONS: Algorithm 3, with line 15 as the text has it. Raises ``ValueError`` if
    the given heads are not a whole tree."""
    check_full_tree(problem)
    given = problem.given
    if not state.stack:
        return shifts(range(len(problem.units)), state, problem)
    i = problem.items[state.stack[-1].item].type
    descendants = given.family[i][1:]
    if any(state.bag[t] for t in descendants):
        return shifts(descendants, state, problem)
    if len(state.stack) > 1:
        j = problem.items[state.stack[-2].item].type
        if given.heads[i] == j:
            return [RIGHTARC]
        if given.heads[j] == i:
            return [LEFTARC]
    head = given.heads[i]
    # The head with all its descendants: those of i are used up, so what is left are the others'.
    return [] if head is None or head < 0 else shifts(given.family[head], state, problem)


def shifts(types: Iterable[int], state: State, problem: OrderingProblem) -> list[int]:
    """(SHIFT, POS, k) for each k of these types that is left, where it is its turn."""
    ready = {t for t in types if state.bag[t] and its_turn(state, t, problem)}
    return [SHIFT + i for i, item in enumerate(problem.items) if item.type in ready]


def check_full_tree(problem: OrderingProblem) -> None:
    """Raise ``ValueError`` unless given heads connect all words of a bag."""
    arcs = 0
    for count in problem.given.dependents:
        arcs += count
    if arcs < problem.size - 1:
        raise ValueError(
            f"Algorithm 3 needs the whole tree, {problem.size - 1} arcs over {problem.size} words, "
            f"and {arcs} are given: give the other heads too, or use Algorithm 2 (possible_actions)"
        )
