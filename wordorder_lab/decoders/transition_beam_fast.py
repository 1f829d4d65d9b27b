"""Algorithm 1 of Liu et al. 2015, the fast engine: ``transition_beam``'s twin.

Same outputs, counters and events, bit for bit. A sentence gets its own small numbers for types and
items; the kernels of ``transition_kernels_fast`` do one step a call.

Differences. Those of the twin.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numba
import numpy as np

from wordorder_lab.decoders.transition_events_fast import CANDIDATES, EXPANDED, FALLEN, FIRST_LAST, FOLLOWED, GOLD, LAST, PREDICTED, STEP, emit
from wordorder_lab.decoders.transition_kernels_fast import (
    ACTION,
    PARENT,
    W0,
    W1,
    W2,
    WIDTH,
    build,
    list_successors,
    push,
    read_long_rows,
    score_states,
    select,
)
from wordorder_lab.features.extract_fast import Program
from wordorder_lab.features.keys import UNKNOWN, FeatureKeys
from wordorder_lab.grammars.linearization_actions import ActionTable
from wordorder_lab.models.linear_fast import TURNED
from wordorder_lab.models.weight_table_fast import WeightTable
from wordorder_lab.structures.problem import OrderingProblem

NO_UPDATE, EARLY, MAX_VIOLATION = 0, 1, 2


class Numbered(NamedTuple):
    """A problem in numbers, as the kernels take it.

    ``types`` (types, 2) word and tag of each type (0 nothing, 1 the begin, 2 and up to be shifted);
    ``columns`` the model's action of each column, -1 if it has none; ``item_types`` and
    ``item_bags`` type and bag type of each item; ``item_first`` the first item of each bag type;
    ``counts`` the units of each bag type; ``gold`` the gold actions in training.
    """

    types: np.ndarray
    columns: np.ndarray
    item_types: np.ndarray
    item_bags: np.ndarray
    item_first: np.ndarray
    counts: np.ndarray
    gold: np.ndarray


def number(
    problem: OrderingProblem, keys: FeatureKeys, actions: ActionTable, gold: Sequence[int] = ()
) -> Numbered:
    """Give a problem its numbers.

    Items with the same word and tag share a type; so do all unknown words with the same tag.
    """
    begin = (keys.word_ids["-BEGIN-"], keys.tag_ids["-BEGIN-"])
    types: dict[tuple[str, str], int] = {}
    rows, columns = [(0, 0), begin], [0, 1]
    item_types, item_first = [], [0] * (len(problem.units) + 1)
    for item in problem.items:
        word = keys.word_ids.get(item.word, UNKNOWN)
        pair = (item.word if word != UNKNOWN else "", item.pos)
        if pair not in types:
            types[pair] = len(rows)
            rows.append((word, keys.tag_ids.get(item.pos, UNKNOWN)))
            columns.append(actions.ids.get((item.word, item.pos), -1))
        item_types.append(types[pair])
        item_first[item.type + 1] += 1
    return Numbered(
        np.array(rows, np.int64),
        np.array(columns, np.int64),
        np.array(item_types, np.int32),
        np.array([item.type for item in problem.items], np.int32),
        np.cumsum(item_first, dtype=np.int32),
        np.array(problem.counts, np.int32),
        np.array(gold, np.int32),
    )


class Workspace:
    """The arrays that a search writes into, kept from one sentence to the next."""

    ROOM = 1 << 21
    """Numbers kept in rows of weights: 16 MiB, enough for a sentence of everyday length."""

    def __init__(self, beam: int, n_actions: int) -> None:
        self.beam = beam
        self.local = np.zeros(n_actions, np.int32)
        self.agenda = np.zeros(0, np.float64)
        self.origin = np.zeros((0, 2), np.int64)
        self.chosen = np.zeros(beam, np.int64)
        self.best_scores = np.zeros(5 * beam // 4 + 2, np.float64)
        self.best_lines = np.zeros(len(self.best_scores), np.int64)
        self.states = np.zeros(beam, np.int32)
        self.long_rows = np.zeros(0, np.float64)
        self.kept = np.zeros((1, 3), np.int64)
        self.rows = np.zeros(0, np.float64)
        self.bases = np.zeros((beam, 0), np.int64)
        self.wanted = np.zeros((0, 5), np.int64)
        self.asked = np.zeros((0, 3), np.int64)
        self.pool = np.zeros((0, WIDTH), np.int32)
        self.marks = np.zeros((0, 2), np.float64)
        self.out = np.zeros((0, 0), np.float64)
        self.remaining = np.zeros((2, beam, 0), np.int32)
        self.report = np.zeros(9, np.int64)

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """All arrays, in the order in which the kernel takes them."""
        return (
            *(self.local, self.agenda, self.origin, self.chosen, self.best_scores, self.best_lines, self.states),
            *(self.long_rows, self.kept, self.rows),
            *(self.bases, self.wanted, self.asked, self.pool, self.marks, self.out, self.remaining, self.report),
        )

    def fit(self, numbered: Numbered, program: Program, turned: int) -> None:
        """Grow to what one problem needs when so many rows of weights are turned."""
        steps, types = 2 * int(numbered.counts.sum()) - 1, len(numbered.types)
        if len(self.pool) < 1 + (self.beam + 1) * steps:
            self.pool = np.zeros((1 + (self.beam + 1) * steps, WIDTH), np.int32)
            self.marks = np.zeros((len(self.pool), 2), np.float64)
        if self.out.shape[1] < types:
            self.out = np.zeros((self.beam + 1, types), np.float64)
        if self.remaining.shape[2] < len(numbered.counts):
            self.remaining = np.zeros((2, self.beam, len(numbered.counts)), np.int32)
        self.fit_long_rows(turned * types)
        most = self.beam * (2 + len(numbered.item_types)) + 1
        if len(self.agenda) < most:
            self.agenda = np.zeros(most, np.float64)
            self.origin = np.zeros((most, 2), np.int64)
        groups, lines = len(program.groups), len(program.lines)
        if self.bases.shape[1] < groups:
            self.bases = np.zeros((self.beam, groups), np.int64)
            self.wanted = np.zeros((self.beam * groups + 1, 5), np.int64)
            self.asked = np.zeros((self.beam * lines + 1, 3), np.int64)
        if len(self.rows) < max(self.ROOM, 2 * self.beam * groups * (types + 1)):
            self.rows = np.zeros(max(self.ROOM, 2 * self.beam * groups * (types + 1)), np.float64)
        most = min(len(self.rows) // (types + 1), groups * len(self.pool))
        if len(self.kept) - 1 < 2 * most:
            self.kept = np.zeros(((1 << (2 * most).bit_length()) + 1, 3), np.int64)

    def fit_long_rows(self, numbers: int) -> None:
        """Grow to this many numbers in turned rows."""
        if len(self.long_rows) < numbers:
            self.long_rows = np.zeros(2 * numbers, np.float64)


@numba.njit(cache=True)
def search(
    groups, lines, types, columns, item_types, item_bags, item_first, counts, gold, mode,
    keys, table, turned, actions, entries, local, agenda, origin, chosen, best_scores, best_lines, states,
    long_rows, kept, rows, bases, wanted, asked, pool, marks, out, remaining, report, record,
):  # fmt: skip
    """One whole search; ``mode`` says whether and how to look for the place of an update."""
    n_counts = counts.shape[0]
    steps = -1
    for t in range(n_counts):
        steps += 2 * counts[t]
        remaining[0, 0, t] = counts[t]
    for c in range(columns.shape[0]):
        if columns[c] >= 0:
            local[columns[c]] = c + 1
    read_long_rows(columns, keys[1], turned, actions, entries, long_rows)
    kept[0, 0] += 1
    kept[0, 1] = 0
    pool[0, :] = 0
    pool[0, W0] = pool[0, W1] = pool[0, W2] = 1
    pool[0, PARENT] = -1
    marks[0, :] = 0.0
    states[0] = 0
    report[:] = 0
    n, free, serial, now = 1, 1, 0, 0
    gold_state, worst = 0, 0.0
    alone = np.zeros(1, np.int32)
    for step in range(steps):
        score_states(
            states, n, pool, groups, lines, types, local, keys, table, actions, entries,
            long_rows, kept, rows, bases, wanted, asked, out,
        )  # fmt: skip
        report[EXPANDED] += n
        now_left = remaining[now, :, :n_counts]
        m = list_successors(
            states, n, pool, marks, out, now_left, item_types, item_bags, agenda, origin
        )
        if record.shape[0] > 0:
            for i in range(m):
                record[serial + i, 0] = agenda[i]
                record[serial + i, 1] = states[origin[i, 0]]
                record[serial + i, 2] = origin[i, 1]
        n = select(agenda, m, chosen, best_scores, best_lines, states.shape[0])
        build(
            states, n, free, serial, pool, marks, agenda, origin, chosen, now_left,
            remaining[1 - now, :, :n_counts], item_types, item_bags,
        )  # fmt: skip
        serial += m
        best = free
        free += n
        now = 1 - now
        if mode == NO_UPDATE:
            continue
        survivor = -1
        for r in range(n):
            if pool[best + r, PARENT] == gold_state and pool[best + r, ACTION] == gold[step]:
                survivor = best + r
        fallen = survivor < 0
        if fallen:
            alone[0] = gold_state
            score_states(
                alone, 1, pool, groups, lines, types, local, keys, table, actions, entries,
                long_rows, kept, rows, bases, wanted, asked, out[states.shape[0] :],
            )  # fmt: skip
            action = gold[step]
            item_type = item_types[action - 2] if action >= 2 else action
            push(pool, free, gold_state, action, item_type)
            marks[free, 0] = marks[gold_state, 0] + out[states.shape[0], item_type]
            marks[free, 1] = -1.0
            survivor = free
            free += 1
        gold_state = survivor
        lead = marks[best, 0] - marks[gold_state, 0]
        if mode == EARLY:
            update = fallen or (step == steps - 1 and gold_state != best)
        else:
            update = gold_state != best and (report[STEP] == 0 or lead > worst)
        if update:
            worst = lead
            report[STEP] = step + 1
            report[PREDICTED] = best
            report[GOLD] = gold_state
            report[FALLEN] = fallen
            if mode == EARLY:
                break
    for c in range(columns.shape[0]):
        if columns[c] >= 0:
            local[columns[c]] = 0
    report[FOLLOWED] = gold_state
    report[LAST] = n
    report[FIRST_LAST] = states[0]
    report[CANDIDATES] = serial


def numbers_of(table: WeightTable) -> np.ndarray:
    """Hash shift and number of turned rows."""
    return np.array([table.shift, table.used[TURNED]], np.int64)


class FastBeam:
    """The fast engine: a program and weights, ready for one bag after another.

    Not to be shared between threads: the workspace is its own.
    """

    def __init__(
        self,
        program: Program,
        table: WeightTable,
        keys: FeatureKeys,
        actions: ActionTable,
        beam: int,
        divisor: int = 1,
    ) -> None:
        self.program = program
        self.table = table
        self.keys = keys
        self.actions = actions
        self.divisor = divisor
        self.space = Workspace(beam, len(actions))

    def run(
        self, problem: OrderingProblem, k: int = 1, trace: Any = None
    ) -> tuple[list[tuple[float, list[int]]], dict[str, int]]:
        """The ``k`` best derivations as (score, actions), best first, and the counters."""
        numbered = number(problem, self.keys, self.actions)
        record = self.search(numbered, NO_UPDATE, trace is not None)
        space = self.space
        if trace is not None:
            emit(trace, problem, space, record, self.divisor)
        first, n = int(space.report[FIRST_LAST]), int(space.report[LAST])
        best = [
            (float(space.marks[row, 0]), derivation(space.pool, row))
            for row in range(first, first + min(k, n))
        ]
        return best, {
            "steps": problem.steps,
            "states": int(space.report[EXPANDED]),
            "candidates": int(space.report[CANDIDATES]),
        }

    def search(self, numbered: Numbered, mode: int, recorded: bool) -> np.ndarray:
        """Run the kernel; the record of all candidates, empty unless it is asked for."""
        space, table = self.space, self.table
        space.fit(numbered, self.program, int(table.used[TURNED]))
        arguments = (
            *(*self.program, *numbered, mode, numbers_of(table), *table.arguments),
            *space.arrays,
        )
        record = np.zeros((0, 3), np.float64)
        search(*arguments, record)
        if recorded:
            # How many there are is known after a first run; the second one is the same.
            record = np.zeros((int(space.report[CANDIDATES]), 3), np.float64)
            search(*arguments, record)
        return record


def derivation(pool: np.ndarray, state: int) -> list[int]:
    """The actions that lead to a state of the pool."""
    actions = []
    while state > 0:
        actions.append(int(pool[state, ACTION]))
        state = int(pool[state, PARENT])
    return actions[::-1]
