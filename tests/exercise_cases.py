"""What tests of exercises share: an answer that is told what is wrong, solutions that are run."""

from __future__ import annotations

import runpy
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

from wordorder_lab.check import Desk, Verdict

SOLUTIONS = Path(__file__).resolve().parents[1] / "notebooks" / "solutions"


def assert_told(number: str, answer: Any, says: str, **given: Any) -> None:
    """A wrong answer is told so, with these words among others."""
    told = Desk()(number, answer, **given)
    assert told.right is False and says in told.text, told.text


@cache
def run_solutions(notebook: str) -> tuple[Desk, dict[str, Verdict], dict[str, Any]]:
    """The desk at which a file of solutions hands in, what was said of each answer, and the names
    that the file defines."""
    (path,) = SOLUTIONS.glob(f"{notebook}_*.py")
    desk, told = Desk(), {}

    def check(number: str, answer: Any, **given: Any) -> None:
        told[number] = desk(number, answer, **given)

    with mock.patch("wordorder_lab.check.check", check):
        names = runpy.run_path(str(path))
    return desk, told, names
