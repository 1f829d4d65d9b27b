r"""A small CCG parser, CKY over the combinators: what do these words, in this order, give?

For exercises on categories alone. It keeps the first derivation of every category of a span, short
left parts before long ones, so that functors take whole arguments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wordorder_lab.structures.category import Category
from wordorder_lab.structures.combinators import results
from wordorder_lab.structures.derivation import Derivation

BARE_NOUNS = {"N": "NP"}
"""A noun that is a phrase by itself."""
AND_ADVERBS = {**BARE_NOUNS, "NP": r"(S\NP)\(S\NP)"}
"""And *this year* as an adverb."""

Cell = dict[Category, Derivation]


def parsed(
    words: Sequence[tuple[str, str, str]], changes: Mapping[str, str] = BARE_NOUNS
) -> dict[tuple[int, int], Cell]:
    """Place of the first word and of the one behind the last -> category -> a derivation.

    ``words`` are triples of word, tag and category; ``changes`` says what changes by itself, and
    into what. Raises ``CategoryError``, a ``ValueError``, for what is no category.
    """
    chart: dict[tuple[int, int], Cell] = {}
    for i, (word, tag, category) in enumerate(words):
        chart[i, i + 1] = {}
        leaf = Derivation.leaf(word, tag, Category.parse(category))
        _add(chart[i, i + 1], leaf, changes)
    for length in range(2, len(words) + 1):
        for start in range(len(words) - length + 1):
            cell = chart[start, start + length] = {}
            for middle in range(start + 1, start + length):
                for left in chart[start, middle].values():
                    for right in chart[middle, start + length].values():
                        for joined, _ in results(left.category, right.category):
                            _add(cell, Derivation.binary(joined, left, right), changes)
    return chart


def derivation_of(
    words: Sequence[tuple[str, str, str]], category: str, changes: Mapping[str, str] = BARE_NOUNS
) -> Derivation | None:
    """A derivation of this category over all the words; ``None`` if there is none."""
    return parsed(words, changes)[0, len(words)].get(Category.parse(category))


def tagged(text: str) -> list[tuple[str, str, str]]:
    r"""Triples from ``IBM:NNP:N bought:VBD:(S[dcl]\NP)/NP``."""
    triples = (part.split(":", 2) for part in text.split())
    return [(word, tag, category) for word, tag, category in triples]


def _add(cell: Cell, node: Derivation, changes: Mapping[str, str]) -> None:
    """Keep a node if its category is new, and what it changes into."""
    while node.category not in cell:
        cell[node.category] = node
        if str(node.category) not in changes:
            return
        node = Derivation.unary(Category.parse(changes[str(node.category)]), node)
