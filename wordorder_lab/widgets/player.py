"""play(log): the player as a live widget, and as a page inside a notebook that has no kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.reasons import Explain
from wordorder_lab.trace.log import EventLog
from wordorder_lab.widgets.moments import Moment
from wordorder_lab.widgets.packing import MAX_EVENTS
from wordorder_lab.widgets.page import (
    Again,
    Drive,
    PlayerData,
    contents,
    default_title,
    frame,
    page_text,
)
from wordorder_lab.widgets.trainings import Trainings, named

if TYPE_CHECKING:
    from wordorder_lab.widgets.live import Player


class Page:
    """A player without a kernel: the page itself, in an iframe."""

    def __init__(self, data: PlayerData) -> None:
        self.title = data["title"]
        self.page = page_text(data, self.title)

    def _repr_html_(self) -> str:
        return frame(self.page, self.title)


@checks_arguments
def play(  # noqa: PLR0913  (each is a choice by name)
    log: EventLog | Mapping[str, EventLog] | Sequence[EventLog],
    other: EventLog | None = None,
    *,
    view: str | None = None,
    names: Sequence[str] = ("A", "B"),
    title: str | None = None,
    max_events: int = MAX_EVENTS,
    drive: Drive | Sequence[Drive | None] | None = None,
    again: Again | None = None,
    at: int | None = None,
    moments: Sequence[Moment] = (),
    why: bool | Explain = False,
    reference: str | Sequence[str] | None = None,
) -> Player | Page | Trainings:
    """A player for a log, or for two on one clock: step forward and back, scrub, play.

    Two logs are called by their ``names``; several logs of trainings, a list or by their names, lie
    over each other, a curve for each (``wl.play({"beam 1": one, "beam 8": other})``, which has
    ``to_html``). In Jupyter this is a live widget: ``position`` is the number of events (of the
    first log) on the screen, to read and to set, and ``quiz`` the guesses so far as a frame.
    Without anywidget nothing comes back to Python. ``view`` is what to look at
    first: "agenda", "chart", "updates" or "spans" for a best-first search, "beam", "updates" or
    "spans" for one with a beam; "transduction" for a compression, "deletion" for one that only
    leaves words out; "parsing" for a parser's chart; "learning" for a training over its epochs;
    "decoder" is a game, in which you choose what the search does. A log of more than so many events
    as ``max_events`` says is cut there, with a mark; events of a training as a whole stay.
    ``drive`` (``model.drive(bag)``; two for two logs) lets the chart view ask what two edges make,
    and the transduction view what changes with another rule at a node. ``again``
    (``wl.SearchAgain(model, sentences, log)``) lets the view of updates search again with the
    weights before and after an update. The player opens after so many events as ``at`` says, from
    0, by default at the end of the search, after an update, or where the winners of two searches
    of one kind part; ``moments`` are bookmarks, pairs of a number of events and a note. With
    ``why=True`` a click on a state or an edge shows what its score is made of, beside its rival's:
    the log of a search that has just run can tell; one that was saved and loaded takes
    ``why=model.reasons(bag)``. ``reference`` is the sentence that is right, its tokens apart by
    spaces, or one for each search: where the log knows no gold, each word of the output is marked
    right or wrong by it.

    Raises ``ValueError`` for an empty log, an unknown view, a moment outside the log, references
    that are not one a search, and if ``why`` is asked where nothing is known.
    """
    if not isinstance(log, EventLog) and isinstance(log, Mapping | Sequence):
        return Trainings(named(log), title)
    data = contents(
        log, other, view=view, names=names, max_events=max_events, at=at, moments=moments, why=why,
        reference=reference,
    )  # fmt: skip
    data["title"] = title or default_title(log)
    try:
        from wordorder_lab.widgets.live import Player
    except ImportError:
        return Page(data)
    drives = [*drive] if isinstance(drive, Sequence) else [drive]
    drives += [None] * (len(data["logs"]) - len(drives))
    data["live"] = [given is not None for given in drives]
    data["again"] = again is not None
    return Player(data, drives, again)
