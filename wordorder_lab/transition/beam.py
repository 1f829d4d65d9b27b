"""Transition-based linearization with a beam: Liu et al. 2015, section 3.1, Algorithm 1.

    1   candidates <- ([], set(1..n), {})
    2   agenda <- {}
    3   for i <- 1..2n do
    4     for s in candidates do
    5       for action in GETPOSSIBLEACTIONS(s, C) do
    6         agenda <- APPLY(s, action)
    7     candidates <- TOP-K(agenda)
    8     agenda <- {}
    9   best <- BEST(candidates)
    10  return best

Differences
- *Text against figure*, line 3: the loop runs 2n - 1 times, as Table 1 does (see ``actions``).
- *Paper silent*, lines 5 to 7: a state's successors are scored first and built when they are kept.
- *Paper silent*: ties go to the candidate that was made first: states in the order of the beam,
  then LEFTARC, RIGHTARC, SHIFT by item.
- *Our reading*, line 7: states that have the same words and arcs after different actions both stay.
- *Paper silent*: with more than one goal asked for, the next best states of the last beam are
  given; fewer than ``k`` if the beam holds fewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wordorder_lab.structures.problem import OrderingProblem, begin
from wordorder_lab.structures.trace import Trace
from wordorder_lab.transition.actions import (
    action_name,
    apply_action,
    initial_state,
    possible_actions,
)
from wordorder_lab.transition.features import ActionScores, state_context
from wordorder_lab.transition.forbidden_actions import forbidding
from wordorder_lab.transition.state import State


class Candidate(NamedTuple):
    """A successor that is scored and not yet built."""

    score: float
    serial: int
    parent: State
    action: int


@dataclass(eq=False, repr=False)
class BeamSearch:
    """Algorithm 1 on one bag; the learner takes the same steps one by one.

    ``trace`` receives the events ``begin``, ``step``, ``candidate``, ``forbidden`` (where heads or
    orders are given), ``kept``, ``cut`` and ``finished``; scores in it are divided by ``divisor``.
    """

    problem: OrderingProblem
    scores: ActionScores
    beam: int
    divisor: int = 1
    trace: Trace | None = None

    def __post_init__(self) -> None:
        self.serial = self.expanded = 0

    def run(self) -> list[State]:
        """The last beam, best first: complete states with one word on the stack."""
        candidates = self.begin()
        for step in range(1, self.problem.steps + 1):
            agenda = self.expand(candidates, step)
            candidates = self.top_k(agenda)
        self.finish(candidates)
        return candidates

    def follow(self, gold: Sequence[int]) -> tuple[float, int]:
        """What became of a gold derivation: its score, and the step that cut it (0: none did)."""
        candidates, state, fallen = self.begin(), initial_state(self.problem), 0
        for step, action in enumerate(gold, 1):
            scores = self.scores.of(state_context(state, self.problem))
            candidates = self.top_k(self.expand(candidates, step))
            kept = [
                other
                for other in candidates
                if other.parent is not None
                and other.parent.serial == state.serial
                and other.action == action
            ]
            if kept and not fallen:
                state = kept[0]
                continue
            fallen = fallen or step
            score = self.scores.after(state, action, scores)
            state = apply_action(state, action, self.problem, score, -1)
        return state.score, fallen

    def begin(self) -> list[State]:
        """The beam before the first step."""
        if self.trace is not None:
            begin(self.trace, self.problem, self.beam)
        return [initial_state(self.problem)]

    def expand(self, candidates: Sequence[State], step: int) -> list[Candidate]:
        """Every successor of every state, scored, in the order of their making."""
        if self.trace is not None:
            self.trace.step(step)
        agenda = []
        for state in candidates:
            scores = self.scores.of(state_context(state, self.problem))
            self.expanded += 1
            possible = self.possible(state)
            for action in possible:
                self.serial += 1
                score = self.scores.after(state, action, scores)
                agenda.append(Candidate(score, self.serial, state, action))
                if self.trace is not None:
                    name = action_name(action, self.problem)
                    shown = score / self.divisor
                    self.trace.candidate(self.serial, state.serial, name, shown)
            if self.trace is not None and self.problem.given.anything:
                for action, reason in forbidding(state, self.problem, possible):
                    self.trace.forbidden(state.serial, action_name(action, self.problem), reason)
        return agenda

    def possible(self, state: State) -> list[int]:
        """GETPOSSIBLEACTIONS. A subclass may try a legality test of its own."""
        return possible_actions(state, self.problem)

    def top_k(self, agenda: Sequence[Candidate]) -> list[State]:
        """TOP-K: the best of the agenda as states, best first."""
        ranked = sorted(agenda, key=lambda candidate: (-candidate.score, candidate.serial))
        kept = ranked[: self.beam]
        self._trace_top_k(kept, agenda)
        return [
            apply_action(parent, action, self.problem, score, serial)
            for score, serial, parent, action in kept
        ]

    def _trace_top_k(self, kept: Sequence[Candidate], agenda: Sequence[Candidate]) -> None:
        if self.trace is None:
            return
        for rank, candidate in enumerate(kept):
            self.trace.kept(candidate.serial, rank)
        survivors = {candidate.serial for candidate in kept}
        for candidate in agenda:
            if candidate.serial not in survivors:
                margin = (kept[-1].score - candidate.score) / self.divisor
                self.trace.cut(candidate.serial, margin)

    def finish(self, candidates: Sequence[State]) -> None:
        """Report the outcome."""
        if self.trace is not None:
            best = candidates[0]
            self.trace.finished(best.serial, best.score / self.divisor)

    @property
    def counters(self) -> dict[str, int]:
        """How much work it was."""
        return {"steps": self.problem.steps, "states": self.expanded, "candidates": self.serial}
