"""Ordering by n-grams alone: both engines against all orders, and the exact search with them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as some

from wordorder_lab.models.kneser_ney import estimate
from wordorder_lab.models.ngram import END_ID, START_ID, NGramModel
from wordorder_lab.ngram_beam.bag import NGramBag, number
from wordorder_lab.ngram_beam.beam import BeamSearch
from wordorder_lab.ngram_beam.held_karp import MOST_BAGS, best_orders
from wordorder_lab.structures.bag import WordBag
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.reducers.replay import fold

UNLIMITED = 6_000
LETTERS = "abcdef"


def a_model(seed: int, order: int, length: int = 7, sentences: int = 25) -> NGramModel:
    """A model of letters at random; three of the bags' words are unknown to it."""
    chance = random.Random(seed)
    lines = [chance.choices(LETTERS, k=chance.randint(1, length)) for _ in range(sentences)]
    return estimate(lines, order)


def a_bag(chance: random.Random, units: int, orders: float = 0.15) -> WordBag:
    """Words and phrases with repetitions, and some orders."""
    words = [
        tuple(chance.choices([*LETTERS, "x", "y"], k=chance.choice((1, 1, 1, 2, 6))))
        for _ in range(units)
    ]
    pairs = [(i, j) for i in range(units) for j in range(i) if chance.random() < orders]
    return WordBag(words, before=pairs)


def problem_of(bag: WordBag, tags: Sequence[str] = ("",)) -> OrderingProblem:
    return OrderingProblem.of(bag, lambda unit: tuple(tags))


def as_seen(problem: OrderingProblem, model: NGramModel, future_cost: bool = True) -> NGramBag:
    return number(
        problem, model, lambda unit, tag: tuple(model.word_id(w + tag) for w in unit), future_cost
    )


def every_order(bag: NGramBag, model: NGramModel) -> Iterator[tuple[float, list[int]]]:
    """All orders with their scores: words in full after all words before them."""
    known: dict[tuple[tuple[int, ...], int], float] = {}

    def log_prob(context: tuple[int, ...], word: int) -> float:
        key = context[-(model.order - 1) :] if model.order > 1 else (), word
        if key not in known:
            known[key] = model.log_prob(*key)
        return known[key]

    def go_on(
        score: float, words: tuple[int, ...], left: tuple[int, ...], items: list[int]
    ) -> Iterator[tuple[float, list[int]]]:
        if not any(left):
            yield score + log_prob(words, END_ID), items
        for item, kind in enumerate(bag.kinds):
            if left[kind] and not any(left[one] for one in bag.earlier[kind]):
                longer, total = words, score
                for word in bag.tokens[item]:
                    total += log_prob(longer, word)
                    longer += (word,)
                after = (*left[:kind], left[kind] - 1, *left[kind + 1 :])
                yield from go_on(total, longer, after, [*items, item])

    return go_on(0.0, (START_ID,), bag.counts, [])


def reference(bag, problem, model, beam=UNLIMITED, recombine=True, k=1, trace=None):
    search = BeamSearch(bag, problem, model, beam, recombine, trace)
    best = [(one.score, one.items()) for one in search.run()[:k]]
    return best, search.counters


def fast(bag, problem, model, beam=UNLIMITED, recombine=True, k=1, trace=None):
    beam_fast = pytest.importorskip("wordorder_lab.ngram_beam.beam_fast")
    engine = beam_fast.FastBeam(beam_fast.fast_ngrams(model), beam)
    return engine.run(bag, problem, recombine, k, trace)


ENGINES = pytest.mark.parametrize("engine", [reference, fast])


@ENGINES
def test_without_a_limit_and_recombination_the_last_beam_has_all_orders(engine):
    chance = random.Random(2)
    for trial in range(24):
        model = a_model(trial, chance.choice((1, 2, 3, 5)))
        problem = problem_of(a_bag(chance, chance.randint(1, 6)))
        bag = as_seen(problem, model, future_cost=trial % 2 == 0)
        everything = sorted(every_order(bag, model))
        best, _ = engine(bag, problem, model, recombine=False, k=UNLIMITED)
        assert sorted(best) == everything  # the same bits: scores are added in the same order
        assert best[0][0] == everything[-1][0]
        scores = [score for score, _ in best]
        assert scores == sorted(scores, reverse=True)


@ENGINES
def test_recombination_makes_less_and_keeps_the_best(engine):
    chance = random.Random(3)
    spared = 0
    for trial in range(12):
        model = a_model(trial, chance.choice((2, 3)))
        problem = problem_of(a_bag(chance, 6, orders=0))
        bag = as_seen(problem, model)
        with_all, work = engine(bag, problem, model, recombine=False)
        best, less = engine(bag, problem, model)
        assert best[0][0] == pytest.approx(with_all[0][0], abs=1e-9)
        assert less["recombined"] > 0
        spared += work["candidates"] - less["candidates"]
    assert spared > 0


cases = some.tuples(some.integers(0, 10**6), some.sampled_from((1, 2, 3, 5)), some.booleans())


@given(cases, some.integers(1, 9), some.sampled_from((1, 2, 7, 64)), some.booleans())
def test_both_engines_give_the_same_bits_and_events(case, units, beam, recombine):
    seed, order, future_cost = case
    model, bag = a_model(seed % 5, order), a_bag(random.Random(seed), units)
    problem = problem_of(bag, ("", "b") if seed % 3 == 0 else ("",))
    seen = as_seen(problem, model, future_cost)
    one, other = EventLog(), EventLog()
    how = {"beam": beam, "recombine": recombine, "k": 4}
    expected = reference(seen, problem, model, trace=one, **how)
    assert fast(seen, problem, model, trace=other, **how) == expected
    assert one.events == other.events
    assert expected == reference(seen, problem, model, **how)
    assert len(expected[0][0][1]) == len(bag)


