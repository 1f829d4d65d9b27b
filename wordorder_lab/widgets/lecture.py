"""lecture(scenes, path): logs, chosen moments and text between them as one page for a class.

What a lecturer prepares once is one file that opens offline: PageDown goes from scene to scene, and
inside a scene the player plays on from the chosen moment.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.trace.log import EventLog
from wordorder_lab.widgets.packing import MAX_EVENTS
from wordorder_lab.widgets.page import (
    Moment,
    contents,
    default_title,
    page_text,
    within,
    write_page,
)

Scene = str | tuple[EventLog, Sequence[Moment]] | tuple[EventLog, Sequence[Moment], str]
"""A text alone; or a log with moments, (number of events, what to say), and perhaps a view."""


@checks_arguments
def lecture(
    scenes: Sequence[Scene],
    path: str | os.PathLike[str],
    *,
    title: str = "Lecture",
    max_events: int = MAX_EVENTS,
) -> Path:
    """Write a page that goes from moment to moment through several logs, and return its path.

    ``scenes`` are texts, and logs with moments, each a number of events and what to say::

        moments = [(120, "Here gold falls."), (300, "Too late.")]
        wl.lecture(["Where does gold fall?", (log, moments)], "day.html")

    A third entry names the view: ``(log, moments, "agenda")``. A log that is named twice is there
    once, cut after so many events as ``max_events`` says. Raises ``ValueError`` for no scenes, for
    what is neither text nor log with moments, and as ``play`` does; ``OSError`` where nothing can
    be written.
    """
    players: list[dict[str, Any]] = []
    places: dict[tuple[int, str | None], int] = {}
    told: list[dict[str, Any]] = []
    for number, scene in enumerate(scenes, 1):
        if isinstance(scene, str):
            told.append({"text": scene})
            continue
        log, moments, view = _parts(number, scene)
        known = (id(log), view)
        if known not in places:
            places[known] = len(players)
            data = contents(log, view=view, max_events=max_events)
            players.append({**data, "title": default_title(log)})
        here = players[places[known]]
        shown = len(here["logs"][0]["kinds"])
        for event, text in moments:
            moment = {"event": within(event, shown), "view": here["view"], "text": text}
            told.append({"log": places[known], **moment})
    if not told:
        raise ValueError("a lecture has at least one scene: a text, or a log with its moments")
    return write_page(path, page_text({"players": players, "scenes": told}, title))


def _parts(number: int, scene: Any) -> tuple[EventLog, Sequence[Moment], str | None]:
    match scene:
        case (EventLog() as log, [*moments]):
            return log, moments, None
        case (EventLog() as log, [*moments], str(view)):
            return log, moments, view
    raise ValueError(
        f"scene {number} is neither a text nor a log with moments: give a string, or "
        "(log, [(event, note), ...]), or (log, [...], view)"
    )
