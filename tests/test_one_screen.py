"""The player on one screen, and the ways to a moment: addresses, bookmarks, lectures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from browser import ready
from ccg_logs import ccg_log
from layout import SCREENS, look, look_presented
from random_logs import best_first_log, guided_log, ordering_log, training_log
from sentence_logs import WORDS, deletion_log, parsing_log
from transduction_logs import LONG, compression_log

import wordorder_lab as wl
from wordorder_lab.transduction.problem import Beam
from wordorder_lab.widgets.page import telling

BAG = "Harvard-University boats near the pier of old red harbour boats"
LOGS: dict[str, list[Any]] = {
    "beam": [lambda: ordering_log(16), lambda: ordering_log(6, BAG)],
    "agenda": [best_first_log, lambda: best_first_log(BAG)],
    "chart": [ccg_log, lambda: best_first_log(BAG, expansions=300)],
    "updates": [guided_log, training_log],
    "learning": [guided_log],
    "spans": [lambda: ordering_log(16), lambda: ordering_log(6, BAG)],
    "transduction": [compression_log, lambda: compression_log(Beam(20, 40), source=LONG)],
    "parsing": [parsing_log, lambda: parsing_log(WORDS, fails=True)],
    "deletion": [deletion_log, lambda: deletion_log(WORDS * 2)],
}


def opened(page: Any, path: Path, **address: Any) -> Any:
    """The page at this address, once it plays."""
    page.goto("about:blank")
    ready(page, path, f"#{urlencode(address)}" if address else "")
    return page.locator(".wol-player").first


def until(page: Any, expression: str) -> None:
    """Wait for it: Playwright's own waiting is forbidden by the page's policy."""
    for _ in range(400):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(50)
    raise AssertionError(expression)


SAID = ".wol-scene-text:visible, .wol-note-here:visible"
"""What a scene says: as a text alone, or in its picture."""


def said(page: Any) -> str:
    """It, its lines joined."""
    picture = page.locator(".wol-note-here text:visible")
    return " ".join(picture.all_text_contents()) or page.locator(".wol-scene-text").inner_text()


def tiles(page: Any) -> list[str]:
    return page.locator(".wol-sentence .wol-bag-word").all_text_contents()


def paired(screens: Sequence[Any]) -> Iterator[Any]:
    """Each log on half of the screens, so that any two of view, log and screen meet; the other half
    is for the night."""
    for i, (view, logs) in enumerate(LOGS.items()):
        for which in range(len(logs)):
            begin, step = ((i + which) % 2, 2) if len(logs) > 1 else (0, 1)
            yield pytest.param(view, which, screens[begin::step])
            if rest := [one for one in screens if one not in screens[begin::step]]:
                yield pytest.param(view, which, rest, marks=pytest.mark.torture)


@pytest.mark.parametrize(("view", "which", "screens"), paired(SCREENS))
def test_one_screen_at_every_width(page, tmp_path, view: str, which: int, screens: Any) -> None:
    """At most 700 px, or a big screen; toolbar, sentence and most of the picture in sight; none
    goes sideways, and no text stands on another one."""
    log = LOGS[view][which]()
    path = wl.to_html(log, tmp_path / "player.html", view=view)
    opened(page, path)
    page.keyboard.press("Home")
    if view != "learning":
        assert {*log.events[0][1]} <= {*tiles(page)}, "at the start the bag lies there"
    for width, height, moments in screens:
        page.set_viewport_size({"width": width, "height": height})
        opened(page, path)
        look(page, width, height, moments, picture=which == 0)
    look_presented(page)


@pytest.mark.parametrize("view", [*LOGS, "two"])
def test_on_paper_picture_and_sentence_are_on_one_page(page, tmp_path, view: str) -> None:
    """In whole, whatever of it was in sight; a pressed key of the browser prints just this."""
    two = view == "two"
    logs = [ordering_log(2), ordering_log(16)] if two else [LOGS[view][0]()]
    player = opened(page, wl.to_html(*logs[:1], tmp_path / "player.html", *logs[1:]))
    if not two:
        page.get_by_label("View", exact=True).select_option(view)
    printed = page.pdf()
    assert len(re.findall(rb"/Type ?/Page\b", printed)) == 1
    page.emulate_media(media="print")
    both = [".wol-sentence", ".wol-picture"] * (view != "learning")  # which has curves alone
    for part in (".wol-narration", *both):
        box = player.locator(part).last.bounding_box()
        assert box and box["width"] > 100 and box["height"] > 10, part
    assert player.locator(".wol-toolbar").is_hidden()


def test_large_scores_of_deletions_keep_clear_of_words(page, tmp_path) -> None:
    """On a telephone, where the words of a way end just before its score."""
    log = wl.EventLog()
    for event in deletion_log(WORDS * 2):
        score = {"bigram": (3, 4), "path": (2,), "programme": (3,)}.get(event[0], ())
        log.record(*(one * 3333 if i in score else one for i, one in enumerate(event)))
    page.set_viewport_size({"width": 400, "height": 800})
    opened(page, wl.to_html(log, tmp_path / "player.html"))
    look(page, 400, 800, 60, picture=False)


@pytest.mark.parametrize("make", [ordering_log, best_first_log, training_log, guided_log])
def test_it_opens_at_a_telling_moment(page, tmp_path, make: Any) -> None:
    """In learning after the update of the largest loss and what it changes, which is what the
    sentence tells; else at the end."""
    log = make(3) if make is ordering_log else make()
    kinds = [event[0] for event in log]
    at = telling(log, len(log))
    losses = {"update": lambda e: e[5] - e[4], "edge_update": lambda e: -e[5]}
    lost = {i: losses[kinds[i]](e) for i, e in enumerate(log) if kinds[i] in losses}
    if lost:
        worst = max(lost, key=lost.__getitem__)
        assert lost[worst] > 0 and {*kinds[worst + 1 : at]} <= {"weight", "rescored"}
        assert at > worst and kinds[at] not in ("weight", "rescored")
        opened(page, wl.to_html(log, tmp_path / "player.html"))
        assert re.match(r"(Early )?[Uu]pdate", page.locator(".wol-narration").inner_text())
    else:
        assert at == len(log)


def test_a_link_opens_just_that_moment(page, tmp_path) -> None:
    """Event, view, pin and mode are in the address; a reload and another link go there."""
    log = guided_log()
    path = wl.to_html(log, tmp_path / "player.html")
    player = opened(page, path, event=40, view="chart")
    state = "[wordorderPlayer.clock.at(wordorderPlayer.tick)[0], wordorderPlayer.viewName]"
    assert page.evaluate(state) == [40, "chart"]
    player.get_by_label("Back").click()
    until(page, "!location.hash.includes('event=40')")
    before = page.evaluate(state)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.evaluate(state) == before
    serial = page.evaluate(
        """Number([...document.querySelectorAll('.wol-stage [data-serial]')]
          .map((one) => one.dataset.serial).find((serial) => /^[0-9]+$/.test(serial)))"""
    )
    opened(page, path, event=before[0], view="chart", pin=serial, mode="present")
    assert page.evaluate("wordorderPlayer.selected[0].serial") == serial
    assert page.evaluate("wordorderPlayer.presents") is True
    page.evaluate("location.hash = 'event=7&view=updates'")
    until(page, "wordorderPlayer.viewName === 'updates'")
    assert page.evaluate(state) == [7, "updates"]
    opened(page, path, event="1e9x", view="<b>", pin=-4)  # nothing of this is a moment
    assert page.evaluate(state)[0] == telling(log, len(log))


def test_bookmarks_are_kept_and_exported(page, tmp_path) -> None:
    """Given from Python or made in the page; an exported page has them, whatever the note says."""
    log = ordering_log(3)
    nasty = '</script><b>gold & "falls"'
    path = wl.to_html(log, tmp_path / "player.html", moments=[(5, "early"), (9, nasty)], at=2)
    player = opened(page, path)
    player.get_by_label("More", exact=True).click()
    player.get_by_label("Note of the bookmark").fill("mine <i>")
    player.get_by_label("Bookmark this moment").click()
    player.get_by_label("Go to early").click()
    assert page.evaluate("wordorderPlayer.clock.at(wordorderPlayer.tick)[0]") == 5
    with page.expect_download() as waiting:
        player.get_by_label("Export HTML").click()
    copy = tmp_path / "copy.html"
    waiting.value.save_as(copy)
    opened(page, copy)
    kept = page.evaluate("wordorderPlayer.moments.list.map(({event, note}) => [event, note])")
    assert kept == [[2, "mine <i>"], [5, "early"], [9, nasty]]
    assert page.locator("b", has_text="gold").count() == 0
    with pytest.raises(ValueError, match="a moment is a number of events, 0 to"):
        wl.to_html(log, path, at=len(log) + 1)


def test_a_presentation_by_keys(page, tmp_path) -> None:
    """Slides' keys; three columns of a beam at 1280 x 720; a note for the moment."""
    log = ordering_log(16)
    path = wl.to_html(log, tmp_path / "player.html", moments=[(len(log), "The end.")])
    page.set_viewport_size({"width": 1280, "height": 720})
    player = opened(page, path, event=len(log), mode="present")
    assert page.locator(".wol-toolbar").is_hidden() and page.locator(".wol-programs").is_hidden()
    assert page.locator(".wol-picture g[aria-label^='Step ']").count() >= 3
    here = "wordorderPlayer.tick"
    at = page.evaluate(here)
    for key, way in (("PageUp", -1), ("PageDown", 1)):
        page.keyboard.press(key)
        assert ((page.evaluate(here) - at) * way >= 0 and page.evaluate(here) != at) or way > 0
    note = page.locator(".wol-note-here text")
    assert note.all_text_contents() == ["The end."], "it stands in the picture"
    page.keyboard.press("n")
    assert note.count() == 0
    page.keyboard.press("n")
    page.keyboard.press("Home")
    assert note.count() == 0 and page.locator(".wol-presenter").text_content() == ""
    page.keyboard.press("b")
    assert "wol-black" in player.get_attribute("class")
    page.keyboard.press("5")
    assert page.evaluate("wordorderPlayer.speed") == "400"
    page.keyboard.press("Escape")
    assert page.locator(".wol-toolbar").is_visible()


