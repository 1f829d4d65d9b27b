"""The notebooks as files: page and text agree, nothing is left of a run, links lead somewhere.

The text (``.py``) is the source. After an edit of it, ``python tests/test_notebooks.py`` writes the
pages (``.ipynb``) anew; a page that was edited in JupyterLab has been saved as text already. It
writes the solutions, too, from the exercises in ``wordorder_lab/check``, below their heads, which
are by hand: a title, imports, what is given to ``check``.
"""

from __future__ import annotations

import ast
import hashlib
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from house_rules import SLICES

from wordorder_lab.check.exercise import Exercise, code_of, exercises_of

jupytext = pytest.importorskip("jupytext")
nbformat = pytest.importorskip("nbformat")

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
TEXTS = sorted(FOLDER.glob("[0-9][0-9]_*.py"))
PAGES = sorted(FOLDER.glob("*.ipynb"))
SOLUTIONS = sorted((FOLDER / "solutions").glob("*.py"))

TO_WRITE = "run  python tests/test_notebooks.py  to write pages from texts, and solutions"
LINK = re.compile(r"\]\(([^)\s]+)\)")


def page_of(text: Path) -> Any:
    """The page that a text stands for; a cell's id comes from its content and its place among
    equal cells, so the same text always gives the same page."""
    notebook = jupytext.read(text)
    notebook.metadata.pop("jupytext", None)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    seen: dict[str, int] = {}
    for cell in notebook.cells:
        again = seen[cell.source] = seen.get(cell.source, 0) + 1
        cell.id = hashlib.sha256(f"{cell.source}{again}".encode()).hexdigest()[:8]
    return notebook


def solutions_of(text: Path) -> Any:
    """The solutions of a notebook as it is to be: the head of the file, then exercises."""
    head = jupytext.read(text.parent / "solutions" / text.name)
    first = next(
        (i for i, cell in enumerate(head.cells) if re.match(r"\*\*\d\d\.\d", cell.source)),
        len(head.cells),
    )
    del head.cells[first:]
    head.metadata["jupytext"] = {"notebook_metadata_filter": "kernelspec,-jupytext"}
    there: set[str] = set()
    for exercise in exercises_of(text.name[:2]).values():
        why = f"**{exercise.number}**\n\n{exercise.text.why}"
        head.cells.append(nbformat.v4.new_markdown_cell(why))
        for source in _cells_of(exercise, text):
            if source not in there:
                lines = 2 if source.startswith("def ") else 1
                head.cells[-1].metadata["lines_to_next_cell"] = lines
                head.cells.append(nbformat.v4.new_code_cell(source))
            there.add(source)
    return head


def _cells_of(exercise: Exercise[..., object], text: Path) -> Iterator[str]:
    """Functions that the solution calls, and the solution, handed in as in the notebook."""
    yield from map(code_of, exercise.helpers)
    call, solution = _call(exercise.number, text), exercise.code()
    answer = ast.unparse(call.args[1])
    parts = re.findall(r"\w+", answer)
    if not parts or not all(re.search(rf"(?m)^(def |\w+, )*{one}\b", solution) for one in parts):
        answer = exercise.name
    handed_in = ", ".join([f'"{exercise.number}"', answer, *map(ast.unparse, call.keywords)])
    if exercise.wants_function:
        yield f"{solution}\n\n\ncheck({handed_in})"
    else:
        given = [ast.unparse(word).split("=", 1) for word in call.keywords]
        lines = [f"{name} = {value}" for name, value in given if name != value]
        yield "\n".join([*lines, solution, f"check({handed_in})"])


def _call(number: str, text: Path) -> ast.Call:
    """How the notebook hands in the answer."""
    code = "\n".join(cell.source for cell in cells(text, "code"))
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call) and ast.unparse(node).startswith(f"check('{number}'"):
            return node
    raise AssertionError(f"{text.name} does not ask {number}")


def write() -> None:
    for text in TEXTS:
        nbformat.write(page_of(text), text.with_suffix(".ipynb"))
        jupytext.write(solutions_of(text), text.parent / "solutions" / text.name)
        print(f"wrote {text.with_suffix('.ipynb').name} and solutions/{text.name}")


