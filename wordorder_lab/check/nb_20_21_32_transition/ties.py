"""Exercise 20.6: break the tie-breaking.

The student's sort key is plugged into the reference engine. Scores still come first; what changes
is which of equally good candidates goes before the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from wordorder_lab.check.common.exercise import Exercise, Wrong, function_of
from wordorder_lab.check.common.moments import Moment, difference
from wordorder_lab.check.common.workbench import SENTENCES, examples_of, learner_of
from wordorder_lab.trace.log import EventLog
from wordorder_lab.transition.actions import apply_action
from wordorder_lab.transition.averaged_perceptron import Example, Perceptron
from wordorder_lab.transition.beam import BeamSearch, Candidate
from wordorder_lab.transition.state import State

Key = Callable[[Candidate], Any]
BEAM = 4


class OtherTies(BeamSearch):
    """Algorithm 1 with another order of the candidates."""

    key: Key = staticmethod(lambda candidate: (-candidate.score, candidate.serial))

    def top_k(self, agenda: Sequence[Candidate]) -> list[State]:
        """TOP-K by the key. Raises ``Wrong`` if that is not an order by score, or no order."""
        ranked = sorted(agenda, key=self.key)
        _check_order(ranked, self.key)
        kept = ranked[: self.beam]
        if self.trace is not None:
            self._trace_top_k(kept, agenda)
        return [apply_action(c.parent, c.action, self.problem, c.score, c.serial) for c in kept]


def _check_order(ranked: Sequence[Candidate], key: Key) -> None:
    for earlier, later in pairwise(ranked):
        if earlier.score < later.score:
            raise Wrong(
                f"Your key puts score {earlier.score:g} before score {later.score:g}: that is no "
                "longer the best k. Only ties are yours to break."
            )
        if key(earlier) == key(later):
            raise Wrong(
                "Two candidates have the same key, so chance (the order of a list) decides "
                "between them. Make the key tell any two candidates apart."
            )


@cache
def taught() -> tuple[Perceptron, list[Example]]:
    """A learner that has seen half of the small world twice, and bags of all of it."""
    learner = learner_of(SENTENCES, BEAM)
    for example in 2 * examples_of(SENTENCES)[:4]:
        learner.learn(example)
    return learner, examples_of(SENTENCES)


def run(example: Example, key: Key | None = None) -> tuple[tuple[int, ...], EventLog]:
    """The best derivation of one bag, and everything that happened."""
    learner, _ = taught()
    log = EventLog()
    usual = learner.search(example.problem)
    search = OtherTies(usual.problem, usual.scores, BEAM, trace=log)
    if key is not None:
        search.key = key
    best = search.run()[0]
    return tuple(action for _, action in best.derivation()), log


def differences(key: Key) -> tuple[int, int, int]:
    """How many outputs and how many event streams of how many searches the key changes."""
    _, examples = taught()
    pairs = [(run(example), run(example, key)) for example in examples]
    outputs = sum(usual[0] != other[0] for usual, other in pairs)
    streams = sum(usual[1] != other[1] for usual, other in pairs)
    return outputs, streams, len(pairs)


def first_other_tie(key: Key) -> Moment | None:
    """The first search that goes another way with the key, where it does so first."""
    for example in taught()[1]:
        usual, other = run(example)[1], run(example, key)[1]
        if usual != other:
            names = ("the engine's order", "your order")
            return Moment(usual, difference(usual, other), "Ties", other=other, names=names)
    return None


def _judge_ties(answer: Any) -> str:
    outputs, streams, searches = differences(function_of(answer, "my_key"))
    changed = f"Of {searches} searches it changes {streams} event streams and {outputs} outputs."
    if not streams:
        raise Wrong(f"This is the engine's own order, it seems. {changed}")
    if not outputs:
        said = f"Some ties fall differently, but what comes out is the same. {changed}"
        raise Wrong(said, first_other_tie(answer))
    return f"{changed} Same scores, same beam, same model!"


def last_made_first(candidate: Candidate) -> tuple[float, int]:
    """Of equally good candidates the one that was made last."""
    return -candidate.score, -candidate.serial


def _solve_ties() -> str:
    return (
        "def my_key(candidate):\n    return -candidate.score, -candidate.serial\n"
        f"{_judge_ties(last_made_first)}\n"
        "That is why papers should say how they break ties, and why our tests compare event "
        "streams and not outputs alone."
    )


EXERCISES = (
    Exercise(
        "20.6",
        "Break the tie-breaking: the same scores, another order among equals, another output.",
        (
            "sorted() puts small keys first, so begin the key with -candidate.score.",
            "The engine's key is (-candidate.score, candidate.serial): of equally good candidates "
            "the one made first. What would be the opposite?",
        ),
        _judge_ties,
        _solve_ties,
    ),
)
