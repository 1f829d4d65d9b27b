"""The exercises on best-first search and guided learning: what is asked, and what is true of it."""

from __future__ import annotations

import ast
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from exercise_cases import wrong_answers
from read_off import ranks

from wordorder_lab.best_first.guided_learning import GuidedLearner
from wordorder_lab.best_first.settings import GuidedSettings
from wordorder_lab.check import Desk, nb_12, small_search
from wordorder_lab.check.nb_11 import OwnRule, Seen, taught
from wordorder_lab.check.small_world import SENTENCES
from wordorder_lab.trace.log import EventLog
from wordorder_lab.trace.reducers.replay import fold


def scaled(
    plus: Seen, minus: Seen, margin: float = 1, times: float = 1, least: float = 0, ask: bool = True
) -> dict[str, float]:
    """The scaled update, and what a student may make of it; without ``ask`` it divides by 0."""
    names = [*plus.features, *minus.features]
    along = {f: plus.features[f] / plus.actions - minus.features[f] / minus.actions for f in names}
    norm = sum(value * value for value in along.values())
    step = max((minus.score - plus.score + margin) / norm if norm or not ask else 0, least)
    return {f: times * step * value for f, value in along.items()}


WRONG = [
    ("11.1", "large", "a number is wanted"),
    ("11.1", 1 / 6, "did not divide by the actions"),
    ("11.1", 86 / 225, "The step is 1 divided by it"),
    ("11.1", 3, "3 is too large"),
    ("11.1", float("nan"), "a number is wanted, not nan"),
    ("11.2", lambda plus, minus: scaled(plus, minus, least=-9), "learner changes 'WORD(h)·POS(h)"),
    ("11.2", lambda plus, minus: scaled(plus, minus, ask=False), "the norm is 0, and you divide b"),
    ("11.2", lambda plus, minus: 0.5, "a dictionary is wanted"),
    ("11.2", lambda plus, minus: {"x": 1}, "Neither edge has the feature 'x'"),
    ("11.2", lambda plus, minus: {**plus.features}, "and you by"),
    ("11.2", lambda plus, minus: dict.fromkeys(plus.last, "up"), "a number is wanted"),
    ("11.3", lambda plus, minus: {}, "'IBM bought Lotus .': 300 edges were popped"),
    ("11.3", lambda plus, minus: scaled(plus, minus), "This is the paper's scaled update. It work"),
    ("11.3", lambda plus, minus: scaled(plus, minus, times=0.1), "every step times 0.1. That is"),
    ("11.3", lambda plus, minus: scaled(plus, minus, margin=3), "a margin of 1, and you for one o"),
    ("11.3", lambda plus, minus: dict.fromkeys(plus.last, float("nan")), "a number is wanted"),
    ("11.4", ["a", "b"], "A list of three answers"),
    ("11.4", ["a", "b", "c"], "'a' is not among the features that differ"),
    ("12.1", "four", "A whole number"),
    ("12.1", 3, "'Lotus IBM bought' with bought → Lotus, bought → IBM"),
    ("12.1", 6, "it does with 5, too"),
    ("12.1", 4.5, "A whole number"),
    ("12.1", True, "A whole number"),
    ("12.2", {"b": 1}, "There is no 'b'"),
    ("12.2", dict.fromkeys(small_search.BY_HAND, 1), "You change 7 weights"),
    ("12.2", {"WORD(B-1)·WORD(B) = bought, Lotus": "eight"}, "a number is wanted, not 'eight'"),
    ("12.2", {"WORD(B-1)·WORD(B) = bought, Lotus": 8}, "'IBM bought Lotus' with bought → IBM, Lot"),
    ("12.3", lambda edge: edge.serial, "'IBM bought Lotus .', 4 units: 121 pops"),
    ("12.3", lambda edge: -edge.size, "4 units: 59 pops"),
    ("12.4", "made first", "A list of 3 answers"),
    ("12.4", ["made first"] * 3, "stop right before pop 6"),
    ("12.5", [None, None, None], "a gold edge does leave"),
    ("12.5", [3, 9, 9], "not at pop 3"),
    ("12.5", [None, 8, 9], "leaves after pop 8"),
    ("12.5", [None, "nine", 9], "the number of a pop, or None, is wanted, not 'nine'"),
]
test_wrong_answers_are_told_where = pytest.mark.slow(wrong_answers(WRONG))


RIGHT = [
    ("11.1", Fraction(225, 86)),
    ("11.1", np.float32(2.62)),
    ("11.2", lambda plus, minus: {f: Fraction(v) for f, v in scaled(plus, minus).items()}),
    ("12.1", 5.0),
    ("12.1", np.int64(5)),
    ("12.2", {"POS(h)·POS(m)·dir = VBD, NNP, left": Fraction(0)}),
    ("12.5", [None, np.int64(9), 9.0]),
]