@cache
def every_cell(path: Path) -> list[Any]:
    return list(jupytext.read(path).cells)


def cells(path: Path, kind: str) -> list[Any]:
    return [cell for cell in every_cell(path) if cell.cell_type == kind]


def prose(path: Path) -> str:
    if path.suffix == ".md":
        return path.read_text(encoding="utf-8")
    return "\n\n".join(cell.source for cell in cells(path, "markdown"))


def anchors(path: Path) -> set[str]:
    """What ``#...`` may point at: the headings, in lower case, with hyphens for spaces."""
    headings = re.findall(r"^#+ (.+)$", prose(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_there_are_notebooks_and_each_is_two_files() -> None:
    assert TEXTS and SOLUTIONS
    assert [text.stem for text in TEXTS] == [page.stem for page in PAGES]
    assert {solution.name for solution in SOLUTIONS} <= {text.name for text in TEXTS}


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)
def test_page_and_text_agree(text: Path) -> None:
    page, wanted = nbformat.read(text.with_suffix(".ipynb"), as_version=4), page_of(text)
    nbformat.validate(page)
    for ours, theirs in zip(page.cells, wanted.cells):
        assert ours.cell_type == theirs.cell_type and ours.source == theirs.source, TO_WRITE
        assert ours.metadata == theirs.metadata and ours.id == theirs.id, TO_WRITE
    assert len(page.cells) == len(wanted.cells), TO_WRITE
    assert page.metadata.kernelspec == wanted.metadata.kernelspec, TO_WRITE


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)
def test_saving_a_page_gives_its_text(text: Path) -> None:
    """What JupyterLab writes when a page is opened and saved is, to the letter, its text."""
    settings = tomllib.loads((FOLDER / "jupytext.toml").read_text(encoding="utf-8"))
    page = nbformat.read(text.with_suffix(".ipynb"), as_version=4)
    assert settings.pop("formats") == "ipynb,py:percent"
    page.metadata["jupytext"] = settings
    assert jupytext.writes(page, fmt="py:percent") == text.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_nothing_is_left_of_a_run(page: Path) -> None:
    notebook = nbformat.read(page, as_version=4)
    assert set(notebook.metadata) <= {"kernelspec", "language_info", "jupytext"}
    for cell in notebook.cells:
        assert set(cell.metadata) <= {"tags", "jupyter", "lines_to_next_cell"}, cell.source
        if cell.cell_type == "code":
            assert not cell.outputs and cell.execution_count is None, cell.source


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)
def test_the_head_says_what_one_needs(text: Path) -> None:
    head = cells(text, "markdown")[0].source
    assert re.search(r"\*\*\d+ minutes", head)
    assert "You need:" in head and "After this notebook you can" in head
    assert "(glossary.md)" in head and f"(solutions/{text.name})" in head


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)
def test_the_end_links_the_paper(text: Path) -> None:
    assert re.search(r"\]\(https://(aclanthology|doi)\.org/", cells(text, "markdown")[-1].source)


@pytest.mark.parametrize("path", [*TEXTS, *SOLUTIONS, FOLDER / "glossary.md"], ids=lambda p: p.name)
def test_links_lead_somewhere(path: Path) -> None:
    for link in LINK.findall(prose(path)):
        if not link.startswith("https://"):
            file, _, anchor = link.partition("#")
            there = path.parent / file if file else path
            assert there.is_file(), link
            assert not anchor or anchor in anchors(there), link


def test_the_map_has_every_notebook() -> None:
    """And every folder with a search, a learner or a grammar in it."""
    start = FOLDER / "00_start_here.py"
    linked = {Path(link).stem for link in re.findall(r"\]\((\d\d_\w+)\.ipynb\)", prose(start))}
    assert linked == {text.stem for text in TEXTS} - {start.stem}
    rooms = re.findall(r"^\| (`.+?) \|", prose(start), re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", " ".join(rooms))) >= SLICES


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)
def test_code_that_the_prose_names_is_there(text: Path) -> None:
    for name in re.findall(r"`(wordorder_lab/[\w/.]+)`", prose(text)):
        assert (FOLDER.parent / name).exists(), name


