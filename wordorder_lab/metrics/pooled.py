"""How sure a score is when every sentence was ordered several times, once for each sampling seed.

The orderings of a sentence resemble each other, and without sampling they are all the same, so they
are no new evidence: laid end to end as one long test set they would make any difference
significant. Here sentences are drawn, each with all its orderings. With one ordering this is
``significance``: the same draws, the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from wordorder_lab.metrics.bleu import check_pairs, sacrebleu_metric
from wordorder_lab.metrics.significance import SAMPLES, SEED, Comparison, Interval

if TYPE_CHECKING:
    import numpy as np

ORDERS = 4
COLUMNS = 2 + 2 * ORDERS
"""Words in the output, words in the reference, n-grams that are right, n-grams that there are."""


def sentence_counts(
    hypotheses: Sequence[str], references: Sequence[str], convention: str = "cased"
) -> np.ndarray:
    """What BLEU counts, a row of ``COLUMNS`` whole numbers for each sentence.

    Rows may be added: the score of many sentences is that of their sum. Raises ``ValueError`` as
    ``corpus_bleu``.
    """
    import numpy as np

    check_pairs(hypotheses, references)
    metric = sacrebleu_metric(convention, effective_order=True)
    rows = []
    for hypothesis, reference in zip(hypotheses, references):
        score = metric.sentence_score(hypothesis, [reference])
        rows.append([score.sys_len, score.ref_len, *score.counts, *score.totals])
    return np.array(rows, dtype=np.int64)


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
    """Whether ``system`` differs from ``baseline`` by more than the choice of sentences explains.

    Each is a list of ``sentence_counts``, one an ordering; the lists may be of different length.
    Raises ``ValueError`` as ``pooled_interval``.
    """
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
    pooled = orderings[0].copy()
    for counts in orderings[1:]:
        pooled += counts
    return pooled


@lru_cache(maxsize=4)
def _drawn(sentences: int, samples: int, seed: int) -> np.ndarray:
    """How often each sentence is in each sample; sacrebleu's draws."""
    import numpy as np

    chosen = np.random.default_rng(seed).choice(sentences, size=(samples, sentences))
    return np.stack([np.bincount(row, minlength=sentences) for row in chosen])


def _sampled(pooled: np.ndarray, samples: int, seed: int) -> np.ndarray:
    import numpy as np

    return np.array([_bleu(row) for row in _drawn(len(pooled), samples, seed) @ pooled])


def _bleu(counts: np.ndarray) -> float:
    from sacrebleu.metrics import BLEU

    out, there, *ngrams = counts.tolist()
    right, every = ngrams[:ORDERS], ngrams[ORDERS:]
    return BLEU.compute_bleu(right, every, out, there, smooth_method="exp").score


def _interval(pooled: np.ndarray, sampled: np.ndarray) -> Interval:
    from sacrebleu.significance import estimate_ci

    mean, half = estimate_ci(sampled)
    return Interval(_bleu(pooled.sum(axis=0)), float(mean), float(half))


def bootstrap_signature(samples: int = SAMPLES, seed: int = SEED) -> str:
    """sacrebleu's signature for these draws."""
    metric = sacrebleu_metric("cased")
    metric.corpus_score(["a"], [["a"]])  # so that it knows how many references there are
    signature = metric.get_signature()
    signature.update("seed", str(seed))
    signature.update("bs", samples)
    return str(signature)
