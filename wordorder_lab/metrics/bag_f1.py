"""Precision, recall and F1 of bags: word relations, n-grams, whatever can be counted.

What output and reference share is clipped: of two *the* against one, one is right. Over a corpus
the counts are added up before anything is divided (the micro average); the mean of the sentences'
own F1s stands beside it.

Several references for one sentence, ``references=``:

    "mean"   the output is held against each of them, and each counts the same. A sentence counts
             the same whether it has one reference or five. This is the default.
    "best"   only the reference with the highest F1 counts, of equal ones the first. Kinder, and
             the kinder the more references there are: never compare figures of the two.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from wordorder_lab.metrics.significance import SAMPLES, SEED
from wordorder_lab.metrics.spans import score_intervals
from wordorder_lab.structures.messages import cited

Bag = Counter[Any]
REFERENCES = ("mean", "best")


class Shared(NamedTuple):
    """How many things are right, how many the output has, how many the reference has.

    Precision, recall and F1 are between 0 and 1: 1 where both are empty, 0 where one of them is.
    """

    right: int
    made: int
    gold: int

    @classmethod
    def of(cls, output: Bag, reference: Bag) -> Shared:
        """The counts of one bag against another."""
        return cls((output & reference).total(), output.total(), reference.total())

    @property
    def precision(self) -> float:
        """The share of the output that is right."""
        return self.right / self.made if self.made else float(not self.gold)

    @property
    def recall(self) -> float:
        """The share of the reference that was found."""
        return self.right / self.gold if self.gold else float(not self.made)

    @property
    def f1(self) -> float:
        """The harmonic mean of the two."""
        both = self.made + self.gold
        return 2 * self.right / both if both else 1.0


@dataclass(frozen=True, slots=True)
class BagScore:
    """The score of a corpus, all from 0 to 1; ``by_sentence`` has the F1 of each sentence.

    ``rows`` has the counts of each sentence, multiplied so that they are whole numbers and no
    sentence counts more for having more references.
    """

    rows: tuple[Shared, ...]
    by_sentence: tuple[float, ...]

    @property
    def total(self) -> Shared:
        """The counts of all sentences together."""
        return _added(self.rows)

    @property
    def precision(self) -> float:
        """Precision of all sentences together."""
        return self.total.precision

    @property
    def recall(self) -> float:
        """Recall of all sentences together."""
        return self.total.recall

    @property
    def f1(self) -> float:
        """F1 of all sentences together."""
        return self.total.f1

    @property
    def mean_f1(self) -> float:
        """The mean of the sentences' F1s."""
        return math.fsum(self.by_sentence) / len(self.by_sentence)

    def interval(self, *, samples: int = SAMPLES, seed: int = SEED) -> tuple[float, float]:
        """The 95 % interval of ``f1``, by drawing sentences that have something to count."""
        if samples < 1:
            raise ValueError(f"samples must be at least 1, not {samples}")
        counted = [row for row in self.rows if row.made + row.gold]
        if not counted:
            return self.f1, self.f1
        low, high = score_intervals(counted, samples=samples, seed=seed)["f"]
        return low / 100, high / 100


def score_bags(
    outputs: Sequence[Bag], golds: Sequence[Sequence[Bag]], *, references: str = "mean"
) -> BagScore:
    """The score of the outputs' bags against one bag or more for each; ``ValueError`` for lists
    that do not fit, and for ``references`` that are not in ``REFERENCES``."""
    check_golds(outputs, golds)
    if references not in REFERENCES:
        known = " or ".join(map(repr, REFERENCES))
        raise ValueError(f"references={cited(references)}: say {known}")
    counts = [[Shared.of(out, gold) for gold in several] for out, several in zip(outputs, golds)]
    if references == "best":
        counts = [[max(several, key=lambda shared: shared.f1)] for several in counts]
    multiple = math.lcm(*map(len, counts))
    rows = [Shared(*(multiple // len(n) * count for count in _added(n))) for n in counts]
    f1s = (math.fsum(shared.f1 for shared in several) / len(several) for several in counts)
    return BagScore(tuple(rows), tuple(f1s))


def check_golds(outputs: Sequence[object], golds: Sequence[Sequence[object]]) -> None:
    """Raise ``ValueError`` unless each of at least one output has at least one reference."""
    if len(outputs) != len(golds):
        raise ValueError(f"{len(outputs)} outputs but references for {len(golds)}: give one each")
    if not outputs:
        raise ValueError("no sentences to score: give at least one output and its reference")
    for number, several in enumerate(golds, 1):
        if not several:
            raise ValueError(f"sentence {number} has no reference")


def _added(rows: Sequence[Shared]) -> Shared:
    return Shared(*map(sum, zip(*rows)))
