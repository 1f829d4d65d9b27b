"""What the doctor finds: one thing, how it is, and what to do about it."""

from __future__ import annotations

from typing import NamedTuple

FINE = "fine"
OTHER = "other"
"""It works, and is not what the lock or the usual place would be."""
MISSING = "missing"
"""Some commands need it, and say so; the others do without."""
BROKEN = "broken"
"""Nothing goes on without it: the exit code is 1."""
STATES = FINE, OTHER, MISSING, BROKEN


class Finding(NamedTuple):
    """One line of the report; ``about`` is the heading that it stands under."""

    about: str
    name: str
    state: str
    found: str
    advice: str = ""
