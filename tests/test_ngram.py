"""The n-gram model: Kneser-Ney against its formulas in dictionaries, the kernel, the model file."""

from __future__ import annotations

import json
import math
import random
import re
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
from wordorder_lab.models.arpa import read_arpa, write_arpa
from wordorder_lab.models.kneser_ney import estimate_ngrams
from wordorder_lab.models.ngram import NEVER, NGramModel
from wordorder_lab.models.ngram_fast import FastNGram

Text = list[list[str]]
TEXTS = st.lists(st.lists(st.sampled_from("abcde"), max_size=7), min_size=1, max_size=12)
ORDERS = st.integers(1, 4)


@cache
def gazette(part: str, n: int = 400) -> Text:
    return [list(sentence.surface) for sentence in getattr(wl.load_corpus("gazette"), part)[:n]]


@cache
def trained(order: int) -> NGramModel:
    return estimate_ngrams(gazette("train"), order)


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
    model = estimate_ngrams(text, order, min_count=min_count)
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
    model = estimate_ngrams(text, order, min_count=min_count)
    context = [number % len(model.vocabulary) for number in context]
    logs = [model.log_prob(context, word) for word in range(len(model.vocabulary))]
    assert math.fsum(map(math.exp, logs)) == pytest.approx(1, abs=1e-12)
    assert logs[model.start] < NEVER + 1
    assert all(log > NEVER / 2 for word, log in enumerate(logs) if word != model.start)


def test_two_sentences_by_hand() -> None:
    """Discounts 0.5, 1 and 1.5; five words, of which </s> follows two and the others one."""
    model = estimate_ngrams([["the", "dog"], ["the", "cat"]], 2)
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
    model = estimate_ngrams([["a", "b", "<s>", "</s>", "a", "b"], ["<unk>"]], 2)
    rare = [["a", "b", "one", "two", "a", "b"], ["three"]]
    assert equal(model, estimate_ngrams(rare, 2, min_count=2))
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
            estimate_ngrams(text, **settings)
    with pytest.raises(ValueError, match="at least one sentence"):
        trained(2).perplexity([])


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_kernel_gives_the_same_bits(order: int) -> None:
    model = trained(order)
    twin = FastNGram(model.header(), model.arrays())
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


@pytest.mark.parametrize("order", [1, 2, 4])
def test_arpa_round_trip(order: int, tmp_path: Path) -> None:
    sentences = [sentence.surface for sentence in wl.load_corpus("gazette").train[:100]]
    model = estimate_ngrams([*sentences, ["caf\u00e9", "10\u00a0000", "\\data\\"]], order)
    write_arpa(model, tmp_path / "m.arpa")
    again = read_arpa(tmp_path / "m.arpa")
    assert (again.vocabulary, again.sizes) == (model.vocabulary, model.sizes)
    assert again.keys.tolist() == model.keys.tolist()
    assert again.log_probs == pytest.approx(model.log_probs, abs=1e-6)
    assert again.back_offs == pytest.approx(model.back_offs, abs=1e-6)


OTHERS = (Path(__file__).parent / "small/by_hand.arpa").read_text()


def test_a_file_of_another_tool(tmp_path: Path) -> None:
    """No <unk>, other spaces, back-offs left out, and ``a b`` is missing below ``a b </s>``."""
    path = tmp_path / "m.arpa"
    path.write_bytes(OTHERS.replace("\n", "\r\n").encode())
    model = read_arpa(path)
    a, b = model.word_id("a"), model.word_id("b")
    for context, word, log10 in [
        ([], b, -0.25),
        ([model.start], a, -0.125),
        ([model.start, model.start], a, -0.125),
        ([model.start, a], a, 0.0625 - 2),
        ([model.start, a], b, 0.0625 - 0.25 - 0.25),
        ([a], b, -0.25 - 0.25),
        ([a, b], model.end, -0.1),
        ([b, b], model.end, -1),
        ([a, b], a, -0.5),
        ([b], model.unknown, -99),
    ]:
        assert model.log_prob(context, word) / math.log(10) == pytest.approx(log10)


def test_other_ways_to_write_unknown_and_never(tmp_path: Path) -> None:
    path = tmp_path / "m.arpa"
    path.write_text(OTHERS.replace("-0.25 b", "-inf <UNK>").replace("a b", "a <UNK>"))
    model = read_arpa(path)
    assert model.vocabulary == ("<unk>", "<s>", "</s>", "a")
    assert model.log_prob([], model.unknown) == model.log_prob([], model.start) == NEVER
    assert model.log_prob([model.word_id("a"), model.unknown], model.end) > -1


def test_a_damaged_arpa_file_is_refused(tmp_path: Path) -> None:
    """Without any one of its lines, cut after any one, and with any one of them twice."""
    path = tmp_path / "m.arpa"
    lines = OTHERS.strip().splitlines()
    last = lines.index("\\end\\")
    for at in (i for i in range(1, last + 1) if lines[i]):
        twice = [*lines[: at + 1], *lines[at:]]
        for damaged in (lines[:at] + lines[at + 1 :], lines[:at], twice):
            if damaged == twice and at in (1, last):
                continue
            path.write_text("\n".join(damaged))
            with pytest.raises(ValueError, match=r"m\.arpa, line \d+: "):
                read_arpa(path)


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("-2 a a", "-2 a c", "line 15: a word that is not among the 1-grams"),
        ("-2 a a", "-2 <s> a", "line 15: this 2-gram is there already"),
        ("-2 a a", "-2 a", "line 15: 2 fields"),
        ("-2 a a", "2 a a", "line 15: '2' is not the log10"),
        ("-2 a a", "nan a a", "line 15: 'nan' is not the log10"),
        ("a  -0.25", "a  -0.25x", "line 10: '-0.25x' is not the log10"),
        ("</s>", "x", "line 13: </s> is not among the 1-grams"),
        ("ngram 2=2", "ngram 2=3", "line 16: here end 2 2-grams; the head announces 3"),
        ("\\data\\", "", r"line 20: the file ends without \\data\\"),
    ],
)
def test_what_is_wrong_in_an_arpa_file(old: str, new: str, where: str, tmp_path: Path) -> None:
    path = tmp_path / "m.arpa"
    path.write_text(OTHERS.strip().replace(old, new, 1))
    with pytest.raises(ValueError, match=where):
        read_arpa(path)


def test_words_with_spaces_have_no_place_in_arpa(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=re.escape("'New York'")):
        write_arpa(estimate_ngrams([["New York"]], 2), tmp_path / "m.arpa")
    assert not list(tmp_path.iterdir())


PRUNED = (Path(__file__).parent / "small/pruned.arpa").read_text()
BY_KENLM = {  # decimal logarithms, as kenlm 0.3.0 gave them once for this file
    "the mayor slept": -0.72,
    "slept mayor the": -4.89,
    "mayor the zebra the mayor": -6.55,
    "zebra": -2.61,
    "the mayor the mayor slept slept": -4.06,
}


def test_another_tool_gives_the_same_probabilities(tmp_path: Path) -> None:
    (tmp_path / "m.arpa").write_text(PRUNED)
    model = read_arpa(tmp_path / "m.arpa")
    ours = {text: model.score(text.split()) / math.log(10) for text in BY_KENLM}
    assert ours == pytest.approx(BY_KENLM, abs=1e-5)
