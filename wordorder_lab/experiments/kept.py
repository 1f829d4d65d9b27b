"""What is kept beside a record: what the list says of it, and what became of its claims.

All of it follows from the record, its specification and the code that judges; but a bootstrap takes
its time. Its key is a checksum over these three, so what is kept of anything else is not believed,
and whoever asks makes it anew (``verdicts``).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wordorder_lab.experiments import records, specification_files
from wordorder_lab.experiments.measures.claim import Claim
from wordorder_lab.experiments.runs.reached_code import LISTS, bare, reached
from wordorder_lab.experiments.verdict import Verdict

JUDGES = ("experiments/verdicts.py", *(name for name in LISTS if name.startswith("experiments/")))
"""The files of the package that judge, and what they ask and ``reached`` passes over; with the
measures, which are found by their folder, they reach all that decides what is kept."""
ASKED, MEASURES = ("experiments/", "metrics/"), "experiments/measures/"
"""The folders in which it lies."""


def kept_file(name: str) -> Path:
    """Where what is kept of an experiment lies."""
    return records.FOLDER.parent / "verdicts" / records.record_file(name).name


def judging_code(files: Mapping[str, bytes]) -> bytes:
    """What of the package's ``files`` decides on verdicts; what only draws does not."""
    judges = judging_files(files)
    return b"".join(bare(judges[name]) for name in sorted(judges))


def judging_files(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files that can be reached from those that judge, by their names in the package."""
    asked = {name: text for name, text in files.items() if name.startswith(ASKED)}
    measures = [name for name in asked if name.startswith(MEASURES)]
    found = reached(asked, [*JUDGES, *measures], records.PACKAGE.name)
    return found | {name: asked[name] for name in JUDGES if name in asked}


def key_of(name: str, judges: bytes) -> str:
    """The checksum over specification, record and ``judging_code``.

    Raises ``FileNotFoundError`` where there is no record.
    """
    digest = hashlib.sha256(judges)
    for path in (specification_files.file_of(name), records.record_file(name)):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def kept(name: str, judges: bytes) -> dict[str, Any] | None:
    """What is kept of an experiment; ``None`` where it is not of what lies here."""
    try:
        found = json.loads(kept_file(name).read_text(encoding="utf-8"))
        return found if found["key"] == key_of(name, judges) else None
    except (OSError, ValueError, LookupError, TypeError):
        return None


def verdicts_in(summary: Mapping[str, Any]) -> list[Verdict]:
    """The verdicts of a summary, as they were judged."""
    return [_verdict(**one) for one in summary["claims"]]


def _verdict(claim: Mapping[str, Any], interval: list[float] | None, **told: Any) -> Verdict:
    made = Claim(**{**claim, "groups": tuple(claim["groups"])})
    ends = None if interval is None else (interval[0], interval[1])
    return Verdict(made, interval=ends, **told)
