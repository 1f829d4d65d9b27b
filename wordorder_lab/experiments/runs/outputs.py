"""The sentences that systems put out: with a row while an experiment runs, then in files beside.

They are words of corpora that are not ours to hand on, so that no record has them: they go to a
folder below ``build``, or to one that is named, a sentence a line, packed.
"""

from __future__ import annotations

import base64
import csv
import gzip
import io
import zlib
from collections.abc import Sequence
from pathlib import Path

from wordorder_lab.experiments.runs.schema import Row, Table
from wordorder_lab.runtime.atomic import ESCAPED, replacing

OUTPUTS = "output_lines"
"""Their place in a row while an experiment runs: packed, one for each ordering of the sentences. In
a table, the names of their files."""
TABLE = "table.csv"


def packed_lines(lines: Sequence[str]) -> str:
    """Sentences as a short string; they have no line breaks."""
    text = "\n".join(lines).encode("utf-8", ESCAPED)
    return base64.b64encode(zlib.compress(text)).decode("ascii")


def unpacked_lines(text: str) -> list[str]:
    """Sentences, as they were packed."""
    return zlib.decompress(base64.b64decode(text)).decode("utf-8", ESCAPED).split("\n")


def write_lines(path: Path, lines: Sequence[str]) -> None:
    """A sentence a line into a ``.gz`` file, atomically; the same sentences give the same bytes."""
    with replacing(path) as part:
        part.write_bytes(gzip.compress("".join(f"{s}\n" for s in lines).encode(), mtime=0))


def read_lines(path: Path) -> list[str]:
    """The sentences of such a file, or of one that is not packed. Raises ``OSError`` for none, and
    ``UnicodeDecodeError`` for what is no UTF-8."""
    data = path.read_bytes()
    data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    *lines, last = data.decode("utf-8-sig").replace("\r\n", "\n").split("\n")
    return [*lines, last] if last else lines


def write_outputs(folder: Path, rows: Sequence[Row], kept: Sequence[Sequence[str] | None]) -> None:
    """The outputs of each row, a file an ordering, and ``TABLE``, which names them. Raises
    ``OSError`` where the folder cannot be written."""
    folder.mkdir(parents=True, exist_ok=True)
    shown = []
    for number, (row, packed) in enumerate(zip(rows, kept), 1):
        names = [row_file(number)]
        names += [row_file(number, ordering) for ordering in range(2, len(packed or ()) + 1)]
        for name, text in zip(names, packed or ()):
            write_lines(folder / name, unpacked_lines(text))
        names = names if packed else []
        shown.append({**row, OUTPUTS: " ".join(names)})
    with replacing(folder / TABLE) as part:
        part.write_text(table_csv(shown), encoding="utf-8", newline="")


def row_file(number: int, ordering: int = 1) -> str:
    """The file of a row's outputs, of which the first is 1; of further orderings each its own."""
    return f"row-{number:03}{f'.{ordering}' if ordering > 1 else ''}.txt.gz"


def table_csv(rows: Sequence[Table]) -> str:
    """The rows of a record as CSV, with the columns of all; lists are spelt as in JSON."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
