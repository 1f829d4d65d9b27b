"""A CCG derivation as linguists draw it: words on top, a line for every step, categories below.

The line of a step runs below all that it joins; at its right end stands the rule's sign, below it
the category that comes of it (Steedman 2000, chapter 3). The picture is SVG, built like that of a
dependency tree in ``tree_picture``. Derivations can be deep, so nothing here is recursive.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from wordorder_lab.structures.tree_picture import (
    MARGIN,
    clean,
    html_of,
    line,
    scrolling,
    sheet,
    text,
    text_width,
)

if TYPE_CHECKING:
    from wordorder_lab.structures.derivation import Derivation

WORD, CATEGORY, SIGN = 15, 13, 12
"""Pixels: the size of words, categories and signs."""

STEP, GAP = 33, 14
"""Pixels: from one line to the next below it, and between phrases side by side."""

SHORTEST = 14
"""Pixels: a line is at least so long, beside its sign."""


@dataclass(slots=True)
class Place:
    """Where a node is drawn: its left edge, how wide it is, how many lines stand above its own."""

    node: Derivation
    parts: list[Place]
    width: float
    level: int
    x: float = 0.0


def draw(derivation: Derivation, *, paper: bool = False) -> ElementTree.Element:
    """The ``<svg>`` element; on white ``paper``, or in the colour of the text around it."""
    places = _places(derivation)
    whole = places[-1]
    ground = MARGIN + WORD
    width = round(whole.width + 2 * MARGIN, 1)
    height = ground + 8 + whole.level * STEP + 24 + MARGIN
    said = f"CCG derivation of: {' '.join(derivation.words())}; it is {derivation.category}"
    picture = sheet(width, height, clean(said), paper)
    ElementTree.SubElement(picture, "desc").text = describe(derivation)
    for place in places:
        _draw_node(picture, place, ground)
    return picture


def svg_text(derivation: Derivation) -> str:
    """The picture as a document of its own. Black on white, since it cannot know what is around."""
    return ElementTree.tostring(draw(derivation, paper=True), encoding="unicode")


def html_text(derivation: Derivation) -> str:
    """The picture for a page, in the page's own colour, so that it is right in the dark too."""
    return html_of(scrolling(draw(derivation)))


def describe(derivation: Derivation) -> str:
    """The words with their categories and then the steps, for those who hear the picture."""
    told: list[str] = []
    open_phrases: list[str] = []  # of every finished phrase its words, or its ends
    for node in derivation.nodes():
        first = len(open_phrases) - len(node.children)
        parts = open_phrases[first:] if node.children else [node.word]
        made = f" by {node.sign}" if node.children else ""
        told.append(f"{' + '.join(parts)}: {node.category}{made}")
        open_phrases[first:] = [_ends(parts)]
    return clean("; ".join(told))


def _ends(parts: list[str]) -> str:
    words = " ".join(parts).split(" ")
    return " ".join(words) if len(words) < 4 else f"{words[0]} … {words[-1]}"


def _places(derivation: Derivation) -> list[Place]:
    """Where each node is drawn, children before parents; widths from below, places from above."""
    done: list[Place] = []
    waiting: list[Place] = []
    for node in derivation.nodes():
        first = len(waiting) - len(node.children)
        parts = waiting[first:]
        place = Place(
            node, parts, _room(node, parts), 1 + max((p.level for p in parts), default=-1)
        )
        waiting[first:] = [place]
        done.append(place)
    done[-1].x = MARGIN
    for place in reversed(done):
        x = place.x + (place.width - _beside(place.parts)) / 2
        for part in place.parts:
            part.x = x
            x += part.width + GAP
    return done


def _room(node: Derivation, parts: list[Place]) -> float:
    """How wide a node is: what is above its line, its category, and the line with its sign."""
    above = _beside(parts) if parts else text_width(node.word) * WORD
    sign = SHORTEST + text_width(node.sign) * SIGN
    return max(above, text_width(str(node.category)) * CATEGORY, sign)


def _beside(parts: list[Place]) -> float:
    width = 0.0
    for part in parts:
        width += part.width
    return width + GAP * max(0, len(parts) - 1)


def _draw_node(picture: ElementTree.Element, place: Place, ground: float) -> None:
    """The line of a node with its sign, the category below; over a leaf also its word."""
    node, middle = place.node, place.x + place.width / 2
    y = ground + 9 + place.level * STEP
    sign = text_width(node.sign) * SIGN
    end = place.x + place.width - (sign + 2 if node.sign else 0)
    if not node.children:
        text(picture, middle, ground, node.word, "word", WORD)
    line(picture, "step", f"M{place.x:.1f} {y:g}H{end:.1f}")
    if node.sign:
        text(picture, end + 2 + sign / 2, y + 3, node.sign, "sign", SIGN)
    text(picture, middle, y + 16, str(node.category), "category", CATEGORY)
