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
    """A log, or two on one clock, and after how many events of the first the answer fails.

    ``title`` is what the player is called, ``view`` what it shows first.
    """

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
    for i, event in enumerate(log):
        if is_it(event):
            return i if before else i + 1
    return len(log)


def nth_pop(log: EventLog, number: int, before: bool = False) -> int:
    """After pop ``number``, counted from 1, or right before it; the end if there are fewer."""
    pops = [i for i, event in enumerate(log) if event[0] == "popped"]
    if not 1 <= number <= len(pops):
        return len(log)
    return pops[number - 1] + (not before)


def when_pruned(log: EventLog, serial: int) -> int:
    """After this edge has left."""
    return after(log, lambda event: event[:2] == ("pruned", serial))


def when_charted(log: EventLog, serials: Sequence[int]) -> int:
    """After the last of these edges has come into the chart; the end if one of them never does."""
    waiting = set(serials)
    for i, event in enumerate(log):
        if event[0] == "charted":
            waiting.discard(event[1])
        if not waiting:
            return i + 1
    return len(log)


def gold_pruned(log: EventLog) -> int:
    """After the first gold edge has left the chart; the end if all stay."""
    gold = {event[1] for event in log if event[0] in ("leaf", "edge") and event[6] == 1}
    return after(log, lambda event: event[0] == "pruned" and event[1] in gold)


def first_difference(
    pairs: Iterable[tuple[EventLog, EventLog]],
    title: str,
    names: tuple[str, str],
    view: str | None = None,
) -> Moment | None:
    """The first two logs that are not the same, after the first event in which they differ."""
    for log, other in pairs:
        if log != other:
            pairwise = enumerate(zip(log, other), 1)
            same = (i for i, (event, another) in pairwise if event != another)
            return Moment(log, next(same, min(len(log), len(other))), title, view, other, names)
    return None


def order_lost(log: EventLog, units: Sequence[str]) -> int:
    """After the step whose beam has no state any more that begins with these units in this order.

    In a search with a beam words are shifted in the order of the sentence, so from there on it
    cannot come out. The end of the log if one stays, or if the search has no beam.
    """
    steps = [i for i, event in enumerate(log) if event[0] in ("step", "finished")][1:]
    for end in steps:
        states = fold(log, end, "beam")["columns"][-1]["states"]
        if not any(_begins(state["order"], units) for state in states):
            return end
    return len(log)


def _begins(order: Sequence[Sequence[str]], units: Sequence[str]) -> bool:
    return [unit for unit, _ in order] == [*units[: len(order)]]
