"""The span-length view: Table 1 of Liu et al. (2015) by hand, and a slow count of random logs."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import oracles
import pytest

import wordorder_lab as wl
from wordorder_lab.trace.reducers import spans

TALCOTT = ["Dr. Talcott", "led", "a team", "of", "Harvard University", "."]
TABLE_1 = [
    ("SHIFT-Dr. Talcott-NP", 2),
    ("SHIFT-led-VBD", 1),
    ("SHIFT-a team-NP", 2),
    ("SHIFT-of-IN", 1),
    ("SHIFT-Harvard University-NP", 2),
    ("RIGHTARC", 3),  # of Harvard University
    ("RIGHTARC", 5),  # a team of Harvard University
    ("RIGHTARC", 6),  # led a team of Harvard University
    ("SHIFT-.-.", 1),
    ("RIGHTARC", 7),
    ("LEFTARC", 9),
]
"""The sequence of Table 1 with the unit of Figure 2 in every SHIFT; the span that each makes."""


def table_1_log() -> wl.EventLog:
    """A beam of one: in each step the printed action, and a worse one that is cut."""
    log = wl.EventLog()
    log.begin(TALCOTT, [1] * 6, 6, 1)
    for step, (action, _) in enumerate(TABLE_1, 1):
        parent = max(0, 2 * step - 3)
        worse = {"LEFTARC": "RIGHTARC", "RIGHTARC": "LEFTARC"}.get(action, "SHIFT-.-.")
        log.step(step)
        log.candidate(2 * step - 1, parent, action, 0.0)
        log.candidate(2 * step, parent, worse, -1.0)
        log.kept(2 * step - 1, 0)
        log.cut(2 * step, 1.0)
        log.gold(step, 2 * step - 1, 0)
    log.finished(2 * step - 1, 0.0)
    return log


def fold(events: Any) -> dict[str, Any]:
    state = spans.start()
    for event in events:
        spans.apply(state, event)
    return state


def test_table_1_by_hand() -> None:
    state = fold(table_1_log())
    by_length = [0, 3, 3, 1, 0, 1, 1, 1, 0, 1]
    assert state["kept"] == state["gold"] == state["best"] == by_length
    # Beside every arc is the other one, which joins the same words, and beside a SHIFT that of ".".
    assert state["made"] == [0, 3 + 6, 3, 2, 0, 2, 2, 2, 0, 2]
    rows = [(step, counts.index(1)) for step, counts in state["heat"]]
    assert rows == [(step, length) for step, (_, length) in enumerate(TABLE_1, 1)]
    assert (state["words"], state["steps"], state["step"]) == (9, 11, 11)
    assert state["last"] == ["best", 9]
    assert state["next"] == {"21": [[9], by_length]}


TAGS = ("NN", "X-Y")


def random_log(seed: int) -> wl.EventLog:
    """Searches with random scores, among them some that end early, over units with hyphens."""
    rng = random.Random(seed)
    log = wl.EventLog()
    for _ in range(rng.randint(1, 4)):
        forms = rng.sample(["a", "a-b", "a quiet bay", "the old-new pier", ".", "--", "SHIFT"], 3)
        kinds = tuple(oracles.Kind(form, TAGS, rng.randint(1, 2)) for form in sorted(forms))
        search(log, kinds, rng)
        if rng.random() < 0.5:
            log.update(0, 1, "early", 0.0, 1.0)
            log.weight("S0w=a", "LEFTARC", 0.0, 1.0)
    return log


def search(log: wl.EventLog, kinds: tuple[oracles.Kind, ...], rng: random.Random) -> None:
    """One search, with a gold sequence picked at random among the candidates."""
    counts = [kind.copies for kind in kinds]
    log.begin([kind.form for kind in kinds], counts, 2 * len(kinds), 3)
    beam, gold, serial = {0: oracles.start(kinds)}, 0, 0
    for step in range(1, rng.choice([2, 2 * sum(counts)])):
        log.step(step)
        made = {}
        for parent, state in beam.items():
            for action, after in oracles.successors(state, kinds):
                serial += 1
                log.candidate(serial, parent, action, 0.0)
                made[serial] = (parent, after)
        kept = rng.sample(sorted(made), min(3, len(made)))
        for rank, one in enumerate(kept):
            log.kept(one, rank)
        for one in sorted(set(made) - set(kept)):
            log.cut(one, 0.0)
        gold = rng.choice([s for s, (parent, _) in made.items() if parent == gold] or [-1])
        log.gold(step, gold, kept.index(gold) if gold in kept else -1)
        beam = {one: made[one][1] for one in kept}
    if all(map(oracles.is_final, beam.values())):
        log.finished(kept[0], 0.0)


def covered(actions: list[str], units: list[str]) -> int:
    """What the topmost node covers after these actions, found by writing the words out."""
    stack: list[list[str]] = []
    for action in actions:
        if action in ("LEFTARC", "RIGHTARC"):
            top = stack.pop()
            stack[-1] = stack[-1] + top
        else:
            names = {f"SHIFT-{unit}-{tag}": unit for unit in units for tag in TAGS}
            stack.append(names[action].split())
    return len(stack[-1])


def slow_count(events: list[tuple]) -> tuple[dict[str, Counter], dict[str, Counter], Counter]:
    """The same from scratch: every candidate's derivation is walked from its first action on."""
    total: dict[str, Counter] = {name: Counter() for name in spans.COUNTED}
    here: dict[str, Counter] = {name: Counter() for name in spans.COUNTED}
    heat: Counter[tuple[int, int]] = Counter()
    ways: dict[int, list[str]] = {}
    for kind, *values in events:
        if kind == "begin":
            here, heat = {name: Counter() for name in spans.COUNTED}, Counter()
            units, ways, step = values[0], {0: []}, 0
        elif kind == "step":
            step = values[0]
        found = []
        if kind == "candidate":
            serial, parent, action, _ = values
            ways[serial] = [*ways[parent], action]
            found = [("made", ways[serial])]
        elif kind == "kept":
            found = [("kept", ways[values[0]])]
            heat[step, covered(ways[values[0]], units)] += 1
        elif kind == "gold" and values[1] > 0:
            found = [("gold", ways[values[1]])]
        elif kind == "finished":
            way = ways[values[0]]
            found = [("best", way[:i]) for i in range(1, len(way) + 1)]
        for name, way in found:
            for counts in (here, total):
                counts[name][covered(way, units)] += 1
    return here, total, heat


