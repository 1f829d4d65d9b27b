"""Quoting somebody else's text in a message of one line."""

from __future__ import annotations

QUOTED = 160
"""Characters of it that are quoted."""


def brief(text: object, most: int = QUOTED) -> str:
    """A text on one line, without its middle where it is long."""
    line = " ".join(str(text).split())
    half = most // 2
    return line if len(line) <= most else f"{line[:half]} ... {line[-half:]}"
