"""What signs and cut labels of the players say to who points at them, or comes by keyboard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ccg_logs import ccg_guided_log
from counting import page_script
from random_logs import best_first_log, guided_log, ordering_log, training_log
from sentence_logs import deletion_log, parsing_log
from test_player import show
from transduction_logs import compression_log

from wordorder_lab.trace.reducers.replay import VIEWS

LONG = "Harvard-University-of-Cambridge boats near the-very-long-pier-of-the-harbour pier boats"
LOGS = {
    "agenda": lambda: best_first_log(LONG),
    "chart": lambda: best_first_log(LONG),
    "beam": lambda: ordering_log(6, LONG),
    "updates": guided_log,
    "learning": guided_log,
    "transduction": compression_log,
    "spans": lambda: ordering_log(6, LONG),
    "parsing": lambda: parsing_log(LONG.split()),
    "deletion": lambda: deletion_log(LONG.split() * 2),
}

UNTOLD = page_script("untold.js")


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("width", [420, 968])
def test_no_label_is_cut_without_a_title(page: Any, tmp_path: Path, view: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 720})
    show(page, tmp_path, LOGS[view](), view=view)
    cut, untold = page.evaluate(UNTOLD, 20)
    assert not untold
    assert cut > 0 or view in ("transduction", "spans", "updates"), "a test that sees no cut label"


SPOKEN = page_script("spoken.js")


@pytest.mark.parametrize("view", VIEWS)
def test_what_is_cut_is_spoken_in_whole(page: Any, tmp_path: Path, view: str) -> None:
    page.set_viewport_size({"width": 420, "height": 720})
    show(page, tmp_path, LOGS[view](), view=view)
    told, silent = page.evaluate(SPOKEN, 20)
    assert not silent
    assert told > 0 or view in ("transduction", "spans", "updates"), "a test that sees no cut label"


def test_what_is_cut_is_shown_to_the_keyboard(page: Any, tmp_path: Path) -> None:
    """Arrow keys come by buttons and by cut texts; the whole of each is shown, and goes again."""
    page.set_viewport_size({"width": 420, "height": 720})
    show(page, tmp_path, ordering_log(6, LONG), view="beam")
    shown, told, cut, alone = page.locator(".wol-whole"), "", set(), 0
    for share in (0.4, 0.7):
        page.evaluate("(share) => wordorderPlayer.go(wordorderPlayer.clock.last * share)", share)
        cut.update(page.locator(".wol-stage svg text > title").all_text_contents())
        page.locator(".wol-card").first.focus()
        stops = page.locator(".wol-stage svg :is([data-serial], text[tabindex])")
        for _ in range(stops.count()):
            page.keyboard.press("ArrowDown")
            told += shown.text_content() if shown.is_visible() else ""
            alone += page.evaluate("document.activeElement.nodeName") == "text"
    assert len(cut) > 2 and all(text in told for text in cut) and alone > 0
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("wordorderPlayer.root.contains(document.activeElement)")
    page.locator(".wol-toolbar button").first.focus()
    assert shown.is_hidden()


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_has_a_legend(page: Any, tmp_path: Path, view: str) -> None:
    """In words, each sign once; and no sign is missing of those that this moment shows."""
    player = show(page, tmp_path, LOGS[view](), view=view)
    signs = page.evaluate(
        "wordorderPlayer.viewOf(0).legend.map(([sign, words]) => [!!sign, words])"
    )
    assert len(signs) > 5 and all(sign and len(words) > 10 for sign, words in signs)
    assert len({words for _, words in signs}) == len(signs)
    legend = player.locator(".wol-legend").text_content()
    picture = player.locator(".wol-stages").text_content()
    for sign in "★✂◆▲◉☆▽◀ε":
        assert sign not in picture or sign in legend, sign


WORDS = "(all) => all.map(([feature, action]) => featureWords({feature, action}))"


@pytest.mark.parametrize("log", [training_log, guided_log, ccg_guided_log])
def test_features_in_plain_words(module: Any, log: Any) -> None:
    """Every template that is learned has words, and the values stand in them."""
    log = log()
    features = list({e[1].split(" = ")[0]: (e[1], e[2]) for e in log if e[0] == "weight"}.values())
    told = module(WORDS, features)
    assert len(features) > 15
    for (feature, action), words in zip(features, told, strict=True):
        values = feature.partition(" = ")[2].split(", ")
        assert all(f"“{value}”" in words for value in values if value != "-BEGIN-"), feature
        assert words.count(" is ") == len(values) + bool(action)


def test_features_as_the_tables_name_them(module: Any) -> None:
    features = [
        ("S1,l2p = VBD", "LEFTARC"),
        ("S0wS0vl = led, 2", ""),
        ("POS(h)·POS(h-1)·POS(m)·POS(m+1)·dir (h > m) = A, B, C, D, left", ""),
        ("w-2w-1w0 = -BEGIN-, a, b", ""),
        ("some other thing = 3", ""),
        ("POS(h)·dir = A, B, left", ""),
    ]
    told = module(WORDS, features)
    assert told == [
        "the tag of the left dependent attached before it of the second word of the stack is "
        "“VBD”; and the action is LEFTARC",
        "the top of the stack is “led”; the number of left dependents of the top of the stack is "
        "“2”",
        "the tag of the head is “A”; the tag of the word before the head is “B”; the tag of the "
        "dependent is “C”; the tag of the word after the dependent is “D”; the side of the "
        "dependent is “left”",
        "the third word from the end is not there: the sentence has just begun; the word before "
        "the last is “a”; the last word so far is “b”",
        "",
        "",
    ]


def test_features_are_told_by_keyboard(page: Any, tmp_path: Path) -> None:
    """The row that the Tab key comes to says its feature in words; arrow keys go to the others."""
    player = show(page, tmp_path, guided_log(), view="updates")
    page.keyboard.press("End")
    rows = player.locator(".wol-press[data-serial][aria-label*=' in − ']")
    rows.first.focus()
    page.keyboard.press("ArrowDown")
    label = page.evaluate("document.activeElement.getAttribute('aria-label')")
    title = page.evaluate("document.activeElement.querySelector('title').textContent")
    assert label == title and "In words: the " in label
