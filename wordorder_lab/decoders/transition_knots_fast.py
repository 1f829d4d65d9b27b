"""The fast search where orders knot given trees together (``grammars/knotted_orders``).

Such bags are rare, and each action needs a look ahead. So the loop is not compiled: between two
kernels the candidates that lead nowhere are taken out. States, scores and their order are those of
``transition_beam_fast.search``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wordorder_lab.decoders.transition_beam_fast import advance, finish, start, write_down
from wordorder_lab.decoders.transition_columns_fast import ACTION, PARENT
from wordorder_lab.decoders.transition_events_fast import EXPANDED
from wordorder_lab.decoders.transition_scores_fast import score_states
from wordorder_lab.decoders.transition_select_fast import list_successors, plan_states, select
from wordorder_lab.decoders.transition_workspace_fast import Arrays, Numbered
from wordorder_lab.features.extract_fast import Program
from wordorder_lab.grammars.knotted_orders import can_be_completed
from wordorder_lab.grammars.linearization_actions import apply_action, initial_state
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.state import State


def search_knotted(
    program: Program, problem: OrderingProblem, numbered: Numbered, weights: Any, space: Arrays
) -> np.ndarray:
    """One whole search; returns the record of its candidates."""
    states: dict[int, State] = {0: initial_state(problem)}
    lines = []
    steps = start(numbered, weights, space)
    n, free, serial, now = 1, 1, 0, 0
    for _ in range(steps):
        columns = numbered.types, numbered.folds
        score_states(space.states, n, program, *columns, weights, space, space.out)
        space.report[EXPANDED] += n
        m = _without_dead_ends(list_successors(n, numbered, space, now), problem, space, states)
        record = np.zeros((m, 3))
        write_down(record, 0, m, space)
        lines.append(record)
        beam = space.states.shape[0]
        n = select(space.agenda, m, space.chosen, space.best_scores, space.best_lines, beam)
        plan_states(n, free, serial, space)
        advance(n, free, now, program, numbered, space)
        for row in range(free, free + n):
            parent, action = space.pool[row, [PARENT, ACTION]].tolist()
            states[row] = apply_action(states[parent], action, problem)
        now = 1 - now
        serial += m
        free += n
    finish(n, serial, numbered, space)
    return np.concatenate(lines)


def _without_dead_ends(
    m: int, problem: OrderingProblem, space: Arrays, states: dict[int, State]
) -> int:
    """Move the candidates that can be completed to the front; returns how many they are."""
    kept = []
    for line in range(m):
        rank, action = space.origin[line].tolist()
        after = apply_action(states[int(space.states[rank])], action, problem)
        if can_be_completed(after, problem):
            kept.append(line)
    space.agenda[: len(kept)] = space.agenda[kept]
    space.origin[: len(kept)] = space.origin[kept]
    return len(kept)