# --- how long a reader and a class need -----------------------------------------------------------

PROSE, CODE, CELL = 200, 15, 1 / 3
"""Words that are read in a minute, lines of code, and minutes for running a cell and looking."""


def minutes(cells_of: list[Any]) -> float:
    """Reading, cells, and exercises at the minutes that stand beside their numbers."""
    text = "\n".join(cell.source for cell in cells_of if cell.cell_type == "markdown")
    code = [one.source for one in cells_of if one.cell_type == "code" and not is_hidden(one)]
    words = len(re.findall(r"[^\W\d_][\w'’-]*", text))
    lines = sum(len(source.splitlines()) for source in code)
    exercises = sum(map(int, re.findall(r"\*\* \((\d+) minutes\)", text)))
    return words / PROSE + lines / CODE + len(code) * CELL + exercises


def is_hidden(cell: Any) -> bool:
    return "hidden" in cell.metadata.get("tags", [])


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)
def test_a_notebook_takes_its_minutes(text: Path) -> None:
    every = every_cell(text)
    asked = re.findall(r"^\*\*(\d\d\.\d+).*\*\* \(\d+ minutes\)", prose(text), re.MULTILINE)
    assert asked == [*exercises_of(text.name[:2])], "each exercise says how long it takes"
    (stated,) = re.findall(r"^\*\*(\d+) minutes", every[0].source, re.MULTILINE)
    assert minutes(every) <= int(stated)


def test_ten_minutes_lead_from_a_sentence_to_the_reason_of_a_mistake() -> None:
    every = every_cell(FOLDER / "00_start_here.py")
    (begin,) = (i for i, cell in enumerate(every) if "## Ten minutes" in cell.source)
    (end,) = (i for i, cell in enumerate(every) if "These were the first" in cell.source)
    first = every[begin:end]
    assert minutes(first) <= 10
    text = "\n".join(cell.source for cell in first)
    wanted = ("wl.order(", "wl.play(", "search error", "model error", "why=True")
    assert all(re.search(re.escape(one), text, re.IGNORECASE) for one in wanted)


MOST_LINES = 15


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)
def test_cells_are_short(text: Path) -> None:
    for cell in cells(text, "code"):
        assert is_hidden(cell) or len(cell.source.splitlines()) <= MOST_LINES, cell.source


PICTURES = r"""wl\.(play|explore|order|compressions_side_by_side)\(|show\(|\.tree\b|cutting_planes\(
 |conversion_steps\(|overview\("""


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)
def test_a_picture_comes_within_two_cells(text: Path) -> None:
    """The last line of one of the first two cells shows something."""
    last = [cell.source.splitlines()[-1] for cell in cells(text, "code")[:2]]
    assert any(re.match(rf"(?x)[\w.\[\]()]*?({PICTURES})", line) for line in last), last


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)
def test_a_notebook_imports_what_is_public(text: Path) -> None:
    """``import wordorder_lab as wl``, and for notebooks ``wordorder_lab.check`` and ``.plots``."""
    code = ast.parse("\n".join(cell.source for cell in cells(text, "code")))
    ours = {f"{node.module}" for node in ast.walk(code) if isinstance(node, ast.ImportFrom)}
    ours = {one for one in ours if one.startswith("wordorder_lab")}
    assert ours <= {"wordorder_lab.check", "wordorder_lab.plots"}


QUESTIONS = "02_reading_the_views"
"""About searches that are the same for everybody: no corpus is chosen, little is to be checked."""
RECORDS = "90_reproduce_papers"
"""About runs that have been made: no corpus is chosen."""
OTHERS = [text for text in TEXTS if text.stem not in (QUESTIONS, RECORDS)]


