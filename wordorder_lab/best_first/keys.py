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
from itertools import accumulate, pairwise
from typing import ClassVar

from wordorder_lab.best_first.templates import EdgeTemplates
from wordorder_lab.structures.templates import FIRST, Feature, FeatureNumbering

NUMBER_BITS = 5
LARGEST, ZERO = 9, 10
"""Numbers go from -9 to 9 and are stored with 10 added: 0 stays free for an empty slot."""

SIZE_BITS = 11
"""Room for the size of an edge in words: twice ``MAX_UNITS``."""

KEY_BITS = 63
"""A key is never negative as a signed number of 64 bits."""


def _ids(texts: tuple[str, ...]) -> dict[str, int]:
    return {text: i for i, text in enumerate(texts, FIRST)}


@dataclass(frozen=True)
class EdgeKeys(FeatureNumbering):
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

    fields: ClassVar = {"w": "words", "p": "tags", "l": "labels", "c": "categories", "r": "rules"}
    zero: ClassVar = {"n": ZERO, "s": 0}
    ranges: ClassVar = {"n": (ZERO - LARGEST, ZERO + LARGEST + 1), "s": (1, 1 << SIZE_BITS)}
    word_ids = cached_property(lambda self: _ids(self.words))
    tag_ids = cached_property(lambda self: _ids(self.tags))
    label_ids = cached_property(lambda self: _ids(self.labels))
    category_ids = cached_property(lambda self: _ids(self.categories))
    rule_ids = cached_property(lambda self: _ids(self.rules))

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
    def ids(self) -> dict[str, dict[str, int]]:
        """The numbers of texts, by the attribute of an atom."""
        ids = {"w": self.word_ids, "p": self.tag_ids, "l": self.label_ids}
        return {**ids, "c": self.category_ids, "r": self.rule_ids}

    def key(self, feature: Feature) -> int | None:
        """The key of a named feature; ``None`` if it holds a text that has no number."""
        key = index = int(feature[0])
        atoms, places = self.templates.templates[index].atoms, self.places[index]
        for atom, (factor, _), value in zip(atoms, places, feature[1:], strict=True):
            if isinstance(value, int):
                key += (value + self.zero[atom.attribute]) * factor
                continue
            number = self.ids[atom.attribute].get(value)
            if number is None:
                return None
            key += number * factor
        return key

    @cached_property
    def bits(self) -> dict[str, int]:
        """How many bits a field has, by the attribute of its atom."""
        named = {name: (len(texts) + FIRST).bit_length() for name, texts in self.texts.items()}
        return {**named, "n": NUMBER_BITS, "s": SIZE_BITS}

    @cached_property
    def template_bits(self) -> int:
        """How many bits the index of a template has."""
        return len(self.templates).bit_length()

    @cached_property
    def base(self) -> int:
        """Where the fields of values begin."""
        return 1 << self.template_bits

    @cached_property
    def _ends(self) -> tuple[tuple[int, ...], ...]:
        """Template by template: where each field begins, and where the last one ends."""
        sizes = [[self.bits[a.attribute] for a in one.atoms] for one in self.templates.templates]
        return tuple(tuple(accumulate([self.template_bits, *row])) for row in sizes)

    @cached_property
    def shifts(self) -> tuple[tuple[int, ...], ...]:
        """Template by template: how far the number of each atom is shifted."""
        return tuple(row[:-1] for row in self._ends)

    @cached_property
    def places(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """The same as factors, and what a field can hold."""
        return tuple(tuple((1 << a, 1 << b - a) for a, b in pairwise(row)) for row in self._ends)
