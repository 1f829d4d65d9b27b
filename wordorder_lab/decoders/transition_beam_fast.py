"""Algorithm 1 of Liu et al. 2015, the fast engine: ``transition_beam``'s twin.

Same outputs, counters and events, bit for bit. A sentence gets its own small numbers for types and
items (``transition_workspace_fast``); a step is four kernels: score, list, select, build.

Differences. Those of the twin.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wordorder_lab.decoders.transition_ahead_fast import left_bin, look_ahead
from wordorder_lab.decoders.transition_columns_fast import ACTION, ANCHOR, LEFT, PARENT, W0, W1, W2
from wordorder_lab.decoders.transition_events_fast import (
    CANDIDATES,
    EXPANDED,
    FALLEN,
    FIRST_LAST,
    FOLLOWED,
    GOLD,
    LAST,
    PREDICTED,
    STEP,
    emit,
)
from wordorder_lab.decoders.transition_legal_fast import begin_bag
from wordorder_lab.decoders.transition_scores_fast import read_long_rows, score_states
from wordorder_lab.decoders.transition_select_fast import list_successors, plan_states, select
from wordorder_lab.decoders.transition_states_fast import build
from wordorder_lab.decoders.transition_workspace_fast import Numbered, Workspace, number
from wordorder_lab.features.extract_fast import Program
from wordorder_lab.features.keys import FeatureKeys
from wordorder_lab.models.action_table import ActionTable
from wordorder_lab.models.linear_fast import TURNED
from wordorder_lab.models.weight_table_fast import WeightTable
from wordorder_lab.structures.kernel_fast import kernel
from wordorder_lab.structures.problem import OrderingProblem

NO_UPDATE, EARLY, MAX_VIOLATION = 0, 1, 2


@kernel
def start(problem, weights, space):
    """Lay out the initial state and what belongs to the sentence; returns the number of steps."""
    steps, beam = -1, space.states.shape[0]
    for t in range(problem.counts.shape[0]):
        steps += 2 * problem.counts[t]
    for r in (0, beam):
        given = problem.counts, problem.forest, problem.masks
        begin_bag(space.bits, space.remaining, 0, r, *given)
    for c in range(problem.columns.shape[0]):
        if problem.columns[c] >= 0:
            space.local[problem.columns[c]] = c + 1
    read_long_rows(problem.columns, weights, space.long_rows)
    space.kept[0, 0] += 1
    space.kept[0, 1] = 0
    pool = space.pool
    pool[0, :] = 0
    pool[0, W0] = pool[0, W1] = pool[0, W2] = 1
    pool[0, PARENT] = pool[0, ANCHOR] = -1
    pool[0, LEFT] = left_bin((steps + 1) // 2)
    space.marks[0, :] = 0.0
    space.states[0] = 0
    space.report[:] = 0
    return steps


@kernel
def write_down(record, serial, m, space):
    """Write a step's candidates (score, row of the parent, action) into the record."""
    for i in range(m):
        record[serial + i, 0] = space.agenda[i]
        record[serial + i, 1] = space.states[space.origin[i, 0]]
        record[serial + i, 2] = space.origin[i, 1]


@kernel
def advance(n, first, now, program, problem, space):
    """Build the states of ``space.plan``, with what features see ahead if any look there."""
    build(n, first, problem, space, now)
    if program.uses[1] != 0:
        look_ahead(n, first, problem, space, now)


@kernel
def advance_gold(gold, action, row, now, program, problem, space):
    """Build the gold state after ``action`` as row ``row``; its bag has a line of its own."""
    plan, beam = space.plan, space.states.shape[0]
    plan[0, 0], plan[0, 1] = gold, action
    plan[0, 2] = plan[0, 3] = beam
    advance(1, row, now, program, problem, space)


@kernel
def score_gold(gold, action, row, program, problem, weights, space):
    """Give the gold state in ``row``, outside the beam, its score; its serial is -1."""
    alone = np.full(1, gold, np.int32)
    out = space.out[space.states.shape[0] :]
    score_states(alone, 1, program, problem.types, problem.folds, weights, space, out)
    column = problem.item_types[action - 2] if action >= 2 else action
    space.marks[row, 0] = space.marks[gold, 0] + out[0, column]
    space.marks[row, 1] = -1.0


