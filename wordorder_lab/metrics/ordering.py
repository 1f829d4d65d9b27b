"""The scores of a word-ordering system over many sentences, as tables report them.

Where derivations come with the outputs, the precision of their lexical categories is one of them
(Zhang & Clark 2011, section 6). The order of an output may be another than the reference's, so
derivations cannot be compared as trees: output and gold derivation are each taken as a bag of
pairs, a unit and its category; the precision is the share of the output's pairs that are in the
gold bag too.

Differences
- *Paper silent*, Zhang & Clark 2011: whether sentences are averaged. Here all pairs of all
  sentences are counted together.
- *Our reading*, Zhang & Clark 2011: "word/category pairs" are of units, so a base NP that is kept
  whole is one pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from wordorder_lab.metrics.bleu import (
    OF_ORDERINGS,
    bleu_of_counts,
    check_pairs,
    sentence_counts,
    signature_of,
)
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.messages import cited

if TYPE_CHECKING:
    import numpy as np

_ENDS = (0, 8, 11, 14, 17, 20, 24, 32, 164)
LIU_2015_FIGURE_8_BINS = tuple((low + 1, high) for low, high in pairwise(_ENDS))
"""Lengths in words, first and last included, as on the axis of Liu et al. (2015), Figure 8."""


@dataclass(frozen=True, slots=True)
class LengthRow:
    """The scores of the sentences with ``low`` to ``high`` words; ``None`` where there are none."""

    low: int
    high: int
    sentences: int
    bleu_cased: float | None
    brevity: float | None

    def to_dict(self) -> dict[str, object]:
        """The row as JSON-ready values, the bin under the name ``length``."""
        scores = {name: getattr(self, name) for name in ("sentences", "bleu_cased", "brevity")}
        return {"length": f"{self.low}-{self.high}", **scores}


@dataclass(frozen=True, slots=True)
class OrderingScores:
    """What an evaluation reports: BLEU between 0 and 100, shares between 0 and 1.

    The names are those of ``wordorder-lab evaluate --json``. ``ms_per_sentence`` is ``None`` where
    nobody looked at the clock. ``brevity`` and ``timeouts`` are what Zhang & Clark (2011) call
    length ratio and time-out ratio. ``spanning`` is the share of outputs that a search found as a
    whole, under one derivation or tree; ``category_precision`` is that of ``categories``. They are
    ``None`` where there was no search, and where there are no derivations.
    """

    sentences: int
    bleu_cased: float
    bleu_cased_signature: str
    bleu_13a_lc: float
    bleu_13a_lc_signature: str
    exact_match: float
    brevity: float
    timeouts: float
    ms_per_sentence: float | None
    by_length: tuple[LengthRow, ...]
    spanning: float | None = None
    category_precision: float | None = None

    def to_dict(self) -> dict[str, object]:
        """The scores as JSON-ready values."""
        scores = {name: getattr(self, name) for name in self.__slots__}
        return {**scores, "by_length": [row.to_dict() for row in self.by_length]}

    def __str__(self) -> str:
        """A table to print, the scores first, then one line a length."""
        took = "-" if self.ms_per_sentence is None else f"{self.ms_per_sentence:.2f}"
        shares = {"spanning": self.spanning, "category precision": self.category_precision}
        lines = [
            f"{'sentences':<18}{self.sentences:>7}",
            f"{'BLEU cased':<18}{self.bleu_cased:>7.2f}  {self.bleu_cased_signature}",
            f"{'BLEU 13a lower':<18}{self.bleu_13a_lc:>7.2f}  {self.bleu_13a_lc_signature}",
            f"{'exact match':<18}{self.exact_match:>7.1%}",
            f"{'brevity':<18}{self.brevity:>7.3f}",
            f"{'timeouts':<18}{self.timeouts:>7.1%}",
            *(f"{name:<18}{share:>7.1%}" for name, share in shares.items() if share is not None),
            f"{'ms a sentence':<18}{took:>7}",
            "",
            f"{'words':<10}{'sentences':>10}{'BLEU cased':>12}{'brevity':>9}",
        ]
        for row in self.by_length:
            if row.bleu_cased is not None and row.brevity is not None:
                scores = f"{row.bleu_cased:>12.2f}{row.brevity:>9.3f}"
                lines.append(f"{f'{row.low}-{row.high}':<10}{row.sentences:>10}{scores}")
        return "\n".join(lines)


def score_ordering(
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    timed_out: Sequence[bool] | None = None,
    seconds: float | None = None,
    whole: Sequence[bool] | None = None,
    category_precision: float | None = None,
    counts: Mapping[str, np.ndarray] | None = None,
) -> OrderingScores:
    """All scores of a system; ``seconds`` is what the whole list took to order.

    ``whole`` says of each output whether it was found as a whole; ``counts`` are those of
    ``bleu_counts``, where somebody has them. Raises ``ValueError`` for no sentences and for lists
    of unequal length.
    """
    check_pairs(hypotheses, references)
    counts = bleu_counts(hypotheses, references) if counts is None else counts
    bleu = {name: bleu_of_counts(counts[name].sum(axis=0)) for name in OF_ORDERINGS}
    return OrderingScores(
        sentences=len(references),
        bleu_cased=bleu["cased"],
        bleu_cased_signature=str(signature_of("cased")),
        bleu_13a_lc=bleu["13a_lc"],
        bleu_13a_lc_signature=str(signature_of("13a_lc")),
        exact_match=exact_match(hypotheses, references),
        brevity=brevity(hypotheses, references),
        timeouts=0.0 if timed_out is None else share_of(timed_out, len(references)),
        ms_per_sentence=None if seconds is None else 1000 * seconds / len(references),
        by_length=by_length(hypotheses, references, counts=counts["cased"]),
        spanning=None if whole is None else share_of(whole, len(references)),
        category_precision=category_precision,
    )


def bleu_counts(hypotheses: Sequence[str], references: Sequence[str]) -> dict[str, np.ndarray]:
    """Convention of BLEU -> ``sentence_counts``. Raises ``ValueError`` as ``check_pairs``."""
    return {name: sentence_counts(hypotheses, references, name) for name in OF_ORDERINGS}


def exact_match(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """The share of sentences that came out word for word; ``ValueError`` as ``check_pairs``."""
    check_pairs(hypotheses, references)
    pairs = zip(hypotheses, references)
    return sum(hyp.split() == ref.split() for hyp, ref in pairs) / len(references)


def brevity(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    """Words out over words in (Liu et al. 2015, Section 4.3), 1 if every word found a place.

    Zhang & Clark (2011, section 6.1) call it the length ratio. ``ValueError`` for no words.
    """
    check_pairs(hypotheses, references)
    words_in = sum(len(reference.split()) for reference in references)
    if not words_in:
        raise ValueError("brevity is not defined: the references have no words")
    return sum(len(hypothesis.split()) for hypothesis in hypotheses) / words_in


def share_of(flags: Sequence[bool], sentences: int) -> float:
    """The share of sentences that a flag is set for; ``ValueError`` unless each has one."""
    if len(flags) != sentences:
        raise ValueError(f"{len(flags)} flags for {sentences} sentences: give one each")
    return sum(map(bool, flags)) / sentences


def by_length(
    hypotheses: Sequence[str],
    references: Sequence[str],
    bins: Sequence[tuple[int, int]] = LIU_2015_FIGURE_8_BINS,
    counts: np.ndarray | None = None,
) -> tuple[LengthRow, ...]:
    """The scores by length of the reference in words, one row a bin.

    Nothing falls out at the long end: the last bin grows to the longest sentence. ``counts`` are
    those of ``sentence_counts``, where somebody has them. Raises ``ValueError`` as ``check_pairs``,
    and for bins that overlap or are not in order.
    """
    check_pairs(hypotheses, references)
    edges = [edge for pair in bins for edge in pair]
    if not bins or edges != sorted(edges) or any(a[1] >= b[0] for a, b in pairwise(bins)):
        raise ValueError(
            f"bins must be (first, last) lengths in ascending order, not {cited(bins)}"
        )
    counts = sentence_counts(hypotheses, references) if counts is None else counts
    lengths = [len(reference.split()) for reference in references]
    longest = bins[-1][0], max(bins[-1][1], *lengths)
    rows = []
    for low, high in (*bins[:-1], longest):
        inside = [i for i, length in enumerate(lengths) if low <= length <= high]
        if not inside:
            rows.append(LengthRow(low, high, 0, None, None))
            continue
        hyps, refs = [hypotheses[i] for i in inside], [references[i] for i in inside]
        bleu = bleu_of_counts(counts[inside].sum(axis=0))
        rows.append(LengthRow(low, high, len(inside), bleu, brevity(hyps, refs)))
    return tuple(rows)


Pairs = Sequence[tuple[str, str]]
"""The units of a sentence, each with its lexical category, in any order."""


def category_pairs(derivations: Iterable[Derivation]) -> Pairs:
    """The pairs of a derivation, or of those that an output is put together from."""
    leaves = (leaf for derivation in derivations for leaf in derivation.leaves())
    return tuple((leaf.word, str(leaf.category)) for leaf in leaves)


def category_precision(outputs: Sequence[Pairs], golds: Sequence[Pairs]) -> float | None:
    """The share of the outputs' pairs that are matched, from 0 to 1; ``None`` without any pair."""
    return precision_of(matched_pairs(outputs, golds))


def matched_pairs(outputs: Sequence[Pairs], golds: Sequence[Pairs]) -> list[tuple[int, int]]:
    """Of each output how many of its pairs are matched, and how many there are."""
    if len(outputs) != len(golds):
        raise ValueError(f"{len(outputs)} outputs but {len(golds)} gold bags: give one each")
    pairs = zip(outputs, golds)
    return [((Counter(out) & Counter(gold)).total(), len(out)) for out, gold in pairs]


def precision_of(counts: Iterable[tuple[int, int]]) -> float | None:
    """The precision of all sentences together, of which ``matched_pairs`` are the counts."""
    matched, total = map(sum, zip((0, 0), *counts))
    return matched / total if total else None
