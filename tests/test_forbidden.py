"""What is forbidden, in the beam view: beside what is possible, with the reason, as text."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

from browser import go_to
from random_logs import BURIED, SHIFTS, figure_4_log
from test_player import ASKED, download, events, show

from wordorder_lab.trace.reducers.replay import fold


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
    player = show(page, tmp_path, log)
    page.get_by_label("Last").click()
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
    for _ in range(3):
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
