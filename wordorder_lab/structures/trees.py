"""Dependency trees: units in order, each with a tag and a head; and what all pictures are made of.

A picture is SVG, which a browser, a notebook and an editor show alike. It is built as an XML tree,
so whatever stands in a word is text there and never markup. It names no ids and no fonts of its
own, so that many pictures can stand in one page.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar
from xml.etree import ElementTree

Node = TypeVar("Node")


class Drawn:
    """What notebooks draw."""

    __slots__ = ()

    def drawing(self, *, paper: bool = False) -> ElementTree.Element:
        """The ``<svg>`` element; on white ``paper``, or in the colour of the text around it."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        """For a page, in the page's own colour, so that it is right in the dark too."""
        return html_of(scrolling(self.drawing()))

    def _repr_svg_(self) -> str:
        """A document of its own: black on white, since it cannot know what is around."""
        return ElementTree.tostring(self.drawing(paper=True), encoding="unicode")


@dataclass(frozen=True, slots=True)
class DependencyTree(Drawn):
    """A dependency tree over units in their surface order.

    ``heads[i]`` is the position of the head of unit ``i``, counted from 0; -1 for the root.
    ``labels[i]`` is the label of the arc into unit ``i``, ``""`` where it is not known; where no
    label is, ``labels`` is empty.
    Nothing is checked on construction; ``problem`` says what is wrong, if anything. A search that
    was stopped may leave several trees, or no words at all.
    """

    forms: tuple[str, ...]
    pos: tuple[str, ...]
    heads: tuple[int, ...]
    labels: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.heads)

    @property
    def root(self) -> int:
        """Position of the root, of several the first; ``ValueError`` where there are no words."""
        if -1 not in self.heads:
            raise ValueError("there is no root here")
        return self.heads.index(-1)

    @property
    def roots(self) -> tuple[int, ...]:
        """Positions of all roots, left to right."""
        return tuple(i for i, head in enumerate(self.heads) if head < 0)

    @property
    def arcs(self) -> tuple[tuple[int, int], ...]:
        """The arcs as ``(head, dependent)``, by dependent; the root has none."""
        return tuple((head, i) for i, head in enumerate(self.heads) if head >= 0)

    def dependents(self, head: int) -> tuple[int, ...]:
        """Positions of the dependents of ``head``, left to right."""
        return tuple(i for i, h in enumerate(self.heads) if h == head)

    def is_projective(self) -> bool:
        """Whether no two arcs cross, the arc into the root from outside included."""
        return is_projective(self.heads)

    def problem(self) -> str | None:
        """Why this is not a tree, in words; ``None`` if it is one."""
        return tree_problem(self.heads)

    def __str__(self) -> str:
        """The tree as an indented outline, heads above dependents, `<` and `>` for the side."""
        lines: list[str] = []
        todo = [(root, 0) for root in reversed(self.roots)]
        while todo:
            node, depth = todo.pop()
            head = self.heads[node]
            side = "" if head < 0 else "< " if node < head else "> "
            label = f" {self.labels[node]}" if self.labels and self.labels[node] else ""
            lines.append(f"{'  ' * depth}{side}{self.forms[node]}/{self.pos[node]}{label}")
            todo.extend((child, depth + 1) for child in reversed(self.dependents(node)))
        return "\n".join(lines)

    def drawing(self, *, paper: bool = False) -> ElementTree.Element:
        """The ``<svg>`` element. An arc has its label, where one is known.

        What is no tree is drawn as far as it goes: arcs between words that exist.
        """
        arcs = [(head, i) for head, i in self.arcs if head < len(self) and head != i]
        labels = self.labels or ("",) * len(self)
        places, width = _places(self, [(*arc, labels[arc[1]]) for arc in arcs])
        levels = _levels(arcs, len(self))
        ground = MARGIN + FONT + max([1, *levels]) * LEVEL + LEVEL
        picture = Picture(width, ground + round(2.9 * FONT), describe(self), paper)
        for (head, dependent), level in zip(arcs, levels):
            start = places[head] + (SIDE if dependent > head else -SIDE)
            picture.arc(start, places[dependent], ground, ground - level * LEVEL)
            if labels[dependent]:
                middle, above = (start + places[dependent]) / 2, ground - level * LEVEL - 5
                picture.write(middle, above, labels[dependent], "label", SMALL)
        for i, head in enumerate(self.heads):
            if head < 0:
                picture.line("root", f"M{places[i]:g} {MARGIN + FONT:g}V{ground - 5:g}")
                picture.arrow(places[i], ground)
                mark, size = labels[i] or "root", 0.8 * FONT
                picture.write(places[i], MARGIN + size, mark, "root-mark", round(size))
        for x, form, tag in zip(places, self.forms, self.pos):
            picture.write(x, ground + FONT + 2, form, "word", FONT)
            picture.write(x, ground + 2.2 * FONT + 2, tag, "tag", round(0.8 * FONT))
        return picture


