"""The CCG systems: training, model files, ordering, word selection."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from test_drive import told

import wordorder_lab as wl
from wordorder_lab.experiments.runs.evaluate import evaluate
from wordorder_lab.experiments.runs.ordering_evaluate import random_order
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.category import Category
from wordorder_lab.structures.derivation import Derivation
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.systems import find, search_names
from wordorder_lab.systems.zhang_clark_ccg import (
    NAME,
    ZHANG_2012,
    ZHANG_CLARK_2011,
    CCGModel,
    assign_units,
    gold_example,
)

SYSTEMS = [ZHANG_CLARK_2011, ZHANG_2012, NAME]
GAZETTE = wl.load_corpus("gazette").train
SENTENCES = [one for one in GAZETTE if len(one) <= 7][:12]


@cache
def trained(system: str = NAME) -> CCGModel:
    how = {"beam": 16, "epochs": 3, "expansions": 200, "shuffle": True}
    found = wl.train(system, SENTENCES, engine="reference", progress=False, **how)
    assert isinstance(found, CCGModel)
    return found


@pytest.fixture
def model() -> CCGModel:
    return trained()


@pytest.mark.parametrize("system", SYSTEMS)
def test_it_learns_its_sentences(system: str) -> None:
    learned = trained(system)
    found = evaluate(learned, SENTENCES, engine="reference")
    floor = random_order(SENTENCES).scores
    assert found.scores.bleu_cased > floor.bleu_cased + 50
    assert found.scores.spanning is not None and found.scores.spanning > 0.8
    assert found.scores.category_precision is not None and found.scores.category_precision > 0.8
    assert floor.spanning is floor.category_precision is None
    assert sum(learned.settings["history"][0]["sentences"].values()) == len(SENTENCES)


def test_presets_are_the_papers() -> None:
    found = [
        (s.update, s.chart, s.negatives, s.signature, s.averaged, s.templates[12:16])
        for s in (find(name).checked({}) for name in SYSTEMS)
    ]
    assert found == [
        ("perceptron", "sizes", "discard", "2011", False, "2011"),
        ("large-margin", "sizes", "discard", "2011", True, "2011"),
        ("scaled", "single", "expand", "2015", True, "2015"),
    ]
    assert find(ZHANG_CLARK_2011).checked({"chart": "single"}).chart == "single"
    assert "signature" in search_names(NAME) and "signature" not in search_names("liu-2015")
    searches = [trained(system).search_settings() for system in SYSTEMS]
    assert [(one["signature"], one["default"]) for one in searches] == [
        *(("2011", "2011"), ("2011", "2011"), ("2015", "2015")),
    ]


def test_sentences_without_a_derivation_are_counted() -> None:
    bare = [replace(one, derivation=None) for one in SENTENCES]
    with pytest.raises(ValueError, match="none of the 12 sentences has a CCG derivation"):
        wl.train(NAME, bare, progress=False)
    some = wl.train(NAME, [*bare[:3], *SENTENCES[3:6]], epochs=1, engine="reference")
    assert (some.settings["without_derivation"], some.settings["sentences"]) == (3, 3)
    mixed = replace(SENTENCES[0], derivation=SENTENCES[1].derivation, name="page 7")
    with pytest.raises(ValueError, match="page 7: the words of the derivation are not those"):
        wl.train(NAME, [mixed], progress=False)


def test_a_circle_of_unary_rules_is_passed_over() -> None:
    """N => NP => N: no search applies it, so the sentence could never be finished."""
    noun, phrase = map(Category.parse, ("N", "NP"))
    word = Derivation.leaf("peace", "NN", noun)
    around = Derivation.unary(phrase, Derivation.unary(noun, Derivation.unary(phrase, word)))
    odd = Sentence((wl.Token(("peace",), "NN", -1),), "odd", around)
    how: dict[str, Any] = {"epochs": 1, "engine": "reference", "progress": False}
    model = wl.train(NAME, [*SENTENCES[:3], odd], **how)
    assert model.settings["without_derivation"] == 1 and model.settings["sentences"] == 3
    with pytest.raises(ValueError, match="none of the 1 sentences has a CCG derivation that can"):
        wl.train(NAME, [odd], **how)


def test_the_gold_items_are_the_sentence() -> None:
    """Also where a word stands twice, no tag is given, or no dictionary knows the category."""
    twice = [s for s in GAZETTE if len({t.form for t in s}) < len(s)][:5]
    assert twice
    for sentence in [*twice, *SENTENCES[:3]]:
        assert sentence.derivation is not None
        pairs = zip(sentence, sentence.derivation.leaves(), strict=True)
        wanted = [(token.words, token.pos, leaf.category) for token, leaf in pairs]
        tags = TagDictionary.of([sentence]).lookup
        for seed, pos in ((1, 1), (2, 0), (3, 0.5)):
            found = gold_example(sentence, tags, lambda unit, tag: (), pos=pos, seed=seed)
            items = [found.problem.items[i] for i in found.items]
            assert [(item.unit, item.pos, item.category) for item in items] == wanted


def test_an_output_has_its_derivation(model: CCGModel) -> None:
    for sentence in SENTENCES:
        bag = wl.bag_of(sentence)
        found = model.order(bag, engine="reference")
        assert found.words == [bag.form(i) for i in found.order]
        words = [word for one in found.derivations for word in one.words()]
        assert words == found.words
        if not found.is_whole:
            continue
        (derivation,) = found.derivations
        assert derivation.heads() == found.tree.heads and sorted(found.order) == [*range(len(bag))]
        rules = {(rule.parent, rule.children) for rule in model.rules}
        steps = [node for node in derivation.nodes() if node.children]
        assert {(s.category, tuple(c.category for c in s.children)) for s in steps} <= rules


def test_a_default_output_has_several_derivations(model: CCGModel) -> None:
    bag = wl.bag_of(max(GAZETTE[:40], key=len))
    found = model.order(bag, expansions=60, engine="reference")
    assert not found.is_whole and len(found.derivations) == len(found.tree.roots) > 1
    assert [word for one in found.derivations for word in one.words()] == found.words
    assert model.order(bag, expansions=0, engine="reference").derivations == ()


def gold_bag(sentence: Sentence, **more: Any) -> wl.WordBag:
    return replace(wl.WordBag([t.words for t in sentence], [t.pos for t in sentence]), **more)


def test_words_may_be_left_out_or_used_again(model: CCGModel) -> None:
    """Zhang & Clark 2011, section 3: a goal has every word as often as its counts say."""
    sentence = SENTENCES[0]
    n = len(sentence)
    for counts in ([(0, 1)] * n, [(0, 2)] * (n - 1) + [(1, 1)], [None] * (n - 1) + [(0, 0)]):
        bag = gold_bag(sentence, counts=counts)
        found = model.order(bag, k=4, engine="reference", expansions=400)
        assert found.is_whole
        for one in found.k_best:
            used = [one.order.count(i) for i in range(n)]
            assert all(low <= have <= high for have, (low, high) in zip(used, bag.counts))
            assert [bag.form(i) for i in one.order] == one.words
    again = model.order(gold_bag(sentence, counts=[(2, 2)] * n), engine="reference")
    assert max(map(again.order.count, range(n))) == 2


def test_equal_units_are_used_as_their_counts_say() -> None:
    bag = wl.WordBag(["a", "b", "a", "a"], ["X"] * 4, counts=[(0, 2), (1, 1), (1, 1), (0, 1)])
    given = ("NP",)
    bag = replace(bag, categories=[given] * 4)
    problem = OrderingProblem.of(bag, lambda unit: (), lambda unit, tag: ())
    a, b = (next(i for i, item in enumerate(problem.items) if item.word == w) for w in "ab")
    assert assign_units(bag, problem, [a]) == [2]
    assert assign_units(bag, problem, [a, b, a]) == [0, 1, 2]
    assert assign_units(bag, problem, [a, a, a, b, a]) == [0, 0, 2, 1, 3]


def test_given_categories_are_used(model: CCGModel) -> None:
    sentence = SENTENCES[0]
    assert sentence.derivation is not None
    leaves = sentence.derivation.leaves()
    bag = gold_bag(sentence, categories=[[str(leaf.category)] for leaf in leaves])
    found = model.order(bag, engine="reference")
    used = {(leaf.word, leaf.category) for one in found.derivations for leaf in one.leaves()}
    assert used <= {(leaf.word, leaf.category) for leaf in leaves} and used
    for system in ("zhang-2013", "liu-2015"):
        other = wl.train(system, SENTENCES[:2], epochs=1, engine="reference")
        for choice in (bag, wl.WordBag(["Lotus"], counts=[(0, 1)])):
            with pytest.raises(ValueError, match="which only the CCG systems take: leave out its"):
                other.order(choice, engine="reference")


def test_two_edges_may_be_driven_by_hand(model: CCGModel) -> None:
    bag = wl.bag_of(SENTENCES[0])
    found = model.order(bag, engine="reference", trace=(log := wl.EventLog()))
    goal = told(log)[next(event[1] for event in log if event[0] == "finished")]
    answer = model.drive(bag)({"left": goal["left"], "right": goal["right"]})
    scores = [one["score"] for one in answer["outcomes"] if one["order"] == "left right"]
    assert found.is_whole and found.score in scores
