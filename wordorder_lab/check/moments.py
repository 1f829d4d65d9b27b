"""Where a wrong answer fails: the moment of a search that a player opens at.

A log has events; a moment is a number of them, as in ``play(log, at=...)``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from wordorder_lab.structures.trace import Event
from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.reducers.replay import fold


@dataclass(frozen=True)
class Moment:
    """A log, or two on one clock, and after how many events of the first the answer fails."""

    log: EventLog
    at: int
    title: str
    view: str | None = None
    other: EventLog | None = None
    names: tuple[str, str] = ("A", "B")

    def player(self) -> object:
        """What ``wl.play`` gives for it."""
        from wordorder_lab.widgets.player import play  # where no answer is wrong, none is needed

        names, title = self.names, self.title
        return play(self.log, self.other, names=names, title=title, view=self.view, at=self.at)


def after(log: EventLog, is_it: Callable[[Event], bool], before: bool = False) -> int:
    """The number of events up to the first such one, or before it; all of them if there is none."""
    return next((i + (not before) for i, event in enumerate(log) if is_it(event)), len(log))


def when(log: EventLog, *begins: object) -> int:
    """After the first event that begins with these values."""
    return after(log, lambda event: event[: len(begins)] == begins)


def gold_pruned(log: EventLog) -> int:
    """After the first gold edge has left the chart; the end if all stay."""
    gold = {event[1] for event in log if event[0] in ("leaf", "edge") and event[6] == 1}
    return after(log, lambda event: event[0] == "pruned" and event[1] in gold)


def nth_pop(log: EventLog, number: int, before: bool = False) -> int:
    """After pop ``number``, counted from 1, or right before it; the end if there are fewer."""
    pops = [i for i, event in enumerate(log) if event[0] == "popped"]
    return pops[number - 1] + (not before) if 1 <= number <= len(pops) else len(log)


def first_difference(
    pairs: Iterable[tuple[EventLog, EventLog]],
    title: str,
    names: tuple[str, str],
    view: str | None = None,
) -> Moment | None:
    """The first two logs that are not the same, after the first event in which they differ."""
    for log, other in pairs:
        if log != other:
            both = enumerate(zip(log, other), 1)
            at = next((i for i, (one, two) in both if one != two), min(len(log), len(other)))
            return Moment(log, at, title, view, other, names)
    return None


def order_lost(log: EventLog, units: Sequence[str]) -> int:
    """After the step whose beam has no state any more that begins with these units in this order.

    The end of the log if one stays, or if the search has no beam.
    """
    steps = [i for i, event in enumerate(log) if event[0] in ("step", "finished")][1:]
    for end in steps:
        states = fold(log, end, "beam")["columns"][-1]["states"]
        orders = ([unit for unit, _ in state["order"]] for state in states)
        if not any(order == [*units[: len(order)]] for order in orders):
            return end
    return len(log)
