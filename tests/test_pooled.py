"""The bootstrap over sentences that were ordered several times."""

from __future__ import annotations

import random

import pytest

from wordorder_lab.metrics.bleu import CONVENTIONS, corpus_bleu, sentence_counts, signature_of
from wordorder_lab.metrics.significance import (
    bootstrap_interval,
    bootstrap_signature,
    paired_bootstrap,
    pooled_bootstrap,
    pooled_interval,
)

TEXT = "the old gardener watches a clock and no robin forgets the river"


def shuffled(seed: int, swaps: int) -> list[str]:
    """Thirty sentences, the more disordered the more words change places."""
    chance, texts = random.Random(seed), []
    for _ in REFERENCES:
        words = TEXT.split()
        for _ in range(chance.randint(0, swaps)):
            i, j = chance.sample(range(len(words)), 2)
            words[i], words[j] = words[j], words[i]
        texts.append(" ".join(words))
    return texts


REFERENCES = [TEXT] * 30
GOOD, BAD = shuffled(1, 2), shuffled(2, 3)


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_counts_add_up_to_bleu(convention: str) -> None:
    counts = sentence_counts(GOOD, REFERENCES, convention)
    usual = corpus_bleu(GOOD, REFERENCES, convention)
    assert pooled_interval([counts]).score == usual.score  # to the last bit
    assert str(signature_of(convention)) == usual.signature


def test_one_ordering_is_the_usual_bootstrap() -> None:
    good, bad = (sentence_counts(texts, REFERENCES) for texts in (GOOD, BAD))
    mine, usual = pooled_bootstrap([bad], [good]), paired_bootstrap(BAD, GOOD, REFERENCES)
    assert mine.p_value == usual.p_value and mine.signature == usual.signature
    assert mine.difference == pytest.approx(usual.difference)
    one, other = pooled_interval([good]), bootstrap_interval(GOOD, REFERENCES)
    assert (one.low, one.high) == pytest.approx((other.low, other.high))
    assert bootstrap_signature(samples=10, seed=3).startswith("nrefs:1|bs:10|seed:3|")


def test_the_same_ordering_five_times_is_no_new_evidence() -> None:
    good, bad = (sentence_counts(texts, REFERENCES) for texts in (GOOD, BAD))
    once, often = pooled_bootstrap([bad], [good]), pooled_bootstrap([bad] * 5, [good] * 5)
    assert 0.001 < once.p_value == often.p_value
    assert once.system == often.system
    # Laid end to end, as if they were other sentences, they would make us surer than we are.
    end_to_end = paired_bootstrap(BAD * 5, GOOD * 5, REFERENCES * 5)
    assert end_to_end.p_value < once.p_value


def test_equal_outputs_do_not_differ() -> None:
    good = sentence_counts(GOOD, REFERENCES)
    assert pooled_bootstrap([good], [good, good]).p_value == 1


def test_what_cannot_be_pooled() -> None:
    some, fewer = sentence_counts(["a", "b"], ["a", "b"]), sentence_counts(["a"], ["a"])
    with pytest.raises(ValueError, match="no orderings"):
        pooled_interval([])
    with pytest.raises(ValueError, match="different numbers"):
        pooled_interval([some, fewer])
    with pytest.raises(ValueError, match="order the same ones"):
        pooled_bootstrap([some], [fewer])
