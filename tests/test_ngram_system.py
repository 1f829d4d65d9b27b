"""Ordering by n-grams alone: against all orders, the exact search, the system "ngram-beam"."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from both_engines import ENGINES, both
from hypothesis import given
from hypothesis import strategies as some

import wordorder_lab as wl
from wordorder_lab.cli import main
from wordorder_lab.models.arpa import read_arpa
from wordorder_lab.models.kneser_ney import estimate_ngrams, signature
from wordorder_lab.models.ngram import END_ID, START_ID, NGramModel
from wordorder_lab.ngram_beam import beam_fast
from wordorder_lab.ngram_beam.bag import NGramBag, number
from wordorder_lab.ngram_beam.beam import BeamSearch
from wordorder_lab.ngram_beam.held_karp import MOST_BAGS, best_orders
from wordorder_lab.structures.bag import WordBag, bag_of
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.reducers.replay import fold

SENTENCES = wl.load_corpus("gazette").train[:150]


@cache
def trained(**settings):
    about = {"corpus": "gazette", "units": "base-np"}
    return wl.train("ngram-beam", SENTENCES, engine="reference", about=about, **settings)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder: Path = tmp_path_factory.mktemp("ngrams")
    trained().save(folder / "n.wol")
    return folder


@pytest.mark.parametrize(
    "settings", [{}, {"lower_case": True, "order": 3}, {"tagged": True}, {"signatures": False}]
)
def test_a_model_orders_the_same_on_both_engines_after_it_was_saved(settings, tmp_path) -> None:
    model = trained(**settings)
    model.save(tmp_path / "m.wol")
    again = wl.load_model(tmp_path / "m.wol")
    again.save(tmp_path / "again.wol")
    assert (tmp_path / "m.wol").read_bytes() == (tmp_path / "again.wol").read_bytes()
    for sentence in [one for one in wl.load_corpus("gazette").dev if len(one) < 9][:6]:
        for pos in (0, 1):
            bag = bag_of(sentence, pos)
            one = both(model, bag, k=3)
            assert again.order(bag, k=3, engine="fast") == one
            assert sorted(one.surface) == sorted(sentence.surface)
            assert sorted(one.order) == list(range(len(bag)))
            assert [bag.form(i) for i in one.order] == one.words


def test_the_score_is_that_of_the_sentence_with_its_marks() -> None:
    model = trained()
    result = model.order(wl.WordBag(["the", "mayor and council", "."]), engine="reference")
    words = [
        token
        for unit in result.units
        for token in (("<np>", *unit, "</np>") if len(unit) > 1 else unit)
    ]
    known = [word if word in model.ngrams.vocabulary else signature(word) for word in words]
    assert "<small>" in known and result.score == pytest.approx(model.ngrams.score(known))
    plain = trained(mark_phrases=False, signatures=False)
    result = plain.order(wl.WordBag(["the", "mayor and council", "."]), engine="reference")
    assert result.score == pytest.approx(plain.ngrams.score(result.surface))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("exact", [False, True])
def test_a_list_says_which_words_it_does_not_exchange(engine, exact, folder, capsys) -> None:
    """Words that the model cannot tell apart stand in one order, and the reader is told."""
    model, bag = wl.load_model(folder / "n.wol"), ["the", "blorp", "zyxes", "grumb", "."]
    found = model.order(bag, k=9, exact=exact, engine=engine)
    assert found.alike == (("blorp", "grumb"),)
    texts = {one.text for one in found.k_best}
    for one in found.k_best:  # no two of them are the same but for the two words
        swapped = " ".join({"blorp": "grumb", "grumb": "blorp"}.get(w, w) for w in one.words)
        assert swapped not in texts
    assert "not listed: the same with “blorp” and “grumb” in each other's" in found._repr_html_()
    known = model.order(["the", "."], k=2, exact=exact, engine=engine)
    assert known.alike == () and "not listed" not in known._repr_html_()
    asked = ["order", "--model", str(folder / "n.wol"), "--engine", engine, *bag]
    assert main([*asked, "--k", "9", "--json", str(folder / "k.json")]) == 0
    assert found.unlisted in capsys.readouterr().out.split("\n")
    assert json.loads((folder / "k.json").read_text())[0]["alike"] == [["blorp", "grumb"]]
    assert main(asked) == 0 and "not listed" not in capsys.readouterr().out


def test_exact_search_drops_what_cannot_win() -> None:
    """A narrow beam costs it nothing; what is dropped changes neither scores nor orders."""
    model, words = trained(), "the a of in and to council mayor new ."
    bag = wl.WordBag(words.split())
    seen = model.seen(model.problem(bag))
    for k, most in ((1, 10_000), (8, 40_000)):
        result = model.order(bag, exact=True, beam=1, engine="reference", k=k)
        everything, done = best_orders(seen, model.ngrams, k)
        assert [one.score for one in result.k_best] == [score for score, _ in everything]
        assert result.counters["candidates"] < most and result.counters["states"] < done["states"]


def test_the_switches_make_a_difference() -> None:
    model = trained()
    bags = [bag_of(one) for one in SENTENCES[:10]]
    for switch in ("future_cost", "recombine"):
        orders = [
            [model.order(bag, beam=4, engine="reference", **{switch: on}) for bag in bags]
            for on in (True, False)
        ]
        assert [one.counters for one in orders[0]] != [one.counters for one in orders[1]]
    free = model.order(bags[0], engine="reference", recombine=False)
    assert free.counters["recombined"] == 0


def test_what_the_model_was_not_told_it_learns_from_text(tmp_path) -> None:
    text = tmp_path / "more.txt"
    text.write_text("\n".join(["zebras graze here", ""] * 3) + "\n", encoding="utf-8")
    bag = wl.WordBag(["here", "zebras", "graze"])
    without, with_text = trained(), trained(text=(str(text),))
    assert with_text.order(bag, engine="reference").text == "zebras graze here"
    assert with_text.ngrams.word_id("zebras") and not without.ngrams.word_id("zebras")
    assert "text" not in with_text.settings  # a path of this machine


def test_train_order_evaluate_and_arpa_on_the_command_line(folder, capsys, monkeypatch) -> None:
    monkeypatch.chdir(folder)
    argv = ["train", "ngram-beam", "--corpus", "gazette", "--order", "3", "--arpa", "n.arpa"]
    assert main([*argv, "--engine", "reference", "--out", "m.wol", "--quiet"]) == 0
    assert read_arpa("n.arpa").order == 3
    again = ["train", "ngram-beam", "--corpus", "gazette", "--ngrams", "n.arpa", "--quiet"]
    assert main([*again, "--engine", "reference", "--out", "a.wol"]) == 0
    capsys.readouterr()
    texts = []
    for model in ("m.wol", "a.wol"):
        how = ["--engine", "reference", "--exact", "--json", "-", "--k", "2"]
        assert main(["order", "--model", model, *how, "the mayor opened [a new bridge] ."]) == 0
        texts.append(json.loads(capsys.readouterr().out)[0]["text"])
    assert texts[0] == texts[1]
    how = ["--beam", "2", "--no-future-cost", "--no-recombine", "--engine", "reference"]
    assert main(["evaluate", "--model", "m.wol", *how, "--json", "e.json", "--show", "1"]) == 0
    told = json.loads((folder / "e.json").read_text())
    assert told["future_cost"] is False and told["recombine"] is False and told["beam"] == 2
    assert 0 < told["bleu_13a_lc"] <= 100
    assert "future_cost False" in capsys.readouterr().out


def bad(right: str, wrong: str) -> str:
    """A small ARPA file with something wrong in it."""
    return (
        "\\data\\\nngram 1=3\nngram 2=1\n\n\\1-grams:\n-1\t<unk>\n-99\t<s>\t-0.3\n-0.5\t</s>\n\n"
        "\\2-grams:\n-0.2\t<s> </s>\n\n\\end\\\n"
    ).replace(right, wrong)


FILES = {
    "missing.arpa": bad("\\2-grams:", "").encode(),
    "above.arpa": bad("-0.5", "0.5").encode(),
    "two.arpa": bad("-0.2", "-0.25").encode(),
    "empty.txt": b"\n \n",
    "blank.txt": "a b\nc 1\u00a0000 d\n".encode(),
    "latin.txt": b"a b\ncaf\xe9\n",
    "spaced.arpa": bad("-0.5\t</s>", "-0.5\ta b\t</s>").encode(),
}
REFUSED = {
    "section": (
        ["--ngrams", "missing.arpa"],
        "missing.arpa, line 11: the head announces 3 1-grams",
    ),
    "probability": (["--ngrams", "above.arpa"], "above.arpa, line 8: '0.5' is not the log10"),
    "order": (["--ngrams", "two.arpa", "--order", "5"], "two.arpa has n-grams of up to 2 words"),
    "word": (["--ngrams", "spaced.arpa"], "spaced.arpa, line 8: 4 fields; a 1-gram has 2 or 3"),
    "empty": (["--text", "empty.txt"], "empty.txt has no words: give a text with a sentence"),
    "blank": (["--text", "blank.txt"], "blank.txt, line 2: the word '1\\xa0000' has a blank"),
    "latin": (["--text", "latin.txt"], "line 2 of latin.txt is not UTF-8 text"),
    "no text": (["--text", "none.txt"], "none.txt cannot be read"),
    "both": (["--text", "empty.txt", "--ngrams", "two.arpa"], "leave one of them"),
    "tags": (["--text", "empty.txt", "--tagged"], "plain text has no tags"),
    "epochs": (["--epochs", "3"], "ngram-beam has no --epochs in its training"),
    "far": (["--order", "99"], "99"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_training_input_is_one_line(name, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    for file, data in FILES.items():
        (tmp_path / file).write_bytes(data)
    argv, says = REFUSED[name]
    try:
        code = main(["train", "ngram-beam", "--corpus", "gazette", *argv, "--out", "m.wol"])
    except SystemExit as refused:  # by the parser
        code = int(refused.code or 0)
    said = capsys.readouterr().err
    assert code == 2 and says in said and said.count("\n") == 1, said
    assert not (tmp_path / "m.wol").exists()


ASKED = {
    "heads": (["a>0 b>1"], "takes no heads: leave them out"),
    "play": (["--exact", "--play", "p.html", "a b"], "leave out exact, or the trace"),
    "chart": (["--chart", "sizes", "a b"], "ngram-beam has no --chart in its search; it has"),
}


@pytest.mark.parametrize("name", ASKED)
def test_bad_bags_are_one_line(name, folder, monkeypatch, capsys) -> None:
    monkeypatch.chdir(folder)
    argv, says = ASKED[name]
    assert main(["order", "--model", "n.wol", "--engine", "reference", *argv]) == 2
    said = capsys.readouterr().err
    assert says in said and said.count("\n") == 1


def test_exact_says_how_large_a_bag_may_be(folder, monkeypatch, capsys) -> None:
    monkeypatch.chdir(folder)
    known = wl.load_model("n.wol").ngrams.vocabulary
    words = [word for word in known if word.isalpha()][:15]
    assert main(["order", "--model", "n.wol", "--exact", *words, "--engine", "reference"]) == 2
    said = capsys.readouterr().err
    assert "16,384 at most, those of 14 different units; this bag would need" in said


UNLIMITED = 6_000
LETTERS = "abcdef"


def a_model(seed: int, order: int, length: int = 7, sentences: int = 25) -> NGramModel:
    """A model of letters at random; three of the bags' words are unknown to it."""
    chance = random.Random(seed)
    lines = [chance.choices(LETTERS, k=chance.randint(1, length)) for _ in range(sentences)]
    return estimate_ngrams(lines, order)


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
    engine = beam_fast.FastBeam(beam_fast.fast_ngrams(model), beam)
    return engine.run(bag, problem, recombine, k, trace)


BOTH_ENGINES = pytest.mark.parametrize("engine", [reference, fast])


@BOTH_ENGINES
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


@BOTH_ENGINES
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
