"""Which tags a unit, and which labels an arc, may have where none is given.

Liu et al. 2015, section 3: SHIFT-Word-POS chooses the tag. Zhang & Clark 2015, section 5.7: the
system labels the dependency links that it makes.

Differences
- *Our reading*, Liu et al., section 3.2.1: a word without a tag may have any. Here a word seen in
  training may have the tags that it was seen with and any other word every tag, as in the authors'
  program.
- *Paper silent*: phrases that are kept whole are looked up by their last word among phrases alone,
  and an unseen one may have every tag that phrases have.
- *Paper silent*: which labels a link may get. Here those that training has seen on links into words
  of the same tag, and for an unseen tag every label.
- *Our reading*: the root has a label too (``root`` in Universal Dependencies), from outside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from wordorder_lab.models.file_parts import sorted_texts, texts
from wordorder_lab.models.word_classes import WordClasses, class_of
from wordorder_lab.structures.arguments import WrongArgumentError, checks_arguments
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.problem import Lookup
from wordorder_lab.structures.sentence import Sentence

Entry = tuple[str, bool]
"""A last word, and whether it ends a phrase of several words."""
NO_TAG = "_"
"""Stands for the tags of plain text."""


@dataclass(frozen=True)
class TagDictionary:
    """Which tags a unit may have when its tag is not given (Liu et al. 2015, section 3); ``of``
    builds it.

    ``tags`` are those of each entry, a last word and whether it ends a phrase of several words;
    ``word_tags`` all that any unit has, ``phrase_tags`` all that phrases have. All are sorted.
    """

    tags: Mapping[Entry, tuple[str, ...]]
    word_tags: tuple[str, ...]
    phrase_tags: tuple[str, ...]
    words: frozenset[str] = field(init=False, repr=False, compare=False)
    """The last words of all units."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", frozenset(word for word, _ in self.tags))

    @classmethod
    @checks_arguments
    def of(cls, sentences: Iterable[Sentence]) -> TagDictionary:
        """Collect the tags that words and phrases are seen with."""
        return usual_tags(sentences)

    @classmethod
    @checks_arguments
    def from_entries(cls, rows: Iterable[Sequence[object]]) -> TagDictionary:
        """The dictionary of rows (last word, phrase or not, tag, tag, ...). Raises ``ValueError``
        for a row of other things, and for one without a tag."""
        tags: dict[Entry, tuple[str, ...]] = {}
        for row in rows:
            if not isinstance(row, Sequence) or len(row) < 2:
                raise ValueError("a row of the dictionary of tags is (word, phrase or not, tag...)")
            word, phrase, *rest = row
            word, *entry = texts([word, *rest], "a row of the dictionary of tags")
            if not all(entry) or not entry or phrase not in (0, 1):
                raise ValueError(f"the dictionary of tags has {cited(word)} without a tag")
            tags[word, bool(phrase)] = tuple(entry)
        every = sorted({tag for found in tags.values() for tag in found})
        phrases = sorted({tag for (_, phrase), found in tags.items() if phrase for tag in found})
        return cls(tags, tuple(every), tuple(phrases or every))

    def entries(self) -> list[list[str | int]]:
        """The rows that ``from_entries`` reads: a last word, 1 for a phrase or 0, its tags."""
        return [[word, int(phrase), *tags] for (word, phrase), tags in self.tags.items()]

    def lookup(self, unit: Sequence[str]) -> tuple[str, ...]:
        """The possible tags of a unit, sorted. Raises ``WrongArgumentError`` for what is no row of
        words."""
        try:  # and no ``checks_arguments``: each word of each bag comes by here
            phrase = len(unit) > 1
            known = self.tags.get((unit[-1], phrase))
        except (TypeError, LookupError):
            raise WrongArgumentError(f"a unit is a list of words, not {cited(unit)}") from None
        return known or (self.phrase_tags if phrase else self.word_tags)


def usual_tags(
    sentences: Iterable[Sentence], classes: WordClasses | None = None, share: float = 0.0
) -> TagDictionary:
    """The tags that words and phrases are seen with, each with at least ``share`` (0 to 1) of the
    occurrences; with ``classes`` also those that rare words of each class are seen with."""
    seen: dict[Entry, Counter[str]] = {}
    for sentence in sentences:
        for token in sentence:
            word, phrase = token.words[-1], len(token.words) > 1
            for name in {classes.plain(word), classes(word)} if classes else (word,):
                seen.setdefault((name, phrase), Counter())[token.pos or NO_TAG] += 1
    rows = ((*entry, *_usual(seen[entry], share)) for entry in sorted(seen))
    return TagDictionary.from_entries(rows)


def lookup_by_class(dictionary: TagDictionary, classes: WordClasses | None) -> Lookup:
    """The dictionary's ``lookup``; a unit that was never seen has the tags of its class."""
    if classes is None:
        return dictionary.lookup

    def lookup(unit: tuple[str, ...]) -> tuple[str, ...]:
        word, phrase = classes.plain(unit[-1]), len(unit) > 1
        tags = dictionary.tags
        known = tags.get((word, phrase)) or tags.get((class_of(word), phrase))
        return known or dictionary.lookup(unit)

    return lookup


def _usual(counts: Counter[str], share: float) -> list[str]:
    """Tags with at least a share of the occurrences, sorted; in any case the most frequent."""
    least = min(share * counts.total(), max(counts.values()))
    return sorted(tag for tag, count in counts.items() if count >= least)


@dataclass(frozen=True)
class LabelDictionary:
    """Labels by tag, sorted; built from training sentences by ``of``. ``every`` has all labels,
    sorted; it is empty where the sentences have none."""

    by_tag: Mapping[str, tuple[str, ...]]
    every: tuple[str, ...]

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> LabelDictionary:
        """Collect the labels that tags are seen with; tokens without a label are passed over."""
        seen: dict[str, set[str]] = {}
        for sentence in sentences:
            for token in sentence:
                if token.label:
                    seen.setdefault(token.pos, set()).add(token.label)
        return cls.from_entries((tag, *sorted(labels)) for tag, labels in sorted(seen.items()))

    @classmethod
    def from_entries(cls, rows: Iterable[Sequence[object]]) -> LabelDictionary:
        """The dictionary of rows (tag, label, label, ...), labels in order. Raises ``ValueError``
        for a row of other things, and for one without a label."""
        by_tag: dict[str, tuple[str, ...]] = {}
        for row in rows:
            tag, *labels = texts(row, "a row of the dictionary of labels") or ("",)
            if not labels or not all(labels):
                raise ValueError(f"the dictionary of labels has {cited(tag)} without a label")
            by_tag[tag] = sorted_texts(labels, f"the labels of {cited(tag)}")
        return cls(by_tag, tuple(sorted({one for some in by_tag.values() for one in some})))

    def entries(self) -> list[list[str]]:
        """The rows that ``from_entries`` reads."""
        return [[tag, *labels] for tag, labels in self.by_tag.items()]

    def labels(self, tag: str) -> tuple[str, ...]:
        """The possible labels of an arc into a word with this tag, sorted."""
        return self.by_tag.get(tag) or self.every
