"""What a command says in the end: lines to read, or JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from wordorder_lab.commands.apart import STDOUT


def report(lines: Sequence[str], data: Any, path: str | None) -> None:
    """Print the lines, and write the data where ``--json`` says: a file, or ``-`` for stdout."""
    if path == STDOUT:
        print_json(data)
        return
    for line in lines:
        print(line)
    if path is not None:
        from wordorder_lab.experiments.records import write_json

        write_json(path, data)
        print(f"wrote {path}")


def duration(seconds: float) -> str:
    """A time as one says it: "41 s", "30 min", "2.5 h"."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def print_json(data: Any) -> None:
    """JSON on stdout. A character that stdout cannot show is written as JSON escapes it."""
    try:
        text = json.dumps(data, ensure_ascii=False, indent=1)
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(data, indent=1)
    print(text)
