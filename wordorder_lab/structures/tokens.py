"""Tokens as people write them: text cut into words and signs, and put together again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import cycle


def tokenized(line: str) -> list[str]:
    """The words and signs of a line, as a treebank cuts them; a line that is cut already stays.

    >>> tokenized("It's my cat."), tokenized("It 's my cat .")
    (['It', "'s", 'my', 'cat', '.'], ['It', "'s", 'my', 'cat', '.'])
    """
    words = line.split()
    if all(word.isalnum() or not re.search(r"\w", word) for word in words):
        return words  # nothing to cut; and so without nltk
    from nltk.tokenize import TreebankWordTokenizer

    found = TreebankWordTokenizer().tokenize(line)
    return ['"' if word in ("``", "''") else str(word) for word in found]


def detokenized(words: Sequence[str]) -> str:
    """*It 's a " test " .* becomes *It's a "test".*"""
    from nltk.tokenize.treebank import TreebankWordDetokenizer

    # nltk's knows quotation marks that open from those that close as `` and '' alone.
    marks = cycle(("``", "''"))
    plain = [next(marks) if word == '"' else word for word in words]
    return str(TreebankWordDetokenizer().detokenize(plain))
