"""A sentence becomes a bag: what is given of it, and that samples are nested."""

from __future__ import annotations

from itertools import pairwise

import pytest

from wordorder_lab.structures.bag import WordBag, bag_of
from wordorder_lab.structures.sentence import Sentence, Token

N = 12
CHAIN = Sentence(tuple(Token((f"w{i}",), f"T{i}", i - 1) for i in range(N)))
SHARES = (0, 0.25, 0.5, 1)


def given(bag: WordBag) -> tuple[set[str], set[tuple[str, str]]]:
    """The words whose tag is given, and the words whose head is, with that head."""
    tags = {bag.form(i) for i, tag in enumerate(bag.pos or ()) if tag is not None}
    heads = enumerate(bag.heads or ())
    return tags, {
        (bag.form(i), bag.form(head) if head >= 0 else "root")
        for i, head in heads
        if head is not None
    }


@pytest.mark.parametrize("share", SHARES)
def test_a_share_is_a_share(share: float) -> None:
    tags, heads = given(bag_of(CHAIN, share, share))
    assert len(tags) == share * N
    assert len(heads) == (N if share == 1 else round(share * (N - 1)))


@pytest.mark.parametrize("seed", range(10))
def test_a_share_of_the_dependencies_is_one_of_the_arcs_between_words(seed: int) -> None:
    """The root is known with the whole tree alone, where no other unit is without a head."""
    for share in (*SHARES, 0.95):
        heads = {head for _, head in given(bag_of(CHAIN, 1, share, seed))[1]}
        assert ("root" in heads) == (share == 1)
    whole, half = bag_of(CHAIN, 0.5, 1, seed), bag_of(CHAIN, 0.5, 0.5, seed)
    assert (half.words, half.pos) == (whole.words, whole.pos)


def test_what_is_given_is_true() -> None:
    bag = bag_of(CHAIN, 1, 1, seed=3)
    assert [bag.pos[i] for i in range(N)] == [f"T{bag.form(i)[1:]}" for i in range(N)]  # type: ignore[index]
    assert given(bag)[1] == {("w0", "root")} | {(f"w{i}", f"w{i - 1}") for i in range(1, N)}


@pytest.mark.parametrize("seed", range(5))
def test_samples_are_nested(seed: int) -> None:
    """With one seed, more input is the same input and more, so conditions differ by that alone."""
    bags = [given(bag_of(CHAIN, share, share, seed)) for share in SHARES]
    for (less_tags, less_heads), (more_tags, more_heads) in pairwise(bags):
        assert less_tags < more_tags and less_heads < more_heads
    for share in SHARES:
        assert {frozenset(given(bag_of(CHAIN, share, d, seed))[0]) for d in SHARES} == {
            frozenset(given(bag_of(CHAIN, share, 0, seed))[0])
        }
        assert {frozenset(given(bag_of(CHAIN, p, share, seed))[1]) for p in SHARES} == {
            frozenset(given(bag_of(CHAIN, 0, share, seed))[1])
        }


def test_seeds_give_other_samples() -> None:
    samples = {frozenset(given(bag_of(CHAIN, 0.5, 0, seed))[0]) for seed in range(10)}
    assert len(samples) > 5
