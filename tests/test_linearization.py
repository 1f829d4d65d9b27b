"""Ordering head by head: both comparators against enumeration, their model files, their manners."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_realization import BY_HEADS, TRAIN, UNSEEN, train_small, trained

import wordorder_lab as wl
from wordorder_lab.linearization import dependency_ngrams
from wordorder_lab.linearization.dependents_beam import OrderScores, best_orders
from wordorder_lab.linearization.domains import Domain, Order, ordered_from_below, placed_domains
from wordorder_lab.linearization.sibling_features import (
    SiblingFeatures,
    buckets_of,
    load_sibling_templates,
    parse_sibling_templates,
    scores_of,
)
from wordorder_lab.linearization.sibling_orders import learn
from wordorder_lab.structures.lemma_tree import LemmaNode, LemmaTree

WIDE = 10_000
TEMPLATES = load_sibling_templates()


def node(lemma: str, tag: str, label: str, head: int, position: int, **more: Any) -> LemmaNode:
    return LemmaNode(lemma, tag, tag, (), label, head, form=lemma, position=position, **more)


RUN = LemmaTree(
    (
        node("run", "VERB", "root", -1, 2),
        node("it", "PRON", "nsubj", 0, 0),
        node("firm", "NOUN", "obl", 0, 5),
        node("a", "DET", "det", 2, 4),
        node("for", "ADP", "case", 2, 3),
        node(".", "PUNCT", "punct", 0, 6),
        node("now", "ADV", "advmod", 0, 1),
    )
)


def test_the_domains_of_a_sentence() -> None:
    """*It now run for a firm .*: of the verb, ``for a firm`` is one part, put in order before."""
    (firm, own), (verb, right) = placed_domains(RUN)
    assert (firm.parts, own) == ((2, 3, 4), (2, 1, 0))
    assert verb.parts == (0, 1, 2, 5, 6) and verb.strings[2] == (4, 3, 2)
    assert right == (1, 4, 0, 2, 3) and verb.string(right) == (1, 6, 0, 4, 3, 2, 5)

    def in_place(domain: Domain) -> list[tuple[int, Order]]:
        places = [domain.tree.nodes[part].position or 0 for part in domain.parts]
        return [(3, tuple(sorted(range(len(domain)), key=places.__getitem__)))]

    ((score, order),) = ordered_from_below(RUN, in_place)
    assert (score, order) == (6, (1, 6, 0, 4, 3, 2, 5))


def random_scores(n: int, seed: int, three: bool) -> OrderScores:
    chance = np.random.default_rng(seed)
    before, beside = chance.integers(-9, 10, (n, n)), chance.integers(-9, 10, (2, n + 2, n + 2))
    triples = chance.integers(-9, 10, (n + 2,) * 3).tolist() if three else None
    return OrderScores(before.tolist(), beside.tolist(), triples)


def score_of(scores: OrderScores, order: Order) -> int:
    """By the definition, one entry after the other."""
    n, total = len(order), 0
    for i, a in enumerate(order):
        for b in order[i + 1 :]:
            total += scores.before[a][b]
    for a, b in pairwise((n, *order, n + 1)):
        head_is_there = 0 in order and a != n and order.index(0) <= order.index(a)
        total += scores.beside[int(head_is_there)][a][b]
    chain = (n, n, *order, n + 1)
    for a, b, c in zip(chain, chain[1:], chain[2:]) if scores.three else ():
        assert scores.three is not None
        total += scores.three[a][b][c]
    return total


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 6), st.integers(0, 10**6), st.booleans(), st.data())
def test_a_wide_beam_finds_what_enumeration_finds(
    n: int, seed: int, three: bool, data: st.DataObject
) -> None:
    scores = random_scores(n, seed, three)
    chain = data.draw(st.lists(st.integers(0, n - 1), unique=True))
    needed = [0] * n
    for a, b in pairwise(chain):
        needed[b] |= 1 << a
    allowed = [
        order
        for order in permutations(range(n))
        if [part for part in order if part in chain] == chain
    ]
    found = best_orders(scores, needed, WIDE)
    assert {one.order: one.score for one in found} == {o: score_of(scores, o) for o in allowed}
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    narrow = best_orders(scores, needed, 2)
    assert all(one.score == score_of(scores, one.order) for one in narrow) and len(narrow) <= 2


def test_in_learning_a_wrong_place_costs() -> None:
    scores, right = random_scores(4, 5, True), (2, 0, 3, 1)
    found = best_orders(scores, [0] * 4, WIDE, right, 100)
    for one in found:
        wrong = [a != b for a, b in zip(one.order, right)].count(True)
        assert one.score == score_of(scores, one.order) + 100 * wrong


def test_the_features_of_an_order_add_up_to_its_score() -> None:
    features = SiblingFeatures(TEMPLATES, 12)
    weights = np.random.default_rng(3).integers(-1000, 1000, 1 << 12)
    for domain, right in placed_domains(RUN):
        buckets = features.buckets(domain)
        scores = scores_of(buckets, weights)
        for order in permutations(range(len(domain))):
            total = 0
            for bucket in buckets_of(buckets, order).tolist():
                total += int(weights[bucket])
            assert total == score_of(scores, order)
        assert sorted(right) == list(range(len(domain)))


def test_features_look_at_what_they_name_and_at_nothing_else() -> None:
    """A domain of many parts has no triples; forms and places change nothing."""
    features = SiblingFeatures(TEMPLATES, 16)
    many = replace(RUN, nodes=RUN.nodes + (RUN.nodes[6],) * 20)
    (domain,) = (d for d, _ in placed_domains(many) if d.head == 0)
    assert features.buckets(domain).three is None
    (_, verb) = (d for d, _ in placed_domains(RUN))
    blank = replace(RUN, nodes=tuple(replace(n, form=None, position=None) for n in RUN.nodes))
    same = features.buckets(Domain(blank, verb.parts, verb.strings))
    for mine, others in zip(features.buckets(verb), same):
        assert mine is not None and others is not None and np.array_equal(mine, others)
    other = replace(RUN, nodes=(*RUN.nodes[:6], replace(RUN.nodes[6], label="obl")))
    changed = features.buckets(Domain(other, verb.parts, verb.strings))
    assert (features.buckets(verb).seam == changed.seam).all()
    assert (features.buckets(verb).before[0, 1] != changed.before[0, 1]).any()  # "below" sees it
    assert (features.buckets(verb).before[1, 4] != changed.before[1, 4]).any()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("before | label | label", "line 3 .*behind //"),
        ("before | label //", "line 3 .*a column for each part"),
        ("behind | label | label //", "line 3 .*not one of before, beside"),
        ("before | label | lable //", "line 3 .*no 'lable'"),
        ("before | label | label // size", "line 3 .*no 'size'"),
        ("", "no line that begins with before"),
    ],
)
def test_a_wrong_template_is_named(line: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_sibling_templates(f"# ours\n\n{line}\n", "mine")


def test_what_can_be_told_apart_is_learned() -> None:
    domains = [one for tree in TRAIN[:20] for one in placed_domains(tree)]
    features = SiblingFeatures(TEMPLATES, 16)
    weights = learn(domains, features, epochs=8, beam=5, seed=1)
    for domain, right in domains:
        best = best_orders(scores_of(features.buckets(domain), weights), domain.needed, 5)[0].order
        assert words(domain, best) == words(domain, right)


def words(domain: Domain, order: Sequence[int]) -> list[str]:
    return [domain.tree.nodes[i].lemma for i in domain.string(order)]


def test_n_grams_of_dependents_find_what_enumeration_finds() -> None:
    domains = [one for tree in TRAIN[:30] for one in placed_domains(tree)]
    ngrams = dependency_ngrams.learn(domains, 3)
    (_, verb) = (d for d, _ in placed_domains(RUN))
    by_hand: dict[Order, float] = {}
    for order in permutations(range(len(verb))):
        levels = zip(ngrams.models, dependency_ngrams.written(verb), strict=True)
        scores = [model.score([texts[part] for part in order]) for model, texts in levels]
        by_hand[order] = math.fsum(scores)
    found = ngrams.best_orders(verb, WIDE)
    assert {order for _, order in found} == set(by_hand)
    assert all(math.isclose(score, by_hand[order]) for score, order in found)
    assert math.isclose(found[0][0], max(by_hand.values()))


def test_how_a_part_is_written() -> None:
    ((firm, right), _) = placed_domains(RUN)
    lemma, tag, label = ([row[part] for part in right] for row in dependency_ngrams.written(firm))
    assert lemma == ["case/for", "det/a", "head/firm"]
    assert tag == ["case/ADP", "det/DET", "head/NOUN"]
    assert label == ["case of NOUN", "det of NOUN", "head of NOUN"]


@pytest.fixture(params=BY_HEADS)
def model(request: Any) -> Any:
    return trained(request.param)


def test_how_nodes_are_listed_makes_no_difference(model: Any) -> None:
    """Nor where the model cannot tell siblings apart, by themselves or by what is below them."""
    ties = [tied_tree(random.Random(seed)) for seed in range(20)]
    for tree in (*UNSEEN, *ties):
        found = {
            tuple((one.words, one.score) for one in model.realizations(tree.shuffled(seed), k=3))
            for seed in range(4)
        }
        assert len(found) == 1


def tied_tree(chance: random.Random) -> LemmaTree:
    """Words that no training has seen, many of them with one tag and one label."""
    nodes = [node("blorp", "VERB", "root", -1, 0)]
    for place in range(1, 12):
        head = chance.randrange(place)
        nodes.append(node(f"zyx{chance.randrange(4)}", "NOUN", "obl", head, place))
    return LemmaTree(tuple(nodes))


def test_several_outputs_are_different_and_fall(model: Any) -> None:
    several = model.realizations(UNSEEN[0], k=4)
    assert several[0] == model.realize(UNSEEN[0])
    assert len({one.order for one in several}) == len(several) > 1
    scores = [one.score for one in several]
    assert scores == sorted(scores, reverse=True)


def test_an_article_asks_the_next_word() -> None:
    model = wl.train("guo-2011", TRAIN, english=True)
    tree = LemmaTree(
        (
            node("person", "NOUN", "root", -1, 2),
            node("a", "DET", "det", 0, 0),
            node("honest", "ADJ", "amod", 0, 1),
        )
    )
    for k_best in model.realizations(tree, k=6):
        after = dict(pairwise(k_best.text.lower().split()))
        assert "a" not in after or after["a"] == "person"
        assert "an" not in after or after["an"] == "honest"


@pytest.mark.corpus
@pytest.mark.parametrize("system", BY_HEADS)
def test_every_tree_of_a_task_is_realised(system: str) -> None:
    """Learned from the tasks' own inputs, whose references are plain sentences."""
    corpus = wl.load_lemma_trees("sr20")
    model = train_small(system, corpus.dev[:150], english=True)
    assert 60 <= model.settings["trees"] < 150
    for tree, done in zip(corpus.test[:50], model.outputs(corpus.test[:50]), strict=True):
        assert sorted(done.order) == list(range(len(tree)))
        places = {node: place for place, node in enumerate(done.order)}
        assert all(places[a] < places[b] for a, b in tree.before)
