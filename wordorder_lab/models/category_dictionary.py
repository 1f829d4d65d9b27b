"""Which lexical categories a word may have.

Zhang & Clark 2011, section 6.1: a word that occurs more than 20 times has the categories that it
was seen with; any other word has those that its tag was seen with.

Differences
- *Paper silent*, 2011, section 6.1: words are looked up as they are, a phrase that is kept whole by
  all its words.
- *Paper silent*: a word that is not frequent and has a tag that training never saw may have every
  lexical category.
- *Paper silent*: in training, the gold category of a word is always among its candidates (the
  learner asks for that with ``more``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from wordorder_lab.models.file_parts import rows, texts
from wordorder_lab.structures.arguments import WrongArgumentError, checks_arguments
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.messages import cited
from wordorder_lab.structures.sentence import Sentence, Supertagged, supertagged

SEEN = 20
"""A word has an entry of its own if it was seen more often than this."""

ENTRIES = ("words", "tags")
"""What has categories."""

Categories = tuple[Category, ...]
Key = TypeVar("Key", str, tuple[str, ...])


@dataclass(frozen=True)
class CategoryDictionary:
    """Which lexical categories a word may have (Zhang & Clark 2011, section 6.1); ``of`` builds it.

    ``words`` has the categories of each frequent word, or phrase that is kept whole, as a tuple of
    its words; ``tags`` those of each tag. Both are sorted by the text of the categories.
    """

    words: Mapping[tuple[str, ...], Categories]
    tags: Mapping[str, Categories]

    @classmethod
    @checks_arguments
    def of(
        cls, sentences: Iterable[Sentence | Supertagged], seen: int = SEEN
    ) -> CategoryDictionary:
        """Collect what training sentences show; those without categories show nothing. A word has
        an entry of its own if it was seen more often than ``seen``, from 0 up. Raises
        ``ValueError`` for a derivation of other words than the sentence's."""
        counts: Counter[tuple[str, ...]] = Counter()
        words: dict[tuple[str, ...], set[Category]] = {}
        tags: dict[str, set[Category]] = {}
        for sentence in supertagged(sentences):
            for unit, tag, category in zip(sentence.words, sentence.pos, sentence.categories):
                counts[unit] += 1
                words.setdefault(unit, set()).add(category)
                tags.setdefault(tag, set()).add(category)
        often = {word: shown for word, shown in words.items() if counts[word] > seen}
        return cls(_sorted(often), _sorted(tags))

    @classmethod
    @checks_arguments
    def from_entries(cls, entries: Mapping[str, Sequence[Any]]) -> CategoryDictionary:
        """The dictionary of what ``entries`` gave; ``ValueError`` for anything else."""
        if missing := [name for name in ENTRIES if name not in entries]:
            raise ValueError(f"the dictionary of categories has no {' and no '.join(missing)}")
        words, tags = (rows(entries[name], f"the categories of {name}") for name in ENTRIES)
        return cls(
            {texts(word, "a word with categories"): _parsed(own) for word, own in words},
            {texts([tag], "a tag with categories")[0]: _parsed(own) for tag, own in tags},
        )

    def entries(self) -> dict[str, list[Any]]:
        """Everything, for a model file."""
        return {
            "words": [[list(word), list(map(str, own))] for word, own in self.words.items()],
            "tags": [[tag, list(map(str, own))] for tag, own in self.tags.items()],
        }

    def lookup(self, unit: Sequence[str], pos: str) -> Categories:
        """The possible categories of a unit with this tag; every one if neither is known. Raises
        ``WrongArgumentError`` for what is no row of words, or no tag."""
        try:  # and no ``checks_arguments``: each word of each bag comes by here
            return self.words.get(tuple(unit)) or self.tags.get(pos) or self.categories
        except TypeError:
            told = f"{cited(unit)} and {cited(pos)}"
            raise WrongArgumentError(f"a unit is words, its tag a string, not {told}") from None

    @cached_property
    def categories(self) -> Categories:
        """Every lexical category, sorted by its text."""
        every = {label for own in (*self.words.values(), *self.tags.values()) for label in own}
        return tuple(sorted(every, key=str))


def _sorted(seen: Mapping[Key, set[Category]]) -> dict[Key, Categories]:
    return {key: tuple(sorted(seen[key], key=str)) for key in sorted(seen)}


def _parsed(own: Sequence[str]) -> Categories:
    if not own:
        raise ValueError("a word or tag has no category")
    return tuple(map(Category.parse, texts(own, "the categories of a word or tag")))
