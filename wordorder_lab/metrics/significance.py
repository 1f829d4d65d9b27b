"""How sure a BLEU score is: bootstrap intervals, and the paired bootstrap between two systems.

Koehn (2004), as sacrebleu does it: draw as many sentences as there are, with replacement, a
thousand times, and look at how the score moves. The paired test draws the same sentences for both
systems, so that hard sentences are hard for both. The orderings of a sentence resemble each other,
so they are no new evidence: ``pooled_bootstrap`` draws sentences, each with all its orderings.

What each sentence adds to a score is kept in records, so that any two of their rows can be compared
long after they were run (``randomisation``). It has three forms, all small and without a word of
any corpus:

- ``{"counts": "..."}``: what BLEU counted in each sentence, packed; scores of it are BLEU
- ``{"parts": [[3, 5], [4, 5]]}``: a numerator and a denominator for each sentence; the score is the
  sum of the first over the sum of the second (brevity is words out over words there); whole numbers
  of many sentences may be packed: ``{"parts": "..."}``
- ``{"values": [0.5, 1.0]}``: a value for each sentence; the score is their mean

A row keeps a list of such scores for each quantity: one, or one for each ordering of the sentences
(each seed that samples what is given).

Two bootstraps, on purpose: ``pooled_bootstrap`` is sacrebleu's recipe, whose p is one-sided, so
that a table has the number that sacrebleu would print. ``means_of`` asks a two-sided question of
means, with draws that a page can make, too: the explorer measures what is selected there. What a
claim is judged by is in ``randomisation``.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from wordorder_lab.metrics.bleu import COLUMNS, bleu_of_counts, sentence_counts, signature_of

if TYPE_CHECKING:
    import numpy as np


SAMPLES = 1000
SEED = 12345
"""sacrebleu's own default, so that its command line gives the same interval."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A BLEU score with its 95 % interval, around the mean over the samples."""

    score: float
    mean: float
    half_width: float

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.mean - self.half_width

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.mean + self.half_width

    def __str__(self) -> str:
        return f"{self.score:.2f} (95 %: {self.low:.2f} to {self.high:.2f})"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems on the same sentences, and the p-value of their difference.

    Read it as one-sided: sacrebleu (after Moses) centres the *absolute* differences of its samples.
    To claim a difference at 5 %, ask for less than 0.025.
    """

    baseline: Interval
    system: Interval
    p_value: float
    signature: str

    @property
    def difference(self) -> float:
        """Points that the system has over the baseline."""
        return self.system.score - self.baseline.score

    def to_dict(self) -> dict[str, object]:
        """The comparison as JSON-ready values."""
        return {
            "baseline_bleu": self.baseline.score,
            "baseline_interval": [self.baseline.low, self.baseline.high],
            "system_bleu": self.system.score,
            "system_interval": [self.system.low, self.system.high],
            "difference": self.difference,
            "p_value": self.p_value,
            "signature": self.signature,
        }

    def __str__(self) -> str:
        return (
            f"baseline    {self.baseline}\nsystem      {self.system}\n"
            f"difference  {self.difference:+.2f}, p = {self.p_value:.4f}\n{self.signature}"
        )


def bootstrap_interval(
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
) -> Interval:
    """The 95 % interval of one system's corpus BLEU. Raises ``ValueError`` as ``corpus_bleu``."""
    return pooled_interval([_counted(hypotheses, references)], samples=samples, seed=seed)


def paired_bootstrap(
    baseline: Sequence[str],
    system: Sequence[str],
    references: Sequence[str],
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
) -> Comparison:
    """Whether ``system`` differs from ``baseline`` by more than the choice of sentences explains.

    Raises ``ValueError`` as ``corpus_bleu``, and for a seed or a number of samples below 1.
    """
    first, second = (_counted(outputs, references) for outputs in (baseline, system))
    return pooled_bootstrap([first], [second], samples=samples, seed=seed)


def pooled_interval(
    orderings: Sequence[np.ndarray], *, samples: int = SAMPLES, seed: int = SEED
) -> Interval:
    """The 95 % interval of BLEU over all orderings, by drawing sentences.

    Raises ``ValueError`` for no orderings, and for orderings of different sentences.
    """
    pooled = _pooled(orderings)
    return _interval(pooled, _sampled(pooled, samples, seed))


