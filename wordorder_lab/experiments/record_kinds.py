"""Which records have tables and pictures of their own; all others are a frame of rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from wordorder_lab.experiments.measures import (
    best_epoch as best_epoch_plots,
)
from wordorder_lab.experiments.measures import (
    best_epoch as best_epoch_tables,
)
from wordorder_lab.experiments.measures import (
    compression_report as compression_plots,
)
from wordorder_lab.experiments.measures import (
    compression_report as compression_tables,
)
from wordorder_lab.experiments.measures import (
    conditions_report as condition_plots,
)
from wordorder_lab.experiments.measures import (
    conditions_report as condition_tables,
)
from wordorder_lab.experiments.measures import (
    limits as search_limits,
)
from wordorder_lab.experiments.measures import (
    outputs as output_tables,
)
from wordorder_lab.experiments.measures import (
    spans_report as span_plots,
)
from wordorder_lab.experiments.measures import (
    spans_report as span_tables,
)

Record = Mapping[str, Any]
Fits = Callable[[Record], bool]
Lines = Callable[[Record], Sequence[str]]
Draw = Callable[[Any, Record, Mapping[str, Any]], None]


def tables() -> list[tuple[Fits, Lines]]:
    """How to know such a record, and the lines of its tables."""
    return [
        (best_epoch_tables.of_best_epoch, best_epoch_tables.best_epoch_lines),
        (compression_tables.of_compressions, compression_tables.compression_lines),
        (lambda record: "comparisons" in record, condition_tables.record_lines),
        (lambda record: "together" in record, output_tables.output_lines),
        (search_limits.by_limit, search_limits.limit_lines),
        (span_tables.of_spans, span_tables.span_lines),
    ]


def figures() -> dict[str, Draw]:
    """The kinds of ``[plot]`` that draw a whole figure: given the figure, a record and the plot."""
    return {
        **condition_plots.FIGURES,
        **span_plots.FIGURES,
        "best-epoch": best_epoch_plots.best_epoch_figure,
        "compression": compression_plots.compressions,
        "limits": search_limits.limits,
        "sentences": output_tables.sentences,
    }
