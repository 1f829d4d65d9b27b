"""Who reads players: signs and what is forbidden are told, text stands out, controls have names."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest
from browser import go_to, ready
from ccg_logs import ccg_guided_log
from counting import page_script
from random_logs import (
    BURIED,
    SHIFTS,
    best_first_log,
    figure_4_log,
    guided_log,
    ordering_log,
    training_log,
)
from sentence_logs import deletion_log, parsing_log
from test_one_screen import LOGS as SCREENS
from test_player import ASKED, download, events, named_controls, show
from transduction_logs import compression_log

import wordorder_lab as wl
from wordorder_lab.trace.reducers.replay import VIEWS, fold

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
UNCUT = {
    420: ["transduction", "spans", "updates"],
    968: ["transduction", "spans", "updates", "learning"],
}
"""Views that have room for every label at a width, on several lines: nothing is cut in them."""

UNTOLD, SPOKEN = page_script("untold.js"), page_script("spoken.js")


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("width", [420, 968])
def test_what_is_cut_has_a_title_and_is_spoken_in_whole(
    page: Any, tmp_path: Path, view: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 720})
    show(page, tmp_path, LOGS[view](), view=view)
    for script in (UNTOLD, SPOKEN):
        cut, wrong = page.evaluate(script, 20)
        assert not wrong
        assert cut > 0 or view in UNCUT[width], "no cut label is seen"


def test_what_is_cut_is_shown_to_the_keyboard(page: Any, tmp_path: Path) -> None:
    """Arrow keys come by buttons and by cut texts, those above the cards, too; the whole of each is
    shown, and goes again."""
    page.set_viewport_size({"width": 420, "height": 720})
    show(page, tmp_path, ordering_log(6, LONG), view="beam")
    shown, told, cut, alone = page.locator(".wol-whole"), "", set(), 0
    for share in (0.4, 0.7):
        page.evaluate("(share) => wordorderPlayer.go(wordorderPlayer.clock.last * share)", share)
        cut.update(page.locator(".wol-stage svg text > title").all_text_contents())
        page.locator(".wol-card").first.focus()
        stops = page.locator(".wol-stage svg [tabindex]")
        for key in ["ArrowUp"] * stops.count() + ["ArrowDown"] * stops.count():
            page.keyboard.press(key)
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
    assert label == title and "In words: " in label


MADE = {view: logs[0] for view, logs in SCREENS.items()}
MADE |= {"beam": figure_4_log, "together": guided_log}

FAINT = page_script("faint.js")


@pytest.mark.parametrize("half", [0, pytest.param(1, marks=pytest.mark.torture)])
@pytest.mark.parametrize("view", MADE)
def test_all_controls_have_names_and_all_text_stands_out(
    page: Any, tmp_path: Path, view: str, half: int
) -> None:
    """In the accessibility tree, as screen readers read it; the picture has a name, too. Any two of
    view, mode and scheme meet each time."""
    ready(page, wl.to_html(MADE[view](), tmp_path / "player.html", view=view))
    schemes = ("light", "dark", "light")[([*MADE].index(view) + half) % 2 :]
    for mode, least, scheme in zip(("page", "presentation"), (6, 0), schemes):  # no toolbar there
        page.evaluate("wordorderPlayer.go(wordorderPlayer.clock.last * 0.6)")
        assert len(named_controls(page)) >= least
        told = page.locator(".wol-stages svg[role][viewBox]:visible").all()
        assert told and all(one.get_attribute("aria-label") for one in told)
        page.emulate_media(color_scheme=scheme)
        page.locator(f".wol-player[data-theme={scheme}]").wait_for()
        seen, faint = page.evaluate(FAINT, 3)
        assert seen > 60 and not faint, (mode, scheme)
        page.evaluate("wordorderPlayer.present()")


def rows_of(page: Any, kind: str) -> list[str]:
    """What a list of actions says to a screen reader; ``kind``: possible or forbidden."""
    rows = page.get_by_role("list", name=re.compile(f"{kind} (here|just)")).get_by_role("listitem")
    return [row.get_attribute("aria-label") or row.text_content() for row in rows.all()]


def test_what_is_forbidden_says_why(page: Any, tmp_path: Path) -> None:
    """Event by event beside the possible actions of the state that is expanded, and ever after."""
    log = figure_4_log()
    first = log.events.index(("forbidden", 5, SHIFTS[2], BURIED)) + 1
    show(page, tmp_path, log)
    page.get_by_label("Step size").select_option("event")
    go_to(page, first - 1)
    assert page.locator(".wol-actions").count() == 0, "nothing is forbidden yet"
    page.get_by_label("Forward", exact=True).click()
    told = page.locator(".wol-narration").inner_text()
    assert told == f"In state 5, SHIFT a team/NP is forbidden: {BURIED}."
    assert page.locator(".wol-lit").inner_text().strip().startswith("for action in GETPOSSIBLE")
    assert page.locator(".wol-chosen").get_attribute("data-serial") == "5"
    assert rows_of(page, "forbidden") == [f"SHIFT a team/NP is forbidden: {BURIED}"]
    shifts = ["Dr. Talcott/NP", "led/VBD", "of/IN", "./."]
    assert rows_of(page, "possible") == [f"SHIFT {shift}" for shift in shifts]
    struck = page.locator(".wol-forbidden")
    assert struck.text_content() == "SHIFT a team/NP"
    assert struck.evaluate("one => getComputedStyle(one).textDecorationLine") == "line-through"
    assert BURIED in re.sub(" +", " ", page.locator(".wol-detail").text_content())
    page.get_by_label("Forward", exact=True).click()
    page.get_by_label("Forward", exact=True).click()
    assert page.locator(".wol-chosen").get_attribute("data-serial") == "1", "expanded next"
    assert rows_of(page, "possible") == ["SHIFT led/VBD", "SHIFT a team/NP"]
    assert rows_of(page, "forbidden") == []
    go_to(page, first)
    page.get_by_label("Step size").select_option("expansion")
    page.get_by_label("Back", exact=True).click()
    assert log.events[events(page) - 1][0] == "step"
    page.get_by_label("Forward", exact=True).click()
    assert events(page) == first, "the whole expansion of a state, what is forbidden included"
    summary = "From state 5: 4 candidates; what is given forbids 1 action."
    assert page.locator(".wol-narration").inner_text() == summary
    page.get_by_label("Last").click()
    assert rows_of(page, "possible")[0] == "LEFTARC, taken", "of the state before the best"
    assert "RIGHTARC is forbidden" in rows_of(page, "forbidden")[0]
    card = page.locator('[data-serial="5"]')
    assert "1 action forbidden" in card.get_attribute("aria-label")
    card.focus()
    card.press("Enter")
    assert rows_of(page, "forbidden") == [f"SHIFT a team/NP is forbidden: {BURIED}"]
    told = [row for row in csv.reader(io.StringIO(download(page, "CSV"))) if row[1] == "forbidden"]
    assert told[0] == ["2", "forbidden", "", "", "5", SHIFTS[2], *[""] * 4, BURIED]
    forbidden = [event[1:] for event in log if event[0] == "forbidden"]
    assert [(int(row[4]), row[5], row[-1]) for row in told] == forbidden
    page.get_by_label("View", exact=True).select_option("spans")
    go_to(page, first)
    assert BURIED in page.locator(".wol-narration").inner_text()


def test_reasons_are_text_and_long_lists_end(page: Any, tmp_path: Path) -> None:
    """A reason that looks like HTML is a reason; of many actions the first are shown."""
    evil = "<img src=x onerror=window.hacked=1> comes before <script>hacked=1</script>"
    log = figure_4_log(evil)
    for tag in ("NN", "<b>"):
        for i in range(20):
            log.forbidden(9, f"SHIFT-w{i}-{tag}", f"w{i} comes after <b>{i}</b>")
    player = show(page, tmp_path, log, at=len(log))
    page.locator(".wol-table > summary").click()
    page.locator(".wol-table tbody tr").nth(2).wait_for()
    rows = rows_of(page, "forbidden")
    assert rows[-1] == "… and 32 more" and len(rows) == 7
    assert rows[2] == "SHIFT w0/NN or <b> is forbidden: w0 comes after <b>0</b>"
    page.locator('[data-serial="5"]').click()
    assert rows_of(page, "forbidden") == [f"SHIFT a team/NP is forbidden: {evil}"]
    assert evil in player.locator(".wol-table").inner_text()
    assert player.locator("script, img, b").count() == 0
    assert page.evaluate("window.hacked") is None


def test_the_quiz_offers_nothing_forbidden(page: Any, tmp_path: Path) -> None:
    """It asks although what is forbidden was told last, and hides all scores until then."""
    log = figure_4_log()
    show(page, tmp_path, log)
    page.keyboard.press("Home")
    page.get_by_label("Quiz", exact=True).click()
    for _ in range(2):  # the first words alone are no question
        page.get_by_label("Last").click()
        step = fold(log, events(page))["step"]
        options = page.evaluate(ASKED)["options"]
        assert {one["value"] for one in options} <= {e[1] for e in log if e[0] == "candidate"}
        assert page.locator(".wol-question").inner_text().startswith(f"Step {step}: which of these")
        assert "score hidden" in page.locator(".wol-card.wol-open").first.get_attribute(
            "aria-label"
        )
        page.get_by_role("button", name="Show me").click()
    assert step == 3
