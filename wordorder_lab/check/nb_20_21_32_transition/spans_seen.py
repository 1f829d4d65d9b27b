"""Spans of some searches beside gold's: their lengths, how many are right, and the two as shown.

``seen`` are by system what ``experiments.measures.spans.looks`` gives, kinds of spans are as there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from wordorder_lab.experiments.measures.spans import Looked
from wordorder_lab.experiments.records import read_record, record_file
from wordorder_lab.experiments.report import table as record_table
from wordorder_lab.metrics.spans import SpanTally, shares
from wordorder_lab.plots.lines import BLACK, BLUE, RED, Panel, panels
from wordorder_lab.plots.tables import table

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas.io.formats.style import Styler

KINDS = {
    "kept": "kept by the search",
    "derivation": "built by the derivation",
    "tree": "of the tree",
}
LOOKS = {"best-first": ("o-", BLUE), "transition-based": ("s-", RED), "gold": ("--", BLACK)}
LONGEST = 20
"""Longer spans are counted together."""

Seen = Mapping[str, Sequence[Looked]]


def distribution(seen: Seen, name: str, kind: str, least: int) -> list[float]:
    """The shares of spans with 1, 2, ..., ``LONGEST`` words, and at last of all that is longer.

    ``name`` is a system or "gold"; spans of less than ``least`` units are left out. Raises
    ``KeyError`` for an unknown system or kind.
    """
    gold = name == "gold"
    lengths = Counter(
        len(span.words)
        for one in seen["best-first" if gold else name]
        for span in (one.gold(kind, least) if gold else one.spans(kind, least))
    )
    counts = [lengths[length] for length in range(max(lengths, default=0) + 1)]
    return shares(counts, LONGEST)


def figure_9(seen: Seen, least: int) -> Figure:
    """Draws the paper's Figure 9: the shares of lengths, a panel for each kind of spans.

    Raises ``KeyError`` for an unknown system.
    """
    plots: list[Panel] = []
    for kind, title in KINDS.items():
        curves = {name: distribution(seen, name, kind, least)[:LONGEST] for name in LOOKS}
        y = "" if plots else "share of spans"
        plots.append(Panel(curves, x="words in the span", y=y, title=title, looks=LOOKS))
    return panels(*plots, share_y=True)


def tally(seen: Seen, name: str, kind: str, least: int) -> SpanTally:
    """The spans of a system beside gold's, sentence by sentence; raises as ``distribution``."""
    counted = SpanTally()
    for one in seen[name]:
        counted.add(one.spans(kind, least), one.gold(kind, least))
    return counted


def table_4(seen: Seen, kind: str, least: int) -> Styler:
    """The paper's Table 4 for one kind of spans: precision, recall and F of the shorter ones."""
    rows = []
    for cut in (5, 10, 15, 30):
        row: dict[str, str | float] = {"words": f"< {cut}"}
        for name in seen:
            score = tally(seen, name, kind, least).score(cut)
            row |= {f"{name} P": score.precision, f"{name} R": score.recall, f"{name} F": score.f}
        rows.append(row)
    return table(rows, places=1)


def recorded(name: str) -> str:
    """The record of an experiment as text, or how to make it."""
    if record_file(name).is_file():
        return record_table(read_record(record_file(name)))
    return f"{name} has not been run here: wordorder-lab reproduce {name}"
