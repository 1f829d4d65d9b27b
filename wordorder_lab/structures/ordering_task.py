"""Word ordering as a task: a sentence becomes a bag under a condition.

Zhang (2013) and Liu et al. (2015, section 4.2) give a share of the POS tags and of the
dependencies, sampled at random from the gold tree; 0 is free word ordering, 1 is everything.
"""

from __future__ import annotations

import random

from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.sentence import ROOT, Sentence


def bag_of(sentence: Sentence, pos: float = 1, deps: float = 0, seed: int = 1) -> WordBag:
    """The bag of a sentence's units with this share of tags and of heads, in a shuffled order.

    What is sampled depends on the seed and the sentence alone. Raises ``ValueError`` for a share
    outside 0 to 1.
    """
    _check(pos=pos, deps=deps)
    chance = _chance(sentence, seed)
    n = len(sentence)
    shuffled = chance.sample(range(n), n)
    tagged = set(chance.sample(range(n), n)[: round(pos * n)])
    headed = set(chance.sample(range(n), n)[: round(deps * n)])
    place = {token: i for i, token in enumerate(shuffled)} | {ROOT: ROOT}
    tokens = sentence.tokens
    return WordBag(
        [tokens[i].words for i in shuffled],
        [tokens[i].pos if i in tagged else None for i in shuffled],
        [place[tokens[i].head] if i in headed else None for i in shuffled],
    )


def places(sentence: Sentence, seed: int = 1) -> list[int]:
    """Where the tokens of a sentence are in its bag, whatever the shares."""
    n = len(sentence)
    shuffled = _chance(sentence, seed).sample(range(n), n)
    return [place for _, place in sorted(zip(shuffled, range(n), strict=True))]


def _chance(sentence: Sentence, seed: int) -> random.Random:
    return random.Random(f"{seed} {sentence.name} {sentence.text}")


def _check(**shares: float) -> None:
    for name, share in shares.items():
        if not 0 <= share <= 1:
            raise ValueError(f"{name} is a share between 0 and 1, not {share}")
