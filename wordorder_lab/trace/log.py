"""EventLog: record what a decoder or learner does, save it, load it, look at it."""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordorder_lab.runtime.atomic import ESCAPED, replacing
from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.messages import brief, cited
from wordorder_lab.structures.reasons import Explain
from wordorder_lab.structures.trace import Event
from wordorder_lab.trace.events import SCHEMA, SUMMARIES, VERSION

if TYPE_CHECKING:
    import pandas

FORMAT = "wordorder_lab event log"

_DAMAGE = (ValueError, KeyError, TypeError, AttributeError, EOFError, zlib.error, OSError)
_TOO_MUCH = (OverflowError, RecursionError)

TEXT, TEXT_PER_BYTE = 1 << 27, 32
"""Bytes of JSON that any log may unpack to, and that a larger one may for each of its bytes."""
VALUES, VALUES_PER_BYTE = 8_000_000, 2
"""The same for the values in it: lists, numbers, texts."""

LARGEST = 2**63 - 1
"""The largest whole number that an event may hold: that of a column of a table."""


class LogError(ValueError):
    """A file is no event log, or it is damaged."""


class EventLog:
    """A list of events, each ``(kind, *columns)``; one method a kind: ``log.kept(serial, rank)``.

    ``only`` keeps these kinds alone, ``every`` each n-th search of a longer run (a ``begin`` starts
    one), ``max_events`` the first so many. What was left out for lack of room is counted in
    ``dropped``, and ``is_cut`` is true: players and tables show that mark. What tells of a training
    as a whole (``learned``, ``epoch``) stays, whatever ``every`` and ``max_events`` say: both are
    whole numbers from 1. The kinds and their columns are those of the event schema. ``explains``
    has what tells the reasons of a search, the first is 1, until the log is saved or copied.

    Raises ``ValueError`` for less than 1, and for a kind that there is not.
    """

    @checks_arguments
    def __init__(
        self, *, max_events: int = 1_000_000, every: int = 1, only: Iterable[str] | None = None
    ) -> None:
        if max_events < 1 or every < 1:
            raise ValueError("max_events and every are at least 1")
        unknown = set(only or ()) - SCHEMA.keys()
        if unknown:
            raise ValueError(
                f"no event kind {cited(sorted(unknown)[0])}; kinds: {', '.join(SCHEMA)}"
            )
        self.events: list[Event] = []
        self.max_events = max_events
        self.every = every
        self.only = None if only is None else frozenset(only)
        self.dropped = 0
        self.explains: dict[int, Explain] = {}
        self._searches = 0

    def explained(self, explain: Explain) -> None:
        """The search that was recorded last can be explained; copies and files do not know how."""
        self.explains[self._searches] = explain

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "explains": {}}

    def record(self, kind: str, *values: object) -> None:
        """Append one event, unless the limits leave it out."""
        if kind == "begin":
            self._searches += 1
        always = kind in SUMMARIES
        if self._searches and (self._searches - 1) % self.every and not always:
            return
        if self.only is not None and kind not in self.only:
            return
        if len(self.events) >= self.max_events and not always:
            self.dropped += 1
            return
        if SCHEMA[kind].absent:
            values = SCHEMA[kind].filled(values)
        self.events.append((kind, *values))

    def skips(self) -> bool:
        """Whether the search that begins now is left out: a learner need not record it then."""
        skipped = self._searches % self.every > 0
        self._searches += skipped
        return skipped or (self.only is not None and self.only <= SUMMARIES)

    if TYPE_CHECKING:

        def __getattr__(self, kind: str) -> Callable[..., None]: ...

    @property
    def is_cut(self) -> bool:
        """Whether events were left out because the log was full."""
        return self.dropped > 0

    def __len__(self) -> int:
        return len(self.events)

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EventLog):
            return NotImplemented
        return (self.events, self.dropped) == (other.events, other.dropped)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        kinds = ", ".join(f"{n} {kind}" for kind, n in Counter(e[0] for e in self.events).items())
        mark = f"; cut: {self.dropped} more events were left out" if self.is_cut else ""
        return f"EventLog({len(self)} events: {kinds or 'none'}{mark})"

    def to_pandas(self) -> pandas.DataFrame:
        """One row an event, a column for each name in the schema; absent values are missing.

        ``frame.attrs["dropped"]`` counts the events that a full log left out.
        """
        import pandas

        rows = [dict(zip(("kind", *SCHEMA[e[0]].columns), e, strict=True)) for e in self.events]
        names = dict.fromkeys(name for kind in SCHEMA.values() for name in kind.columns)
        frame = pandas.DataFrame(rows, columns=["kind", *names])
        types: dict[str, set[type]] = {}
        for kind in SCHEMA.values():
            for name, one in kind.columns.items():
                types.setdefault(name, set()).add(one)
        whole = {name: "Int64" for name, found in types.items() if found == {int}}
        frame = frame.astype({"kind": "category", **whole})
        frame.attrs["dropped"] = self.dropped
        return frame

    def to_dict(self) -> dict[str, Any]:
        """The log as JSON has it."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "dropped": self.dropped,
            "events": [list(event) for event in self.events],
        }

    @checks_arguments
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write gzipped JSON, atomically; the same log gives the same bytes.

        Raises ``ValueError`` for what is no plain file, ``OSError`` where it cannot be written.
        """
        text = json.dumps(self.to_dict(), ensure_ascii=False, separators=(",", ":"))
        with replacing(path) as part:
            part.write_bytes(gzip.compress(text.encode("utf-8", ESCAPED), mtime=0))

    @classmethod
    @checks_arguments
    def load(cls, path: str | os.PathLike[str]) -> EventLog:
        """Read a saved log.

        Raises ``LogError`` for a damaged or foreign file, also for a small one that would unpack
        to more than a log of its size ever holds, and ``FileNotFoundError`` where there is none.
        """
        try:
            text = _unpacked(Path(path))
            data = json.loads(text, object_pairs_hook=_table)
            if b"\\u" in text:  # half a character could not be saved or printed
                json.dumps(data, ensure_ascii=False).encode()
            if data["format"] != FORMAT or data["version"] != VERSION:
                raise ValueError(f"format {cited(data['format'])}, version {data['version']}")
            events, dropped = data["events"], data["dropped"]
            if not isinstance(events, list) or not _is_whole(dropped) or dropped < 0:
                raise ValueError("its events or the number of dropped ones cannot be read")
            log = cls(max_events=max(1, len(events)))
            for event in events:
                _check(event)
                log.record(*event)
            log.dropped = dropped
        except FileNotFoundError:
            raise
        except (*_DAMAGE, *_TOO_MUCH) as error:
            raise LogError(
                f"{brief(path)} is not an event log of this version: {brief(error)}"
            ) from None
        return log


