"""The system of Cohn & Lapata (2009): compressing, the log, the model file."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nltk.tree import Tree

import wordorder_lab as wl
from wordorder_lab.experiments.runs.map_in_order import several_at_once
from wordorder_lab.models.kneser_ney import estimate_ngrams
from wordorder_lab.models.model_file import ModelError, load_arrays, save_arrays
from wordorder_lab.structures.compression import prepared_pair
from wordorder_lab.systems.cohn_lapata_2009 import CompressionModel
from wordorder_lab.systems.cohn_lapata_2009_training import Settings, learn, prepare
from wordorder_lab.systems.training_run import TrainingOptions
from wordorder_lab.trace.log import EventLog
from wordorder_lab.transduction.features import NGRAM, NGRAM_ID, application_scores
from wordorder_lab.transduction.losses import LOSSES
from wordorder_lab.transduction.templates import FEATURES, SOURCE_TERMINALS

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


def test_a_model_from_before_features_could_be_left_out(
    model: CompressionModel, tmp_path: Path
) -> None:
    model.save(tmp_path / "m.wol")
    header, arrays = load_arrays(tmp_path / "m.wol")
    assert header["settings"].pop("features") == "rule,token,ngram"
    save_arrays(tmp_path / "m.wol", header, arrays)
    assert wl.load_model(tmp_path / "m.wol").settings == model.settings


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


TOKENS = ("Word count: ", "Yield: terminal ", "Yield: terminals ")
"""Begin the names of token features, by hand from Table 2."""


@pytest.mark.parametrize("features", FEATURES)
def test_what_is_left_out_has_no_weight(features: str, tmp_path: Path) -> None:
    """Section 6.1, Table 5: in both engines to the bit, and in the model file."""
    models = []
    for engine in ("reference", "fast"):
        how: dict[str, Any] = {"engine": engine, "progress": False, "max_iterations": 5}
        models.append(wl.train("cohn-lapata-2009", SOME, features=features, **how))
        models[-1].save(tmp_path / engine)
    assert (tmp_path / "reference").read_bytes() == (tmp_path / "fast").read_bytes()
    learned = wl.load_model(tmp_path / "fast")
    assert learned.settings == models[0].settings and learned.settings["features"] == features
    weights = dict(zip(learned.features.names(), learned.weights.tolist()))
    ngrams = weights.pop(NGRAM)
    assert SOURCE_TERMINALS not in weights  # the same in every derivation of a source
    assert 0.0 not in weights.values()  # of the others a file has those that are not 0
    has = {"rule": False, "token": False, "ngram": ngrams != 0}
    for name in weights:
        has["token" if name.startswith(TOKENS) else "rule"] = True
    assert ",".join(name for name in has if has[name]) == features
    assert learned.ngrams.order == learned.settings["order"] == (3 if has["ngram"] else 1)
    for pair in SOME[:4]:
        found = [learned.compress(pair.source, engine=e, k=3) for e in ("reference", "fast")]
        assert found[0] == found[1]


def test_without_n_grams_no_model_of_them_is_taken() -> None:
    """Not one of one's own either, and what it would say of an output is not looked at."""
    ngrams = estimate_ngrams([["rain", "fell"]], 2)
    with pytest.raises(ValueError, match="'rule,token' have no use for an n-gram model"):
        wl.train("cohn-lapata-2009", SOME, features="rule,token", ngrams=ngrams)
    settings = Settings(features="rule,token")
    examples = prepare(SOME, settings, engine="reference").examples
    weights = np.random.default_rng(1).normal(size=20_000)
    weights[NGRAM_ID] = 0.0
    for i, one in enumerate(examples.examples):
        assert one.features[NGRAM_ID] == 0.0
        assert NGRAM_ID not in examples.most_violated(i, weights).features


@pytest.mark.parametrize("loss", LOSSES)
def test_one_slack_and_n_slack_reach_the_same_objective(loss: str) -> None:
    exact: dict[str, Any] = {"beam": "exact", "C": 0.5, "order": 2, "tolerance": 1e-6}
    quiet = TrainingOptions(progress=False)
    short = [pair for pair in PAIRS if len(pair.source.leaves()) < 9][:8]
    bounds = []
    for formulation in ("1-slack", "n-slack"):
        settings = Settings(loss=loss, formulation=formulation, max_iterations=500, **exact)
        learned = learn(prepare(short, settings), settings, quiet).settings
        gap = (learned["objective"] - learned["dual"]) / learned["objective"]
        print(f"{loss} {formulation}: {learned['objective']:.6f}, duality gap {gap:.1e}")
        assert learned["stopped"] == "converged" and 0 <= gap <= 5e-4
        bounds.append(learned["objective"])
    assert bounds[1] == pytest.approx(bounds[0], rel=1e-3)


