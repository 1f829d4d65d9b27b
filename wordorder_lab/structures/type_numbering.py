"""The types of a bag in their total order, and what is given about them.

Units of the same words, tag, label and other forms are interchangeable if no head and no order is
known of them; so are those that share a given head or given orders. They are one type with a count.
Every other unit is a type of its own. A type comes directly before its given descendants: ``t`` and
all that is below it are ``range(t, ends[t])``; dependents of one head are sorted by tag first (a
look ahead reads off the first and the last).

Orders follow from orders. In a projective tree the subtrees under one head do not mix. So if a word
of one is to stand before a word of the other, all of the one stands before all of the other. Taken
together with transitivity, until nothing new follows, this finds every contradiction inside one
given tree, and leaves no dead end inside it: a search only has to wait until what comes before has
come.

Differences
- *Paper silent*: whole subtrees may be equal too, such as "no <- way" given twice. Of equal
  subtrees under the same head the first is begun before the next one (``twins``), so that no
  hypothesis is built twice. Where orders make equal subtrees differ, they are not treated as equal,
  even if they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from wordorder_lab.structures.bag import ItemType, WordBag, name_of
from wordorder_lab.structures.sentence import ROOT

Look = tuple[int, ...]


def number_types(
    bag: WordBag,
) -> tuple[list[ItemType], list[tuple[int, ...]], InputConstraints]:
    """The types of a bag in their total order, the units of each, and what is given about them.

    Bags that differ in the order of their units alone get the same types with the same numbers.
    Raises ``ValueError`` for an order that no projective tree with the given heads allows.
    """
    if not bag.is_constrained:
        types = bag.types()
        return [kind for kind, _ in types], [tuple(u) for _, u in types], nothing_given(len(types))
    heads = bag.heads or ()
    below: list[list[int]] = [[] for _ in heads]
    tops: list[int] = []
    for unit, head in enumerate(heads):
        (tops if head is None or head == ROOT else below[head]).append(unit)
    kinds = bag.unit_types
    units, twins = _grouped(bag, below, tops)
    type_of = [0] * len(heads)
    for t, group in enumerate(units):
        for unit in group:
            type_of[unit] = t
    given = [heads[group[0]] for group in units]
    type_heads = [head if head is None or head == ROOT else type_of[head] for head in given]
    ends = list(range(1, len(units) + 1))
    for t in range(len(units) - 1, -1, -1):
        head = type_heads[t]
        if head is not None and head != ROOT and ends[t] > ends[head]:
            ends[head] = ends[t]
    before: list[tuple[int, ...]] = [()] * len(units)
    if bag.before:
        before = _followed(bag, units, type_of, type_heads, ends)
    constraints = InputConstraints(
        tuple(type_heads),
        tuple(ends),
        tuple([len(below[group[0]]) for group in units]),
        tuple([None if twin is None else type_of[twin] for twin in twins]),
        tuple(before),
    )
    return [kinds[group[0]] for group in units], list(map(tuple, units)), constraints


def _followed(
    bag: WordBag,
    units: Sequence[Sequence[int]],
    type_of: Sequence[int],
    heads: Sequence[int | None],
    ends: Sequence[int],
) -> list[tuple[int, ...]]:
    """All types that must come before each type, by the given orders and heads together."""
    pairs = {(type_of[i], type_of[j]) for i, j in bag.before}
    try:
        found = follow(pairs, lines_of(heads), ends)
    except Crossed as crossed:
        forms = [tuple(unit) for unit in bag.words]
        one, other = (name_of(forms, units[t][0]) for t in crossed.types)
        raise ValueError(
            f"the orders and heads do not go together: {one} and {other} would each have to stand "
            "before the other, since subtrees do not mix: leave out an order or a head"
        ) from None
    return [tuple(types_of(bits)) for bits in found]


def lines_of(heads: Sequence[int | None]) -> tuple[tuple[int, ...], ...]:
    """Each type, its given head, the head of that, and so on; a head is numbered before it."""
    lines: list[tuple[int, ...]] = []
    for t, head in enumerate(heads):
        lines.append((t,) if head is None or head == ROOT else (t, *lines[head]))
    return tuple(lines)


def _grouped(
    bag: WordBag, below: Sequence[Sequence[int]], tops: Sequence[int]
) -> tuple[list[list[int]], list[int | None]]:
    """The units of each type, from the tops down; and of each type a twin's unit, if it has one."""
    looks = _looks(bag, below)
    orders = _orders(bag)
    bound: set[int] = set()  # those of a given order, and their given heads, and the heads of these
    todo_up: list[int | None] = [*orders]
    while todo_up:
        above = todo_up.pop()
        if above is not None and above != ROOT and above not in bound:
            bound.add(above)
            todo_up.append((bag.heads or ())[above])

    def groups(siblings: Sequence[int]) -> list[tuple[list[int], int | None]]:
        """Sorted siblings, interchangeable ones together, each group with its twin."""
        found: list[tuple[list[int], int | None]] = []
        for unit in siblings:
            last = found[-1][0][0] if found and looks[found[-1][0][0]] == looks[unit] else None
            if last is not None and not below[unit] and orders.get(last) == orders.get(unit):
                found[-1][0].append(unit)
            else:
                found.append(([unit], last if not bound & {unit, last} else None))
        return found

    units: list[list[int]] = []
    twins: list[int | None] = []
    by_tag = [(kind.pos, look) for kind, look in zip(bag.unit_types, looks, strict=True)]
    todo = groups(sorted(tops, key=looks.__getitem__))[::-1]
    while todo:
        group, twin = todo.pop()
        units.append(group)
        twins.append(twin)
        children = below[group[0]]
        if len(children) == 1:
            todo.append((list(children), None))
        elif children:
            todo += groups(sorted(children, key=by_tag.__getitem__))[::-1]
    return units, twins


