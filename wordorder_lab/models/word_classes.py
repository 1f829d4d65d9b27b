"""What an unknown word looks like, in more detail than ``models/kneser_ney`` tells; its class.

Capitals, digits, hyphens and endings, as parsers of treebanks group words that training has not
seen (Klein & Manning 2003, Petrov et al. 2006; neither was at hand, so the groups are ours).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

ENDINGS = ("ed", "ing", "ion", "er", "est", "ly", "ity", "al", "ous", "ive", "able", "y")
"""The first that fits is told of a word of five letters or more."""


def shape(word: str, first: bool = False) -> str:
    """The stand-in of a word; ``first``: it begins the sentence, where a capital says little.

    >>> shape("refunding"), shape("Elsevier"), shape("Elsevier", first=True), shape("10-year")
    ('lower-ing', 'Capital-er', 'Initial-er', 'number-dash')
    """
    letters = [letter for letter in word if letter.isalpha()]
    if any(letter.isdigit() for letter in word):
        look = "number" if not letters or "-" in word else "number-letters"
    elif not letters:
        look = "sign"
    elif word[0].isupper():
        whole = len(letters) > 1 and all(letter.isupper() for letter in letters)
        look = "CAPITALS" if whole else "Initial" if first else "Capital"
    else:
        look = "lower" if word.islower() else "mixed"
    dash = "-dash" if "-" in word else ""
    return look + dash + _ending(word.lower(), look, bool(dash))


def _ending(word: str, look: str, dash: bool) -> str:
    if look.startswith(("number", "sign", "CAPITALS")):
        return "-s" if look == "number-letters" and word.endswith("s") else ""
    if len(word) >= 3 and word.endswith("s") and word[-2] not in "siu":
        return "-s"
    if len(word) < 5 or (dash and not word.endswith(("ed", "ing"))):
        return ""
    return next((f"-{ending}" for ending in ENDINGS if word.endswith(ending)), "")


@dataclass(frozen=True)
class WordClasses:
    """What stands in features for words: the word if it is known, else its class, so that a learner
    knows what to do with words that it has never seen.

    ``known`` are words that were seen often enough; with ``lower_case`` all words are lower-cased
    first. (Back-off to classes is what parsers do; the papers on word ordering have none.)
    """

    known: frozenset[str]
    lower_case: bool = False

    @classmethod
    def of(cls, words: Iterable[str], min_count: int, lower_case: bool = False) -> WordClasses:
        """Those of a text: words with ``min_count`` occurrences stand for themselves."""
        counts = Counter(word.lower() if lower_case else word for word in words)
        known = frozenset(word for word, count in counts.items() if count >= min_count)
        return cls(known, lower_case)

    def __call__(self, word: str) -> str:
        """The word itself if it is known, else its class."""
        word = self.plain(word)
        return word if word in self.known else class_of(word)

    def plain(self, word: str) -> str:
        """The word in the letters in which it is known."""
        return word.lower() if self.lower_case else word


def class_of(word: str) -> str:
    """The class of a word.

    >>> class_of("zorped")
    '\u2039lower-ed\u203a'
    """
    return f"\u2039{shape(word)}\u203a"