def pooled_bootstrap(
    baseline: Sequence[np.ndarray],
    system: Sequence[np.ndarray],
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
) -> Comparison:
    """The same for several orderings of the sentences, a ``sentence_counts`` each."""
    import numpy as np

    first, second = _pooled(baseline), _pooled(system)
    if len(first) != len(second):
        raise ValueError(f"{len(first)} sentences here, {len(second)} there: order the same ones")
    before, after = (_sampled(pooled, samples, seed) for pooled in (first, second))
    old, new = _interval(first, before), _interval(second, after)
    # sacrebleu's recipe, one-sided as Comparison says; the 1s keep p above 0.
    moved = np.abs(after - before)
    beyond = int(np.count_nonzero(moved - moved.mean() > abs(new.score - old.score)))
    p_value = 1.0 if not moved.any() else (beyond + 1) / (samples + 1)
    return Comparison(old, new, p_value, bootstrap_signature(samples, seed))


def _pooled(orderings: Sequence[np.ndarray]) -> np.ndarray:
    if not orderings:
        raise ValueError("no orderings to pool: give at least one")
    if len({counts.shape for counts in orderings}) > 1:
        raise ValueError("the orderings are of different numbers of sentences")
    return sum(orderings[1:], orderings[0])


def resampled(table: np.ndarray, samples: int, seed: int) -> np.ndarray:
    """The sum of the table's rows, one a sentence, in each sample; sacrebleu's draws, of which one
    is held at a time. Whole numbers are added exactly, as doubles."""
    import numpy as np

    chance, sentences, addends = np.random.default_rng(seed), len(table), table.astype(np.float64)
    sums = np.empty((samples, table.shape[1]))
    for row in sums:
        drawn = chance.choice(sentences, size=sentences).astype(np.intp)  # 32 bits in a browser
        row[:] = np.bincount(drawn, minlength=sentences) @ addends
    return sums.astype(table.dtype)


def _counted(outputs: Sequence[str], references: Sequence[str]) -> np.ndarray:
    """In single precision, as sacrebleu draws: the last digit of an interval is its own."""
    return sentence_counts(outputs, references).astype("float32")


def _sampled(pooled: np.ndarray, samples: int, seed: int) -> np.ndarray:
    import numpy as np

    if samples < 1 or seed < 1:
        raise ValueError(f"samples and seed must be at least 1, not {samples} and {seed}")
    return np.array([bleu_of_counts(row) for row in resampled(pooled, samples, seed)])


def _interval(pooled: np.ndarray, sampled: np.ndarray) -> Interval:
    from sacrebleu.significance import estimate_ci

    mean, half = estimate_ci(sampled)
    score = bleu_of_counts(pooled.sum(axis=0).astype(int))
    return Interval(score, float(mean), float(half))


def bootstrap_signature(samples: int = SAMPLES, seed: int = SEED) -> str:
    """sacrebleu's signature for these draws."""
    signature = signature_of("cased")
    signature.update("seed", str(seed))
    signature.update("bs", samples)
    return str(signature)


# --- What each sentence adds to a score: with it any two rows of a record can be compared -----


SENTENCE_SCORES = "sentence_scores"
"""Their place in a row while an experiment runs, and in a finished record."""
BLEU = "bleu_cased"
Kept = Mapping[str, Any]
Scores = Mapping[str, Sequence[Kept]]


def of_counts(counts: np.ndarray) -> dict[str, list[Kept]]:
    """What is kept of one ordering of some sentences: BLEU's counts, and with them brevity."""
    return {BLEU: [{"counts": packed(counts)}]}


def packed(counts: np.ndarray) -> str:
    """Whole numbers, a row a sentence, as a short string; as lists they would fill megabytes."""
    return base64.b64encode(zlib.compress(counts.astype("<i4").tobytes())).decode("ascii")


def unpacked(text: str, columns: int = COLUMNS) -> np.ndarray:
    """A row of ``columns`` whole numbers a sentence, as they were packed."""
    import numpy as np

    flat = np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype="<i4")
    return flat.reshape(-1, columns).astype(np.int64)


# --- whether two rows of a record differ by more than the choice of sentences explains ------------


BREVITY = "brevity"
_SHARES = """
relation_f1 brevity rate precision recall f1 category_precision unigram_f1 fourgram_f1
exact order_exact inflected inflected_cased distance
"""
SCALES = dict.fromkeys(_SHARES.split(), 100.0)
"""Shares are told in points; ``randomisation`` multiplies by these, as tables do."""

LEFT_OUT = SAMPLES // 40 - 1
"""At each end of the resampled means: 95 % are between."""
MIXING = ((15, 0x9E3779B1), (16, 0x85EBCA6B), (13, 0xC2B2AE35))
"""Shifts and odd factors that spread a number over 32 bits."""


