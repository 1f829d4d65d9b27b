"""The supertagger: probabilities against enumeration, both engines, beta cut, model file."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wordorder_lab as wl
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.sentence import Supertagged
from wordorder_lab.supertagging.features import BEYOND, FIRST, collect
from wordorder_lab.supertagging.forward_backward import cut, forward_backward
from wordorder_lab.supertagging.log_linear import STEP, LogLinear, ReferenceObjective
from wordorder_lab.supertagging.log_linear_fast import FastObjective
from wordorder_lab.supertagging.templates import load_tag_templates, parse_tag_templates
from wordorder_lab.systems import train
from wordorder_lab.systems.supertagger import Supertagger

WORDS = ["rain", "falls", "on", "old boats", "boats", "."]
CATEGORIES = [r"S[dcl]\NP", "NP", "N", "N/N", r"(NP\NP)/NP", "."]


def random_sentences(number: int, seed: int) -> list[Supertagged]:
    chance = random.Random(seed)
    made = []
    for i in range(number):
        words = chance.choices(WORDS, k=chance.randint(1, 6))
        categories = [Category.parse(chance.choice(CATEGORIES)) for _ in words]
        tags = [chance.choice("VNP") for _ in words]
        units = tuple(tuple(word.split()) for word in words)
        made.append(Supertagged(units, tuple(tags), tuple(categories), f"random {i}"))
    return made


def random_tagger(seed: int, spread: float = 2.0) -> Supertagger:
    """A tagger that has learned nothing: its weights are random."""
    tagger = train("supertagger", random_sentences(12, seed), min_count=2, seen=3, max_iterations=1)
    weights = np.random.default_rng(seed).normal(0.0, spread, len(tagger.table.labels))
    return replace(tagger, table=replace(tagger.table, weights=np.round(weights / STEP) * STEP))


def enumerated(
    tagger: Supertagger, sentence: Supertagged, candidates: Sequence[Sequence[int]]
) -> list[list[float]]:
    """The probability of each candidate: the sequences with it, each a product, over all."""
    model = LogLinear(tagger.numbers, tagger.table)
    keys = tagger.numbers.window_keys(sentence.words, sentence.pos)
    windows = [model.window_scores(tagger.table.feature_ids(of_word)) for of_word in keys]
    sums: list[list[float]] = [[0.0] * len(labels) for labels in candidates]
    for choice in product(*(range(len(labels)) for labels in candidates)):
        numbers = [BEYOND, BEYOND]
        probability = 1.0
        for i, j in enumerate(choice):
            scores = list(windows[i])
            history = tagger.numbers.history_keys(numbers[-2], numbers[-1])
            model.add_weights(scores, tagger.table.feature_ids(history))
            label = candidates[i][j]
            probability *= math.exp(scores[label]) / math.fsum(map(math.exp, scores))
            numbers.append(label + FIRST)
        for i, j in enumerate(choice):
            sums[i][j] += probability
    return [[one / math.fsum(of_word) for one in of_word] for of_word in sums]


@pytest.mark.parametrize("seed", range(8))
def test_marginals_are_sums_over_all_sequences(seed: int) -> None:
    tagger = random_tagger(seed)
    chance = random.Random(seed)
    for sentence in random_sentences(4, 100 + seed):
        every = range(len(tagger.numbers.categories))
        some = [sorted(chance.sample(every, chance.randint(1, 3))) for _ in sentence.words]
        asked: dict[str, Any] = {"width": 0.0}
        both = [
            tagger.marginals(sentence.words, sentence.pos, some, **asked, engine=engine)
            for engine in ("reference", "fast")
        ]
        assert both[0] == both[1]
        for found, expected in zip(both[0], enumerated(tagger, sentence, some), strict=True):
            assert found == pytest.approx(expected, rel=1e-9)


def test_backward_sums_matter() -> None:
    """What follows changes the probability of what came before: forward sums alone would not do."""
    after = {0: [0.9], 1: [0.1]}

    def local(i: int, before: int, last: int) -> list[float]:
        return [0.5, 0.5] if i == 0 else after[last - FIRST]

    assert forward_backward([[0, 1], [0]], local) == [pytest.approx([0.9, 0.1]), [1.0]]


@pytest.mark.parametrize("width", [0.0, 1e-3, 0.3, 1.0])
def test_engines_agree_in_every_bit_within_a_beam(width: float) -> None:
    dropped = 0
    for seed in range(4):
        tagger = random_tagger(seed, spread=3.0)
        every = list(range(len(tagger.numbers.categories)))
        for sentence in random_sentences(6, seed):
            asked: Any = sentence.words, sentence.pos, [every] * len(sentence)
            slow = tagger.marginals(*asked, width=width, engine="reference")
            assert slow == tagger.marginals(*asked, width=width, engine="fast")
            dropped += sum(of_word.count(0.0) for of_word in slow)
    assert bool(dropped) == (width > 0)


def test_both_objectives_are_the_same_bits_and_the_gradient_is_the_slope() -> None:
    numbers = random_tagger(3).numbers
    examples, table = collect(numbers, random_sentences(9, 5))
    slow = ReferenceObjective(examples, numbers, table, 0.7)
    fast = FastObjective(examples, len(numbers.categories), table, 0.7)
    weights = np.random.default_rng(2).normal(size=len(table.labels))
    (value, gradient), (same, again) = slow(weights), fast(weights)
    assert value == same
    assert (gradient == again).all()
    for at in range(0, len(weights), 7):
        step = np.zeros(len(weights))
        step[at] = 1e-5
        slope = (fast(weights + step)[0] - fast(weights - step)[0]) / 2e-5
        assert gradient[at] == pytest.approx(slope, abs=1e-6)


@given(
    st.lists(st.floats(1e-9, 1.0), min_size=1, max_size=9),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_a_smaller_beta_keeps_more(values: list[float], one: float, other: float) -> None:
    strict, loose = (cut(values, beta) for beta in sorted((one, other), reverse=True))
    assert loose[: len(strict)] == strict  # the most probable first
    assert values[strict[0]] == max(values)
    assert sorted(cut(values, 0)) == list(range(len(values)))


def test_a_tagger_of_the_gazette_beats_the_most_frequent_category() -> None:
    corpus = wl.load_corpus("gazette", units="words")
    tagger = wl.train("supertagger", corpus.train[:300], max_iterations=20)
    right = usual = words = 0
    for sentence in corpus.dev[:60]:
        assert sentence.derivation is not None
        best = [of_word[0][0] for of_word in tagger.tag(sentence, beta=1)]
        for token, leaf, category in zip(sentence, sentence.derivation.leaves(), best, strict=True):
            words += 1
            right += category is leaf.category
            usual += tagger.usual_category(token.words, token.pos) == str(leaf.category)
    assert right / words > 0.93 and (tagger.table.weights % STEP == 0).all()
    assert right > usual + 0.05 * words
    for sentence in corpus.dev[:8]:
        guessed = tagger.tag([token.words for token in sentence])
        assert len(guessed) == len(sentence)
        assert all(0 < share <= 1 for of_word in guessed for _, share in of_word)


def test_what_cannot_be_is_refused_in_one_line() -> None:
    tagger = random_tagger(2)
    for beta in (-0.1, 1.5, math.nan, "much"):
        with pytest.raises(ValueError, match=r"beta .* from 0"):
            tagger.tag("rain falls", beta=beta)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no word to tag"):
        tagger.tag("  ")
    with pytest.raises(ValueError, match="2 words but 1 tags"):
        tagger.tag("rain falls", ["N"])
    with pytest.raises(ValueError, match="line 2 of the templates"):
        parse_tag_templates("w0\nw0 c-1\n")
    with pytest.raises(ValueError, match="none of w0"):
        parse_tag_templates("w9")
    assert len(load_tag_templates()) == 18


def test_no_word_is_without_category_and_unknown_ones_go_by_their_tag() -> None:
    tagger = random_tagger(4)
    for engine in ("reference", "fast"):
        known, unknown = (
            tagger.tag(["zebra"], [tag], beta=0, engine=engine)[0] for tag in ("N", "X")
        )
        assert {category for category, _ in known} == set(tagger.dictionary.tags["N"])
        assert len(unknown) == len(tagger.numbers.categories)
        assert math.fsum(share for _, share in unknown) == pytest.approx(1)
