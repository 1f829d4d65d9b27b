"""Exercises 31.1 to 31.6: the solutions are right, and wrong answers are told where."""

from __future__ import annotations

import random
from itertools import pairwise, permutations
from typing import Any

import pytest
from exercise_cases import run_solutions, wrong_answers

import wordorder_lab as wl
from wordorder_lab.check import Desk, nb_31
from wordorder_lab.check.nb_30 import Table
from wordorder_lab.structures.bag import bag_of

pytest.importorskip("numba")


def by_gold(score: float, gold: float, best: float) -> set[str]:
    """What ``wl.errors`` says, which does not know of a third sentence."""
    return {"search"} if gold > score + 1e-9 else {"model"} if gold < score - 1e-9 else set()


def to_the_digit(score: float, gold: float, best: float) -> set[str]:
    return ({"search"} if best > score else set()) | ({"model"} if best > gold else set())


def greedy(words: list[str], log_prob: Any) -> float:
    left, last, total = [*words], "<s>", 0.0
    while left:
        word = max(left, key=lambda one: log_prob(last, one))
        total += log_prob(last, word)
        left.remove(word)
        last = word
    return float(total + log_prob(last, "</s>"))


def without_end(words: list[str], log_prob: Any) -> float:
    return nb_31.best_score(words, lambda a, b: 0.0 if b == "</s>" else log_prob(a, b))


def every_order(words: list[str], log_prob: Any) -> float:
    orders = permutations(words)
    return max(
        sum(log_prob(*pair) for pair in pairwise(["<s>", *order, "</s>"])) for order in orders
    )


LEVEL = dict.fromkeys(nb_31.NEEDED, -1.0)
DEEP = {
    **dict.fromkeys(nb_31.NEEDED, -9.0),
    ("<s>", "a"): 0.0,
    ("<s>", "b"): 0.0,
    ("<s>", "c"): -2.0,
    ("a", "c"): -20.0,
    ("b", "c"): -20.0,
    ("c", "a"): -1.0,
}
"""The best order begins with *c*, which is third."""
PLAIN = dict.fromkeys(nb_31.PARTS, 1.0)


@pytest.fixture(scope="module")
def solved() -> dict[str, Any]:
    return run_solutions("31")[2]


WRONG: list[tuple[str, Any, str]] = [
    ("31.1", by_gold, "gold of -8 and a best score of -7: model is missing"),
    ("31.1", to_the_digit, "These differ by rounding alone"),
    ("31.1", lambda score, gold, best: "search", "a set, with"),
    ("31.2", greedy, "it is"),
    ("31.2", without_end, "For a and"),
    ("31.2", every_order, "Do you go through all orders?"),
    ("31.3", LEVEL, "Beam 1 finds a b c, -3: nothing scores more"),
    ("31.3", DEEP, "and so is beam 2"),
    ("31.3", {**LEVEL, ("a", "b"): 1}, "at most 0"),
    ("31.3", {**LEVEL, ("a", "b"): "dear"}, "('a', 'b'): a number is wanted, not 'dear'"),
    ("31.3", {("a", "b"): -1}, "('<s>', 'a') has no score"),
    ("31.4", PLAIN, "the first one is no worse"),
    ("31.4", {**PLAIN, "bc": "many"}, "bc: a number is wanted, not 'many'"),
    ("31.4", {"a": 1}, "a number for each of a, b, c, ab"),
    ("31.5", lambda n: 2 ** (n - 1), "3 words in one order: it is 8, not 4"),
]
test_wrong_answers_are_told_where = wrong_answers(WRONG)


def test_a_planted_error_is_judged_by_what_it_does(solved: dict[str, Any]) -> None:
    given = {"model": solved["model"], "sentence": solved["sentence"]}
    early, late = solved["changes"]
    for answer, says in (
        ({early: -50}, "that is a model error"),
        ({late: 0.0}, "still puts out the sentence"),
        ({99: -1}, "no weight can be changed at step 99: take one of"),
        ({early: "low"}, "is not a step and a number"),
        ({}, "a dictionary from steps to changes"),
    ):
        verdict = Desk()("31.6", answer, **given)
        assert verdict.right is False and says in verdict.text, verdict.text


def test_a_change_moves_gold_by_what_is_changed(solved: dict[str, Any]) -> None:
    """Half a point more at a step is half a point more for gold, if it looks there once."""
    model, sentence = solved["model"], solved["sentence"]
    moved = 0
    before = nb_31.course(model, sentence, 1).gold
    for row in nb_31.gold_weights(model, sentence):
        after = nb_31.course(nb_31.planted(model, sentence, {row.step: 0.5}), sentence, 1).gold
        assert after[: row.step - 1] == before[: row.step - 1] or after[-1] > before[-1] + 0.6
        moved += after[-1] == pytest.approx(before[-1] + 0.5, abs=1e-3)
    assert moved > 3
    assert model.order(bag_of(sentence)).text == sentence.text, "the model itself is as it was"


def test_a_course_ends_with_the_scores_of_output_and_gold(solved: dict[str, Any]) -> None:
    model = solved["model"]
    sentences = [s for s in wl.load_corpus("gazette").dev if len(s) < 8][:12]
    rows = wl.errors(model, sentences, beam=2)
    cut = 0
    for sentence, row in zip(sentences, rows.itertuples(), strict=True):
        best, gold, lost = nb_31.course(model, sentence, 2)
        assert len(best) == len(gold) == 2 * len(sentence) - 1
        assert best[-1] == pytest.approx(row.score) and gold[-1] <= row.gold_score + 1e-9
        assert (row.fate == "cut") == bool(lost) and (not lost or row.lost == lost)
        log, moment = nb_31.logged(model, sentence, 2)
        assert (moment < len(log)) == bool(lost)
        cut += bool(lost)
        assert model.order(nb_31.in_order(sentence), beam=2).text == sentence.text
    assert cut > 3


def test_held_and_karp_is_brute_force() -> None:
    chance = random.Random(5)
    for seed in range(20):
        words = [chance.choice("abcd") for _ in range(chance.randint(1, 6))]
        table = Table(words, seed, most=10**6)
        assert nb_31.best_score(words, table) == nb_31.brute_force(words, table)


def test_a_wide_beam_over_three_words_is_exact() -> None:
    chance = random.Random(6)
    for _ in range(20):
        scores = {pair: -float(chance.randint(0, 9)) for pair in nb_31.NEEDED}
        best = nb_31.score_of(nb_31.beam_search(scores, 6), scores)
        assert best == max(nb_31.score_of(order, scores) for order in permutations("abc"))


def test_where_joins_only_cost_the_first_goal_is_the_best() -> None:
    """By plain scores that is Dijkstra's argument; scaled scores break it, and so does a gain."""
    chance, late = random.Random(7), 0
    for _ in range(200):
        own = {edge: float(chance.randint(-9, 9)) for edge in nb_31.PARTS}
        pops = nb_31.pops_of(own)
        best = max(nb_31.pop_of(goal, own).score for goal in nb_31.GOALS)
        assert pops[-1].edge in nb_31.GOALS and pops[-1].score <= best
        late += pops[-1].score < best
        if pops[-1].score < best:
            assert Desk()("31.4", own).right
    assert 0 < late < 100
