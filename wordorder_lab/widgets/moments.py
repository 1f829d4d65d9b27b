"""Moments: a place in a log, what is said there, and of which card, row, cell or edge.

As plain data, which a page keeps in its element ``wol-moments`` and a notebook in
``player.moments``, a moment has the fields of ``MomentData``; a lecture's scene has those of
``SceneData``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict, cast

from wordorder_lab.structures.messages import cited
from wordorder_lab.trace.events import SCHEMA
from wordorder_lab.trace.log import EventLog

Item = int | str
"""What is pointed at: the number of a state or an edge as its event has it, or the name of what
else a picture shows, as a moment that was saved has it: ``"node 3"``."""
Moment = (
    tuple[int, str]
    | tuple[int, str, Item | None]
    | tuple[int, str, Item | None, Mapping[Item, str]]
    | Mapping[str, object]
)
"""A number of events of the first log, and a note; perhaps the item that the note speaks of, and
annotations, a line of text for each item; or all this as plain data."""

ASIDE = "\n---\n"
"""Below such a line stands what only the presenter reads."""
MADE = ("candidate", "leaf", "edge")
"""Kinds of events that make a state or an edge; its number is their first column."""
LONGEST = 80
"""Letters of an item's name."""


class Mark(TypedDict):
    """An annotation: an item, and a line of text at it."""

    item: str
    text: str


class MomentData(TypedDict):
    """After so many events: a view, a selected item, the note and what it speaks of, marks."""

    event: int
    note: str
    view: NotRequired[str]
    pin: NotRequired[int | None]
    item: NotRequired[str]
    marks: NotRequired[list[Mark]]


class SceneData(TypedDict):
    """A text alone; or, as a moment, with the number of its ``log``. ``aside``: for the presenter
    alone."""

    note: str
    aside: NotRequired[str]
    log: NotRequired[int]
    event: NotRequired[int]
    view: NotRequired[str]
    pin: NotRequired[int | None]
    item: NotRequired[str]
    marks: NotRequired[list[Mark]]


def moment_of(given: Moment, log: EventLog, events: int) -> MomentData:
    """A moment of a log of which so many events are shown, as plain data.

    Raises ``ValueError`` for what is no moment, for an event outside, and for an item that is no
    state or edge by then.
    """
    if isinstance(given, Mapping):
        return _of_data(given, log, events)
    event, note, *more = given
    item, marks = (*more, None, None)[:2]
    lines = cast("Mapping[Item, str]", marks or {}).items()
    return _moment(log, within(event, events), str(note), item, [*lines])


def _moment(
    log: EventLog, event: int, note: str, item: object, marks: Sequence[tuple[object, str]]
) -> MomentData:
    moment: MomentData = {"event": event, "note": note}
    if item is not None:
        moment["item"] = _item(item, log, event)
    if marks:
        moment["marks"] = [{"item": _item(one, log, event), "text": text} for one, text in marks]
    return moment


def _of_data(given: Mapping[str, object], log: EventLog, events: int) -> MomentData:
    unknown = [name for name in given if name not in MomentData.__annotations__]
    if unknown or "event" not in given:
        wrong = f"no field {cited(unknown[0])}" if unknown else "a field event, which is missing"
        known = ", ".join(MomentData.__annotations__)
        raise ValueError(f"a moment as plain data has {wrong}; it has {known}")
    marks = [(one["item"], one["text"]) for one in cast("list[Mark]", given.get("marks") or [])]
    event = within(cast("int", given["event"]), events)
    moment = _moment(log, event, str(given.get("note", "")), given.get("item"), marks)
    if isinstance(view := given.get("view"), str):
        moment["view"] = view
    if isinstance(pin := given.get("pin"), int):
        moment["pin"] = pin
    return moment


def within(event: int, events: int) -> int:
    """A number of events; ``ValueError`` where a log has fewer."""
    if not isinstance(event, int) or not 0 <= event <= events:
        raise ValueError(f"a moment is a number of events, 0 to {events:,}, not {cited(event)}")
    return event


def _item(item: object, log: EventLog, event: int) -> str:
    """The name of an item in a picture; a number is one of a state or an edge that is made."""
    if isinstance(item, str) and 0 < len(item) <= LONGEST:
        return item
    if not isinstance(item, int) or isinstance(item, bool):
        raise ValueError(
            f"an item is the number of a state or an edge, or a name of at most {LONGEST} letters, "
            f"not {cited(item)}"
        )
    named = [name for name, kind in SCHEMA.items() if "serial" in kind.columns]
    places = {name: 1 + [*SCHEMA[name].columns].index("serial") for name in named}
    events = log.events[:event]
    if any(one[0] in MADE for one in log.events) and not any(
        one[0] in places and one[places[one[0]]] == item for one in events
    ):
        raise ValueError(
            f"no state or edge has the number {item} after {event:,} events of the log: take the "
            "number that its event tells, or a later moment"
        )
    return str(item)