def known_labels(labels: Iterable[str]) -> tuple[str, ...]:
    """The labels as a tree has them: one a unit, or none at all where every one is empty."""
    found = tuple(labels)
    return found if any(found) else ()


def tree_problem(heads: Sequence[int]) -> str | None:
    """Why ``heads`` is not a tree with one root, in words; ``None`` if it is one."""
    roots = [i for i, head in enumerate(heads) if head == -1]
    if len(roots) != 1:
        return f"{len(roots)} roots instead of one"
    for i, head in enumerate(heads):
        if not -1 <= head < len(heads):
            return f"unit {i} has head {head}, which is not in the sentence"
    walk = [-1] * len(heads)  # from which unit each was reached first, upwards
    for start in range(len(heads)):
        node = start
        while node >= 0 and walk[node] < 0:
            walk[node] = start
            node = heads[node]
        if node >= 0 and walk[node] == start:
            return f"unit {node} is its own ancestor"
    return None


def is_projective(heads: Sequence[int]) -> bool:
    """Whether no two arcs of ``heads`` cross; the root hangs from a point left of the sentence."""
    spans = [(min(i, head), max(i, head)) for i, head in enumerate(heads)]
    open_ends: list[int] = []
    for left, right in sorted(spans, key=lambda span: (span[0], -span[1])):
        while open_ends and open_ends[-1] <= left:
            open_ends.pop()
        if open_ends and right > open_ends[-1]:
            return False
        open_ends.append(right)
    return True


def lifted(heads: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """Projective heads, and how many lifts it took; the root has -1.

        while two arcs cross:
          take the shortest arc with a word between its ends that does not hang below its head
          hang its dependent on its head's head

    Nivre & Nilsson (2005), Pseudo-Projective Dependency Parsing: the shortest first, of equal ones
    the leftmost. Our reading: labels stay what they are; nobody wants the arcs back.
    """
    heads, lifts = list(heads), 0
    while crossing := _crossing(heads):
        _, dependent = min(crossing)
        heads[dependent] = heads[heads[dependent]]
        lifts += 1
    return tuple(heads), lifts


def _crossing(heads: Sequence[int]) -> list[tuple[int, int]]:
    """Length and dependent of every arc over a word that does not hang below its head."""
    below = [{i} for i in range(len(heads))]
    for i, found in enumerate(below):
        node = heads[i]
        while node >= 0:
            found.add(node)
            node = heads[node]
    return [
        (abs(head - i), i)
        for i, head in enumerate(heads)
        if head >= 0 and any(head not in below[j] for j in range(min(i, head) + 1, max(i, head)))
    ]


# --- The picture


FONT, LEVEL, GAP, MARGIN = 15, 20, 16, 10
"""Pixels: the size of the words, the height of an arc over the next, between words, around all."""
SMALL, SIDE = 11, 5
"""Pixels: the size of labels, and from the middle of a head to where its arcs begin."""

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def scrolling(picture: ElementTree.Element) -> ElementTree.Element:
    """A box around a picture; a long sentence is scrolled, not shrunk, in notebooks too."""
    picture.set("style", "max-width: none")
    box = ElementTree.Element("div", style="overflow-x: auto")
    box.append(picture)
    return box


def html_of(element: ElementTree.Element) -> str:
    """An element as HTML, every element with an end tag."""
    return ElementTree.tostring(element, encoding="unicode", short_empty_elements=False)


def clean(words: str) -> str:
    """The text without what XML cannot hold (control characters); U+FFFD stands in its place."""
    return _NOT_XML.sub("\ufffd", words)


def describe(tree: DependencyTree) -> str:
    """The tree in a sentence or two, for those who hear the picture."""
    roots, words = [tree.forms[i] for i in tree.roots], " ".join(tree.forms) or "no words"
    parts = [f"Dependency tree of: {words}", f"Root: {', '.join(roots) or 'none'}"]
    if len(roots) > 1:
        parts = [f"{len(roots)} dependency trees of: {words}", f"Roots: {', '.join(roots)}"]
    labels = tree.labels or ("",) * len(tree)
    named = [f"{form} ({label})" if label else form for form, label in zip(tree.forms, labels)]
    for head, form in enumerate(tree.forms):
        dependents = [named[i] for i in tree.dependents(head)]
        parts += [f"{form} has {', '.join(dependents)}"] if dependents else []
    return clean("; ".join(parts))


class Picture(ElementTree.Element):
    """An ``<svg>`` element, empty but for what those hear who do not see it."""

    def __init__(self, width: float, height: float, description: str, paper: bool) -> None:
        attributes = {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width:g} {height:g}",
            "width": f"{width:g}",
            "height": f"{height:g}",
            "role": "img",
            "aria-label": clean(description),
            "font-family": "system-ui, sans-serif",
            "fill": "currentColor",
            **({"color": "black"} if paper else {}),
        }
        super().__init__("svg", attributes)
        ElementTree.SubElement(self, "title").text = clean(description)
        if paper:
            ElementTree.SubElement(self, "rect", width="100%", height="100%", rx="4", fill="white")

    def line(self, name: str, d: str) -> None:
        """Add a line, by its path."""
        style = {"fill": "none", "stroke": "currentColor", "stroke-width": "1.3"}
        ElementTree.SubElement(self, "path", {"class": f"wol-{name}", "d": d, **style})

    def arrow(self, x: float, ground: float) -> None:
        """Add the end of an arrow that points down."""
        shape = {"class": "wol-arrow", "d": f"M{x:g} {ground:g}l-3.5 -7h7z"}
        ElementTree.SubElement(self, "path", shape)

    def arc(self, start: float, end: float, ground: float, top: float) -> None:
        """Add a line up from the head, across with round corners, and down to the dependent."""
        corner, turn = 7, 7 if end > start else -7
        path = (
            f"M{start:g} {ground:g}V{top + corner:g}Q{start:g} {top:g} {start + turn:g} {top:g}"
            f"H{end - turn:g}Q{end:g} {top:g} {end:g} {top + corner:g}V{ground - 5:g}"
        )
        self.line("arc", path)
        self.arrow(end, ground)

    def write(self, x: float, y: float, words: str, name: str, size: int) -> None:
        """Add a text with its middle at ``x``; whatever stands in it is text and never markup."""
        where = {"class": f"wol-{name}", "x": f"{x:g}", "y": f"{y:g}", "font-size": str(size)}
        node = ElementTree.SubElement(self, "text", {**where, "text-anchor": "middle"})
        node.text = clean(words)


