"""Part of ``beam_fast``: the events of a search, told from what its kernel recorded.

Nothing is searched again here: every score and every survivor was written down by ``beam_fast``'s
kernel; this file only tells them in the order in which the reference engine meets them. Where heads
or orders are given, the grammar says of each expanded state why the other actions are forbidden;
for that the states of the beams are built from the recorded actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from wordorder_lab.structures.problem import OrderingProblem, begin
from wordorder_lab.structures.trace import Trace
from wordorder_lab.transition.actions import action_name, apply_action, initial_state
from wordorder_lab.transition.forbidden_actions import forbidding
from wordorder_lab.transition.state import State

(LAST, FIRST_LAST, CANDIDATES, EXPANDED, STEP, PREDICTED, GOLD, FALLEN, FOLLOWED, KEPT) = range(10)
"""What the kernel reports: size and first row of the last beam; counters; in training the step of
the update (0: none), the two rows that it compares, whether gold had left the beam there, the last
gold row, and after how many steps gold was still in the beam."""


class Written(Protocol):
    """What is read of a workspace: ``marks`` (score, serial) of each state; the ``report``."""

    beam: int

    @property
    def marks(self) -> np.ndarray:
        """(score, serial) of each state."""

    @property
    def report(self) -> np.ndarray:
        """What the search reports."""


def emit(
    trace: Trace,
    problem: OrderingProblem,
    space: Written,
    record: np.ndarray,
    divisor: int = 1,
    gold: Sequence[tuple[int, int, int]] = (),
    stopped: bool = False,
) -> None:
    """Tell the trace what the kernel has recorded, in the order of the reference engine.

    ``gold`` are, in training, the gold states after each step as (row, row of the parent, action);
    ``stopped`` says that the learner left the search because gold had fallen out.
    """
    begin(trace, problem, space.beam)
    row, done, step = 0, 0, 0
    beam = [0]
    states = {0: initial_state(problem)} if problem.given.anything else {}
    while done < len(record):
        step += 1
        trace.step(step)
        first = done
        agenda = []
        for parent in beam:
            candidates, done = _emit_candidates(
                trace, problem, space, record, done, parent, divisor
            )
            agenda += candidates
            if states:
                _emit_forbidden(
                    trace, problem, states[parent], record[done - len(candidates) : done]
                )
        size, beam = min(space.beam, len(agenda)), []
        while len(beam) < size:
            row += 1
            # A gold row that is outside the beam has the serial -1.
            if space.marks[row, 1] > 0:
                beam.append(row)
        _emit_top_k(trace, space, beam, agenda, divisor)
        if states:
            states = _successors(problem, space, record, beam, states)
        if gold:
            _emit_gold(trace, step, record[:done], first, gold[step - 1], beam)
    if not stopped:
        trace.finished(int(space.marks[beam[0], 1]), float(space.marks[beam[0], 0]) / divisor)


def _emit_candidates(
    trace: Trace,
    problem: OrderingProblem,
    space: Written,
    record: np.ndarray,
    done: int,
    parent: int,
    divisor: int,
) -> tuple[list[tuple[float, int]], int]:
    """The candidates from line ``done`` on that come from this state, and where they end."""
    agenda = []
    serial = int(space.marks[parent, 1])
    while done < len(record) and int(record[done, 1]) == parent:
        score, _, action = record[done].tolist()
        done += 1
        agenda.append((score, done))
        trace.candidate(done, serial, action_name(int(action), problem), score / divisor)
    return agenda, done


def _emit_forbidden(
    trace: Trace, problem: OrderingProblem, state: State, record: np.ndarray
) -> None:
    """What is forbidden in a state, of which these are the candidates."""
    for action, reason in forbidding(state, problem, record[:, 2].astype(int).tolist()):
        trace.forbidden(state.serial, action_name(action, problem), reason)


def _successors(
    problem: OrderingProblem,
    space: Written,
    record: np.ndarray,
    beam: Sequence[int],
    states: dict[int, State],
) -> dict[int, State]:
    """The states of the next beam by row, each built from the one before."""
    successors = {}
    for row in beam:
        serial = int(space.marks[row, 1])
        parent, action = record[serial - 1, 1:].astype(int).tolist()
        successors[row] = apply_action(states[parent], action, problem, serial=serial)
    return successors


def _emit_gold(
    trace: Trace,
    step: int,
    record: np.ndarray,
    first: int,
    gold: tuple[int, int, int],
    beam: list[int],
) -> None:
    """Which of the step's candidates, from line ``first`` on, is gold; its rank if it was kept."""
    row, parent, action = gold
    same = (record[first:, 1] == parent) & (record[first:, 2] == action)
    serial = first + int(np.argmax(same)) + 1 if same.any() else -1
    trace.gold(step, serial, beam.index(row) if row in beam else -1)


def _emit_top_k(
    trace: Trace, space: Written, beam: list[int], agenda: list[tuple[float, int]], divisor: int
) -> None:
    for rank, row in enumerate(beam):
        trace.kept(int(space.marks[row, 1]), rank)
    survivors = {int(space.marks[row, 1]) for row in beam}
    last = float(space.marks[beam[-1], 0])
    for score, serial in agenda:
        if serial not in survivors:
            trace.cut(serial, (last - score) / divisor)
