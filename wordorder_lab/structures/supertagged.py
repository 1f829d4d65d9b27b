"""A sentence whose words have lexical categories: what a supertagger learns from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from wordorder_lab.structures.category import Category
from wordorder_lab.structures.sentence import Sentence

Unit = tuple[str, ...]
"""A word, or the words of a phrase that is kept whole."""


@dataclass(frozen=True, slots=True)
class Supertagged:
    """Units in their true order, a tag and a category for each; ``name`` says where from.

    Raises ``ValueError`` for lists of unequal length, and for none.
    """

    words: tuple[Unit, ...]
    pos: tuple[str, ...]
    categories: tuple[Category, ...]
    name: str = ""

    def __post_init__(self) -> None:
        if not len(self.words) == len(self.pos) == len(self.categories) > 0:
            raise ValueError(
                f"{self.name or 'a sentence'}: {len(self.words)} words, {len(self.pos)} tags and "
                f"{len(self.categories)} categories; one of each a word is wanted"
            )

    def __len__(self) -> int:
        return len(self.words)

    @classmethod
    def of(cls, sentence: Sentence) -> Supertagged:
        """The leaves of a sentence's derivation.

        Raises ``ValueError`` where it has none, or one of other words.
        """
        if sentence.derivation is None:
            raise ValueError(f"{sentence.name or sentence.text}: there is no derivation")
        leaves = sentence.derivation.leaves()
        if [leaf.word for leaf in leaves] != [token.form for token in sentence]:
            raise ValueError(
                f"{sentence.name or sentence.text}: the words of the derivation are not those of "
                "the sentence"
            )
        words, tags = zip(*((token.words, token.pos) for token in sentence))
        return cls(words, tags, tuple(leaf.category for leaf in leaves), sentence.name)


def supertagged(sentences: Iterable[Sentence | Supertagged]) -> list[Supertagged]:
    """Those of the sentences that have categories, derivations read as such.

    Raises ``ValueError`` for a derivation of other words.
    """
    return [
        given if isinstance(given, Supertagged) else Supertagged.of(given)
        for given in sentences
        if isinstance(given, Supertagged) or given.derivation is not None
    ]
