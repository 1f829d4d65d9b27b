"""What stands beside the exercises for notebooks to show: sums of edges, states, searches."""

from __future__ import annotations

import numpy as np
import pytest

import wordorder_lab as wl
from wordorder_lab.check import (
    nb_01,
    nb_10,
    nb_12,
    nb_20,
    nb_21,
    nb_41,
    small_search,
    small_transducer,
)
from wordorder_lab.check.nb_21 import typed_problem
from wordorder_lab.transition.actions import possible_actions
from wordorder_lab.transition.full_tree_actions import full_tree_actions
from wordorder_lab.transition.state import SHIFT


@pytest.mark.parametrize("notebook", [nb_10, small_search])
def test_parts_and_the_last_step_add_up_to_the_score(notebook) -> None:
    search = notebook.search_by_hand()
    search.run()
    rows = notebook.sums(search)
    assert [row["edge"] for row in rows] == list(range(1, len(rows) + 1))
    for row in rows:
        step = row["the last step" if "the last step" in row else "the last action"]
        terms = [row["its parts"].replace("-", "0"), step.replace("(", "").replace(")", "")]
        total = sum(float(term) for text in terms for term in text.split(" + "))
        assert total == float(row["f(e)"])
        assert row["f(e) / |e|"] == f"{total / row['|e|']:.2f}"


def test_a_model_without_weights_leaves_the_other_as_it_is() -> None:
    few = wl.load_corpus("gazette").train[:5]
    how = {"epochs": 1, "beam": 8, "expansions": 50, "progress": False, "engine": "reference"}
    model = wl.train("zhang-clark-2015-dependency", few, **how)
    before = len(model.weights.keys)
    assert len(nb_12.without_weights(model).weights.keys) == 0
    assert len(model.weights.keys) == before > 0


def test_a_sentence_of_the_gazette_is_the_same_in_three_files() -> None:
    for split, number in (("dev", 1), ("test", 7)):
        mrg, conllu, auto = nb_01.gazette_sentence(split, number)
        words = nb_01.gazette().split(split)[number - 1].text.split()
        assert [line.split("\t")[1] for line in conllu.splitlines() if line[0] != "#"] == words
        assert auto.startswith(f"ID={split}-{number} ") and all(f" {w})" in mrg for w in words)


def test_states_on_the_way_are_told_in_words() -> None:
    problem = typed_problem("b/X>0 a/X>1")
    first, second = (SHIFT + place for place in (1, 0))
    rows = nb_20.states_on_the_way([first, second, 0], problem)
    assert [row["stack"] for row in rows] == ["a", "a | b", "b"]
    assert [row["bag"] for row in rows] == ["b", "", ""]
    assert [row["new arc"] for row in rows] == ["", "", "b → a"]


def test_what_is_forbidden_has_a_reason_and_what_is_possible_none() -> None:
    rows = nb_21.look("a>2 b c>0", "a").data
    assert {*rows.possible} <= {"✓", "✕"} and len(rows) == 2
    assert all((row.possible == "✕") == bool(row["why not"]) for _, row in rows.iterrows())
    with pytest.raises(KeyError):
        nb_21.look("a b", "RIGHTARC")


TREE = "b/X>0 a/X>1 c/X>1"


def test_walks_get_stuck_only_where_a_test_is_missing() -> None:
    assert nb_21.stuck(TREE, possible_actions, walks=50) == 0
    shifts_first = lambda state, _: [SHIFT + i for i, left in enumerate(state.bag) if left]  # noqa: E731
    assert nb_21.stuck(TREE, shifts_first, walks=5) == 1


def test_both_algorithms_reach_the_same_orders() -> None:
    orders, derivations = nb_21.reached(TREE, possible_actions)
    assert (orders, orders) == nb_21.reached(TREE, full_tree_actions) and orders == 6
    assert derivations >= orders


def test_stages_of_the_small_problem_end_at_its_best_weights() -> None:
    small = nb_41.three_sentences()
    learned, stages = nb_41.run_by_stages(small, 5.0)
    assert not stages[0].constraints and not np.any(stages[0].weights)
    assert np.allclose(stages[-1].weights, learned.weights, atol=1e-5)
    for example, difference, loss in stages[-1].constraints:
        slack = max(0.0, float(small.violations(example, learned.weights).max()))
        assert difference @ learned.weights >= loss - slack - 1e-6


def test_a_loss_needs_more_items_than_none() -> None:
    pair = small_transducer.FIGURE_1
    assert nb_41.chart_items(pair, None) <= nb_41.chart_items(pair, "hamming-tokens")
