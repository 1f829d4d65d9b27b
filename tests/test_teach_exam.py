"""The exam: twenty questions, and answers that are what the engines work out today."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "teach"
sys.path.insert(0, str(FOLDER))

import exam_answers  # noqa: E402


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return exam_answers.pages()


@pytest.mark.parametrize("name", ["exam.md", "exam_answers.md"])
def test_the_pages_are_current(pages: dict[str, str], name: str) -> None:
    told = "run  python docs/teach/exam_answers.py  to write the pages anew"
    assert (FOLDER / name).read_text(encoding="utf-8") == pages[name], told


def test_twenty_questions_over_six_sessions(pages: dict[str, str]) -> None:
    """The exam asks them all, and answers none."""
    sessions = re.findall(r"^## \d+ \(session (\d)\)$", pages["exam.md"], re.MULTILINE)
    assert len(sessions) == 20 and {*sessions} == {*"123456"}
    assert "**Answer.**" not in pages["exam.md"]
    assert pages["exam_answers.md"].count("**Answer.**") == 20
    for asked in re.split(r"^## .*$", pages["exam.md"], flags=re.MULTILINE)[1:]:
        assert asked.strip() in pages["exam_answers.md"]
