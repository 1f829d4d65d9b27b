"""CCG derivations: a tree of steps from the words to one category, drawn as linguists draw it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from wordorder_lab.structures import derivation_picture
from wordorder_lab.structures.category import Category, Functor
from wordorder_lab.structures.combinators import (
    head_of_step,
    name_of_step,
    name_of_unary,
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
"""What stands at the line of each rule, as in Steedman (2000); T also says which way it looks."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Derivation:
    """A node of a derivation: a word with its category, or a step from one or two children.

    ``head`` says which child the head comes from. A leaf may have two things more, which CCGbank
    keeps beside it: ``original_pos``, where ``pos`` has been corrected, and ``indexed``, its
    category with a number for every variable; both are empty where they add nothing. Nothing is
    checked on construction; ``problem`` says which step follows from no rule.
    """

    category: Category
    children: tuple[Derivation, ...] = ()
    head: int = 0
    word: str = ""
    pos: str = ""
    original_pos: str = ""
    indexed: str = ""

    @staticmethod
    def leaf(word: str, pos: str, category: Category) -> Derivation:
        """A word."""
        return Derivation(category, word=word, pos=pos)

    @staticmethod
    def unary(category: Category, child: Derivation) -> Derivation:
        """A step from one child."""
        return Derivation(category, (child,))

    @staticmethod
    def binary(
        category: Category, left: Derivation, right: Derivation, head: int | None = None
    ) -> Derivation:
        """A step from two children; where no head is given, ``head_of_step`` says which it is."""
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
        """Place of the head word among the words of this node."""
        return self.heads().index(-1)

    def problem(self) -> str | None:
        """The first step that follows from no rule, in words; ``None`` if every step does."""
        for node in self.nodes():
            if node.children and node.rule == "other":
                parts = " and ".join(str(child.category) for child in node.children)
                return f"no rule makes {node.category} of {parts} in {' '.join(node.words())!r}"
        return None

    def _flat(self) -> tuple[object, ...]:
        """All there is to know, without recursion: long sentences make deep trees."""
        return tuple(
            (n.category, len(n.children), n.head, n.word, n.pos, n.original_pos, n.indexed)
            for n in self.nodes()
        )

    def __reduce__(self) -> tuple[object, tuple[tuple[object, ...]]]:
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

    def _repr_html_(self) -> str:
        return derivation_picture.html_text(self)

    def _repr_svg_(self) -> str:
        return derivation_picture.svg_text(self)

    def __str__(self) -> str:
        return self.picture()

    def __repr__(self) -> str:
        return f"<Derivation {self.category}: {' '.join(self.words())}>"


def _rebuilt(flat: Sequence[Any]) -> Derivation:
    """The derivation whose ``_flat`` this is: how copies and pickles of deep trees are made."""
    done: list[Derivation] = []
    for category, size, *rest in flat:
        children = tuple(done[len(done) - size :])
        del done[len(done) - size :]
        done.append(Derivation(category, children, *rest))
    return done[0]


# --- the picture as text ----------------------------------------------------------------------

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
