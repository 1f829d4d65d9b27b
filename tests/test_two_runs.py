"""Two runs side by side: where they open, what is lit in both, the grids of cube pruning."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from browser import go_to, menu, ready
from explored import table_of_size
from random_logs import best_first_log, ordering_log, training_log
from test_chart_drive import live
from test_chart_view import chart
from test_explorer_view import opened
from test_player import made_of
from transduction_logs import compression_log

import wordorder_lab as wl
from wordorder_lab.check.nb_02 import SEARCHES
from wordorder_lab.transduction.problem import Beam

BAG = "Harvard-University boats near the pier of old red harbour boats"
SIZES = ((1280, 720), (968, 720), (1920, 1080))
HERE = "wordorderPlayer.clock.at(wordorderPlayer.tick)"
IN_SIGHT = """(selector) => [...document.querySelectorAll(selector)].filter((one) => {
  const [box, place] = [one, one.closest(".wol-stage")].map((it) => it.getBoundingClientRect());
  return box.top >= place.top && box.bottom <= place.bottom && box.left >= place.left
    && box.right <= place.right;
}).length"""


@pytest.fixture
def beams(page, tmp_path) -> tuple[Any, wl.EventLog, wl.EventLog]:
    """A beam of 1 beside one of 16, as they open."""
    a, b = ordering_log(1, BAG), ordering_log(16, BAG)
    ready(page, wl.to_html(a, tmp_path / "two.html", b, names=("beam 1", "beam 16")))
    return page, a, b


def winners(*logs: wl.EventLog) -> list[tuple[str, ...]]:
    ends = [next(event[1] for event in log if event[0] == "finished") for log in logs]
    return [made_of(log)[end] for log, end in zip(logs, ends)]


def test_two_runs_open_where_the_winners_part(beams) -> None:
    """Unasked: the states at which they part are pinned and in sight, and both sentences told."""
    page, a, b = beams
    ways = winners(a, b)
    parted = next(i for i, (x, y) in enumerate(zip(*ways)) if x != y)
    pinned = page.evaluate("wordorderPlayer.selected.map((one) => one.serial)")
    for log, way, serial in zip((a, b), ways, pinned):
        assert made_of(log)[serial] == way[: parted + 1]
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(60)
        assert page.evaluate(IN_SIGHT, ".wol-stage .wol-card.wol-chosen") == 2
    said = page.locator(".wol-narration").inner_text()
    page.keyboard.press("End")
    outputs = page.locator(".wol-sentence .wol-line").all_inner_texts()
    assert [f"“{one.removeprefix('output ')}”" in said for one in outputs] == [True, True]
    at = page.evaluate(HERE)
    page.get_by_role("button", name="first difference").click()
    assert page.locator(".wol-narration").inner_text() == said and page.evaluate(HERE) != at


def test_other_pairs_open_at_the_end(page, tmp_path) -> None:
    """Searches of two kinds, a search that finds nothing, and where a moment is named."""
    a, b = best_first_log(), ordering_log(3)
    for log, other, how in ((a, b, {}), (ordering_log(1), b, {"at": 40})):
        ready(page, wl.to_html(log, tmp_path / "two.html", other, **how))
        assert page.evaluate(HERE)[0] == how.get("at", len(log))


def test_the_bar_has_its_buttons_and_nothing_is_cut(beams) -> None:
    page, a, _ = beams
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(60)
        bar = page.locator(".wol-toolbar")
        assert bar.bounding_box()["height"] < 40
        for name in ("first difference", "jump to"):
            assert bar.get_by_role("button", name=name).inner_text() == name
            assert bar.get_by_role("button", name=name).is_visible()
        wide = "(one) => one.scrollWidth - one.clientWidth"
        for stage in page.locator(".wol-stage").all():
            assert stage.evaluate(wide) <= 1
    page.get_by_label("Kind of event").select_option("finished")
    page.get_by_role("button", name="jump to").click()
    assert a.events[page.evaluate(HERE)[0] - 1][0] == "finished"


def test_a_state_is_lit_in_the_other_run(beams) -> None:
    """By what it is made of, whatever its number; a word wherever it stands."""
    page, *logs = beams
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    paths = [made_of(log) for log in logs]
    lit = 0
    for card in page.locator(".wol-stage").first.locator(".wol-card").all()[:8]:
        card.focus()
        made = paths[0][int(card.get_attribute("data-serial"))]
        twins = page.locator(".wol-stage").nth(1).locator(".wol-pointed").all()
        numbers = {int(one.get_attribute("data-serial")) for one in twins}
        assert {paths[1][one] for one in numbers} <= {made}
        lit += bool(numbers)
    assert lit
    page.locator(".wol-bag-word", has_text="pier").first.hover()
    words = [one.strip() for one in page.locator(".wol-pointed-word").all_text_contents()]
    assert {*words} == {"pier"} and len(words) >= 2


def test_the_panes_scroll_together(beams) -> None:
    page, *_ = beams
    page.evaluate("wordorderPlayer.setRows(24)")
    page.keyboard.press("End")
    one, other = page.locator(".wol-stage").all()
    for to in (120, 40):
        one.evaluate("(stage, to) => (stage.scrollTop = to)", to)
        page.wait_for_function(
            "() => new Set(wordorderPlayer.stages.map((one) => one.scrollTop)).size === 1"
        )
        assert other.evaluate("(stage) => stage.scrollTop") == to


@pytest.mark.parametrize("width", [1280, 968])
def test_the_chosen_tree_is_in_sight(page, tmp_path, width: int) -> None:
    """At the top of a long column a state is chosen: its words stand above the columns."""
    page.set_viewport_size({"width": width, "height": 720})
    ready(page, wl.to_html(ordering_log(16, BAG), tmp_path / "player.html"))
    page.evaluate("wordorderPlayer.setRows(24)")
    page.locator(".wol-stage .wol-card").first.click()
    tree, stage = (page.locator(one).first.bounding_box() for one in (".wol-detail", ".wol-stage"))
    assert tree["y"] >= stage["y"] and tree["y"] + 60 < stage["y"] + stage["height"]
    with page.expect_download() as waiting:
        menu(page).get_by_label("Export SVG").click()
    assert "translate: " not in Path(waiting.value.path()).read_text(encoding="utf-8")


COVERED = """() => {
  const player = wordorderPlayer, covered = new Set(), box = (one) => one.getBoundingClientRect();
  let seen = 0;
  for (let event = 0; event <= player.logs[0].length; event += 5) {
    player.go(player.clock.tickOf(event));
    const place = box(player.stages[0]);
    for (const card of document.querySelectorAll(".wol-stage .wol-card")) {
      const { left, right, top, bottom } = box(card), end = Math.min(bottom, place.bottom);
      if (card.matches(".wol-gold") && bottom > place.bottom) covered.add(`${event}: gold unseen`);
      for (const y of top < end - 8 ? [top + 3, (top + end) / 2, end - 3] : []) {
        seen += 1;
        for (const x of [left + 4, (left + right) / 2, right - 4])
          if (!card.contains(document.elementFromPoint(x, y))) covered.add(`${event}: covered`);
      }
    }
  }
  return [seen > 100, [...covered]];
}"""


@pytest.mark.parametrize("width", [1280, 968])
def test_nothing_covers_a_card(page, tmp_path, width: int) -> None:
    """The tree stands where no card is; gold's card is in sight at every moment."""
    page.set_viewport_size({"width": width, "height": 720})
    ready(page, wl.to_html(SEARCHES["beam"]().log, tmp_path / "player.html", view="beam"))
    assert page.evaluate(COVERED) == [True, []]


