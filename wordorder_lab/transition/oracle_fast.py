"""The best derivation of a gold tree, the fast engine: ``oracle``'s twin, for ``best_gold``.

Same score, bit for bit. All states have gold's words and arcs, so a stack is known by the words
that are shifted and by those that have got their head: bits, 64 words a number. It scores
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


def best_gold(beam: FastBeam, problem: OrderingProblem, gold: Sequence[int]) -> float:
    """The score, undivided, of the best derivation with the words and the tree of a gold one; the
    beam is as wide as the twin's."""
    _, heads = read_actions(gold, problem)
    numbers = (len(heads) + 63) >> 6
    rights = np.zeros((len(heads), numbers), np.uint64)
    for place, head in enumerate(heads):
        if ROOT < head < place:
            rights[head, place >> 6] |= np.uint64(1 << (place & 63))
    run = beam.ready(problem)
    shifts = np.array([action for action in gold if action >= SHIFT], np.int64)
    attached = np.zeros((2, 2 * beam.space.beam + 1, numbers), np.uint64)
    tree = np.array(heads, np.int64), rights, shifts
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
    for _ in range(steps):
        score_states(space.states, n, run, space.out)
        m = gold_successors(n, now, run, language, pieces, tree, attached)
        beam = space.states.shape[0]
        n = select(space.agenda, m, space.chosen, space.best_scores, space.best_lines, beam)
        for r in range(n):
            copy_bits(attached[1, space.chosen[r]], attached[0, r])
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
    ``attached`` has rows of bits for the states and for these: who has got a head."""
    heads, rights, shifts = tree
    problem, space, m = run.problem, run.space, 0
    for s in range(n):
        state, bits = space.states[s], attached[0, s]
        shifted = space.pool[state, col.SHIFTED]
        top = last_free(shifted, bits)
        under = last_free(top, bits)
        waits = top >= 0 and lacks(bits, rights[top])
        left = under >= 0 and heads[under] == top
        right = top >= 0 and not left and not waits and heads[top] == under
        for action in (LEFTARC, RIGHTARC, SHIFT):
            after, column = attached[1, m], action  # a new one, if no other has its stack
            copy_bits(bits, after)
            if action == LEFTARC:
                if not left:
                    continue
                add_bit(after, under)
            elif action == RIGHTARC:
                if not right:
                    continue
                add_bit(after, top)
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
            while lacks(attached[1, at], after) or lacks(after, attached[1, at]):
                at += 1
            if at == m or space.agenda[at] < score:
                space.agenda[at] = score
                space.origin[at, col.RANK], space.origin[at, col.CHOICE] = s, action
                m = max(m, at + 1)
    return m


@kernel(borrows=True)
def last_free(behind, bits):
    """The last word before this one without a head, which is the one on the stack; -1 for none."""
    at = behind - 1
    while at >= 0 and bits[at >> 6] >> np.uint64(at & 63) & np.uint64(1) != 0:
        at -= 1
    return at


@kernel(borrows=True)
def lacks(bits, others):
    """Whether any of the others is not among these."""
    for i in range(len(bits)):
        if others[i] & ~bits[i] != 0:
            return True
    return False


@kernel(borrows=True)
def copy_bits(bits, to):
    """Copy them one by one: a slice would be counted."""
    for i in range(len(bits)):
        to[i] = bits[i]


@kernel(borrows=True)
def add_bit(bits, place):
    """Add the bit of a place, in place."""
    bits[place >> 6] |= np.uint64(1) << np.uint64(place & 63)
