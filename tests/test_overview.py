"""The small picture beside a long one: what it shows, and where a press on it leads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser import go_to, ready
from random_logs import best_first_log, ordering_log
from transduction_logs import compression_log

import wordorder_lab as wl

# The share of the picture that the frame has, that which is in sight, and how far both are down.
SHARES = """() => {
  const {stage, element, shapes} = wordorderPlayer.overviews[0];
  const tall = element.viewBox.baseVal.height, frame = shapes[2].getBBox();
  return {
    framed: frame.height / tall, seen: stage.clientHeight / stage.scrollHeight,
    from: frame.y / tall, scrolled: stage.scrollTop / stage.scrollHeight,
    blocks: shapes.slice(0, 2).map((one) => one.getAttribute("d").split("M").length - 1),
    rects: [...stage.querySelectorAll("svg[viewBox] rect")].length,
  };
}"""


def opened(page: Any, folder: Path, log: Any, view: str) -> Any:
    path = wl.to_html(log, folder / "player.html", view=view)
    page.set_viewport_size({"width": 968, "height": 720})
    ready(page, path)
    return page.locator(".wol-overview")


@pytest.mark.parametrize(
    ("view", "make"), [("agenda", best_first_log), ("transduction", compression_log)]
)
def test_a_press_scrolls_there(page, tmp_path, view: str, make: Any) -> None:
    overview = opened(page, tmp_path, make(), view)
    before = page.evaluate(SHARES)
    assert before["framed"] == pytest.approx(before["seen"], abs=0.01) and before["seen"] < 0.95
    assert before["from"] == before["scrolled"] == 0
    assert sum(before["blocks"]) == before["rects"] > 5
    page.locator(".wol-stage [data-serial]").last.dispatch_event("click")
    assert page.evaluate(SHARES)["blocks"][1] > 0, "what was pressed is lit"
    box = overview.bounding_box()
    stage = page.locator(".wol-stage").bounding_box()
    assert box["height"] == pytest.approx(stage["height"], abs=1)
    page.mouse.click(box["x"] + 5, box["y"] + box["height"] - 3)
    after = page.evaluate(SHARES)
    assert after["scrolled"] + after["seen"] == pytest.approx(1, abs=0.01)
    page.mouse.move(box["x"] + 5, box["y"] + box["height"] - 3)
    page.mouse.down()
    page.mouse.move(box["x"] + 5, box["y"] + 2)
    page.mouse.up()
    assert page.evaluate(SHARES)["scrolled"] == 0
    assert overview.get_attribute("aria-hidden") == "true"


def test_the_frame_follows_keys(page, tmp_path) -> None:
    """The place itself is scrolled by keys; in a presentation the same keys are steps."""
    log = best_first_log()
    opened(page, tmp_path, log, "agenda")
    page.locator(".wol-stage").focus()
    page.keyboard.press("PageDown")
    for _ in range(100):
        page.wait_for_timeout(20)
        now = page.evaluate(SHARES)
        if now["scrolled"] > 0 and now["from"] == pytest.approx(now["scrolled"], abs=0.01):
            break
    assert now["scrolled"] > 0 and now["from"] == pytest.approx(now["scrolled"], abs=0.01)
    page.evaluate("wordorderPlayer.present()")
    at = page.evaluate("wordorderPlayer.tick")
    page.locator(".wol-stage").focus()
    page.keyboard.press("PageUp")
    assert page.evaluate("wordorderPlayer.tick") < at


def test_there_is_none_where_all_is_in_sight(page, tmp_path) -> None:
    """Nor on a narrow screen, where the picture needs all the width."""
    log = ordering_log(3)
    overview = opened(page, tmp_path, log, "beam")
    go_to(page, 1)
    assert overview.is_hidden() and page.locator(".wol-stage[tabindex]").count() == 0
    page.evaluate("wordorderPlayer.setRows(24)")
    go_to(page, len(log))
    assert overview.is_visible()
    page.set_viewport_size({"width": 500, "height": 720})
    overview.wait_for(state="hidden")
    assert page.locator(".wol-stage[tabindex='0']").count() == 1, "keys scroll it all the same"
