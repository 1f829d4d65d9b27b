"""Slides of the course: pages that play what their notes say, and a quiz page to each."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from browser import ready
from layout import NOTE

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs" / "teach"))

import lectures

from wordorder_lab.trace.reducers.replay import views_of
from wordorder_lab.widgets.moments import ASIDE

ON_PAPER = (3, 4, 6)
"""Sessions whose searches need no trained model."""


@pytest.fixture(scope="module", params=ON_PAPER)
def number(request: pytest.FixtureRequest) -> Any:
    return request.param


def test_a_lecture_and_its_quiz_are_written(number: int, tmp_path: Path) -> None:
    """Each is one small file that asks no host."""
    for path in lectures.pages(number, tmp_path):
        text = path.read_text(encoding="utf-8")
        assert path.stat().st_size < 1_000_000
        assert "default-src 'none'" in text and f"{number}: " in text


def test_scenes_open_inside_their_logs(number: int) -> None:
    """In a view that the log has; and there is something to say at each."""
    for scene in lectures.scenes(number):
        if not isinstance(scene, str):
            log, moments, *view = scene
            assert all(0 < event <= len(log) and text for event, text, *_ in moments)
            assert not view or view[0] in views_of(log)


def test_the_notes_of_the_search_by_hand_are_true() -> None:
    """What session 3 says of its pops: edges, scores, how many were made."""
    told = [s for s in lectures.scenes(3) if not isinstance(s, str)]
    by_text = {
        text: log.events[event - 1] for log, moments, *_ in told for event, text, *_ in moments
    }
    scores = [e[2] for e in by_text.values() if e[0] == "popped"]
    assert scores == pytest.approx([1, 3, 0, 7 / 3, 3, 0])  # the last one is of the plain search
    log = told[0][0]
    pops = [i for i, event in enumerate(log) if event[0] == "popped"]
    made = sum(event[0] in ("leaf", "edge") for event in log.events[pops[5] : pops[6]])
    assert made == 19


QUESTIONS = """() => {
  const player = wordorderPlayer, log = player.logs[0], {quiz} = player.viewOf(0);
  return Array.from({length: log.length}, (_, k) => k).filter((k) => quiz.asks(log, k)).length;
}"""


@pytest.mark.browser
@pytest.mark.parametrize("number", lectures.SESSIONS)
def test_a_lecture_by_its_keys(page: Any, number: int, tmp_path: Path) -> None:
    """PageDown tells every scene, in its order; no note lies on anything, no arrow on a text."""
    page.set_viewport_size({"width": 968, "height": 720})
    scenes = lectures.scenes(number)
    shown = [s if isinstance(s, str) else s[1][0][1] for s in scenes]
    wanted = [text.partition("\n---\n")[0] for text in shown]
    ready(page, lectures.pages(number, tmp_path)[0])
    told = []
    for _ in scenes:
        lines = page.locator(".wol-note-here text:visible").all_text_contents()
        told.append(" ".join(lines) or page.locator(".wol-scene-text").inner_text())
        assert page.evaluate(NOTE) == [], told[-1]
        page.keyboard.press("PageDown")
    assert told == wanted


@pytest.mark.browser
def test_a_quiz_that_asks(page: Any, number: int, tmp_path: Path) -> None:
    """There are at least three questions."""
    ready(page, lectures.pages(number, tmp_path)[1])
    assert page.evaluate(QUESTIONS) >= 3
    page.get_by_role("button", name="quiz").first.click()
    assert page.evaluate("wordorderPlayer.quiz.on")


def test_an_unknown_session_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no session '7'"):
        lectures.main(str(tmp_path), "7")


def test_what_only_the_presenter_reads_is_in_no_page_for_students() -> None:
    for told, shown in zip(lectures.scenes(6), lectures.scenes(6, told=False), strict=True):
        texts = [scene if isinstance(scene, str) else scene[1][0][1] for scene in (told, shown)]
        assert (
            texts[0].partition(ASIDE)[::2] == (texts[1], texts[0].partition(ASIDE)[2]) != ("", "")
        )


def test_a_slide_of_too_many_words_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    long = {"text": "{text} " * 2, "say": "nothing"}
    monkeypatch.setitem(lectures.SLIDES, "session_6", [long])
    shown = lectures.Shown({}, {"text": "word " * lectures.MOST_WORDS})
    monkeypatch.setattr(lectures, "_made", lambda _: (shown, None))
    with pytest.raises(ValueError, match="at most 20 words"):
        lectures.scenes(6)
