r"""One CCG rule as it was seen in a derivation: ``NP S\NP => S``, and which part is the head.

Zhang & Clark 2011, section 2: rules are read off derivations. The combinator is a name for people
to read; the search only asks whether there is such a rule.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from wordorder_lab.structures.category import Category, Functor
from wordorder_lab.structures.combinators import name_of_step, name_of_unary
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.edge import HEAD_LEFT, HEAD_RIGHT


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
        return f"{' '.join(map(_bracketed, self.children))} => {self.parent}"

    @property
    def action(self) -> str:
        """The sign and, of two parts, which brings the head: ``>T``, ``< HeadRight``."""
        return _action(self)

    @property
    def side(self) -> str:
        """Which of two parts brings the head, as edges of dependency trees say it."""
        return HEAD_RIGHT if self.head else HEAD_LEFT

    @property
    def key(self) -> tuple:
        """Rules in one order, whatever corpus they come from."""
        return tuple(map(str, self.children)), str(self.parent), self.head

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
    return f"({category})" if isinstance(category, Functor) else str(category)
