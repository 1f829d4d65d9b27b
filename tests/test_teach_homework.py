"""Homework sheets: nbgrader's marks, a release without solutions, and solutions that are right."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from wordorder_lab.experiments.records import read_record, record_file

pytest.importorskip("jupytext")
nbformat = pytest.importorskip("nbformat")

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs" / "teach"))

import homework  # noqa: E402

MARKS = {"grade", "grade_id", "locked", "schema_version", "solution", "task"}


@pytest.fixture(scope="module", params=homework.SHEETS, ids=lambda sheet: sheet.session)
def sheet(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture(scope="module")
def teacher(sheet: Any) -> Any:
    return homework.notebook_of(sheet)


def test_cells_are_marked_as_nbgrader_reads_them(sheet: Any, teacher: Any) -> None:
    """Schema 3: every cell has all marks, ids are its own, points stand where grades do."""
    for version in (teacher, homework.released(teacher)):
        nbformat.validate(version)
        marks = [cell.metadata.nbgrader for cell in version.cells]
        assert len({mark.grade_id for mark in marks}) == len(marks)
        for cell, mark in zip(version.cells, marks):
            assert set(mark) == MARKS | ({"points"} if mark.grade else set())
            assert mark.schema_version == 3 and not mark.task
            assert mark.grade or mark.solution or mark.locked
            assert not (mark.solution and mark.locked)
            assert cell.cell_type == "markdown" or not (mark.grade and mark.solution)
        points = [cell.metadata.nbgrader.points for cell in homework.graded(version)]
        wanted = [homework.POINTS] * len(sheet.exercises) + [homework.WRITTEN_POINTS]
        assert points == wanted


def test_solutions_pass_and_blanks_do_not(sheet: Any, teacher: Any) -> None:
    """The teacher's cells run from top to bottom; in the release each answer stops at once."""
    code = [cell for cell in teacher.cells if cell.cell_type == "code"]
    blanks = [cell for cell in homework.released(teacher).cells if cell.cell_type == "code"]
    names: dict[str, Any] = {}
    for cell, blank in zip(code, blanks):
        exec(compile(cell.source, cell.metadata.nbgrader.grade_id, "exec"), names)
        if cell.metadata.nbgrader.solution:
            assert not set(_statements(cell)) & set(_statements(blank))
            assert "raise NotImplementedError()" in blank.source
            assert homework.BEGIN not in blank.source and homework.END not in blank.source
        else:
            assert cell.source == blank.source


def _statements(cell: Any) -> list[str]:
    """What a cell does, function by function, without their first lines."""
    tree = ast.parse(cell.source)
    bodies = [node.body if isinstance(node, ast.FunctionDef) else [node] for node in tree.body]
    return [ast.unparse(statement) for body in bodies for statement in body]


def test_an_answer_of_one_function_keeps_its_first_line() -> None:
    source = homework.answer_source("", "def f(a):\n    b = a\n    return b", "")
    stub = "def f(a):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
    assert homework.cleared(source) == stub
    source = homework.answer_source("x = ...  # a list", "x = [1]", "import math")
    stub = "# x = ...  # a list\n# YOUR CODE HERE\nraise NotImplementedError()"
    assert homework.cleared(source) == stub


@pytest.mark.parametrize("wrong", ["### BEGIN SOLUTION\nx = 1", "x = 1\n### END SOLUTION"])
def test_a_mark_without_its_partner_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="no partner"):
        homework.cleared(wrong)


def test_what_is_no_exercise_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no exercise 20\.99"):
        homework.exercise_cells("20.99", "")


def test_the_floor_of_the_first_answer_is_that_of_the_record() -> None:
    rows = read_record(record_file("liu-2015-table-2"))["rows"]
    floor = {row["units"]: row["bleu_cased"] for row in rows if row["system"] == "random-order"}
    answer = homework.SHEETS[0].expected
    for units in ("base-np", "words"):
        assert f" {floor[units]:.1f}" in answer, units


def test_both_folders_are_written(tmp_path: Path) -> None:
    """As a course folder of nbgrader has them, and the same from run to run."""
    command = [sys.executable, homework.__file__, str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    files = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.ipynb"))
    sessions = [f"session_{n}/homework_{n}.ipynb" for n in range(1, 7)]
    assert files == [f"{v}/{s}" for v in ("release", "source") for s in sessions]
    first = nbformat.read(tmp_path / "release" / sessions[0], as_version=4)
    assert first == homework.released(homework.notebook_of(homework.SHEETS[0]))
