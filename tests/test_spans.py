"""The span-length view: Table 1 of Liu et al. (2015) by hand, and a slow count of random logs."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import oracles
import pytest
from browser import go_to, ready
from ccg_logs import ccg_search, wild_ccg
from random_logs import best_first_log, guided_log, wild_search

import wordorder_lab as wl
from wordorder_lab.metrics.spans import derivation_spans
from wordorder_lab.trace.reducers import spans
from wordorder_lab.trace.reducers.replay import Replay, fold

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


def folded(events: Any) -> dict[str, Any]:
    return fold(events := [*events], len(events), "spans")


def test_table_1_by_hand() -> None:
    state = folded(table_1_log())
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
        state = folded(events[:k])
        here, total, heat = slow_count(events[:k])
        assert {name: counted(state[name]) for name in spans.COUNTED} == here
        assert {name: counted(state["all"][name]) for name in spans.COUNTED} == total
        cells = {(step, n): c for step, counts in state["heat"] for n, c in counted(counts).items()}
        assert cells == heat
        if state["best"]:
            assert len(state["best"]) - 1 == state["words"]  # the last span is the sentence


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
        state = folded(event for event in events if event[0] != kind)
        assert not any(state[name] for name in spans.COUNTED), kind
    only_made = folded(event for event in events if event[0] != "kept")
    assert only_made["made"] == [0, 1, 1] and only_made["best"] == []
    started_late = folded(events[20:])
    assert not any(started_late[name] for name in spans.COUNTED)
    odd = [("begin", ["a"], [1], 1, 1), ("step", 1), ("candidate", 1, 0, "LEFTARC", 0.0)]
    assert folded([*odd, ("candidate", 2, 0, "SHIFT-b-NN", 0.0)])["made"] == []


def by_hand() -> wl.EventLog:
    """Harvard University bought Lotus: three leaves, and then what joins them."""
    log = wl.EventLog()
    log.begin(["Harvard University", "bought", "Lotus"], [1, 1, 1], 3, 4)
    log.leaf(1, 0, "Harvard University", "NP", 3.0, 1)
    log.leaf(2, 1, "bought", "VBD", 2.0, 1)
    log.leaf(3, 2, "Lotus", "NP", 1.0, 1)
    log.popped(1, 3.0)
    log.charted(1)
    log.popped(2, 2.0)
    log.edge(4, 1, 2, "HeadRight", 2.5, 0)  # 3 words; gold takes Lotus first
    log.charted(2)
    log.popped(4, 2.5)
    log.pruned(4, "discarded")  # popped, and not kept
    log.popped(3, 1.0)
    log.edge(5, 2, 3, "HeadLeft", 2.0, 1)
    log.charted(3)
    log.popped(5, 2.0)
    log.edge(6, 1, 5, "HeadRight", 1.0, 1)
    log.charted(5)
    log.popped(6, 1.0)
    log.goal(6, 1.0)
    log.finished(6, 1.0)
    log.stopped("complete")
    return log


def test_three_words_by_hand() -> None:
    state = fold(by_hand(), len(by_hand()), "spans")
    assert state["made"] == [0, 2, 2, 1, 1], "leaves of 2, 1 and 1 words; joined 3, 2 and 4"
    assert state["kept"] == state["gold"] == state["best"] == [0, 2, 2, 0, 1]
    rows = [[0, 0, 1], [0, 1], [], [0, 1], [0, 0, 1], [0, 0, 0, 0, 1]]
    assert state["heat"] == [[i + 1, row] for i, row in enumerate(rows)]
    assert (state["pops"], state["step"], state["words"], state["block"]) == (6, 6, 4, 1)
    assert state["last"] is None and fold(by_hand(), 19, "spans")["last"] == ["kept", 4]


def slow_count_of_edges(events: list[tuple]) -> tuple[dict[str, Counter], Counter, int]:
    """The last search from scratch; an edge's words are written out, one character a word."""
    begins = [i for i, event in enumerate(events) if event[0] == "begin"]
    words: dict[int, str] = {}
    found: dict[str, Counter] = {name: Counter() for name in spans.COUNTED}
    parts: dict[int, tuple[int, ...]] = {}
    heat: Counter[tuple[int, int]] = Counter()
    pops = 0
    for kind, *values in events[begins[-1] if begins else 0 :]:
        serial = values[0]
        if kind in ("leaf", "edge") and serial == len(words) + 1:
            below = () if kind == "leaf" else tuple(part for part in values[1:3] if part)
            if kind == "edge" and not (values[1] and all(part in words for part in below)):
                continue
            joined = "".join(words[part] for part in below)
            words[serial] = joined or "x" * len(values[2].split())
            parts[serial] = below
            found["made"][len(words[serial])] += 1
            found["gold"][len(words[serial])] += values[5] == 1
        elif kind == "popped":
            pops += 1
        elif kind in ("charted", "goal") and serial in words:
            found["kept"][len(words[serial])] += 1
            if pops:
                heat[pops, len(words[serial])] += 1
        elif kind == "finished":
            todo = [serial] if serial in words else []
            for one in todo:
                found["best"][len(words[one])] += len(parts[one]) != 1  # no rule for one edge
                todo += parts[one]
    return found, heat, pops


LOGS = [best_first_log, guided_log, by_hand, *(lambda s=s: wild_search(s, 500) for s in range(6))]
LOGS += [lambda s=s: wild_ccg(s, 500) for s in range(3)]


