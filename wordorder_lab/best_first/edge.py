"""Edges, the hypotheses of best-first search: a phrase, built of words or of two smaller edges.

Zhang & Clark 2015, sections 3.1 and 4.2. An edge's total is f(e), what all actions that built it
score together; the search goes by its ``score``, which is the total, or the total divided by |e|
in the scaled model (section 3.3). In CCG a rule built it (2011, section 2). Rules are read off
derivations; their combinator is a name for people to read, the search only asks whether there is
such a rule.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from wordorder_lab.structures.category import Category, Functor
from wordorder_lab.structures.combinators import name_of_step, name_of_unary
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.problem import Item
from wordorder_lab.structures.templates import Feature

NOT_GOLD = -1

HEAD_LEFT, HEAD_RIGHT = "HeadLeft", "HeadRight"
"""Which of two edges brings the head of the new dependency link."""


@dataclass(slots=True, eq=False)
class Edge:
    """One edge of a search; ``serial`` counts the edges in the order of their making, from 1.

    ``action`` made it: ``leaf-FORM-POS`` (``-LABEL``), a combination of ``left`` and ``right``, or
    a unary rule on ``left`` alone. In CCG it has a ``category`` and, unless it is a leaf, a
    ``rule``. ``items`` are its words in order (indices into the problem's items), ``heads`` their
    heads by place in the edge (-1: the root; in CCG the head of the phrase that its phrase joined),
    ``counts`` its units of each kind of word. ``gold`` numbers the gold structures; -1 is none.
    ``groups`` keeps the features of the last action, once they are needed a second time.
    """

    serial: int
    action: str
    items: tuple[int, ...]
    heads: tuple[int, ...]
    counts: tuple[int, ...]
    left: Edge | None = None
    right: Edge | None = None
    category: Category | None = None
    rule: Rule | None = None
    gold: int = NOT_GOLD
    total: float = 0.0
    score: float = 0.0
    groups: list[list[Feature]] | None = field(default=None, repr=False)
    actions: int = field(init=False)
    """|e|: how many actions built it."""

    def __post_init__(self) -> None:
        self.actions = 1
        if self.left is not None:
            self.actions += self.left.actions
        if self.right is not None:
            self.actions += self.right.actions

    @property
    def parts(self) -> tuple[Edge, ...]:
        """The edges that it was made of, the left one first."""
        return tuple([part for part in (self.left, self.right) if part is not None])

    @property
    def size(self) -> int:
        """How many words it has; a phrase that is kept whole counts as one."""
        return len(self.items)

    @property
    def root(self) -> int:
        """The place of the word that has no head in this edge."""
        return self.heads.index(-1)

    @property
    def is_gold(self) -> bool:
        """GOLDSTANDARD: whether it is part of the gold tree, built in the gold order."""
        return self.gold != NOT_GOLD

    @property
    def key(self) -> tuple[float, int]:
        """The one order of all edges: the highest score first, then the one that was made first."""
        return -self.score, self.serial

    def post_order(self) -> Iterator[Edge]:
        """All edges that it was built of in the order of a derivation: left, right, itself last."""
        todo, found = [self], []
        while todo:
            found.append(edge := todo.pop())
            todo += edge.parts
        return reversed(found)


def leaf_action(item: Item) -> str:
    """The action that makes the leaf of an item: of a dependency tree, or in CCG."""
    own = item.label if item.category is None else item.category.text
    return "-".join(filter(None, ("leaf", " ".join(item.unit), item.pos, own)))


class Words(NamedTuple):
    """The words of an edge, as it has them: items, heads and counts."""

    items: tuple[int, ...]
    heads: tuple[int, ...]
    counts: tuple[int, ...]

    @classmethod
    def of_leaf(cls, item: int, kind: int, kinds: int) -> Words:
        """An item alone, which is of this kind of so many."""
        return cls((item,), (-1,), tuple([int(k == kind) for k in range(kinds)]))

    @classmethod
    def joined(cls, left: Edge, right: Edge, side: str) -> Words:
        """The words of two edges side by side, with a link between their roots."""
        place = left.size
        heads = [*left.heads, *[head if head < 0 else head + place for head in right.heads]]
        if side == HEAD_LEFT:
            heads[place + right.root] = left.root
        else:
            heads[left.root] = place + right.root
        counts = [one + other for one, other in zip(left.counts, right.counts, strict=True)]
        return cls((*left.items, *right.items), tuple(heads), tuple(counts))


class Bounds(NamedTuple):
    """What a bag asks by kind of word: at least ``least[k]`` of them in a whole sentence, at most
    ``most[k]`` in an edge, and the kinds ``before[k]`` before all of ``k``."""

    least: Sequence[int]
    most: Sequence[int]
    before: Sequence[Collection[int]]

    def can_combine(self, left: Sequence[int], right: Sequence[int]) -> bool:
        """CANCOMBINE as far as it concerns the words, by the counts of two edges: the bag has
        enough of them, and none of ``right`` has to come before one of ``left``."""
        for k, most in enumerate(self.most):
            if left[k] + right[k] > most:
                return False
            if left[k] and any(right[earlier] for earlier in self.before[k]):
                return False
        return True


# --- rules of CCG ---------------------------------------------------------------------------


class Rule(NamedTuple):
    """``children`` (one or two) become ``parent``; the head comes from child ``head``, 0 or 1."""

    parent: Category
    children: tuple[Category, ...]
    head: int = 0

    @classmethod
    def of(cls, step: Derivation) -> Rule:
        """The rule of a step of a derivation."""
        return cls(step.category, tuple(child.category for child in step.children), step.head)

    @property
    def name(self) -> str:
        """The combinator: a key of ``structures.derivation.SIGNS``."""
        match self.children:
            case (child,):
                return name_of_unary(child, self.parent)
            case left, right:
                return name_of_step(left, right, self.parent)
        return "other"

    @property
    def text(self) -> str:
        r"""As the papers print it: ``NP (S\NP) => S``."""
        return f"{' '.join(map(_bracketed, self.children))} => {self.parent.text}"

    @property
    def action(self) -> str:
        """The sign and, of two parts, which brings the head: ``>T``, ``< HeadRight``."""
        return _action(self)

    @property
    def side(self) -> str:
        """Which of two parts brings the head, as edges of dependency trees say it."""
        return HEAD_RIGHT if self.head else HEAD_LEFT

    @property
    def key(self) -> tuple[tuple[str, ...], str, int]:
        """Rules in one order, whatever corpus they come from."""
        return tuple([child.text for child in self.children]), self.parent.text, self.head

    def as_step(self) -> Derivation:
        """The step alone, over leaves without words."""
        leaves = tuple(Derivation(child) for child in self.children)
        return Derivation(self.parent, leaves, self.head)

    def __str__(self) -> str:
        return self.text


@cache
def _action(rule: Rule) -> str:
    sign = rule.as_step().sign
    return sign if len(rule.children) == 1 else f"{sign} {rule.side}"


def _bracketed(category: Category) -> str:
    return f"({category.text})" if isinstance(category, Functor) else category.text
