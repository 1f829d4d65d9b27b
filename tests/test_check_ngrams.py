"""Exercises 30.1 to 30.7: wrong answers are told where; what is measured."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise, permutations
from typing import Any

import pytest
from exercise_cases import wrong_answers

import wordorder_lab as wl
from wordorder_lab.check import nb_30
from wordorder_lab.check.small_world import SENTENCES, sentence
from wordorder_lab.models.kneser_ney import estimate_ngrams

TEXT = [line.split() for line in ("we left San Francisco", "San Francisco fell", "we fell")]
LogProb = Callable[[str, str], int]


def unmarked(word: str, before: str, text: list[list[str]]) -> float:
    """Without the marks of sentences."""
    pairs = Counter(pair for words in text for pair in pairwise(words))
    followed = sum(count for (first, _), count in pairs.items() if first == before)
    return pairs[before, word] / followed if followed else 0.0


def dividing(word: str, before: str, text: list[list[str]]) -> float:
    words = [word for line in text for word in ["<s>", *line]]
    return nb_30.share(word, before, text) * words.count(before) / words.count(before)


def occurrences(word: str, text: list[list[str]]) -> int:
    return sum([*line, "</s>"].count(word) for line in text)


def followers(word: str, text: list[list[str]]) -> int:
    return len({second for first, second in _pairs(text) if first == word})


def unmarked_company(word: str, text: list[list[str]]) -> int:
    return len({first for first, second in _pairs(text) if second == word} - {"<s>"})


def company_of(word: str, text: list[list[str]]) -> float:
    return nb_30.company_size(word, text) / len(nb_30.bigrams(text))


def by_counts(word: str, before: str, text: list[list[str]], d: float) -> float:
    """Frequencies instead of companies."""
    pairs = _pairs(text)
    low = occurrences(word, text) / len(pairs)
    after = [second for first, second in pairs if first == before]
    if not after:
        return low
    own = max(after.count(word) - d, 0) / len(after)
    return own + d * len(set(after)) / len(after) * low


def discounted(word: str, before: str, text: list[list[str]], d: float) -> float:
    """What is taken goes nowhere."""
    after = [second for first, second in _pairs(text) if first == before]
    return max(after.count(word) - d, 0) / len(after) if after else company_of(word, text)


def last_words(one: list[str], two: list[str], order: int) -> bool:
    return one[-order:] == two[-order:] and sorted(one) == sorted(two)


def whole_list(one: list[str], two: list[str], order: int) -> bool:
    """The trap of order 1."""
    return sorted(one) == sorted(two) and one[-(order - 1) :] == two[-(order - 1) :]


def same_words_forgotten(one: list[str], two: list[str], order: int) -> bool:
    return one[max(0, len(one) - order + 1) :] == two[max(0, len(two) - order + 1) :]


def score_of(order: Sequence[str], log_prob: LogProb) -> int:
    return sum(log_prob(*pair) for pair in pairwise(["<s>", *order, "</s>"]))


def all_orders(words: list[str], log_prob: LogProb) -> Sequence[str]:
    return max(permutations(words), key=lambda order: score_of(order, log_prob))


def greedy(words: list[str], log_prob: LogProb) -> list[str]:
    order, left = ["<s>"], sorted(words)
    while left:
        order.append(max(left, key=lambda word: log_prob(order[-1], word)))
        left.remove(order[-1])
    return order[1:]


def without_end(words: list[str], log_prob: LogProb) -> Sequence[str]:
    return max(
        permutations(words),
        key=lambda order: score_of(order, log_prob) - log_prob(order[-1], "</s>"),
    )


WRONG: list[tuple[str, Any, str]] = [
    ("30.1", unmarked, "For p(saw | dog) in the text  the dog saw the dog"),
    ("30.1", dividing, "you divide by zero"),
    ("30.2", occurrences, "the same neighbour counts once"),
    ("30.2", followers, "the words that follow"),
    ("30.2", unmarked_company, "The beginning of a sentence is company"),
    ("30.3", by_counts, "you have counts; Kneser and Ney have companies"),
    ("30.3", discounted, "has to go somewhere"),
    ("30.4", ({"A", "D"}, {"A", "D"}), "With future cost: A stands at -19.0, and B is better"),
    ("30.4", ({"B", "E"}, {"B", "E"}), "Without future cost: B stands at -7.5, and A is better"),
    ("30.4", ({"A"}, {"B"}), "two of A, B, C, D, E"),
    ("30.4", ("AD", "AD"), "With future cost: A stands at -19.0"),
    ("30.5", last_words, "order 1: they may be recombined. The same is left over"),
    ("30.5", whole_list, "order 1: they may be recombined. The same is left over"),
    ("30.5", same_words_forgotten, "Different words are left over"),
    ("30.5", lambda one, two, order: sorted(one) == sorted(two), "after 1 words, and these differ"),
    ("30.6", all_orders, "For 9 words it asks log_prob more than 100,000 times"),
    ("30.6", greedy, "your order scores"),
    ("30.6", without_end, "It forgets the end."),
    ("30.6", lambda words, log_prob: words[1:], "An order of"),
    ("30.7", [1, 2, 4, 5, 7], "count both ends"),
    ("30.7", [0, 1, 3, 4, 6], "That many stand between them"),
]


def _pairs(text: list[list[str]]) -> list[tuple[str, str]]:
    return [pair for line in text for pair in zip(["<s>", *line], [*line, "</s>"], strict=True)]


test_wrong_answers_are_told_where = wrong_answers(WRONG)


def test_the_two_beams_have_nothing_in_common() -> None:
    assert [*nb_30.totals(False)][:2] == ["D", "A"] and [*nb_30.totals(True)][:2] == ["E", "B"]


def test_probabilities_add_up_to_one() -> None:
    """After a word that was read, after one that was not, and after the beginning."""
    words = sorted({word for line in TEXT for word in line})
    for before in ("<s>", "zebra", *words):
        total = sum(nb_30.probability(word, before, TEXT, 0.5) for word in (*words, "</s>"))
        assert total == pytest.approx(1)
    assert nb_30.probability("Francisco", "zebra", TEXT, 0.5) < nb_30.probability(
        "fell", "zebra", TEXT, 0.5
    )


def test_what_may_be_recombined_has_the_same_future() -> None:
    """Against the sums of all endings, under n-gram models made by chance."""
    chance, words = random.Random(30), "abcd"
    beginnings = [list(some) for length in (1, 2, 3) for some in permutations(words, length)]
    for order in (1, 2, 3):
        drawn: dict[tuple[str, ...], float] = {}

        def futures(beginning: list[str], order: int = order, drawn: dict = drawn) -> dict:
            left = [word for word in words if word not in beginning]
            sums = {}
            for ending in permutations(left):
                whole = ["<s>"] * order + beginning + [*ending, "</s>"]
                spans = [tuple(whole[i - order + 1 : i + 1]) for i in range(order, len(whole))]
                logs = [drawn.setdefault(span, chance.random()) for span in spans]
                sums[ending] = sum(logs[len(beginning) :])
            return sums

        for one in beginnings:
            for two in beginnings:
                if len(one) == len(two):
                    assert (futures(one) == futures(two)) == nb_30.same_future(one, two, order)


def test_the_best_score_is_that_of_all_orders() -> None:
    chance = random.Random(30)
    table: dict[tuple[str, str], int] = {}

    def log_prob(before: str, word: str) -> int:
        return table.setdefault((before, word), -chance.randint(1, 30))

    for _ in range(20):
        table.clear()
        words = "abcde"[: chance.randint(1, 5)]
        every = [score_of(order, log_prob) for order in permutations(words)]
        assert score_of(nb_30.best_order([*words], log_prob), log_prob) == max(every)


# --- what the notebook measures -------------------------------------------------------------------


def test_a_subject_is_seen_as_far_as_the_order_goes() -> None:
    """With a text that has every filler, the first 0 comes where the window ends."""
    lines = [
        f"The {subject} {filler} {verb} left".split()
        for subject, verb in (("exporter", "has"), ("exporters", "have"))
        for filler in nb_30.FILLERS
    ]
    words = Counter(word for line in lines for word in line)
    pairs = nb_30.noun_pairs(words)
    assert pairs == [("exporter", "exporters")]
    for order in range(2, 7):
        seen = nb_30.subject_counts(estimate_ngrams(lines, order), pairs)
        assert all(change > 0 for change in seen[: order - 1])
        assert all(change == 0 for change in seen[order - 1 :])
    with pytest.raises(ValueError, match="no pairs of nouns"):
        nb_30.subject_counts(estimate_ngrams(lines, 2), [])


def test_verbs_are_counted_by_number_and_distance() -> None:
    read = ["the boat was old", "the boat was red", "it was slow", "the boats were old"]
    model = estimate_ngrams([line.split() for line in read], 5)
    agreeing = [
        sentence("the_boat/NP>1 was/VBD old/JJ>1"),
        sentence("the_boats/NP>1 were/VBD old/JJ>1"),
        sentence("boats/NNS>3 we/PRP>2 saw/VBD>0 were/VBD gone/VBN>3"),
        sentence("old/JJ>1 was/VBD the_boat/NP>1"),  # no subject on its left
    ]
    near, far = nb_30.agreement(model, agreeing)
    assert [near[f"{number}: verbs"] for number in ("singular", "plural")] == [1, 1]
    assert near["singular: right"] == near["plural: right"] == 1.0
    assert far["plural: verbs"] == 1 and far["plural: right"] == 0.0
    assert near["plural: pair was read"] == 1.0 and far["plural: pair was read"] == 0.0
    assert far["singular: verbs"] == 0 and far["singular: right"] is None


def test_fifths_of_sentences() -> None:
    model = estimate_ngrams([["a"] * 9, ["b"]], 1)
    ten = "a a b b a a b b b b ."
    costs = nb_30.mean_cost(model, [ten, "b ."])
    a, b = (model.log_prob((), model.word_id(word)) for word in "ab")
    assert costs == pytest.approx([a, b, a, b, b])
    assert nb_30.mean_cost(model, ["a b ."]) == [0.0] * 5


def test_faults_are_those_of_all_orders() -> None:
    """Against enumeration: an output is a search error if the true order is likelier."""
    model = wl.train("ngram-beam", SENTENCES, order=3, min_count=1, progress=False)
    unread = [sentence("he/NP>1 saw/VBD a_book/NP>1 ./.>1"), *SENTENCES[:3]]
    for search in ({"beam": 1, "future_cost": False}, {"exact": True}):
        counts = nb_30.fault_counts(model, unread, **search)
        outputs = [model.order(wl.bag_of(each, pos=0), **search) for each in unread]
        right = sum(output.text == each.text for output, each in zip(outputs, unread, strict=True))
        assert counts["right"] == right and sum(list(counts.values())[:3]) == len(unread)
        assert math.isclose(counts["mean log p"], sum(o.score for o in outputs) / len(unread))
    assert counts["search error"] == 0, "exact search makes none"
    greedy_counts = nb_30.fault_counts(model, unread, beam=1, future_cost=False)
    assert greedy_counts["search error"] > 0


def test_two_systems_beside_each_other() -> None:
    class Reads:
        """Only what ``beside`` asks of an evaluation."""

        references = ("a b c d e .", "f g h i .")

        def __init__(self, *outputs: str) -> None:
            self.outputs = outputs

    worse, better = Reads(". e d c b a", ". i h g f"), Reads(*Reads.references)
    assert nb_30.beside(worse, better)[0] > 50  # type: ignore[arg-type]
    assert nb_30.beside(better, better) == (0.0, 1.0)  # type: ignore[arg-type]
