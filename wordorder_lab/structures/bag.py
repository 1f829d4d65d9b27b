"""A bag of words: what a word-ordering system is given, typed or made of a sentence.

As a task (``bag_of``) a sentence becomes a bag under a condition. Zhang (2013) and Liu et al.
(2015, section 4.2) give a share of the POS tags and of the dependencies, sampled at random from the
gold tree; 0 is free word ordering, 1 is everything.

Differences
- *Our reading*: a share of the dependencies is one of the arcs between words, n - 1 of n units.
  Zhang & Clark (2015, section 4.1) give relations between words, though section 5.5 has a
  percentage of words. The root is no arc, and is given where all of them are.
- *Paper silent*: how a share is drawn (Liu, section 4.2: at random). Here each sentence has the
  nearest whole number of it, and a greater share holds all of a smaller one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from functools import partial
from graphlib import CycleError, TopologicalSorter
from operator import index
from typing import Any, NamedTuple, SupportsIndex, TypeVar

from wordorder_lab.structures.arguments import checks_arguments
from wordorder_lab.structures.category import Category, CategoryError
from wordorder_lab.structures.messages import brief, cited, listed, shown
from wordorder_lab.structures.sentence import ROOT, Sentence

T = TypeVar("T")
ONCE = (1, 1)
"""The count of a unit that has no other."""

MAX_COUNT = 100
MAX_UNITS = 1000
"""Bags above this size are refused: beam search is quadratic, and such a bag is a mistake."""


class ItemType(NamedTuple):
    """What makes two units of a bag interchangeable: their words, what is given of each, and the
    other forms it may take. What is not given is empty, so that types have one total order."""

    words: tuple[str, ...]
    pos: str
    categories: tuple[str, ...] = ()
    label: str = ""
    others: tuple[tuple[str, ...], ...] = ()

    @property
    def form(self) -> str:
        """The unit as one string."""
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class WordBag:
    """Units in no particular order, with whatever is known about them.

    ``words`` holds a string (or a tuple of words) a unit; a string with spaces is a phrase that is
    kept whole. ``pos[i]`` is a tag, or ``None`` if it is not known. ``heads[i]`` is the index of
    the head of unit ``i`` in this bag, -1 if it is the root, ``None`` if it is not known.
    ``before`` holds pairs of indices: unit ``i`` of a pair ``(i, j)`` stands somewhere before unit
    ``j`` in the output. They are kept sorted, each once.

    ``labels[i]`` is the label of the arc from the head of unit ``i`` (``"nsubj"``), ``None`` if it
    is not known; it may be known where the head is not. ``alternatives[i]`` lists the other forms
    that unit ``i`` may take, in their order, so that of *a* and *an* exactly one is used:
    ``words[i]`` is the first, most probable one. ``None`` says that there are no others.

    Two things are for CCG alone. ``counts[i]`` is (least, most): how often unit ``i`` may be used,
    ``None`` is once (word selection, Zhang & Clark 2011, section 3). ``categories[i]`` lists the
    lexical categories that unit ``i`` may have, ``None`` leaves it to the dictionary. As a table
    ``categories[i]`` also has a supertagger's probability of each, from 0 to 1, which pictures show
    and no search looks at: ``chances[i]`` has these probabilities, and nothing where none is given.
    ``unit_types[i]`` is all of this that tells unit ``i`` from others.

    Raises ``ValueError`` for an empty bag, an empty unit, lists of unequal length, more than
    ``MAX_UNITS`` units, a head or an order outside the bag, counts or categories that cannot be, an
    alternative without words, and for what contradicts itself: two roots, a cycle of heads or of
    orders. That message names the words. Raises ``TypeError`` for a unit or an alternative that is
    neither a string nor a tuple of words, and for a label that is no string.
    """

    words: Sequence[str | tuple[str, ...]]
    pos: Sequence[str | None] | None = None
    heads: Sequence[int | None] | None = None
    before: Sequence[tuple[int, int]] = ()
    counts: Sequence[tuple[int, int] | None] | None = None
    categories: Sequence[Sequence[str] | Mapping[str, float] | None] | None = None
    chances: Sequence[Mapping[str, float]] = field(init=False, default=(), compare=False)
    labels: Sequence[str | None] | None = None
    alternatives: Sequence[Sequence[str | tuple[str, ...]] | None] | None = None
    unit_types: Sequence[ItemType] = field(init=False, default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.words, str):
            raise ValueError(
                "a bag takes a list of units, not one string: "
                f"wl.WordBag({cited(self.words.split())})"
            )
        if not isinstance(self.words, Iterable):
            raise TypeError(f"a bag takes a list of units, not {cited(self.words)}")
        units = tuple(_as_words(u, f"unit {i} of the bag") for i, u in enumerate(self.words))
        object.__setattr__(self, "words", units)
        object.__setattr__(self, "chances", self.categories)
        try:
            before = tuple(sorted({(index(i), index(j)) for i, j in self.before}))
        except (TypeError, ValueError):
            what = "before takes pairs of units, such as [(2, 0)]"
            raise ValueError(f"{what}: unit 2 stands somewhere before unit 0") from None
        object.__setattr__(self, "before", before)
        tags = self._usable("pos", partial(usable_label, what="tag"))
        self._usable("heads", usable_head)
        self._usable("counts", usable_counts)
        lists = self._usable("categories", usable_categories)
        self._usable("chances", usable_chances)
        labels = self._usable("labels", usable_label)
        others = self._usable("alternatives", usable_forms)
        each = zip(units, tags, lists, labels, others, strict=True)
        types = [ItemType(u, tag or "", some or (), lb or "", o) for u, tag, some, lb, o in each]
        object.__setattr__(self, "unit_types", types)
        self._check_units()
        if self.is_constrained:
            self._check_constraints()

    def _usable(self, name: str, usable: Callable[[Any, Any], T]) -> tuple[T, ...]:
        """What is given of each unit under this name, checked; the field has it from now on."""
        values = getattr(self, name)
        if isinstance(values, str):
            raise ValueError(f"{name} takes a list, one a unit, not the string {cited(values)}")
        if values is None:
            values = (None,) * len(self.words)
        if not isinstance(values, Iterable) or not isinstance(values, Sized):
            raise TypeError(f"{name} takes a list, one a word, not {cited(values)}")
        if len(values) != len(self.words):
            raise ValueError(f"{len(self.words)} words but {len(values)} {name}: give one a word")
        found = tuple(map(usable, self.words, values))
        object.__setattr__(self, name, found)
        return found

    def _check_units(self) -> None:
        if not self.words:
            raise ValueError("the bag is empty: give at least one word")
        if len(self.words) > MAX_UNITS:
            raise ValueError(f"the bag has {len(self.words)} units; {MAX_UNITS} are the most")
        wrong = [i for i, unit in enumerate(self.words) if not unit or not all(unit)]
        if wrong:
            raise ValueError(f"unit {wrong[0]} of the bag has no words")
        most = sum(pair[1] for pair in self.counts or () if pair)
        if not 0 < most <= MAX_UNITS:
            raise ValueError(
                f"the counts of the bag allow {most:,} words in all: 1 to {MAX_UNITS:,} may be"
            )

    def _check_constraints(self) -> None:
        units = [kind.words for kind in self.unit_types]
        last = len(units) - 1
        for i, head in enumerate(self.heads or ()):
            if head is not None and (not -1 <= head <= last or head == i):
                raise ValueError(
                    f"unit {i} of the bag ({name_of(units, i)}) has head {head}: give the index of "
                    f"another unit (0 to {last}), -1 for the root, or None"
                )
        for pair in self.before:
            if not all(0 <= i <= last for i in pair):
                raise ValueError(
                    f"the order {pair} is not about this bag: its units are 0 to {last}"
                )
        _check_heads(units, self.heads or ())
        _check_orders(units, self.before)

    def __len__(self) -> int:
        return len(self.words)

    @checks_arguments
    def form(self, i: int) -> str:
        """Unit ``i`` as one string."""
        self._check_places([i])
        return " ".join(self.words[i])

    def _check_places(self, places: Sequence[int]) -> None:
        for i in places:
            if not 0 <= i < len(self.words):
                raise ValueError(f"there is no unit {shown(i)}: they are 0 to {len(self) - 1}")

    @property
    def has_heads(self) -> bool:
        """Whether any head is given."""
        return self.heads is not None and self.heads.count(None) < len(self.heads)

    @property
    def is_constrained(self) -> bool:
        """Whether any head or any order is given."""
        return self.has_heads or bool(self.before)

    @property
    def has_choices(self) -> bool:
        """Whether any unit may be left out or used again, or has a list of categories."""
        return any(pair != ONCE for pair in self.counts or ()) or any(self.categories or ())

    @property
    def has_alternatives(self) -> bool:
        """Whether any unit may take one of several forms."""
        return any(self.alternatives or ())

    @checks_arguments
    def select(self, places: Iterable[int]) -> WordBag:
        """The bag of some of its units, with all that is given among them.

        ``places`` are their indices, from 0, in the order that the new bag shall have. A head that
        was not selected is not known any more; an order with it is left out.
        """
        places = list(places)
        self._check_places(places)
        new = {place: i for i, place in enumerate(places)} | {-1: -1}
        names = ("words", "pos", "heads", "counts", "categories", "labels", "alternatives")
        given = {name: [getattr(self, name)[i] for i in places] for name in names}
        given["heads"] = [None if head is None else new.get(head) for head in given["heads"]]
        given["before"] = [(new[i], new[j]) for i, j in self.before if i in new and j in new]
        pairs = zip([self.chances[i] for i in places], given["categories"])
        given["categories"] = [chances or own for chances, own in pairs]
        return WordBag(**given)

    def types(self) -> list[tuple[ItemType, list[int]]]:
        """The item types in their total order, each with the indices of its units, ascending.

        Two bags that differ in the order of their units alone have the same types with the same
        counts, so a decoder that sees only types cannot depend on that order.
        """
        units: dict[ItemType, list[int]] = {}
        for i, kind in enumerate(self.unit_types):
            units.setdefault(kind, []).append(i)
        return [(kind, units[kind]) for kind in sorted(units)]


def _as_words(unit: object, name: str) -> tuple[str, ...]:
    """The words of a string or of a tuple of words; ``TypeError`` for anything else."""
    if isinstance(unit, str):
        return tuple(unit.split())
    if not isinstance(unit, Sequence) or not all(isinstance(word, str) for word in unit):
        raise _wrong_type(name, unit, "a string, or a tuple of words")
    return tuple(unit)


# --- The label and the forms of a unit


def usable_head(unit: Sequence[str], head: SupportsIndex | None) -> int | None:
    """The head of a unit; ``None`` is not known, and ``TypeError`` for what is no number."""
    try:
        return None if head is None else index(head)
    except TypeError:
        wanted = "the index of a unit, -1 for the root, or None"
        raise _wrong_type(f"the head of {cited(' '.join(unit))}", head, wanted) from None


def _wrong_type(what: str, given: object, wanted: str) -> TypeError:
    return TypeError(f"{what} is of the type {type(given).__name__}: give {wanted}")


def usable_label(unit: Sequence[str], label: object, what: str = "label") -> str | None:
    """A label or tag, ``None`` for an empty one; ``TypeError`` for what is no string."""
    if label is not None and not isinstance(label, str):
        raise _wrong_type(f"the {what} of {cited(' '.join(unit))}", label, "a string, or None")
    return label or None


def usable_forms(unit: tuple[str, ...], others: object) -> tuple[tuple[str, ...], ...]:
    """Other forms; ``TypeError`` for no list of forms, ``ValueError`` for one without words."""
    if others is None:
        return ()
    own = cited(" ".join(unit))
    if isinstance(others, str) or not isinstance(others, Sequence):
        raise TypeError(
            f"the alternatives of {own} are {cited(others)}: give a list of forms, or None"
        )
    found: dict[tuple[str, ...], None] = {}
    for one in others:
        words = _as_words(one, f"an alternative of {own}")
        if not words or not all(words):
            raise ValueError(f"an alternative of {own} has no words: leave it out")
        found[words] = None
    found.pop(unit, None)
    return tuple(found)


# --- What a bag may leave open for CCG


def usable_counts(unit: Sequence[str], pair: Sequence[int] | None) -> tuple[int, int]:
    """(least, most), Zhang & Clark 2011, section 3; ``ValueError`` for what cannot be."""
    if pair is None:
        return ONCE
    match tuple(pair) if isinstance(pair, Sequence) else pair:
        case int(least), int(most) if 0 <= least <= most <= MAX_COUNT:
            return least, most
    raise ValueError(
        f"the counts of {cited(' '.join(unit))} are {cited(pair)}: give (least, most), two "
        f"whole numbers from 0 to {MAX_COUNT}, the first not above the second"
    )


def usable_categories(
    unit: Sequence[str], texts: Sequence[str] | Mapping[str, float] | None
) -> tuple[str, ...] | None:
    """Sorted categories (Zhang & Clark 2011, section 6.1); ``ValueError`` for none."""
    if texts is None:
        return None
    listed = isinstance(texts, Sequence | Mapping) and not isinstance(texts, str)
    if not listed or not texts or not all(isinstance(one, str | Category) for one in texts):
        raise ValueError(
            f"the categories of {cited(' '.join(unit))} are {cited(texts)}: give a list of one "
            "or more, or None"
        )
    try:
        return tuple(sorted({str(Category.parse(str(text))) for text in texts}))
    except CategoryError as error:
        raise ValueError(f"the categories of {cited(' '.join(unit))}: {error}") from None


def usable_chances(unit: Sequence[str], given: object) -> dict[str, float]:
    """The probabilities of its categories, if given; ``ValueError`` for what is none."""
    if not isinstance(given, Mapping):
        return {}
    for category, chance in given.items():
        if isinstance(chance, bool) or not isinstance(chance, int | float) or not 0 <= chance <= 1:
            raise ValueError(
                f"the probability of {brief(category)} for {cited(' '.join(unit))} is "
                f"{cited(chance)}: give a number from 0 to 1, or a list of categories alone"
            )
    return {str(Category.parse(str(category))): float(given[category]) for category in given}


# --- Word ordering as a task


@checks_arguments
def bag_of(
    sentence: Sentence, pos: float = 1, deps: float = 0, seed: int = 1, labels: float = 0
) -> WordBag:
    """The bag of a sentence's units with a share of its tags, heads and labels, shuffled.

    ``pos``, ``deps`` and ``labels`` are shares from 0 to 1: (0, 0) is free word ordering, (1, 1)
    gives the whole tree (Liu et al. 2015, section 4.2). ``seed`` is any whole number.

    A share of the heads is a share of the arcs between words, and one of the labels likewise, drawn
    on its own. With all heads the root is known, as the one unit without a head, and is given as
    well; with fewer it is not; so is its label with all labels. What is sampled depends on the seed
    and the sentence alone. Raises ``ValueError`` for a share outside 0 to 1, and for a sentence of
    more than ``MAX_UNITS`` units, which it names.
    """
    for name, share in (("pos", pos), ("deps", deps), ("labels", labels)):
        if not 0 <= share <= 1:
            raise ValueError(f"{name} is a share between 0 and 1, not {share}")
    if deps and sentence.is_plain:
        raise ValueError(f"{sentence.name} is plain text, which has no heads to give: deps is 0")
    if len(sentence) > MAX_UNITS:
        raise ValueError(
            f"the sentence {sentence.name}, {cited(sentence.text[:40])}..., has {len(sentence):,} "
            f"units; {MAX_UNITS:,} are the most: leave it out, or cut it"
        )
    chance = _chance(sentence, seed)
    n = len(sentence)
    shuffled = chance.sample(range(n), n)
    tagged = set(chance.sample(range(n), n)[: round(pos * n)])
    tokens = sentence.tokens
    arcs = [i for i in chance.sample(range(n), n) if tokens[i].head != ROOT]
    headed = set(arcs[: round(deps * len(arcs))] if deps < 1 else range(n))
    place = {token: i for i, token in enumerate(shuffled)} | {ROOT: ROOT}
    again = chance.sample(arcs, len(arcs))  # the last draw, so that the others stay what they were
    labelled = set(again[: round(labels * len(arcs))] if labels < 1 else range(n))
    return WordBag(
        [tokens[i].words for i in shuffled],
        [tokens[i].pos if i in tagged else None for i in shuffled],
        [place[tokens[i].head] if i in headed else None for i in shuffled],
        labels=[tokens[i].label if i in labelled else None for i in shuffled],
    )


def places(sentence: Sentence, seed: int = 1) -> list[int]:
    """Where the tokens of a sentence are in its bag, whatever the shares."""
    n = len(sentence)
    shuffled = _chance(sentence, seed).sample(range(n), n)
    return sorted(range(n), key=shuffled.__getitem__)


def _chance(sentence: Sentence, seed: int) -> random.Random:
    key = f"{seed} {sentence.name} {sentence.text}"
    return random.Random(key.encode("utf-8", "surrogateescape"))  # a name may be no text


@dataclass(frozen=True, slots=True)
class OrderingExample:
    """A bag with its gold sentence: token ``i`` of ``gold`` is unit ``places[i]`` of ``bag``, made
    of the sentence (``of``) or of a tree of lemmas. Raises ``ValueError`` where tokens and units
    are not one to one, and for a token that has other words than its unit's forms, another tag or
    label than is given."""

    bag: WordBag
    gold: Sentence
    places: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "places", tuple(self.places))
        if not sorted(self.places) == list(range(len(self.bag))) == list(range(len(self.gold))):
            raise ValueError(
                f"{len(self.gold)} tokens of {self.gold.name or 'the sentence'} and "
                f"{len(self.bag)} units of its bag are not matched one to one: give for each token "
                "the index of its unit"
            )
        for token, unit in zip(self.gold, self.places, strict=True):
            kind = self.bag.unit_types[unit]
            given = ("tag", kind.pos, token.pos), ("label", kind.label, token.label)
            wrong = [name for name, value, gold in given if value and value != gold]
            if token.words not in (kind.words, *kind.others):
                wrong = ["words"]
            if wrong:
                raise ValueError(
                    f"{cited(token.form)} in {self.gold.name or 'the sentence'} does not have the "
                    f"{wrong[0]} that its unit {unit} ({cited(kind.form)}) has in the bag"
                )

    @classmethod
    def of(
        cls, sentence: Sentence, pos: float = 1, deps: float = 0, seed: int = 1, labels: float = 0
    ) -> OrderingExample:
        """The example of a sentence and its own bag; the arguments are those of ``bag_of``."""
        bag = bag_of(sentence, pos, deps, seed, labels)
        return cls(bag, sentence, tuple(places(sentence, seed)))


# --- Heads and orders that contradict each other
#
# Messages name words, not numbers: a list in Python counts from 0, a typed line from 1.

Units = Sequence[tuple[str, ...]]
SHOWN = 8


def _check_heads(units: Units, heads: Sequence[int | None]) -> None:
    roots = [i for i, head in enumerate(heads) if head == -1]
    if len(roots) > 1:
        named = listed([name_of(units, i) for i in roots])
        raise ValueError(
            f"{len(roots)} units are given as the root, {named}: a tree has one root, so give the "
            "others another head or none"
        )
    given = ((i, head) for i, head in enumerate(heads) if head is not None and head >= 0)
    _refuse_cycle(units, "heads", given, " -> ", "-> points at the head")


def _check_orders(units: Units, before: Sequence[tuple[int, int]]) -> None:
    for i, j in before:
        if i == j:
            raise ValueError(
                f"{name_of(units, i)} cannot stand before itself: an order takes two units"
            )
    _refuse_cycle(units, "orders", before, " < ", "< says: stands before")


def _refuse_cycle(
    units: Units, what: str, arrows: Iterable[tuple[int, int]], arrow: str, says: str
) -> None:
    if cycle := find_cycle(arrows):
        names = [name_of(units, i) for i in cycle]
        if len(names) > SHOWN + 1:
            names[SHOWN // 2 : -SHOWN // 2] = [f"... {len(names) - 1 - SHOWN} more ..."]
        chain = f"the {what} go round in a cycle, {arrow.join(names)}"
        raise ValueError(f"{chain} ({says}): leave one of them out")


def find_cycle(arrows: Iterable[tuple[int, int]]) -> list[int]:
    """The numbers along a cycle of these arrows, from its least one back to it; empty if none."""
    graph: TopologicalSorter[int] = TopologicalSorter()
    for i, j in arrows:
        graph.add(j, i)
    try:
        graph.prepare()
    except CycleError as error:
        cycle = list(error.args[1])[1:]
        start = cycle.index(min(cycle))
        return [*cycle[start:], *cycle[:start], cycle[start]]
    return []


def name_of(units: Units, i: int) -> str:
    """A unit as a message names it: ``'a team'``, or ``'boats' (no. 2 of 3)`` if there are more."""
    twins = [j for j, unit in enumerate(units) if unit == units[i]]
    many = f" (no. {twins.index(i) + 1} of {len(twins)})" if len(twins) > 1 else ""
    return f"{cited(' '.join(units[i]))}{many}"
