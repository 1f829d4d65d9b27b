"""``wordorder-lab evaluate --errors``: whose fault wrong outputs are, by length."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wordorder_lab.experiments.measures.faults import by_length, fault_lines, faults_of, lengths_of
from wordorder_lab.experiments.runs.evaluate import Evaluation

if TYPE_CHECKING:
    from wordorder_lab.experiments.runs.compression_evaluate import CompressionEvaluation


def whose_fault(
    model: Any,
    items: Sequence[Any],
    done: Evaluation | CompressionEvaluation,
    arguments: Namespace,
    search: Mapping[str, Any],
) -> tuple[list[str], list[dict[str, Any]]]:
    """Lines to print, and rows for JSON; ``done`` is the evaluation of these items."""
    how = {"engine": arguments.engine, **search}
    rows = by_length(lengths_of(items), faults_of(model, items, done, how, arguments.jobs))
    return ["", *fault_lines(rows)], rows
