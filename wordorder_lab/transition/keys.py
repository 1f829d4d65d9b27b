"""Features as whole numbers: what both engines and the model file agree on.

Words and tags are numbered in sorted order; a feature becomes one 64-bit key, its template and up
to three values in a mixed radix. Nothing is hashed away: a key stands for one feature alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from wordorder_lab.structures.templates import FIRST, Feature, Value
from wordorder_lab.transition.templates import MAX_ATOMS, TemplateSet

BEGIN = "-BEGIN-"
"""What stands before the first word of a sentence, as word and as tag."""


# --- Keys


@dataclass(frozen=True)
class FeatureKeys:
    """The numbering of words and tags, and the arithmetic of keys.

    ``words`` and ``tags`` are sorted. Raises ``ValueError`` if a key would not fit into 63 bits.
    """

    templates: TemplateSet
    words: tuple[str, ...]
    tags: tuple[str, ...]
    word_ids: dict[str, int] = field(init=False, repr=False, compare=False)
    tag_ids: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "word_ids", {w: i for i, w in enumerate(self.words, FIRST)})
        object.__setattr__(self, "tag_ids", {t: i for i, t in enumerate(self.tags, FIRST)})
        if len(self.templates) * self.radix**MAX_ATOMS >= 2**63:
            raise ValueError(f"{len(self.words)} words are too many for feature keys of 64 bits")

    @classmethod
    def of(cls, templates: TemplateSet, words: Iterable[str], tags: Iterable[str]) -> FeatureKeys:
        """Number the words and tags of a training corpus; ``BEGIN`` is always among them."""
        return cls(templates, tuple(sorted({*words, BEGIN})), tuple(sorted({*tags, BEGIN})))

    @property
    def radix(self) -> int:
        """Every value of a feature is below this."""
        return max(len(self.words) + FIRST, len(self.tags) + FIRST, 64)

    def key(self, feature: Feature) -> int | None:
        """The key of a named feature; ``None`` if it holds a word or tag that has no number."""
        index = feature[0]
        assert isinstance(index, int)
        key = 0
        for atom, value in zip(self.templates.templates[index].atoms, feature[1:], strict=True):
            number = self._number(atom.attribute, value)
            if number is None:
                return None
            key = key * self.radix + number
        return key * len(self.templates) + index

    def _number(self, attribute: str, value: Value) -> int | None:
        if isinstance(value, int):
            return value + FIRST
        return (self.word_ids if attribute == "w" else self.tag_ids).get(value)

    def feature(self, key: int) -> Feature:
        """The named feature of a key."""
        rest, index = divmod(int(key), len(self.templates))
        values: list[Value] = []
        for atom in reversed(self.templates.templates[index].atoms):
            rest, number = divmod(rest, self.radix)
            values.append(self._name(atom.attribute, number))
        return (index, *reversed(values))

    def _name(self, attribute: str, number: int) -> Value:
        if attribute == "n":
            return number - FIRST
        names: Sequence[str] = self.words if attribute == "w" else self.tags
        return names[number - FIRST]
