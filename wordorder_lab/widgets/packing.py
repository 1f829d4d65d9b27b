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
from typing import TypedDict, cast

from wordorder_lab.runtime.atomic import ESCAPED
from wordorder_lab.structures.messages import cited
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
    """A log in columns."""

    letters: dict[str, str]
    kinds: str
    columns: dict[str, list[object]]
    dropped: int


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
