"""The averaged perceptron's fast engine: ``averaged_perceptron``'s twin, same weights bit for bit.

Sentences are numbered once, before the first epoch. A chunk of them is learned in one call; the
call comes back early when the table of weights must grow.

Differences. Those of the twin.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numba
import numpy as np

from wordorder_lab.decoders.transition_beam_fast import (
    EARLY,
    MAX_VIOLATION,
    Numbered,
    Workspace,
    number,
    numbers_of,
    search,
)
from wordorder_lab.decoders.transition_events_fast import (
    CANDIDATES,
    FALLEN,
    FOLLOWED,
    GOLD,
    PREDICTED,
    STEP,
    emit,
)
from wordorder_lab.decoders.transition_kernels_fast import ACTION, BELOW, PARENT
from wordorder_lab.features.extract import show
from wordorder_lab.features.extract_fast import UNDER, Program, compile_program, read_values, template_key
from wordorder_lab.features.keys import FeatureKeys
from wordorder_lab.grammars.linearization_actions import ActionTable, action_name
from wordorder_lab.models.linear_fast import EXAMPLES, TURNED, add
from wordorder_lab.models.packed import RawWeights
from wordorder_lab.models.weight_table_fast import LearningTable
from wordorder_lab.structures.problem import OrderingProblem


@numba.njit(cache=True)
def collect(
    gold, predicted, pool, groups, lines, types, columns, item_types, changes
):
    """Write what an update changes: (key, action, +1 or -1); returns how many lines that is.

    Goes back from both states to the last one that they share.
    """
    depth = 0
    g, p = gold, predicted
    while g != p:
        g, p = pool[g, PARENT], pool[p, PARENT]
        depth += 1
    chain = np.zeros(depth, np.int64)
    values = np.zeros(3, np.int64)
    looked_at = np.zeros(10, np.int64)
    n = 0
    for sign in (1, -1):
        state = gold if sign == 1 else predicted
        for i in range(depth):
            chain[depth - 1 - i] = state
            state = pool[state, PARENT]
        for after in chain:
            state = pool[after, PARENT]
            under = pool[state, BELOW]
            local = pool[after, ACTION]
            action = columns[local if local < 2 else item_types[local - 2]]
            for group in range(groups.shape[0]):
                for i in range(3):
                    column = groups[group, 2 + i]
                    values[i] = 0
                    if column >= UNDER:
                        values[i] = pool[under, column - UNDER]
                    elif column >= 0:
                        values[i] = pool[state, column]
                read_values(looked_at, values[0], values[1], values[2], types)
                for k in range(groups[group, 0], groups[group, 1]):
                    key = template_key(lines, k, looked_at)
                    if key >= 0:
                        changes[n, 0] = key
                        changes[n, 1] = action
                        changes[n, 2] = sign
                        changes[n, 4] = local
                        n += 1
    return n


@numba.njit(cache=True)
def learn_chunk(
    order, begin, ends, all_types, all_columns, all_item_types, all_item_bags, all_item_first,
    all_counts, all_gold, groups, lines, mode, keys, table, turned, actions, entries, sums,
    used, local, agenda, origin, chosen, best_scores, best_lines, states, long_rows, kept, rows, bases, wanted, asked, pool, marks, out,
    remaining, report, record, changes, state,
):  # fmt: skip
    """Learn the examples ``order[begin:]``; ``state`` becomes (next, lines done, lines, updates).

    Comes back early when the long rows need more space, and with lines done < lines when the table
    must grow before the update can go on.
    """
    for position in range(begin, order.shape[0]):
        i = order[position]
        types = all_types[ends[i, 0] : ends[i + 1, 0]]
        columns = all_columns[ends[i, 0] : ends[i + 1, 0]]
        item_types = all_item_types[ends[i, 1] : ends[i + 1, 1]]
        item_bags = all_item_bags[ends[i, 1] : ends[i + 1, 1]]
        item_first = all_item_first[ends[i, 2] + i : ends[i + 1, 2] + i + 1]
        counts = all_counts[ends[i, 2] : ends[i + 1, 2]]
        gold = all_gold[ends[i, 3] : ends[i + 1, 3]]
        if keys[1] * types.shape[0] > long_rows.shape[0]:
            state[0] = position
            return
        search(
            groups, lines, types, columns, item_types, item_bags, item_first, counts, gold, mode,
            keys, table, turned, actions, entries, local, agenda, origin, chosen, best_scores, best_lines, states, long_rows, kept, rows,
            bases, wanted, asked, pool, marks, out, remaining, report, record,
        )  # fmt: skip
        state[0] = position + 1
        if report[STEP] > 0:
            state[3] += 1
            state[2] = collect(
                report[GOLD], report[PREDICTED], pool, groups, lines, types, columns, item_types,
                changes,
            )  # fmt: skip
            state[1] = add(changes, 0, state[2], keys[0], table, turned, actions, entries, sums, used)
            keys[1] = used[TURNED]
            if state[1] < state[2]:
                return
        used[EXAMPLES] += 1


class FastPerceptron:
    """The learner: ``learn`` takes examples of ``Example``'s form, ``table`` holds the weights."""

    CHUNK = 256
    """Sentences a kernel call, so that Ctrl-C is heard."""

    def __init__(
        self, keys: FeatureKeys, actions: ActionTable, beam: int, update: str = "early"
    ) -> None:
        self.program = compile_program(keys)
        self.keys = keys
        self.actions = actions
        self.mode = EARLY if update == "early" else MAX_VIOLATION
        self.space = Workspace(beam, len(actions))
        self.table = LearningTable(len(actions))
        self.updates = 0
        self._examples: Sequence[Any] = ()

    def prepare(self, examples: Sequence[tuple[OrderingProblem, Sequence[int]]]) -> None:
        """Number the training examples, once."""
        self._examples = examples
        numbered = [number(p, self.keys, self.actions, gold) for p, gold in examples]
        sizes = [(len(n.types), len(n.item_types), len(n.counts), len(n.gold)) for n in numbered]
        self._ends = np.cumsum(np.array([(0, 0, 0, 0), *sizes], np.int64), axis=0)
        self._arrays = tuple(np.concatenate(column) for column in zip(*numbered, strict=True))
        for one in numbered:
            self.space.fit(one, self.program, 0)
        self._most_types = max(size[0] for size in sizes)
        steps = max(size[3] for size in sizes)
        self._changes = np.zeros((2 * steps * len(self.program.lines), 5), np.int64)

    def learn(self, order: np.ndarray, trace: Any = None) -> None:
        """Learn the prepared examples with these indices, in this order."""
        if trace is not None:
            for i in order:
                self._learn_traced(int(i), trace)
            return
        state = np.zeros(4, np.int64)
        while state[0] < len(order):
            self.space.fit_long_rows(int(self.table.used[TURNED]) * self._most_types)
            learn_chunk(
                *(order, state[0], self._ends, *self._arrays, *self.program, self.mode),
                *(numbers_of(self.table), *self.table.arguments),
                *(self.table.sums, self.table.used),
                *(*self.space.arrays, np.zeros((0, 3)), self._changes, state),
            )
            if state[1] < state[2]:
                self.table.grow()
                self.table.add(self._changes[state[1] :], int(state[2] - state[1]))
                self.table.used[EXAMPLES] += 1
            state[1] = state[2] = 0
        self.updates += int(state[3])

    def raw(self) -> RawWeights:
        """Everything learned so far."""
        return self.table.raw()

    def restore(self, raw: RawWeights) -> None:
        """Go on from there."""
        self.table = LearningTable.of_raw(raw, len(self.actions))

    def _learn_traced(self, i: int, trace: Any) -> None:
        problem, gold = self._examples[i]
        numbered = number(problem, self.keys, self.actions, gold)
        arguments = (*self.program, *numbered, self.mode, numbers_of(self.table), *self.table.arguments)
        search(*arguments, *self.space.arrays, np.zeros((0, 3)))
        report = self.space.report
        record = np.zeros((int(report[CANDIDATES]), 3))
        search(*arguments, *self.space.arrays, record)
        stopped = self.mode == EARLY and bool(report[FALLEN])
        emit(trace, problem, self.space, record, gold=self._gold_serials(), stopped=stopped)
        if report[STEP] > 0:
            self.updates += 1
            self._update_traced(numbered, problem, trace)
        self.table.used[EXAMPLES] += 1

    def _gold_serials(self) -> list[int]:
        """The serials of the gold states, -1 where they are outside the beam."""
        serials, row = [], int(self.space.report[FOLLOWED])
        while row > 0:
            serials.append(int(self.space.marks[row, 1]))
            row = int(self.space.pool[row, PARENT])
        return serials[::-1]

    def _update_traced(self, numbered: Numbered, problem: OrderingProblem, trace: Any) -> None:
        space, report = self.space, self.space.report
        reason = "early" if report[FALLEN] else "end"
        if self.mode == MAX_VIOLATION:
            reason = "max-violation"
        gold, predicted = space.marks[report[[GOLD, PREDICTED]], 0].tolist()
        trace.update(int(self.table.used[EXAMPLES]), int(report[STEP]), reason, gold, predicted)
        n = collect(
            *(report[GOLD], report[PREDICTED], space.pool, *self.program, numbered.types),
            *(numbered.columns, numbered.item_types, self._changes),
        )
        self.table.add(self._changes, n)
        for key, action, change, after, local in self._changes[:n].tolist():
            if action >= 0:
                feature = show(self.keys.templates, self.keys.feature(key))
                name = action_name(local, problem)
                trace.weight(feature, name, float(after - change), float(after))
