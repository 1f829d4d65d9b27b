"""``wordorder-lab reproduce``: a paper's table or figure, run here, with its record; or their list.

The list comes at once: what follows from records alone is kept beside them, only code is looked at
anew, and nothing that runs or judges an experiment is imported, unless it must be.
"""

from __future__ import annotations

import textwrap
from argparse import Namespace
from collections.abc import Sequence

from wordorder_lab.commands.output import duration, report, workers
from wordorder_lab.experiments.claim_list import deciding
from wordorder_lab.experiments.measures.claims import as_data, count_line
from wordorder_lab.experiments.record_check import NOT_RUN, Checked, Here, check_code
from wordorder_lab.experiments.records import judging_code, kept, names, verdicts_in
from wordorder_lab.experiments.runs.schema import Row, Table

RUNNING = ("epochs", "sentences", "corpus", "units", "folds", "seeds", "outputs")
"""Options that one experiment is run with."""
WIDE = 100
HEAD = ("name", "runs", "run on", "took", "cores", "processor", "state")
SIDES = (str.ljust, str.rjust, str.ljust, str.rjust, str.rjust, str.ljust, str.ljust)
"""Numbers to the right, words to the left."""
PROCESSOR = 22
"""Letters of the processor's name that the list has room for."""
UNREAD = "The list does not read the data; wordorder-lab reproduce --check does."


def run(arguments: Namespace) -> int:
    """List the experiments, check their records, write the page on them, or run one."""
    _refuse_mixed(arguments)
    if arguments.report is not None:
        from wordorder_lab.commands.reproduce.page import write_report

        write_report(arguments)
        return 0
    if not (arguments.check or arguments.stale or arguments.experiment):
        list_all(arguments)
        return 0
    from wordorder_lab.commands.reproduce.entries import check_all, run_one, run_stale

    if arguments.check:
        return check_all(arguments)

    with workers(arguments):
        if arguments.stale:
            return run_stale(arguments)
        run_one(arguments.experiment, arguments)
    return 0


def _refuse_mixed(arguments: Namespace) -> None:
    """Raise ``ValueError`` for options of which one alone would be heard."""
    about = ["report"] if arguments.report is not None else []
    about += [name for name in ("check", "stale") if getattr(arguments, name)]
    running = [name for name in RUNNING if getattr(arguments, name)]
    if about and len(about + running) > 1:
        first, second, *_ = about + running
        raise ValueError(f"--{first} and --{second} are two things: one at a time")
    if arguments.stale and arguments.json is not None:
        raise ValueError("--json is for one record; --stale makes several, each in its own place")
    runs = arguments.stale or (arguments.experiment is not None and not about)
    if arguments.cluster is not None and not runs:
        raise ValueError("--cluster is for running experiments: name one, or give --stale")
    if running and arguments.experiment is None:
        raise ValueError(f"--{running[0]} is for one experiment: name it")


# --- the list -------------------------------------------------------------------------------------


def list_all(arguments: Namespace) -> None:
    """Every experiment: what it is, and when, how long, on what and by which command it ran."""
    here = Here()
    judges = judging_code(here.files)
    found = [kept(name, judges) or _made(name) for name in names()]
    rows = [_listed(one, here) for one in found]
    verdicts = {one["listed"]["name"]: verdicts_in(one) for one in found}
    lines = [*_lines(rows), "", f"{count_line(deciding(verdicts).values())}."]
    report(lines, rows, arguments.json)


def _made(name: str) -> Row:
    from wordorder_lab.experiments.verdicts import summary_of_any

    return summary_of_any(name)


def _listed(found: Table, here: Here) -> Row:
    listed, checked = found["listed"], Checked(list(found["wrong"]))
    if found["made_from"] is not None:
        check_code(found["made_from"], listed["name"], checked, here)
    not_run = found["made_from"] is None and not checked.wrong
    beside = {"state": NOT_RUN if not_run else checked.state, "wrong": checked.wrong}
    return {**listed, **beside, "notes": checked.notes, "claims": as_data(verdicts_in(found))}


def _lines(rows: Sequence[Row]) -> list[str]:
    cells = [HEAD, *map(_cells, rows)]
    widths = [max(map(len, column)) for column in zip(*cells)]
    first, *others = (
        "  ".join(side(cell, width) for side, cell, width in zip(SIDES, line, widths)).rstrip()
        for line in cells
    )
    lines = [first]
    for row, line in zip(rows, others):
        lines += ["", line, *_wrapped(f"{row['title']} ({row['place']})")]
        lines += [f"    {row['command'] or 'wordorder-lab reproduce ' + row['name']}"]
        lines += [part for wrong in row["wrong"] for part in _wrapped(wrong)]
    return [*lines, "", UNREAD]


def _cells(row: Row) -> tuple[str, ...]:
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


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDE, initial_indent="    ", subsequent_indent="    ")
