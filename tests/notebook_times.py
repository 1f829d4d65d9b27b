"""How long notebooks take, cell by cell: seconds of the clock and of the processor.

``python tests/notebook_times.py 10 20`` runs these, without numbers all; with ``--empty`` caches
are empty, as on the first day, and each stops at its first picture. Cells of at least half a second
of the processor are listed, with their number among the code cells.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import jupytext
import psutil
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from test_notebooks import TEXTS

PICTURES = r"<svg|<iframe|<img|wol-|aria-hidden"
"""What a picture has that comes as HTML."""


class Timed(NamedTuple):
    """A cell that was run: number, first line, seconds, and whether it shows a picture."""

    number: int
    first: str
    clock: float
    processor: float
    shows: bool


def timed_cells(text: Path) -> Iterator[Timed]:
    """Run a notebook; a row a code cell, as soon as it is done. Raises as nbclient for an error."""
    notebook = jupytext.read(text)
    client: Any = NotebookClient(
        notebook, timeout=1200, resources={"metadata": {"path": text.parent}}
    )
    code = [(place, cell) for place, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
    with client.setup_kernel():
        kernel = psutil.Process(client.km.provisioner.pid)
        for number, (place, cell) in enumerate(code, 1):
            before = _spent(kernel)
            client.execute_cell(cell, place)
            times = [cell.metadata.execution[f"iopub.status.{one}"] for one in ("busy", "idle")]
            begin, end = (datetime.fromisoformat(one.replace("Z", "+00:00")) for one in times)
            shows = any(map(_is_picture, cell.outputs))
            clock, processor = (end - begin).total_seconds(), _spent(kernel) - before
            yield Timed(number, cell.source.partition("\n")[0], clock, processor, shows)


def _is_picture(output: Any) -> bool:
    data = output.get("data", {})
    is_one = any(kind.startswith("image/") or kind.endswith("widget-view+json") for kind in data)
    return is_one or bool(re.search(PICTURES, "".join(data.get("text/html", ""))))


def _spent(process: psutil.Process) -> float:
    times = process.cpu_times()
    own = times.user + times.system + times.children_user + times.children_system
    return float(own + sum(map(_spent, process.children())))


def main() -> None:
    """Print the times of the notebooks that are named."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("numbers", nargs="*")
    asked.add_argument("--empty", action="store_true")
    arguments = asked.parse_args()
    for text in TEXTS:
        if arguments.numbers and text.name[:2] not in arguments.numbers:
            continue
        with tempfile.TemporaryDirectory() as empty:
            if arguments.empty:
                os.environ["XDG_CACHE_HOME"] = empty
            print(text.stem, flush=True)
            try:
                print(f"  {_report(text, arguments.empty)}", flush=True)
            except CellExecutionError as error:
                print(f"  {error}", flush=True)


def _report(text: Path, only_first: bool) -> str:
    clock = processor = 0.0
    first = "no picture"
    for one in timed_cells(text):
        clock, processor = clock + one.clock, processor + one.processor
        if one.processor >= 0.5:
            print(
                f"  {one.number:3} {one.clock:6.1f} {one.processor:6.1f}  {one.first}", flush=True
            )
        if one.shows and first == "no picture":
            first = f"first picture: cell {one.number}, {clock:.1f} s, processor {processor:.1f} s"
            if only_first:
                return first
    return f"{first}; in all {clock:.1f} s, processor {processor:.1f} s"


if __name__ == "__main__":
    main()
