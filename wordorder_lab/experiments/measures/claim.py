"""What a paper says of its table or figure, as a specification has it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Claim:
    """One claim: ``groups`` are names of rows, ``kind`` is a key of ``claims.KINDS``."""

    says: str
    kind: str
    groups: tuple[str, ...]
    on: str
    along: str = ""
    value: float = 0.0
    within: float = 0.0
    printed: float | None = None
    p: float = 0.05
    ours: bool = False
