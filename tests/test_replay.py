"""fold(log, k): what is on the screen after k events, held to the searches that wrote the logs."""

from __future__ import annotations

import json
import random

import pytest
from random_logs import (
    BURIED,
    LINEARIZER,
    SHIFTS,
    best_first_log,
    figure_4_log,
    guided_log,
    ordering_log,
    trained,
    training_log,
    wild_log,
    wild_search,
)
from sentence_logs import deletion_log, parsing_log, wild_sentence
from transduction_logs import compression_log, wild_transduction

import wordorder_lab as wl
from wordorder_lab.structures.problem import OrderingProblem
from wordorder_lab.trace.reducers.beam import GHOSTS, WEIGHTS
from wordorder_lab.trace.reducers.replay import VIEWS, Replay, fold
from wordorder_lab.transition.beam import BeamSearch
from wordorder_lab.transition.features import ActionScores
from wordorder_lab.transition.packed_weights import FeatureRows
from wordorder_lab.transition.state import State

TABLE_1 = [
    *("SHIFT-Dr. Talcott-NP", "SHIFT-led-VBD", "SHIFT-a team-NP", "SHIFT-of-IN"),
    *("SHIFT-Harvard University-NP", "RIGHTARC", "RIGHTARC", "RIGHTARC"),
    *("SHIFT-.-.", "RIGHTARC", "LEFTARC"),
]


def table_1() -> wl.EventLog:
    """The paper's derivation as a search with a beam of one and a single candidate a step."""
    log = wl.EventLog()
    units = [".", "Dr. Talcott", "Harvard University", "a team", "led", "of"]
    log.begin(units, [1] * 6, 6, 1)
    for step, action in enumerate(TABLE_1, 1):
        log.step(step)
        log.candidate(step, step - 1, action, float(step))
        log.kept(step, 0)
    log.finished(11, 11.0)
    return log


def test_liu_2015_table_1() -> None:
    """Stack, order and heads after every action, as the paper's Table 1 has them."""
    log = table_1()
    stacks = [fold(log, 1 + 3 * step)["columns"][-1]["states"][0]["stack"] for step in range(1, 12)]
    one_to_five = [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3, 4]]
    assert stacks == [*one_to_five, [0, 1, 2, 3], [0, 1, 2], [0, 1], [0, 1, 5], [0, 1], [1]]
    last = fold(log, len(log))["columns"][-1]["states"][0]
    words = [unit for unit, _ in last["order"]]
    assert " ".join(words) == "Dr. Talcott led a team of Harvard University ."
    assert [tag for _, tag in last["order"]] == ["NP", "VBD", "NP", "IN", "NP", "."]
    assert last["heads"] == [1, -1, 1, 2, 3, 1]
    assert fold(log, len(log))["finished"] == {"serial": 11, "score": 11.0}


def described(state: State, problem: OrderingProblem) -> dict:
    """A state of the search in the fold's words."""
    heads = [-1] * len(state.order)
    for head, dependent in state.arcs:
        heads[dependent] = head
    items = [problem.items[i] for i in state.order]
    order = [[item.form, item.pos] for item in items]
    stack = [node.place for node in state.stack]
    return {"serial": state.serial, "order": order, "heads": heads, "stack": stack}


