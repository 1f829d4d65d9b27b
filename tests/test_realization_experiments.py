"""The measure of realization: floors, runs that share a model, rows, causes, verdicts."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
import small_experiments
from hypothesis import given
from hypothesis import strategies as st

from wordorder_lab.corpora.lemma_corpora import load_lemma_trees
from wordorder_lab.experiments.measures import realization as measure
from wordorder_lab.experiments.paper_values import pairs
from wordorder_lab.experiments.provenance import data_checksum
from wordorder_lab.experiments.record_check import missing
from wordorder_lab.experiments.report import table
from wordorder_lab.experiments.runs.realization_evaluate import (
    Floor,
    evaluate_realizer,
    gold_of,
    in_one_piece,
)
from wordorder_lab.experiments.runs.schema import SpecificationError
from wordorder_lab.experiments.verdicts import verdicts_of
from wordorder_lab.inflection.candidates import Inflector
from wordorder_lab.metrics.randomisation import compare
from wordorder_lab.metrics.significance import SENTENCE_SCORES
from wordorder_lab.structures.lemma_tree import LemmaNode, LemmaTree
from wordorder_lab.systems.realization_examples import learn_inflector

SPECIFICATION = """
title = "Small"
measure = "realization"

[paper]
place = "a table"
values = [
    { system = "STUMABA", data = "elsewhere", bleu = 89.1 },
    { system = "the best", data = "a task", bleu_organisers = 72.7 },
    { system = "liu-2015-realization", split = "dev", bleu_lc = 70.0 },
]

[settings]
corpus = "gazette"
units = "lemmas"
engine = "reference"
epochs = 1
beam = 2

[[rows]]
system = "random-order"
split = "dev"

[[rows]]
system = "random-tree-order"
split = "dev"

[[rows]]
system = "liu-2015-realization"
folds = 2
split = "dev"

[[rows]]
system = "liu-2015-realization"
folds = 2
split = "test"

[plot]
kind = "causes"

[names]
transitions = { system = "liu-2015-realization", split = "dev" }
floor = { system = "random-tree-order" }
lowest = { system = "random-order" }

[[claims]]
says = "chance within the tree is better than chance"
better = "floor"
than = "lowest"
on = "bleu_lc"

[[claims]]
says = "forms are chosen no worse"
alike = ["transitions", "floor"]
within = 50
on = "inflected"