def _looks(bag: WordBag, below: Sequence[Sequence[int]]) -> list[Look]:
    """What siblings are sorted by: words, tag and orders; how many dependents they have; then the
    whole subtree, where that alone can tell them apart. Equal looks have equal subtrees."""
    colours = _colours(bag, below)
    heads = bag.heads or ()
    parents = [(heads[unit], colours[unit]) for unit, children in enumerate(below) if children]
    if len(set(parents)) == len(parents):
        return [(colour, len(children)) for colour, children in zip(colours, below, strict=True)]
    same = Counter(parents)

    def look(unit: int) -> Look:
        # Flat, since nested tuples are compared by recursion. Of two tied subtrees each is at most
        # half of the bag, so this function itself does not go too deep.
        found = [colours[unit], len(below[unit])]
        for part in sorted(map(look, below[unit])):
            found += part
        return tuple(found)

    return [
        look(unit)
        if same.get((heads[unit], colours[unit]), 0) > 1
        else (colours[unit], len(below[unit]))
        for unit in range(len(below))
    ]


def _colours(bag: WordBag, below: Sequence[Sequence[int]]) -> list[int]:
    """A number a unit, by its item type; with orders, refined until it tells apart all it can.

    Where units that differ in their orders are left, one of them (with its equals) is made the
    first, and what follows from that is refined.
    """
    kinds, heads = bag.unit_types, bag.heads or ()
    if not bag.before:
        return [2 * rank + (head == ROOT) for rank, head in zip(_ranks(kinds), heads, strict=True)]
    colours = _ranks([(kind, head == ROOT) for kind, head in zip(kinds, heads, strict=True)])
    orders = _orders(bag)
    while orders:
        colours = _refined(colours, bag, below, orders)
        alike: dict[int, set[tuple[object, ...]]] = {}
        signs = [(orders.get(u), heads[u], bool(below[u]) and u) for u in range(len(heads))]
        for unit in orders:
            alike.setdefault(colours[unit], set()).add(signs[unit])
        tied = [colour for colour, members in alike.items() if len(members) > 1]
        if not tied:
            break
        first = signs[colours.index(min(tied))]
        colours = _ranks([(colour, signs[u] != first) for u, colour in enumerate(colours)])
    return colours


def _refined(
    colours: list[int],
    bag: WordBag,
    below: Sequence[Sequence[int]],
    orders: Mapping[int, tuple[tuple[int, ...], tuple[int, ...]]],
) -> list[int]:
    """Colours that also tell apart what differs in the colours around it."""
    while True:
        keys = []
        for unit, head in enumerate(bag.heads or ()):
            over = -1 if head is None or head == ROOT else colours[head]
            earlier, later = orders.get(unit, ((), ()))
            around = (below[unit], earlier, later)
            seen = (tuple(sorted(colours[u] for u in units)) for units in around)
            keys.append((colours[unit], over, *seen))
        finer = _ranks(keys)
        if max(finer) == max(colours):
            return finer
        colours = finer


def _orders(bag: WordBag) -> dict[int, tuple[tuple[int, ...], tuple[int, ...]]]:
    """The units that stand before, and after, each unit of which any order is given."""
    units = {unit for pair in bag.before for unit in pair}
    return {
        unit: (
            tuple(first for first, then in bag.before if then == unit),
            tuple(then for first, then in bag.before if first == unit),
        )
        for unit in units
    }


