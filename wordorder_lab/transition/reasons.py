"""What the score of a state is made of: the points of its last action, by feature.

The events of a search are read once more. A state's candidates come in the order of its possible
actions, so each event says which action it is of, and the reference engine's features say the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wordorder_lab.structures.reasons import Parts, Reasons, shown
from wordorder_lab.structures.trace import Event
from wordorder_lab.transition.actions import action_name, apply_action, initial_state
from wordorder_lab.transition.beam import BeamSearch
from wordorder_lab.transition.features import all_features, state_context
from wordorder_lab.transition.pieces import decisions
from wordorder_lab.transition.state import SHIFT, State
from wordorder_lab.transition.templates import show


@dataclass(frozen=True)
class BeamReasons:
    """Explains the states of one search; ``search`` has its problem, its scores, its divisor."""

    search: BeamSearch

    def __call__(self, events: Sequence[Event]) -> Reasons:
        """The points of the states that are shown, as far as the log tells how they were made."""
        problem, found = self.search.problem, dict[str, Parts]()
        wanted = shown(events)
        states, moves = {0: initial_state(problem)}, dict[int, list[int]]()
        for kind, *values in events:
            if kind != "candidate" or values[1] not in states:
                continue
            serial, parent, name, _ = values
            if parent not in moves:
                moves[parent] = self.search.possible(states[parent])[::-1]
            action = moves[parent].pop() if moves[parent] else -1
            if serial in wanted and action >= 0 and action_name(action, problem) == name:
                found[str(serial)] = self.points(states[parent], action)
                states[serial] = apply_action(states[parent], action, problem, 0, serial)
        return Reasons(found, self.search.divisor)

    def points(self, state: State, action: int) -> Parts:
        """What an action adds, undivided: its features, the heads' decisions, n-grams."""
        scores, problem = self.search.scores, self.search.problem
        context = state_context(state, problem)
        columns = [scores.columns[action]]
        if action < SHIFT:
            dependent = context[("S1", "S0")[action]]
            label = dependent[2] if isinstance(dependent, tuple) else None
            if label in scores.arcs:
                columns.append(scores.columns[scores.arcs[label] + action])
        found = []
        for feature in all_features(scores.templates, context):
            weights, level = scores.rows(feature), scores.templates.level(feature)
            points = 0.0
            for numbers in columns:
                points += weights.get(numbers[level], 0.0)
            found.append((show(scores.templates, feature), points))
        if scores.pieces is not None:
            for one in decisions(state, action, problem):
                head, piece = (problem.ahead[kind][0] for kind in (one.head, one.piece))
                next_ = "comes next itself" if head == piece else f"has “{piece}” next"
                found.append((f"decision of its head: “{head}” {next_}", scores.pieces.of(one)))
        if scores.language is not None and action >= SHIFT:
            before = [word for item in state.order for word in problem.items[item].unit]
            words = " ".join(problem.items[action - SHIFT].unit)
            after = " ".join(before[1 - scores.language.ngrams.order :]) or "nothing"
            last = ", and the end" if len(state.order) + 1 == problem.size else ""
            text = f"language model: “{words}” after “{after}”{last}"
            found.append((text, scores.language.score(state, action)))
        return [(text, points) for text, points in found if points]
