"""The best derivation of a gold tree, the fast engine: ``oracle``'s twin, for ``best_gold``.

Same score, bit for bit. All states have gold's words and arcs, so a stack is known by the words
that are shifted and by those that have got their head, which are the bits of one number. It scores
and builds states by the kernels of ``beam_fast``, in a workspace for as many of them as its twin
keeps.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordorder_lab.runtime.kernel_fast import kernel
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import ROOT
from wordorder_lab.transition import state_fast as col
from wordorder_lab.transition.actions import read_actions
from wordorder_lab.transition.beam_fast import (
    FastBeam,
    advance,
    finish,
    plan_states,
    select,
    start,
)
from wordorder_lab.transition.features_fast import score_states
from wordorder_lab.transition.language_model_fast import begin_lines, is_last, shift_score
from wordorder_lab.transition.pieces_fast import begin_state, piece_score, pieces_of
from wordorder_lab.transition.state import LEFTARC, RIGHTARC, SHIFT

MOST_WORDS = 64
"""Of longer sentences the twin finds the score: a number has no more bits."""


def best_gold(beam: FastBeam, problem: OrderingProblem, gold: Sequence[int]) -> float:
    """The score, undivided, of the best derivation with the words and the tree of a gold one; the
    beam is as wide as the twin's. Raises ``ValueError`` for more words than ``MOST_WORDS``."""
    if problem.size > MOST_WORDS:
        raise ValueError(f"{problem.size} words are more than {MOST_WORDS}: engine='reference'")
    _, heads = read_actions(gold, problem)
    rights = [0] * len(heads)
    for place, head in enumerate(heads):
        if ROOT < head < place:
            rights[head] |= 1 << place
    run = beam.ready(problem)
    shifts = np.array([action for action in gold if action >= SHIFT], np.int64)
    attached = np.zeros((2, 2 * beam.space.beam + 1), np.uint64)
    tree = np.array(heads, np.int64), np.array(rights, np.uint64), shifts
    score: float = search_gold(
        run, beam.language_of(problem), run.program.decisions, tree, attached
    )
    return score


@kernel(borrows=True)
def search_gold(run, language, pieces, tree, attached):
    """``beam_fast.search`` among the derivations of one tree; the score of the best one."""
    space = run.space
    steps = start(run, pieces)
    if language is not None:
        begin_lines((steps + 1) // 2, language)
    n, free, serial, now = 1, 1, 0, 0
    attached[0, 0] = 0
    for _ in range(steps):
        score_states(space.states, n, run, space.out)
        m = gold_successors(n, now, run, language, pieces, tree, attached)
        beam = space.states.shape[0]
        n = select(space.agenda, m, space.chosen, space.best_scores, space.best_lines, beam)
        for r in range(n):
            attached[0, r] = attached[1, space.chosen[r]]
        plan_states(n, free, serial, language, space)
        advance(n, free, now, run, pieces)
        now = 1 - now
        serial += m
        free += n
    finish(n, serial, run.problem, space)
    return space.marks[space.states[0], col.SCORE]


@kernel(borrows=True)
def gold_successors(n, now, run, language, pieces, tree, attached):
    """``list_successors`` from which the tree can still be built, of those with one stack the best;
    ``attached`` has a line for the states and one for these: who has got a head."""
    heads, rights, shifts = tree
    problem, space, m = run.problem, run.space, 0
    for s in range(n):
        state, bits = space.states[s], attached[0, s]
        shifted = space.pool[state, col.SHIFTED]
        top = last_free(shifted, bits)
        under = last_free(top, bits)
        waits = top >= 0 and rights[top] & ~bits != 0
        left = under >= 0 and heads[under] == top
        right = top >= 0 and not left and not waits and heads[top] == under
        for action in (LEFTARC, RIGHTARC, SHIFT):
            after, column = bits, action
            if action == LEFTARC:
                if not left:
                    continue
                after |= np.uint64(1) << np.uint64(under)
            elif action == RIGHTARC:
                if not right:
                    continue
                after |= np.uint64(1) << np.uint64(top)
            else:
                if right or (left and not waits):
                    continue
                action = shifts[shifted]
                column = problem.item_types[action - SHIFT]
            score = space.marks[state, col.SCORE] + space.out[s, column]
            if pieces is not None:
                if action >= SHIFT:
                    begin_state(now, s, space.bits, pieces_of(run))
                    kind = problem.item_bags[action - SHIFT]
                    score += piece_score(kind, now, s, pieces_of(run))
            if language is not None:
                if action >= SHIFT:
                    line, closes = language.lines.at[state], is_last(shifted, language)
                    score += shift_score(line, action - SHIFT, closes, language)
            at = 0
            while at < m and attached[1, at] != after:
                at += 1
            if at == m or space.agenda[at] < score:
                attached[1, at], space.agenda[at] = after, score
                space.origin[at, col.RANK], space.origin[at, col.CHOICE] = s, action
                m = max(m, at + 1)
    return m


@kernel(borrows=True)
def last_free(behind, bits):
    """The last word before this one without a head, which is the one on the stack; -1 for none."""
    at = behind - 1
    while at >= 0 and bits & (np.uint64(1) << np.uint64(at)) != 0:
        at -= 1
    return at
