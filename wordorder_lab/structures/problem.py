"""A bag made ready for a search: its types with their counts, and what each may be shifted as."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

from wordorder_lab.structures.bag import ONCE, ItemType, WordBag
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.trace import Trace
from wordorder_lab.structures.type_numbering import InputConstraints, number_types

Lookup = Callable[[tuple[str, ...]], tuple[str, ...]]
"""Unit -> its possible tags, sorted."""
Lexicon = Callable[[tuple[str, ...], str], tuple[Category, ...]]
"""Unit and tag -> its possible lexical categories, sorted by their text."""


class Item(NamedTuple):
    """A type of the bag with one of its possible tags, and in CCG one of its categories.

    ``type`` is the index of the type, ``unit`` its surface words, ``word`` the one that stands
    for it in features: the last word, which is the head of a base NP most of the time.
    """

    type: int
    unit: tuple[str, ...]
    word: str
    pos: str
    category: Category | None = None

    @property
    def form(self) -> str:
        """The unit as one string."""
        return " ".join(self.unit)


class Shifted(Protocol):
    """A word that a search has put somewhere: ``item`` is its index among the items."""

    @property
    def item(self) -> int:
        """Which of the items."""


@dataclass(frozen=True)
class OrderingProblem:
    """The types of a bag in their total order, how many of each, and the items, type by type.

    ``units[t]`` are the indices into the bag of the units of type ``t``, ascending. Whatever a
    search decides by number (ties too) it decides by these, never by the order of the bag.
    ``given`` is what is known of heads and orders. Of type ``t`` a search uses at least
    ``least[t]`` and at most ``most[t]``: as many as there are, but for word selection in CCG.
    """

    items: tuple[Item, ...]
    units: tuple[tuple[int, ...], ...]
    given: InputConstraints
    least: tuple[int, ...]
    most: tuple[int, ...]

    @classmethod
    def of(cls, bag: WordBag, lookup: Lookup, lexicon: Lexicon | None = None) -> OrderingProblem:
        """Look up the tags of all units that are given none; for CCG their categories as well.

        Raises ``ValueError`` for a choice that only CCG offers, where there is no ``lexicon``, and
        for a unit without any category.
        """
        has_choices = bag.has_choices
        if lexicon is None and has_choices:
            raise ValueError(
                "this bag leaves open how often a unit is used, or which category it has, which "
                "only the CCG systems take: leave out its counts and categories"
            )
        types, units, given = number_types(bag)
        items = [
            Item(t, kind.words, kind.words[-1], tag, category)
            for t, kind in enumerate(types)
            for tag in ((kind.pos,) if kind.pos else lookup(kind.words))
            for category in _categories(kind, tag, lexicon)
        ]
        if lexicon is not None:
            _check_categories(types, items)
        least = most = tuple(map(len, units))
        if has_choices:
            pairs = [[(bag.counts or ())[i] or ONCE for i in group] for group in units]
            least, most = (tuple(_total(i, some) for some in pairs) for i in (0, 1))
        return cls(tuple(items), tuple(units), given, least, most)

    def type_of(self, node: Shifted) -> int:
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
        """What ``transition/actions`` has found out about states of this problem."""
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


def _categories(kind: ItemType, tag: str, lexicon: Lexicon | None) -> Sequence[Category | None]:
    if lexicon is None:
        return (None,)
    given = tuple(map(Category.parse, kind.categories))
    return given or lexicon(kind.words, tag)


def _check_categories(types: Sequence[ItemType], items: Sequence[Item]) -> None:
    found = {item.type for item in items}
    for t, kind in enumerate(types):
        if t not in found:
            tag = f" with the tag {kind.pos}" if kind.pos else ""
            raise ValueError(
                f"{kind.form!r}{tag} has no lexical category: give it a list of categories, or use "
                "a dictionary that knows some"
            )


def _total(i: int, counts: Sequence[tuple[int, int]]) -> int:
    total = 0
    for pair in counts:
        total += pair[i]
    return total


def begin(trace: Trace, problem: OrderingProblem, beam: int) -> None:
    """Tell the trace what is to be ordered: the types of the bag in their order, with counts."""
    forms: dict[int, str] = {item.type: item.form for item in problem.items}
    units = [forms[kind] for kind in range(len(problem.units))]
    trace.begin(units, list(problem.most), len(problem.items), beam)
