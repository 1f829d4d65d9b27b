"""The event that opens a search; both engines send it."""

from __future__ import annotations

from typing import Any

from wordorder_lab.structures.problem import OrderingProblem


def begin(trace: Any, problem: OrderingProblem, beam: int) -> None:
    """Tell the trace what is to be ordered: the types of the bag in their order, with counts."""
    forms: dict[int, str] = {item.type: item.form for item in problem.items}
    units = [forms[kind] for kind in range(len(problem.units))]
    trace.begin(units, list(problem.most), len(problem.items), beam)
