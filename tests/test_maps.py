"""Maps of a whole search: the lattice, rank flow, the chart's tiles, the spans behind a bar."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from browser import go_to, ready
from ccg_logs import ccg_log
from random_logs import best_first_log, guided_log, ordering_log, training_log

import wordorder_lab as wl
from wordorder_lab.trace.reducers.replay import fold
from wordorder_lab.trace.reducers.search import edge_of, on_agenda, words_of

pytestmark = pytest.mark.browser


def played(page: Any, log: wl.EventLog, folder: Path, view: str) -> None:
    ready(page, wl.to_html(log, folder / "player.html", view=view))


def pressed(page: Any, x: float, y: float, map_: str) -> None:
    """Press a place of a map, in its own units."""
    page.locator(map_).evaluate(
        """(map, [x, y]) => {
          const at = new DOMPoint(x, y).matrixTransform(map.getScreenCTM());
          map.dispatchEvent(new MouseEvent("click", {clientX: at.x, clientY: at.y, bubbles: true}));
        }""",
        [x, y],
    )


def corners(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"M([-\d.]+) ([-\d.]+)", path)]


def test_every_dot_of_the_lattice_is_its_state(page: Any, tmp_path: Path) -> None:
    """Kept states from column to column by rank; a press shows the cards of that step."""
    log = ordering_log(16)
    played(page, log, tmp_path, "beam")
    columns = fold(log, len(log), "beam")["columns"]
    kept = [(column["step"], one) for column in columns for one in column["states"]]
    path = page.locator(".wol-dots:not(.wol-cut, .wol-hollow)").get_attribute("d")
    dots = corners(path or "")
    assert len(dots) == len(kept) > 50
    for i in range(0, len(kept), 17):
        step, one = kept[i]
        page.evaluate("wordorderPlayer.selected[0] = null; wordorderPlayer.draw()")
        pressed(page, *dots[i], ".wol-lattice")
        assert page.evaluate("wordorderPlayer.selected[0].serial") == one["serial"]
        chosen = page.locator(".wol-card.wol-chosen")
        assert chosen.get_attribute("data-serial") == str(one["serial"])
        assert page.locator(f'[aria-label^="Step {step}:"]').is_visible()


def test_the_lattice_shows_where_gold_falls(page: Any, tmp_path: Path) -> None:
    log = training_log()
    played(page, log, tmp_path, "together")
    lost = next(k for k, event in enumerate(log, 1) if event[0] == "gold" and event[3] == -1)
    go_to(page, lost)
    assert page.locator(".wol-lattice .wol-fallen").count() == 1
    columns = fold(log, lost, "beam")["columns"]
    gold = {str(column["gold"]) for column in columns if column["gold"] is not None}
    shown = page.locator(".wol-lattice .wol-latticed.wol-gold").all()
    assert {one.get_attribute("data-serial") for one in shown} == gold


def test_rank_flow_is_the_top_before_each_pop(module: Any) -> None:
    logs = [best_first_log(), ccg_log(), guided_log()]
    flows = module("(logs) => logs.map((log) => searchFacts(new Log(log)).searches[1].flow)", logs)
    for log, flow in zip(logs, flows, strict=True):
        begins = [k for k, event in enumerate(log) if event[0] == "begin"]
        end = [*begins[1:], len(log)][0]
        pops = [k for k, event in enumerate(log) if event[0] == "popped" and k < end]
        assert flow == [on_agenda(fold(log, k, "agenda"), 10) for k in pops]
        assert len(flow) > 3


def test_rank_flow_is_on_the_screen(page: Any, tmp_path: Path) -> None:
    log = best_first_log()
    played(page, log, tmp_path, "agenda")
    pops = [event[1] for event in log if event[0] == "popped"]
    assert 0 < page.locator(".wol-flow-popped").count() <= len(pops)
    line = page.locator(".wol-flow-line").nth(1)
    serial = int((line.locator("title").text_content() or "").split(":")[0].split()[1])
    line.dispatch_event("click")
    assert page.evaluate("wordorderPlayer.selected[0].serial") == serial
    assert page.locator(".wol-flow-pinned").count() >= 1


@pytest.mark.parametrize("make", [best_first_log, ccg_log])
def test_every_popped_edge_has_its_tile(page: Any, tmp_path: Path, make: Any) -> None:
    """A tile never moves, is filled while its edge is in the chart, and is the way to the edge."""
    log = make()
    played(page, log, tmp_path, "chart")
    places: dict[int, tuple[float, float]] = {}
    for k in (len(log), len(log) // 2, len(log) // 3):
        go_to(page, k)
        state = fold(log, k, "chart")
        there = page.evaluate(
            """() => [...document.querySelectorAll(".wol-tile")]
              .filter((one) => !one.matches(".wol-tile-lit, .wol-tile-chosen"))
              .map((one) => [one.getAttribute("class").split(" ")[1], one.getAttribute("d")])"""
        )
        tiles = {kind: corners(d) for kind, d in there}
        inside = [kind for kind in tiles if kind.removeprefix("wol-tile-").isdigit()]
        assert sum(len(tiles[kind]) for kind in inside) == len(state["chart"])
        assert sum(map(len, tiles.values())) == len(state["pops"])
        for kind in inside:
            x, y = tiles[kind][0]
            pressed(page, x + 1, y + 1, ".wol-chart-map")
            serial = page.evaluate("wordorderPlayer.selected[0].serial")
            assert serial in state["chart"]
            assert places.setdefault(serial, (x, y)) == (x, y)
            page.evaluate("wordorderPlayer.selected[0] = null; wordorderPlayer.draw()")


def test_the_spans_behind_a_bar(page: Any, tmp_path: Path) -> None:
    """As many as the bar counts, with their words; a press goes to where the span was made."""
    log = best_first_log()
    played(page, log, tmp_path, "spans")
    state = fold(log, len(log), "spans")
    edges = fold(log, len(log), "agenda")
    for length in (1, 3):
        page.locator(f'[data-serial="length {length}"]').focus()
        page.keyboard.press("Enter")
        told = " ".join(page.locator(".wol-spans text").all_text_contents())
        made, kept = state["made"][length], state["kept"][length]
        words = "1 word" if length == 1 else f"{length} words"
        assert f"{made} span{'s' if made > 1 else ''} of {words}, {kept} kept" in told
    row = page.locator('[data-serial^="span "]').first
    serial = int((row.get_attribute("data-serial") or "").split()[1])
    order, _ = words_of(edges, serial)
    assert (row.get_attribute("aria-label") or "").startswith(" ".join(unit for unit, _ in order))
    row.click()
    event = page.evaluate("wordorderPlayer.moments.here()")
    assert event["view"] == "agenda" and event["pin"] == serial
    assert log.events[event["event"] - 1][:2] in (("edge", serial), ("leaf", serial))
    edge = edge_of(edges, serial)
    assert edge is not None and edge["size"] >= 1


def test_spans_of_a_beam_have_words(page: Any, tmp_path: Path) -> None:
    log = ordering_log(3)
    played(page, log, tmp_path, "spans")
    state = fold(log, len(log), "spans")
    first = page.locator('[data-serial="length 2"]').bounding_box()
    page.mouse.move(first["x"] + 4, first["y"] + 20)
    page.mouse.down()
    last = page.locator('[data-serial="length 3"]').bounding_box()
    page.mouse.move(last["x"] + 4, last["y"] + 20)
    page.mouse.up()
    told = " ".join(page.locator(".wol-spans text").all_text_contents())
    made = sum(state["made"][2:4])
    assert f"{made} spans of 2 to 3 words" in told
    labels = [
        row.get_attribute("aria-label") for row in page.locator('[data-serial^="span "]').all()
    ]
    assert labels and all(label.split(":")[0] for label in labels)
    words = {word for unit in state["units"] for word in unit.removeprefix("SHIFT-").split()}
    assert {
        word for label in labels for word in label.split(":")[0].removeprefix("★ ").split()
    } <= (words)
