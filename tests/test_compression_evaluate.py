"""A compression model over a corpus: the rate that is asked for, floors, loss, and the grid."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from command_line import write_pairs
from fake_parser import FakeParser
from nltk.tree import Tree

import wordorder_lab as wl
from wordorder_lab.experiments.runs.compression_evaluate import (
    evaluate_compressions,
    match_rate,
)
from wordorder_lab.structures.compression import Compression, CompressionPair
from wordorder_lab.structures.phrase_tree import pruned
from wordorder_lab.systems.compression_grid import best_row, grid_search, on_held_out

SMALL: dict[str, Any] = {"beam": 5, "engine": "reference", "progress": False}


@pytest.fixture(scope="module")
def own(tmp_path_factory) -> SimpleNamespace:
    corpus = wl.load_compressions(write_pairs(tmp_path_factory.mktemp("own")))
    model = wl.train("cohn-lapata-2009", corpus.train, C=1.0, max_iterations=8, **SMALL)
    return SimpleNamespace(corpus=corpus, model=model)


def flat(words: int) -> Tree:
    return Tree("S", [Tree("NN", ["word"]) for _ in range(words)])


class ByBonus:
    """A model that keeps more words the higher the bonus is; ``least`` and ``most`` are bounds."""

    def __init__(self, least: int = 1, most: int = 100) -> None:
        self.least, self.most = least, most

    def problem(self, tree: Tree) -> SimpleNamespace:
        return SimpleNamespace(words=len(tree.leaves()))

    def words_out(self, problem: Any, *, bonus: float) -> int:
        kept = round(problem.words / (1 + np.exp(-(bonus - 3) / 20)))
        return max(self.least, min(kept, self.most))


@pytest.mark.parametrize("rate", [0.03, 0.2, 0.5, 0.71, 0.99])
def test_any_rate_is_met(rate: float) -> None:
    """Up and down from a bonus of 0, with steps that grow."""
    pairs = [CompressionPair(flat(n), (flat(1),), ()) for n in (100, 60, 40)]
    model: Any = ByBonus()
    found = match_rate(model, pairs, rate)
    assert found.wanted == rate and abs(found.rate - rate) <= 0.005
    assert (found.bonus > 0) == (rate > 1 / (1 + np.exp(3 / 20)))


def test_a_rate_out_of_reach() -> None:
    """The nearest one that there is; without a rate, that of the references."""
    pairs = [CompressionPair(flat(100), (flat(80), flat(100)), ())]
    model: Any = ByBonus(least=10, most=60)
    assert match_rate(model, pairs).wanted == 0.9
    assert match_rate(model, pairs).rate == 0.6
    assert match_rate(model, pairs, 0.01).rate == 0.1
    for rate in (0.0, 1.5):
        with pytest.raises(ValueError, match="above 0 and at most 1"):
            match_rate(model, pairs, rate)
    with pytest.raises(ValueError, match="at least one"):
        match_rate(model, [])


class FirstWords:
    """Any object that compresses: it keeps the first words, and more with a bonus."""

    def compress(self, tree: Tree, bonus: float = 0.0) -> SimpleNamespace:
        size = len(tree.leaves())
        most = max(1, min(size, round(size / 2 + bonus)))
        return SimpleNamespace(tree=pruned(tree, range(most)), score=-1.0)


def test_any_compressor_is_scored_and_brought_to_a_rate(own, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    pairs = own.corpus.dev
    done = evaluate_compressions(FirstWords(), pairs, parser=FakeParser())
    assert done.condition == {"system": "FirstWords", "seed": 1}
    assert abs(done.scores.rate - 0.5) < 0.05 and set(done.model_scores) == {-1.0}
    assert all(text.split()[0][0].isupper() for text in done.texts)
    assert done.loss > 0 == done.combinations_per_sentence
    assert set(done.floors) == {"keep_all", "random_deletion", "first_clause"}
    assert done.reparsed is not None and done.reparsed.refused == 0
    assert json.loads(json.dumps(done.to_dict()))["reparsed"]["f1"] == done.reparsed.f1
    matched = match_rate(FirstWords(), pairs, 0.8)
    assert abs(matched.rate - 0.8) < 0.1 and matched.bonus > 0


def test_several_processes_do_the_same(own) -> None:
    done, again = (
        evaluate_compressions(own.model, own.corpus.dev, engine="reference", jobs=jobs)
        for jobs in (1, 2)
    )
    assert (done.texts, done.outputs, done.scores) == (again.texts, again.outputs, again.scores)
    json.dumps(done.to_dict())


def test_a_new_beginning_is_no_mistake(own) -> None:
    """Scored without the capital of a beginning: *The* at the front is *the* further on."""
    moved = next(pair for pair in own.corpus.train if pair.kind == "reordering")
    capital = Tree.fromstring(str(moved.source).replace("(IN at)", "(IN At)"))
    done = evaluate_compressions(own.model, [replace(moved, source=capital)], engine="reference")
    assert done.texts[0].startswith("The ") and done.texts[0].endswith(" at night .")
    assert done.scores.relation_f1 == done.scores.exact_match == 1
    assert done.floors["keep_all"].unigram_f1 == pytest.approx(2 * 8 / (8 + 9))


def test_the_loss_is_the_one_that_was_trained_with(own) -> None:
    """Two words too many, and then one that is missing: equation 12 by hand, penalty 2."""
    longer = [pair for pair in own.corpus.dev if pair.kind == "deletion"][:1]
    settings = {**own.model.settings, "penalty": 2.0}
    model: Any = SimpleNamespace(settings=settings, compress=None)
    outputs = {"source": longer[0].source, "target": longer[0].target}
    for name, loss in (("source", 2.0), ("target", 0.0), ("short", 2.0)):
        tree = outputs.get(name) or Tree.fromstring(str(longer[0].target).replace(" (. .)", ""))
        model.compress = lambda *_, tree=tree, **__: Compression(tree, tree, 0.0)
        assert on_held_out(model, longer).loss == loss


def test_the_best_row_is_the_smaller_of_equal_ones() -> None:
    rows: list[dict[str, float]] = [
        {"loss": 1, "C": 10, "scaling": 1},
        {"loss": 1, "C": 1, "scaling": 2},
    ]
    rows += [{"loss": 1, "C": 1, "scaling": 1}, {"loss": 2, "C": 0.1, "scaling": 1}]
    assert best_row(rows) == rows[2]


def test_c_and_scaling_are_one_setting(own) -> None:
    """Points with the same C s^2 have the same weights (the docstring of ``compression_grid``)."""
    few = own.corpus.train[:10]
    how = {"max_iterations": 6, **SMALL}
    points = [*grid_search(few, own.corpus.dev, [0.04, 0.01], [1.0, 2.0], **how)]
    by_scale: dict[float, list[Any]] = {}
    for point in points:
        by_scale.setdefault(round(point.row["C"] * point.row["scaling"] ** 2, 9), []).append(
            point.model
        )
    assert sorted(map(len, by_scale.values())) == [1, 1, 2]
    first, second = by_scale[0.04]
    np.testing.assert_allclose(first.weights, second.weights, rtol=1e-4, atol=1e-6)
    assert not np.allclose(first.weights, by_scale[0.16][0].weights, rtol=1e-2)


def test_points_that_are_done_are_passed_over(own) -> None:
    how = {"max_iterations": 2, **SMALL}
    done = [{"C": 1.0, "scaling": 1.0}]
    found = grid_search(own.corpus.train[:5], own.corpus.dev, [1.0, 2.0], done=done, **how)
    assert [point.row["C"] for point in found] == [2.0]
    assert not [*grid_search(own.corpus.train, own.corpus.dev, [1.0], done=done, **how)]
    with pytest.raises(ValueError, match="C is a number above 0"):
        next(grid_search(own.corpus.train, own.corpus.dev, [1.0, -1.0], **how))
