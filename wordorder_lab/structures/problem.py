"""A bag made ready for a search: its types with their counts, and what each may be shifted as."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.input_constraints import InputConstraints
from wordorder_lab.structures.state import Node
from wordorder_lab.structures.type_numbering import number_types

Lookup = Callable[[tuple[str, ...]], tuple[str, ...]]
"""Unit -> its possible tags, sorted."""


class Item(NamedTuple):
    """A type of the bag with one of its possible tags.

    ``type`` is the index of the type, ``unit`` its surface words, ``word`` the one that stands
    for it in features: the last word, which is the head of a base NP most of the time.
    """

    type: int
    unit: tuple[str, ...]
    word: str
    pos: str

    @property
    def form(self) -> str:
        """The unit as one string."""
        return " ".join(self.unit)


@dataclass(frozen=True)
class OrderingProblem:
    """The types of a bag in their total order, how many of each, and the items, type by type.

    ``units[t]`` are the indices into the bag of the units of type ``t``, ascending. Whatever a
    search decides by number (ties too) it decides by these, never by the order of the bag.
    ``given`` is what is known of heads and orders.
    """

    items: tuple[Item, ...]
    units: tuple[tuple[int, ...], ...]
    given: InputConstraints

    @classmethod
    def of(cls, bag: WordBag, lookup: Lookup) -> OrderingProblem:
        """Look up the tags of all units that are given none."""
        types, units, given = number_types(bag)
        items = [
            Item(t, words, words[-1], tag)
            for t, (words, pos) in enumerate(types)
            for tag in ((pos,) if pos else lookup(words))
        ]
        return cls(tuple(items), tuple(units), given)

    def type_of(self, node: Node) -> int:
        """The type of a word on the stack."""
        return self.items[node.item].type

    @cached_property
    def ahead(self) -> tuple[tuple[str, str | None], ...]:
        """Each type's feature word, and its tag if it can have but one: known while in the bag."""
        tags: list[set[str]] = [set() for _ in self.units]
        words = [""] * len(self.units)
        for item in self.items:
            tags[item.type].add(item.pos)
            words[item.type] = item.word
        return tuple(
            (word, min(some) if len(some) == 1 else None)
            for word, some in zip(words, tags, strict=True)
        )

    @cached_property
    def completable(self) -> dict[Hashable, bool]:
        """What ``grammars/knotted_orders`` has found out about states of this problem."""
        return {}

    @property
    def counts(self) -> tuple[int, ...]:
        """How many units each type has."""
        return tuple(len(units) for units in self.units)

    @property
    def size(self) -> int:
        """How many units there are in all."""
        return sum(len(units) for units in self.units)

    @property
    def steps(self) -> int:
        """How many actions a derivation takes: every unit is shifted, all but the root attached."""
        return 2 * self.size - 1
