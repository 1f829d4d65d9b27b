"""Several views of one search at once: linked, each to close or to enlarge."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser import go_to, ready
from ccg_logs import ccg_log
from layout import SCREENS, look, look_presented
from random_logs import best_first_log, guided_log, ordering_log, training_log
from transduction_logs import compression_log

import wordorder_lab as wl

BAG = "Harvard-University boats near the pier of old red harbour boats"
SEARCHES: dict[str, tuple[Any, list[str]]] = {
    "beam": (lambda: ordering_log(6, BAG), ["Lattice", "State"]),
    "best-first": (
        lambda: best_first_log(BAG),
        ["Chart contents", "Agenda evolution", "Derivation"],
    ),
    "ccg": (ccg_log, ["Chart contents", "Agenda evolution", "Derivation"]),
    "guided learning": (guided_log, ["Parameter updates", "Agenda evolution"]),
    "early update": (training_log, ["Parameter updates", "Lattice"]),
}
SMALLEST = """() => Math.min(
  ...[...document.querySelectorAll(".wol-panel")].map((one) => one.clientHeight))"""
LIT = """() => [...document.querySelectorAll(".wol-panel:not([hidden])")].map(
  (panel) => [...panel.querySelectorAll(".wol-pointed")].map((one) => one.dataset.serial))"""
SHARED = """() => {
  const panels = [...document.querySelectorAll(".wol-panel")];
  const of = (panel) => new Set([...panel.querySelectorAll("[data-serial]")].map(
    (one) => one.dataset.serial).filter((serial) => /^[0-9]+$/.test(serial)));
  const [first, ...rest] = panels.map(of);
  return [...first].find((serial) => rest.every((other) => other.has(serial)));
}"""


def open_panels(page: Any) -> list[str]:
    return page.locator(".wol-panel:not([hidden]) h3").all_text_contents()


def played(page: Any, log: Any, folder: Path) -> None:
    path = wl.to_html(log, folder / "player.html", view="together")
    ready(page, path)


@pytest.mark.parametrize("half", [0, pytest.param(1, marks=pytest.mark.torture)])
@pytest.mark.parametrize("kind", SEARCHES)
def test_panels_on_one_screen(page, tmp_path, kind: str, half: int) -> None:
    """Every panel draws at every moment, and all of it is one screen; every second one each time,
    other ones for the next search."""
    make, titles = SEARCHES[kind]
    log = make()
    begin = ([*SEARCHES].index(kind) + half) % 2
    for width, height, moments in SCREENS[begin::2]:
        page.set_viewport_size({"width": width, "height": height})
        played(page, log, tmp_path)
        assert open_panels(page) == titles
        for k in (0, 1, len(log) // 2, len(log)):
            go_to(page, k)
            drawn = page.locator(".wol-panel .wol-picture-room svg[viewBox]")
            assert drawn.count() == len(titles)
            assert page.evaluate(SMALLEST) > 60
        look(page, width, height, moments, picture=False)  # presses, which may lead to one view
    look_presented(page)


def test_what_is_pointed_at_is_lit_in_all(page, tmp_path) -> None:
    log = best_first_log()
    played(page, log, tmp_path)
    serial = None
    for k in range(len(log), 0, -1):
        go_to(page, k)
        serial = page.evaluate(SHARED)
        if serial:
            break
    assert serial
    panels = page.locator(".wol-panel")
    panels.nth(2).locator(f'[data-serial="{serial}"]').first.focus()
    lit = page.evaluate(LIT)
    assert len(lit) == 3 and all(set(serials) == {serial} for serials in lit)
    page.keyboard.press("Enter")  # chosen in one, chosen in all
    chosen = page.locator(".wol-panel .wol-chosen").all()
    assert {one.get_attribute("data-serial") for one in chosen} == {serial}
    assert len(chosen) >= 2


def test_serials_of_features_light_no_edge(page, tmp_path) -> None:
    """A row of the updates is named after its update: no edge has that number."""
    played(page, guided_log(), tmp_path)
    row = page.locator(".wol-panel").nth(0).locator('[data-serial*="."]').first
    row.focus()
    assert page.evaluate(LIT) == [[], []]
    page.keyboard.press("Enter")
    assert page.locator(".wol-panel").nth(1).locator(".wol-chosen").count() == 0


def test_closing_and_enlarging_outlive_steps(page, tmp_path) -> None:
    log = best_first_log()
    played(page, log, tmp_path)
    page.get_by_role("button", name="Close Agenda evolution").click()
    assert open_panels(page) == ["Chart contents", "Derivation"]
    page.get_by_role("button", name="Enlarge Derivation").click()
    page.keyboard.press("ArrowLeft")
    assert open_panels(page) == ["Derivation"]
    page.get_by_role("button", name="Enlarge Derivation").click()
    page.get_by_role("button", name="Open Agenda evolution").click()
    assert open_panels(page) == SEARCHES["best-first"][1]
    for name in ("Chart contents", "Agenda evolution"):
        page.get_by_role("button", name=f"Close {name}").click()
    page.get_by_role("button", name="Close Derivation").click()
    assert open_panels(page) == ["Derivation"]  # the last one stays


def test_the_address_leads_to_panels(page, tmp_path) -> None:
    path = wl.to_html(best_first_log(), tmp_path / "player.html")
    ready(page, path, "#event=9&view=together&pin=2")
    assert len(open_panels(page)) == 3
    assert page.evaluate("wordorderPlayer.moments.here()") == {
        "event": 9, "view": "together", "pin": 2,
    }  # fmt: skip
    page.get_by_role("button", name="Quiz").click()
    assert not page.locator(".wol-panels").is_visible()  # others would give the answer away
    page.get_by_role("button", name="Quiz").click()
    page.get_by_label("View").select_option("agenda")
    assert not page.locator(".wol-panels").is_visible()


def test_what_cannot_stand_together(tmp_path) -> None:
    path = tmp_path / "player.html"
    for log, other in ((compression_log(), None), (best_first_log(), best_first_log())):
        with pytest.raises(ValueError, match="no view 'together'"):
            wl.to_html(log, path, other, view="together")
