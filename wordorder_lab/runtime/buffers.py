"""The buffers that searches work in: arrays that are kept from one search to the next."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Generic, TypeVar

Buffer = TypeVar("Buffer")

KINDS = 8
"""Buffers of so many kinds wait for the next search; the oldest kind is let go."""


class BufferPool(Generic[Buffer]):
    """The buffers of a model, so that threads share it.

    Were two searches to write into the same arrays, sentences would get words of each other, and
    kernels would run off arrays that have grown. So a search borrows a buffer and gives it back,
    also one that is begun inside another one, by a trace. A copy of the pool begins with none.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._free: dict[Hashable, list[Buffer]] = {}

    def __reduce__(self) -> tuple[object, ...]:
        return BufferPool, ()

    @contextmanager
    def borrowed(self, kind: Hashable, make: Callable[[], Buffer]) -> Iterator[Buffer]:
        """A buffer of this kind for one search, which gives it back unless it is broken off."""
        with self._lock:
            waiting = self._free.get(kind)
            buffer = waiting.pop() if waiting else None
        if buffer is None:
            buffer = make()
        yield buffer
        with self._lock:
            self._free.setdefault(kind, []).append(buffer)
            if len(self._free) > KINDS:
                del self._free[next(iter(self._free))]
