"""A bag of words: what a word-ordering system is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

MAX_UNITS = 1000
"""Bags above this size are refused: beam search is quadratic, and such a bag is a mistake."""


class ItemType(NamedTuple):
    """What makes two units of a bag interchangeable: their words and the tag that is given.

    ``pos`` is ``""`` where no tag is given, so that types have one total order.
    """

    words: tuple[str, ...]
    pos: str

    @property
    def form(self) -> str:
        """The unit as one string."""
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class WordBag:
    """Units in no particular order, with whatever is known about them.

    ``words`` holds a string (or a tuple of words) a unit; a string with spaces is a phrase that
    is kept whole. ``pos[i]`` is a tag, or ``None`` if it is not known. ``heads[i]`` is the index
    of the head of unit ``i`` in this bag, -1 if it is the root, ``None`` if it is not known.

    Raises ``ValueError`` for an empty bag, an empty unit, lists of unequal length, a head outside
    the bag, and more than ``MAX_UNITS`` units.
    """

    words: Sequence[str | tuple[str, ...]]
    pos: Sequence[str | None] | None = None
    heads: Sequence[int | None] | None = None

    def __post_init__(self) -> None:
        if isinstance(self.words, str):
            raise ValueError(
                f"a bag takes a list of units, not one string: WordBag({self.words.split()!r})"
            )
        if isinstance(self.pos, str):
            raise ValueError(f"pos takes a list of tags, one a unit, not the string {self.pos!r}")
        units = tuple(tuple(u.split()) if isinstance(u, str) else tuple(u) for u in self.words)
        object.__setattr__(self, "words", units)
        object.__setattr__(self, "pos", self._filled("pos", self.pos))
        object.__setattr__(self, "heads", self._filled("heads", self.heads))
        self._check()

    def _filled(self, name: str, values: Sequence | None) -> tuple:
        if values is None:
            return (None,) * len(self.words)
        if len(values) != len(self.words):
            raise ValueError(f"{len(self.words)} words but {len(values)} {name}: give one a word")
        return tuple(values)

    def _check(self) -> None:
        if not self.words:
            raise ValueError("the bag is empty: give at least one word")
        if len(self.words) > MAX_UNITS:
            raise ValueError(f"the bag has {len(self.words)} units; {MAX_UNITS} are the most")
        for i, unit in enumerate(self.words):
            if not unit or not all(unit):
                raise ValueError(f"unit {i} of the bag has no words")
        for i, head in enumerate(self.heads or ()):
            if head is not None and (not -1 <= head < len(self.words) or head == i):
                raise ValueError(
                    f"unit {i} of the bag ({self.form(i)!r}) has head {head}: give the index of "
                    f"another unit (0 to {len(self.words) - 1}), -1 for the root, or None"
                )

    def __len__(self) -> int:
        return len(self.words)

    def form(self, i: int) -> str:
        """Unit ``i`` as one string."""
        return " ".join(self.words[i])

    @property
    def has_heads(self) -> bool:
        """Whether any head is given."""
        return any(head is not None for head in self.heads or ())

    def type_of(self, i: int) -> ItemType:
        """The type of unit ``i``."""
        assert self.pos is not None
        return ItemType(tuple(self.words[i]), self.pos[i] or "")

    def types(self) -> list[tuple[ItemType, list[int]]]:
        """The item types in their total order, each with the indices of its units, ascending.

        Two bags that differ in the order of their units alone have the same types with the same
        counts, so a decoder that sees only types cannot depend on that order.
        """
        units: dict[ItemType, list[int]] = {}
        for i in range(len(self.words)):
            units.setdefault(self.type_of(i), []).append(i)
        return sorted(units.items())
