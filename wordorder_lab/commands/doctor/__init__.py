"""``wordorder-lab doctor``: what of an installation is here, and what to do about the rest."""

from __future__ import annotations

from typing import NamedTuple

FINE = "fine"
OTHER = "other"
"""It works, and is not what the lock or the usual place would be."""
MISSING = "missing"
"""Some commands need it, and say so; the others do without."""
BROKEN = "broken"
"""Nothing goes on without it: the exit code is 1."""


class Finding(NamedTuple):
    """One thing that was looked at: its name, how it is, and what to do about it."""

    name: str
    state: str
    found: str
    advice: str = ""
