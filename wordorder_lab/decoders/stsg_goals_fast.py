"""The end of Algorithm 4, lines 27 and 28: goals at the root, and the best derivation's rules."""

from __future__ import annotations

from wordorder_lab.decoders.stsg_arrays_fast import (
    APPLICATION,
    BEST,
    FIRST_ITEM,
    KEPT,
    RANKS,
    SCORE,
)
from wordorder_lab.decoders.stsg_loss_fast import value
from wordorder_lab.decoders.stsg_rules_fast import CHILDREN
from wordorder_lab.decoders.stsg_seams_fast import join
from wordorder_lab.structures.kernel_fast import kernel


@kernel
def make_goals(goals, gains, weight, ngrams, rules, loss, items, scratch):
    """Each item of the root between start and end: its number, what the end adds, its loss."""
    n = 0
    whole = len(rules.begins) - 2
    width, k = len(scratch.recent), len(scratch.counts)
    for cell in rules.roots:
        first = items.cells[cell, FIRST_ITEM]
        for rank in range(items.cells[cell, KEPT]):
            item = items.listed[first + rank]
            scratch.parts[0] = item
            scratch.recent[:] = len(rules.ids) - 2
            _, gain, matched, missed = join(
                whole, width, rules.begins, rules.frontier, rules.ids, loss.reference,
                loss.numbers, items.ints, scratch.parts, scratch.left, scratch.recent,
                scratch.context, ngrams,
            )  # fmt: skip
            for c in range(k):
                scratch.counts[c] = items.ints[item, items.ints.shape[1] - k + c]
            if matched + missed:
                scratch.counts[0] += matched
                scratch.counts[1] += missed
            goals[n] = item
            gains[n, 0] = weight * gain
            gains[n, 1] = value(scratch.counts, loss.numbers, loss.factors)
            n += 1


@kernel
def best_goal(goals, gains, items):
    """The place of the goal with the highest score plus loss, of equal ones the first."""
    best, highest = 0, 0.0
    for n in range(len(goals)):
        score = items.floats[goals[n], SCORE] + gains[n, 0]
        if n == 0 or score + gains[n, 1] > highest:
            best, highest = n, score + gains[n, 1]
    return best


@kernel
def follow(item, found, todo, rules, items, combinations):
    """The applications of an item's best derivation, in pre-order into ``found``; how many."""
    n, waiting = 0, 1
    todo[0] = item
    while waiting:
        waiting -= 1
        line = items.ints[todo[waiting], BEST]
        application = combinations.ints[line, APPLICATION]
        found[n] = application
        n += 1
        first = rules.begins[application, CHILDREN]
        for i in range(rules.begins[application + 1, CHILDREN] - first - 1, -1, -1):
            cell = rules.children[first + i]
            rank = combinations.ints[line, RANKS + i]
            todo[waiting] = items.listed[items.cells[cell, FIRST_ITEM] + rank]
            waiting += 1
    return n
