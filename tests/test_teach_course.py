"""The course's pages: ninety minutes each, and what they name is there."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

pytest.importorskip("jupytext")

ROOT = Path(__file__).resolve().parents[1]
FOLDER, NOTEBOOKS = ROOT / "docs" / "teach", ROOT / "notebooks"
sys.path.insert(0, str(FOLDER))

import homework  # noqa: E402
import lectures  # noqa: E402

from wordorder_lab.check.exercise import all_exercises  # noqa: E402

PAGES = sorted(FOLDER.glob("*.md"))
SESSIONS = [FOLDER / f"session_{number}.md" for number in lectures.SESSIONS]
PLANS = [*((page, 90) for page in SESSIONS), (FOLDER / "guest_lecture.md", 45)]
WRITTEN = ("index.md", "guest_lecture.md", *(page.name for page in SESSIONS))


def text_of(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(("page", "minutes"), PLANS, ids=lambda one: getattr(one, "stem", one))
def test_the_minutes_add_up(page: Path, minutes: int) -> None:
    assert sum(map(int, re.findall(r"^\| (\d+) \|", text_of(page.name), re.MULTILINE))) == minutes


@pytest.mark.parametrize("page", SESSIONS, ids=lambda page: page.stem)
def test_a_session_says_all_that_a_lecturer_needs(page: Path) -> None:
    headings = re.findall(r"^## (.+)$", text_of(page.name), re.MULTILINE)
    wanted = ["Goals", "Minutes", "Pages", "Homework", "What students usually get wrong"]
    assert headings == wanted
    number = page.stem.removeprefix("session_")
    assert f"python docs/teach/lectures.py build/lectures {number}\n" in text_of(page.name)


@pytest.mark.parametrize("name", WRITTEN)
def test_sections_of_notebooks_are_there(name: str) -> None:
    """A notebook's name in code, and behind it, in italics, its headings."""
    for notebook, sections in re.findall(
        r"`(\d\d_\w+)`(?:: ((?:\*[^*]+\*(?:, )?)+))?", text_of(name)
    ):
        source = (NOTEBOOKS / f"{notebook}.py").read_text(encoding="utf-8")
        headings = set(re.findall(r"^# ##+ (.+)$", source, re.MULTILINE))
        for section in re.findall(r"\*([^*]+)\*", sections):
            assert section in headings, f"{notebook}: {section}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_to_pages_of_the_course(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s#]+)[^)\s]*\)", text_of(page.name)):
        assert (FOLDER / link).is_file(), link


@pytest.mark.parametrize("name", WRITTEN)
def test_pages_that_play_are_made_by_somebody(name: str) -> None:
    """``lecture_3.html`` and ``quiz_3.html`` by the slides, all others by the gallery."""
    listed = ROOT / "wordorder_lab" / "commands" / "pages" / "gallery.toml"
    gallery = tomllib.loads(listed.read_text(encoding="utf-8"))
    for file in re.findall(r"`([\w-]+\.html)`", text_of(name)):
        ours = re.fullmatch(r"(?:lecture|quiz)_(\d)\.html", file)
        assert int(ours[1]) in lectures.SESSIONS if ours else file[:-5] in gallery, file


@pytest.mark.parametrize("sheet", homework.SHEETS, ids=lambda sheet: sheet.session)
def test_the_homework_is_that_of_the_sheet(sheet: homework.Sheet) -> None:
    """Exercises and points; whatever else is recommended exists."""
    text = text_of(f"session_{sheet.session}.md")
    part = text.partition("## Homework")[2].partition("##")[0].replace("\n", " ")
    asked = part.partition(" points")[0]
    numbers = re.findall(r"\b\d\d\.\d+\b", asked)
    if "to" in asked.split():  # 20.1 to 20.5
        first, last = (int(number[3:]) for number in numbers[:2])
        numbers[:2] = [f"{numbers[0][:3]}{i}" for i in range(first, last + 1)]
    assert tuple(numbers) == sheet.exercises
    points = homework.POINTS * len(sheet.exercises) + homework.WRITTEN_POINTS
    assert asked.split()[-1] == str(points)
    assert set(re.findall(r"\b\d\d\.\d+\b", part)) <= set(all_exercises())


def test_scenes_that_are_named_are_there() -> None:
    """The guest lecture walks through all of session 1 and most of session 3."""
    assert len(lectures.best_first()) >= 11 and "scenes 9 to 11" in text_of("guest_lecture.md")
