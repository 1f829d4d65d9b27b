"""Tokens as people write them: *It 's a " test " .* becomes *It's a "test".*

nltk's detokenizer (after Penn Treebank's rules) does most of it. It knows quotation marks that open
from those that close only as two backquotes and two apostrophes, so plain ones are told apart here
first, by turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

OPEN, CLOSE = "``", "''"


def detokenized(words: Sequence[str]) -> str:
    """The sentence without the spaces that only tokens have."""
    told, is_open = [], False
    for word in words:
        if word == '"':
            word, is_open = (CLOSE if is_open else OPEN), not is_open
        told.append(word)
    text: str = _detokenizer().detokenize(told)
    return text


@cache
def _detokenizer() -> Any:
    from nltk.tokenize.treebank import TreebankWordDetokenizer

    return TreebankWordDetokenizer()