def test_a_lecture_of_five_logs(page, tmp_path) -> None:
    """One file below 1 MB, offline, by keyboard alone; texts are never HTML."""
    logs = [ordering_log(16), best_first_log(), ccg_log(), guided_log(), training_log()]
    scenes: list[Any] = ["Two <b>searches</b>"]
    scenes += [(log, [(1, f"log {i} begins"), (len(log), "ends")]) for i, log in enumerate(logs)]
    scenes.append((logs[2], [(30, "its chart")], "chart"))
    path = wl.lecture(scenes, tmp_path / "lecture.html", title="An hour")
    assert path.stat().st_size < 1_000_000
    opened(page, path)
    told = []
    for _ in range(12):
        told.append(said(page))
        page.keyboard.press("PageDown")
    assert told[0] == "Two <b>searches</b>" and told[-1] == "its chart"
    assert told[1:-1] == [t for i in range(5) for t in (f"log {i} begins", "ends")]
    assert page.evaluate("wordorderLecture.player.viewName") == "chart"
    page.keyboard.press("PageUp")
    event = page.evaluate("wordorderLecture.player.clock.at(wordorderLecture.player.tick)[0]")
    assert event == len(logs[4])
    until(page, "location.hash === '#scene=11'")
    opened(page, path, scene=4)
    assert said(page) == "log 1 begins"


