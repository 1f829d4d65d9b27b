"""The most frequent of what a word was seen with: its usual category, and its usual tag.

As a tagger of categories this is the baseline that a supertagger has to beat. As a tagger of parts
of speech it stands in where a sentence comes without tags, and no more than that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wordorder_lab.models.file_parts import rows, texts
from wordorder_lab.models.kneser_ney import signature
from wordorder_lab.structures.sentence import Supertagged, Unit

PHRASE = "<phrase>"
"""What a phrase that is kept whole looks like."""


@dataclass(frozen=True)
class MostFrequent:
    """The usual value of each word, of each group for other words, and the usual one of all."""

    words: Mapping[Unit, str]
    groups: Mapping[str, str]
    every: str

    @classmethod
    def of(
        cls, seen: Sequence[tuple[Unit, str, str]], for_groups: Sequence[tuple[Unit, str, str]]
    ) -> MostFrequent:
        """Count (word, group, value); of equally frequent values the first by its text."""
        words = _usual((unit, value) for unit, _, value in seen)
        groups = _usual((group, value) for _, group, value in for_groups)
        every = _usual((0, value) for _, _, value in for_groups)
        return cls(words, groups, every[0])

    def lookup(self, unit: Unit, group: str) -> str:
        """The usual value of a word that is of this group if it was never seen."""
        return self.words.get(unit) or self.groups.get(group) or self.every

    def entries(self) -> dict[str, Any]:
        """Everything, for a model file."""
        words = [[list(unit), value] for unit, value in sorted(self.words.items())]
        return {"words": words, "groups": sorted(self.groups.items()), "every": self.every}

    @classmethod
    def from_entries(cls, entries: Mapping[str, Any], name: str) -> MostFrequent:
        """What ``entries`` gave; ``ValueError`` for anything else."""
        words = {
            texts(unit, name): text(value, name) for unit, value in rows(entries["words"], name)
        }
        groups = {text(group, name): text(value, name) for group, value in entries["groups"]}
        return cls(words, groups, text(entries["every"], name))


def text(value: Any, name: str) -> str:
    """A text; ``ValueError`` for anything else."""
    return texts([value], name)[0]


def _usual(pairs: Iterable[tuple[Any, str]]) -> dict[Any, str]:
    counts: dict[Any, Counter[str]] = {}
    for key, value in pairs:
        counts.setdefault(key, Counter())[value] += 1
    return {
        key: min(values, key=lambda value: (-values[value], value))
        for key, values in counts.items()
    }


def usual_categories(sentences: Iterable[Supertagged]) -> MostFrequent:
    """A word's most frequent category; for words that were never seen, that of the tag."""
    seen = [
        (unit, tag, str(category))
        for sentence in sentences
        for unit, tag, category in zip(sentence.words, sentence.pos, sentence.categories)
    ]
    return MostFrequent.of(seen, seen)


def usual_tags(sentences: Iterable[Supertagged]) -> MostFrequent:
    """A word's most frequent tag; for others that of the words seen once which look like them."""
    seen = [
        (unit, look_of(unit), tag)
        for sentence in sentences
        for unit, tag in zip(sentence.words, sentence.pos)
    ]
    counts = Counter(unit for unit, _, _ in seen)
    once = [row for row in seen if counts[row[0]] == 1]
    return MostFrequent.of(seen, once or seen)


def look_of(unit: Unit) -> str:
    """What a word looks like that was never seen."""
    return PHRASE if len(unit) > 1 else signature(unit[0])
