"""Which specifications there are, where they lie, and what their checksums are over."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

FOLDER = Path(__file__).parent / "papers"


def names() -> list[str]:
    """The experiments that there are: ``["liu-2015-figure-7", ...]``."""
    return sorted(path.stem.replace("_", "-") for path in FOLDER.glob("*.toml"))


def file_of(name: str) -> Path:
    """Where the specification of an experiment is kept."""
    return FOLDER / f"{name.replace('-', '_')}.toml"


def checksum_of(data: bytes) -> str:
    """SHA-256 over a specification as far as its claims: judging is not running, so that a claim
    that is added or mended leaves the record in order."""
    run, *_ = re.split(rb"^(?=\[names\]|\[\[claims\]\])", data, maxsplit=1, flags=re.MULTILINE)
    return hashlib.sha256(run.rstrip() + b"\n").hexdigest()
