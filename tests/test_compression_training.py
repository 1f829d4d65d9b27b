"""Training the system of Cohn & Lapata (2009): settings, engines, gold derivations, checkpoints."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wordorder_lab as wl
from wordorder_lab.experiments.runs.map_in_order import several_at_once
from wordorder_lab.models.kneser_ney import estimate
from wordorder_lab.models.model_file import ModelError
from wordorder_lab.structures.compression import prepared_pair
from wordorder_lab.systems.cohn_lapata_2009_training import Settings, learn, prepare
from wordorder_lab.systems.training_run import TrainingOptions
from wordorder_lab.transduction.features import NGRAM, NGRAM_ID, application_scores
from wordorder_lab.transduction.losses import LOSSES
from wordorder_lab.transduction.templates import FEATURES, SOURCE_TERMINALS

PAIRS = [pair for pair in wl.load_compressions("gazette").train if len(pair.source.leaves()) < 13]
SOME = [*PAIRS[:18], *[pair for pair in PAIRS if pair.kind != "deletion"][:6]]
RAIN = wl.parse_tree("(S (NP (NN rain)) (VP (VBD fell) (ADVP (RB heavily))))", "here")


def test_both_engines_learn_the_same_bits(tmp_path: Path) -> None:
    files = []
    for engine in ("reference", "fast"):
        how: dict[str, Any] = {"engine": engine, "progress": False, "max_iterations": 4}
        trained = wl.train("cohn-lapata-2009", SOME, loss="hamming-ngrams", **how)
        trained.save(tmp_path / engine)
        files.append((tmp_path / engine).read_bytes())
    assert files[0] == files[1]


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
    ngrams = estimate([["rain", "fell"]], 2)
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
def test_training_resumes_where_it_stopped(tmp_path: Path) -> None:
    how: dict[str, Any] = {"engine": "reference", "progress": False, "C": 0.3}
    whole = wl.train("cohn-lapata-2009", SOME, **how)

    def stop(epoch: int, moment: Any) -> None:
        if epoch == 3:
            raise KeyboardInterrupt

    path = tmp_path / "c"
    with pytest.raises(KeyboardInterrupt):
        wl.train("cohn-lapata-2009", SOME, checkpoint=path, on_epoch=stop, **how)
    again = wl.train("cohn-lapata-2009", SOME, checkpoint=path, **how)
    assert (again.weights == whole.weights).all()
    assert again.settings == whole.settings
    with pytest.raises(ModelError, match="other"):
        wl.train("cohn-lapata-2009", SOME[1:], checkpoint=path, **how)
    other = estimate([["rain", "fell"]], 3)
    with pytest.raises(ModelError, match="other"):  # another language model
        wl.train("cohn-lapata-2009", SOME, checkpoint=path, ngrams=other, **how)


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
        assert one.ngrams.vocabulary == estimate(text, 3).vocabulary
        assert set(ready.ngrams.vocabulary) > set(one.ngrams.vocabulary)


def test_a_language_model_of_ones_own() -> None:
    ngrams = estimate([["rain", "fell"]], 2)
    how: dict[str, Any] = {"engine": "reference", "progress": False, "max_iterations": 2}
    trained = wl.train("cohn-lapata-2009", SOME, ngrams=ngrams, **how)
    assert trained.ngrams is ngrams


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"depth": -1}, "depth"),
        ({"loss": "bleu"}, "no loss 'bleu'; there are"),
        ({"penalty": -1.0}, "penalty is a number from 0 up"),
        ({"gold": "best"}, "no gold 'best'"),
        ({"features": "none"}, "no features 'none': name one or more of rule"),
        ({"C": 0.0}, "C is a number above 0"),
        ({"beam": "wide"}, "no beam 'wide'"),
        ({"templates": "nothing"}, "no template file"),
        ({"epochs": 3}, "has no setting 'epochs'"),
        ({"variables": 0}, "variables is a whole number"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        wl.train("cohn-lapata-2009", SOME, **settings)


def test_pairs_that_cannot_be_learned_from() -> None:
    with pytest.raises(ValueError, match="learns from pairs of trees"):
        wl.train("cohn-lapata-2009", wl.load_corpus("gazette").dev)
    with pytest.raises(ValueError, match="no pairs to train on"):
        wl.train("cohn-lapata-2009", [])
    with pytest.raises(ValueError, match=r"half: an alignment has pairs like"):
        replace(SOME[0], alignment=((0.5, 0),), name="half")
    with pytest.raises(ValueError, match="mine: the alignment has 0-99, which points outside"):
        replace(SOME[0], alignment=((0, 99),), name="mine")
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
