"""What is said in the course: few words a slide, and each term is introduced before it is used.

A slide names the words of the glossary that begin with it, and its note says them. Whatever comes
later may use them: the next slides, the quiz and the exam questions of this session, all
later sessions. A session's page speaks of its end.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from browser import ready

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs" / "teach"))

pytest.importorskip("jupytext")

import course  # noqa: E402
import lectures  # noqa: E402
from drawn import KINDS, drawn  # noqa: E402

import wordorder_lab as wl  # noqa: E402

GLOSSARY = (ROOT / "notebooks" / "glossary.md").read_text(encoding="utf-8")
ACTIONS = ("SHIFT", "LEFTARC", "RIGHTARC")
TERMS = {
    *ACTIONS,
    *", ".join(re.findall(r"^\*\*(.+?)\*\*", GLOSSARY, re.MULTILINE)).split(", "),
}


def slides(number: int) -> list[dict[str, Any]]:
    """As they are written; what a search fills in is left out."""
    return [
        {**slide, "text": re.sub(r"\{.*?\}", "", slide["text"]), "new": {*slide.get("new", ())}}
        for slide in lectures.SLIDES[f"session_{number}"]
    ]


def known_after(number: int) -> set[str]:
    """All terms that have been introduced when a session ends."""
    return {term for n in range(1, number + 1) for slide in slides(n) for term in slide["new"]}


def used(text: str) -> set[str]:
    """The terms in a text; what stands in code is a name."""
    plain = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", " ", text, flags=re.DOTALL)
    return {
        t for t in TERMS if re.search(rf"(?<![\w-]){re.escape(t)}s?(?![\w-])", plain, re.IGNORECASE)
    }


@pytest.fixture(params=lectures.SESSIONS)
def number(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def test_a_slide_has_few_words_and_a_note_and_most_are_pictures(number: int) -> None:
    """What a search fills in is counted when the page is made."""
    shown = slides(number)
    assert "at" in shown[0] and sum("at" in slide for slide in shown) > len(shown) / 2
    for slide in shown:
        assert 1 < len(slide["text"].split()) <= lectures.MOST_WORDS and slide["say"]


def test_slides_use_no_term_before_it_is_introduced(number: int) -> None:
    """A term begins where it is said or read, and once."""
    known = known_after(number - 1)
    for slide in slides(number):
        assert slide["new"] <= TERMS and not slide["new"] & known, slide
        assert slide["new"] <= used(f"{slide['text']} {slide['say']}"), slide
        known |= slide["new"]
        assert used(slide["text"]) <= known, slide


def test_a_session_uses_no_term_that_it_has_not_introduced(number: int) -> None:
    text = (ROOT / "docs" / "teach" / f"session_{number}.md").read_text(encoding="utf-8")
    plan = re.sub(r"^#.*$", "", text.partition("## Homework")[0], flags=re.MULTILINE)
    assert used(plan) - known_after(number) == set()


@pytest.mark.parametrize("name", KINDS)
def test_a_question_uses_no_term_that_its_session_has_not_introduced(name: str) -> None:
    one, item = KINDS[name], drawn(name, course.PRACTICE)
    assert used(f"{one.name}: {item.asks}") - known_after(one.session) == set()


@cache
def _read_little() -> Any:
    """A model that says what the quiz of session 1 needs, and has to be compiled nowhere."""
    few = wl.load_corpus("gazette").train[:20]
    return wl.train("liu-2015", few, beam=2, epochs=1, engine="reference", progress=False)


@pytest.mark.browser
@pytest.mark.parametrize("number", [1, 2, 3, 4, 6])  # that of 5 is played as that of 2
def test_a_quiz_uses_no_term_that_its_session_has_not_introduced(
    page: Any, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that the player tells of its first steps, and the actions that the class chooses."""
    monkeypatch.setattr(lectures, "small_model", _read_little)
    log, view, at = lectures.SESSIONS[number].quiz()
    ready(page, wl.to_html(log, tmp_path / "quiz.html", view=view, at=at))
    read = [page.locator(".wol-body button").all_inner_texts() if number == 1 else []]
    for _ in range(30):
        read.append(page.locator(".wol-narration, .wol-quiz").all_inner_texts())
        page.keyboard.press("ArrowRight")
    told = " ".join(text for texts in read for text in texts)
    assert used(told) and used(told) - known_after(number) == set()


def test_scenes_that_a_page_names_are_there() -> None:
    for path in (ROOT / "docs" / "teach").glob("*.md"):
        page = None
        for row in re.findall(r"^\|.*\|$", path.read_text(encoding="utf-8"), re.MULTILINE):
            if lecture := re.search(r"lecture_(\d)\.html", row):
                page = int(lecture[1])
            for scene in re.findall(r"scenes? (\d+)(?: (?:to|and) (\d+))?", row):
                assert page and max(map(int, filter(None, scene))) <= len(slides(page)), row
