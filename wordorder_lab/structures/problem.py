"""A bag made ready for a search: its types with their counts, and what each may be shifted as."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import starmap
from typing import Any, NamedTuple, Protocol

from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.bag import ONCE, ItemType, WordBag
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.sentence import ROOT
from wordorder_lab.structures.trace import Trace
from wordorder_lab.structures.type_numbering import InputConstraints, number_types

Lookup = Callable[[tuple[str, ...]], tuple[str, ...]]
"""Unit -> its possible tags, sorted."""
Lexicon = Callable[[tuple[str, ...], str], tuple[Category, ...]]
"""Unit and tag -> its possible lexical categories, sorted by their text."""
Labels = Callable[[str], tuple[str, ...]]
"""Tag -> the labels that an arc into a unit with it may have, sorted."""

Tagged = tuple[int, tuple[str, ...], str]
"""The index of a type, one of its forms, one of the form's tags."""


class Item(NamedTuple):
    """A type of the bag (its index) with one of its forms, tags and labels, and in CCG categories.
    ``unit`` are its surface words, ``word`` the one that stands for it in features: the last,
    mostly the head of a base NP. ``label`` is that of the arc into it, empty where labels play no
    part."""

    type: int
    unit: tuple[str, ...]
    word: str
    pos: str
    category: Category | None = None
    label: str = ""

    @property
    def form(self) -> str:
        """The unit as one string."""
        unit = self.unit
        return unit[0] if len(unit) == 1 else " ".join(unit)

    @property
    def read(self) -> tuple[str, ...]:
        """Its words as n-grams have them: of a rare last word its class, where there are any."""
        return *self.unit[:-1], self.word


class Shifted(Protocol):
    """A word that a search has put somewhere: ``item`` is its index among the items."""

    @property
    def item(self) -> int:
        """Which of the items."""


