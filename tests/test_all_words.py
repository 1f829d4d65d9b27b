"""``default="all-words"``: a search that is stopped loses no word, and keeps the orders given."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from oracles import random_sentences
from test_input_constraints import random_bag

import wordorder_lab as wl
from wordorder_lab.best_first.output import ALL_WORDS, JOIN_2015
from wordorder_lab.systems.best_first_model import BestFirstModel

CCG, DEPENDENCY = "zhang-clark-2015-ccg", "zhang-clark-2015-dependency"


@cache
def model_of(system: str) -> BestFirstModel:
    sentences = random_sentences(1, 12)
    if system == CCG:
        sentences = [one for one in wl.load_corpus("gazette").train if len(one) < 8][:12]
    model: BestFirstModel = wl.train(
        system, sentences, epochs=1, expansions=60, engine="reference", progress=False
    )
    return model


def bags_of(system: str) -> list[wl.WordBag]:
    chance = random.Random(7)
    if system == DEPENDENCY:
        return [random_bag(chance, chance.randint(1, 9), orders=0.6) for _ in range(40)]
    bags = [wl.bag_of(one) for one in wl.load_corpus("gazette").dev[:20]]
    pairs = [sorted(chance.sample(range(len(bag)), 2)) for bag in bags]
    return [wl.WordBag(bag.words, bag.pos, None, [pair]) for bag, pair in zip(bags, pairs)]


@pytest.mark.parametrize("system", [DEPENDENCY, CCG])
def test_no_word_is_lost(system: str) -> None:
    """At every limit both engines give all words, where the way of 2015 loses some."""
    model, lost = model_of(system), 0
    for number, bag in enumerate(bags_of(system)):
        limit: dict[str, Any] = {"expansions": number % 13}
        logs = [wl.EventLog(), wl.EventLog()]
        found, fast = (
            model.order(bag, default=ALL_WORDS, engine=engine, trace=log, **limit)
            for engine, log in zip(("reference", "fast"), logs, strict=True)
        )
        assert found == fast and list(logs[0]) == list(logs[1])
        assert sorted(found.order) == list(range(len(bag)))
        place = {unit: i for i, unit in enumerate(found.order)}
        assert all(place[one] < place[other] for one, other in bag.before or ())
        assert len(found.tree) == len(bag) and max(found.tree.heads) < len(bag)
        lost += len(model.order(bag, default=JOIN_2015, engine="fast", **limit).order) < len(bag)
    assert lost > 5
