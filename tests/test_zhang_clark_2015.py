"""The systems "zhang-clark-2015-dependency" and "zhang-2013": training, model files, ordering."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from both_engines import ENGINES
from test_liu_2015 import sentence

import wordorder_lab as wl
from wordorder_lab.best_first.gold import Example
from wordorder_lab.best_first.packed_weights import FeatureWeights
from wordorder_lab.experiments.runs.evaluate import evaluate
from wordorder_lab.experiments.runs.ordering_evaluate import random_order
from wordorder_lab.models.model_file import ModelError
from wordorder_lab.models.tag_dictionary import TagDictionary
from wordorder_lab.structures.bag import places
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.structures.sentence import Sentence
from wordorder_lab.structures.trees import is_projective
from wordorder_lab.systems.best_first_model import EXPANSIONS
from wordorder_lab.systems.liu_2015 import LinearizationModel
from wordorder_lab.systems.zhang_clark_2015_dependency import (
    NAME,
    ZHANG_2013,
    DependencyModel,
    gold_example,
)

GAZETTE = wl.load_corpus("gazette").train
SENTENCES = [one for one in GAZETTE if len(one) <= 7][:12]


def train(engine: str = "reference", system: str = NAME, **settings: Any) -> DependencyModel:
    how = {"beam": 6, "epochs": 3, "expansions": 100, "shuffle": True, **settings}
    return wl.train(system, SENTENCES, engine=engine, progress=False, **how)


@pytest.fixture(scope="module")
def model() -> DependencyModel:
    return train(about={"corpus": "gazette", "units": "base-np"})


@pytest.fixture
def saved(model: DependencyModel, tmp_path: Path) -> Path:
    model.save(tmp_path / "m.wol")
    return tmp_path / "m.wol"


def test_it_learns_its_sentences(model: DependencyModel) -> None:
    learned = evaluate(model, SENTENCES, engine="reference")
    assert learned.scores.bleu_cased > random_order(SENTENCES).scores.bleu_cased + 30
    assert learned.condition == {
        "system": NAME,
        "pos": 1,
        "deps": 0,
        "seed": 1,
        "beam": 6,
        "chart": "single",
        "expansions": EXPANSIONS,
        "timeout_s": None,
        "memory": None,
        "default": "2015",
    }
    assert sum(learned.stopped.values()) == len(SENTENCES)
    assert learned.expansions is not None and learned.expansions > 1


def test_the_history_counts_every_sentence(model: DependencyModel) -> None:
    history = model.settings["history"]
    assert [row["epoch"] for row in history] == [1, 2, 3]
    for row in history:
        assert sum(row["sentences"].values()) == len(SENTENCES)
        assert "seconds" not in row  # the same training is the same file on every machine
    assert history[0]["updates"]["agenda"] > history[-1]["updates"]["agenda"] >= 0


def test_every_moment_says_how_long_it_took() -> None:
    seen: list[tuple] = []
    train(epochs=2, on_epoch=lambda n, moment: seen.append((n, moment.seconds, moment.numbers)))
    assert [n for n, _, _ in seen] == [1, 2] and all(seconds > 0 for _, seconds, _ in seen)
    assert seen[1][2]["epoch"] == 2 and seen[1][2]["updates"].keys() >= {"agenda", "chart"}


@pytest.mark.parametrize("engine", ENGINES)
def test_zhang_2013_is_algorithm_2_scaled_with_one_beam(engine: str) -> None:
    """Zhang & Clark 2015, section 4.4: a step that is finished is one turn of the loop."""
    learned = train(engine, ZHANG_2013)
    algorithm_2 = {"update": "scaled", "negatives": "discard", "chart": "single"}
    same = train(engine, NAME, **algorithm_2)
    assert learned.system == ZHANG_2013 and len(learned.weights.keys) > 100
    for name in ("keys", "values"):
        assert np.array_equal(getattr(learned.weights, name), getattr(same.weights, name)), name
    assert learned.settings == same.settings


def test_a_sentence_may_end_with_its_first_update() -> None:
    """The other reading of Zhang 2013: an option, and much is left unlearned."""
    stopped = train(system=ZHANG_2013, negatives="stop", epochs=1).settings["history"][0]
    going_on = train(system=ZHANG_2013, epochs=1).settings["history"][0]
    assert stopped["sentences"]["stopped"] == stopped["updates"]["agenda"] > 0
    assert going_on["updates"]["agenda"] > 2 * stopped["updates"]["agenda"]


def test_long_sentences_are_left_out_but_their_words_are_known() -> None:
    longest = max(map(len, SENTENCES))
    shorter = train(max_length=longest - 1, epochs=1)
    assert 0 < shorter.settings["sentences"] < len(SENTENCES)
    assert shorter.dictionary == train(epochs=1).dictionary
    with pytest.raises(ValueError, match="no sentence has at most 1 units"):
        train(max_length=1)


def gold(sentence: Sentence, pos: float, deps: float, seed: int = 1) -> Example:
    problem = OrderingProblem.of(
        wl.bag_of(sentence, pos, deps, seed), TagDictionary.of([sentence]).lookup
    )
    return gold_example(sentence, problem, places(sentence, seed))


def test_the_gold_items_are_the_sentence() -> None:
    twice = sentence(
        ("no", "D", 1), ("way", "N", 2), ("is", "V", -1), ("no", "D", 4), ("way", "N", 2)
    )
    for seed in range(10):
        for pos, deps in ((1, 0), (0, 0), (0.5, 0.5), (1, 1)):
            example = gold(twice, pos, deps, seed)
            items = [example.problem.items[i] for i in example.items]
            assert [(item.form, item.pos) for item in items] == [(t.form, t.pos) for t in twice]
            assert example.heads == (1, 2, -1, 4, 2)
    # Of the two equal subtrees that are given, a search makes the leaves of the first alone.
    assert example.items[0] == example.items[3] and example.items[1] == example.items[4]


def test_a_model_of_another_system_is_refused(saved: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=f"holds {NAME}, not a liu-2015 model"):
        LinearizationModel.load(saved)
    other = tmp_path / "liu.wol"
    wl.train("liu-2015", SENTENCES, beam=1, epochs=1, engine="reference", progress=False).save(
        other
    )
    with pytest.raises(ModelError, match="holds liu-2015, not a zhang-clark-2015-dependency or"):
        DependencyModel.load(other)
    assert isinstance(wl.load_model(other), LinearizationModel)


def check(bag: wl.WordBag, found: Any) -> None:
    """The output is made of units of the bag, each at most once; of all, if a goal was found."""
    assert len(set(found.order)) == len(found.order) and set(found.order) <= set(range(len(bag)))
    assert found.words == [bag.form(i) for i in found.order]
    assert is_projective(found.tree.heads) and len(found.tree) == len(found.order)
    if found.stopped == "complete":
        assert len(found.order) == len(bag) and len(found.tree.roots) == 1
    for one in found.k_best:
        assert one.stopped == found.stopped


@pytest.mark.parametrize("engine", ENGINES)
def test_a_limit_of_zero(model: Any, engine: str) -> None:
    bag = wl.bag_of(SENTENCES[0])
    for limit, stopped in (
        ("expansions", "expansions"),
        ("seconds", "seconds"),
        ("memory", "memory"),
    ):
        found = model.order(bag, engine=engine, **{limit: 0})
        assert (found.stopped, found.text, found.order) == (stopped, "", ())
        assert len(found.k_best) == 1 and str(found.tree) == ""
        assert "(no words)" in found._repr_html_() and f"stopped: {stopped}" in found._repr_html_()
        assert "no words" in found.tree._repr_svg_()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("default", ["2015", "2011"])
def test_a_default_output_may_be_a_forest(
    model: DependencyModel, engine: str, default: str
) -> None:
    bag = wl.bag_of(max(GAZETTE[:50], key=len))
    found = model.order(bag, expansions=25, default=default, engine=engine)
    check(bag, found)
    assert found.stopped == "expansions" and len(found.tree.roots) > 1
    outline = str(found.tree).splitlines()
    assert len(outline) == len(found.words)
    assert len([line for line in outline if line[0] not in " <>"]) == len(found.tree.roots)
    assert f"{len(found.tree.roots)} dependency trees of" in found.tree._repr_svg_()
    assert "stopped: expansions" in found._repr_html_()


@pytest.mark.parametrize("engine", ENGINES)
def test_odd_bags(model: Any, engine: str) -> None:
    for units, how in (
        (["no", "no"], {}),
        (["🐘"], {}),
        (["a new thing", "a new thing", "שלום"], {}),
        (["no"] * 60, {"expansions": 30}),
    ):
        bag = wl.WordBag(units)
        check(bag, model.order(bag, k=2, engine=engine, **how))
    assert sorted(model.order(wl.WordBag(["no", "no"]), engine=engine).order) == [0, 1]


@pytest.mark.parametrize("engine", ENGINES)
def test_whatever_is_given_is_kept(model: DependencyModel, engine: str) -> None:
    words = ["said", "claims", "the cup", "no", "."]
    bag = wl.WordBag(words, heads=[-1, 0, None, 2, None], before=[(4, 2)])
    found = model.order(bag, engine=engine)
    check(bag, found)
    assert found.stopped == "complete"
    place = {unit: i for i, unit in enumerate(found.order)}
    assert found.tree.heads[place[0]] == -1 and found.tree.heads[place[1]] == place[0]
    assert found.tree.heads[place[3]] == place[2] and place[4] < place[2]
    interleaving = wl.WordBag(["a", "b", "c", "d"], heads=[None, 0, 0, 1], before=[(1, 2), (2, 3)])
    with pytest.raises(ValueError, match="subtrees do not mix"):
        model.order(interleaving, engine=engine)


def test_the_settings_of_a_search(model: DependencyModel) -> None:
    usual = model.search_settings()
    assert (usual["beam"], usual["chart"], usual["expansions"]) == (6, "single", EXPANSIONS)
    # A limit that is given takes the place of the usual one.
    assert model.search_settings(seconds=5)["expansions"] is None
    assert model.search_settings(expansions=0, beam=0)["expansions"] == 0


def test_a_model_that_is_not_shared_has_weights_of_its_own(model: DependencyModel) -> None:
    model.order(wl.bag_of(SENTENCES[0]), expansions=30, engine="reference")
    weights = [one.weight for one in (model, model.unshared())]
    assert weights[0] is not weights[1]
    used = [isinstance(one, FeatureWeights) and "_rows" in vars(one) for one in weights]
    assert used == [True, False]
