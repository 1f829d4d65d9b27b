"""Differences that a paper prints against ours, with the intervals of ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from wordorder_lab.experiments.measures.claims import NOT, OPPOSITE, REPRODUCED, SAME
from wordorder_lab.plots.colours import BLACK, BLUE, GREEN, GREY, RED
from wordorder_lab.plots.lines import room

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LOOKS = {REPRODUCED: ("o", GREEN), SAME: ("o", BLUE), NOT: ("x", BLACK), OPPOSITE: ("v", RED)}
"""Verdict -> marker and colour; a circle that is not filled for what is not significant."""
TICKS = (-10, -3, -1, 0, 1, 3, 10, 30)
"""Points of BLEU or F; between -1 and 1 the scale is linear, beyond it logarithmic."""


class Difference(NamedTuple):
    """A claim's difference, in points: ``printed`` is the paper's, ``low`` and ``high`` the ends of
    our 95 % interval, ``verdict`` one of ``claims.VERDICTS``."""

    printed: float
    ours: float
    low: float
    high: float
    verdict: str


def differences(
    panels: Mapping[str, Sequence[Difference]], *, size: tuple[float, float] = (9.5, 3.6)
) -> Figure:
    """Draws a panel for each name: the paper's difference to the right, ours upwards.

    A point on the dashed diagonal is as large as the paper's; an upright line that crosses 0 is
    not significant; below 0 it goes the other way. Raises ``KeyError`` for a verdict without look.
    """
    figure, every = room(len(panels), size, share_y=True)
    for axes, (name, points) in zip(every, panels.items()):
        _draw(axes, points)
        axes.set(title=name, xlabel="the paper's difference")
    every[0].set_ylabel("ours, with 95 % interval")
    named = {n: h for axes in every for h, n in zip(*axes.get_legend_handles_labels())}
    order = [verdict for verdict in LOOKS if verdict in named]
    figure.legend(
        [named[one] for one in order], order, frameon=False, ncol=4, loc="outside upper center"
    )
    return figure


def _draw(axes: Axes, points: Sequence[Difference]) -> None:
    for verdict in dict.fromkeys(point.verdict for point in points):
        marker, colour = LOOKS[verdict]
        mine = [point for point in points if point.verdict == verdict]
        ends = [[p.ours - p.low for p in mine], [p.high - p.ours for p in mine]]
        xs, ys = [p.printed for p in mine], [p.ours for p in mine]
        how: dict[str, Any] = {"color": colour, "markersize": 5, "elinewidth": 0.8}
        if verdict == SAME:
            how["markerfacecolor"] = "none"
        axes.errorbar(xs, ys, yerr=ends, fmt=marker, label=verdict, **how)
    for scale in (axes.set_xscale, axes.set_yscale):
        scale("symlog", linthresh=1)
    texts = [str(tick).replace("-", "\N{MINUS SIGN}") for tick in TICKS]
    axes.set_xticks(TICKS, texts, fontsize="small")
    axes.set_yticks(TICKS, texts, fontsize="small")
    axes.axhline(0, color=GREY, linewidth=0.8)
    axes.axline((0, 0), (1, 1), color=GREY, linestyle="--", linewidth=0.8)