def _ranks(keys: Sequence[tuple[object, ...]]) -> list[int]:
    """The place of each key among the different ones."""
    places = {key: place for place, key in enumerate(sorted(set(keys)))}
    return [places[key] for key in keys]


# --- Given orders


class Crossed(ValueError):
    """Two types would have to stand before each other."""

    def __init__(self, types: tuple[int, int]) -> None:
        super().__init__(f"types {types[0]} and {types[1]} stand before each other")
        self.types = types


def follow(
    pairs: Iterable[tuple[int, int]], lines: Sequence[Sequence[int]], ends: Sequence[int]
) -> list[int]:
    """For each type the set, a bit a type, of those before it; raises ``Crossed`` for a
    contradiction.

    ``lines[t]`` are a type, its given head, the head of that and so on.
    """
    before, after = [0] * len(lines), [0] * len(lines)
    todo = [(1 << first, 1 << then) for first, then in pairs]
    seen: set[tuple[int, int]] = set()
    while todo:
        firsts, thens = todo.pop()
        if (firsts, thens) in seen:
            continue
        seen.add((firsts, thens))
        earlier, later = firsts, thens
        for t in types_of(firsts):
            earlier |= before[t]
        for t in types_of(thens):
            later |= after[t]
        if earlier & later:
            raise Crossed((types_of(firsts)[0], types_of(thens)[0]))
        for then in types_of(later):
            for first in types_of(earlier & ~before[then]):
                if lines[first][-1] == lines[then][-1]:
                    one = _side(first, lines[first], lines[then], ends)
                    todo.append((one, _side(then, lines[then], lines[first], ends)))
            before[then] |= earlier
        for first in types_of(earlier):
            after[first] |= later
    return before


def _side(t: int, line: Sequence[int], other: Sequence[int], ends: Sequence[int]) -> int:
    """What moves with ``t``: its subtree below the last head that it shares with the other type."""
    above = set(other)
    if t in above:  # the other type is below it: the word moves alone
        return 1 << t
    top = [one for one in line if one not in above][-1]
    return (1 << ends[top]) - (1 << top)


def types_of(bits: int) -> list[int]:
    """The types in a set, ascending."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found


# --- What is given, told by types


@dataclass(frozen=True)
class InputConstraints:
    """The given heads and orders, by type.

    ``heads[t]`` is the type of the given head, -1 for the root of the sentence, ``None`` if it is
    not known; ``ends[t]`` the type after the last given descendant; ``dependents[t]`` how many
    units have ``t`` as their given head; ``twins[t]`` an equal subtree that is begun before this
    one, or ``None``; ``before[t]`` the types that are used up before ``t`` is shifted, given or
    following from what is given (``type_numbering``). ``tops[t]`` is the type at the top of the
    given tree of ``t``; ``anything`` says whether heads or orders are given at all;
    ``interleaving`` are the orders between two given trees.
    """

    heads: tuple[int | None, ...]
    ends: tuple[int, ...]
    dependents: tuple[int, ...]
    twins: tuple[int | None, ...]
    before: tuple[tuple[int, ...], ...]
    tops: tuple[int, ...] = field(init=False)
    anything: bool = field(init=False)
    interleaving: tuple[tuple[int, int], ...] = field(init=False)

    def __post_init__(self) -> None:
        tops = [line[-1] for line in lines_of(self.heads)]
        orders = any(self.before)
        interleaving = [
            (first, then)
            for then, earlier in enumerate(self.before if orders else ())
            for first in earlier
            if tops[first] != tops[then] and not self.is_free(first) and not self.is_free(then)
        ]
        given = orders or self.heads.count(None) < len(self.heads)
        derived = {"tops": tuple(tops), "anything": given, "interleaving": tuple(interleaving)}
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def is_free(self, t: int) -> bool:
        """Whether a type has no given head and no given dependents."""
        return self.heads[t] is None and not self.dependents[t]

    @cached_property
    def family(self) -> tuple[range, ...]:
        """Each type with all its given descendants."""
        return tuple([range(t, end) for t, end in enumerate(self.ends)])

    @cached_property
    def component(self) -> tuple[range, ...]:
        """All types that given arcs connect with each type."""
        return tuple([self.family[top] for top in self.tops])

    @cached_property
    def line(self) -> tuple[tuple[int, ...], ...]:
        """Each type, its given head, the head of that, and so on."""
        return lines_of(self.heads)


@lru_cache(maxsize=1024)
def nothing_given(types: int) -> InputConstraints:
    """The constraints of so many types of which nothing is given."""
    ends = tuple(range(1, types + 1))
    return InputConstraints((None,) * types, ends, (0,) * types, (None,) * types, ((),) * types)
