"""Pictures of searches: where gold stands in the beam, how close cuts were, how searches end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wordorder_lab.plots.colours import BLUE, GREEN, GREY, ORANGE, RED
from wordorder_lab.plots.lines import room, whole_ticks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ABOVE: dict[str, Any] = {"frameon": False, "ncol": 4, "loc": "outside upper center"}
THREE = (GREY, BLUE, ORANGE)


def gold_ranks(courses: Sequence[Sequence[int]], beam: int) -> Figure:
    """Draws the places of gold in the beam, a line a search, from its best place 0 downwards.

    A course is the rank after each step; with -1 gold has fallen out, which is a cross below.
    """
    figure, (axes,) = room(1, (7.5, 3.4))
    cut = beam + 3
    for ranks in courses:
        alive = list(ranks).index(-1) if -1 in ranks else len(ranks)
        shown = [1 + rank for rank in ranks[:alive]]
        axes.plot(range(1, alive + 1), shown, marker=".", alpha=0.7)
        if alive < len(ranks):
            axes.plot([alive, alive + 1], [shown[-1] if shown else cut, cut], ":", color=GREY)
            axes.plot(alive + 1, cut, "x", color=RED)
    ticks = sorted({1, *range(beam // 4, beam + 1, max(1, beam // 4))} - {0})
    axes.set_yticks([*ticks, cut], [*map(str, ticks), "cut"])
    axes.set(xlabel="step", ylabel="rank of gold in the beam", ylim=(cut + 1, 0))
    whole_ticks(axes)
    return figure


def gold_behind(best: Sequence[float], gold: Sequence[float], marks: Mapping[str, int]) -> Figure:
    """Draws the scores of the best and of the gold state, step by step, the gap shaded.

    ``marks`` are steps that have a name, such as the one of an early update.
    """
    figure, (axes,) = room(1, (7.5, 3.4))
    steps = range(1, len(best) + 1)
    axes.plot(steps, best, "o-", color=BLUE, label="best state")
    axes.plot(steps, gold, "s-", color=ORANGE, label="gold state")
    axes.fill_between(steps, gold, best, color=ORANGE, alpha=0.15)
    for (name, step), style in zip(marks.items(), ("--", ":", "-.")):
        axes.axvline(step, linestyle=style, color=RED, label=name)
    axes.set(xlabel="step", ylabel="score")
    whole_ticks(axes)
    axes.legend(frameon=False)
    return figure


def margins(steps: Sequence[int], behind: Sequence[float], y: str) -> Figure:
    """Draws a dot for each cut candidate, by its step and by how far it was behind what stayed."""
    figure, (axes,) = room(1, (7.5, 3))
    closest: dict[int, float] = {}
    for step, margin in zip(steps, behind):
        closest[int(step)] = min(margin, closest.get(int(step), margin))
    axes.scatter(steps, behind, s=14, alpha=0.5, color=BLUE, label="a cut candidate")
    where = sorted(closest)
    axes.plot(where, [closest[step] for step in where], color=RED, label="the closest cut")
    axes.set(xlabel="step", ylabel=y)
    whole_ticks(axes)
    figure.legend(**_ABOVE)
    return figure


def dots(measured: Mapping[str, Sequence[float]], xs: Sequence[float], x: str) -> Figure:
    """Draws a panel for each thing that was ``measured``, a dot an input, over its size ``xs``."""
    figure, all_axes = room(len(measured), (7.5, 3))
    for axes, (name, values) in zip(all_axes, measured.items()):
        axes.plot(xs, values, ".", color=BLUE, alpha=0.6)
        axes.set(xlabel=x, ylabel=name, xlim=(0, None), ylim=(0, None))
    return figure


def bars(counts: Mapping[int, int], x: str, y: str) -> Figure:
    """Draws how often each number came, as bars, the counts on a logarithmic scale."""
    figure, (axes,) = room(1, (5, 2.6))
    axes.bar(list(counts), list(counts.values()), color=BLUE)
    axes.set(xlabel=x, ylabel=y, yscale="log", xticks=sorted(counts))
    return figure


def counts_by_name(
    counted: Mapping[str, Mapping[str, int]], names: Mapping[str, str], x: str
) -> Figure:
    """Draws a group of lying bars for each name, a bar for each way of counting (up to three).

    ``names`` says what is drawn, from above, and what is written beside it.
    """
    figure, (axes,) = room(1, (7.5, 3.6))
    for i, ((label, counts), colour) in enumerate(zip(counted.items(), THREE)):
        places = [row + 0.27 * (i - 1) for row in range(len(names))]
        lengths = [counts.get(name, 0) for name in names]
        axes.barh(places, lengths, height=0.26, color=colour, label=label)
    axes.set(xscale="log", xlabel=x)
    axes.set_yticks(range(len(names)), list(names.values()))
    axes.invert_yaxis()
    axes.legend(frameon=False, loc="lower right")
    return figure


def parts_of_all(parts: Mapping[str, Mapping[int, float]], x: str, y: str) -> Figure:
    """Draws a column for each number, made of up to three parts (shares), one upon the other."""
    figure, (axes,) = room(1, (6.5, 2.8))
    numbers = list(next(iter(parts.values())))
    below = [0.0] * len(numbers)
    for (label, shares), colour in zip(parts.items(), (GREEN, ORANGE, GREY)):
        heights = [100 * shares[number] for number in numbers]
        axes.bar(range(len(numbers)), heights, 0.7, bottom=below, color=colour, label=label)
        below = [low + height for low, height in zip(below, heights)]
    axes.set(xlabel=x, ylabel=f"{y} (%)")
    axes.set_xticks(range(len(numbers)), [str(number) for number in numbers])
    axes.legend(frameon=False, bbox_to_anchor=(1, 1), loc="upper left")
    return figure
