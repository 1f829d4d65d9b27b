"""Records: what came out of an experiment, and what it came from.

A record is a JSON file in ``records/``: rows, seconds, the command that made it, versions, the
machine, and checksums of specification, data and code (``provenance``), so that ``record_check``
can tell whether they belong together.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wordorder_lab.experiments.runs.reached_code import PACKAGE
from wordorder_lab.experiments.runs.schema import RECORD, ROWS, MisfitError, check
from wordorder_lab.metrics.significance import SENTENCE_SCORES
from wordorder_lab.runtime.atomic import ESCAPED, replacing
from wordorder_lab.structures.messages import brief

FOLDER = Path(__file__).parent / "records"
UNFIT = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""Raised by a table, a picture or a verdict of rows that are of another measure than they say."""


class RecordError(ValueError):
    """A file is no record of an experiment, or it is damaged."""


def write_json(path: str | os.PathLike[str], data: Any) -> None:
    """Write JSON atomically. Raises ``OSError`` where the folder cannot be written."""
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8", errors=ESCAPED)


def read_record(path: Path) -> dict[str, Any]:
    """A record. Raises ``RecordError`` for a damaged or foreign file, ``OSError`` for none."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        json.dumps(record, ensure_ascii=False).encode()  # half a character cannot be printed
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path} is damaged ({brief(error)}): run the experiment again") from None
    try:
        check(record, RECORD, "it")
        if f"measure {record.get('measure')}" not in record.get("code", {}).get("outside", {}):
            check(record["rows"], ROWS, "it.rows")
    except MisfitError as error:
        raise RecordError(f"{path} is not a record of an experiment: {error}") from None
    kept = record.get(SENTENCE_SCORES)
    if kept is not None and len(kept) != len(record["rows"]):
        raise RecordError(f"{path} is damaged: {SENTENCE_SCORES} and rows are not side by side")
    return record


def digest_of(record: Mapping[str, Any]) -> str:
    """A checksum over all of a record but the digest itself: it tells edits by hand."""
    plain = json.loads(json.dumps({k: v for k, v in record.items() if k != "digest"}, default=str))
    text = json.dumps(plain, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", ESCAPED)).hexdigest()


def record_file(name: str) -> Path:
    """Where the record of an experiment is kept."""
    return FOLDER / f"{name.replace('-', '_')}.json"


def is_checkout() -> bool:
    """Whether the package lies in its repository, whose records a run may write anew."""
    return (PACKAGE.parent / "pyproject.toml").is_file()


def records() -> Sequence[Path]:
    """The records that there are."""
    return sorted(FOLDER.glob("*.json"))


# --- Work that was interrupted: what is finished lies beside its target until all of it is ----


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
    except (FileNotFoundError, ValueError, RecursionError):
        return None
    if not isinstance(old, dict) or not isinstance(old.get("code", {}), dict):
        return None
    if any(old.get(key) != new.get(key) for key in (*same, *MADE_FROM)):
        return None
    return old if _code(old) == _code(new) else None


def _code(work: Mapping[str, Any]) -> str | None:
    """The checksum of the code; the commit may differ where no code that counts has changed."""
    return work.get("code", {}).get("checksum")
