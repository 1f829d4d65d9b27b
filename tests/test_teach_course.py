"""The course's pages: ninety minutes each, and what they name is there."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from typing import Any

import pytest

jupytext = pytest.importorskip("jupytext")
nbformat = pytest.importorskip("nbformat")

ROOT = Path(__file__).resolve().parents[1]
FOLDER, NOTEBOOKS = ROOT / "docs" / "teach", ROOT / "notebooks"
sys.path.insert(0, str(FOLDER))

import course  # noqa: E402
import homework  # noqa: E402
import lectures  # noqa: E402
from drawn import KINDS  # noqa: E402

from wordorder_lab.check.exercise import all_exercises  # noqa: E402

PAGES = sorted(FOLDER.glob("*.md"))
SESSIONS = [FOLDER / f"session_{number}.md" for number in lectures.SESSIONS]
SPARE = 10
"""Minutes of ninety that no plan may use."""
WRITTEN = ("index.md", "guest_lecture.md", *(page.name for page in SESSIONS))


def text_of(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def minutes_of(name: str) -> int:
    return sum(map(int, re.findall(r"^\| (\d+) \|", text_of(name), re.MULTILINE)))


@pytest.mark.parametrize("plan", SESSIONS, ids=lambda plan: plan.stem)
def test_a_session_says_all_that_a_lecturer_needs(plan: Path) -> None:
    """And leaves ten minutes; three things go wrong; slides and sheets that it names are there."""
    text = text_of(plan.name)
    wanted = ["Goals", "Minutes", "Homework", "Three things that go wrong", "Without machines"]
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert headings == [*wanted, "What students usually get wrong"]
    assert 60 < minutes_of(plan.name) <= 90 - SPARE
    parts = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n)+)", text, re.MULTILINE))
    assert len(re.findall("^- ", parts["Three things that go wrong"], re.MULTILINE)) == 3
    sheets = {KINDS[name].name for name in course.SHEETS}
    assert {*re.findall(r"[Ss]heets? \*(.+?)\*", text)} <= sheets


def test_a_guest_lecture_has_forty_five_minutes() -> None:
    assert minutes_of("guest_lecture.md") == 45


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


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.stem)
def test_links_lead_to_pages_of_the_course(file: Path) -> None:
    for link in re.findall(r"\]\(([^)\s#]+)[^)\s]*\)", text_of(file.name)):
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


# --- the folder to hand out -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def handed_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What students get, in a clone without solutions and where no browser is; no players."""
    folder = tmp_path_factory.mktemp("course")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "homework", None)
        patch.setattr(course, "find_browser", lambda: None)
        patch.setattr(course, "players", lambda *_: None)
        assert course.main([str(folder), "--students"]) == 0
    return folder / "students"


def test_students_get_notebooks_without_twins_solutions_and_asserts(handed_out: Path) -> None:
    pages = sorted(handed_out.glob("*.ipynb"))
    assert len(pages) == len(list(NOTEBOOKS.glob("[0-9][0-9]_*.py"))) == 18
    assert not list(handed_out.rglob("*.py")) and not (handed_out.parent / "teacher").exists()
    for path in pages:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
        assert not re.search(r"^assert ", code, re.MULTILINE), path.name
        for link in re.findall(r"\]\(([^)\s#:]+)[)#]", str(notebook)):
            assert (handed_out / link).is_file(), f"{path.name}: {link}"


