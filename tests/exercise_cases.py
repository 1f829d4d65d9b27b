"""What tests of exercises share: an answer that is told what is wrong, solutions that are run."""

from __future__ import annotations

import runpy
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from wordorder_lab.check import Desk, Verdict
from wordorder_lab.check.exercise import find

SOLUTIONS = Path(__file__).resolve().parents[1] / "notebooks" / "solutions"


def wrong_answers(cases: Iterable[tuple[str, Any, str]], **given: Any) -> Callable[..., None]:
    """A test: exercises, wrong answers, and what is said about them among other words."""

    @pytest.mark.parametrize(("number", "answer", "says"), cases)
    def told(number: str, answer: Any, says: str) -> None:
        needs = find(number).needs
        verdict = Desk()(number, answer, **{need: given[need] for need in needs if need in given})
        assert verdict.right is False and says in verdict.text, verdict.text

    return told


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
