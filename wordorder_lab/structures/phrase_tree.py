"""A phrase-structure tree that notebooks draw: an ``nltk.Tree`` with a picture of our own.

Labels stand over what they hold, words below their tags. nltk draws with a package that is not
installed here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

from nltk.tree import Tree

from wordorder_lab.structures.trees import (
    FONT,
    GAP,
    MARGIN,
    clean,
    html_of,
    line,
    scrolling,
    sheet,
    text,
    text_width,
)

STEP = 40
"""Pixels from one level to the next below it."""


class PhraseTree(Tree):  # type: ignore[misc]  # nltk has no types
    """An ``nltk.Tree`` with a picture; equal to any ``nltk.Tree`` of the same labels and words."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree) or type(other) not in (Tree, PhraseTree):
            return NotImplemented
        return bool(self.label() == other.label()) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # like every list

    def _repr_html_(self) -> str:
        """In the page's own colour, so that it is right in the dark too."""
        return html_of(scrolling(draw(self)))

    def _repr_svg_(self) -> str:
        """A document of its own, black on white."""
        return ElementTree.tostring(draw(self, paper=True), encoding="unicode")


@dataclass(slots=True, eq=False)
class Place:
    """Where a label or a word is drawn: the left edge of its part, the width of it, the level."""

    words: str
    kind: str
    level: int
    parts: list[Place]
    width: float = 0.0
    x: float = 0.0

    @property
    def middle(self) -> float:
        """Where the text stands."""
        return round(self.x + self.width / 2, 1)

    @property
    def inside(self) -> float:
        """How wide the parts are, side by side."""
        wide = -float(GAP) if self.parts else 0.0
        for part in self.parts:
            wide += part.width + GAP
        return wide


def draw(tree: Tree, *, paper: bool = False) -> ElementTree.Element:
    """The ``<svg>`` element; on white ``paper``, or in the colour of the text around it."""
    top = _places(tree)
    places = list(_from_top(top))
    height = 2 * MARGIN + FONT + STEP * max(place.level for place in places) + 4
    words = " ".join(place.words for place in places if place.kind == "word") or "no words"
    said = clean(f"Phrase-structure tree of: {words}; it is {tree.label()}")
    picture = sheet(round(top.width + 2 * MARGIN, 1), height, said, paper)
    for place in places:
        ground = MARGIN + FONT + place.level * STEP
        size = FONT if place.kind == "word" else round(0.9 * FONT)
        text(picture, place.middle, ground, place.words, place.kind, size)
        for part in place.parts:
            below = f"{part.middle:g} {ground + STEP - FONT - 2:g}"
            line(picture, "branch", f"M{place.middle:g} {ground + 5:g}L{below}")
    return picture


def _places(tree: Tree) -> Place:
    """The place of the root, with all below it; a deep tree takes no deep recursion."""
    top = Place("", "label", 0, [])
    waiting: list[tuple[Tree | str, Place]] = [(tree, top)]
    while waiting:
        node, place = waiting.pop()
        if not isinstance(node, Tree):
            place.words, place.kind = str(node), "word"
            continue
        place.words = str(node.label())
        place.parts = [Place("", "label", place.level + 1, []) for _ in node]
        waiting += zip(node, place.parts)
    for place in reversed(list(_from_top(top))):
        place.width = max(text_width(place.words) * FONT, float(FONT), place.inside)
    top.x = MARGIN
    for place in _from_top(top):
        left = place.x + (place.width - place.inside) / 2
        for part in place.parts:
            part.x = left
            left += part.width + GAP
    return top


def _from_top(top: Place) -> Iterator[Place]:
    """Every place, each before its parts."""
    waiting = [top]
    while waiting:
        place = waiting.pop()
        yield place
        waiting += reversed(place.parts)
