"""Several people shorten the same sentence: folds, the text of the n-grams, pairs without rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.tree import Tree

import wordorder_lab as wl
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.systems.cohn_lapata_2009_training import Settings, folds_of, ngram_text, prepare
from wordorder_lab.transduction.grammar import origin_name

RAIN = wl.parse_tree("(S (NP (NN rain)) (VP (VBD fell) (ADVP (RB heavily))))")
SHORT = wl.parse_tree("(S (NP (NN rain)) (VP (VBD fell)))")
SHORTER = wl.parse_tree("(S (NP (NN rain)))")


def pair(name: str, target: Tree = SHORT) -> CompressionPair:
    return CompressionPair(RAIN, (target,), ((0, 0),), name)


DOCUMENTS = st.lists(
    st.tuples(st.integers(0, 6), st.integers(1, 3), st.integers(1, 3)), min_size=1, max_size=40
)


@given(DOCUMENTS, st.integers(1, 6))
def test_a_document_is_in_one_fold_and_folds_are_even(
    named: list[tuple[int, int, int]], folds: int
) -> None:
    pairs = [pair(f"news-{document}.{n}#{k}") for document, n, k in named]
    found = folds_of(pairs, folds)
    where = {(document, fold) for (document, *_), fold in zip(named, found)}
    documents = Counter(document for document, *_ in named)
    assert len(where) == len(documents)
    sizes = Counter(found)
    assert sorted(sizes) == list(range(min(folds, len(documents))))
    assert max(sizes.values()) - min(sizes.values()) <= max(documents.values())


def test_pairs_of_no_document_are_dealt_in_turn() -> None:
    assert folds_of([pair(f"train-{i}") for i in range(7)], 3) == [0, 1, 2, 0, 1, 2, 0]
    assert folds_of([pair("train-1#1"), pair("train-1#2"), pair("train-2#1")], 3) == [0, 0, 1]
    unnamed = [pair(""), replace(pair(""), source=SHORT), pair("", SHORTER)]
    assert folds_of(unnamed, 2) == [0, 1, 0]


def test_a_source_is_counted_once_and_a_target_for_everyone() -> None:
    several = [pair("a.1#1"), pair("a.1#2"), pair("a.1#3", SHORTER), pair("a.2#1")]
    words = [" ".join(sentence) for sentence in ngram_text(several)]
    assert words == [
        *("rain fell heavily", "rain fell", "rain fell", "rain"),
        *("rain fell heavily", "rain fell"),  # the same words at another place
    ]


def three_documents() -> list[CompressionPair]:
    """Three documents of a noun each that no other has."""
    pairs = []
    for document in ("rain", "hail", "snow"):
        for n in (1, 2):
            source = wl.parse_tree(f"(S (NP (NN {document})) (VP (VBD fell) (RB on)))")
            target = wl.parse_tree(f"(S (NP (NN {document})) (VP (VBD fell)))")
            for k in (1, 2, 3):
                name = f"{document}.{n}#{k}"
                pairs.append(CompressionPair(source, (target,), ((0, 0), (1, 1)), name))
    return pairs


def test_no_model_has_read_the_document_that_it_scores() -> None:
    """In its own fold the noun of a document is unknown."""
    pairs = three_documents()
    ready = prepare(pairs, Settings(folds=2), engine="reference")
    for one in ready.examples.examples:
        document = one.name.partition(".")[0]
        assert document not in one.ngrams.vocabulary
        assert document in ready.ngrams.vocabulary


def test_further_text_is_in_every_model_of_n_grams() -> None:
    """It is learned with and scored with; what is said of the pairs' own words stays true."""
    ready = prepare(three_documents(), Settings(folds=2), "reference", lm_text=[["sleet", "fell"]])
    models = [one.ngrams for one in ready.examples.examples]
    assert all("sleet" in model.vocabulary for model in [*models, ready.ngrams])
    assert all(one.name.partition(".")[0] not in one.ngrams.vocabulary
               for one in ready.examples.examples)  # fmt: skip
    alone = prepare(three_documents(), Settings(folds=2), "reference")
    assert "sleet" not in alone.ngrams.vocabulary
    with pytest.raises(ValueError, match="no use for an n-gram model"):
        prepare(three_documents(), Settings(features="rule"), lm_text=[["sleet"]])
    with pytest.raises(ValueError, match="give one"):
        prepare(three_documents(), Settings(), ngrams=ready.ngrams, lm_text=[["sleet"]])


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({}, ""),
        ({"variables": 1}, "of more than 1 variables"),
        ({"nodes": 3}, "of more than 3 nodes"),
        ({"targets": 1}, "not seen, or among the rarer targets of its source tree"),
    ],
)
def test_pairs_without_a_derivation_are_counted_by_reason(
    settings: dict[str, Any], why: str
) -> None:
    """The first pair turns its parts around; the others, which are more, keep what they have."""
    source = "(S (NP (NN rain)) (VP (VBD fell)) (NP (RB today)))"
    turned = "(S (NP (RB today)) (VP (VBD fell)) (NP (NN rain)))"
    there, back = wl.parse_tree(source), wl.parse_tree(turned)
    links = ((0, 2), (1, 1), (2, 0))
    same = CompressionPair(there, (there,), ((0, 0), (1, 1), (2, 2)))
    pairs = [CompressionPair(there, (back,), links, "x.1"), replace(same, name="y.1"), same]
    unreachable = prepare(pairs, Settings(**settings), engine="reference").examples.unreachable
    assert unreachable == ({why: 1} if why else {})


def test_a_rule_counts_as_extracted_where_another_fold_has_it() -> None:
    """The noun of a document is extracted from it alone: with folds, it is a copied word."""
    for rule_folds, noun in ((1, "extracted+copy"), (3, "copy")):
        ready = prepare(three_documents(), Settings(rule_folds=rule_folds), engine="reference")
        names = ready.features.names()
        for one in ready.examples.examples:
            origins = {}
            for a, applied in enumerate(one.problem.applications):
                ids = one.rows.ids[one.rows.starts[a] : one.rows.starts[a + 1]]
                types = [names[i].removeprefix("Type: ") for i in ids if "Type" in names[i]]
                assert "+".join(types) == origin_name(applied.origin)
                origins[str(applied.rule.source)] = origin_name(applied.origin)
            document = one.name.partition(".")[0]
            assert origins[f"[NN {document}]"] == noun
            assert origins["[VBD fell]"] == "extracted+copy"
