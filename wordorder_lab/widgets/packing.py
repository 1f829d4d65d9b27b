"""An event log as the players take it: columns instead of rows, so that a page stays small.

``kinds`` spells the order of the events, a letter each; ``columns`` holds, kind by kind, the values
of every column in that order. Strings are numbered; of many whole numbers stand the steps from one
to the next, since serials go up one by one. Nothing is rounded.
"""

from __future__ import annotations

import base64
import gzip
import json
import string
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NotRequired, TypedDict, cast

from wordorder_lab.runtime.atomic import ESCAPED
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.reasons import Explain, Reasons
from wordorder_lab.structures.trace import Event
from wordorder_lab.trace.events import SCHEMA, SUMMARIES
from wordorder_lab.trace.log import EventLog

LETTERS = dict(zip(SCHEMA, string.ascii_letters, strict=False))
"""Kind -> the letter that stands for it in ``kinds``."""

MAX_EVENTS = 100_000
"""Events that a player takes unless it is told otherwise; what is left out is counted."""

MANY = 32
"""From so many values on, whole numbers are packed as steps."""


class Packed(TypedDict):
    """A log in columns; ``why`` are the reasons of its searches, by number."""

    letters: dict[str, str]
    kinds: str
    columns: dict[str, list[object]]
    dropped: int
    why: NotRequired[dict[int, dict[str, Any]]]


def pack(log: EventLog, max_events: int = MAX_EVENTS) -> Packed:
    """The first events and all summaries in columns; ``ValueError`` for too many values or few."""
    events = [event for i, event in enumerate(log) if i < max_events or event[0] in SUMMARIES]
    there = {event[0] for event in events}
    kinds = [kind for kind in SCHEMA if kind in there]
    return {
        "letters": {LETTERS[kind]: kind for kind in kinds},
        "kinds": "".join(LETTERS[event[0]] for event in events),
        "columns": {kind: _columns(kind, events) for kind in kinds},
        "dropped": log.dropped + len(log) - len(events),
    }


def _columns(kind: str, events: Sequence[Event]) -> list[object]:
    rows = [event[1:] for event in events if event[0] == kind]
    columns = SCHEMA[kind].columns
    for row in rows:
        if len(row) != len(columns):
            known = ", ".join(columns)
            raise ValueError(
                f"the event {cited(kind)} has the columns {known}, and was told with {row}"
            )
    return [
        _packed(wanted, values)
        for wanted, values in zip(columns.values(), zip(*rows, strict=True), strict=True)
    ]


def _packed(wanted: type, values: Sequence[object]) -> object:
    if wanted is str:
        return _numbered(cast("Sequence[str]", values))
    whole = [value for value in values if type(value) is int]
    if wanted is int and len(whole) == len(values) >= MANY:
        return {"steps": [after - before for before, after in pairwise([0, *whole])]}
    return list(values)


def _numbered(values: Iterable[str]) -> dict[str, object]:
    numbers: dict[str, int] = {}
    ids = [numbers.setdefault(value, len(numbers)) for value in values]
    return {"names": list(numbers), "ids": ids}


def pack_reasons(
    log: EventLog, explain: Explain | None, max_events: int = MAX_EVENTS
) -> dict[int, dict[str, Any]]:
    """The reasons of the searches in a log, by number from 1: those that ``explain`` tells of each,
    or without it those that the log itself can tell."""
    searches: list[list[Event]] = [[]]
    for event in log.events[:max_events]:
        if event[0] == "begin":
            searches.append([])
        searches[-1].append(event)
    found = {}
    for number, events in enumerate(searches):
        known = explain or log.explains.get(number)
        reasons = known(events) if known and events else None
        if reasons is not None and reasons.points:
            found[number] = _numbered_parts(reasons)
    return found


def _numbered_parts(reasons: Reasons) -> dict[str, Any]:
    """Each part is there once, in ``names`` and ``points``; ``parts`` are those of all items, one
    after the other, ``counts`` how many each of ``items`` has."""
    numbers: dict[tuple[str, float], int] = {}
    every = reasons.points.values()
    parts = [
        numbers.setdefault((text, points), len(numbers)) for one in every for text, points in one
    ]
    points = [int(value) if float(value).is_integer() else value for _, value in numbers]
    return {
        "names": _numbered(text for text, _ in numbers),
        "points": points,
        "items": list(reasons.points),
        "counts": list(map(len, every)),
        "parts": parts,
        "divisor": reasons.divisor,
        "scaled": reasons.scaled,
    }


SAFE = bytes.maketrans(b"&<>`", b",./:")
"""Letters of base 85 that mean something in HTML, and those that stand for them."""


def squeeze(data: object) -> str:
    """Data as gzipped JSON in base 85, with letters in which no HTML can be hidden."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    packed = gzip.compress(text.encode("utf-8", ESCAPED), mtime=0)
    return base64.b85encode(packed).translate(SAFE).decode("ascii")


def alphabet() -> str:
    """The 85 letters of ``squeeze`` by what they are worth."""
    numbers = b"".join(bytes([0, 0, 0, worth]) for worth in range(85))
    return base64.b85encode(numbers).translate(SAFE)[4::5].decode("ascii")
