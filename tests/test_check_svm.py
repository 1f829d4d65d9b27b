"""The exercises on the structured SVM: what is asked, and what is true of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from exercise_cases import wrong_answers

import wordorder_lab as wl
from wordorder_lab.check import Desk, nb_41
from wordorder_lab.check.exercise import find
from wordorder_lab.structures.compression import CompressionPair
from wordorder_lab.systems.cohn_lapata_2009_training import Settings, prepare
from wordorder_lab.transduction.structured_svm import FORMULATIONS

TRAIN = wl.load_compressions("gazette").train
FEW = [pair for pair in TRAIN if len(pair.source.leaves()) <= 9][:16]
OTHERS = [pair for pair in TRAIN if len(pair.source.leaves()) <= 9][16:24]
HOW: dict[str, Any] = {"engine": "reference", "beam": 5, "C": 1.0, "order": 2, "max_iterations": 6}
GIVEN: dict[str, Any] = {"pairs": FEW, "held_out": OTHERS, "how": HOW}
RIGHT = {
    "hamming-tokens": [6, 2, 2],
    "hamming-cfg": [11, 4, 4],
    "edit": [3],
    "f1": np.float64(3 / 13),
}


def loudest(gold: float, outputs: list[Any]) -> int:
    return max(range(len(outputs)), key=lambda i: outputs[i].loss)


def most_liked(gold: float, outputs: list[Any]) -> int:
    return max(range(len(outputs)), key=lambda i: outputs[i].score)


def wrong_sign(gold: float, outputs: list[Any]) -> int:
    return max(range(len(outputs)), key=lambda i: outputs[i].loss - outputs[i].score)


def without_cap(difference: list[float], loss: float, C: float) -> list[float]:
    length = sum(value**2 for value in difference)
    return [loss / length * value for value in difference] if length else difference


def always_c(difference: list[float], loss: float, C: float) -> list[float]:
    return [C * value for value in difference]


def divides(difference: list[float], loss: float, C: float) -> list[float]:
    length = sum(value**2 for value in difference)
    return [min(C, loss / length) * value for value in difference]


WRONG: list[tuple[str, Any, str]] = [
    ("41.1", 3, "A dictionary is wanted"),
    ("41.1", {"edit": 3}, "with the keys hamming-tokens, hamming-cfg, edit, f1"),
    ("41.1", {**RIGHT, "hamming-tokens": [5, 3, 3]}, "hamming-tokens, TP: it is not 5"),
    ("41.1", {**RIGHT, "hamming-tokens": [6, 2, 0.25]}, "divides by nothing"),
    ("41.1", {**RIGHT, "hamming-cfg": [7, 4, 4]}, "those of words included"),
    ("41.1", {**RIGHT, "hamming-cfg": [11, 4]}, "wanted is TP, FP, the loss, so 3 numbers"),
    ("41.1", {**RIGHT, "edit": 1}, "at most as often as it is in the reference"),
    ("41.1", {**RIGHT, "f1": "3/13 F1"}, "a number is wanted, not '3/13 F1'"),
    ("41.2", loudest, "the chart's:"),
    ("41.2", most_liked, "the chart's:"),
    ("41.2", wrong_sign, "H = "),
    ("41.2", lambda gold, outputs: outputs[0], "the place of an output is wanted"),
    ("41.2", lambda gold, outputs: len(outputs), "The place of an output is wanted"),
    ("41.3", without_cap, "C = 0.1: the learner's weight 1 is 0.2, not 0.5"),
    ("41.3", always_c, "C = 10: the learner's weight 1 is 0.5, not 20"),
    ("41.3", divides, "you divide by zero. Where the output has the features of gold"),
    ("41.3", lambda difference, loss, C: 0.5, "a list of weights is wanted"),
    ("41.3", lambda difference, loss, C: ["a", "b"], "a list of weights is wanted, not ['a', 'b']"),
    ("41.4", ["up", "up", "up", "same"], "the mean slack (from 1.600 to 1.000): it is not 'up'"),
    ("41.4", ["up", "down", "up", "up"], "the weights with scaling 10"),
    ("41.5", "half", "A penalty from 0 to 5 is wanted"),
    ("41.5", -1, "A penalty from 0 to 5 is wanted"),
    ("41.5", 0, "Outputs should be longer"),
]
test_wrong_answers_are_told_where = wrong_answers(WRONG, **GIVEN)


def test_right_answers() -> None:
    desk = Desk()
    assert desk("41.1", RIGHT).right
    assert desk("41.1", {**RIGHT, "f1": ...}).right is None
    assert desk("41.2", lambda gold, outputs: np.int64(nb_41.most_violated(gold, outputs))).right
    assert desk("41.3", lambda *given: np.array(nb_41.best_weights(*given))).right
    assert desk("41.4", tuple(case.right for case in nb_41.measured())).right


def test_a_penalty_for_a_rate_is_found() -> None:
    desk = Desk()
    assert desk("41.5", ..., **GIVEN).right is None
    for _ in find("41.5").text.hints:
        desk.hint("41.5")
    assert "The rate is" in desk.solution("41.5").text


# --- what is asked about --------------------------------------------------------------------------


def test_the_chart_and_the_list_agree() -> None:
    """Every derivation written down: none violates more than what the chart has found."""
    assert len(nb_41.searches()) >= 12
    for case in nb_41.searches():
        loud = [case.violation(output) for output in case.outputs]
        assert max(loud) == pytest.approx(case.best)
        assert max(loud) >= -1e-9, "gold is among them, with H = 0"
    zero, *_, last = nb_41.searches()[:3]
    assert zero.gold == 0 and zero.best == max(output.loss for output in zero.outputs)
    assert last.gold != 0


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_the_path_of_section_2(formulation: str) -> None:
    """Worked by hand: along (C/3, -C/3) to C = 3, then down w1 = 1 to (1, -2), and no further."""
    examples = nb_41.three_sentences()
    for C in (0.1, 1.0, 3.0, 5.0, 6.0, 20.0):
        learned = nb_41.solved(examples, 2, C=C, formulation=formulation)
        right = min(C / 3, 1), -min(C / 3, 2)
        assert learned.weights == pytest.approx(right, abs=1e-5)
        assert learned.bound == pytest.approx(examples.objective(np.array(right), C), rel=1e-6)


def test_known_outputs() -> None:
    examples = nb_41.three_sentences()
    assert [len(one) for one in examples.outputs] == [4, 4, 2]
    for i, gold in enumerate(examples.gold):
        assert examples.outputs[i][gold].loss == 0 and not examples.differences(i)[gold].any()
        assert examples.violations(i, np.array([3.0, -7.0]))[gold] == 0
    assert examples.mean_slack(np.zeros(2)) == pytest.approx(5 / 3)
    best = examples.most_violated(2, np.array([1.0, 0.0]))
    assert (best.features.tolist(), best.values.tolist(), best.loss) == ([0], [-1.0], 1.0)
    assert isinstance(examples, nb_41.KnownOutputs) and len(nb_41.problems()) == 40


def test_rules_of_some_pairs_and_weights_of_others() -> None:
    how = {key: value for key, value in HOW.items() if key != "engine"}
    model = nb_41.trained_apart(FEW[:10], FEW[10:], "reference", **how)
    same = prepare(FEW[:10], Settings(**how, folds=1), "reference")
    assert list(map(str, model.grammar.rules)) == list(map(str, same.grammar.rules))
    assert model.ngrams.header()["sizes"] == same.ngrams.header()["sizes"]
    assert 0 < model.settings["pairs"] <= len(FEW[10:]) and model.weights.any()
    assert model.compress(OTHERS[0].source, engine="reference").words
    strange = wl.parse_tree("(QQ (RR zyzzyva) (SS snark))", "here")
    odd = CompressionPair(strange, (wl.parse_tree("(SS boojum)", "here"),), ((1, 0),), "odd")
    with pytest.raises(ValueError, match="links none of the 1 pairs: read it off more pairs"):
        nb_41.trained_apart(FEW[:10], [odd], "reference", **how)
