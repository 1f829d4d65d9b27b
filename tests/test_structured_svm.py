"""The structured SVM against other solvers, worked by hand, and through its checkpoints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import wordorder_lab as wl
from wordorder_lab.models.model_file import ModelError
from wordorder_lab.transduction.structured_svm import (
    FORMULATIONS,
    Iteration,
    Learned,
    StructuredSVM,
    SvmSettings,
)
from wordorder_lab.transduction.working_set import Constraint, solve_dual


class Outputs:
    """Examples whose outputs are written out: for each a list of (dPsi, loss)."""

    def __init__(self, outputs: list[list[tuple[list[float], float]]]) -> None:
        self.differences = [np.array([d for d, _ in one], float) for one in outputs]
        self.losses = [np.array([loss for _, loss in one], float) for one in outputs]
        self.searches = 0

    def __len__(self) -> int:
        return len(self.losses)

    def violations(self, i: int, weights: np.ndarray) -> np.ndarray:
        return self.losses[i] - self.differences[i] @ weights

    def most_violated(self, i: int, weights: np.ndarray) -> Constraint:
        self.searches += 1
        best = int(np.argmax(self.violations(i, weights)))
        difference = self.differences[i][best]
        ids = np.flatnonzero(difference)
        return Constraint(ids, difference[ids], float(self.losses[i][best]))

    def objective(self, weights: np.ndarray, C: float) -> float:
        slacks = [max(0.0, self.violations(i, weights).max()) for i in range(len(self))]
        return float(weights @ weights / 2 + C * np.mean(slacks))


def classes(seed: int, n: int, labels: int, size: int) -> Outputs:
    """Multiclass problems: Psi(x, y) is x in the block of y; every pair of labels has its loss."""
    random = np.random.default_rng(seed)
    points, gold = random.normal(size=(n, size)), random.integers(0, labels, n)
    points[np.arange(n), gold % size] += 1.5
    cost = random.uniform(0.5, 3, (labels, labels))
    np.fill_diagonal(cost, 0)

    def psi(x: np.ndarray, y: int) -> np.ndarray:
        return np.concatenate([x * (y == label) for label in range(labels)])

    def outputs(x: np.ndarray, y: int) -> list[tuple[list[float], float]]:
        return [((psi(x, y) - psi(x, d)).tolist(), float(cost[y, d])) for d in range(labels)]

    return Outputs([outputs(x, y) for x, y in zip(points, gold)])


def learner(examples: Any, features: int, **settings: Any) -> StructuredSVM:
    return StructuredSVM(examples, features, SvmSettings(**settings))


def learn(examples: Any, features: int, **settings: Any) -> Learned:
    return learner(examples, features, **settings).run()


def by_slsqp(examples: Outputs, features: int, C: float) -> float:
    """The best objective, from equation 10 with every constraint written out."""
    n = len(examples)

    def slack(x: np.ndarray) -> np.ndarray:
        w, xi = x[:features], x[features:]
        return np.concatenate([xi[i] - examples.violations(i, w) for i in range(n)])

    found = minimize(
        lambda x: x[:features] @ x[:features] / 2 + C / n * x[features:].sum(),
        np.concatenate([np.zeros(features), [loss.max() for loss in examples.losses]]),
        jac=lambda x: np.concatenate([x[:features], np.full(n, C / n)]),
        constraints={"type": "ineq", "fun": slack},
        bounds=[(None, None)] * features + [(0, None)] * n,
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-14},
    )
    return examples.objective(found.x[:features], C)  # so whatever it says, never below the best


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("C", [0.01, 0.2, 50])
def test_one_constraint_by_hand(formulation: str, C: float) -> None:
    """One other output, dPsi = (2, 0), loss 1: w = (2a, 0) with a = C, but at most 1 / 4."""
    examples = Outputs([[([0, 0], 0), ([2, 0], 1)]])
    learned = learn(examples, 2, C=C, formulation=formulation, tolerance=1e-8)
    a = min(C, 1 / 4)
    assert learned.stopped == "converged"
    assert learned.weights == pytest.approx([2 * a, 0], rel=1e-6)
    best = 2 * a * a + C * max(0, 1 - 4 * a)
    assert (learned.bound, learned.dual) == pytest.approx((best, best), rel=1e-6)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("C", [0.01, 1, 100])
def test_the_optimum_is_that_of_all_constraints_at_once(formulation: str, C: float) -> None:
    for seed in range(4):
        examples = classes(seed, n=6, labels=3, size=2)
        learned = learn(examples, 6, C=C, formulation=formulation, tolerance=1e-7)
        best = by_slsqp(examples, 6, C)
        assert learned.stopped == "converged"
        assert examples.objective(learned.weights, C) == pytest.approx(learned.bound, rel=1e-9)
        assert learned.bound == pytest.approx(best, rel=1e-6)
        assert learned.dual == pytest.approx(best, rel=1e-6)


def test_the_programme_is_solved_to_a_small_gap() -> None:
    """Constraints that are equal, that depend on each other, and that say nothing; any size."""
    random = np.random.default_rng(3)
    rows = random.normal(size=(12, 8))
    rows = np.concatenate([rows, rows[:4], rows[:6] + rows[6:], np.zeros((2, 8))])
    losses, groups = random.uniform(0, 5, len(rows)), np.arange(len(rows)) % 5
    for size in (1e-3, 1.0, 1e3):
        for cap in (1e-5, 1.0, 1e5 / max(1.0, size)):
            d = rows * size
            a = solve_dual(d @ d.T, losses, groups, cap)
            w = d.T @ a
            slacks = np.zeros(5)
            np.maximum.at(slacks, groups, losses - d @ w)
            primal, dual = w @ w / 2 + cap * slacks.sum(), losses @ a - w @ w / 2
            assert a.min() >= 0 and np.bincount(groups, a).max() <= cap * (1 + 1e-12)
            assert -1e-12 * primal <= primal - dual <= 1e-6 * primal, (size, cap)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_every_line_encloses_the_best_objective(formulation: str) -> None:
    examples = classes(5, n=40, labels=4, size=5)
    best = learn(examples, 20, C=3, tolerance=1e-6).bound
    learned = learn(examples, 20, C=3, formulation=formulation, tolerance=0.1)
    assert examples.objective(learned.weights, 3) == pytest.approx(learned.bound, rel=1e-9)
    history = learned.history
    for row, before in zip(history, (None, *history)):
        assert row.dual <= row.primal <= best * (1 + 1e-6) and best <= row.bound * (1 + 1e-6)
        assert row.primal - row.dual <= 1e-6 * row.primal
        if before is not None:
            assert row.bound <= before.bound and row.dual >= before.dual * (1 - 1e-6)
    assert history[0].bound == pytest.approx(examples.objective(np.zeros(20), 3))
    assert 0 <= history[-1].qp_seconds <= history[-1].seconds
    assert [row.iteration for row in history] == list(range(1, len(history) + 1))


def test_zero_weights_are_never_good_enough() -> None:
    """With a small C their objective is next to the best one; but they prefer nothing."""
    examples = classes(3, n=30, labels=4, size=5)
    for formulation in FORMULATIONS:
        how: dict[str, Any] = {"C": 1e-4, "formulation": formulation}
        learned = learn(examples, 20, **how)
        start = learned.history[0].bound
        assert start < 1.001 * learned.dual and learned.stopped == "converged"
        assert learned.gap <= 0.01 * (start - learned.dual)
        assert learned.weights.any()
        soon = learn(examples, 20, **how, max_iterations=1)  # nothing else was searched with
        assert soon.stopped == "iterations" and soon.bound == start
        assert soon.weights.any()


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_scaling_is_that_of_the_features(formulation: str) -> None:
    examples, scaled = (classes(2, n=20, labels=3, size=3) for _ in range(2))
    scaled.differences = [4 * difference for difference in scaled.differences]
    how: dict[str, Any] = {"C": 0.5, "formulation": formulation}
    learned = learn(examples, 9, scaling=4, **how)
    same = learn(scaled, 9, **how)
    assert learned.weights.tolist() == (4 * same.weights).tolist()
    assert (learned.bound, learned.dual) == (same.bound, same.dual)
    assert learned.bound < learn(examples, 9, **how).dual


def test_constraints_that_do_nothing_go() -> None:
    """The set stays small, and the optimum the same."""
    examples = classes(1, n=60, labels=4, size=5)
    for formulation in FORMULATIONS:
        how: dict[str, Any] = {"C": 10, "formulation": formulation, "tolerance": 1e-4}
        all_kept = learn(examples, 20, patience=10**6, **how)
        few = learn(examples, 20, patience=3, **how)
        assert few.history[-1].constraints < all_kept.history[-1].constraints
        assert few.stopped == "converged"
        assert few.bound == pytest.approx(all_kept.bound, rel=3e-4)


def test_examples_come_in_the_order_of_the_seed() -> None:
    class Noted(Outputs):
        def most_violated(self, i: int, weights: np.ndarray) -> Constraint:
            order.append(i)
            return super().most_violated(i, weights)

    orders = []
    for seed in (None, 1, 1, 2):
        order: list[int] = []
        examples = Noted([[([1.0], 1.0)]] * 8)
        learn(examples, 1, formulation="n-slack", seed=seed, max_iterations=1)
        orders.append(order)
    assert orders[0] == list(range(8)) == sorted(orders[1])
    assert orders[1] == orders[2] != orders[0] and orders[1] != orders[3] != orders[0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"C": 0}, "C is a number above 0, not 0"),
        ({"C": float("nan")}, "C is a number above 0"),
        ({"C": "much"}, "C is a number above 0, not 'much'"),
        ({"scaling": -1.0}, r"scaling is a number above 0, not -1\.0"),
        ({"scaling": float("inf")}, "scaling is a number above 0"),
        ({"formulation": "2-slack"}, "'2-slack' is none of 1-slack, n-slack"),
        ({"tolerance": 0}, "tolerance is a number above 0"),
        ({"tolerance": 1.0}, "the tolerance is a share below 1"),
        ({"max_iterations": 0}, "max_iterations is a whole number, at least 1"),
        ({"batch": 2.5}, "batch is a whole number"),
        ({"features": 0}, "the number of features is a whole number, at least 1, not 0"),
        ({"examples": Outputs([])}, "the number of examples is a whole number, at least 1"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, Any], message: str) -> None:
    how = {"examples": Outputs([[([1.0], 1.0)]]), "features": 1, **settings}
    with pytest.raises(ValueError, match=message):
        learner(**how)


def test_a_c_beyond_all_measure_is_refused() -> None:
    examples = classes(9, n=20, labels=3, size=3)
    with pytest.raises(ValueError, match=r"C = 1e\+18 with scaling 1 is too much .* a smaller C"):
        learn(examples, 9, C=1e18)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_examples_that_teach_nothing_do_no_harm(formulation: str) -> None:
    """The gold output itself (no difference, no loss), and one with its features but a loss."""
    rest = classes(4, n=9, labels=3, size=2)
    how: dict[str, Any] = {"C": 1, "formulation": formulation, "tolerance": 1e-6}
    plain = learn(rest, 6, **how)
    nothing = [([0.0] * 6, 0.0)]
    for extra, slack in ((nothing, 0.0), ([([0.0] * 6, 2.0)], 2.0)):
        more = Outputs([extra])
        more.differences += rest.differences
        more.losses += rest.losses
        learned = learn(more, 6, **{**how, "C": 10 / 9})  # C / n stays what it was
        assert learned.bound == pytest.approx(plain.bound + slack / 9, rel=1e-5)
        assert learned.weights == pytest.approx(plain.weights, abs=1e-3)
    alone = learn(Outputs([nothing, nothing]), 6, **how)
    assert not alone.weights.any() and (alone.bound, alone.dual, alone.gap) == (0, 0, 0)
    assert alone.stopped == "converged" and [row.constraints for row in alone.history] == [0]


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_search_that_misses_is_found_out_by_later_ones(formulation: str) -> None:
    """Some searches give the gold output. No bound is below what the constraints prove."""

    class Careless(Outputs):
        def most_violated(self, i: int, weights: np.ndarray) -> Constraint:
            found = super().most_violated(i, weights)
            if random.random() < 0.8:
                return found
            return Constraint(np.zeros(0, np.int64), np.zeros(0), 0.0)

    for seed in range(8):
        right, random = classes(seed, n=20, labels=3, size=3), np.random.default_rng(seed)
        careless = Careless([])
        careless.differences, careless.losses = right.differences, right.losses
        svm = learner(careless, 9, C=5, formulation=formulation, max_iterations=30)
        learned = svm.run()
        proved = svm.working.primal(learned.weights)
        assert learned.bound >= proved * (1 - 1e-12) and proved >= learned.dual * (1 - 1e-9)
        assert right.objective(learned.weights, 5) >= proved * (1 - 1e-12)


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (([1, 0], [1.0, 1.0], 1.0), "feature numbers ascend from 0 to at most 2"),
        (([1, 1], [1.0, 1.0], 1.0), "each once"),
        (([0, 3], [1.0, 1.0], 1.0), "at most 2"),
        (([0, 1], [1.0], 1.0), "one value a feature"),
        (([0], [float("nan")], 1.0), "not a finite number"),
        (([0], [1.0], -1.0), r"the loss is -1\.0; it is at least 0"),
    ],
)
def test_wrong_constraints_are_named(found: Any, message: str) -> None:
    class Wrong(Outputs):
        def most_violated(self, i: int, weights: np.ndarray) -> Constraint:
            if i == 0:
                return super().most_violated(i, weights)
            return Constraint(np.array(found[0], np.int64), np.array(found[1]), found[2])

    with pytest.raises(ValueError, match=f"example 1 gave a wrong constraint: .*{message}"):
        learn(Wrong([[([0, 1, 0], 1)]] * 2), 3)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_events_say_what_the_history_says(formulation: str) -> None:
    examples, log = classes(7, n=12, labels=3, size=2), wl.EventLog()
    learned = learner(examples, 6, C=1, scaling=2, formulation=formulation).run(trace=log)
    violations = [event[1:] for event in log if event[0] == "violation"]
    solved = [event[1:] for event in log if event[0] == "solved"]
    assert len(violations) == 12 * len(learned.history) == examples.searches
    assert solved == [tuple(row[:5]) for row in learned.history]
    for row, begin in zip(learned.history, range(0, len(violations), 12)):
        here = violations[begin : begin + 12]
        assert [example for example, *_ in here] == list(range(12))
        assert row.violated == sum(violation > 0 for *_, violation in here)
        assert row.loss == pytest.approx(np.mean([loss for _, loss, *_ in here]))
    assert all(v == loss - margin for _, loss, margin, v in violations)
    assert any(margin for *_, margin, _ in violations)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_resumed_run_is_the_uninterrupted_one(formulation: str, tmp_path: Path) -> None:
    class Stopped(Outputs):
        left = 10**6

        def most_violated(self, i: int, weights: np.ndarray) -> Constraint:
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt
            return super().most_violated(i, weights)

    examples = classes(8, n=40, labels=5, size=6)
    broken = Stopped([])
    broken.differences, broken.losses = examples.differences, examples.losses
    how: dict[str, Any] = {"C": 20, "formulation": formulation, "tolerance": 1e-4, "patience": 4}
    how |= {"seed": 3} if formulation == "n-slack" else {}
    whole = learner(examples, 30, **how).run(checkpoint=tmp_path / "whole")

    path, about = tmp_path / "part", {"corpus": "made up", "sizes": (3, 4)}
    seen: list[Iteration] = []
    told: dict[str, Any] = {"checkpoint": path, "identity": about}
    told["on_iteration"] = lambda row, _weights: seen.append(row)
    learner(examples, 30, **how, max_iterations=2).run(**told)
    for searches in (100, 40):  # interrupted in the middle of an iteration
        broken.left = searches
        with pytest.raises(KeyboardInterrupt):
            learner(broken, 30, **how).run(**told)
    again = learner(examples, 30, **how).run(**told)

    def numbers(learned: Learned) -> list[tuple]:
        return [row[:7] for row in learned.history]  # without seconds

    assert again.weights.tobytes() == whole.weights.tobytes()
    assert numbers(again) == numbers(whole) and len(whole.history) > 5
    assert (again.bound, again.dual, again.stopped) == (whole.bound, whole.dual, whole.stopped)
    assert [row.iteration for row in seen] == list(range(1, len(whole.history) + 1))

    done = examples.searches
    finished = learner(examples, 30, **how).run(**told)
    assert finished.weights.tobytes() == whole.weights.tobytes() and examples.searches == done
    with pytest.raises(ModelError, match="settings or examples are others"):
        learner(examples, 30, **how).run(checkpoint=path, identity={"corpus": "another"})
    with pytest.raises(ModelError, match="settings or examples are others"):
        learner(examples, 30, **{**how, "C": 2}).run(checkpoint=path, identity=about)


def test_a_programme_in_which_the_usual_steps_get_stuck() -> None:
    gram, losses = np.array([[0.5, 0.125], [0.125, 0.3125]]), np.array([1.5, 1.25])
    found = solve_dual(gram, losses, np.array([0, 0]), 2.0)
    # On the border a + b = 2 the slope is 0 where 0.5625 a = 0.625.
    assert found == pytest.approx([10 / 9, 8 / 9], rel=1e-5)
