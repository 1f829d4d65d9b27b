"""How sure a BLEU score is: bootstrap intervals, and the paired bootstrap between two systems.

Koehn (2004), as sacrebleu does it: draw as many sentences as there are, with replacement, a
thousand times, and look at how the score moves. The paired test draws the same sentences for both
systems, so that hard sentences are hard for both.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from wordorder_lab.metrics.bleu import check_pairs, sacrebleu_metric

SAMPLES = 1000
SEED = 12345
"""sacrebleu's own default, so that its command line gives the same interval."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A BLEU score with its 95 % interval, which is ``mean`` plus or minus ``half_width``.

    ``mean`` is the mean over the samples, not the score itself.
    """

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

    def to_dict(self) -> dict[str, Any]:
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
    convention: str = "cased",
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
) -> Interval:
    """The 95 % interval of one system's corpus BLEU. Raises ``ValueError`` as ``corpus_bleu``."""
    check_pairs(hypotheses, references)
    intervals, _ = _paired_test([list(hypotheses)], references, convention, samples, seed)
    return intervals[0][0]


def paired_bootstrap(
    baseline: Sequence[str],
    system: Sequence[str],
    references: Sequence[str],
    convention: str = "cased",
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
) -> Comparison:
    """Whether ``system`` differs from ``baseline`` by more than the choice of sentences explains.

    Raises ``ValueError`` as ``corpus_bleu``, and for a seed or a number of samples below 1.
    """
    check_pairs(baseline, references)
    check_pairs(system, references)
    outputs = [list(baseline), list(system)]
    (first, second), signature = _paired_test(outputs, references, convention, samples, seed)
    assert second[1] is not None
    # Two outputs that never differ come back from sacrebleu with the smallest p there is: it counts
    # samples that move by more than the difference, and none of them moves.
    p_value = 1.0 if first[0] == second[0] else second[1]
    return Comparison(first[0], second[0], p_value, signature)


def _paired_test(
    outputs: list[list[str]], references: Sequence[str], convention: str, samples: int, seed: int
) -> tuple[list[tuple[Interval, float | None]], str]:
    """sacrebleu's test: an interval and a p-value (none for the first) an output, the signature."""
    from sacrebleu.significance import PairedTest

    if samples < 1 or seed < 1:  # sacrebleu takes 0 samples for its default, seed 0 for no seed
        raise ValueError(f"samples and seed must be at least 1, not {samples} and {seed}")
    systems: list[tuple[str, Sequence[str]]] = [(str(i), out) for i, out in enumerate(outputs)]
    metrics = {"BLEU": sacrebleu_metric(convention)}
    with _sacrebleu_seed(seed):
        test = PairedTest(systems, metrics, [list(references)], test_type="bs", n_samples=samples)
        signatures, scores = test()
    results: list[Any] = scores["BLEU"]
    rows = [(Interval(r.score, float(r.mean), float(r.ci)), r.p_value) for r in results]
    return rows, str(signatures["BLEU"])


@contextmanager
def _sacrebleu_seed(seed: int) -> Iterator[None]:
    """sacrebleu takes its seed from the environment alone: set it, and put the old one back."""
    before = os.environ.get("SACREBLEU_SEED")
    os.environ["SACREBLEU_SEED"] = str(seed)
    try:
        yield
    finally:
        if before is None:
            del os.environ["SACREBLEU_SEED"]
        else:
            os.environ["SACREBLEU_SEED"] = before
