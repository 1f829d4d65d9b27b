"""fold(log, k): the state that a view shows after k events, and quick ways to get there.

A player never undoes an event: it starts from the nearest checkpoint before and folds the few
events in between.
"""

from __future__ import annotations

from typing import Protocol

from wordorder_lab.structures.messages import brief, cited
from wordorder_lab.structures.trace import Event, Events
from wordorder_lab.trace.events import SUMMARIES, WITHOUT_SEARCHES
from wordorder_lab.trace.reducers import (
    State,
    beam,
    deletion,
    learning,
    parsing,
    search,
    spans,
    transduction,
    updates,
)


class Reducer(Protocol):
    """What each reducer has."""

    def start(self) -> State:
        """Before the first event."""

    def apply(self, state: State, event: Event, /) -> None:
        """Change the state by one event."""

    def copy(self, state: State) -> State:
        """A state that goes its own way from here on."""


VIEWS: dict[str, Reducer] = {
    "agenda": search,
    "chart": search,
    "beam": beam,
    "spans": spans,
    "updates": updates,
    "learning": learning,
    "transduction": transduction,
    "parsing": parsing,
    "deletion": deletion,
}

EVERY = 256
"""Events between two checkpoints: what is folded at most to show any moment of a log."""

CHECKPOINTS = 64
"""Of a longer log only so many are kept: each holds every edge that there is by then."""


def views_of(log: Events) -> list[str]:
    """The views that suit a log: by what searched, and whether it learned; first the usual one."""
    kinds = {event[0] for event in log}
    if kinds & parsing.KINDS:
        return ["parsing"]
    if kinds & deletion.KINDS:  # which may tell their source tree, too
        return ["deletion"]
    if kinds & transduction.KINDS:
        return ["transduction"]
    if kinds & SUMMARIES and kinds <= WITHOUT_SEARCHES:
        return ["learning"]
    names = ["agenda", "chart"] if kinds & {"leaf", "popped"} else ["beam"]
    if kinds & {"update", "edge_update"}:
        names.append("updates")
    if kinds & SUMMARIES:
        names.append("learning")
    return [*names, "spans"]


def fold(log: Events, k: int, view: str = "beam") -> State:
    """The state after the first ``k`` events, as plain data: what is to be on the screen.

    Raises ``ValueError`` for a ``k`` outside the log and a view that is none of ``VIEWS``.
    """
    return Replay(log, view, every=max(1, len(log) + 1)).at(k)


class Replay:
    """One log through one view, at any moment; a checkpoint ``every`` so many events."""

    def __init__(self, log: Events, view: str = "beam", every: int | None = None) -> None:
        if view not in VIEWS:
            raise ValueError(f"no view {cited(view)}; there are {', '.join(VIEWS)}")
        self.events = list(log)
        self.view = VIEWS[view]
        self.every = every or max(EVERY, -(-len(self.events) // CHECKPOINTS))
        self.checkpoints = [self.view.start()]

    def at(self, k: int) -> State:
        """The state after ``k`` events; ``ValueError`` for fewer, or an event that does not fit."""
        if not 0 <= k <= len(self.events):
            raise ValueError(f"the log has {len(self.events)} events; {k} is not among 0 to that")
        nearest = min(k // self.every, len(self.checkpoints) - 1)
        state = self.view.copy(self.checkpoints[nearest])
        for i, event in enumerate(self.events[nearest * self.every : k], nearest * self.every + 1):
            try:
                self.view.apply(state, event)
            except (LookupError, TypeError, ValueError, ArithmeticError, RecursionError) as error:
                raise ValueError(
                    f"event {i} of the log, {brief(event)}, does not fit those before it "
                    f"({brief(error)}): record the search again"
                ) from None
            if i == len(self.checkpoints) * self.every:
                self.checkpoints.append(self.view.copy(state))
        return state
