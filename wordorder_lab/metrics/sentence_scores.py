"""What each sentence adds to a score: with it any two rows of a record can be compared.

Three forms, all small and without a word of any corpus:

- ``{"counts": "..."}``: what BLEU counted in each sentence, packed; scores of it are BLEU
- ``{"parts": [[3, 5], [4, 5]]}``: a numerator and a denominator for each sentence; the score is the
  sum of the first over the sum of the second (brevity is words out over words there)
- ``{"values": [0.5, 1.0]}``: a value for each sentence; the score is their mean

A row keeps a list of such scores for each quantity: one, or one for each ordering of the sentences
(each seed that samples what is given).
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from wordorder_lab.metrics.significance import (
    COLUMNS,
    SAMPLES,
    SEED,
    bleu_of_counts,
    drawn,
    sentence_counts,
)

if TYPE_CHECKING:
    import numpy as np

SENTENCE_SCORES = "sentence_scores"
"""Their place in a row while an experiment runs, and in a finished record, a list as long as its
rows."""
BLEU, BREVITY = "bleu_cased", "brevity"
SCALES = dict.fromkeys(("relation_f1", BREVITY, "precision", "recall", "f1"), 100.0)
"""Shares are told in points; ``compare`` multiplies by these, as tables do."""

Kept = Mapping[str, Any]
Scores = Mapping[str, Sequence[Kept]]
"""Quantity -> what is kept of it, one an ordering."""


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


def of_outputs(outputs: Sequence[str], references: Sequence[str]) -> dict[str, list[Kept]]:
    """What is kept of one ordering of some sentences: BLEU's counts, and with them brevity."""
    return {BLEU: [{"counts": packed(sentence_counts(outputs, references))}]}


def together(orderings: Sequence[Scores]) -> dict[str, list[Kept]]:
    """The scores of several orderings of the same sentences, as one."""
    names = dict.fromkeys(name for scores in orderings for name in scores)
    return {name: [kept for scores in orderings for kept in scores[name]] for name in names}


def has(scores: Scores | None, quantity: str) -> bool:
    """Whether this quantity of a row can be compared sentence by sentence."""
    return scores is not None and (quantity in scores or (quantity == BREVITY and BLEU in scores))


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
        p_value, test = _wilcoxon(columns[0][:, 0] - columns[1][:, 0]), "Wilcoxon over sentences"
    else:
        beyond = int(np.count_nonzero(np.abs(moved - moved.mean()) >= abs(difference) - 1e-12))
        p_value = (beyond + 1) / (SAMPLES + 1) if moved.any() else 1.0
        test = "paired bootstrap over sentences"
    return Difference(scores[0], scores[1], low, high, p_value, test)


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

    return float(wilcoxon(differences).pvalue) if differences.any() else 1.0


def packed(counts: np.ndarray) -> str:
    """What ``sentence_counts`` gives, as a short string: as numbers, five seeds of EWT would be
    megabytes of JSON."""
    return base64.b64encode(zlib.compress(counts.astype("<i4").tobytes())).decode("ascii")


def unpacked(text: str) -> np.ndarray:
    """A row of ``COLUMNS`` whole numbers a sentence, as they were packed."""
    import numpy as np

    flat = np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype="<i4")
    return flat.reshape(-1, COLUMNS).astype(np.int64)
