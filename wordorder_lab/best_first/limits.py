"""TIMEOUT: how long a search may go on."""

from __future__ import annotations

import math
from dataclasses import dataclass

EDGE_BYTES = 2048
"""What an edge counts for under a limit of memory, whichever engine makes it. The fast engine was
measured at 1.7 KiB at its peak, when arrays double."""


@dataclass(frozen=True)
class Limits:
    """A search ends at the first limit that it reaches; ``None`` is none.

    ``expansions`` counts edges popped off the agenda, goals too. ``memory`` is in MiB; an edge
    counts as ``EDGE_BYTES``, so the same search stops at the same edge everywhere. ``seconds`` by
    the clock is the one limit that depends on the machine. Raises ``ValueError`` below 0.
    """

    expansions: int | None = None
    seconds: float | None = None
    memory: float | None = None

    def __post_init__(self) -> None:
        for name, limit in vars(self).items():
            fits = int if name == "expansions" else (int, float)
            if limit is not None and not (isinstance(limit, fits) and limit >= 0):
                whole = "a whole number from 0 up" if name == "expansions" else "0 or more"
                raise ValueError(f"the limit of {name} is {limit!r}: give {whole}, or None")

    @property
    def edges(self) -> int | None:
        """How many edges fill the memory."""
        if self.memory is None or self.memory == math.inf:
            return None
        return int(self.memory * 2**20 // EDGE_BYTES)

    def reached(self, expansions: int, edges: int, seconds: float) -> str | None:
        """The name of the limit that is reached, the first in this order; or ``None``."""
        if self.expansions is not None and expansions >= self.expansions:
            return "expansions"
        if self.edges is not None and edges >= self.edges:
            return "memory"
        if self.seconds is not None and seconds >= self.seconds:
            return "seconds"
        return None