@dataclass(frozen=True)
class OrderingProblem:
    """The types of a bag in their total order, how many of each, and the items, type by type.

    A type is what equal units have in common. ``items`` are what it may be shifted as: one of its
    forms with one of its tags and labels, in CCG with one of its categories. ``units[t]`` are the
    indices into the bag of the units of type ``t``, ascending. Whatever a search decides by number
    (ties too) it decides by these, never by the order of the bag. ``given`` is what is known of
    heads and orders. Of type ``t`` a search uses at least ``least[t]`` and at most ``most[t]``: as
    many as there are, but for word selection in CCG (Zhang & Clark 2011, section 3).
    """

    items: tuple[Item, ...]
    units: tuple[tuple[int, ...], ...]
    given: InputConstraints
    least: tuple[int, ...]
    most: tuple[int, ...]

    @classmethod
    @checks_arguments
    def of(
        cls,
        bag: WordBag,
        lookup: Lookup,
        lexicon: Lexicon | None = None,
        labels: Labels | None = None,
        classes: Callable[[str], str] | None = None,
    ) -> OrderingProblem:
        """Look up the tags of all units that are given none; for CCG their categories as well.

        A unit with alternatives has items for each of its forms, the first form first. With
        ``labels`` a unit that is given no label has an item for each that its tag may have.

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
        forms = [(t, form) for t, kind in enumerate(types) for form in (kind.words, *kind.others)]
        known = iter(list(map(lookup, [form for t, form in forms if not types[t].pos])))
        tagged = [
            (t, form, tag)
            for t, form in forms
            for tag in ((types[t].pos,) if types[t].pos else next(known))
        ]
        items = [
            Item(t, form, classes(form[-1]) if classes else form[-1], tag, category, label)
            for (t, form, tag), several in zip(tagged, _categories(types, tagged, lexicon))
            for label in (
                [types[t].label] if types[t].label or labels is None else labels(tag) or [""]
            )
            for category in several
        ]
        if lexicon is not None:
            _check_categories(types, items)
        least = most = tuple(map(len, units))
        if has_choices:
            pairs = [[(bag.counts or ())[i] or ONCE for i in group] for group in units]
            least, most = (tuple(sum(p[i] for p in some) for some in pairs) for i in (0, 1))
        return cls(tuple(items), tuple(units), given, least, most)

    def refuse_alternatives(self, system: str) -> None:
        """Raise ``ValueError`` where a type has several forms, for systems that cannot choose."""
        for forms in self.forms:
            if len(forms) > 1:
                several = " or ".join(map(" ".join, forms))
                raise ValueError(
                    f"{system} cannot choose between the forms of a unit, {several}: leave out the "
                    "alternatives, or take liu-2015 or zhang-clark-2015-dependency"
                )

    def type_of(self, node: Shifted) -> int:
        """The type of a word on the stack, as its index into ``units``, from 0."""
        return self.items[node.item].type

    @cached_property
    def ahead(self) -> tuple[tuple[str, str | None], ...]:
        """Each type's feature word, and its tag if it can have but one: known while in the bag.

        Where a type has several forms, the word is that of its first.
        """
        pairs = zip(self._of_types("word"), self._of_types("pos"), strict=True)
        return tuple((next(iter(w)), next(iter(s)) if len(s) == 1 else None) for w, s in pairs)

    @cached_property
    def ahead_labels(self) -> tuple[str | None, ...]:
        """Each type's label if it can have but one, ``None`` if several or if none is known."""
        labels = self._of_types("label")
        return tuple((min(some) or None) if len(some) == 1 else None for some in labels)

    @cached_property
    def forms(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """Each type's forms, the first, most probable one first: one, but for alternatives."""
        return tuple(map(tuple, self._of_types("unit")))

    def _of_types(self, field: str) -> list[dict[Any, None]]:
        """What the items of each type have in a field, in order and each once."""
        found: list[dict[Any, None]] = [{} for _ in self.units]
        for item in self.items:
            found[item.type][getattr(item, field)] = None
        return found

    @cached_property
    def completable(self) -> dict[Hashable, bool]:
        """What ``transition/actions`` has found out about states of this problem."""
        return {}

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """How many units each type has."""
        return tuple(len(units) for units in self.units)

    @cached_property
    def size(self) -> int:
        """How many units there are in all."""
        return sum(map(len, self.units))

    @cached_property
    def steps(self) -> int:
        """How many actions a derivation takes: every unit is shifted, all but the root attached."""
        return 2 * self.size - 1


def _categories(
    types: Sequence[ItemType], tagged: Sequence[Tagged], lexicon: Lexicon | None
) -> list[Sequence[Category | None]]:
    if lexicon is None:
        return [(None,)] * len(tagged)
    asked = [(form, tag) for t, form, tag in tagged if not types[t].categories]
    known = iter(list(starmap(lexicon, asked)))
    given = [tuple(map(Category.parse, types[t].categories)) for t, _, _ in tagged]
    return [own or next(known) for own in given]


def _check_categories(types: Sequence[ItemType], items: Sequence[Item]) -> None:
    found = {item.type for item in items}
    for t, kind in enumerate(types):
        if t not in found:
            tag = f" with the tag {kind.pos}" if kind.pos else ""
            raise ValueError(
                f"{cited(kind.form)}{tag} has no lexical category: give it a list of categories, "
                "or use a dictionary that knows some"
            )


# --- Words of a bag as messages name them


def order_between(first: int, verb: str, then: int, problem: OrderingProblem) -> str:
    """Two types with a verb between them, named apart."""
    one, other = named(first, problem), named(then, problem)
    return f"another {one} {verb} this {other}" if one == other else f"{one} {verb} {other}"


def quoted(kind: int, problem: OrderingProblem) -> str:
    """A type as a sentence names it."""
    return next(f"\u201c{item.form}\u201d" for item in problem.items if item.type == kind)


def named(kind: int, problem: OrderingProblem) -> str:
    """The same, with its given head where other types have the same words."""
    form, head = quoted(kind, problem), problem.given.heads[kind]
    same = {item.type for item in problem.items if f"\u201c{item.form}\u201d" == form}
    if len(same) == 1 or head is None:
        return form
    return f"the root {form}" if head == ROOT else f"{form} under {quoted(head, problem)}"


def begin(trace: Trace, problem: OrderingProblem, beam: int) -> None:
    """Tell the trace what is to be ordered: the types of the bag in their order, with counts. Then
    which types have several forms, and the label of each item, if any has one."""
    units = [" ".join(forms[0]) for forms in problem.forms]
    trace.begin(units, list(problem.most), len(problem.items), beam)
    several = [(t, forms) for t, forms in enumerate(problem.forms) if len(forms) > 1]
    if several:
        rows = [(t, " ".join(form)) for t, forms in several for form in forms]
        trace.alternatives([t for t, _ in rows], [form for _, form in rows])
    if any(item.label for item in problem.items):
        trace.labels([item.label for item in problem.items])
