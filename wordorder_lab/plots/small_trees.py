"""Small pictures of trees, of rules with an arrow between two trees, and of sentences with a line
from each word to its new place.

One unit of a picture is an inch, so that letters have the same size however much is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from wordorder_lab.experiments.measures.figures import GREY
from wordorder_lab.plots.lines import BLACK, BLUE, GREEN, ORANGE, PINK, RED, SKY, Style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from nltk.tree import Tree

LETTER, CAPITAL, LEVEL, GAP, BADGE = 0.077, 0.1, 0.3, 0.14, 0.17
"""Inches: the width of a letter and of a bold capital, the height of a level, the room between two
leaves, the width of a variable's number."""
ARROW, BETWEEN, TITLE = 0.5, 0.45, 0.3
"""Inches: the room of an arrow, between two pictures, and of the name above one."""
EPSILON, INNER = 0, -1
"""The ``index`` of a node that is deleted, and of one that has children."""
VARIABLES = (SKY, ORANGE, GREEN, PINK, RED, BLUE)


class Rule(Protocol):
    """Two trees of nodes with ``label``, ``index`` and ``children``. The ``index`` is the number of
    a variable, or one of ``EPSILON`` and ``INNER``; words are texts."""

    @property
    def source(self) -> Any:
        """What is taken."""

    @property
    def target(self) -> Any:
        """What is made of it."""


@dataclass
class _Spot:
    """A node at its place; ``up`` is its parent."""

    text: str
    x: float
    y: float
    index: int
    is_word: bool
    up: _Spot | None


class _Picture(NamedTuple):
    """Nodes with their places, from 0 to the right and from 0 downwards."""

    name: str
    spots: Sequence[_Spot]
    width: float
    arrow: float | None = None

    @property
    def height(self) -> float:
        return max(spot.y for spot in self.spots) + LEVEL


def trees(named: Mapping[str, Tree], width: float = 9) -> Figure:
    """Draws each tree below its name, side by side as far as ``width`` inches allow."""
    pictures = []
    for name, tree in named.items():
        spots: list[_Spot] = []
        needed = _place(tree, 0.0, 0, None, spots)
        pictures.append(_Picture(name, spots, max(needed, len(name) * LETTER)))
    return _drawn(pictures, width)


def rules(several: Mapping[str, Rule] | Iterable[Rule], width: float = 9) -> Figure:
    """Draws rules: what is taken, an arrow, what is made of it; a mapping has a name for each. A
    number beside a node is a variable: what is below goes where that number stands on the right.
    Crossed out is what is deleted, with all below it."""
    pictures = []
    named = several.items() if isinstance(several, Mapping) else (("", rule) for rule in several)
    for name, rule in named:
        spots: list[_Spot] = []
        left = _place(rule.source, 0.0, 0, None, spots) + ARROW
        right = _place(rule.target, left, 0, None, spots)
        pictures.append(_Picture(name, spots, max(right, len(name) * LETTER), left - ARROW / 2))
    return _drawn(pictures, width)


def _place(node: Any, left: float, depth: int, up: _Spot | None, spots: list[_Spot]) -> float:
    """Put a node and all below it from ``left`` on; where the next one may begin is returned."""
    text, index, children = _parts(node)
    own = _width(text, isinstance(node, str)) + (BADGE if index > EPSILON else 0) + GAP
    here = _Spot(text, left + own / 2, depth * LEVEL, index, isinstance(node, str), up)
    below: list[_Spot] = []
    end = left
    for child in children:
        end = _place(child, end, depth + 1, here, below)
    if below:
        shift = max(0.0, own - (end - left)) / 2
        tops = [spot.x for spot in below if spot.up is here]
        here.x = (tops[0] + tops[-1]) / 2 + shift
        for spot in below:
            spot.x += shift
    spots += [here, *below]
    return max(end, left + own)


def _parts(node: Any) -> tuple[str, int, Sequence[Any]]:
    if isinstance(node, str):
        return node, INNER, ()
    if callable(node.label):  # a tree of nltk
        return node.label(), INNER, tuple(node)
    return node.label, node.index, node.children


def _width(text: str, is_word: bool) -> float:
    return len(text) * (LETTER if is_word else CAPITAL)