@kernel
def search(program, problem, mode, weights, space, record):
    """One whole search; ``mode`` says whether and how to look for the place of an update.

    Every candidate is written into ``record`` if that has lines.
    """
    pool, marks, report = space.pool, space.marks, space.report
    steps = start(problem, weights, space)
    n, free, serial, now = 1, 1, 0, 0
    gold, worst = 0, 0.0
    for step in range(steps):
        columns = problem.types, problem.folds
        score_states(space.states, n, program, *columns, weights, space, space.out)
        report[EXPANDED] += n
        m = list_successors(n, problem, space, now)
        if record.shape[0] > 0:
            write_down(record, serial, m, space)
        beam = space.states.shape[0]
        n = select(space.agenda, m, space.chosen, space.best_scores, space.best_lines, beam)
        plan_states(n, free, serial, space)
        advance(n, free, now, program, problem, space)
        now = 1 - now
        serial += m
        best = free
        free += n
        if mode == NO_UPDATE:
            continue
        action = problem.gold[step]
        advance_gold(gold, action, free, 1 - now, program, problem, space)
        survivor = -1
        for row in range(best, free):
            if pool[row, PARENT] == gold and pool[row, ACTION] == action:
                survivor = row
        fallen = survivor < 0
        if fallen:
            score_gold(gold, action, free, program, problem, weights, space)
            survivor = free
            free += 1
        gold = survivor
        lead = marks[best, 0] - marks[gold, 0]
        if mode == EARLY:
            update = fallen or (step == steps - 1 and gold != best)
        else:
            update = gold != best and (report[STEP] == 0 or lead > worst)
        if update:
            worst = lead
            report[STEP] = step + 1
            report[PREDICTED] = best
            report[GOLD] = gold
            report[FALLEN] = fallen
            if mode == EARLY:
                break
    report[FOLLOWED] = gold
    finish(n, serial, problem, space)


@kernel
def finish(n, serial, problem, space):
    """Report the last beam, and leave the workspace as the next search expects it."""
    for c in range(problem.columns.shape[0]):
        if problem.columns[c] >= 0:
            space.local[problem.columns[c]] = 0
    space.report[LAST] = n
    space.report[FIRST_LAST] = space.states[0]
    space.report[CANDIDATES] = serial


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
        numbered = number(problem, self.keys, self.actions, self.program.uses)
        space = self.space
        if problem.given.knots:
            space.fit(numbered, self.program, int(self.table.used[TURNED]))
            arguments = self.program, problem, numbered, self.table.weights, space.arrays
            from wordorder_lab.decoders.transition_knots_fast import search_knotted

            record = search_knotted(*arguments)
        else:
            record = self.search(numbered, NO_UPDATE, trace is not None)
        if trace is not None:
            emit(trace, problem, space, record, self.divisor)
        first, n = int(space.report[FIRST_LAST]), int(space.report[LAST])
        best = [
            (float(space.marks[row, 0]), derivation(space.arrays.pool, row))
            for row in range(first, first + min(k, n))
        ]
        return best, {
            "steps": problem.steps,
            "states": int(space.report[EXPANDED]),
            "candidates": int(space.report[CANDIDATES]),
        }

    def search(self, numbered: Numbered, mode: int, recorded: bool) -> np.ndarray:
        """Run the kernel; the record of all candidates, empty unless it is asked for."""
        self.space.fit(numbered, self.program, int(self.table.used[TURNED]))
        arguments = self.program, numbered, mode, self.table.weights, self.space.arrays
        record = np.zeros((0, 3))
        search(*arguments, record)
        if recorded:
            # How many there are is known after a first run; the second one is the same.
            record = np.zeros((int(self.space.report[CANDIDATES]), 3))
            search(*arguments, record)
        return record


def derivation(pool: np.ndarray, state: int) -> list[int]:
    """The actions that lead to a state of the pool."""
    actions = []
    while state > 0:
        actions.append(int(pool[state, ACTION]))
        state = int(pool[state, PARENT])
    return actions[::-1]