def test_three_lines_of_pseudo_code(page, tmp_path) -> None:
    """Below 1,400 pixels the lit line and its neighbours, above the picture; else all, beside."""
    ready(page, wl.to_html(training_log(), tmp_path / "player.html"))
    for width, beside in ((968, False), (1280, False), (1399, False), (1440, True)):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(60)
        room, stage, line = (
            page.locator(one).first.bounding_box()
            for one in (".wol-programs", ".wol-stages", ".wol-program li")
        )
        if beside:
            assert room["x"] + room["width"] <= stage["x"]
        else:
            assert room["y"] + room["height"] <= stage["y"]
            assert 2.5 < room["height"] / line["height"] < 3.6


# --- cube pruning ---------------------------------------------------------------------------------


@pytest.fixture
def cubes(page, tmp_path) -> Any:
    """A narrow search beside a wide one, at the end."""
    a, b = compression_log(Beam(2, 3)), compression_log(Beam(30, 60))
    ready(page, wl.to_html(a, tmp_path / "cube.html", b, names=("narrow", "wide")))
    go_to(page, len(a))
    return page


def test_grids_stand_on_top_side_by_side(cubes) -> None:
    for width in (1280, 968):
        cubes.set_viewport_size({"width": width, "height": 720})
        cubes.wait_for_timeout(60)
        grids, stages = (
            [one.bounding_box() for one in cubes.locator(f".wol-stage {name}").all()]
            for name in (".wol-grid", ".wol-picture-room")
        )
        assert len(grids) == 2 and grids[0]["x"] + grids[0]["width"] < stages[1]["x"]
        for grid, stage in zip(grids, stages):
            assert grid["y"] - stage["y"] < 110