def _unpacked(path: Path) -> bytes:
    """The text of a log; ``ValueError`` where it is longer, or has more values, than it may."""
    size = path.stat().st_size
    most = max(TEXT, TEXT_PER_BYTE * size)
    with gzip.open(path) as file:
        text: bytes = file.read(most + 1)
    if len(text) > most:
        raise ValueError(f"{size:,} bytes unpack to more than {most:,}")
    values = text.count(b",") + text.count(b"[")
    if values > max(VALUES, VALUES_PER_BYTE * size):
        raise ValueError(f"{size:,} bytes unpack to {values:,} values")
    return text


def _table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The one table of a log, which holds no others: ``ValueError`` for them as soon as read."""
    table = dict(pairs)
    if len(table) < len(pairs) or table.keys() != {"format", "version", "dropped", "events"}:
        raise ValueError("it has other tables than a log")
    return table


def _check(event: object) -> None:
    """Raise ``ValueError`` or the like for what is no event of the schema."""
    if not isinstance(event, list) or not event:
        raise ValueError(f"{cited(event)} is no event")
    kind, *values = event
    types = SCHEMA[kind].columns.values()
    for value, wanted in zip(SCHEMA[kind].filled((*values,)), types, strict=True):
        if not _fits(value, wanted):
            raise ValueError(
                f"a {cited(kind)} event holds {cited(value)} instead of a {wanted.__name__}"
            )


def _fits(value: object, wanted: type) -> bool:
    """Whether a column of this type may hold the value; lists hold no lists."""
    if wanted is list:
        return isinstance(value, list) and all(
            isinstance(each, str | float) or _is_whole(each) for each in value
        )
    if wanted is str:
        return isinstance(value, str)
    return _is_whole(value) or (wanted is float and isinstance(value, float))


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST


def _method(kind: str) -> Callable[..., None]:
    def emit(self: EventLog, *values: object, **last: object) -> None:
        if last:  # the last columns may be named
            values = (*values, *(last.pop(name) for name in [*SCHEMA[kind].columns][len(values) :]))
            if last:
                raise TypeError(f"{cited(kind)} has no columns {', '.join(last)} left to be named")
        self.record(kind, *values)

    emit.__name__ = kind
    emit.__doc__ = f"{SCHEMA[kind].says} Columns: {', '.join(SCHEMA[kind].columns)}."
    return emit


for _kind in SCHEMA:
    setattr(EventLog, _kind, _method(_kind))
