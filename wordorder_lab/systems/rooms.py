"""The rooms that searches work in: each is lent to one search at a time, so threads share a model.

A search writes into arrays that are kept for the next one. Were two searches to write into the same
arrays, sentences would get words of each other, and kernels would run off arrays that have grown in
the meantime. So a search borrows a room and gives it back. That holds as well for a search that is
begun inside another one, by a trace, say.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, Generic, TypeVar

Room = TypeVar("Room")

KINDS = 8
"""Rooms of so many kinds (beams, say) wait for the next search; those of the oldest are let go."""


class Rooms(Generic[Room]):
    """Rooms that are free; a copy of them, also one in another process, begins with none."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._free: dict[Hashable, list[Room]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return Rooms, ()

    @contextmanager
    def lent(self, kind: Hashable, make: Callable[[], Room]) -> Iterator[Room]:
        """A room of this kind for one search, made where none is free.

        A search that is broken off, by Ctrl-C say, may leave its room in disorder: it is not given
        back.
        """
        with self._lock:
            waiting = self._free.get(kind)
            room = waiting.pop() if waiting else None
        if room is None:
            room = make()
        yield room
        with self._lock:
            self._free.setdefault(kind, []).append(room)
            if len(self._free) > KINDS:
                del self._free[next(iter(self._free))]
