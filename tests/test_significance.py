"""Clarke & Lapata's language model and significance score, on sentences made for the tests."""

import math
from itertools import combinations

import numpy as np
import pytest

from wordorder_lab.corpora.readers.penn import parse_tree
from wordorder_lab.deletion.integer_programme import path_score, solve
from wordorder_lab.deletion.significance import counts_of, significance, trigram_scores
from wordorder_lab.models.kneser_ney import estimate_ngrams
from wordorder_lab.structures.deletion import DeletionSentence

TEXT = [
    ["the", "old", "boat", "sank"],
    ["the", "boat", "sank", "in", "the", "storm"],
    ["the", "storm", "passed", "the", "old", "boat"],
    ["rain", "fell"],
]


@pytest.mark.parametrize("order", [3, 4])
def test_trigram_scores_are_those_of_the_model(order):
    ngrams = estimate_ngrams(TEXT, order)
    words = ["the", "rain", "sank", "the", "old", "unheard", "boat"]
    scores = trigram_scores(ngrams, words)
    ids = [ngrams.start, *map(ngrams.word_id, words), ngrams.end]
    places = range(len(ids))
    for h, i, k in [*combinations(places, 3), *((0, 0, k) for k in places[1:])]:
        assert scores[h, i, k] == ngrams.log_prob([ids[h], ids[i]], ids[k])


def test_the_score_of_a_choice_is_that_of_its_words():
    ngrams = estimate_ngrams(TEXT, 3)
    words = ["the", "old", "boat", "sank"]
    scores = trigram_scores(ngrams, words)
    for size in range(1, 5):
        for kept in combinations(range(4), size):
            assert path_score(scores, kept) == ngrams.score([words[i] for i in kept])
    best = max(path_score(scores, kept) for kept in combinations(range(4), 3))
    assert solve(scores, least=3, most=3).objective == best


def test_bigrams_are_too_short():
    with pytest.raises(ValueError, match="give one of 3 or more"):
        trigram_scores(estimate_ngrams(TEXT, 2), ["boat"])


def test_what_is_rare_and_deep_is_significant():
    tree = parse_tree(
        "(S (NP (NN rain)) (VP (VBD stopped) (SBAR (IN when) (S (NP (DT the) (NN boat)) "
        "(VP (VBD sank))))))"
    )
    sentence = DeletionSentence.of_tree(tree)
    counts = counts_of([["Rain", "rain", ","], ["boat", "the", "the"], ["42"]])
    assert counts == {"rain": 2, "boat": 1, "the": 2}
    found = significance(sentence, counts, 8, {"rain": 3, "boat": 1, "sank": 1})
    assert found == [
        *(0.5 * 3 * math.log(8 / 2), 0.5 * 1 * math.log(8)),
        *(0.0, 0.0, 1.0 * math.log(8), 1.0 * math.log(8)),
    ]


def test_without_a_clause_all_words_are_as_deep():
    sentence = DeletionSentence.of_words(("storm", "warning"), ("NN", "NN"))
    assert significance(sentence, {"storm": 2}, 4) == [math.log(2), math.log(4)]


def test_significance_keeps_what_fluency_alone_leaves_out():
    ngrams = estimate_ngrams(TEXT, 3)
    sentence = DeletionSentence.of_tree(
        parse_tree("(S (NP (DT the) (NN storm)) (VP (VBD passed) (NP (DT the) (NN boat))))")
    )
    fluent = trigram_scores(ngrams, sentence.words)
    told = fluent.copy()
    for place, points in enumerate(significance(sentence, {}, 1000), 1):
        told[:, :, place] += points
    assert len(solve(fluent).kept) < len(solve(told).kept)
    assert {1, 2, 4} <= {*solve(told).kept}
    assert np.isfinite(told).all()