@pytest.mark.parametrize(("number", "answer"), RIGHT)
def test_numbers_of_all_sorts(number: str, answer: Any) -> None:
    told = Desk()(number, answer)
    assert told.right, told


def test_what_12_2_shows_as_an_example_is_no_answer() -> None:
    told = Desk()("12.2", None).text
    shown = ast.literal_eval(told[told.index("{") : told.index("}") + 1])
    assert Desk()("12.2", shown).right is False


# --- the example on paper -----------------------------------------------------------------------


def test_scaled_is_right_and_plain_is_not() -> None:
    """15 points in five actions against 11; the plain search never makes the 15."""
    assert nb_12.found_by_hand() == nb_12.WANTED
    assert nb_12.found_by_hand(scaled=False) == (("Lotus", "IBM", "bought"), (2, 2, -1))
    plain = small_search.search_by_hand(scaled=False)
    plain.run()
    assert max(edge.total for _, edge in plain.agenda.heap) < 15
    for heads in ([1, None, None], [1, -1, 1]):
        given = small_search.search_by_hand(heads=heads)
        given.run()
        assert given.serial < 30 and given.goals[0].total == 15


def test_a_search_as_a_table() -> None:
    """Against the reference engine's own agenda and chart, pop by pop."""
    log = EventLog()
    small_search.search_by_hand(trace=log).run()
    rows = small_search.pop_by_pop(log, top=99)
    steps = small_search.search_by_hand()
    steps.begin()
    for row in rows:
        before = sorted(steps.agenda.heap)
        assert row["agenda before"].count("|") == len(before) - 1
        edge = steps.pop_best()
        assert row["score"] == f"{edge.score:.2f}" == f"{-before[0][0][0]:.2f}"
        if steps.goal_test(edge):
            break
        new = steps.expand(edge)
        assert row["made"] == len(new)
        steps.add_all(new)
        steps.add(edge)
        assert row["chart after"].count("|") == len(steps.chart) - 1
    assert rows[-1]["popped"] == "IBM ← (bought → Lotus)" and len(rows) == 8


def test_learning_as_a_table() -> None:
    """The steps of section 3 of notebook 11: 9/4, then 25/4; then the crowded chart."""
    log = EventLog()
    learner = small_search.learner_by_hand(trace=log)
    learner.learn(small_search.ibm_bought_lotus())
    told = [row["update"] for row in small_search.pop_by_pop(log) if row["update"]]
    assert told == [
        "agenda: bought → Lotus  over  Lotus → IBM, margin 0.00, step 2.25",
        "agenda: IBM ← (bought → Lotus)  over  (bought → Lotus) → IBM, margin 0.00, step 6.25",
    ]
    start = {name: weight for name, weight in small_search.BY_HAND.items() if "size" not in name}
    crowded = small_search.learner_by_hand(start, beam=4, trace=(full := EventLog()))
    crowded.learn(small_search.ibm_bought_lotus())
    told = [row["update"] for row in small_search.pop_by_pop(full) if row["update"]]
    assert [one.partition(":")[0] for one in told] == ["agenda", "chart"]
    with pytest.raises(ValueError, match="of no template here"):
        small_search.learner_by_hand(small_search.BY_HAND)


def test_without_learning_ties_are_broken_breadth_first() -> None:
    assert nb_12.pops_with_nothing_learned(SENTENCES[0]) == 121
    assert nb_12.pops_with_nothing_learned(SENTENCES[1]) is None
    n = len(SENTENCES[1])
    assert (
        nb_12.pops_with_nothing_learned(SENTENCES[1], lambda e: (e.size > 1, -e.size)) == 2 * n - 1
    )


# --- a rule of one's own --------------------------------------------------------------------------


@pytest.mark.slow
def test_without_a_rule_it_is_the_learner_itself() -> None:
    """The plugged-in learner with the paper's rule learns the same weights, bit for bit."""
    own = OwnRule(None)
    how: dict[str, Any] = {"beam": 16, "chart": "single", "update": "scaled"}
    settings = GuidedSettings(negatives="expand", expansions=300, **how)
    learner = GuidedLearner(own.templates, settings)
    for sentence in SENTENCES * 2:
        own.learn(small_search.example_of(sentence))
        learner.learn(small_search.example_of(sentence))
    changed = {feature: row for feature, row in own.weights.rows.items() if any(row)}
    assert changed == {feature: row for feature, row in learner.weights.rows.items() if any(row)}
    assert sum(own.updates.values()) == len(own.asked) > 20


