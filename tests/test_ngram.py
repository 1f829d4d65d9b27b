"""The n-gram model: Kneser-Ney against its formulas in dictionaries, the kernel, the model file."""

from __future__ import annotations

import json
import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wordorder_lab as wl
from wordorder_lab.models.kneser_ney import estimate
from wordorder_lab.models.model_file import load_arrays, save_arrays
from wordorder_lab.models.ngram import NEVER, NGramModel

Text = list[list[str]]
TEXTS = st.lists(st.lists(st.sampled_from("abcde"), max_size=7), min_size=1, max_size=12)
ORDERS = st.integers(1, 4)


@cache
def gazette(part: str, n: int = 400) -> Text:
    return [list(sentence.surface) for sentence in getattr(wl.load_corpus("gazette"), part)[:n]]


@cache
def trained(order: int) -> NGramModel:
    return estimate(gazette("train"), order)


def closed_form(counts: Sequence[int]) -> list[float]:
    n = [counts.count(i) for i in range(5)]
    if all(n[1:]):
        y = n[1] / (n[1] + 2 * n[2])
        found = [i - (i + 1) * y * n[i + 1] / n[i] for i in (1, 2, 3)]
        if min(found) > 0:
            return found
    return [0.5, 1.0, 1.5]


def by_the_formulas(text: Text, order: int, min_count: int = 1) -> Callable[[tuple, str], float]:
    """p(word | context) of Chen & Goodman 1998, one n-gram at a time."""
    often = Counter(word for sentence in text for word in sentence)
    raw: Counter[tuple] = Counter()
    before = defaultdict(set)
    for sentence in text:
        known = [word if often[word] >= min_count else "<unk>" for word in sentence]
        padded = ["<s>"] * (order - 1) + known + ["</s>"]
        for end in range(order, len(padded) + 1):
            for length in range(1, order + 1):
                ngram = tuple(padded[end - length : end])
                if ngram[1:2] == ("<s>",):
                    continue
                raw[ngram] += 1
                before[ngram[1:]].add(ngram[0])
    after: dict[tuple, dict[str, int]] = defaultdict(dict)
    for ngram, count in raw.items():
        whole = len(ngram) == order or ngram[0] == "<s>"
        after[ngram[:-1]][ngram[-1]] = count if whole else len(before[ngram])
    of_length: dict[int, list[int]] = defaultdict(list)
    for context, words in after.items():
        of_length[len(context)] += words.values()
    discounts = {n: [0.0, *closed_form(counts)] for n, counts in of_length.items()}
    masses = {}
    for context, words in after.items():
        d = discounts[len(context)]
        masses[context] = sum(words.values()), sum(d[min(n, 3)] for n in words.values())
    kinds = len({word for word, n in often.items() if n >= min_count}) + 2

    def p(context: tuple, word: str) -> float:
        shorter = p(context[1:], word) if context else 1 / kinds
        if context not in after:
            return shorter
        count, (total, taken) = after[context].get(word, 0), masses[context]
        own = count - discounts[len(context)][min(count, 3)]
        return own / total + taken / total * shorter

    return p


def ids_of(model: NGramModel, words: Sequence[str]) -> list[int]:
    return [model.vocabulary.index(word) for word in words]


@given(TEXTS, ORDERS, st.integers(1, 3), st.randoms(use_true_random=False))
def test_probabilities_are_those_of_the_formulas(
    text: Text, order: int, min_count: int, dice: random.Random
) -> None:
    model = estimate(text, order, min_count=min_count)
    p = by_the_formulas(text, order, min_count)
    for _ in range(20):
        start = ["<s>"] * dice.randrange(order)
        context = (start + dice.choices(model.vocabulary[3:] or ["<unk>"], k=order))[: order - 1]
        context = context[dice.randrange(order) :]
        for word in {*model.vocabulary} - {"<s>"}:
            found = model.log_prob(ids_of(model, context), model.vocabulary.index(word))
            assert math.exp(found) == pytest.approx(p(tuple(context), word), rel=1e-12)


def test_closed_form_on_sentences() -> None:
    """Enough text for the closed form above the 1-grams; contexts and words as they come."""
    model, p = trained(3), by_the_formulas(gazette("train"), 3)
    assert [d.closed_form for d in model.discounts][1:] == [True, True]
    for sentence in gazette("dev", 40):
        words = [word if word in model.vocabulary else "<unk>" for word in sentence]
        words = ["<s>", "<s>", *words, "</s>"]
        for at in range(2, len(words)):
            *context, word = ids_of(model, words[at - 2 : at + 1])
            expected = math.log(p(tuple(words[at - 2 : at]), words[at]))
            assert model.log_prob(context, word) == pytest.approx(expected, abs=1e-11)


@given(TEXTS, ORDERS, st.integers(1, 2), st.lists(st.integers(0, 7), max_size=5))
def test_probabilities_sum_to_one(text: Text, order: int, min_count: int, context: list) -> None:
    """After any context, as long as it may be; ``<s>`` comes never."""
    model = estimate(text, order, min_count=min_count)
    context = [number % len(model.vocabulary) for number in context]
    logs = [model.log_prob(context, word) for word in range(len(model.vocabulary))]
    assert math.fsum(map(math.exp, logs)) == pytest.approx(1, abs=1e-12)
    assert logs[model.start] < NEVER + 1
    assert all(log > NEVER / 2 for word, log in enumerate(logs) if word != model.start)


