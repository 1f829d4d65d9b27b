"""Whether every run of a specification has its rows in a record, as far as rows show settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wordorder_lab.experiments.condition_runs import GIVEN, conditions_of
from wordorder_lab.experiments.run_settings import DEV, FLOOR, NEEDED
from wordorder_lab.experiments.specification import (
    BEST_EPOCH,
    CONDITIONS,
    OUTPUTS,
    Specification,
)

Row = Mapping[str, Any]
TRAINING = "training_"
"""Begins what a model was trained with, in rows that also say what it was given afterwards."""


def missing(rows: Sequence[Row], wanted: Specification) -> list[str]:
    """What the rows lack: one line that counts it and names the first; nothing if all is there."""
    every = list(_wanted(wanted))
    gone = [one for one in every if not any(_shows(row, one) for row in rows)]
    if not gone:
        return []
    telling = [name for name in gone[0] if any(one.get(name) != gone[0][name] for one in every)]
    first = ", ".join(f"{name} {gone[0][name]}" for name in telling or NEEDED[:1])
    return [f"it has no row for {len(gone)} of the {len(every)} that its runs ask for: {first}"]


def _wanted(wanted: Specification) -> Iterator[Row]:
    """What rows must show: each run, after each epoch or under each condition if it is measured."""
    for run in wanted.runs:
        last = run.get("epochs")
        settings = {_name(name, wanted.measure): value for name, value in run.items()}
        settings |= {"epoch": last}
        if wanted.measure == CONDITIONS:
            every = conditions_of(run, wanted.evaluate)
            for split, pos, deps in dict.fromkeys((c.split, c.pos, c.deps) for c in every):
                yield {**settings, "split": split, "pos": pos, "deps": deps}
        elif wanted.measure == BEST_EPOCH:
            yield {**settings, "epoch": None}  # which one it is, is what comes out
            epochs = range(1, last + 1) if last and run["system"] != FLOOR else ()
            yield from ({**settings, "split": DEV, "epoch": epoch} for epoch in epochs)
        elif wanted.measure in ("epochs", "training") and last is not None:
            yield from ({**settings, "epoch": epoch} for epoch in range(1, last + 1))
        elif wanted.measure == "time":  # rows are sentences, and show how they were searched
            yield {name: run[name] for name in (*NEEDED, "pos", "deps") if name in run}
        else:
            yield settings


def _name(name: str, measure: str) -> str:
    """What rows call a setting of a run."""
    given_again = measure in (CONDITIONS, OUTPUTS) and name in GIVEN[:2]
    return f"{TRAINING}{name}" if given_again else name


def _shows(row: Row, wanted: Row) -> bool:
    """Whether a row has these settings; those that it does not show are left aside."""
    if not all(name in row for name in NEEDED):
        return False
    return all(value is None or row.get(name) in (None, value) for name, value in wanted.items())