[[claims]]
says = "every lemma is a word"
same = "transitions"
value = 1
on = "brevity"
"""
TREES = 24


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> SimpleNamespace:
    folder = tmp_path_factory.mktemp("realization")
    learned: list[str] = []
    learn = measure.learn

    def counting(run, trees):
        learned.append(run["system"])
        return learn(run, trees)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measure, "learn", counting)
        done = small_experiments.made(folder, SPECIFICATION, sentences=TREES)
    return SimpleNamespace(**done._asdict(), learned=learned)


def test_each_run_has_a_row_and_those_that_learn_alike_share_a_model(made) -> None:
    rows = made.record["rows"]
    assert [(row["system"], row["split"]) for row in rows] == [
        ("random-order", "dev"),
        ("random-tree-order", "dev"),
        ("liu-2015-realization", "dev"),
        ("liu-2015-realization", "test"),
    ]
    assert made.learned == ["random-order", "random-tree-order", "liu-2015-realization"]
    assert missing(rows, made.wanted) == [] and len(missing(rows[1:], made.wanted)) == 1
    assert all(row["sentences"] == row["trees"] == TREES and row["brevity"] == 1 for row in rows)
    assert "epochs" not in rows[0] and rows[2]["epochs"] == 1
    assert len(made.said) == 4 and "gazette dev, random-tree-order: BLEU" in made.said[1]


def test_rows_are_what_the_functions_below_say(made) -> None:
    corpus = load_lemma_trees("gazette")
    inflector = learn_inflector(corpus.train[:TREES])
    trees = corpus.dev[:TREES]
    gold = gold_of(trees, inflector)
    done = evaluate_realizer(Floor("random-tree-order", inflector), trees, gold)
    row = made.record["rows"][1]
    for name in ("bleu_lc", "bleu_cased", "distance", "exact", "inflected", "nist"):
        assert row[name] == round(getattr(done.scores, name), 4)
    assert done.errors is not None
    causes = [one for one in made.record["causes"] if one["row"] == 1]
    assert [one["places"] for one in causes] == [one.places for one in done.errors.causes]
    assert row["forms"] >= 1 and 0 < row["among"] <= 1
    assert done.median_ms > 0 and len(done.milliseconds) == TREES


def test_kept_scores_of_sentences_give_the_rows_again(made) -> None:
    kept, rows = made.record[SENTENCE_SCORES], made.record["rows"]
    for name in ("bleu_lc", "bleu_cased"):
        result = compare([[kept[0]], [kept[1]]], name)
        assert result.scores[1] == pytest.approx(rows[1][name], abs=1e-4)
        assert result.scores[0] == pytest.approx(rows[0][name], abs=1e-4)
    for name in ("distance", "exact", "inflected", "order_exact"):
        scale = 1 if name == "distance" else 100
        result = compare([[kept[0]], [kept[1]]], name)
        assert result.scores[1] == pytest.approx(scale * rows[1][name], abs=0.01)


def test_claims_are_judged_and_everything_is_shown(made) -> None:
    verdicts = verdicts_of(made.wanted, made.record)
    assert [one.verdict for one in verdicts] == ["reproduced", "alike", "reproduced"]
    assert verdicts[0].interval is not None and verdicts[0].p_value is not None
    low, high = verdicts[0].interval
    told = f"({low:+.2f} to {high:+.2f}), p = {verdicts[0].p_value:.2g}, {TREES} sentences"
    assert low > 0 and verdicts[0].p_value < 0.05 and told in verdicts[0].told
    text = table(made.record)
    for part in (
        "gazette dev: 24 sentences",
        "STUMABA",
        "72.7",
        "punctuation",
        "BLEU by length",
        "DIST",
    ):
        assert part in text
    for kind in ("causes", "by-length"):
        small_experiments.draws(made.record, {"kind": kind}, made.folder)
    found = {pair.of["system"]: pair for pair in pairs(made.record)}
    assert found["STUMABA"].ours is None and found["liu-2015-realization"].ours is not None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ([('units = "lemmas"', 'units = "words"')], "takes 'lemmas' as units"),
        ([('corpus = "gazette"', 'corpus = "gazete"')], "no corpus and no file 'gazete'"),
        ([('split = "test"', 'split = "train"')], "learned from: score on another"),
        ([("beam = 2", "beem = 2")], "'beem'"),
        ([("folds = 2", "folds = 0")], "folds"),
        ([("folds = 2", "chart = 'single'")], "no setting 'chart'"),
        ([('"random-order"', '"wan-2009-cle"')], "as units, not 'lemmas'"),
    ],
)
def test_what_cannot_be_run_is_named(tmp_path, changes, message) -> None:
    with pytest.raises(SpecificationError, match=message):
        small_experiments.specified(tmp_path, SPECIFICATION, *changes)


@given(st.randoms(use_true_random=False), st.integers(1, 9))
def test_a_random_order_within_the_tree_leaves_subtrees_whole(chance, length: int) -> None:
    heads = [-1, *(chance.randrange(i) for i in range(1, length))]
    nodes = tuple(LemmaNode(f"l{i}", "X", "", (), "dep", head) for i, head in enumerate(heads))
    tree = LemmaTree(nodes)
    order = in_one_piece(tree, chance.sample(range(length), length))
    assert sorted(order) == list(range(length))
    placed = [0] * length
    for place, node in enumerate(order):
        placed[node] = place
    assert replace(
        tree, nodes=tuple(replace(node, position=at) for node, at in zip(nodes, placed))
    ).is_projective()


def test_floors_are_the_same_for_the_same_seed() -> None:
    trees = load_lemma_trees("gazette").dev[:20]
    inflector: Inflector = learn_inflector(trees)
    first, again = (Floor("random-order", inflector, 1) for _ in range(2))
    other = Floor("random-order", inflector, 2)
    assert [first.realize(one) for one in trees] == [again.realize(one) for one in trees]
    assert [first.realize(one) for one in trees] != [other.realize(one) for one in trees]


def test_plain_references_are_mapped_to_places() -> None:
    trees = load_lemma_trees("gazette").dev[:20]
    inflector = learn_inflector(trees)
    plain = [
        replace(tree, nodes=tuple(replace(n, form=None, position=None) for n in tree.nodes))
        for tree in trees
    ]
    assert gold_of(trees, inflector) == list(trees)
    mapped = gold_of(plain, inflector)
    words = [one and [node.form for node in one.placed().nodes] for one in mapped]
    assert words == [list(tree.reference) for tree in trees]


def test_data_have_a_checksum_of_their_trees() -> None:
    assert data_checksum("gazette", "lemmas") != data_checksum("gazette", "words")