def test_keys_of_a_lecture_that_is_presented(page, tmp_path) -> None:
    """From a text to a player and back, whatever has the focus; the note of the moment stays."""
    log, other = ordering_log(3), training_log()
    scenes = [
        "one",
        (log, [(9, "the ninth")]),
        "two",
        (log, [(5, "the fifth")]),
        (other, [(9, "B")]),
    ]
    opened(page, wl.lecture(scenes, tmp_path / "lecture.html", title="Keys"))
    here = "wordorderLecture.player.tick"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(here) > 9, "the player is stepped without a press on it"
    page.get_by_label("Presentation mode").click()
    until(page, "document.fullscreenElement === wordorderLecture.root")
    told = []
    for key in ["PageUp", *["PageDown"] * 4]:
        page.keyboard.press(key)
        page.wait_for_timeout(50)  # a frame: until then what is hidden keeps the focus
        told.append(said(page))
        assert page.locator(SAID).bounding_box()["height"] > 10
    assert told == ["one", "the ninth", "two", "the fifth", "B"]
    assert page.evaluate("wordorderLecture.player.presents")
    page.keyboard.press("PageUp")
    page.keyboard.press("Escape")
    assert page.locator(".wol-lecture-bar").is_visible()


def test_curves_and_marks_lead_to_their_moments(page, tmp_path) -> None:
    """A press in the middle of the curves goes to the middle step; one on a mark to its event."""
    log = training_log()
    path = wl.to_html(log, tmp_path / "player.html")
    player = opened(page, path)
    strip = player.locator(".wol-strip")
    assert "rank of gold" in strip.get_attribute("aria-label")
    box = strip.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 20)
    middle = page.evaluate(
        "wordorderPlayer.timeline.stops[Math.round((wordorderPlayer.timeline.stops.length-1)/2)]"
    )
    assert abs(page.evaluate("wordorderPlayer.tick") - middle) <= 2
    marks = player.locator(".wol-mark-press")
    boxes = sorted(mark.bounding_box()["x"] for mark in marks.all())
    assert all(then - first >= 1 for first, then in pairwise(boxes))
    falls = player.locator('.wol-mark-press[aria-label*="gold is cut"]').first
    falls.dispatch_event("click")
    k = page.evaluate("wordorderPlayer.clock.at(wordorderPlayer.tick)[0]")
    assert log.events[k - 1][0] == "gold" and log.events[k - 1][3] == -1