def test_the_beam_is_the_searchs_own() -> None:
    """After every step of real searches the fold shows the very states that the search holds."""
    model = trained(LINEARIZER, 8, 5, beam=4)
    for words, beam in [("boats near the pier boats", 3), ("unseen by a-b of - x", 16)]:
        problem = OrderingProblem.of(wl.WordBag(words.split()), model.dictionary.lookup)
        log, beams = wl.EventLog(), []

        class Watched(BeamSearch):
            def top_k(self, agenda):
                kept = super().top_k(agenda)
                beams.append((len(self.trace), kept, len(agenda)))  # noqa: B023
                return kept

        rows = FeatureRows(model.keys, model.weights)
        scores = ActionScores(model.keys.templates, rows, model.actions, problem)
        Watched(problem, scores, beam, trace=log).run()
        assert len(beams) == problem.steps
        for k, kept, made in beams:
            column = fold(log, k)["columns"][-1]
            names = ("serial", "order", "heads", "stack")
            shown = [{name: one[name] for name in names} for one in column["states"]]
            assert shown == [described(state, problem) for state in kept]
            assert (column["made"], len(column["cut"])) == (made, made - len(kept))


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.slow
def test_any_moment_in_any_order(view: str) -> None:
    """Checkpoints change nothing: a replay that jumps about shows what a fold from 0 shows."""
    logs = [ordering_log(3), training_log(), training_log("max-violation"), wild_log(1, 900)]
    logs += [figure_4_log(), best_first_log(), guided_log(), wild_search(1, 900)]
    logs += [compression_log(), wild_transduction(1, 900)]
    logs += [parsing_log(), deletion_log(), wild_sentence(0, 900), wild_sentence(1, 900)]
    chance = random.Random(2)
    for log in logs:
        replay = Replay(log, view, every=min(37, len(log) // 9))
        for _ in range(40):
            k = chance.randint(0, len(log))
            assert replay.at(k) == fold(log, k, view), k
        assert json.loads(json.dumps(replay.at(len(log)))) == replay.at(len(log))


def test_gold_falls_out() -> None:
    """An early update: the gold state is a ghost with its margin, and stays in sight."""
    log = training_log()
    fallen = [i for i, event in enumerate(log) if event[0] == "gold" and event[3] < 0]
    assert fallen
    for i in fallen:
        state = fold(log, i + 2)
        column = state["columns"][-1]
        assert log.events[i + 1][0] == "update" and state["update"]["reason"] == "early"
        assert column["gold"] in {one["serial"] for one in column["cut"]}
        assert column["gold_rank"] == -1
    assert fold(log, len(log))["updates"] == sum(event[0] == "update" for event in log)


def test_long_lists_are_shortened() -> None:
    log = wl.EventLog()
    log.begin([f"w{i}" for i in range(50)], [1] * 50, 50, 1)
    log.step(1)
    for i in range(1, 51):
        log.candidate(i, 0, f"SHIFT-w{i - 1}-N", float(-i))
    log.kept(1, 0)
    for i in range(2, 51):
        log.cut(i, float(i - 1))
    log.gold(1, 40, -1)
    log.step(2)
    log.update(0, 1, "early", -40.0, -1.0)
    for i in range(WEIGHTS + 7):
        log.weight("S0w = w0", f"SHIFT-w{i}-N", 0.0, 1.0)
    state = fold(log, len(log))
    column = state["columns"][1]
    assert [one["serial"] for one in column["cut"]] == [*range(2, 2 + GHOSTS), 40]
    assert column["made"] == 50
    assert (len(state["update"]["weights"]), state["update"]["more"]) == (WEIGHTS, 7)


def test_what_is_forbidden_stays_with_the_state_and_its_step(tmp_path) -> None:
    """Event by event, beside what is possible, and still there when the next step has begun."""
    log = figure_4_log()
    team = SHIFTS[2]
    first = log.events.index(("forbidden", 5, team, BURIED))
    assert fold(log, first)["columns"][2]["forbidden"] == []
    told = {"parent": 5, "action": team, "reason": BURIED}
    assert fold(log, first + 1)["columns"][2]["forbidden"] == [told]
    columns = fold(log, len(log))["columns"]
    assert columns[2]["forbidden"] == [told] and columns[1]["forbidden"] == []
    possible = [one["action"] for one in columns[2]["possible"] if one["parent"] == 5]
    assert sorted([*possible, team]) == sorted(set(SHIFTS) - {SHIFTS[4]})
    actions = [(one["parent"], one["action"]) for one in columns[3]["forbidden"]]
    assert actions == [(9, "RIGHTARC"), (9, team), (7, "LEFTARC"), (7, team)]
    log.save(tmp_path / "log")
    again = wl.EventLog.load(tmp_path / "log")
    assert again == log
    row = again.to_pandas().iloc[first]
    assert (row["kind"], row["parent"], row["action"]) == ("forbidden", 5, team)
    assert row["reason"] == BURIED


def test_what_is_not_there() -> None:
    log = table_1()
    for k in (-1, len(log) + 1):
        with pytest.raises(ValueError, match="not among"):
            fold(log, k)
    with pytest.raises(ValueError, match=r"no view .*agenda, chart, beam"):
        fold(log, 0, "stack")
    assert fold(wl.EventLog(), 0)["columns"] == []
