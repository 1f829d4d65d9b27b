"""How good the derivations are that come with the outputs: the precision of lexical categories.

Zhang & Clark 2011, section 6: the order of an output may be another than the reference's, and so
may its words, so derivations cannot be compared as trees. Output and gold derivation are each taken
as a bag of pairs, a unit and its category; the precision is the share of the output's pairs that
are in the gold bag too.

Differences
- *Paper silent*: whether sentences are averaged. Here all pairs of all sentences are counted
  together.
- *Our reading*: "word/category pairs" are of units, so a base NP that is kept whole is one pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from wordorder_lab.structures.derivation import Derivation

Pairs = Sequence[tuple[str, str]]
"""The units of a sentence, each with its lexical category, in any order."""


def category_pairs(derivations: Iterable[Derivation]) -> Pairs:
    """The pairs of a derivation, or of those that an output is put together from."""
    return tuple(
        (leaf.word, str(leaf.category))
        for derivation in derivations
        for leaf in derivation.leaves()
    )


def category_precision(outputs: Sequence[Pairs], golds: Sequence[Pairs]) -> float | None:
    """The share of the outputs' pairs that are matched, from 0 to 1; ``None`` without any pair.

    Raises ``ValueError`` for lists of unequal length.
    """
    return precision_of(matched_pairs(outputs, golds))


def matched_pairs(outputs: Sequence[Pairs], golds: Sequence[Pairs]) -> list[tuple[int, int]]:
    """Of each output how many of its pairs are matched, and how many there are.

    Raises ``ValueError`` for lists of unequal length.
    """
    if len(outputs) != len(golds):
        raise ValueError(f"{len(outputs)} outputs but {len(golds)} gold bags: give one each")
    return [
        ((Counter(output) & Counter(gold)).total(), len(output))
        for output, gold in zip(outputs, golds)
    ]


def precision_of(counts: Iterable[tuple[int, int]]) -> float | None:
    """The precision of all sentences together, of which ``matched_pairs`` are the counts."""
    matched = total = 0
    for of_output in counts:
        matched += of_output[0]
        total += of_output[1]
    return matched / total if total else None
