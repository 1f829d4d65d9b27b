"""The events of a search that the fast engine has run, told from what its kernel recorded.

Nothing is searched again here: every score and every survivor was written down by the kernel; this
file only tells them in the order in which the reference engine meets them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from wordorder_lab.decoders.search_events import begin
from wordorder_lab.grammars.linearization_actions import action_name
from wordorder_lab.structures.problem import OrderingProblem

(LAST, FIRST_LAST, CANDIDATES, EXPANDED, STEP, PREDICTED, GOLD, FALLEN, FOLLOWED) = range(9)
"""What the kernel reports: size and first row of the last beam; counters; in training the step of
the update (0: none), the two rows that it compares, whether gold had left the beam there, and the
last gold row."""


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
    trace: Any,
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
    while done < len(record):
        step += 1
        trace.step(step)
        first = done
        agenda, done = _emit_candidates(trace, problem, space, record, done, set(beam), divisor)
        size, beam = min(space.beam, len(agenda)), []
        while len(beam) < size:
            row += 1
            # A gold row that is outside the beam has the serial -1.
            if space.marks[row, 1] > 0:
                beam.append(row)
        _emit_top_k(trace, space, beam, agenda, divisor)
        if gold:
            _emit_gold(trace, step, record[:done], first, gold[step - 1], beam)
    if not stopped:
        trace.finished(int(space.marks[beam[0], 1]), float(space.marks[beam[0], 0]) / divisor)


def _emit_candidates(
    trace: Any,
    problem: OrderingProblem,
    space: Written,
    record: np.ndarray,
    done: int,
    beam: set[int],
    divisor: int,
) -> tuple[list[tuple[float, int]], int]:
    """The candidates from line ``done`` on that come from this beam, and where they end."""
    agenda = []
    while done < len(record) and int(record[done, 1]) in beam:
        score, parent, action = record[done].tolist()
        done += 1
        agenda.append((score, done))
        name = action_name(int(action), problem)
        trace.candidate(done, int(space.marks[int(parent), 1]), name, score / divisor)
    return agenda, done


def _emit_gold(
    trace: Any, step: int, record: np.ndarray, first: int, gold: tuple[int, int, int], beam: list
) -> None:
    """Which of the step's candidates, from line ``first`` on, is gold; its rank if it was kept."""
    row, parent, action = gold
    same = (record[first:, 1] == parent) & (record[first:, 2] == action)
    serial = first + int(np.argmax(same)) + 1 if same.any() else -1
    trace.gold(step, serial, beam.index(row) if row in beam else -1)


def _emit_top_k(
    trace: Any, space: Written, beam: list[int], agenda: list[tuple[float, int]], divisor: int
) -> None:
    for rank, row in enumerate(beam):
        trace.kept(int(space.marks[row, 1]), rank)
    survivors = {int(space.marks[row, 1]) for row in beam}
    last = float(space.marks[beam[-1], 0])
    for score, serial in agenda:
        if serial not in survivors:
            trace.cut(serial, (last - score) / divisor)