def test_a_copy_without_solutions_makes_all_that_students_get(tmp_path: Path) -> None:
    """The command that the page gives, and in what it packs, the notebooks, and one that is run."""
    if not (ROOT / ".git").exists():
        pytest.skip("no repository to make a copy of")
    (command,) = re.findall(r"^    (git archive .+)$", text_of("index.md"), re.MULTILINE)
    packed = tmp_path / "lab.tar.gz"
    command = command.replace("lab.tar.gz", str(packed))
    subprocess.run(shlex.split(command), check=True, cwd=ROOT)
    with tarfile.open(packed) as whole:
        whole.extractall(tmp_path, filter="data")
    copy = tmp_path / "lab"
    assert not list(copy.rglob("*solutions*")) and not (copy / "docs/teach/homework.py").exists()
    run = [sys.executable, "docs/teach/course.py", "build/course", "--notebooks"]
    told = {**os.environ, "PYTHONPATH": str(copy)}
    subprocess.run(run, check=True, cwd=copy, env=told)
    made = sorted((copy / "build/course/students").glob("*.ipynb"))
    assert [one.stem for one in made] == [one.stem for one in sorted(NOTEBOOKS.glob("*.ipynb"))]


def names_in(cells: list[Any]) -> tuple[set[str], set[str]]:
    """The names that code reads, and those that it gives a meaning to in any scope."""
    read, given = set[str](), set[str]()
    for cell in cells:
        for node in ast.walk(ast.parse(cell.source if cell.cell_type == "code" else "")):
            if isinstance(node, ast.Name):
                (read if isinstance(node.ctx, ast.Load) else given).add(node.id)
            elif isinstance(node, ast.arg):
                given.add(node.arg)
    return read, given


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("[0-9][0-9]_*.py")), ids=lambda p: p.stem)
def test_no_cell_that_is_left_needs_one_that_is_not(path: Path) -> None:
    left = course.for_students(path).cells
    sources = {cell.source for cell in left}
    gone = [cell for cell in jupytext.read(path).cells if cell.source not in sources]
    read, given = names_in(left)
    assert (read - given) & names_in(gone)[1] == set()


def test_the_index_leads_to_what_is_there(handed_out: Path) -> None:
    links = re.findall(r'href="([^"#]+)"', (handed_out / "index.html").read_text(encoding="utf-8"))
    assert len(links) > 30
    for link in links:
        made = link.replace(".pdf", ".html")  # there is no browser to print it
        assert link.startswith("players/") or (handed_out / made).is_file(), link


def test_a_notebook_in_which_somebody_has_worked_stays(handed_out: Path, tmp_path: Path) -> None:
    shutil.copytree(handed_out, tmp_path, dirs_exist_ok=True)
    mine = tmp_path / "00_start_here.ipynb"
    mine.write_text("mine", encoding="utf-8")
    (tmp_path / "01_corpora_and_grammars.ipynb").unlink()
    course.notebooks(tmp_path)
    assert mine.read_text(encoding="utf-8") == "mine"
    assert (tmp_path / "01_corpora_and_grammars.ipynb").is_file()


def test_sheets_say_what_is_asked_and_not_the_key(handed_out: Path) -> None:
    for name in course.SHEETS:
        normal, large = (
            (handed_out / "sheets" / f"{name}{suffix}.html").read_text(encoding="utf-8")
            for suffix in course.SIZES
        )
        assert "<strong>Key" not in normal and "<table>" in normal
        assert normal.replace(course.SIZES[""], course.SIZES["_large"]) == large


@pytest.mark.browser
def test_a_sheet_is_printed(tmp_path: Path) -> None:
    if course.find_browser() is None:
        pytest.skip("no browser to print with")
    course.printed(tmp_path / "sheet", "A sheet", ["# A sheet"])
    assert (tmp_path / "sheet.pdf").read_bytes().startswith(b"%PDF")


def test_the_page_on_the_exam_has_its_weights() -> None:
    rows = re.findall(
        r"^\| ([^|]+) \| (\d) \| (\d+) \| (\d+) \|$", text_of("exam.md"), re.MULTILINE
    )
    kinds = [KINDS[name] for name in course.EXAM.split()]
    assert rows == [(k.name, str(k.session), str(k.points), str(k.minutes)) for k in kinds]


def test_marks_of_each_project_add_up_to_a_hundred() -> None:
    _, *projects = text_of("projects.md").split("\n## ")
    for project in projects:
        assert sum(map(int, re.findall(r"\| (\d+) \|$", project, re.MULTILINE))) == 100
    assert len(projects) == 3
