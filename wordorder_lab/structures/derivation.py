"""CCG derivations: a tree of steps from the words to one category, drawn as linguists draw it.

The line of a step runs below all that it joins; at its right end stands the rule's sign, below it
the category that comes of it (Steedman 2000, chapter 3). The picture is SVG, built like that of a
dependency tree in ``trees``. Derivations can be deep, so nothing here is recursive.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from xml.etree import ElementTree

from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.category import Category, Functor
from wordorder_lab.structures.combinators import head_of_step, name_of_step, name_of_unary
from wordorder_lab.structures.trees import (
    MARGIN,
    Drawn,
    clean,
    line,
    sheet,
    text,
    text_width,
)

SIGNS = {
    "leaf": "",
    "fa": ">",
    "ba": "<",
    "fc": ">B",
    "bc": "<B",
    "bx": "<B×",
    "fc2": ">B²",
    "bc2": "<B²",
    "bx2": "<B×²",
    "conj": "Φ",
    "lp": "p",
    "rp": "p",
    "tr": "T",
    "tc": "tc",
    "other": "?",
}
"""What stands at the line of each rule, as in Steedman 2000, chapter 3: a text by the rule's name.

T also says which way it looks.
"""


Flat = tuple[Category, int, int, str, str, str, str]
"""A node without its children: what is told of it, with how many it has."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Derivation(Drawn):
    """A node of a CCG derivation: a word with its category, or a step from one or two children.

    Steedman 2000, chapter 3. ``category`` is what the step comes to, ``children`` are the parts,
    none for a leaf, which has a ``word`` and its tag ``pos``.

    ``head`` is the place of the child that the head comes from: 0 or 1. A leaf may have two things
    more, which CCGbank keeps beside it: ``original_pos``, where ``pos`` has been corrected, and
    ``indexed``, its category with a number for every variable; both are empty where they add
    nothing. Nothing is checked on construction; ``problem`` says which step follows from no rule.
    """

    category: Category
    children: tuple[Derivation, ...] = ()
    head: int = 0
    word: str = ""
    pos: str = ""
    original_pos: str = ""
    indexed: str = ""

    @staticmethod
    @checks_arguments
    def leaf(word: str, pos: str, category: Category) -> Derivation:
        """A word with its tag and its category, which no step has made."""
        return Derivation(category, word=word, pos=pos)

    @staticmethod
    @checks_arguments
    def unary(category: Category, child: Derivation) -> Derivation:
        """A step from one child: a change of type, or type-raising."""
        return Derivation(category, (child,))

    @staticmethod
    @checks_arguments
    def binary(
        category: Category, left: Derivation, right: Derivation, head: int | None = None
    ) -> Derivation:
        """A step from two children. ``head`` is the place of the one with the head: 0 or 1.

        Where none is given, ``head_of_step`` says which it is.
        """
        if head is None:
            head = head_of_step(left.category, right.category, category)
        return Derivation(category, (left, right), head)

    @property
    def rule(self) -> str:
        """The name of the rule that made this node; ``"leaf"`` for a word."""
        match self.children:
            case ():
                return "leaf"
            case (child,):
                return name_of_unary(child.category, self.category)
            case left, right:
                return name_of_step(left.category, right.category, self.category)
        return "other"

    @property
    def sign(self) -> str:
        """What a linguist writes at the line above this category: ``>``, ``<B``, ``>T``."""
        rule = self.rule
        if rule == "tr" and isinstance(self.category, Functor):
            return (">" if self.category.slash == "/" else "<") + SIGNS[rule]
        return SIGNS[rule]

    def nodes(self) -> Iterator[Derivation]:
        """Every node, children before parents and left before right."""
        todo = [(self, False)]
        while todo:
            node, ready = todo.pop()
            if ready or not node.children:
                yield node
            else:
                todo.append((node, True))
                todo.extend((child, False) for child in reversed(node.children))

    def leaves(self) -> tuple[Derivation, ...]:
        """The words with their categories, left to right."""
        return tuple(node for node in self.nodes() if not node.children)

    def words(self) -> tuple[str, ...]:
        """The words, left to right."""
        return tuple(leaf.word for leaf in self.leaves())

    def heads(self) -> tuple[int, ...]:
        """For each word the place of the word that its phrase hangs from; -1 for the head of all.

        Where two children join, the head of one becomes a dependent of the head of the other.
        """
        heads: list[int] = []
        open_heads: list[int] = []  # the head word of every finished phrase
        for node in self.nodes():
            if not node.children:
                open_heads.append(len(heads))
                heads.append(-1)
            elif len(node.children) == 2:
                pair = open_heads.pop(-2), open_heads.pop()
                heads[pair[1 - node.head]] = pair[node.head]
                open_heads.append(pair[node.head])
        return tuple(heads)

    @property
    def lexical_head(self) -> int:
        """Place of the head word among the words of this node, from 0."""
        return self.heads().index(-1)

    def problem(self) -> str | None:
        """The first step that follows from no rule, in words; ``None`` if every step does."""
        for node in self.nodes():
            if node.children and node.rule == "other":
                parts = " and ".join(str(child.category) for child in node.children)
                return f"no rule makes {node.category} of {parts} in {' '.join(node.words())!r}"
        return None

    def _flat(self) -> tuple[Flat, ...]:
        """All there is to know, without recursion: long sentences make deep trees."""
        return tuple(
            (n.category, len(n.children), n.head, n.word, n.pos, n.original_pos, n.indexed)
            for n in self.nodes()
        )

    def __reduce__(self) -> tuple[object, tuple[tuple[Flat, ...]]]:
        return _rebuilt, (self._flat(),)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Derivation):
            return NotImplemented
        return self is other or self._flat() == other._flat()

    def __hash__(self) -> int:
        return hash(self._flat())

    def picture(self) -> str:
        """The derivation as text: words on top, a line with its sign for every step."""
        return "\n".join(line.rstrip() for line in _block(self).lines)

    def drawing(self, *, paper: bool = False) -> ElementTree.Element:
        """The ``<svg>`` element; on white ``paper``, or in the colour of the text around it."""
        places = _places(self)
        whole = places[-1]
        ground = MARGIN + WORD
        width = round(whole.width + 2 * MARGIN, 1)
        height = ground + 8 + whole.level * STEP + 24 + MARGIN
        said = f"CCG derivation of: {' '.join(self.words())}; it is {self.category}"
        picture = sheet(width, height, clean(said), paper)
        ElementTree.SubElement(picture, "desc").text = describe(self)
        for place in places:
            _draw_node(picture, place, ground)
        return picture

    def __str__(self) -> str:
        return self.picture()

    def __repr__(self) -> str:
        return f"<Derivation {self.category}: {' '.join(self.words())}>"


