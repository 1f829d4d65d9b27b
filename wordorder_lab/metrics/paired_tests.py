"""Whether two rows of a record differ by more than the choice of sentences explains.

Records keep what each sentence adds to a score (``significance`` has the forms); from that any two
of their rows are compared, long after they were run. Nothing here is needed to run an experiment.

Two bootstraps, on purpose: ``significance.pooled_bootstrap`` is sacrebleu's recipe, whose p is
one-sided, so that a table has the number that sacrebleu would print. ``compare`` asks a two-sided
question and has an interval of the *difference*, which is what a claim is judged by.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from wordorder_lab.metrics.bleu import COLUMNS, bleu_of_counts
from wordorder_lab.metrics.significance import BLEU, SAMPLES, SEED, Kept, Scores, drawn, unpacked

if TYPE_CHECKING:
    import numpy as np

BREVITY = "brevity"
_NGRAMS = ("unigram_f1", "fourgram_f1")
_SHARES = (
    *("relation_f1", BREVITY, "rate", "precision", "recall", "f1", "category_precision"),
    *_NGRAMS,
    *("exact", "order_exact", "inflected", "inflected_cased", "distance"),
)
SCALES = dict.fromkeys(_SHARES, 100.0)
"""Shares are told in points; ``compare`` multiplies by these, as tables do."""
DIGITS = 3
"""Of differences of values. They are kept with four digits, so that 1/2 - 1/3 and 2/3 - 1/2 differ
in the fourth; rounded once more they share a rank, as they should."""


class Difference(NamedTuple):
    """Two scores over the same sentences; ``low`` and ``high`` hold 95 % of the resampled
    differences, ``p_value`` is two-sided, ``test`` says of what."""

    first: float
    second: float
    low: float
    high: float
    p_value: float
    test: str

    @property
    def difference(self) -> float:
        """Points that the first has over the second."""
        return self.first - self.second


def compare(first: Sequence[Scores], second: Sequence[Scores], quantity: str) -> Difference:
    """The paired test of two groups of rows: do they differ by more than the choice of sentences?

    All orderings of a sentence are drawn together. BLEU and other ratios of sums are tested by the
    paired bootstrap (the share of resampled differences, moved to mean 0, that are at least as
    large as the one that is seen); values of sentences by Wilcoxon's signed-rank test. Raises
    ``ValueError`` for scores of different sentences or of different forms.
    """
    import numpy as np

    columns = [_columns(group, quantity) for group in (first, second)]
    if columns[0].shape != columns[1].shape:
        raise ValueError(f"{quantity} was kept of other sentences here than there")
    draws = drawn(len(columns[0]), SAMPLES, SEED)
    scale = SCALES.get(quantity, 1.0)
    scores = [scale * _score(each.sum(axis=0)) for each in columns]
    samples = [scale * np.array([_score(row) for row in draws @ each]) for each in columns]
    moved = samples[0] - samples[1]
    low, high = (float(end) for end in np.percentile(moved, (2.5, 97.5)))
    difference = scores[0] - scores[1]
    if _form(first, quantity) == "values":
        means = [each[:, 0] / each[:, 1] for each in columns]
        p_value, test = _wilcoxon(means[0] - means[1]), "Wilcoxon over sentences"
    else:
        beyond = int(np.count_nonzero(np.abs(moved - moved.mean()) >= abs(difference) - 1e-12))
        p_value = (beyond + 1) / (SAMPLES + 1) if moved.any() else 1.0
        test = "paired bootstrap over sentences"
    return Difference(scores[0], scores[1], low, high, p_value, test)


def has(scores: Scores | None, quantity: str) -> bool:
    """Whether this quantity of a row can be compared sentence by sentence."""
    return scores is not None and (quantity in scores or (quantity == BREVITY and BLEU in scores))


def _form(group: Sequence[Scores], quantity: str) -> str:
    (form,) = {next(iter(kept)) for scores in group for kept in _kept(scores, quantity)}
    return form


def _kept(scores: Scores, quantity: str) -> Sequence[Kept]:
    return scores[quantity if quantity in scores else BLEU]


def _columns(group: Sequence[Scores], quantity: str) -> np.ndarray:
    """A row a sentence, all orderings added: BLEU's counts, or numerator and denominator."""
    import numpy as np

    total: Any = None
    for scores in group:
        for kept in _kept(scores, quantity):
            if "counts" in kept:
                columns = unpacked(kept["counts"])
                columns = columns[:, :2] if quantity == BREVITY else columns
            elif isinstance(kept.get("parts"), str):
                columns = unpacked(kept["parts"], 2).astype(float)
            elif "parts" in kept:
                columns = np.array(kept["parts"], dtype=float).T
            else:
                columns = np.array([kept["values"], [1.0] * len(kept["values"])]).T
            if total is not None and total.shape != columns.shape:
                raise ValueError(f"{quantity} was kept of different sentences")
            total = columns if total is None else total + columns
    return total


def _score(sums: np.ndarray) -> float:
    if len(sums) == COLUMNS:
        return bleu_of_counts(sums)
    return float(sums[0] / sums[1]) if sums[1] else 0.0


def _wilcoxon(differences: np.ndarray) -> float:
    from scipy.stats import wilcoxon

    apart = [gap for gap in differences.round(DIGITS).tolist() if gap]
    return float(wilcoxon(apart).pvalue) if apart else 1.0