def _drawn(pictures: Sequence[_Picture], width: float) -> Figure:
    from matplotlib import pyplot

    title = TITLE if any(picture.name for picture in pictures) else 0.0
    placed = list(_flow(pictures, width, title))
    wide = max(x + picture.width for picture, x, _ in placed)
    high = max(y + title + picture.height for picture, _, y in placed)
    figure = pyplot.figure(figsize=(wide, high))
    pyplot.close(figure)  # a notebook then shows it once, as the value of its cell
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, wide), ylim=(high, 0))
    axes.set_axis_off()
    for picture, x, y in placed:
        axes.text(x, y + title / 2, picture.name, fontsize=9, color=GREY, va="center")
        for spot in picture.spots:
            _draw_spot(axes, spot, x, y + title + LEVEL / 2)
        if picture.arrow is not None:
            place = (x + picture.arrow, y + title + LEVEL / 2)
            axes.text(*place, "→", fontsize=12, ha="center", va="center")
    return figure


def _flow(
    pictures: Sequence[_Picture], width: float, title: float
) -> Iterator[tuple[_Picture, float, float]]:
    """Each picture with its place: in lines, as words are."""
    x = y = line = 0.0
    for picture in pictures:
        if x and x + picture.width > width:
            x, y, line = 0.0, y + line + GAP, 0.0
        yield picture, x, y
        x, line = x + picture.width + BETWEEN, max(line, title + picture.height)


def _draw_spot(axes: Axes, spot: _Spot, left: float, top: float) -> None:
    x, y = left + spot.x, top + spot.y
    badge, gone = spot.index > EPSILON, spot.index == EPSILON
    if spot.up is not None:
        ends = (left + spot.up.x, x), (top + spot.up.y + 0.08, y - 0.09)
        axes.plot(*ends, color=GREY, linewidth=0.8)
    place: Style = {"ha": "center", "va": "center"}
    weight = "normal" if spot.is_word else "bold"
    look: Style = {"color": GREY if gone else BLACK, "weight": weight, "fontsize": 9}
    axes.text(x - badge * BADGE / 2, y, spot.text, **place, **look)
    half = _width(spot.text, spot.is_word) / 2
    if gone:
        axes.plot((x - half, x + half), (y, y), color=GREY, linewidth=1.2)
    if badge:
        circle: Style = {"boxstyle": "circle,pad=0.15", "edgecolor": "none"}
        circle["facecolor"] = VARIABLES[(spot.index - 1) % len(VARIABLES)]
        axes.text(x + half + 0.02, y, str(spot.index), fontsize=7, bbox=circle, **place)


# --- a sentence above what became of it -----------------------------------------------------------


SPACE = 0.16

Aligned = tuple[Sequence[str], Sequence[str], Iterable[tuple[int, int]]]
"""The words above, the words below, and which place above belongs to which below."""


def aligned_words(pairs: Sequence[Aligned]) -> Figure:
    """Draws pairs of sentences one below the other. A word without a line is crossed out above, and
    new below (blue)."""
    from matplotlib import pyplot

    wide = max(_middles(words)[1] for above, below, _ in pairs for words in (above, below))
    figure, axes = pyplot.subplots(len(pairs), 1, figsize=(wide, 1.0 * len(pairs)), squeeze=False)
    pyplot.close(figure)  # a notebook then shows it once, as the value of its cell
    figure.subplots_adjust(0, 0, 1, 1, hspace=0.1)
    for row, pair in zip(axes[:, 0], pairs):
        row.set(xlim=(0, wide), ylim=(1, 0))
        row.set_axis_off()
        _draw_pair(row, *pair)
    return figure


def _draw_pair(
    axes: Axes, above: Sequence[str], below: Sequence[str], links: Iterable[tuple[int, int]]
) -> None:
    links = list(links)
    places = [_middles(words)[0] for words in (above, below)]
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


def _middles(words: Sequence[str]) -> tuple[list[float], float]:
    """The middle of each word, and where the last one ends."""
    widths = [len(word) * LETTER + SPACE for word in words]
    ends = list(accumulate(widths))
    return [end - width / 2 for end, width in zip(ends, widths)], ends[-1]
