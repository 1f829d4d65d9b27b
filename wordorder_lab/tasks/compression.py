"""Sentence compression as a task: the capital of a beginning goes before, and comes back after.

A word has a capital because it is a name or because a sentence begins with it. In a shorter version
another word may come first, so systems see *the* wherever *the* stands, and whatever comes out gets
its first capital back.

Differences. Cohn and Lapata (2009) say nothing about case. Only the tag tells a name here, so an
adjective like *Norwegian* loses its capital at the beginning of a sentence and keeps it elsewhere.
In the Gazette both sides of all 1,123 pairs write every word alike once they are prepared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from nltk.tree import Tree

from wordorder_lab.structures.compression import CompressionPair

Words = TypeVar("Words", list[str], Tree)
NAMES = frozenset(["NNP", "NNPS"])


def prepared(tree: Tree) -> Tree:
    """A copy in which the sentence does not begin with a capital for its beginning's sake.

    It concerns the first word, signs passed over. Names keep their capital, by their tag NNP or
    NNPS, and so do *I*, other single letters but *A*, and words with a capital inside: *GDP*.
    """
    copy = tree.copy(deep=True)
    place = _first(copy.leaves())
    if place is not None:
        at = copy.leaf_treeposition(place)
        word, tag = copy[at], copy[at[:-1]].label()
        if tag not in NAMES and word[1:] == word[1:].lower() and (len(word) > 1 or word == "A"):
            copy[at] = word.lower()
    return copy


def presented(sentence: Words) -> Words:
    """A copy, words or a tree, whose first word has a capital again, signs passed over.

    A word with a capital inside stays as it is: *eBay*.
    """
    if isinstance(sentence, Tree):
        copy = sentence.copy(deep=True)
        for place, word in enumerate(presented(sentence.leaves())):
            copy[copy.leaf_treeposition(place)] = word
        return copy
    words = list(sentence)
    first = _first(words)
    if first is not None and words[first] == words[first].lower():
        words[first] = words[first][0].upper() + words[first][1:]
    return words


def prepared_pair(pair: CompressionPair) -> CompressionPair:
    """The pair with its source and every target prepared."""
    return replace(pair, source=prepared(pair.source), targets=tuple(map(prepared, pair.targets)))


def _first(words: Sequence[str]) -> int | None:
    """The place of the first word that is no sign; a number is a word."""
    return next((i for i, word in enumerate(words) if word[:1].isalnum()), None)
