"""The averaged perceptron's loop over examples as numba kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wordorder_lab.decoders.transition_beam_fast import search
from wordorder_lab.decoders.transition_columns_fast import ACTION, BELOW, PARENT
from wordorder_lab.decoders.transition_events_fast import GOLD, PREDICTED, STEP
from wordorder_lab.decoders.transition_workspace_fast import Numbered
from wordorder_lab.features.extract_fast import UNDER, read_values, template_key
from wordorder_lab.models.linear_fast import EXAMPLES, TURNED, add
from wordorder_lab.structures.kernel_fast import kernel


class Corpus(NamedTuple):
    """The numbered training examples laid end to end, field by field as in ``Numbered``.

    ``ends[i]`` says where example ``i`` begins in types, items, counts, forest, masks and gold.
    All masks have the words of the largest bag; those of a smaller one have zeros there.
    """

    ends: np.ndarray
    types: np.ndarray
    columns: np.ndarray
    folds: np.ndarray
    item_types: np.ndarray
    item_bags: np.ndarray
    counts: np.ndarray
    forest: np.ndarray
    masks: np.ndarray
    gold: np.ndarray


@kernel
def example(corpus, i):
    """Example ``i`` as a problem."""
    a, b = corpus.ends[i], corpus.ends[i + 1]
    return Numbered(
        corpus.types[a[0] : b[0]],
        corpus.columns[a[0] : b[0]],
        corpus.folds[a[0] : b[0]],
        corpus.item_types[a[1] : b[1]],
        corpus.item_bags[a[1] : b[1]],
        corpus.counts[a[2] : b[2]],
        corpus.forest[a[3] : b[3]],
        corpus.masks[a[4] : b[4]],
        corpus.gold[a[5] : b[5]],
    )


@kernel
def collect(gold, predicted, pool, program, problem, changes):
    """Write what an update changes: (key, action, +1 or -1); returns how many lines that is.

    Goes back from both states to the last one that they share. The fifth column is the action in
    the sentence's own numbers, for the trace.
    """
    depth = 0
    g, p = gold, predicted
    while g != p:
        g, p = pool[g, PARENT], pool[p, PARENT]
        depth += 1
    chain = np.zeros(depth, np.int64)
    n = 0
    for sign in (1, -1):
        state = gold if sign == 1 else predicted
        for i in range(depth):
            chain[depth - 1 - i] = state
            state = pool[state, PARENT]
        for after in chain:
            n = collect_state(after, sign, pool, program, problem, changes, n)
    return n


@kernel
def collect_state(after, sign, pool, program, problem, changes, n):
    """The features of the state from which row ``after`` was made, with its action."""
    groups, lines = program.groups, program.lines
    state = pool[after, PARENT]
    under = pool[state, BELOW]
    local = pool[after, ACTION]
    fine = local if local < 2 else problem.item_types[local - 2]
    slots = np.zeros(3, np.int64)
    values = np.zeros(10, np.int64)
    for g in range(groups.shape[0]):
        for i in range(3):
            column = groups[g, 2 + i]
            slots[i] = 0
            if column >= UNDER:
                slots[i] = pool[under, column - UNDER]
            elif column >= 0:
                slots[i] = pool[state, column]
        read_values(values, slots[0], slots[1], slots[2], problem.types)
        for k in range(groups[g, 0], groups[g, 1]):
            key = template_key(lines, k, values)
            if key >= 0:
                changes[n, 0] = key
                level = lines[k, 7]
                at = fine if level == 0 or local < 2 else problem.folds[fine, level - 1]
                changes[n, 1] = problem.columns[at]
                changes[n, 2] = sign
                changes[n, 4] = local
                n += 1
    return n


@kernel
def learn_chunk(order, corpus, program, mode, weights, sums, used, space, changes, state):
    """Learn the examples ``order``; ``state`` becomes (next, lines done, lines, updates).

    Comes back early when the long rows need more space, and with lines done < lines when the table
    must grow before the update can go on.
    """
    record = np.zeros((0, 3), np.float64)
    table, turned, actions, entries, numbers = weights
    report = space.report
    for position in range(state[0], order.shape[0]):
        problem = example(corpus, order[position])
        state[0] = position
        if numbers[1] * problem.types.shape[0] > space.long_rows.shape[0]:
            return
        search(program, problem, mode, weights, space, record)
        state[0] = position + 1
        if report[STEP] > 0:
            state[3] += 1
            n = collect(report[GOLD], report[PREDICTED], space.pool, program, problem, changes)
            state[2] = n
            state[1] = add(changes, 0, n, numbers[0], table, turned, actions, entries, sums, used)
            numbers[1] = used[TURNED]
            if state[1] < n:
                return
        used[EXAMPLES] += 1