def counted(counts: list[int]) -> Counter:
    return Counter({length: count for length, count in enumerate(counts) if count})


@pytest.mark.parametrize("seed", range(12))
def test_the_fold_counts_what_a_slow_count_finds(seed: int) -> None:
    events = random_log(seed).events
    rng = random.Random(seed)
    for k in {0, 1, len(events), *(rng.randrange(len(events)) for _ in range(6))}:
        state = fold(events[:k])
        here, total, heat = slow_count(events[:k])
        assert {name: counted(state[name]) for name in spans.COUNTED} == here
        assert {name: counted(state["all"][name]) for name in spans.COUNTED} == total
        cells = {(step, n): c for step, counts in state["heat"] for n, c in counted(counts).items()}
        assert cells == heat
        if state["best"]:
            assert len(state["best"]) - 1 == state["words"]  # the last span is the sentence


def test_a_checkpoint_does_not_change_when_the_log_goes_on() -> None:
    events = random_log(5).events
    state = spans.start()
    for k, event in enumerate(events):
        checkpoint = spans.copy(state)
        before = json.dumps(checkpoint)
        spans.apply(state, event)
        assert json.dumps(checkpoint) == before, (k, event)
        assert json.loads(before) == checkpoint
    assert state == fold(events)


def test_the_state_stays_small() -> None:
    """Nothing is kept of a step but what the next one needs."""
    state = spans.start()
    for event in [*random_log(7), *table_1_log()]:
        spans.apply(state, event)
        assert len(state["beam"]) <= 3 and len(state["next"]) <= 3
        if event[0] == "step":
            assert state["agenda"] == state["next"] == {}


def test_a_log_with_gaps_counts_what_can_be_followed() -> None:
    events = table_1_log().events
    for kind in ("begin", "step", "candidate"):
        state = fold(event for event in events if event[0] != kind)
        assert not any(state[name] for name in spans.COUNTED), kind
    only_made = fold(event for event in events if event[0] != "kept")
    assert only_made["made"] == [0, 1, 1] and only_made["best"] == []
    started_late = fold(events[20:])
    assert not any(started_late[name] for name in spans.COUNTED)
    odd = [("begin", ["a"], [1], 1, 1), ("step", 1), ("candidate", 1, 0, "LEFTARC", 0.0)]
    assert fold([*odd, ("candidate", 2, 0, "SHIFT-b-NN", 0.0)])["made"] == []