@pytest.mark.parametrize("text", OTHERS, ids=lambda path: path.stem)
def test_one_line_chooses_the_corpus(text: Path) -> None:
    code = "\n".join(cell.source for cell in cells(text, "code"))
    assert len(re.findall(r"^CORPUS = ", code, re.MULTILINE)) == 1
    assert set(
        re.findall(r"(?:load_(?:corpus|compressions)|nb_50\.material)\(([^)]*)\)", code)
    ) == {"CORPUS"}


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)
def test_promises_are_checked_out_of_sight(text: Path) -> None:
    """Cells that assert are hidden, and hidden cells assert; there are some of them."""
    code = cells(text, "code")
    hidden = [cell for cell in code if is_hidden(cell)]
    assert len(hidden) >= (1 if text.stem == QUESTIONS else 3)
    for cell in code:
        asserts = any(isinstance(node, ast.Assert) for node in ast.walk(ast.parse(cell.source)))
        assert asserts == (cell in hidden), cell.source
        assert cell.metadata.get("jupyter", {}).get("source_hidden", False) == (cell in hidden)


SHOWN_BY = ("matplotlib", "pandas", "IPython", "wordorder_lab.plots")
"""What draws or makes tables."""


def imported(code: ast.AST) -> list[ast.Import | ast.ImportFrom]:
    return [node for node in ast.walk(code) if isinstance(node, ast.Import | ast.ImportFrom)]


def drawing_functions(code: ast.AST) -> list[str]:
    """Functions of cells in which a name is used that draws or makes tables."""
    drawing: set[str] = set()
    for node in imported(code):
        for alias in node.names:
            module = node.module or "" if isinstance(node, ast.ImportFrom) else alias.name
            if f"{module}.".startswith(tuple(f"{name}." for name in SHOWN_BY)):
                drawing.add(alias.asname or alias.name.split(".")[0])
    return [
        function.name
        for function in ast.walk(code)
        if isinstance(function, ast.FunctionDef)
        and any(isinstance(one, ast.Name) and one.id in drawing for one in ast.walk(function))
    ]


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)
def test_a_notebook_imports_in_six_lines_and_draws_with_plots(text: Path) -> None:
    code = ast.parse("\n".join(cell.source for cell in cells(text, "code")))
    lines = sum((node.end_lineno or 0) - node.lineno + 1 for node in imported(code))
    assert lines <= 6, f"{lines} lines of imports"
    assert not drawing_functions(code), "what only draws has its place in wordorder_lab/plots"


def test_a_function_that_draws_is_noticed() -> None:
    for how in ("import pandas as table", "from wordorder_lab.plots import table"):
        helper = "def shown(rows):\n    return table(rows)"
        assert drawing_functions(ast.parse(f"{how}\n{helper}")) == ["shown"]
    assert not drawing_functions(ast.parse("from math import sin\ndef f(x):\n    return sin(x)"))


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)
def test_every_exercise_is_asked_unsolved_and_solved_elsewhere(text: Path) -> None:
    numbers = set(exercises_of(text.name[:2]))
    for path in (text, FOLDER / "solutions" / text.name):
        code = "\n".join(cell.source for cell in cells(path, "code"))
        assert set(re.findall(r'check\("([\d.]+)"', code)) == numbers, path
    for cell in cells(text, "code"):
        assert "check(" not in cell.source or "..." in cell.source, "exercises stand unsolved"


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)
def test_the_solutions_are_those_of_the_exercises(text: Path) -> None:
    there = (text.parent / "solutions" / text.name).read_text(encoding="utf-8")
    assert there == jupytext.writes(solutions_of(text), fmt="py:percent"), TO_WRITE


def test_the_glossary_says_what_differs_between_papers() -> None:
    terms = re.findall(r"^\*\*([^*]+)\*\*", prose(FOLDER / "glossary.md"), re.MULTILINE)
    assert len(terms) == len(set(terms)) and terms == sorted(terms, key=str.lower)
    assert {"agenda", "beam", "candidate", "early update", "edge", "gold"} <= set(terms)
    assert {"hypothesis", "projective", "size", "span", "state"} <= set(terms)


if __name__ == "__main__":
    write()