@pytest.mark.parametrize("make", LOGS, ids=lambda make: make.__name__)
def test_the_fold_counts_the_edges_that_a_slow_count_finds(make: Any) -> None:
    events = make().events
    chance = random.Random(1)
    for k in {0, 1, len(events), *(chance.randrange(len(events)) for _ in range(8))}:
        state = fold(events, k, "spans")
        found, heat, pops = slow_count_of_edges(events[:k])
        assert {name: counted(state[name]) for name in spans.COUNTED} == {
            name: +counts for name, counts in found.items()
        }
        assert state["pops"] == pops
        rows: Counter[tuple[int, int]] = Counter()
        for (pop, length), times in heat.items():
            rows[(pop - 1) // state["block"] + 1, length] += times
        assert rows == {
            (row, n): c for row, counts in state["heat"] for n, c in counted(counts).items()
        }


def test_the_best_derivation_of_ccg_has_the_spans_that_are_scored() -> None:
    """As ``metrics.spans`` counts them, so none for a unary rule."""
    log = wl.EventLog()
    search = ccg_search(trace=log)
    best, *_ = search.run()
    units = [search.problem.items[i].form.split(" ") for i in best.items]
    built = derivation_spans(units, best.actions)
    assert len(best.actions) > len(built) == 2 * len(units) - 1
    best_spans = fold(log, len(log), "spans")["best"]
    assert counted(best_spans) == Counter(len(span.words) for span in built)


def long_log(pops: int) -> wl.EventLog:
    """One pop after the other; each joins its edge with a leaf, so spans grow and start anew."""
    log = wl.EventLog()
    log.begin(["a", "b c"], [1, 1], 2, 4)
    log.leaf(1, 0, "a", "N", 0.0, -1)
    log.leaf(2, 1, "b c", "N", 0.0, -1)
    for serial in range(3, pops + 3):
        log.popped(serial - 1, 0.5)
        log.edge(serial, serial - 1 if serial % 7 else 1, 2, "HeadLeft", 0.5, -1)
        log.charted(serial - 1)
    return log


def test_a_long_search_stays_in_sight() -> None:
    log = long_log(1000)
    states = [fold(log, k, "spans") for k in range(0, len(log) + 1, 41)]
    assert max(len(state["heat"]) for state in states) == spans.ROWS
    for state in states:
        kept: Counter[int] = Counter()
        for _, counts in state["heat"]:
            kept += counted(counts)
        assert kept == counted(state["kept"]), "no span is lost when rows are joined"
        assert [row for row, _ in state["heat"]] == list(range(1, len(state["heat"]) + 1))
    assert [state["block"] for state in states] == sorted(state["block"] for state in states)
    assert states[-1]["block"] == 32 and states[-1]["step"] == len(states[-1]["heat"])


def test_checkpoints_do_not_change_and_cost_little() -> None:
    log = long_log(300)
    state, kept = spans.start(), []
    for event in log:
        spans.apply(state, event)
        kept.append((spans.copy(state), json.dumps(state)))
    for checkpoint, told in kept[::7]:
        assert json.dumps(checkpoint) == told
    replay = Replay(log, "spans", every=50)
    for k in (900, 3, 451, 450, 449, 902, 100):
        assert replay.at(k) == fold(log, k, "spans")
    first, second = kept[-1][0], kept[-2][0]
    assert all(a is b for a, b in zip(first["edges"], second["edges"])), "edges are shared"


def test_gaps_are_counted_as_far_as_they_can_be_followed() -> None:
    events = by_hand().events
    no_leaf = [event for event in events if event[:2] != ("leaf", 2)]
    assert fold(no_leaf, len(no_leaf), "spans")["made"] == [0, 0, 1]
    no_edges = [event for event in events if event[0] not in ("leaf", "edge")]
    state = fold(no_edges, len(no_edges), "spans")
    assert state["pops"] == 6 and not any(state[name] for name in spans.COUNTED)
    unary = [*events[:4], ("edge", 4, 3, 0, "tr", 1.0, -1), ("finished", 4, 1.0)]
    state = fold(unary, len(unary), "spans")
    assert state["best"] == [0, 1] and state["made"] == [0, 3, 1], "a rule for one edge"


def test_javascript_joins_rows_as_python_does(module: Any) -> None:
    log = long_log(500)
    places = [0, 180, 181, 182, 183, 184, 363, 364, 700, 1100, len(log), 90]
    told = module(
        """(log, places) => {
          const replay = new Replay(new Log(log), VIEWS.spans);
          return places.map((k) => JSON.stringify(replay.at(k)));
        }""",
        log,
        places,
    )
    for k, state in zip(places, told):
        assert json.loads(state) == json.loads(json.dumps(fold(log, k, "spans"))), k


def test_the_page_says_pops_and_edges(page: Any, tmp_path: Any) -> None:
    wl.to_html(by_hand(), tmp_path / "spans.html", view="spans", at=1)
    ready(page, tmp_path / "spans.html")
    page.get_by_label("Last").click()
    shown = page.locator(".wol-spans").text_content()
    assert "kept in the chart (5)" in shown and "(gold) (5)" in shown and "pop by pop" in shown
    page.get_by_label("Step size").select_option("event")
    go_to(page, 8)
    narrated = page.locator(".wol-narration")
    assert narrated.inner_text() == "Edge 4: spans of 2 and 1 word become one of 3."
    go_to(page, 11)
    assert narrated.inner_text() == "Edge 4, a span of 3 words, is out (discarded)."