def _rebuilt(flat: Sequence[Flat]) -> Derivation:
    """The derivation whose ``_flat`` this is: how copies and pickles of deep trees are made."""
    done: list[Derivation] = []
    for category, size, head, word, pos, original_pos, indexed in flat:
        children = tuple(done[len(done) - size :])
        del done[len(done) - size :]
        done.append(Derivation(category, children, head, word, pos, original_pos, indexed))
    return done[0]


# --- As text

GAP = 2


class _Block(NamedTuple):
    """A part of the picture: lines that all have the same width."""

    lines: list[str]
    width: int


def _block(derivation: Derivation) -> _Block:
    waiting: list[_Block] = []
    for node in derivation.nodes():
        first = len(waiting) - len(node.children)
        waiting[first:] = [_below(node, waiting[first:])]
    return waiting[0]


def _below(node: Derivation, children: list[_Block]) -> _Block:
    text = str(node.category)
    above = _beside(children) if children else _Block([node.word], len(node.word))
    width = max(above.width, len(text), len(node.sign) + 3)
    above = _widened(above, width)
    line = "-" * (width - len(node.sign)) + node.sign
    return _Block([*above.lines, line, text.center(width)], width)


def _beside(blocks: list[_Block]) -> _Block:
    """Blocks side by side, all words in the first line."""
    height = max(len(block.lines) for block in blocks)
    rows = []
    for i in range(height):
        cells = [b.lines[i] if i < len(b.lines) else " " * b.width for b in blocks]
        rows.append((" " * GAP).join(cells))
    return _Block(rows, len(rows[0]))


def _widened(block: _Block, width: int) -> _Block:
    left = (width - block.width) // 2
    right = width - block.width - left
    return _Block([" " * left + line + " " * right for line in block.lines], width)


# --- As a picture


WORD, CATEGORY, SIGN = 15, 13, 12
"""Pixels: the size of words, categories and signs."""

STEP, PICTURE_GAP = 33, 14
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
        x = place.x + (place.width - _drawn_beside(place.parts)) / 2
        for part in place.parts:
            part.x = x
            x += part.width + PICTURE_GAP
    return done


def _room(node: Derivation, parts: list[Place]) -> float:
    """How wide a node is: what is above its line, its category, and the line with its sign."""
    above = _drawn_beside(parts) if parts else text_width(node.word) * WORD
    sign = SHORTEST + text_width(node.sign) * SIGN
    return max(above, text_width(str(node.category)) * CATEGORY, sign)


def _drawn_beside(parts: list[Place]) -> float:
    width = 0.0
    for part in parts:
        width += part.width
    return width + PICTURE_GAP * max(0, len(parts) - 1)


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