def _places(
    tree: DependencyTree, arcs: Sequence[tuple[int, int, str]]
) -> tuple[list[float], float]:
    """Where the middle of each word is, and the whole width; an arc has room for its label."""
    rooms: dict[int, list[tuple[int, float]]] = {}
    for head, dependent, label in arcs:
        if label:
            room = text_width(label) * SMALL + SIDE + 10
            rooms.setdefault(max(head, dependent), []).append((min(head, dependent), room))
    places: list[float] = []
    x = float(MARGIN)
    for i, (form, tag) in enumerate(zip(tree.forms, tree.pos)):
        wide = max(text_width(form) * FONT, text_width(tag) * 0.8 * FONT, 1.5 * FONT)
        for left, room in rooms.get(i, ()):
            x = max(x, places[left] + room - wide / 2)
        places.append(round(x + wide / 2, 1))
        x += wide + GAP
    return places, round(max(x - GAP, MARGIN) + MARGIN, 1)


@dataclass(slots=True, eq=False)
class Place(Generic[Node]):
    """Where a node of a picture stands: its parts, level, own width, theirs, all, and left end."""

    node: Node
    parts: list[Place[Node]]
    level: int = 0
    own: float = 0.0
    inside: float = 0.0
    width: float = 0.0
    x: float = 0.0

    @property
    def middle(self) -> float:
        """Where its text stands."""
        return self.x + self.width / 2


def lay_out(places: Sequence[Place[Node]], gap: float = GAP) -> None:
    """Set widths, from the parts up, and left edges; ``places`` has parents before their parts."""
    for place in reversed(places):
        for part in place.parts:
            place.inside += part.width
        place.inside += gap * max(0, len(place.parts) - 1)
        place.width = max(place.own, place.inside)
    places[0].x = MARGIN
    for place in places:
        x = place.x + (place.width - place.inside) / 2
        for part in place.parts:
            part.x = x
            x += part.width + gap


def text_width(words: str) -> float:
    """About how wide a text is, in heights of the font: fonts differ, so it is a generous guess."""

    def width(letter: str) -> float:
        if unicodedata.combining(letter):
            return 0
        if unicodedata.east_asian_width(letter) in "WF":
            return 1.05
        return 0.9 if letter in "mwMW@%—…" else 0.72 if letter.isupper() else 0.57

    return sum(map(width, words))


def _levels(arcs: Sequence[tuple[int, int]], words: int) -> list[int]:
    covered = [0] * words
    levels = [0] * len(arcs)
    for k in sorted(range(len(arcs)), key=lambda k: abs(arcs[k][0] - arcs[k][1])):
        left, right = sorted(arcs[k])
        levels[k] = 1 + max(covered[left:right])
        covered[left:right] = [levels[k]] * (right - left)
    return levels
