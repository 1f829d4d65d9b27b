"""Driving two edges by hand: why a link is refused, what it scores; gold in an ordering's log."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from oracles import forests, random_sentences
from random_logs import best_first_log, guided_log
from test_best_first import search_on
from test_input_constraints import bag_of, random_orders

import wordorder_lab as wl
from wordorder_lab.analysis.marked_gold import marked_gold
from wordorder_lab.best_first.drive import why_not
from wordorder_lab.best_first.edge import HEAD_LEFT, HEAD_RIGHT, Edge
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.transition.actions import check_interleaving

REASONS = {
    "count": r"the bag has “\w” only (once|twice)",
    "order": r"(another |the root )?“\w”.* must come before .*“\w”.*",
    "right first": r"“\w” has a left dependent already, and a word takes its right ones first",
    "root": r"“\w” is the root of the sentence and has no head",
    "other head": r"the head of “\w” is (another )?“\w”, not “\w”",
    "enough": r"“\w” takes “\w” only (once|twice), and has it already",
    "waits": r"“\w” still waits for its dependents? “\w”.*",
}


def all_edges(bag: wl.WordBag) -> tuple[Any, list[Edge]]:
    search = search_on(bag)
    goals = [part for goal in search.goals for part in goal.post_order()]
    return search.links, [*{e.serial: e for e in [*search.chart, *goals]}.values()]


def random_bags(chance: random.Random, times: int) -> Iterator[wl.WordBag]:
    """Bags of up to four words with heads, many with orders, that some tree keeps."""
    for _ in range(times):
        n = chance.randint(2, 4)
        words = chance.choice(["abcd", "aabb", "aabc"])[:n]
        heads = chance.choice(forests("w" * n, rooted=chance.random() < 0.5))
        bag = bag_of(words, heads, random_orders(chance, n, 2) if chance.random() < 0.6 else ())
        with suppress(ValueError):
            check_interleaving(OrderingProblem.of(bag, lambda _unit: ("T",)))
            yield bag


def test_every_refusal_has_its_reason_and_nothing_else_has() -> None:
    """All pairs of edges of random bags with heads and orders, both ways round, both sides."""
    chance = random.Random(4)
    told: Counter[str] = Counter()
    for bag in [bag_of("aabb", (None, None, 0, 1)), *random_bags(chance, 60)]:
        links, edges = all_edges(bag)
        some = chance.sample(edges, min(30, len(edges)))
        for left, right in [(a, b) for a in some for b in some]:
            together = links.bounds.can_combine(left.counts, right.counts)
            for side in (HEAD_LEFT, HEAD_RIGHT):
                why = why_not(links, left, right, side)
                assert (why is None) == (together and links.allows(left, right, side))
                if why is not None:
                    kinds = [name for name, says in REASONS.items() if re.fullmatch(says, why)]
                    assert kinds, why
                    told.update(kinds)
    assert told.keys() == REASONS.keys(), told


@cache
def model_and_log() -> tuple[Any, wl.WordBag, wl.EventLog]:
    """A little model, a bag with equal words and something given, and a search on it."""
    how = {"beam": 4, "epochs": 2, "progress": False, "engine": "reference"}
    model = wl.train("zhang-clark-2015-dependency", random_sentences(8, 5), **how)
    words = ["boats", "near", "the pier", "boats", "unseen"]
    bag = wl.WordBag(words, None, [None, None, 1, None, None], [(1, 4)])
    log = wl.EventLog()
    model.order(bag, trace=log, beam=8, expansions=60, engine="reference")
    return model, bag, log


def told(log: wl.EventLog) -> dict[int, Any]:
    edges: dict[int, Any] = {0: None}
    for kind, *values in log:
        if kind == "leaf":
            serial, item, form, pos, _, _, category = values
            edges[serial] = {"item": item, "form": form, "pos": pos, "category": category}
        if kind == "edge":
            serial, left, right, action, _, _, category = values
            parts = {"left": edges[left], "right": edges[right]}
            edges[serial] = {"action": action, "category": category, **parts}
    del edges[0]
    return edges


def test_an_answer_is_the_searchs_own() -> None:
    """Driving the parts of every edge of a log gives that edge with its score, to the last bit."""
    model, bag, log = model_and_log()
    drive, edges = model.drive(bag), told(log)
    made = {event[2:5]: event[5] for event in log if event[0] == "edge"}
    assert len(made) > 50
    for left, right, action in made:
        answer = drive({"left": edges[left], "right": edges[right]})
        pairs = {"left right": (left, right), "right left": (right, left)}
        found = {(*pairs[one["order"]], one["action"]): one for one in answer["outcomes"]}
        assert len(found) == (2 if left == right else 4)
        for outcome in found.keys() & made.keys():
            assert found[outcome]["score"] == made[outcome] and found[outcome]["why"] is None
        assert (left, right, action) in found


def test_what_the_search_did_not_make_is_refused() -> None:
    """Two edges of the chart were tried with each other: what did not come of it has a reason."""
    model, bag, log = model_and_log()
    drive, edges = model.drive(bag), told(log)
    made = {event[2:5] for event in log if event[0] == "edge"}
    out = {event[1] for event in log if event[0] == "pruned"}
    chart = [event[1] for event in log if event[0] == "charted" and event[1] not in out]
    refused = 0
    for a, b in pairwise(chart):
        for one in drive({"left": edges[a], "right": edges[b]})["outcomes"]:
            pair = (a, b) if one["order"] == "left right" else (b, a)
            assert (one["why"] is None) == ((*pair, one["action"]) in made)
            assert (one["score"] is None) == (one["why"] is not None)
            refused += one["why"] is not None
    assert refused


def test_a_word_has_to_come_first() -> None:
    model, bag, log = model_and_log()
    leaves = {edge["form"]: edge for edge in told(log).values() if "form" in edge}
    answer = model.drive(bag)({"left": leaves["unseen"], "right": leaves["near"]})
    first, _, third, fourth = answer["outcomes"]
    assert first == {
        "order": "left right",
        "action": "HeadLeft",
        "category": "",
        "words": ["unseen", "near"],
        "score": None,
        "why": "“near” must come before “unseen”",
    }
    assert third["words"] == ["near", "unseen"] and third["why"] is None
    assert fourth["why"] == "“near” still waits for its dependent “the pier”"


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ({}, "no question"),
        ({"left": 3, "right": None}, "no question"),
        ({"left": {"item": 99, "form": "x", "pos": "N"}, "right": {}}, "offers no leaf 99"),
        (
            {"left": {"item": 0, "form": "<b>", "pos": "N"}, "right": {}},
            "is it the bag of this log",
        ),
        ({"left": {"item": [], "form": "<b>", "pos": "N"}, "right": {}}, "no question"),
    ],
    ids=str,
)
def test_a_question_that_has_no_answer(question: Any, says: str) -> None:
    """The player is told why; nothing is raised where nobody could see it."""
    model, bag, _ = model_and_log()
    answer = model.drive(bag)(question)
    assert answer.keys() == {"why"} and says in answer["why"]


def test_an_edge_of_another_bag_is_not_built() -> None:
    model, bag, log = model_and_log()
    edges = told(log)
    wrong = {"action": "HeadLeft", "left": edges[1], "right": edges[1]}
    wrong = {"action": "HeadLeft", "left": wrong, "right": edges[1]}
    answer = model.drive(bag)({"left": edges[2], "right": wrong})
    assert "cannot be built: the bag has" in answer["why"]
    strange = {"action": "<i>", "left": edges[1], "right": edges[2]}
    assert "no action '<i>'" in model.drive(bag)({"left": strange, "right": edges[1]})["why"]


def without_gold(events: list[tuple]) -> wl.EventLog:
    log = wl.EventLog()
    for event in events:
        log.record(*((*event[:6], -1) if event[0] in ("leaf", "edge") else event))
    return log


def test_marked_as_the_learner_marks() -> None:
    """Every search of a training log, its flags taken off and put on again."""
    events = guided_log().events
    begins = [i for i, event in enumerate(events) if event[0] == "begin"] + [len(events)]
    sentences = random_sentences(6, 5, longest=5)
    assert len(begins) - 1 == 2 * len(sentences)
    seen: Counter[int] = Counter()
    for n, (begin, end) in enumerate(pairwise(begins)):
        search = events[begin:end]
        marked = marked_gold(without_gold(search), sentences[n % len(sentences)])
        assert marked.events == search
        seen.update(event[6] for event in search if event[0] in ("leaf", "edge"))
    assert seen[0] > 100 and seen[1] > 50


@cache
def gold_lost() -> wl.EventLog:
    """An ordering with a small chart whose gold is known; a gold edge leaves the chart.

    Nothing but the flags is changed by marking it.
    """
    model, lost = model_and_log()[0], list[wl.EventLog]()
    for sentence in random_sentences(3, 12):
        log = wl.EventLog()
        model.order(wl.bag_of(sentence), beam=2, trace=log, engine="reference", expansions=60)
        marked = marked_gold(log, sentence)
        assert without_gold(marked.events) == log
        gold = {e[1] for e in marked if e[0] in ("leaf", "edge") and e[6] == 1}
        lost += [marked] if any(e[0] == "pruned" and e[1] in gold for e in marked) else []
    return lost[0]


def test_a_gold_edge_that_leaves_the_chart_is_found() -> None:
    assert gold_lost()


def test_a_log_of_other_words() -> None:
    sentence = random_sentences(1, 5, longest=5)[0]
    log = best_first_log("boats boats x")
    with pytest.raises(ValueError, match=r"another bag .*'.*' is there \d times in the bag"):
        marked_gold(log, sentence)
    with pytest.raises(ValueError, match="no `begin` event"):
        marked_gold(wl.EventLog(), sentence)
    log.dropped = 7
    assert marked_gold(log, wl.Sentence(_tokens("boats boats x"))).dropped == 7


def _tokens(words: str) -> tuple[wl.Token, ...]:
    return tuple(wl.Token((word,), "N", i - 1) for i, word in enumerate(words.split()))
