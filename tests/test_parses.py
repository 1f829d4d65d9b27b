"""The measure of parses: brackets with tags given and guessed, by sentence and by length."""

from __future__ import annotations

from pathlib import Path

import pytest
import small_experiments
from nltk.tree import Tree
from small_experiments import draws, specified

from wordorder_lab.corpora.treebanks import load_treebank
from wordorder_lab.experiments.measures.parses import brackets_row
from wordorder_lab.experiments.paper_values import pairs
from wordorder_lab.experiments.provenance import data_checksum
from wordorder_lab.experiments.record_check import missing
from wordorder_lab.experiments.report import table
from wordorder_lab.experiments.runs.parse_evaluate import evaluate_parser
from wordorder_lab.experiments.runs.schema import SpecificationError
from wordorder_lab.experiments.verdicts import verdicts_of
from wordorder_lab.metrics.randomisation import compare
from wordorder_lab.metrics.significance import SENTENCE_SCORES
from wordorder_lab.structures.phrase_tree import PhraseTree
from wordorder_lab.systems import train
from wordorder_lab.systems.parser import Parse

SPECIFICATION = (Path(__file__).parent / "small/parses.toml").read_text("utf-8")
SENTENCES = 25


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> small_experiments.Made:
    folder = tmp_path_factory.mktemp("parses")
    return small_experiments.made(folder, SPECIFICATION, sentences=SENTENCES)


def test_brackets_counted_by_hand() -> None:
    gold = Tree.fromstring("(S (NP (DT the) (NN cat)) (VP (VBD sat)))")
    other = Tree.fromstring("(S (DT the) (ADJP (NN cat)) (VP (VBD sat)))")
    long = Tree("S", [Tree("NN", [f"w{i}"]) for i in range(41)])
    trees = [("a", gold), ("b", long)]
    parses = [
        Parse(PhraseTree.convert(tree), 0.0, fallback, tuple(tag for _, tag in tree.pos()))
        for tree, fallback in ((other, False), (long, True))
    ]
    row = brackets_row(trees, parses)
    assert (row["f1"], row["f1_short"]) == (0.75, round(2 / 3, 4))
    assert (row["sentences"], row["sentences_short"], row["fallbacks"]) == (2, 1, 1)
    assert row[SENTENCE_SCORES] == {"f1": [{"parts": [[4, 2], [6, 2]]}]}
    assert [(one["least"], one["most"], one["f1"]) for one in row["lengths"]] == [
        (1, 10, round(2 / 3, 4)),
        (41, None, 1.0),
    ]


def test_each_run_has_a_row_with_tags_given_and_one_with_guessed(made) -> None:
    rows = made.record["rows"]
    assert [(row["vertical"], row["tags"]) for row in rows] == [
        *((2, "given"), (2, "guessed")),
        *((1, "given"), (1, "guessed")),
    ]
    assert missing(rows, made.wanted) == [] and len(missing(rows[1:], made.wanted)) == 1
    assert {row["tag_accuracy"] for row in rows if row["tags"] == "given"} == {1.0}
    assert {row["trees"] for row in rows} == {SENTENCES}
    assert all("tags guessed" in line and "gazette test" in line for line in made.said)


def test_rows_say_what_evaluate_says(made) -> None:
    trees = load_treebank("gazette")
    parser = train("parser", trees.train[:SENTENCES], progress=False)
    scores = evaluate_parser(parser, trees.test[:SENTENCES], engine="reference")
    given, guessed, *_ = made.record["rows"]
    for row, whole, short, fallbacks in (
        (given, scores.tags_given, scores.short_given, scores.fallbacks_given),
        (guessed, scores.tags_guessed, scores.short_guessed, scores.fallbacks_guessed),
    ):
        assert (row["f1"], row["precision"]) == (round(whole.f1, 4), round(whole.precision, 4))
        assert row["f1_short"] == round(short.f1, 4) and row["fallbacks"] == fallbacks


def test_what_is_kept_of_sentences_gives_the_rows_f1(made) -> None:
    kept, rows = made.record[SENTENCE_SCORES], made.record["rows"]
    found = compare([[kept[3]], [kept[1]]], "f1")
    assert found.scores[1] == pytest.approx(100 * rows[1]["f1"], abs=0.01)
    assert found.scores[0] == pytest.approx(100 * rows[3]["f1"], abs=0.01)
    (verdict,) = verdicts_of(made.wanted, made.record)
    assert verdict.difference == pytest.approx(found.change)
    for place in range(4):
        mine = [one["sentences"] for one in made.record["lengths"] if one["row"] == place]
        assert sum(mine) == rows[place]["sentences"] == SENTENCES


def test_table_picture_and_the_papers_values(made) -> None:
    text = table(made.record)
    (line,) = [line for line in text.splitlines() if "86.30%" in line]
    assert "v 2, h 1, splits, tags guessed" in line and "85.70%" in line
    beside = {pair.quantity: pair.row for pair in pairs(made.record)}
    assert beside == {"f1": 1, "f1_short": 1}
    draws(made.record, made.wanted.plot, made.folder)


def test_a_record_knows_its_trees(made) -> None:
    assert made.record["data"] == {"gazette, trees": data_checksum("gazette", "trees")}
    assert "systems/parser.py" in made.record["code"]["entries"]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('system = "parser"\ncorpus', 'system = "liu-2015"\ncorpus', "liu-2015"),
        ('units = "trees"', 'units = "words"', "takes 'trees' as units"),
        ('split = "test"\nunits', 'split = "train"\nunits', "train is what is learned from"),
        ('corpus = "gazette"', 'corpus = "gazette+moon"', "no corpus and no file 'moon'"),
        ("vertical = 2\n\n", "vertical = 0\n\n", "vertical"),
        ('splits = "none"', 'splits = "few"', "no splits 'few'; there are all, none"),
        ("vertical = 2\n\n", "beam = 2\n\n", "parser has no setting 'beam'"),
        ('measure = "parses"', 'measure = "compressors"', "cannot be measured"),
    ],
)
def test_what_cannot_be_run_is_refused(tmp_path, old: str, new: str, reason: str) -> None:
    text = SPECIFICATION.partition("[plot]")[0].replace("vertical = 1\n", "")
    with pytest.raises(SpecificationError, match=reason):
        specified(tmp_path, text, (old, new))


def test_another_task_is_refused(tmp_path) -> None:
    text = SPECIFICATION.partition("[[rows]]")[0]
    with pytest.raises(SpecificationError, match="'end'; take one of liu-2015, "):
        specified(tmp_path, text, ('"parses"', '"end"'))
    text = text.replace('"parser"\ncorpus', '"liu-2015"\ncorpus')
    with pytest.raises(SpecificationError, match="'parses'; take one of parser"):
        specified(tmp_path, text, ('"trees"', '"words"'))
