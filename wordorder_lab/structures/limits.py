"""How much may be asked for: beyond these nobody gets an answer, only a machine without memory."""

from __future__ import annotations

MOST_HYPOTHESES = 50_000
"""Of a beam: the papers stay below 1,000, and an unlimited one of six words has 40,320."""
MOST_EPOCHS = 10_000
"""The papers need 30; averaged weights hardly move after some hundred."""
MOST_JOBS = 10_000
"""Processes: no machine has as many cores."""
MOST_ORDER = 20
"""Words of an n-gram: longer ones are hardly ever seen twice, and the model grows with each. A
chart keeps the words around each seam that a model can see."""
MOST_RULE_DEPTH = 20
"""Matches that a synchronous rule may ignore: there are ever more and larger rules, ever rarer."""


def check_most(name: str, value: int, most: int) -> None:
    """Raise ``ValueError`` for a number above ``most``."""
    if value > most:
        raise too_much(name, value, most)


def too_much(name: str, value: int, most: int) -> ValueError:
    """What to raise for a number above ``most``."""
    return ValueError(f"{name} {shown(value)} is too much: {most:,} is the most")


def shown(value: int) -> str:
    """A whole number as a message shows it, however many digits it has."""
    return f"{value:,}" if abs(value) < 10**15 else f"of {value.bit_length()} bits"
