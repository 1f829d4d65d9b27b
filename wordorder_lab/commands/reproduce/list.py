"""The list of ``reproduce``: every experiment, and what was found about it.

What follows from records alone is kept beside them; only code is looked at anew. So that the list
comes at once, nothing that runs or judges an experiment is imported here, unless it must be.
"""

from __future__ import annotations

import textwrap
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from wordorder_lab.commands.output import report
from wordorder_lab.experiments.code_check import WRONG, Here, check_code
from wordorder_lab.experiments.kept import judging_code, kept, verdicts_in
from wordorder_lab.experiments.specification_files import names
from wordorder_lab.experiments.verdict import as_data, count_line

WIDE = 100
NOT_RUN = "not run"
HEAD = ("name", "runs", "run on", "took", "cores", "processor", "state")
PROCESSOR = 22
"""Letters of the processor's name that the list has room for."""
UNREAD = "The list does not read the data; wordorder-lab reproduce --check does."


def list_all(arguments: Namespace) -> None:
    """Every experiment: what it is, and when, how long, on what and by which command it ran."""
    here = Here()
    judges = judging_code(here.files)
    found = [(kept(name, judges) or _made(name)) for name in names()]
    rows = [_listed(one, here) for one in found]
    said = count_line(map(verdicts_in, found))
    report([*_lines(rows), "", f"{said}."], rows, arguments.json)


def _made(name: str) -> dict[str, Any]:
    """What is not kept, made now: the slow way."""
    from wordorder_lab.experiments.verdicts import summary_of_any

    return summary_of_any(name)


def _listed(found: dict[str, Any], here: Here) -> dict[str, Any]:
    """All fields of the list; what is not known is ``None``."""
    listed, wrong, notes = found["listed"], list(found["wrong"]), list[str]()
    state = WRONG if wrong else NOT_RUN
    if found["made_from"] is not None:
        state = check_code(found["made_from"], listed["name"], wrong, notes, here).state
    claims = as_data(verdicts_in(found))
    return {**listed, "state": state, "wrong": wrong, "notes": notes, "claims": claims}


def _lines(rows: Sequence[dict[str, Any]]) -> list[str]:
    cells = [HEAD, *map(_cells, rows)]
    widths = [max(map(len, column)) for column in zip(*cells)]
    lines = [_line(cells[0], widths)]
    for row, line in zip(rows, cells[1:]):
        lines += ["", _line(line, widths), *_wrapped(f"{row['title']} ({row['place']})")]
        lines += [f"    {row['command'] or 'wordorder-lab reproduce ' + row['name']}"]
        lines += [part for wrong in row["wrong"] for part in _wrapped(wrong)]
    return [*lines, "", UNREAD]


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    known = row["date"] is not None
    return (
        row["name"],
        str(row["runs"]),
        row["date"] or "-",
        duration(row["seconds"]) if row["seconds"] is not None else "-",
        str(row["cores"] or "-"),
        textwrap.shorten(row["processor"] or ("not noted" if known else "-"), PROCESSOR),
        row["state"],
    )


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Numbers to the right, words to the left."""
    sides = (str.ljust, str.rjust, str.ljust, str.rjust, str.rjust, str.ljust, str.ljust)
    parts = (side(cell, width) for side, cell, width in zip(sides, cells, widths))
    return "  ".join(parts).rstrip()


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDE, initial_indent="    ", subsequent_indent="    ")


def duration(seconds: float) -> str:
    """A time as one says it: "41 s", "30 min", "2.5 h"."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
