"""Pictures of searches: where gold stands in the beam, how close cuts were, how searches end, how
long their spans are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wordorder_lab.experiments.measures.figures import GREY, whole_ticks
from wordorder_lab.plots.lines import BLUE, GREEN, ORANGE, RED, Panel, Style, lines, panels, room

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Counts = Mapping[str, Sequence[int]]
"""For one plot: by name how often each length came, from length 0 on; two names at most."""

_ABOVE: Style = {"frameon": False, "ncol": 4, "loc": "outside upper center"}
THREE = (GREY, BLUE, ORANGE)


def gold_ranks(courses: Sequence[Sequence[int]], beam: int) -> Figure:
    """Draws the places of gold in the beam, a line a search, from its best place 0 downwards. A
    course is the rank after each step; with -1 gold has fallen out, which is a cross below."""
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
    """Draws the scores of the best and of the gold state, step by step, the gap shaded. ``marks``
    are steps that have a name, such as the one of an early update."""
    both = {"best state": best, "gold state": gold}
    figure = lines(both, "step", "score", size=(7.5, 3.4), marks=marks)
    figure.axes[0].fill_between(range(1, len(best) + 1), gold, best, color=ORANGE, alpha=0.15)
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
    every = [
        Panel({name: (xs, values)}, x, name, looks={name: (".", BLUE)}, low=0)
        for name, values in measured.items()
    ]
    return panels(*every, size=(7.5, 3))


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
    ``names`` says what is drawn, from above, and what is written beside it."""
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


def scores_by_rate(curves: Mapping[str, Mapping[float, Any]], gold_rate: float) -> Figure:
    """Draws two measures of shortened sentences over the rate, the share of words that stay: curves
    of ``CompressionScores``, random deletion and keep all apart, with the references' rate."""
    looks = {"random deletion": ("s--", GREY), "keep all": ("D", ORANGE)}
    about: dict[str, Any] = {"marks": {"the references' rate": gold_rate}, "percent": "xy"}
    about["looks"] = {name: look for name, look in looks.items() if name in curves}
    return panels(
        *(
            Panel(_over_rate(curves, name), "rate", title=name.replace("_f1", " F1"), **about)
            for name in ("relation_f1", "unigram_f1")
        ),
        share_y=True,
    )


def _over_rate(curves: Mapping[str, Mapping[float, Any]], name: str) -> dict[str, Any]:
    return {
        label: {scores.rate: getattr(scores, name) for scores in curve.values()}
        for label, curve in curves.items()
    }


def length_multiples(
    rows: Mapping[str, Mapping[str, Counts]], x: str, longest: int | None = None
) -> Figure:
    """Draws shares of lengths: a row of plots for each name, a column for each of its parts. The
    first counts of a plot are bars, the second a line to hold them against. ``longest`` is the last
    length that is drawn; shares are of all lengths."""
    columns = max(map(len, rows.values()))
    size = (1 + 2.1 * columns, 0.5 + 1.7 * len(rows))
    figure, every = room(columns, size, share_y=True, rows=len(rows))
    for i, (name, parts) in enumerate(rows.items()):
        line = every[i * columns : (i + 1) * columns]
        line[0].set_ylabel(name)
        for axes, (title, counts) in zip(line, parts.items()):
            axes.set_title(title, fontsize="medium")
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
    figure.legend(*every[0].get_legend_handles_labels(), **{**_ABOVE, "ncol": 2})
    return figure
