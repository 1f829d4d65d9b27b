"""``wordorder-lab evaluate --errors``: whose fault wrong outputs are, by length."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import Any

from wordorder_lab.exploring.faults import by_length, errors, fault_lines

CONDITION = ("pos", "deps", "seed")


def whose_fault(
    model: Any,
    items: Sequence[Any],
    arguments: Namespace,
    search: Mapping[str, Any],
    condition: Mapping[str, Any],
) -> tuple[list[str], list[dict[str, Any]]]:
    """Lines to print, and rows for JSON; ``condition`` is that of the bags, empty of pairs."""
    same = {name: condition[name] for name in CONDITION if name in condition}
    how = {"engine": arguments.engine, "jobs": arguments.jobs, **same, **search}
    rows = by_length(errors(model, items, **how))
    return ["", *fault_lines(rows)], rows
