"""The system of Cohn & Lapata (2009): compressing, the log, the model file."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nltk.tree import Tree

import wordorder_lab as wl
from wordorder_lab.models.model_file import ModelError
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.trace.log import EventLog

PAIRS = [pair for pair in wl.load_compressions("gazette").train if len(pair.source.leaves()) < 13]
SOME = [*PAIRS[:18], *[pair for pair in PAIRS if pair.kind != "deletion"][:6]]
RAIN = wl.parse_tree("(S (NP (NN rain)) (VP (VBD fell) (ADVP (RB heavily))))", "here")


@pytest.fixture(scope="module")
def model() -> CompressionModel:
    return wl.train("cohn-lapata-2009", SOME, C=1.0, progress=False, engine="reference")


def test_what_is_learned_is_given_back(model: CompressionModel) -> None:
    outputs = [model.compress(pair.source, engine="reference") for pair in SOME]
    right = [one.words == pair.target.leaves() for one, pair in zip(outputs, SOME)]
    assert np.mean(right) > 0.8
    changed = [
        one.text for one, pair, r in zip(outputs, SOME, right) if r and pair.kind != "deletion"
    ]
    assert changed  # reordered or substituted: no deletion could give them
    for one, pair in zip(outputs, SOME):
        assert one.rate == len(one.words) / len(pair.source.leaves())
        assert one.source == pair.source and one.k_best[0].tree == one.tree


def test_k_best_trees_differ_and_descend(model: CompressionModel) -> None:
    best = model.compress(SOME[0].source, k=6, engine="reference").k_best
    assert len({str(one.tree) for one in best}) == len(best) > 1
    scores = [one.score for one in best]
    assert scores == sorted(scores, reverse=True)
    rules = [wl.parse_rule(text) for text in best[0].rules]
    assert rules[0].source.label == SOME[0].source.label()


def test_a_bonus_for_words_makes_longer_outputs(model: CompressionModel) -> None:
    lengths = [
        [len(model.compress(pair.source, bonus=b, engine="reference").words) for pair in SOME]
        for b in (-2.0, 0.0, 50.0)
    ]
    assert sum(lengths[0]) < sum(lengths[1]) < sum(lengths[2])
    assert lengths[2] == [len(pair.source.leaves()) for pair in SOME]  # all words, if enough


def test_a_model_file_is_whole_or_refused(model: CompressionModel, tmp_path: Path) -> None:
    path = tmp_path / "m.wol"
    model.save(path)
    again = wl.load_model(path)
    again.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == path.read_bytes()
    assert again.grammar.statistics() == model.grammar.statistics()
    for pair in SOME[:5]:
        found = [one.compress(pair.source, engine="reference") for one in (model, again)]
        assert found[0].tree == found[1].tree and found[0].score == found[1].score
    damaged = tmp_path / "damaged"
    damaged.write_bytes(path.read_bytes()[:-2000])
    with pytest.raises(ModelError, match="damaged"):
        wl.load_model(damaged)
    for change in ({"features": ["x"]}, {"grammar": {"rules": ["<S"], "roots": []}}, {"ngrams": 1}):
        with pytest.raises(ModelError, match="not a whole cohn-lapata-2009"):
            wl.load_model(_with_header(path, tmp_path / "changed", change))


def test_a_model_from_before_features_could_be_left_out(
    model: CompressionModel, tmp_path: Path
) -> None:
    model.save(tmp_path / "m.wol")
    settings = {name: value for name, value in model.settings.items() if name != "features"}
    old = _with_header(tmp_path / "m.wol", tmp_path / "old", {"settings": settings})
    assert (
        wl.load_model(old).settings == model.settings
        and model.settings["features"] == "rule,token,ngram"
    )


def _with_header(path: Path, other: Path, change: dict[str, Any]) -> Path:
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(other, "w") as written:
        for name in archive.namelist():
            data = archive.read(name)
            if name == "header.json":
                data = json.dumps({**json.loads(data), **change}).encode()
            written.writestr(name, data)
    return other


def test_what_no_grammar_has_seen_has_a_result(model: CompressionModel) -> None:
    for text in (
        "(XX (YY zyzzyva) (ZZ (QQ <b>) (QQ _1)))",
        "(NN rain)",
        "(S (S (S (NN rain))))",
        "(S " + " ".join(f"(NN w{i})" for i in range(14)) + ")",
    ):
        tree = wl.parse_tree(text, "here")
        found = model.compress(tree, engine="reference")
        assert found.words and set(found.words) <= {*tree.leaves(), found.words[0]}
        whole = model.compress(tree, bonus=1e6, engine="reference").words
        assert [word.lower() for word in whole] == [word.lower() for word in tree.leaves()]


def test_a_sentence_begins_with_a_capital_again(model: CompressionModel) -> None:
    found = model.compress(Tree.fromstring("(S (NP (NNS Rains)) (VP (VBD fell)))"), bonus=100.0)
    assert found.text == "Rains fell"
    assert model.compress(RAIN, bonus=100.0, engine="reference").words[0] == "Rain"


def test_swapping_a_rule(model: CompressionModel) -> None:
    tree = SOME[0].source
    problem = model.problem(tree)
    for number, one in enumerate(problem.applications):
        found = model.swap(tree, one.node, number, engine="reference")
        assert one.rule.text in found.rules
        assert found.score <= model.compress(tree, beam=0, engine="reference").score + 1e-9
    with pytest.raises(ValueError, match="no application"):
        model.swap(tree, 0, len(problem.applications))


def test_the_player_is_answered(model: CompressionModel) -> None:
    problem, answer = model.problem(RAIN), model.drive(RAIN, engine="reference")
    for number, one in enumerate(problem.applications):
        asked = {"node": one.node, "application": number, "rule": one.rule.text}
        assert one.rule.text in answer(asked)["rules"]
        assert "not of this tree" in answer({**asked, "rule": "another"})["why"]
        assert answer({**asked, "node": len(problem.nodes)})["why"]


def test_a_tree_that_is_too_deep(model: CompressionModel) -> None:
    tree = Tree("NN", ["rain"])
    for _ in range(200):
        tree = Tree("NP", [tree])
    with pytest.raises(ValueError, match="more than 150 levels"):
        model.compress(tree)
    with pytest.raises(TypeError, match="a tree is wanted"):
        model.compress(["rain"])


def test_the_log_explains_every_score(model: CompressionModel) -> None:
    log = EventLog()
    model.compress(SOME[0].source, trace=log, engine="reference", bonus=0.5)
    best = EventLog()
    found = model.compress(SOME[0].source, k=3, trace=best, engine="reference").k_best
    told = [event for event in best if event[0] == "compressed"]
    assert [(event[1], event[2]) for event in told] == [(i, x.score) for i, x in enumerate(found)]
    kinds = [event[0] for event in log]
    assert kinds[:2] == ["begin", "source"] and kinds[-1] == "compressed"
    scores = {event[1]: event[8] for event in log if event[0] == "application"}
    points = dict.fromkeys(scores, 0.0)
    for event in log:
        if event[0] == "points":
            points[event[1]] += event[3]
    assert points == pytest.approx(scores)


@pytest.mark.parametrize("search", [{"beam": -1}, {"search": "greedy"}, {"chart": "single"}])
def test_searches_that_cannot_be(model: CompressionModel, search: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"beam|search"):
        model.compress(RAIN, **search)
    with pytest.raises(ValueError, match="whole number from 1 up"):
        model.compress(RAIN, k=0)