class Mean(NamedTuple):
    """A mean over sentences; ``low`` and ``high`` leave out the 24 least and greatest of a thousand
    resampled ones, ``p_value`` is two-sided, of the mean being 0: of use for differences."""

    mean: float
    low: float
    high: float
    p_value: float


def means_of(columns: Sequence[Sequence[float]]) -> list[Mean]:
    """The mean of each column by the bootstrap; all have a value a sentence, and the same sentences
    are drawn for all.

    ``explorer/measured.js`` is the same in the same order, to the last bit. Of no sentences all is
    not a number.
    """
    import numpy as np

    table = np.array(columns, dtype=float)
    count = table.shape[1]
    if not count:
        return [Mean(*[float("nan")] * 4)] * len(table)
    sums = np.zeros((len(table), SAMPLES))
    for place in range(count):
        sums += table[:, _drawn(place, count)]
    totals = table.cumsum(axis=1)[:, -1]  # one after the other, as a script adds
    return [_mean(sums_of / count, float(total) / count) for sums_of, total in zip(sums, totals)]


def _mean(sampled: np.ndarray, mean: float) -> Mean:
    import numpy as np

    centre = sampled.cumsum()[-1] / SAMPLES
    beyond = int(np.count_nonzero(np.abs(sampled - centre) >= abs(mean) - 1e-12))
    ranked = np.sort(sampled)
    low, high = float(ranked[LEFT_OUT]), float(ranked[-1 - LEFT_OUT])
    return Mean(mean, low, high, (beyond + 1) / (SAMPLES + 1))


def _drawn(place: int, count: int) -> np.ndarray:
    """Which sentence each sample has at a place: the number of the draw, well mixed."""
    import numpy as np

    mixed = np.arange(SAMPLES, dtype=np.uint32) * np.uint32(count) + np.uint32(place + SEED)
    for shift, factor in MIXING:
        mixed = (mixed ^ (mixed >> np.uint32(shift))) * np.uint32(factor)
    mixed ^= mixed >> np.uint32(16)
    return (mixed / 2.0**32 * count).astype(np.int64)


def has(scores: Scores | None, quantity: str) -> bool:
    """Whether this quantity of a row can be compared sentence by sentence."""
    return scores is not None and (quantity in scores or (quantity == BREVITY and BLEU in scores))


def has_values(group: Sequence[Scores], quantity: str) -> bool:
    """Whether a value for each sentence was kept, so that their score is the mean."""
    return any("values" in kept for scores in group for kept in _kept(scores, quantity))


def _kept(scores: Scores, quantity: str) -> Sequence[Kept]:
    return scores[quantity if quantity in scores else BLEU]


def table_of(kept: Kept) -> np.ndarray:
    """What one ordering of sentences kept, a row a sentence: BLEU's counts, or two columns, the sum
    of the first over that of the second being the score."""
    import numpy as np

    if "counts" in kept:
        return unpacked(kept["counts"])
    if "values" in kept:
        return np.array([kept["values"], [1.0] * len(kept["values"])]).T
    parts = kept["parts"]
    table: np.ndarray = unpacked(parts, 2) if isinstance(parts, str) else np.array(parts).T
    return table


def kept_like(kept: Kept, table: np.ndarray) -> Kept:
    """These rows of ``table_of`` in the form that ``kept`` has."""
    (form,) = kept
    if form == "values":
        return {form: table[:, 0].tolist()}
    return {form: packed(table) if isinstance(kept[form], str) else table.T.tolist()}


def score_of_sentences(table: np.ndarray) -> float:
    """The score of all sentences together, from ``table_of``: BLEU, or a ratio."""
    sums = table.sum(axis=0)
    if len(sums) == COLUMNS:
        return bleu_of_counts(sums)
    return float(sums[0] / sums[1]) if sums[1] else 0.0


def columns_of(group: Sequence[Scores], quantity: str) -> np.ndarray:
    """A row a sentence, the mean of all orderings: BLEU's counts, or numerator and denominator.
    Raises ``ValueError`` for scores of different sentences."""
    import numpy as np

    tables = [table_of(kept) for scores in group for kept in _kept(scores, quantity)]
    if quantity == BREVITY:
        tables = [table[:, :2] for table in tables]
    if len({table.shape for table in tables}) > 1:
        raise ValueError(f"{quantity} was kept of different sentences")
    mean: np.ndarray = np.add.reduce(tables, dtype=float) / len(tables)
    return mean
