"""CCG derivations: a tree of steps from the words to one category, drawn as linguists draw it.

The line of a step runs below all that it joins; at its right end stands the rule's sign, below it
the category that comes of it (Steedman 2000, chapter 3). The picture is SVG, built like that of a
dependency tree in ``trees``. Derivations can be deep, so nothing here is recursive.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from xml.etree import ElementTree

from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.category import Category, Functor
from wordorder_lab.structures.combinators import head_of_step, name_of_step, name_of_unary
from wordorder_lab.structures.trees import MARGIN, Drawn, Picture, Place, clean, lay_out, text_width

_SIGNS = """
fa >  ba <  fc >B  bc <B  bx <B×  fc2 >B²  bc2 <B²  bx2 <B×²
conj Φ  lp p  rp p  tr T  tc tc  other ?
""".split()
SIGNS = {"leaf": "", **dict(zip(_SIGNS[::2], _SIGNS[1::2]))}
"""What stands at the line of each rule, as in Steedman 2000, chapter 3: a text by the rule's name.

T also says which way it looks.
"""


Flat = tuple[Category, int, int, str, str, str, str]


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
        blocks: list[list[str]] = []  # of every finished phrase its lines, all of one width
        for node in self.nodes():
            first = len(blocks) - len(node.children)
            above = _beside(blocks[first:]) if node.children else [node.word]
            category = str(node.category)
            width = max(len(above[0]), len(category), len(node.sign) + 3)
            left = (width - len(above[0])) // 2
            above = [(" " * left + row).ljust(width) for row in above]
            step = "-" * (width - len(node.sign)) + node.sign
            blocks[first:] = [[*above, step, category.center(width)]]
        return "\n".join(row.rstrip() for row in blocks[0])

    def drawing(self, *, paper: bool = False) -> ElementTree.Element:
        """The ``<svg>`` element; on white ``paper``, or in the colour of the text around it."""
        places = _places(self)
        whole, ground = places[-1], MARGIN + WORD
        width = round(whole.width + 2 * MARGIN, 1)
        height = ground + 8 + whole.level * STEP + 24 + MARGIN
        description = f"CCG derivation of: {' '.join(self.words())}; it is {self.category}"
        picture = Picture(width, height, description, paper)
        ElementTree.SubElement(picture, "desc").text = describe(self)
        for place in places:
            _draw_node(picture, place, ground)
        return picture

    def __str__(self) -> str:
        return self.picture()

    def __repr__(self) -> str:
        return f"<Derivation {self.category}: {' '.join(self.words())}>"


def _rebuilt(flat: Sequence[Flat]) -> Derivation:
    done: list[Derivation] = []
    for category, size, head, word, pos, original_pos, indexed in flat:
        children = tuple(done[len(done) - size :])
        del done[len(done) - size :]
        done.append(Derivation(category, children, head, word, pos, original_pos, indexed))
    return done[0]


# --- As text and as a picture

GAP = 2


def _beside(blocks: list[list[str]]) -> list[str]:
    padded = (
        [row if row is not None else " " * len(blocks[i][0]) for i, row in enumerate(rows)]
        for rows in zip_longest(*blocks)
    )
    return [(" " * GAP).join(rows) for rows in padded]


WORD, CATEGORY, SIGN = 15, 13, 12
"""Pixels: the size of words, categories and signs."""

STEP, PICTURE_GAP = 33, 14
"""Pixels: from one line to the next below it, and between phrases side by side."""

SHORTEST = 14
"""Pixels: a line is at least so long, beside its sign."""


def describe(derivation: Derivation) -> str:
    """The words with their categories and then the steps, for those who hear the picture."""
    steps: list[str] = []
    open_phrases: list[str] = []  # of every finished phrase its words, or its ends
    for node in derivation.nodes():
        first = len(open_phrases) - len(node.children)
        parts = open_phrases[first:] if node.children else [node.word]
        made = f" by {node.sign}" if node.children else ""
        steps.append(f"{' + '.join(parts)}: {node.category}{made}")
        words = " ".join(parts).split(" ")
        open_phrases[first:] = [" ".join(words) if len(words) < 4 else f"{words[0]} … {words[-1]}"]
    return clean("; ".join(steps))


def _places(derivation: Derivation) -> list[Place[Derivation]]:
    """Where each node is drawn, children before parents; ``level`` counts the lines above it."""
    done: list[Place[Derivation]] = []
    waiting: list[Place[Derivation]] = []
    for node in derivation.nodes():
        first = len(waiting) - len(node.children)
        parts = waiting[first:]
        level = 1 + max((part.level for part in parts), default=-1)
        word = text_width(node.word) * WORD if not parts else 0.0
        category, sign = text_width(str(node.category)) * CATEGORY, text_width(node.sign) * SIGN
        place = Place(node, parts, level, max(word, category, SHORTEST + sign))
        waiting[first:] = [place]
        done.append(place)
    lay_out(done[::-1], PICTURE_GAP)
    return done


def _draw_node(picture: Picture, place: Place[Derivation], ground: float) -> None:
    """The line of a node with its sign, the category below; over a leaf also its word."""
    node, middle = place.node, place.middle
    y = ground + 9 + place.level * STEP
    sign = text_width(node.sign) * SIGN
    end = place.x + place.width - (sign + 2 if node.sign else 0)
    if not node.children:
        picture.write(middle, ground, node.word, "word", WORD)
    picture.line("step", f"M{place.x:.1f} {y:g}H{end:.1f}")
    if node.sign:
        picture.write(end + 2 + sign / 2, y + 3, node.sign, "sign", SIGN)
    picture.write(middle, y + 16, str(node.category), "category", CATEGORY)