def test_slides_and_film(page, tmp_path) -> None:
    """Bookmarks as pages to print, each with its note and picture; steps as a film that plays."""
    log = ordering_log(3)
    moments = [(5, "five <i>"), (20, "twenty")]
    path = wl.to_html(log, tmp_path / "player.html", moments=moments)
    player = opened(page, path, event=12)
    page.evaluate("window.print = () => { window.printed = true }")
    player.get_by_label("More", exact=True).click()
    player.get_by_label("Slides").click()
    slides = page.locator(".wol-slide")
    assert page.evaluate("printed") and slides.count() == 2
    assert page.locator(".wol-slide p").count() == 0, "its note stands in each picture"
    told = ["five <i>", "twenty"]
    assert all(text in one.text_content() for one, text in zip(slides.all(), told, strict=True))
    assert page.locator(".wol-slide > svg").count() == 2
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert slides.count() == 0
    here = "wordorderPlayer.clock.at(wordorderPlayer.tick)[0]"
    assert page.evaluate(here) == 12, "back where one was"
    page.evaluate("wordorderPlayer.go(wordorderPlayer.clock.last - 1)")
    with page.expect_download() as waiting:
        player.get_by_label("Film").click()
    film = tmp_path / "film.webm"
    waiting.value.save_as(film)
    assert film.read_bytes()[:4] == b"\x1a\x45\xdf\xa3" and film.stat().st_size > 1000


@pytest.mark.parametrize("scenes", [[], [3], [("no log", [])], [(None, [(1, "x")])]])
def test_what_is_no_lecture(tmp_path, scenes: Any) -> None:
    with pytest.raises(ValueError, match="scene"):
        wl.lecture(scenes, tmp_path / "x.html")
    assert not (tmp_path / "x.html").exists()


def test_the_page_says_its_moments_as_json(tmp_path) -> None:
    path = wl.to_html(ordering_log(3), tmp_path / "p.html", moments=[(4, "</script>")])
    text = path.read_text(encoding="utf-8")
    begin = text.index('<script id="wol-moments"')
    inside = text[text.index(">", begin) + 1 : text.index("</script>", begin)]
    assert json.loads(inside) == [{"event": 4, "note": "</script>"}]
