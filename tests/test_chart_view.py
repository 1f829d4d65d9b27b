"""The chart view: cells, derivations, what has left, driving two edges, two charts compared."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from browser import go_to, menu
from random_logs import EVIL, best_first_log, guided_log, wild_search
from test_drive import gold_lost
from test_player import show, table, told

import wordorder_lab as wl
from wordorder_lab.trace.reducers.replay import fold
from wordorder_lab.trace.reducers.search import Edge, edge_of, words_of

EVERYTHING: dict[str, Any] = {"rows": 1000, "selected": None, "kept": {}}


def chart(page: Any, log: wl.EventLog, folder: Path, *more: Any, **how: Any) -> Any:
    """The view on a page, at the end of the log."""
    player = show(page, folder, log, *more, view="chart", **how)
    page.get_by_label("Last").click()
    return player


def card(page: Any, serial: int, stage: int = 0) -> Any:
    """The first place where an edge is shown."""
    return page.locator(".wol-stage").nth(stage).locator(f'[data-serial="{serial}"]').first


def edge_in(state: dict, serial: int) -> Edge:
    """An edge that is there."""
    edge = edge_of(state, serial)
    assert edge is not None
    return edge


# --- what is computed, against Python --------------------------------------------------------


def units_of(state: dict, serial: int) -> tuple[str, ...]:
    return tuple(sorted(unit for unit, _ in words_of(state, serial)[0]))


def cells_of(state: dict) -> dict[tuple[int, tuple[str, ...]], list[int]]:
    """The chart as it should be shown: by size and set of words, the best edge first."""
    cells: dict[tuple[int, tuple[str, ...]], list[int]] = {}
    for serial in sorted(state["chart"], key=lambda i: (-state["scores"][i - 1], i)):
        key = edge_in(state, serial)["size"], units_of(state, serial)
        cells.setdefault(key, []).append(serial)
    return cells


def shapes_of(state: dict) -> set[str]:
    return {str(words_of(state, serial)) for serial in state["chart"]}


TELL = """(logs, ks, room) => {
  const replays = logs.map((packed) => new Replay(new Log(packed), VIEWS.chart));
  return ks.map((places) => {
    const states = replays.map((replay, i) => replay.at(places[i]));
    const columns = states.map((state) => chartColumns(state, room).flatMap(({size, cells}) =>
      cells.map(({units, edges}) => [size, units,
        edges.filter((one) => one.status === "chart").map((one) => one.serial)])));
    return [columns, chartCompared(states[0], states[1])];
  });
}"""


def test_cells_and_the_difference_of_two_charts(module) -> None:
    """Sets of words in their columns, the best edge first; what both charts hold."""
    chance = random.Random(2)
    pairs = [(best_first_log(), best_first_log(beam=3)), (guided_log(), guided_log("perceptron"))]
    pairs += [(wild_search(seed, 250), wild_search(seed + 1, 250)) for seed in range(4)]
    shared = 0
    for pair in pairs:
        ks = [[chance.randint(0, len(log)) for log in pair] for _ in range(12)]
        answers = module(TELL, [*pair], ks, EVERYTHING)
        for places, (columns, compared) in zip(ks, answers, strict=True):
            states = [fold(log, k, "chart") for log, k in zip(pair, places)]
            for state, shown in zip(states, columns):
                found = {(size, tuple(sorted(units))): serials for size, units, serials in shown}
                assert {key: some for key, some in found.items() if some} == cells_of(state)
            a, b = map(shapes_of, states)
            assert compared["shared"] == len(a & b)
            assert (compared["here"], compared["there"]) == (len(a - b), len(b - a))
            shared += compared["shared"]
    assert shared > 20


# --- what is on the screen ---------------------------------------------------------------------


def test_when_did_the_gold_edge_leave_the_chart(page, tmp_path) -> None:
    """First among those that have left, with a star; a ghost with the reason at that moment."""
    log = gold_lost()
    gold = {event[1] for event in log if event[0] in ("leaf", "edge") and event[6] == 1}
    k = next(i + 1 for i, e in enumerate(log) if e[0] == "pruned" and e[1] in gold)
    serial, pop = log.events[k - 1][1], fold(log, k, "chart")["outs"][-1][2]
    player = chart(page, log, tmp_path)
    left = player.get_by_role("group", name="Left the chart")
    assert left.locator("text").nth(1).text_content().startswith("★ gold pop")
    said = left.get_by_role("button", name=f"left at pop {pop}: its beam is too full")
    assert f"edge {serial}" in said.first.get_attribute("aria-label")
    go_to(page, k)
    ghost = card(page, serial)
    assert "wol-cut" in ghost.get_attribute("class") and "★" in ghost.text_content()
    assert "out: lowest of its beam" in ghost.text_content()
    assert "★ gold:" in player.locator(".wol-chart").text_content()


def test_an_edge_its_derivation_and_its_parts(page, tmp_path) -> None:
    """Arcs and bars of the edge that is looked at; its parts are marked, also if they are out."""
    log = best_first_log(beam=4)
    player = chart(page, log, tmp_path)
    state = fold(log, len(log), "chart")
    serial = max(state["chart"], key=lambda i: edge_in(state, i)["size"])
    label = player.locator(".wol-chart").get_attribute("aria-label")
    assert label.startswith("Chart after pop")
    card(page, serial).click()
    words, heads = words_of(state, serial)
    assert card(page, serial).get_attribute("aria-pressed") == "true"
    detail = player.locator(".wol-detail")
    assert detail.locator(".wol-arc").count() == sum(head >= 0 for head in heads)
    assert detail.locator(".wol-part").count() == 2 * len(words) - 1
    edge = edge_in(state, serial)
    for part in (edge["left"], edge["right"]):
        assert "wol-on-path" in card(page, part).get_attribute("class")
        inside = "in the chart" in card(page, part).get_attribute("aria-label")
        assert inside == (state["places"][part - 1] == "chart")
    shown = detail.text_content()
    pop = next(i for i, one in enumerate(state["pops"], 1) if one[0] == serial)
    assert f"Made after pop {edge['made']} of" in shown and f"opped at pop {pop} with" in shown
    assert "is in the chart" in shown
    bar = detail.locator(f'.wol-part[data-serial="{edge["left"]}"]').first
    bar.focus()
    page.keyboard.press("Enter")
    assert detail.locator(".wol-part").count() == 2 * edge_in(state, edge["left"])["size"] - 1


BARS_SEEN = """() => {
  const { top, bottom } = document.querySelector(".wol-stage").getBoundingClientRect();
  return [...document.querySelectorAll(".wol-detail .wol-part")].map((part) => {
    const box = part.getBoundingClientRect();
    return box.top >= top && box.bottom <= bottom;
  });
}"""


def test_the_bars_of_a_derivation_are_in_sight(page, tmp_path) -> None:
    """At 1280 x 720, unscrolled, at every pop; the cards of the chart, too, stand beside them."""
    page.set_viewport_size({"width": 1280, "height": 720})
    log = best_first_log("red harbour boats near the old pier", expansions=60)
    chart(page, log, tmp_path)
    seen: list[bool] = []
    for k in range(20, len(log), len(log) // 12):
        go_to(page, k)
        seen += page.evaluate(BARS_SEEN)
    assert len(seen) > 20 and all(seen)
    assert page.locator(".wol-dock-ground").count() == 0


def test_how_much_room_there_is(page, tmp_path) -> None:
    """Of one beam so many places are taken; with a beam a size each column has its own."""
    log = best_first_log(beam=4)
    head = chart(page, log, tmp_path).locator(".wol-chart").text_content()
    assert "4 of 4 places taken" in head
    sizes = best_first_log(beam=3, chart="sizes")
    head = chart(page, sizes, tmp_path).locator(".wol-chart").text_content()
    state = fold(sizes, len(sizes), "chart")
    twos = sum(edge_in(state, serial)["size"] == 2 for serial in state["chart"])
    assert "3 places for each number of units" in head and f"{twos} of 3 places" in head
    head = chart(page, best_first_log(beam=60), tmp_path).locator(".wol-chart").text_content()
    assert "no beam of 60 places is full" in head


def test_why_an_edge_was_dropped(page, tmp_path) -> None:
    """With a beam a size it has the lowest score of its size, and seldom of the whole chart."""
    log = best_first_log(beam=3, chart="sizes")
    dropped = [k for k, event in enumerate(log) if event[0] == "pruned"]
    states = [fold(log, k, "chart") for k in dropped]
    lowest = [min(state["chart"], key=lambda i: state["scores"][i - 1]) for state in states]
    k = next(k for k, serial in zip(dropped, lowest, strict=True) if log.events[k][1] != serial)
    chart(page, log, tmp_path)
    go_to(page, k + 1)
    said = "is out: its beam is too full, and it has the lowest score there."
    assert said in told(page)


def full_of_gold() -> wl.EventLog:
    """Learning with a beam of 2: a wrong edge is dropped, and then there are three gold ones."""
    log = wl.EventLog()
    log.begin(["a", "b", "c"], [1, 1, 1], 3, 2)
    for serial, word in enumerate("abc", 1):
        log.leaf(serial, serial - 1, word, "N", 4.0 - serial, 1)
    for serial in (1, 2):
        log.popped(serial, 4.0 - serial)
        log.charted(serial)
    log.edge(4, 1, 2, "HeadLeft", 1.5, 0)
    log.popped(4, 1.5)
    log.edge_update(0, "satisfied", 3, 4, 2.0, 0.0)
    log.charted(4)
    log.pruned(4, "beam")
    log.popped(3, 1.0)
    log.charted(3)
    return log


def test_a_beam_full_of_gold(page, tmp_path) -> None:
    log = full_of_gold()
    head = chart(page, log, tmp_path).locator(".wol-chart")
    full = "3 edges for 2 places: too full (gold edges are never dropped)"
    assert full in head.text_content()
    go_to(page, len(log) - 3)
    assert "3 edges for 2 places: too full ·" in head.text_content(), "one is not gold, and goes"


def test_long_columns_are_shortened(page, tmp_path) -> None:
    log = best_first_log(beam=30)
    player = chart(page, log, tmp_path)
    before = player.locator(".wol-chart .wol-kept:not(.wol-part)").count()
    menu(page).get_by_label("Rows").select_option("3")
    state, shown = (
        fold(log, len(log), "chart"),
        player.locator(".wol-chart .wol-kept:not(.wol-part)"),
    )
    texts = player.locator(".wol-chart .wol-quiet").all_text_contents()
    hidden = [text for text in texts if "more edge" in text or "more of these words" in text]
    count = sum(int(text.split()[0]) for text in hidden)
    assert shown.count() < before and shown.count() + count == len(state["chart"])


def test_the_table_is_the_chart(page, tmp_path) -> None:
    log = wl.EventLog()
    log.begin([EVIL, "b"], [1, 1], 2, 4)
    log.leaf(1, 0, EVIL, "<i>", 2.0, 1)
    log.leaf(2, 1, "b", "N", 1.0, 0)
    for serial, score in ((1, 2.0), (2, 1.0)):
        log.popped(serial, score)
        if serial == 2:
            log.edge(3, 1, 2, "HeadLeft", 0.5, 1)
        log.charted(serial)
    log.pruned(1, "<u>")
    player = chart(page, log, tmp_path)
    assert EVIL in player.locator(".wol-chart").text_content()
    rows = table(page)
    assert [(row["where"], row["edge"], row["reason"]) for row in rows] == [
        ("chart", "2", ""),
        ("out", "1", "<u>"),
    ]
    assert rows[1]["words"] == f"{EVIL}/<i>" and rows[1]["out at pop"] == "2"


# --- two charts ------------------------------------------------------------------------------


def test_two_charts_on_one_clock(page, tmp_path) -> None:
    """What both hold, and what is only in one of them, by shape and word; and the count."""
    a, b = best_first_log(beam=12), best_first_log(beam=4)
    player = chart(page, a, tmp_path, b)
    states = [fold(log, len(log), "chart") for log in (a, b)]
    here, there = map(shapes_of, states)
    text = player.locator(".wol-chart").first.text_content()
    assert (
        f"Beside B: {len(here & there)} of {len(here | there)} different edges in both charts"
        in text
    )
    assert f"{len(here - there)} only in A (◇)" in text and here - there
    menu(page).get_by_label("Rows").select_option("1000")
    for which, name in enumerate("AB"):
        for serial in states[which]["chart"]:
            both = str(words_of(states[which], serial)) in here & there
            shown = card(page, serial, which).text_content()
            assert ("= both" in shown, f"◇ only {name}" in shown) == (both, not both)
