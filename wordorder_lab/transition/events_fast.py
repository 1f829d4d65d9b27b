"""Part of ``beam_fast``: the events of a search, told from what its kernel recorded.

Nothing is searched again. Where heads or orders are given, the states of the beams are built from
the recorded actions, and the grammar says why other actions are forbidden in them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wordorder_lab.structures.problem import OrderingProblem, begin
from wordorder_lab.structures.trace import Trace
from wordorder_lab.transition.actions import action_name, apply_action, initial_state
from wordorder_lab.transition.bag_fast import Workspace
from wordorder_lab.transition.forbidden_actions import forbidding
from wordorder_lab.transition.state import State
from wordorder_lab.transition.state_fast import SCORE, SERIAL

(LAST, FIRST_LAST, CANDIDATES, EXPANDED, STEP, PREDICTED, GOLD, FALLEN, FOLLOWED, KEPT) = range(10)
"""What the kernel reports: size and first row of the last beam; counters; in training the step of
the update (0: none), the two rows that it compares, whether gold had left the beam there, the last
gold row, and after how many steps gold was still in the beam."""


def emit(
    trace: Trace,
    problem: OrderingProblem,
    space: Workspace,
    record: np.ndarray,
    divisor: int = 1,
    gold: Sequence[tuple[int, int, int]] = (),
    stopped: bool = False,
) -> None:
    """Tell the trace what the kernel has recorded, in the order of the reference engine. ``gold``,
    in training, has (row, parent's row, action) a step; ``stopped``: it fell out."""
    begin(trace, problem, space.beam)
    events = Events(trace, problem, space, record, divisor)
    row, step, beam = 0, 0, [0]
    states = {0: initial_state(problem)} if problem.given.anything else {}
    while events.done < len(record):
        step += 1
        trace.step(step)
        first, agenda = events.done, list[tuple[float, int]]()
        for parent in beam:
            agenda += events.candidates(parent, states.get(parent))
        size, beam = min(space.beam, len(agenda)), []
        while len(beam) < size:
            row += 1
            # A gold row that is outside the beam has the serial -1.
            if space.marks[row, SERIAL] > 0:
                beam.append(row)
        events.top_k(beam, agenda)
        if states:
            states = events.successors(beam, states)
        if gold:
            events.gold(step, first, gold[step - 1], beam)
    if not stopped:
        trace.finished(
            int(space.marks[beam[0], SERIAL]), float(space.marks[beam[0], SCORE]) / divisor
        )


@dataclass
class Events:
    """What is told of a recorded search, ``done`` lines of the record so far."""

    trace: Trace
    problem: OrderingProblem
    space: Workspace
    record: np.ndarray
    divisor: int
    done: int = 0

    def candidates(self, parent: int, state: State | None) -> list[tuple[float, int]]:
        """The candidates that come from a row, and, of a ``state``, what is forbidden in it."""
        agenda, first = [], self.done
        serial = int(self.space.marks[parent, SERIAL])
        while self.done < len(self.record) and int(self.record[self.done, 1]) == parent:
            score, _, action = self.record[self.done].tolist()
            self.done += 1
            agenda.append((score, self.done))
            name = action_name(int(action), self.problem)
            self.trace.candidate(self.done, serial, name, score / self.divisor)
        if state is not None:
            possible = self.record[first : self.done, 2].astype(int).tolist()
            for action, reason in forbidding(state, self.problem, possible):
                self.trace.forbidden(state.serial, action_name(action, self.problem), reason)
        return agenda

    def successors(self, beam: Sequence[int], states: Mapping[int, State]) -> dict[int, State]:
        """The states of the next beam by row, each built from the one before."""
        found = {}
        for row in beam:
            serial = int(self.space.marks[row, SERIAL])
            parent, action = self.record[serial - 1, 1:].astype(int).tolist()
            found[row] = apply_action(states[parent], action, self.problem, serial=serial)
        return found

    def gold(self, step: int, first: int, gold: tuple[int, int, int], beam: list[int]) -> None:
        """Which of a step's candidates, from line ``first`` on, is gold; its rank if it is kept."""
        row, parent, action = gold
        step_lines = self.record[first : self.done]
        same = (step_lines[:, 1] == parent) & (step_lines[:, 2] == action)
        serial = first + int(np.argmax(same)) + 1 if same.any() else -1
        self.trace.gold(step, serial, beam.index(row) if row in beam else -1)

    def top_k(self, beam: list[int], agenda: list[tuple[float, int]]) -> None:
        """Which candidates are kept, and by how much the others miss it."""
        serials = [int(self.space.marks[row, SERIAL]) for row in beam]
        for rank, serial in enumerate(serials):
            self.trace.kept(serial, rank)
        survivors = set(serials)
        last = float(self.space.marks[beam[-1], SCORE])
        for score, serial in agenda:
            if serial not in survivors:
                self.trace.cut(serial, (last - score) / self.divisor)