@pytest.mark.slow
def test_the_papers_rules_are_rules_of_ones_own() -> None:
    """Perceptron and large margin, handed in, learn the small world, too."""

    def perceptron(plus: Any, minus: Any) -> dict[str, float]:
        return {f: plus.last[f] - minus.last[f] for f in [*plus.last, *minus.last]}

    def large_margin(plus: Any, minus: Any) -> dict[str, float]:
        names = [*plus.features, *minus.features]
        change = {f: plus.features[f] - minus.features[f] for f in names}
        norm = sum(value * value for value in change.values())
        return {f: (minus.score - plus.score + 1) / norm * v for f, v in change.items()}

    for rule in (perceptron, large_margin):
        counts = taught(rule)[1]
        assert counts[-1] <= counts[0] / 2


# --- what is asked about the views ----------------------------------------------------------------


def test_the_three_sentences_ask_three_things() -> None:
    """Each reason comes up once; gold leaves twice; the three most costly features differ."""
    reasons = [
        nb_12.reason_before(log, *pops)
        for log, pops in zip(small_search.searches(), nb_12.ASKED, strict=True)
    ]
    assert Counter(reasons) == Counter(nb_12.REASONS)
    leaving = [nb_12.gold_leaves_at(log) for log in small_search.searches()]
    assert leaving[0] is None and None not in leaving[1:]
    points = [small_search.points_of_last_update(log) for log in small_search.lessons()]
    worst = [min(one, key=lambda feature: one[feature]) for one in points]
    assert len(set(worst)) == 3
    for one in points:
        first, second, *_ = sorted(one.values())
        assert second - first > 0.01, "one feature stands out"


def test_reasons_against_the_views_own_books() -> None:
    """Rank and score on the agenda right before each pop, for all pairs of pops of a search."""
    for log in small_search.searches():
        pops = nb_12.pops_of(log)
        for i, pop in enumerate(pops):
            stood = {row[0]: row for row in ranks(log, 1, pop.serial)}
            for j in range(1, i + 1):
                reason = nb_12.reason_before(log, j, i + 1)
                assert (reason == "not there yet") == (j not in stood)
                if j in stood:
                    assert stood[j][2] > 1
                    assert (reason == "made first") == (stood[j][4] == pops[j - 1].score)


def test_leaving_by_the_events() -> None:
    for log, sentence, text in zip(
        small_search.searches(), small_search.sentences(), small_search.CHOSEN, strict=True
    ):
        gold = {event[1] for event in log if event[0] in ("leaf", "edge") and event[6] == 1}
        pops: list[int] = []
        for place, event in enumerate(log):
            if event[0] == "pruned" and event[1] in gold:
                pops.append(sum(kind == "popped" for kind, *_ in log.events[:place]))
        assert (pops[0] if pops else None) == nb_12.gold_leaves_at(log)
        assert sentence.text == text
        books = fold(log, len(log), "chart")
        best = books["edges"][books["finished"]["serial"] - 1]
        assert best["gold"] == 0, "none of the three comes out right, as exercise 12.5 says"


def test_the_chart_is_to_blame_for_none_of_the_three() -> None:
    """The model prefers two wrong sentences; the third gold one it would prefer, and never sees."""
    assert [end.error for end in nb_12.endings()] == ["model", "model", "search"]
    assert [end.came_out for end in nb_12.endings()] == [
        end.came_out for end in nb_12.endings(nb_12.ROOMY)
    ]
    for log, end in zip(small_search.searches(), nb_12.endings(), strict=True):
        assert [event[2] for event in log if event[0] == "finished"] == [end.came_out]
    third = small_search.searches()[2]
    made = {event[1]: event[5] for event in third if event[0] == "edge" and event[6] == 1}
    popped = {event[1] for event in third if event[0] == "popped"}
    assert [score for serial, score in made.items() if serial not in popped] == [min(made.values())]
    assert min(made.values()) == pytest.approx(-0.39, abs=0.005)


def test_the_gold_goal_is_the_gold_tree() -> None:
    learner = small_search.learner_of_the_gazette()
    for sentence in small_search.sentences():
        example = small_search.example_of(sentence)
        goal = nb_12.gold_goal(learner.search(example))
        assert goal.is_gold and goal.heads == example.heads and goal.items == example.items


def test_points_add_up_to_the_margin() -> None:
    for log in small_search.lessons():
        margin = [event[5] for event in log if event[0] == "edge_update"][-1]
        assert sum(small_search.points_of_last_update(log).values()) == pytest.approx(margin)


def test_the_small_learner_is_the_same_every_time() -> None:
    """What was learned is kept, and whoever goes on learning does not change it."""
    one, other = small_search.learner_of_the_gazette(), small_search.learner_of_the_gazette()
    one.learn(small_search.example_of(small_search.sentences()[0]))
    assert one.weights.rows != other.weights.rows
    assert other.weights.rows == small_search.learner_of_the_gazette().weights.rows
