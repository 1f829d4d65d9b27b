"""Algorithm 4 of Cohn & Lapata (2009), lines 5 to 25, and cube pruning: one kernel call a sentence.

The kernel comes back when an array is full, and goes on with the cell that it was in, from that
cell's beginning.
"""

from __future__ import annotations

import numpy as np

from wordorder_lab.best_first.arrays_fast import DONE, EDGES, HEAP, pop_best, push
from wordorder_lab.decoders.stsg_arrays_fast import (
    CELL,
    ESTIMATE,
    EXHAUSTIVE,
    FIRST_COMBINATION,
    FIRST_ITEM,
    HEURISTIC,
    INSIDE,
    ITEMS,
    KEPT,
    LOSS,
    MORE_COMBINATIONS,
    MORE_ITEMS,
    MORE_QUEUE,
    NGRAMS,
    SCORE,
    TOTAL,
    UNIQUE,
    WHOLE,
)
from wordorder_lab.decoders.stsg_combine_fast import (
    added_scores,
    choose_parts,
    find,
    keep,
    move_on,
    successors,
    write_key,
    write_ranks,
)
from wordorder_lab.decoders.stsg_loss_fast import value
from wordorder_lab.decoders.stsg_seams_fast import join
from wordorder_lab.structures.kernel_fast import kernel


@kernel
def fill_cells(scores, weight, ngrams, rules, loss, items, combinations, queue, scratch, state):
    """Fill all cells that are not filled yet; returns what has run out, or ``DONE``."""
    begins, frontier, children, starts, _, ids, unigrams, own_unigrams = rules
    own, caps, reference, numbers, factors = loss
    ints, floats, listed, places, cells = items
    told, worth = combinations
    _, score_of, total_of, ranks = queue
    parts, left, recent, context, counts = scratch
    no_words = np.int64(0)
    while state[CELL] < len(starts) - 1:
        cell, first_item, first_line = state[CELL], state[ITEMS], state[EDGES]
        cells[cell, FIRST_ITEM], cells[cell, FIRST_COMBINATION] = first_item, first_line
        state[HEAP] = 0
        full, taken = DONE, 0
        # The lines of the queue from ``fresh`` to ``last`` are new. An exhaustive search has one.
        fresh, last = 0, 1 if state[EXHAUSTIVE] else starts[cell + 1] - starts[cell]
        if last > len(ranks):
            return MORE_QUEUE
        for i in range(last):
            ranks[i, 0] = starts[cell] + i
            ranks[i, 1:] = 0
        while True:
            for i in range(fresh, last):  # what does it seem to be worth?
                variables = choose_parts(
                    i, ranks, begins, children, own, caps, ints, listed, cells, parts, counts
                )
                total = added_scores(scores[ranks[i, 0]], INSIDE, variables, floats, parts)
                total += weight * own_unigrams[ranks[i, 0]]
                total_of[i] = score_of[i] = total + value(counts, numbers, factors)
                if not state[EXHAUSTIVE]:
                    push(i, queue, state)
            best = 0
            if not state[EXHAUSTIVE]:
                if state[HEAP] == 0:
                    break
                best = pop_best(queue, state)
            # Lines 7-20: yields joined, n-grams at the seams scored, everything added up.
            line, new = state[EDGES], state[ITEMS]
            if line == len(told) or new == len(ints):
                full = MORE_ITEMS if new == len(ints) else MORE_COMBINATIONS
                break
            application = np.int64(ranks[best, 0])
            variables = choose_parts(
                best, ranks, begins, children, own, caps, ints, listed, cells, parts, counts
            )
            length, gain, matched, missed = join(
                application, no_words, begins, frontier, ids, reference, numbers, ints, parts,
                left, recent, context, ngrams,
            )  # fmt: skip
            if matched + missed:
                counts[0] += matched
                counts[1] += missed
            score = added_scores(scores[application], SCORE, variables, floats, parts)
            score += weight * gain
            worth[line, HEURISTIC] = score_of[best]
            worth[line, WHOLE] = score
            worth[line, NGRAMS] = weight * gain
            write_ranks(line, best, variables, told, ranks)
            # Lines 21-24: a new item, or another way to reach one.
            write_key(new, length, ints, left, recent, counts)
            item = find(new, first_item, ints, places)
            if item == new:
                floats[new, LOSS] = value(counts, numbers, factors)
                state[ITEMS] += 1
            keep(line, application, item, item == new, score, weight, unigrams, told, ints, floats)
            state[EDGES] += 1
            taken += 1
            if state[EXHAUSTIVE]:
                move_on(ranks, begins, children, cells)
                if ranks[0, 0] == starts[cell + 1]:
                    break
                continue
            if state[ITEMS] - first_item == state[UNIQUE] or taken == state[TOTAL]:
                break
            fresh, last = last, successors(best, last, ranks, begins, children, cells)
            if last < 0:
                full = MORE_QUEUE
                break
        if full == DONE and state[ITEMS] - first_item > len(ranks):
            full = MORE_QUEUE  # it sorts the items, too
        if full != DONE:
            state[ITEMS], state[EDGES] = first_item, first_line
            return full
        list_items(cell, items, queue, state)
        state[CELL] += 1
    return DONE


@kernel
def list_items(cell, items, queue, state):
    """The items of a cell, best first, within the beam; the queue serves to sort them."""
    first = items.cells[cell, FIRST_ITEM]
    found = state[ITEMS] - first
    state[HEAP] = 0
    for i in range(found):
        queue.total[i] = items.floats[first + i, ESTIMATE]
        push(i, queue, state)
    kept = min(found, state[UNIQUE]) if state[UNIQUE] else found
    for rank in range(kept):
        items.listed[first + rank] = first + pop_best(queue, state)
    items.cells[cell, KEPT] = kept