def test_two_sentences_by_hand() -> None:
    """Discounts 0.5, 1 and 1.5; five words, of which </s> follows two and the others one."""
    model = estimate([["the", "dog"], ["the", "cat"]], 2)
    the, dog = model.word_id("the"), model.word_id("dog")
    assert model.discounts[1] == (0.5, 1.0, 1.5, False)
    for context, word, p in [
        ([], the, 0.5 / 5 + 0.5 / 5),
        ([], model.end, 1 / 5 + 0.5 / 5),
        ([], model.word_id("cow"), 0.5 / 5),
        ([model.start], the, 1 / 2 + 1 / 2 * 0.2),
        ([the], dog, 0.5 / 2 + 1 / 2 * 0.2),
        ([dog], model.end, 0.5 + 0.5 * 0.3),
        ([dog], dog, 0.5 * 0.2),
    ]:
        assert math.exp(model.log_prob(context, word)) == pytest.approx(p)
    assert math.exp(model.score(["the", "dog"])) == pytest.approx(0.6 * 0.35 * 0.65)
    assert model.perplexity([["the", "dog"]]) == pytest.approx((0.6 * 0.35 * 0.65) ** (-1 / 3))


def test_longer_contexts_help() -> None:
    held_out = gazette("dev", 100)
    one, two, three = (trained(order).perplexity(held_out) for order in (1, 2, 3))
    assert len(trained(1).vocabulary) > one > 2 * two
    assert two > three > 1


def test_text_that_looks_like_marks_is_unknown() -> None:
    model = estimate([["a", "b", "<s>", "</s>", "a", "b"], ["<unk>"]], 2)
    rare = [["a", "b", "one", "two", "a", "b"], ["three"]]
    assert equal(model, estimate(rare, 2, min_count=2))
    assert model.vocabulary == ("<unk>", "<s>", "</s>", "a", "b")
    assert [model.word_id(w) for w in ("<s>", "</s>", "<unk>", "c")] == [model.unknown] * 4
    assert model.score(["a", "<s>"]) == model.score(["a", "c"])


def test_what_cannot_be_learned_from_is_refused() -> None:
    cases: list[tuple[Any, dict[str, int], str]] = [
        ([], {}, "at least one sentence"),
        ([["a"], "a dog"], {}, "sentence 2 is a string"),
        ([["a"]], {"order": 0}, r"order \(0\)"),
        ([["a"]], {"min_count": 0}, r"min_count \(0\)"),
    ]
    for text, settings, what in cases:
        with pytest.raises(ValueError, match=what):
            estimate(text, **settings)
    with pytest.raises(ValueError, match="at least one sentence"):
        trained(2).perplexity([])


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_kernel_gives_the_same_bits(order: int) -> None:
    fast = pytest.importorskip("wordorder_lab.models.ngram_fast")
    model = trained(order)
    twin = fast.FastNGram(model.header(), model.arrays())
    for sentence in gazette("dev", 60):
        ids = [model.start] * (order - 1) + [model.word_id(w) for w in sentence] + [model.end]
        assert twin.score(ids, order - 1) == model.score(sentence)
    dice = random.Random(order)
    mixed = [w for s in gazette("train", 30) for w in ("<s>", "<s>", *s, "</s>", "cow")]
    some = [model.word_id(w) if w[0] != "<" else model.vocabulary.index(w) for w in mixed]
    for _ in range(1500):
        at, length = dice.randrange(10, len(some)), dice.randrange(7)
        context = some[at - length : at]
        if dice.random() < 0.3 and context:
            context[dice.randrange(length)] = dice.choice(some)
        word = dice.choice([some[at], dice.choice(some)])
        assert twin.log_prob(context, word) == model.log_prob(context, word)


def equal(one: NGramModel, two: NGramModel) -> bool:
    arrays = two.arrays()
    return one.header() == two.header() and all(
        array.tobytes() == arrays[name].tobytes() for name, array in one.arrays().items()
    )


@pytest.mark.parametrize("order", [1, 3])
def test_a_model_file_keeps_every_bit(order: int, tmp_path: Path) -> None:
    model = trained(order)
    save_arrays(tmp_path / "m", {"ngram": model.header()}, model.arrays())
    header, arrays = load_arrays(tmp_path / "m")
    assert equal(model, NGramModel.from_arrays(header["ngram"], arrays))
    assert equal(model, estimate(gazette("train"), order))


def test_arrays_that_do_not_fit_are_refused() -> None:
    model = trained(3)
    header, arrays = json.loads(json.dumps(model.header())), model.arrays()
    keys, logs = arrays["ngram_keys"], arrays["ngram_log_probs"]
    sizes, words = header["sizes"], header["vocabulary"]
    changes: list[dict[str, Any]] = [
        {"sizes": []},
        {"sizes": [sizes[0], sizes[1] + 1, sizes[2] - 1]},
        {"sizes": [sizes[0], sizes[1] + 1, sizes[2] - 1], "ngram_back_offs": logs[: -sizes[2] + 1]},
        {"sizes": sizes[:2]},
        {"vocabulary": words[::-1]},
        {"vocabulary": words[:-1]},
        {"vocabulary": [*words[:-1], words[5]]},
        {"discounts": [[1, 2, 3, True]]},
        {"discounts": [[1, 2]] * 3},
        {"ngram_keys": keys[::-1]},
        {"ngram_keys": keys[:-1]},
        {"ngram_keys": np.append(keys[:-2], keys[:-3:-1])},
        {"ngram_keys": keys.astype(float)},
        {"ngram_keys": keys.astype(">i8")},  # what a kernel cannot take
        {"ngram_log_probs": logs * math.inf},
        {"ngram_back_offs": logs},
    ]
    for change in changes:
        with pytest.raises(ValueError, match="do not fit together"):
            NGramModel.from_arrays({**header, **change}, {**arrays, **change})
    with pytest.raises(ValueError, match="do not fit together"):
        NGramModel.from_arrays(header, {})
