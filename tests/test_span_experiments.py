"""Brevity and spans as experiments: Liu et al. 2015, Figure 8, Table 4 and Figure 9, in small."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from command_line import write_corpus
from small_experiments import draws, made, refused
from test_span_metrics import slow_subtrees

import wordorder_lab as wl
from wordorder_lab.experiments.measures.spans import DERIVATION, KEPT, MADE, TREE, looks
from wordorder_lab.experiments.records import read_record, record_file
from wordorder_lab.experiments.report import table
from wordorder_lab.experiments.runs.training import train_run
from wordorder_lab.experiments.specification import load_specification
from wordorder_lab.metrics.significance import unpacked

SMALL = """
title = "Two searches"
measure = "{measure}"

[paper]
[[paper.values]]
search = "best-first"
below = 5
least_units = 2
precision = 24.63
recall = 14.56
f = 18.30

[settings]
system = "zhang-clark-2015-dependency"
corpus = "{corpus}"
split = "train"
units = "base-np"
pos = 1
engine = "reference"
epochs = 1
beam = 8
expansions = 30
decode_expansions = {limit}

[[rows]]

[[rows]]
system = "liu-2015"

[plot]
kind = "{kind}"
"""
SOME = 6
KINDS = {"brevity": "brevity", "spans": "span-scores", "span-lengths": "span-lengths"}


@pytest.fixture(scope="module")
def done(tmp_path_factory) -> SimpleNamespace:
    """The three measures, run on a corpus of our own, and the outputs that they are about."""
    folder = tmp_path_factory.mktemp("spans")
    corpus, records, specs = write_corpus(folder), {}, {}
    for measure, kind in KINDS.items():
        how = {"measure": measure, "kind": kind, "corpus": corpus, "limit": 3}
        specs[measure], records[measure], *_ = made(folder, SMALL.format(**how), sentences=SOME)
    sentences = wl.load_corpus(str(corpus), units="base-np").train[:SOME]
    looked = {}
    for run in specs["spans"].runs:
        model = train_run(run, sentences, lambda *_: None)
        looked[run["system"]] = list(looks(model, sentences, run))
    return SimpleNamespace(records=records, specs=specs, looked=looked, folder=folder)


def test_brevity_is_words_over_words(done) -> None:
    rows = done.records["brevity"]["rows"]
    for system, looked in done.looked.items():
        for row in (row for row in rows if row["system"] == system):
            size = {
                "words": lambda one: len(one.sentence.surface),
                "units": lambda one: len(one.sentence),
            }
            low, high = (1, 99) if row["length"] == "all" else map(int, row["length"].split("-"))
            inside = [one for one in looked if low <= size[row["length_in"]](one) <= high]
            assert row["sentences"] == len(inside)
            if inside:
                out = sum(len(one.result.surface) for one in inside)
                true = sum(len(one.sentence.surface) for one in inside)
                assert row["brevity"] == round(out / true, 4)
    whole = {row["search"]: row for row in rows if row["length"] == "all"}
    assert whole["best-first"]["brevity"] < 1 and whole["best-first"]["timeouts"] > 0
    assert whole["transition-based"]["brevity"] == 1 and whole["transition-based"]["no_goal"] == 0


def test_scores_are_what_a_slow_count_finds(done) -> None:
    rows = done.records["spans"]["rows"]
    assert len(rows) == 2 * 3 * 2 * 4
    for row in (row for row in rows if row["spans"] == TREE and row["least_units"] == 1):
        counts = [0, 0, 0]
        for one in done.looked[row["system"]]:
            units = [token.words for token in one.sentence]
            gold = slow_subtrees(units, tuple(token.head for token in one.sentence))
            ours = slow_subtrees(list(one.result.units), one.result.tree.heads)
            for i, spans in enumerate((ours & gold, ours, gold)):
                counts[i] += sum(n for words, n in spans.items() if len(words) < row["below"])
        assert [row["right"], row["spans_made"], row["spans_gold"]] == counts
        assert row["precision"] == round(100 * counts[0] / counts[1], 4)
        low, high = row["f1_interval"]
        assert low <= row["f1"] <= high
    # A search holds the spans of its own outcome; and counted once, never more than it kept.
    for system, looked in done.looked.items():
        for one in looked:
            assert len(set(one.spans(KEPT))) <= len(one.spans(KEPT)) <= sum(one.search.made)
            if one.result.is_whole:
                assert not Counter({*one.spans(DERIVATION)}) - Counter(one.spans(KEPT)), system


def assert_far_from_gold(mean_far: float, each: list[list[list[Any]]]) -> None:
    """The mean, over sentences, of the share of spans whose length would have to change."""
    far = []
    for mine, gold in each:
        ours, theirs = (Counter(len(span.words) for span in spans) for spans in (mine, gold))
        if gold:
            shares = [(ours[n] / (len(mine) or 1), theirs[n] / len(gold)) for n in range(1, 99)]
            far.append(sum(abs(a - b) for a, b in shares) / 2 if mine else 1.0)
    assert mean_far == pytest.approx(sum(far) / len(far), abs=1e-4)


def test_shares_are_of_all_spans(done) -> None:
    record, found = done.records["span-lengths"], 0
    for which in (MADE, KEPT, DERIVATION, TREE):
        for least in (1, 2):
            for system, looked in done.looked.items():
                mine = [
                    row
                    for row in record["rows"]
                    if (row["system"], row["spans"], row["least_units"]) == (system, which, least)
                ]
                if which == DERIVATION:
                    each = [[one.spans(which, least), one.gold(which, least)] for one in looked]
                    assert_far_from_gold(mine.pop()["total_variation"], each)
                assert [row["length"] for row in mine] == list(range(1, 32))
                there = any(row["number"] for row in mine)  # a search of 3 pops joins nothing
                assert abs(sum(row["share"] for row in mine) - there) < 1e-5
                found += there
                gold = Counter(len(s.words) for one in looked for s in one.gold(which, least))
                assert [round(gold[n] / sum(gold.values()), 6) for n in range(1, 31)] == [
                    row["gold_share"] for row in mine[:30]
                ]
                if which != MADE:
                    ours = Counter(len(s.words) for one in looked for s in one.spans(which, least))
                    assert [ours[n] for n in range(1, 31)] == [row["number"] for row in mine[:30]]
    for row, kept in zip(record["rows"], record["sentence_scores"]):
        if row["spans"] == DERIVATION and row["length"] != "all":
            right, every = unpacked(kept["share"][0]["parts"], 2).sum(axis=0)
            assert row["share"] == pytest.approx(right / max(every, 1), abs=1e-6)
    assert len(record["distances"]) == found > 10
    assert all(0 <= one["jensen_shannon"] <= 1 for one in record["distances"])


@pytest.mark.parametrize("measure", KINDS)
@pytest.mark.slow
def test_tables_and_pictures(done, measure: str) -> None:
    record = done.records[measure]
    text = table(record)
    assert "best-first" in text and "transition-based" in text
    assert ("(24.6)" in text) == (measure == "spans"), "the paper's values stand beside ours"
    draws(record, done.specs[measure].plot, done.folder)


@pytest.mark.parametrize("name", ["liu-2015-figure-8", "liu-2015-table-4", "liu-2015-figure-9"])
def test_the_papers_specifications(name: str) -> None:
    specification = load_specification(name)
    best_first, transition = specification.runs
    assert (best_first["system"], transition["system"]) == (
        "zhang-clark-2015-dependency",
        "liu-2015",
    )
    same = ("corpus", "split", "units", "pos", "deps", "epochs", "beam", "max_length", "seed")
    assert [best_first[key] for key in same] == [transition[key] for key in same]
    for value in specification.paper["values"]:
        if "f" in value:  # the paper's own F-scores follow from its precision and recall
            p, r = value["precision"], value["recall"]
            assert abs(2 * p * r / (p + r) - value["f"]) < 0.02
    assert len(specification.paper["values"]) == {"spans": 8, "brevity": 1}.get(
        specification.measure.name, 0
    )


@pytest.mark.parametrize("rows", ["[[rows]]", '[[rows]]\n\n[[rows]]\nsystem = "zhang-2013"'])
def test_a_comparison_needs_two_kinds_of_search(tmp_path, rows: str) -> None:
    text = SMALL.format(measure="spans", kind="span-scores", corpus="gazette", limit=9)
    both = '[[rows]]\n\n[[rows]]\nsystem = "liu-2015"'
    refused(tmp_path, text, (both, rows), "one best-first and one transition-based")


def test_in_the_record_of_figure_8_only_best_first_search_leaves_words_out() -> None:
    rows = read_record(record_file("liu-2015-figure-8"))["rows"]
    of_beam = [row["brevity"] for row in rows if row["search"] == "transition-based"]
    assert of_beam and set(of_beam) == {1}
    assert min(row["brevity"] for row in rows) < 1 == max(row["brevity"] for row in rows)