@pytest.mark.slow
def test_settings_of_training_reach_the_searches() -> None:
    def examples(**settings: Any) -> Any:
        return prepare(SOME, Settings(**settings), engine="reference").examples

    def found(of: Any, weights: Any) -> list[tuple[list[int], float]]:
        all_found = (of.most_violated(i, weights) for i in range(len(of)))
        return [(one.features.tolist(), one.loss) for one in all_found]

    for name in LOSSES:
        assert {one.loss.name for one in examples(loss=name).examples} == {name}
    assert {one.loss.penalty for one in examples(penalty=0.25).examples} == {0.25}
    usual = examples()
    weights = np.random.default_rng(1).normal(size=20_000)
    assert found(usual, weights) != found(examples(beam=1), weights)
    assert found(usual, weights) != found(examples(loss="edit", penalty=0.0), weights)
    rules = [len(prepare(SOME, Settings(depth=depth)).grammar) for depth in (0, 1, 2)]
    assert rules[0] < rules[1] < rules[2]


def test_gold_by_score_is_best_under_the_weights() -> None:
    ready = prepare(SOME, Settings(gold="max-score"), engine="reference")
    before = [one.gold for one in ready.examples.examples]
    weights = np.random.default_rng(2).normal(size=len(ready.features))
    ready.examples.choose_gold(weights)
    assert before != [one.gold for one in ready.examples.examples]
    for old, one in zip(before, ready.examples.examples):
        scores = application_scores(one.rows, weights)
        assert sum(scores[a] for a in one.gold) >= sum(scores[a] for a in old) - 1e-9
        assert one.problem.target_tree(one.gold) == one.problem.target_tree(old)


@pytest.mark.parametrize("gold", ["max-score", "min-score", "random"])
@pytest.mark.slow
def test_other_gold_derivations(gold: str) -> None:
    how: dict[str, Any] = {"engine": "reference", "progress": False, "max_iterations": 3}
    trained = wl.train("cohn-lapata-2009", SOME, gold=gold, **how)
    rounds = {row["round"] for row in trained.settings["history"]}
    assert rounds == ({1} if gold == "random" else {1, 2})
    assert trained.compress(SOME[0].source, engine="reference").words


@pytest.mark.slow
def test_new_gold_derivations_do_not_go_on_from_an_old_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "c"
    how: dict[str, Any] = {"engine": "reference", "progress": False, "gold": "max-score"}

    def stop(epoch: int, moment: Any) -> None:
        if moment.numbers["round"] == 2:
            raise KeyboardInterrupt

    short = {**how, "max_iterations": 2}
    with pytest.raises(KeyboardInterrupt):
        wl.train("cohn-lapata-2009", SOME, checkpoint=path, on_epoch=stop, **short)
    whole = wl.train("cohn-lapata-2009", SOME, max_iterations=2, **how)
    again = wl.train("cohn-lapata-2009", SOME, checkpoint=path, max_iterations=2, **how)
    assert (again.weights == whole.weights).all()
    with pytest.raises(ModelError, match="other"):  # longer first rounds choose other golds
        wl.train("cohn-lapata-2009", SOME, checkpoint=path, max_iterations=9, **how)


def test_a_pair_is_learned_with_n_grams_of_other_pairs() -> None:
    some = PAIRS[:24]
    ready = prepare(some, Settings(folds=4))
    for i, one in enumerate(ready.examples.examples):
        others = [pair for j, pair in enumerate(some) if j % 4 != i % 4]
        text = [t.leaves() for p in map(prepared_pair, others) for t in (p.source, p.target)]
        assert one.ngrams.vocabulary == estimate_ngrams(text, 3).vocabulary
        assert set(ready.ngrams.vocabulary) > set(one.ngrams.vocabulary)


def test_pairs_that_cannot_be_learned_from() -> None:
    with pytest.raises(ValueError, match="links none of the 1 pairs"):
        wl.train("cohn-lapata-2009", [SOME[-1]], nodes=1)  # its words change their order


@pytest.mark.parametrize("gold", ["max-rules", "max-score"])
def test_two_processes_learn_the_bits_of_one(gold: str, tmp_path: Path) -> None:
    """And so does a training that was ended and went on with another number of them."""
    how: dict[str, Any] = {"progress": False, "gold": gold, "max_iterations": 6, "C": 1.0}
    files = []
    for jobs in (1, 2):
        in_order = partial(several_at_once, jobs=jobs)
        trained = wl.train("cohn-lapata-2009", SOME, in_order=in_order, **how)
        trained.save(tmp_path / f"{jobs}")
        files.append((tmp_path / f"{jobs}").read_bytes())
    assert files[0] == files[1]
    path = tmp_path / "checkpoint"

    def end(iteration: int, moment: Any) -> None:
        if iteration == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        wl.train("cohn-lapata-2009", SOME, checkpoint=path, on_epoch=end, **how)
    two = partial(several_at_once, jobs=2)
    wl.train("cohn-lapata-2009", SOME, checkpoint=path, in_order=two, **how).save(tmp_path / "3")
    assert (tmp_path / "3").read_bytes() == files[0]
