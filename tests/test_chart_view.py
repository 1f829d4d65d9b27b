"""The chart view: cells, derivations, what has left, driving two edges, two charts compared."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path
from typing import Any

import pytest
from browser import grows_in_presentation_mode, menu
from counting import hold_light, most_work
from oracles import random_sentences
from random_logs import best_first_log, guided_log, wild_search
from test_drive import model_and_log
from test_player import download, events, show

import wordorder_lab as wl
from wordorder_lab.analysis.marked_gold import marked_gold
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


def go(page: Any, k: int) -> None:
    page.evaluate(f"wordorderPlayer.go({k})")


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


def test_cells_and_the_difference_of_two_charts(module: Any) -> None:
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


def gold_lost() -> wl.EventLog:
    """An ordering whose gold is known, in which a gold edge leaves the chart."""
    model, _, _ = model_and_log()
    for sentence in random_sentences(3, 12):
        log = wl.EventLog()
        model.order(wl.bag_of(sentence), beam=2, trace=log, engine="reference", expansions=60)
        marked = marked_gold(log, sentence)
        gold = {event[1] for event in marked if event[0] in ("leaf", "edge") and event[6] == 1}
        if any(event[0] == "pruned" and event[1] in gold for event in marked):
            return marked
    raise AssertionError("no gold edge left any chart")


def test_when_did_the_gold_edge_leave_the_chart(page: Any, tmp_path: Path) -> None:
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
    go(page, k)
    ghost = card(page, serial)
    assert "wol-cut" in ghost.get_attribute("class") and "★" in ghost.text_content()
    assert "out: lowest of its beam" in ghost.text_content()
    assert "★ gold:" in player.locator(".wol-chart").text_content()


def test_an_edge_its_derivation_and_its_parts(page: Any, tmp_path: Path) -> None:
    """Arcs and bars of the edge that is looked at; its parts are marked, also if they are out."""
    log = best_first_log(beam=4)
    player = chart(page, log, tmp_path)
    state = fold(log, len(log), "chart")
    serial = max(state["chart"], key=lambda i: edge_in(state, i)["size"])
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
    told = detail.text_content()
    pop = next(i for i, one in enumerate(state["pops"], 1) if one[0] == serial)
    assert f"Made after pop {edge['made']} of" in told and f"opped at pop {pop} with" in told
    assert "is in the chart" in told
    bar = detail.locator(f'.wol-part[data-serial="{edge["left"]}"]').first
    bar.focus()
    page.keyboard.press("Enter")
    assert detail.locator(".wol-part").count() == 2 * edge_in(state, edge["left"])["size"] - 1


def test_how_much_room_there_is(page: Any, tmp_path: Path) -> None:
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
    assert "this log does not tell" in head


def test_why_an_edge_was_dropped(page: Any, tmp_path: Path) -> None:
    """With a beam a size it has the lowest score of its size, and seldom of the whole chart."""
    log = best_first_log(beam=3, chart="sizes")
    dropped = [k for k, event in enumerate(log) if event[0] == "pruned"]
    states = [fold(log, k, "chart") for k in dropped]
    lowest = [min(state["chart"], key=lambda i: state["scores"][i - 1]) for state in states]
    k = next(k for k, serial in zip(dropped, lowest, strict=True) if log.events[k][1] != serial)
    player = chart(page, log, tmp_path)
    go(page, k + 1)
    said = "is out: its beam is too full, and it has the lowest score there."
    assert said in player.locator(".wol-narration").inner_text()


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


def test_a_beam_full_of_gold(page: Any, tmp_path: Path) -> None:
    log = full_of_gold()
    head = chart(page, log, tmp_path).locator(".wol-chart")
    told = "3 edges for 2 places: too full (gold edges are never dropped)"
    assert told in head.text_content()
    go(page, len(log) - 3)
    assert "3 edges for 2 places: too full ·" in head.text_content(), "one is not gold, and goes"


def test_long_columns_are_shortened(page: Any, tmp_path: Path) -> None:
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


def test_every_moment_can_be_drawn(page: Any, tmp_path: Path) -> None:
    """Training, wild logs, logs of which kinds are missing, a search cut off: no error anywhere."""
    missing = wl.EventLog()
    for event in best_first_log():
        if event[0] not in ("begin", "charted"):
            missing.record(*event)
    edges = wl.EventLog(max_events=90, only=["leaf", "edge", "popped", "charted"])
    for event in best_first_log():
        edges.record(*event)
    for log in (guided_log("perceptron"), wild_search(3, 500), missing, edges):
        show(page, tmp_path, log, view="chart")
        drawn = page.evaluate(
            """() => {
              const player = wordorderPlayer;
              player.rows = 1000;
              let drawn = 0;
              const times = 60, last = player.clock.last;
              for (let i = 0; i <= times; i += 1) {
                const tick = Math.floor((last * (times - i)) / times);
                const {edges, search} = player.state(0);
                if (edges.length) player.selected = [{serial: 1 + (tick % edges.length), search}];
                player.go(tick);
                drawn += player.stages[0].querySelector("svg[viewBox]") !== null;
              }
              return drawn;
            }"""
        )
        assert drawn == 61


def test_words_are_text_and_the_table_is_the_chart(page: Any, tmp_path: Path) -> None:
    evil = "<script>window.hacked=1</script>"
    log = wl.EventLog()
    log.begin([evil, "</svg><b>"], [1, 1], 2, 4)
    log.leaf(1, 0, evil, "<i>", 2.0, 1)
    log.leaf(2, 1, "</svg><b>", "N", 1.0, 0)
    for serial, score in ((1, 2.0), (2, 1.0)):
        log.popped(serial, score)
        if serial == 2:
            log.edge(3, 1, 2, "HeadLeft", 0.5, 1)
        log.charted(serial)
    log.pruned(1, "<u>")
    player = chart(page, log, tmp_path)
    assert evil in player.locator(".wol-chart").text_content()
    assert player.locator("script, b, i, u").count() == 0
    assert page.evaluate("window.hacked") is None
    rows = list(csv.DictReader(io.StringIO(download(page, "CSV"))))
    assert [(row["where"], row["edge"], row["reason"]) for row in rows] == [
        ("chart", "2", ""),
        ("out", "1", "<u>"),
    ]
    assert rows[1]["words"] == f"{evil}/<i>" and rows[1]["out at pop"] == "2"


# --- two charts ------------------------------------------------------------------------------


def test_two_charts_on_one_clock(page: Any, tmp_path: Path) -> None:
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


# --- quiz, speed, everybody --------------------------------------------------------------------


def test_quiz(page: Any, tmp_path: Path) -> None:
    """Which of these can the popped edge be joined with? Exactly one of the choices."""
    log = best_first_log()
    player = chart(page, log, tmp_path)
    page.get_by_label("First", exact=True).click()
    player.get_by_label("Quiz", exact=True).click()
    rights = 0
    for way in ("right", "wrong"):
        page.get_by_label("Last").click()
        k = events(page)
        kind, popped, _ = log.events[k - 1]
        assert kind == "popped" and log.events[k][0] == "edge"
        end = next(i for i in range(k, len(log)) if log.events[i][0] == "charted")
        partners = {part for event in log.events[k:end] for part in event[2:4]} - {popped}
        choices = player.locator(".wol-question li button")
        fits = {text: int(text.split()[1]) in partners for text in choices.all_inner_texts()}
        assert sum(fits.values()) == 1 and len(fits) > 1
        wanted = next(text for text, fit in fits.items() if fit == (way == "right"))
        choices.get_by_text(wanted, exact=True).click()
        told = player.locator(".wol-narration").inner_text()
        assert told.startswith("Right: " if way == "right" else "No: it can be joined with edge")
        rights += way == "right"
        assert f"{rights} of" in player.get_by_label("Quiz", exact=True).inner_text()


def huge_agenda(edges: int) -> wl.EventLog:
    """So many edges on the agenda; every pop of the later ones makes 500."""
    chance = random.Random(1)
    log = wl.EventLog()
    log.begin([f"w{i}" for i in range(14)], [1] * 14, 14, 32)
    for i in range(1, 15):
        log.leaf(i, i - 1, f"w{i}", "N", chance.random(), -1)
    made = 14
    held: list[int] = []
    while made < edges:
        serial = len(held) + 1 if made == 14 and len(held) < 14 else made - 7 * (made > 500)
        log.popped(serial, 1.0)
        for _ in range(500 if len(held) >= 14 else 0):
            made += 1
            pair = chance.sample(range(1, 15), 2)
            log.edge(made, *pair, "HeadLeft", chance.random(), -1)
        log.charted(serial)
        held.append(serial)
        if len(held) > 32:
            log.pruned(held.pop(chance.randrange(14, 32)), "beam")
    return log


@pytest.mark.parametrize(("edges", "blocks"), [(9_700, 40_000), (100_000, 250_000)])
def test_a_long_log_steps_at_once(page: Any, tmp_path: Path, edges: int, blocks: int) -> None:
    """10,000 events; and 100,000 edges on the agenda: a step draws no more than the screen shows.

    A jump to anywhere in the longer log folds up to 1,600 events.
    """
    log = huge_agenda(edges)
    assert len(log) > edges
    hold_light(most_work(page, tmp_path, log, "chart"), len(log), drawn=350, blocks=blocks)


def test_every_control_has_a_name(page: Any, tmp_path: Path) -> None:
    """The accessibility tree names all that can be pressed; the picture too; in both themes."""
    player = chart(page, best_first_log(), tmp_path)
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    buttons = [node for node in tree if node.get("role", {}).get("value") == "button"]
    assert len(buttons) > 20 and all(node["name"]["value"] for node in buttons)
    label = player.locator(".wol-chart").get_attribute("aria-label")
    assert label.startswith("Chart after pop")
    first = player.locator(".wol-chart [data-serial][tabindex='0']").first
    first.focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.serial") is not None
    menu(page).get_by_label("Theme").select_option("dark")
    light = page.evaluate("getComputedStyle(document.querySelector('.wol-chart text')).fill")
    assert light == "rgb(236, 236, 236)"
    grows_in_presentation_mode(page, ".wol-card rect")
