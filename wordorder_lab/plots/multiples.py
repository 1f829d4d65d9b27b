"""Many small plots in rows and columns, all on one scale: what changes along a row or a column?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from wordorder_lab.plots.colours import BLUE, ORANGE
from wordorder_lab.plots.lines import whole_ticks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Counts = Mapping[str, Sequence[int]]
"""For one plot: by name how often each length came, from length 0 on; two names at most."""


def length_multiples(
    rows: Mapping[str, Mapping[str, Counts]], x: str, longest: int | None = None
) -> Figure:
    """Draws shares of lengths: a row of plots for each name, a column for each of its parts.

    The first counts of a plot are bars, the second a line to hold them against. ``longest`` is the
    last length that is drawn; shares are of all lengths.
    """
    from matplotlib import pyplot

    columns = max(map(len, rows.values()))
    size = (1 + 2.1 * columns, 0.5 + 1.7 * len(rows))
    figure, grid = pyplot.subplots(
        len(rows), columns, figsize=size, sharex=True, sharey=True, squeeze=False,
        layout="constrained",
    )  # fmt: skip
    pyplot.close(figure)  # a notebook then shows it once, as the value of its cell
    for line, (name, parts) in zip(grid, rows.items()):
        line[0].set_ylabel(name)
        for axes, (title, counts) in zip(line, parts.items()):
            axes.set_title(title, fontsize="medium")
            axes.spines[["top", "right"]].set_visible(False)
            axes.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
            whole_ticks(axes)
            for place, (label, times) in enumerate(counts.items()):
                total = sum(times) or 1
                shares = [number / total for number in times][1 : (longest or len(times)) + 1]
                lengths = range(1, len(shares) + 1)
                if place == 0:
                    axes.bar(lengths, shares, color=BLUE, alpha=0.6, label=label)
                else:
                    axes.plot(lengths, shares, ".-", color=ORANGE, label=label)
    figure.supxlabel(x, fontsize="medium")
    figure.legend(*grid[0][0].get_legend_handles_labels(), frameon=False, ncol=2,
                  loc="outside upper center")  # fmt: skip
    return figure
