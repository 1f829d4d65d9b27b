"""A sentence above what became of it, a line from each word to its new place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from wordorder_lab.plots.colours import BLACK, BLUE, GREY

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LETTER, SPACE = 0.077, 0.16
"""Inches: the width of a letter, and of the room between two words."""

Aligned = tuple[Sequence[str], Sequence[str], Iterable[tuple[int, int]]]
"""The words above, the words below, and which place above belongs to which below."""


def aligned_words(pairs: Sequence[Aligned]) -> Figure:
    """Draws pairs of sentences one below the other.

    A word without a line is crossed out above, and new below (blue).
    """
    from matplotlib import pyplot

    wide = max(_ends(words)[-1] for above, below, _ in pairs for words in (above, below))
    figure, axes = pyplot.subplots(len(pairs), 1, figsize=(wide, 1.0 * len(pairs)), squeeze=False)
    pyplot.close(figure)  # a notebook then shows it once, as the value of its cell
    figure.subplots_adjust(0, 0, 1, 1, hspace=0.1)
    for row, pair in zip(axes[:, 0], pairs):
        row.set(xlim=(0, wide), ylim=(1, 0))
        row.set_axis_off()
        _draw(row, *pair)
    return figure


def _draw(
    axes: Axes, above: Sequence[str], below: Sequence[str], links: Iterable[tuple[int, int]]
) -> None:
    links = list(links)
    places = [_middles(above), _middles(below)]
    linked = [{s for s, _ in links}, {t for _, t in links}]
    for line, (words, y) in enumerate(zip((above, below), (0.2, 0.8))):
        for place, (word, x) in enumerate(zip(words, places[line])):
            lost = place not in linked[line]
            colour = (GREY if line == 0 else BLUE) if lost else BLACK
            axes.text(x, y, word, color=colour, ha="center", va="center", fontsize=9)
            if lost and line == 0:
                half = len(word) * LETTER / 2
                axes.plot((x - half, x + half), (y, y), color=GREY, linewidth=1.2)
    for s, t in links:
        axes.plot((places[0][s], places[1][t]), (0.32, 0.68), color=GREY, linewidth=0.9)


def _ends(words: Sequence[str]) -> list[float]:
    """Where each word ends."""
    ends, x = [], 0.0
    for word in words:
        x += len(word) * LETTER + SPACE
        ends.append(x)
    return ends


def _middles(words: Sequence[str]) -> list[float]:
    return [end - (len(word) * LETTER + SPACE) / 2 for word, end in zip(words, _ends(words))]
