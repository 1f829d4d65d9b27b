"""Records as a table to print and as a picture: as their measure shows them."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from textwrap import fill
from typing import TYPE_CHECKING, Any

from wordorder_lab.experiments.measures.measure import Measure, measure_called
from wordorder_lab.experiments.measures.several_trainings import SEEDS
from wordorder_lab.experiments.measures.tables import Record, Rows
from wordorder_lab.experiments.records import RecordError, read_record, record_file
from wordorder_lab.experiments.runs.schema import SETTING
from wordorder_lab.experiments.specification import load_specification
from wordorder_lab.runtime.atomic import replacing
from wordorder_lab.structures.arguments import checks_arguments

if TYPE_CHECKING:
    from matplotlib.figure import Figure

UNKNOWN = Measure("rows")
"""Of a record whose measure another package brought, which is not here, the rows can be shown."""


def table(record: Record) -> str:
    """What a record says, as text."""
    return measure_of(record).text(record)


def plot(record: Record, options: Record, path: str | os.PathLike[str]) -> None:
    """Draw a record as its specification's ``[plot]`` says, into a PNG file, atomically. Raises
    ``KeyError`` for a kind of picture that its measure does not have."""
    figure = _drawn(record, options)
    # Without the date inside, the same record gives the same bytes.
    with replacing(path) as part:
        figure.savefig(part, format="png", dpi=120, metadata={"Software": None})


@checks_arguments
def paper_figure(name: str) -> Figure:
    """The picture of an experiment, drawn from its record, to show.

    ``name`` is that of the experiment: ``"liu-2015-figure-7"``.

    Raises ``SpecificationError`` for an experiment that there is not, ``RecordError`` for one that
    has no record or a damaged one.
    """
    wanted, path = load_specification(name), record_file(name)
    if not path.exists():
        raise RecordError(f"{name} has no record: wordorder-lab reproduce {name} makes it")
    if not wanted.plot:
        raise RecordError(f"{name} has no picture: its specification has no [plot]")
    if "IPython" in sys.modules:
        pyplot = import_module("matplotlib.pyplot")
        pyplot.close(pyplot.figure())  # by its first one a notebook learns to show figures
    return _drawn(read_record(path), wanted.plot)


def _drawn(record: Record, options: Record) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.2, 4.2), layout="constrained")
    if "seed" not in str(options):
        record = {**record, "rows": over_trainings(record["rows"])}
    measure_of(record).figures()[options["kind"]](figure, record, options)
    width = int(LETTERS * figure.get_figwidth())  # a measure may have made it narrower
    caption = (fill(line, width) for line in _caption(record, options).splitlines())
    figure.suptitle("\n".join(caption), fontsize=10)
    return figure


LETTERS = 12
"""Letters of a title to an inch."""


def over_trainings(rows: Rows) -> list[Record]:
    """One row for models that differ in nothing but the order of their training sentences, with the
    means of their numbers; other rows as they are."""
    groups: dict[object, list[Record]] = {}
    for place, row in enumerate(rows):
        told = {name: row[name] for name in row if name not in SEEDS and _is_setting(name, row)}
        groups.setdefault(str(told) if row.get("shuffle") else place, []).append(row)
    return [
        {name: _mean([row.get(name) for row in mine]) for name in mine[0]}
        for mine in groups.values()
    ]


def _is_setting(name: str, row: Record) -> bool:
    known = name in SETTING or name in ALSO or name.startswith("decode_")
    return known or isinstance(row[name], str | bool)


ALSO = ("epoch", "pos", "deps", "training_pos", "training_deps", "up_to")
"""Numbers of rows that are no scores, beside settings."""


def _mean(values: Sequence[Any]) -> Any:
    """Of numbers, and of lists of as many numbers each; of anything else the first."""
    if len(values) < 2 or not all(type(one) in (int, float, list) for one in values):
        return values[0]
    if isinstance(values[0], list):
        return [_mean(column) for column in zip(*values, strict=False)]
    return sum(values) / len(values)


def measure_of(record: Record) -> Measure:
    """What a record measured; of a measure that is not here, the rows can be shown."""
    return measure_called(str(record.get("measure"))) or UNKNOWN


def _caption(record: Record, options: Record) -> str:
    names = ("corpus", "split", "units")
    rows = [
        row for row in record["rows"] if options.get("split", row.get("split")) == row.get("split")
    ]
    same = [name for name in names if len({row.get(name) for row in rows}) == 1]
    where = " ".join(str(rows[0][name]) for name in same if name in rows[0])
    smaller = "" if record.get("full") else " (not the full experiment)"
    return f"{record['title']}\n{where}{smaller}"
