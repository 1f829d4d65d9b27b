"""Compression by deletion: the lattice against enumeration, features, MIRA, both engines."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

import wordorder_lab as wl
from wordorder_lab.deletion.features import DeletionFeatures, bigram_scores
from wordorder_lab.deletion.lattice import best_paths, path_score
from wordorder_lab.deletion.mira import Example, Mira, hildreth
from wordorder_lab.deletion.templates import load_deletion_templates, parse_deletion_templates
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.structures.deletion import DeletionSentence, kept_of
from wordorder_lab.structures.trace import Trace
from wordorder_lab.systems.mcdonald_2006 import engine_of

ENGINES = ("reference", "fast")
PRESS = wl.parse_tree(
    "(S (NP (NP (DT The) (NNP Associated) (NNP Press)) (PRN (-LRB- -LRB-) (NP (NNP AP)) "
    "(-RRB- -RRB-))) (VP (VBD reported) (NP (DT the) (NN story))))",
    "here",
)
"""A sentence that loses its brackets, as McDonald (2006) has one."""
GAZETTE = [pair for pair in wl.load_compressions("gazette").train if kept_of(pair)][:12]


def every_path(scores: np.ndarray, bonus: float, length: int | None) -> list[tuple[float, Any]]:
    """All 2 ** n - 1 compressions, best first."""
    words = range(len(scores) - 2)
    sizes = range(1, len(words) + 1) if length is None else [length]
    kept = [some for size in sizes for some in combinations(words, size)]
    return sorted(((path_score(scores, some, bonus), some) for some in kept), reverse=True)


@given(
    words=st.integers(1, 8),
    k=st.sampled_from([1, 2, 7, 300]),
    bonus=st.floats(-3, 3),
    seed=st.integers(0, 10**6),
    equal=st.booleans(),
    data=st.data(),
)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_the_best_paths_are_those_of_enumeration(
    words: int, k: int, bonus: float, seed: int, equal: bool, data: st.DataObject
) -> None:
    scores = np.random.default_rng(seed).normal(size=(words + 2, words + 2))
    scores = np.round(scores) if equal else scores  # many ties
    length = data.draw(st.one_of(st.none(), st.integers(1, words)))
    every = every_path(scores, bonus, length)
    found = [engine_of(name).best_paths(scores, k, bonus=bonus, length=length) for name in ENGINES]
    assert found[0] == found[1]
    assert [path.score for path in found[0]] == [score for score, _ in every[:k]]
    assert len({path.kept for path in found[0]}) == len(found[0])
    assert {(path.score, path.kept) for path in found[0]} <= set(every)


def test_of_equal_ways_the_one_from_further_left_wins() -> None:
    paths = best_paths(np.zeros((5, 5)), k=7)
    assert [path.kept for path in paths][:3] == [(0,), (1,), (0, 1)]


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"k": 0}, "k .0. is a whole number"),
        ({"length": 4}, "a length of 4: of 3 words 1 to 3"),
        ({"length": 0}, "a length of 0"),
        ({"k": 50_000, "length": 3, "scores": np.zeros((402, 402))}, "is too much"),
        ({"scores": np.zeros((500, 500))}, "400 is the most"),
        ({"scores": np.zeros((2, 2))}, "float64 in a square"),
        ({"scores": np.zeros((5, 5), np.int64)}, "float64 in a square"),
    ],
)
@pytest.mark.parametrize("engine", ENGINES)
def test_searches_that_cannot_be(engine: str, how: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        engine_of(engine).best_paths(**{"scores": np.zeros((5, 5)), **how})


def features_of(tree: Any, kept: tuple[int, ...]) -> Counter[str]:
    features = DeletionFeatures(load_deletion_templates())
    parts = features.parts(DeletionSentence.of_tree(tree))
    keys = [*features.numbers]
    return Counter(features.name(keys[number]) for number in parts.path(kept))


def test_the_paper_s_sentence_loses_its_brackets() -> None:
    found = features_of(PRESS, (0, 1, 2, 6, 7, 8))
    assert found["pair brackets=round"] == found["whole c=PRN p=NP"] == 1
    assert found["dropped t0=NNP"] == found["dropped t0=-LRB-"] == 1
    assert found["pair ti=NNP tj=VBD adjacent=no"] == 1
    assert found["left relation=child"] == 1  # AP is the head of the dropped phrase
    assert not any(name.startswith(("begun", "ended c=PRN")) for name in found)
    assert features_of(PRESS, (0, 1, 2, 3, 6, 7, 8))["pair brackets=broken"] == 1


def test_verbs_heads_and_cut_phrases_are_seen() -> None:
    found = features_of(PRESS, (0, 1, 2))
    assert found["dropped verb=reported"] == found["dropped root=yes"] == 1
    assert found["whole c=VP p=S"] == 1 and not found["whole c=NP p=VP"]  # the largest phrase only
    assert found["ended c=NP p=S"] == found["ended c=S"] == 1
    negated = wl.parse_tree("(S (NP (PRP it)) (VP (VBD did) (RB n't) (VP (VB rain))))", "here")
    assert features_of(negated, (0, 1, 3))["dropped negation=yes"] == 1


def test_a_sentence_without_a_tree_has_words_and_tags() -> None:
    features = DeletionFeatures(load_deletion_templates())
    parts = features.parts(DeletionSentence.of_words(["rain", "fell"], ["NN", "VBD"]))
    assert parts.words == 2 and len(parts.phrases) == 0
    assert not any(
        features.templates.every[int(key[0])].part == "whole" for key in features.numbers
    )


def test_a_bigram_has_the_weights_of_its_features() -> None:
    """Whole weights, so that any order gives the same sum: bigram by bigram or feature by name."""
    features = DeletionFeatures(load_deletion_templates())
    parts = features.parts(DeletionSentence.of_tree(PRESS))
    weights = np.random.default_rng(1).integers(-9, 9, len(features)).astype(float)
    scores = bigram_scores(parts, weights)
    assert np.array_equal(scores, engine_of("fast").bigram_scores(parts, weights))
    for kept in [(0,), (4,), (1, 2, 6), (0, 1, 2, 6, 7, 8), tuple(range(9))]:
        assert path_score(scores, kept) == sum(weights[number] for number in parts.path(kept))


def test_the_table_with_words_is_the_paper_s_and_more() -> None:
    usual, words = (load_deletion_templates(f"mcdonald_2006{more}") for more in ("", "_words"))
    names = [template.name for template in words.every]
    assert names[: len(usual)] == [template.name for template in usual.every]
    assert "dropped w0" in names[len(usual) :] and len({*names}) == len(names)


def test_templates_that_cannot_be() -> None:
    for text, said in (
        ("kept x9", "kept has no 'x9'"),
        ("word t0", "begin with"),
        ("", "are not 1"),
    ):
        with pytest.raises(ValueError, match=said):
            parse_deletion_templates(text, "mine")


def examples(count: int = 6) -> tuple[list[Example], int]:
    features = DeletionFeatures(load_deletion_templates())
    made = []
    for pair in GAZETTE[:count]:
        sentence = DeletionSentence.of_tree(pair.source)
        made.append(Example(features.parts(sentence), kept_of(pair) or (), sentence.words))
    return made, len(features)


def test_hildreth_takes_the_smallest_step() -> None:
    rng = np.random.default_rng(4)
    for _ in range(5):
        ways, missing = rng.integers(-3, 4, (4, 9)).astype(float), rng.uniform(-2, 6, 4)
        alphas = np.array(hildreth((ways @ ways.T).tolist(), missing.tolist()))
        enough = {"type": "ineq", "fun": lambda d, w=ways, m=missing: w @ d - m}
        best = minimize(lambda d: d @ d, np.zeros(9), constraints=[enough], tol=1e-12)
        assert np.allclose(ways.T @ alphas, best.x, atol=1e-4)
    assert hildreth([[4.0]], [2.0]) == [0.5] and hildreth([[4.0]], [2.0], 0.25) == [0.25]
    assert hildreth([[4.0]], [-1.0]) == [0.0] and hildreth([[0.0]], [3.0]) == [0.0]


@pytest.mark.parametrize("C", [float("inf"), 0.02])
def test_both_learners_move_alike(C: float) -> None:
    made, size = examples()
    learners = {name: Mira(made, size, 3, C, engine_of(name)) for name in ENGINES}
    logs = {name: wl.EventLog() for name in ENGINES}
    for name, learner in learners.items():
        learner.learn([0, 1, 2, 3, 4, 5, 2, 0])
        trace: Trace = logs[name]
        learner.learn([1, 5], trace)
    one, other = (learners[name].raw() for name in ENGINES)
    assert np.count_nonzero(one.w) and one.examples == 10
    assert one.w.tobytes() == other.w.tobytes() and one.u.tobytes() == other.u.tobytes()
    assert logs["fast"] == logs["reference"] and len(logs["fast"])


def test_a_step_puts_the_gold_one_ahead_by_its_loss() -> None:
    made, size = examples(1)
    learner = Mira(made, size, 4, float("inf"), engine_of("fast"))
    parts, gold, _ = made[0]
    before = best_paths(bigram_scores(parts, learner.weights.w), 4)
    learner.learn([0])
    scores = bigram_scores(parts, learner.weights.w)
    for path in before:
        loss = len(set(gold) ^ set(path.kept))
        assert path_score(scores, gold) - path_score(scores, path.kept) >= loss - 1e-6


def test_averages_are_means_of_the_weights_after_each_example() -> None:
    made, size = examples(4)
    learner, total = Mira(made, size, 2, 0.05, engine_of("fast")), np.zeros(size)
    for i in range(4):
        learner.learn([i])
        total += learner.weights.w
    assert np.allclose(learner.raw().averaged(), total / 4)


def test_pairs_that_are_no_deletion_are_known() -> None:
    source = wl.parse_tree("(S (NP (NN Rain)) (VP (VBD fell) (CC and) (VBD fell)))", "here")

    def kept(target: str, *alignment: tuple[int, int]) -> tuple[int, ...] | None:
        return kept_of(CompressionPair(source, (wl.parse_tree(target, "here"),), alignment))

    assert kept("(S (NP (NN Rain)) (VP (VBD fell)))", (0, 0), (3, 1)) == (0, 3)
    assert kept("(S (NP (NN Rain)) (VP (VBD fell)))") == (0, 1)  # the leftmost
    assert kept("(S (NP (NN Rain)) (VP (VBD falls)))") is None
    assert kept("(S (VP (VBD fell)) (NP (NN rain)))") is None


def test_heads_and_labels_of_a_sentence() -> None:
    sentence = DeletionSentence.of_tree(PRESS)
    assert sentence.words[0] == "the" and sentence.source is PRESS
    assert sentence.heads == (2, 2, 6, 4, 2, 4, -1, 8, 6)
    assert sentence.labels[2] == "NP/S" and sentence.labels[8] == "NP/VP"
    assert sentence.labels[6] == "S/" and sentence.labels[4] == "PRN/NP"
