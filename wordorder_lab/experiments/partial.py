"""Work that was interrupted: what is finished lies beside its target until all of it is."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

MADE_FROM = ("data", "versions", "machine")
"""What must be the same for all parts of one work, beside its code and its own settings."""


def partial_of(out: Path) -> Path:
    """Where unfinished work is kept that goes to ``out`` in the end."""
    return out.with_name(f"{out.name}.partial")


def unfinished(path: Path, new: Mapping[str, Any], same: Sequence[str]) -> dict[str, Any] | None:
    """The work kept at ``path``, if it can go on as ``new``: made from the same, by the same code.

    ``same`` names the settings of this work that must be equal. A file that is missing, damaged or
    of another work gives ``None``.
    """
    try:
        old = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    if not isinstance(old, dict):
        return None
    if any(old.get(key) != new.get(key) for key in (*same, *MADE_FROM)):
        return None
    return old if _code(old) == _code(new) else None


def _code(work: Mapping[str, Any]) -> str | None:
    """The checksum of the code; the commit may differ where no code that counts has changed."""
    return work.get("code", {}).get("checksum")