def counted(text: str) -> tuple[int, int]:
    found = re.search(r"(\d+) of (\d+) combinations? looked at", text)
    assert found
    return int(found[1]), int(found[2])


def test_grids_say_what_was_skipped(cubes) -> None:
    """As many cells are taken as the line above them says, and what one has and the other has not
    is told; what is pointed at in one is lit in the other."""
    for stage, other in zip(cubes.locator(".wol-stage").all(), "BA"):
        grid = stage.get_by_role("group", name="Grid of application")
        said = grid.text_content()
        looked, every = counted(said)
        assert grid.locator(".wol-taken-cell").count() == looked <= every
        assert f"{other} has " in said
        if looked < every:
            assert f"{every - looked} skipped" in said
            assert grid.locator(".wol-hatch").get_attribute("d")
    one, two = cubes.locator(".wol-stage").all()
    one.locator(".wol-taken-cell").first.focus()
    (lit,) = two.locator(".wol-pointed").all()
    twin = one.locator(".wol-taken-cell").first.get_attribute("data-twin")
    assert lit.get_attribute("data-twin") == twin


# --- names of buttons -------------------------------------------------------------------------


NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("[0-9]*.py"))
SHOWN = """() => [...document.querySelectorAll("button, option")].filter((one) =>
  one.tagName === "OPTION" || one.offsetParent !== null).map((one) =>
  one.textContent.replace(/[▷◁]/g, "").trim())"""
PLAYS = """async () => (await import("/explorer/detail.js"))
  .drawPlayButtons(["one", "two"], true, () => null).textContent"""


def test_buttons_are_named_as_the_notebooks_name_them(page, served, tmp_path) -> None:
    """What a notebook says to press or to choose in a player stands there, outside the menu."""
    asked = set()
    for path in NOTEBOOKS:
        text = path.read_text(encoding="utf-8").replace("\n# ", " ")
        for said in (r"press(?:es)?", r"jump to\*{0,2}", "choose", "go", "press the head"):
            asked |= {*re.findall(rf"(?i)\b{said} \*{{1,2}}([^*]+)\*", text)}
        asked |= {*re.findall(r"\*\*(quiz|drive|Drive|present)\*\*", text)}
        asked |= {*re.findall(r"\*\*(Play [^*]+)\*\*", text)}
    assert asked >= {"first difference", "jump to", "by update", "Play the search of A"}
    assert asked >= {"quiz", "clear", "what do they make?", "Drive", "BLEU A"}
    shown = set()
    pairs = ((ordering_log(1), ordering_log(3)), (training_log(), None), (best_first_log(), None))
    for log, other in pairs:
        ready(page, wl.to_html(log, tmp_path / "player.html", other))
        shown |= {*page.evaluate(SHOWN)}
    chart(page, best_first_log(), tmp_path)
    live(page, "() => Promise.resolve({outcomes: []})")
    shown |= {*page.evaluate(SHOWN), page.locator(".wol-drive strong").inner_text().strip(": ")}
    opened(page, table_of_size(5), tmp_path)
    shown |= {*page.evaluate(SHOWN), *page.locator("thead button").all_inner_texts()}
    shown |= {name for name in asked if name in served.evaluate(PLAYS)}
    form = wl.ordering_form({"everyday": wl.load_model("everyday")})
    shown |= {form.run_button.description}
    assert asked - shown == {"search with these weights"}  # where there is a training to go on from
