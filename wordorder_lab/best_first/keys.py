"""Features of edges as whole numbers: what both engines and the model file agree on.

Words, tags and labels are numbered in sorted order. A key holds the index of the template in its
lowest bits and above it a field of bits for each atom, the first atom lowest:

    key(feature)  =  template  |  number of value 1 << shift 1  |  number of value 2 << shift 2 ...

Nothing is hashed away: a key stands for one feature alone. In CCG categories and rules are numbered
in the same way, and sizes are whole numbers of their own.

Differences
- *Paper silent*: how features are stored. Liu et al.'s templates have three values at most and keys
  in one mixed radix; here a template has up to five, and with 40,000 words 19 of Table 2's 75 would
  not fit into 63 bits. With fields for each kind of value they need 56. Model files hold keys, so
  each numbering stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wordorder_lab.best_first.templates import EdgeTemplates
from wordorder_lab.structures.templates import FIRST, Feature, Value

NUMBER_BITS = 5
LARGEST, ZERO = 9, 10
"""Numbers go from -9 to 9 and are stored with 10 added: 0 stays free for an empty slot."""

SIZE_BITS = 11
"""Room for the size of an edge in words: twice ``MAX_UNITS``."""

KEY_BITS = 63
"""A key is never negative as a signed number of 64 bits."""


@dataclass(frozen=True)
class EdgeKeys:
    """The numbering of words and tags, and the arithmetic of keys.

    ``words``, ``tags``, in CCG ``categories`` and ``rules`` (their texts), and the ``labels`` of
    arcs where they are learned, are sorted; their numbers start at 2: 0 is for an empty slot, 1 for
    what training never saw. Raises ``ValueError`` if a template's keys would not fit into 63 bits.
    """

    templates: EdgeTemplates
    words: tuple[str, ...]
    tags: tuple[str, ...]
    categories: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for template, ends in zip(self.templates.templates, self._ends, strict=True):
            if ends[-1] > KEY_BITS:
                raise ValueError(
                    f"{template.name} would need keys of {ends[-1]} bits; {KEY_BITS} are the most:"
                    f" {len(self.words):,} words and {len(self.tags):,} tags are too many"
                )

    @classmethod
    def of(
        cls,
        templates: EdgeTemplates,
        words: Iterable[str],
        tags: Iterable[str],
        categories: Iterable[str] = (),
        rules: Iterable[str] = (),
        labels: Iterable[str] = (),
    ) -> EdgeKeys:
        """Number what a training corpus holds."""
        every = (words, tags, categories, rules, labels)
        return cls(templates, *(tuple(sorted(set(texts))) for texts in every))

    @cached_property
    def word_ids(self) -> dict[str, int]:
        """The number of each word."""
        return {word: i for i, word in enumerate(self.words, FIRST)}

    @cached_property
    def tag_ids(self) -> dict[str, int]:
        """The number of each tag."""
        return {tag: i for i, tag in enumerate(self.tags, FIRST)}

    @cached_property
    def category_ids(self) -> dict[str, int]:
        """The number of each category."""
        return {text: i for i, text in enumerate(self.categories, FIRST)}

    @cached_property
    def rule_ids(self) -> dict[str, int]:
        """The number of each rule."""
        return {text: i for i, text in enumerate(self.rules, FIRST)}

    @cached_property
    def label_ids(self) -> dict[str, int]:
        """The number of each label."""
        return {label: i for i, label in enumerate(self.labels, FIRST)}

    @cached_property
    def _texts(self) -> dict[str, tuple[str, ...]]:
        """What is numbered, by the attribute of an atom."""
        named = {"w": self.words, "p": self.tags, "c": self.categories, "r": self.rules}
        return {**named, "l": self.labels}

    @cached_property
    def bits(self) -> dict[str, int]:
        """How many bits a field has, by the attribute of its atom."""
        named = {name: (len(texts) + FIRST).bit_length() for name, texts in self._texts.items()}
        return {**named, "n": NUMBER_BITS, "s": SIZE_BITS}

    @cached_property
    def template_bits(self) -> int:
        """How many bits the index of a template has."""
        return len(self.templates).bit_length()

    @cached_property
    def _ends(self) -> tuple[tuple[int, ...], ...]:
        """Template by template: where each field begins, and where the last one ends."""
        rows = []
        for template in self.templates.templates:
            row = [self.template_bits]
            for atom in template.atoms:
                row.append(row[-1] + self.bits[atom.attribute])
            rows.append(tuple(row))
        return tuple(rows)

    @cached_property
    def shifts(self) -> tuple[tuple[int, ...], ...]:
        """Template by template: how far the number of each atom is shifted."""
        return tuple(row[:-1] for row in self._ends)

    def key(self, feature: Feature) -> int | None:
        """The key of a named feature; ``None`` if it holds a text that has no number."""
        index = feature[0]
        assert isinstance(index, int)
        key = index
        atoms, shifts = self.templates.templates[index].atoms, self.shifts[index]
        for atom, shift, value in zip(atoms, shifts, feature[1:], strict=True):
            number = self._number(atom.attribute, value)
            if number is None:
                return None
            key |= number << shift
        return key

    def _number(self, attribute: str, value: Value) -> int | None:
        if isinstance(value, int):
            if attribute == "s":
                return value
            assert -LARGEST <= value <= LARGEST
            return value + ZERO
        return self._ids[attribute].get(value)

    @cached_property
    def _ids(self) -> dict[str, dict[str, int]]:
        """The numbers of what is numbered, by the attribute of an atom."""
        ids = {"w": self.word_ids, "p": self.tag_ids, "c": self.category_ids, "r": self.rule_ids}
        return {**ids, "l": self.label_ids}

    def check(self, keys: np.ndarray) -> None:
        """Raise ``ValueError`` for keys, none below 0, of which one stands for no feature."""
        wrong = np.ones(len(keys), bool)
        index = keys & ((1 << self.template_bits) - 1)
        for number, template in enumerate(self.templates.templates):
            mine = index == number
            values, end = keys[mine], self._ends[number][-1]
            outside = values >> end > 0 if end < KEY_BITS else np.zeros(len(values), bool)
            for atom, shift in zip(template.atoms, self.shifts[number], strict=True):
                value = (values >> shift) & ((1 << self.bits[atom.attribute]) - 1)
                least, above = self._range(atom.attribute)
                outside |= (value < least) | (value >= above)
            wrong[mine] = outside
        if wrong.any():
            raise ValueError(f"the key {keys[wrong][0]} is that of no feature")

    def _range(self, attribute: str) -> tuple[int, int]:
        """The least number of a field, and the first that is too large."""
        if attribute == "n":
            return ZERO - LARGEST, ZERO + LARGEST + 1
        if attribute == "s":
            return 1, 1 << SIZE_BITS
        return FIRST, FIRST + len(self._texts[attribute])

    def feature(self, key: int) -> Feature:
        """The named feature of a key."""
        key = int(key)
        index = key & ((1 << self.template_bits) - 1)
        values: list[Value] = []
        for atom, shift in zip(self.templates.templates[index].atoms, self.shifts[index]):
            number = (key >> shift) & ((1 << self.bits[atom.attribute]) - 1)
            values.append(self._name(atom.attribute, number))
        return (index, *values)

    def _name(self, attribute: str, number: int) -> Value:
        if attribute == "n":
            return number - ZERO
        if attribute == "s":
            return number
        return self._texts[attribute][number - FIRST]