def test_what_the_model_cannot_tell_apart_is_one_kind() -> None:
    model = a_model(1, 3)
    problem = problem_of(WordBag(["x", "y", "a", "a", "z q"], before=[(0, 2)]))
    bag = as_seen(problem, model)
    assert bag.forms == ("a", "a", "x", "y", "z q")  # of the first three orders are given
    free = as_seen(problem_of(WordBag(["x", "y", "a", "a", "z", "z q"])), model)
    assert free.forms == ("a", "x", "z q") and free.counts == (2, 3, 1)
    assert free.places == ((2, 3), (0, 1, 4), (5,))
    assert free.words == 7
    later = [unit for kind in free.places for unit in kind]
    assert sorted(later) == [0, 1, 2, 3, 4, 5]


def test_future_costs_are_those_of_the_words_left_over() -> None:
    model = a_model(4, 3)
    problem = problem_of(WordBag(["a", "a", "b c"]))
    bag = as_seen(problem, model)
    a, b, c = map(model.word_id, "abc")
    expected = [model.log_prob((), a), model.log_prob((), b) + model.log_prob((), c)]
    assert bag.costs == pytest.approx(expected, abs=1e-6)
    log = EventLog()
    reference(bag, problem, model, trace=log)
    first = next(event for event in log if event[0] == "candidate" and event[3] == "SHIFT-a-")
    assert first[4] == pytest.approx(model.log_prob((START_ID,), a) + sum(expected))
    assert as_seen(problem, model, future_cost=False).costs == (0.0, 0.0)


def test_the_beam_view_shows_the_sentences_of_a_log_with_phrases_and_orders() -> None:
    model = a_model(5, 3)
    problem = problem_of(WordBag(["b c", "a", "a", "d e f", "b"], before=[(3, 0)]))
    bag = as_seen(problem, model)
    log = EventLog()
    best, _ = reference(bag, problem, model, beam=3, trace=log)
    shown = fold(log, len(log))
    last = shown["columns"][-1]["states"][0]
    assert [unit for unit, _ in last["order"]] == [bag.forms[bag.kinds[i]] for i in best[0][1]]
    assert last["serial"] == shown["finished"]["serial"]
    assert last["score"] == pytest.approx(best[0][0])
    reasons = [event[3] for event in log if event[0] == "forbidden"]
    assert "\u201cd e f\u201d must come before \u201cb c\u201d" in reasons
    out = {event[1] for event in log if event[0] in ("cut", "pruned")}
    kept = {event[1] for event in log if event[0] == "kept"}
    made = {event[1] for event in log if event[0] == "candidate"}
    assert out | kept == made and not out & kept


def held_karp_is_right(trials: int, longest: int, seed: int) -> None:
    chance = random.Random(seed)
    models = [a_model(order, order, sentences=60) for order in (1, 2, 3, 4, 5)]
    for _ in range(trials):
        model = chance.choice(models)
        problem = problem_of(a_bag(chance, chance.randint(1, longest), chance.choice((0, 0.1))))
        bag = as_seen(problem, model)
        by_items = {tuple(items): score for score, items in every_order(bag, model)}
        everything = sorted(by_items.values(), reverse=True)
        k = chance.choice((1, 1, 3))
        exact, _ = best_orders(bag, model, k)
        assert [score for score, _ in exact] == pytest.approx(everything[:k], abs=1e-9)
        beam, _ = reference(bag, problem, model, beam=4, k=k)
        reached = beam[-1][0] if len(beam) == k else -math.inf
        pruned, _ = best_orders(bag, model, k, reached)
        assert [score for score, _ in pruned] == pytest.approx(everything[:k], abs=1e-9)
        assert all(by_items[tuple(items)] == score for score, items in exact + pruned)


def test_held_karp_is_right_about_small_bags() -> None:
    held_karp_is_right(60, 6, seed=1)


@pytest.mark.slow
def test_held_karp_is_right_about_bags_of_up_to_eight_units() -> None:
    held_karp_is_right(200, 8, seed=2)


def test_a_bag_too_large_for_exact_search_is_told_how_large_it_may_be() -> None:
    model = a_model(1, 2)
    words = [f"w{i}" for i in range(15)]
    problem = problem_of(WordBag(words, before=[(i, i + 1) for i in range(14)]))
    with pytest.raises(ValueError, match=r"16,384 at most, those of 14 .* would need 32,768"):
        best_orders(as_seen(problem, model), model)
    alike = as_seen(problem_of(WordBag(words)), model)  # the model knows none of them
    assert alike.counts == (15,) and MOST_BAGS > 16
    assert len(best_orders(alike, model)[0][0][1]) == 15


def test_the_k_best_of_a_large_bag_are_refused() -> None:
    model = a_model(1, 2)
    orders = [(i, i + 1) for i in range(11)]  # so that no two are of one kind
    bag = as_seen(problem_of(WordBag(["w"] * 12, before=orders)), model)
    with pytest.raises(ValueError, match=r"32,768 in all at most; .* k is at most 8, not 9"):
        best_orders(bag, model, 9)


def test_given_heads_are_refused() -> None:
    problem = problem_of(WordBag(["a", "b"], heads=[1, None]))
    with pytest.raises(ValueError, match="takes no heads: leave them out"):
        as_seen(problem, a_model(1, 2))
