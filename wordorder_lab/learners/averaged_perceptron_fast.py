"""The averaged perceptron's fast engine: ``averaged_perceptron``'s twin, same weights bit for bit.

Sentences are numbered once, before the first epoch. A chunk of them is learned in one call of
``learn_chunk``; it comes back early when the table of weights must grow.

Differences. Those of the twin.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wordorder_lab.decoders.transition_beam_fast import EARLY, MAX_VIOLATION, search
from wordorder_lab.decoders.transition_columns_fast import ACTION, PARENT
from wordorder_lab.decoders.transition_events_fast import (
    CANDIDATES,
    FALLEN,
    FOLLOWED,
    GOLD,
    PREDICTED,
    STEP,
    emit,
)
from wordorder_lab.decoders.transition_forest_fast import widened
from wordorder_lab.decoders.transition_workspace_fast import Numbered, Workspace, number
from wordorder_lab.features.extract import show
from wordorder_lab.features.extract_fast import compile_program
from wordorder_lab.features.keys import FeatureKeys
from wordorder_lab.grammars.linearization_actions import action_name
from wordorder_lab.learners.perceptron_kernels_fast import Corpus, collect, learn_chunk
from wordorder_lab.models.action_table import ActionTable
from wordorder_lab.models.linear_fast import EXAMPLES, TURNED
from wordorder_lab.models.packed import RawWeights
from wordorder_lab.models.weight_table_fast import LearningTable
from wordorder_lab.structures.problem import OrderingProblem


class FastPerceptron:
    """The learner: ``learn`` takes examples of ``Example``'s form, ``table`` holds the weights."""

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
        numbered = [
            number(p, self.keys, self.actions, self.program.uses, gold) for p, gold in examples
        ]
        numbered = widened(numbered)
        fields = ("types", "item_types", "counts", "forest", "masks", "gold")
        sizes = [[len(getattr(one, name)) for name in fields] for one in numbered]
        ends = np.cumsum(np.array([[0] * len(fields), *sizes], np.int64), axis=0)
        self._corpus = Corpus(ends, *(np.concatenate(f) for f in zip(*numbered, strict=True)))
        for one in numbered:
            self.space.fit(one, self.program, 0)
        self._most_types = max(len(one.types) for one in numbered)
        steps = max(len(one.gold) for one in numbered)
        self._changes = np.zeros((2 * steps * len(self.program.lines), 5), np.int64)

    def learn(self, order: np.ndarray, trace: Any = None) -> None:
        """Learn the prepared examples with these indices, in this order."""
        if trace is not None:
            for i in order:
                self._learn_traced(int(i), trace)
            return
        state, table = np.zeros(4, np.int64), self.table
        while state[0] < len(order):
            self.space.fit_long_rows(int(table.used[TURNED]) * self._most_types)
            weights = table.weights, table.sums, table.used
            place = self.space.arrays, self._changes, state
            learn_chunk(order, self._corpus, self.program, self.mode, *weights, *place)
            if state[1] < state[2]:
                table.grow()
                table.add(self._changes[state[1] :], int(state[2] - state[1]))
                table.used[EXAMPLES] += 1
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
        numbered = number(problem, self.keys, self.actions, self.program.uses, gold)
        self.space.fit(numbered, self.program, int(self.table.used[TURNED]))
        arguments = self.program, numbered, self.mode, self.table.weights, self.space.arrays
        search(*arguments, np.zeros((0, 3)))
        report = self.space.report
        record = np.zeros((int(report[CANDIDATES]), 3))
        search(*arguments, record)
        stopped = self.mode == EARLY and bool(report[FALLEN])
        emit(trace, problem, self.space, record, gold=self._gold_states(), stopped=stopped)
        if report[STEP] > 0:
            self.updates += 1
            self._update_traced(numbered, problem, trace)
        self.table.used[EXAMPLES] += 1

    def _gold_states(self) -> list[tuple[int, int, int]]:
        """The gold states, the first step's first: row, row of the parent, action."""
        states, row = [], int(self.space.report[FOLLOWED])
        while row > 0:
            parent, action = self.space.arrays.pool[row, [PARENT, ACTION]].tolist()
            states.append((row, parent, action))
            row = parent
        return states[::-1]

    def _update_traced(self, numbered: Numbered, problem: OrderingProblem, trace: Any) -> None:
        space, report = self.space, self.space.report
        reason = "early" if report[FALLEN] else "end"
        if self.mode == MAX_VIOLATION:
            reason = "max-violation"
        gold, predicted = space.marks[report[[GOLD, PREDICTED]], 0].tolist()
        trace.update(int(self.table.used[EXAMPLES]), int(report[STEP]), reason, gold, predicted)
        rows = report[GOLD], report[PREDICTED], space.arrays.pool
        n = collect(*rows, self.program, numbered, self._changes)
        self.table.add(self._changes, n)
        for key, action, change, after, local in self._changes[:n].tolist():
            if action >= 0:
                feature = self.keys.feature(key)
                name = action_name(local, problem, self.keys.templates.level(feature))
                shown = show(self.keys.templates, feature)
                trace.weight(shown, name, float(after - change), float(after))
