"""The best derivation of a gold tree: which of all there are a model likes best.

The oracle follows one (``oracle``). But a word with dependents on both sides may take those on its
left before, between or after those on its right, so one tree has many derivations (*spurious
ambiguity*), and each has a score of its own. They are searched step by step, as Algorithm 1 does,
with the moves alone that lead to the tree.
"""

from __future__ import annotations

from collections.abc import Sequence

from wordorder_lab.structures.sentence import ROOT
from wordorder_lab.transition.actions import apply_action, initial_state, read_actions
from wordorder_lab.transition.beam import BeamSearch
from wordorder_lab.transition.context import state_context
from wordorder_lab.transition.state import LEFTARC, RIGHTARC, SHIFT, Node, State

WIDE = 1_000
"""Stacks that a step keeps at most: 4 of the 3,588 sentences of the Penn sample have more, 12 of
1,970 of EWT's development part."""


def best_gold(search: BeamSearch, gold: Sequence[int]) -> float:
    """The score of the best derivation that has the words and the tree of a gold one.

    All that a score sees of a state are its stack and the words so far, and these are gold's. So
    of the states with one stack the best alone is kept, and the score found is exact; but where a
    step has more than ``WIDE`` stacks, the best of them go on, and it may be too low. ``search``
    scores; its beam plays no part.
    """
    problem = search.problem
    _, heads = read_actions(gold, problem)
    on_right = [0] * len(heads)
    for place, head in enumerate(heads):
        on_right[head] += 0 <= head < place
    shifts = [action for action in gold if action >= SHIFT]
    states = [initial_state(problem)]
    for _ in gold:
        best: dict[tuple[Node, ...], State] = {}
        for state in states:
            scores = search.scores.of(state_context(state, problem))
            for move in _moves(state, heads, on_right):
                action = shifts[len(state.order)] if move == SHIFT else move
                score = search.score_after(state, action, scores)
                after = apply_action(state, action, problem, score)
                if after.stack not in best or best[after.stack].score < score:
                    best[after.stack] = after
        states = sorted(best.values(), key=lambda state: -state.score)[:WIDE]
    return states[0].score


def _moves(state: State, heads: Sequence[int], on_right: Sequence[int]) -> list[int]:
    """The moves from which the tree can still be built: of several, an arc and SHIFT."""
    if not state.stack:
        return [SHIFT]
    *below, top = state.stack
    waits = len(top.right) < on_right[top.place]
    under = below[-1].place if below else ROOT
    if below and heads[under] == top.place:
        return [LEFTARC, SHIFT] if waits else [LEFTARC]
    if not waits and heads[top.place] == under:
        return [RIGHTARC]
    return [SHIFT]
