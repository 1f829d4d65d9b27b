"""The span-length view of best-first searches: by hand, a slow count of random logs, its twin."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest
from browser import go_to, ready
from ccg_logs import ccg_search, wild_ccg
from random_logs import best_first_log, guided_log, wild_search

import wordorder_lab as wl
from wordorder_lab.metrics.spans import derivation_spans
from wordorder_lab.trace.reducers import spans
from wordorder_lab.trace.reducers.replay import Replay, fold


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


def slow_count(events: list[tuple]) -> tuple[dict[str, Counter], Counter, int]:
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


def counted(counts: list[int]) -> Counter:
    return +Counter(dict(enumerate(counts)))


LOGS = [best_first_log, guided_log, by_hand, *(lambda s=s: wild_search(s, 500) for s in range(6))]
LOGS += [lambda s=s: wild_ccg(s, 500) for s in range(3)]


@pytest.mark.parametrize("make", LOGS, ids=lambda make: make.__name__)
def test_the_fold_counts_what_a_slow_count_finds(make: Any) -> None:
    events = make().events
    chance = random.Random(1)
    for k in {0, 1, len(events), *(chance.randrange(len(events)) for _ in range(8))}:
        state = fold(events, k, "spans")
        found, heat, pops = slow_count(events[:k])
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
    assert "kept in the chart (5)" in shown and "gold edges (5)" in shown and "pop by pop" in shown
    page.get_by_label("Step size").select_option("event")
    go_to(page, 8)
    narrated = page.locator(".wol-narration")
    assert narrated.inner_text() == "Edge 4: spans of 2 and 1 word become one of 3."
    go_to(page, 11)
    assert narrated.inner_text() == "Edge 4, a span of 3 words, is out (discarded)."
