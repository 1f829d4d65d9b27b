"""BLEU by sacrebleu, in the two conventions that word-ordering papers use, and a third.

``cased``: the words as they are, no re-tokenisation. ``13a_lc``: mteval-13a, lower-cased and
re-tokenised, as ZGen and Schmaltz et al. count; some points higher. ``lc``: words as they are,
lower-cased, as the shared tasks of surface realization count. Never compare two of them, and never
print one without its signature.

Everything here takes plain strings, a sentence each, with phrases taken apart into words. What BLEU
counts can be had sentence by sentence, and added up afterwards: for the whole, for sentences of one
length, and for each sample of a bootstrap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from wordorder_lab.structures.messages import cited

if TYPE_CHECKING:
    import numpy as np
    from sacrebleu.metrics.base import Signature
    from sacrebleu.metrics.bleu import BLEU

CONVENTIONS = {"cased": ("none", False), "13a_lc": ("13a", True), "lc": ("none", True)}
"""Name of a convention -> sacrebleu's ``tokenize`` and ``lowercase``."""
OF_ORDERINGS = ("cased", "13a_lc")


@dataclass(frozen=True, slots=True)
class BleuScore:
    """A BLEU score between 0 and 100, and sacrebleu's signature that says how it was counted."""

    score: float
    signature: str

    def __str__(self) -> str:
        return f"{self.score:.2f} ({self.signature})"


def corpus_bleu(
    hypotheses: Sequence[str], references: Sequence[str], convention: str = "cased"
) -> BleuScore:
    """Corpus BLEU, one reference a sentence; ``ValueError`` for unequal lists or an unknown
    convention."""
    check_pairs(hypotheses, references)
    metric = sacrebleu_metric(convention)
    score = metric.corpus_score(list(hypotheses), [list(references)]).score
    return BleuScore(score, str(metric.get_signature()))


def sentence_bleu(hypothesis: str, reference: str) -> float:
    """BLEU of one sentence, zero counts smoothed exponentially.

    Liu et al. (2015), Table 6, print it for six outputs. This gives four of them as printed; for
    the two of "There is no asbestos in our products now ." the paper has 43.5 and 17.8, we get 46.0
    and 18.3, and it does not say how it smoothed.
    """
    metric = _of_sentences("cased")
    return metric.sentence_score(hypothesis, [reference]).score


ORDERS = 4
COLUMNS = 2 + 2 * ORDERS
"""Words in the output, words in the reference, n-grams that are right, n-grams that there are."""
NONE = 1e-9
"""A count below it is none: sums of fractions need not come back to 0."""


def sentence_counts(
    hypotheses: Sequence[str], references: Sequence[str], convention: str = "cased"
) -> np.ndarray:
    """What BLEU counts, a row of ``COLUMNS`` whole numbers for each sentence; rows may be added."""
    import numpy as np

    check_pairs(hypotheses, references)
    metric = _of_sentences(convention)
    scores = [metric.sentence_score(out, [gold]) for out, gold in zip(hypotheses, references)]
    rows = [[one.sys_len, one.ref_len, *one.counts, *one.totals] for one in scores]
    return np.array(rows, dtype=np.int64)


@cache
def _of_sentences(convention: str) -> BLEU:
    """A metric that scores one sentence after the other: to make it takes as long as a score."""
    return sacrebleu_metric(convention, effective_order=True)


def bleu_of_counts(counts: np.ndarray) -> float:
    """BLEU of a sum of rows of ``sentence_counts``, to the last bit that of ``corpus_bleu``."""
    from sacrebleu.metrics.bleu import BLEU

    out, there, *ngrams = counts
    right, every = ngrams[:ORDERS], ngrams[ORDERS:]
    return float(BLEU.compute_bleu(right, every, int(out), int(there), smooth_method="exp").score)


def bleus_of_counts(counts: np.ndarray) -> np.ndarray:
    """``bleu_of_counts`` of many sums at once, along the last axis; to the ninth digit the same.
    Sums may be means of several orderings, and so not whole."""
    import numpy as np

    out, there = counts[..., 0], counts[..., 1]
    right, every = counts[..., 2 : 2 + ORDERS], counts[..., 2 + ORDERS :]
    missed = right < NONE
    smoothed = np.where(missed, 0.5 ** missed.cumsum(axis=-1), right)
    scored = (every > NONE).all(axis=-1) & ~missed.all(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(smoothed / every).mean(axis=-1) + np.minimum(0.0, 1 - there / out)
    return np.where(scored, 100 * np.exp(np.where(scored, logs, 0.0)), 0.0)


def signature_of(convention: str) -> Signature:
    """sacrebleu's signature for scores of counts; ``update`` adds what a bootstrap has to say."""
    metric = sacrebleu_metric(convention)
    metric.corpus_score(["a"], [["a"]])  # so that it knows how many references there are
    return metric.get_signature()


def sacrebleu_metric(convention: str, effective_order: bool = False) -> BLEU:
    """sacrebleu's metric object for one of ``CONVENTIONS``; ``ValueError`` for another name."""
    # Imported late: importing wordorder_lab should not pay for what only scoring needs.
    from sacrebleu.metrics.bleu import BLEU

    if convention not in CONVENTIONS:
        known = ", ".join(map(repr, CONVENTIONS))
        raise ValueError(f"unknown BLEU convention {cited(convention)}: the known ones are {known}")
    tokenize, lowercase = CONVENTIONS[convention]
    # force: our sentences are tokenised on purpose, so no warning about it.
    return BLEU(
        lowercase=lowercase,
        tokenize=tokenize,
        smooth_method="exp",
        effective_order=effective_order,
        force=True,
    )


def check_pairs(hypotheses: Sequence[str], references: Sequence[str]) -> None:
    """Raise ``ValueError`` unless there is one hypothesis for each of at least one reference."""
    for name, values in (("hypotheses", hypotheses), ("references", references)):
        if isinstance(values, str):
            raise ValueError(f"{name} is one string: give a list of sentences")
    if len(hypotheses) != len(references):
        raise ValueError(
            f"{len(hypotheses)} hypotheses but {len(references)} references: give one each"
        )
    if not references:
        raise ValueError("no sentences to score: give at least one hypothesis and its reference")
