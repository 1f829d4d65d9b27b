"""Homework for the six sessions, as notebooks that nbgrader can hand out and grade.

    python docs/teach/homework.py build/homework

writes a course folder as nbgrader expects it: ``source/session_1/homework_1.ipynb`` with solutions,
for the teacher, and ``release/session_1/homework_1.ipynb`` without them, for the class. Nothing is
written twice: the questions are taken from ``notebooks/``, the solutions from
``notebooks/solutions/``, and the tests ask the same desk (``wordorder_lab.check``) as in class.

An exercise is four kinds of cells: what is asked and what it needs to be asked (read-only), the
answer (``solution``; the teacher's has ``### BEGIN SOLUTION`` and ``### END SOLUTION`` around what
is cleared), and the test with its points (``grade``, locked). A written question ends each sheet;
it is graded by hand.
"""

from __future__ import annotations

import ast
import hashlib
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from wordorder_lab.runtime.atomic import replacing

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
STUB = ("# YOUR CODE HERE", "raise NotImplementedError()")
"""What stands in place of a solution: nbgrader's own words, so that both make the same release."""
WRITE_HERE = "YOUR ANSWER HERE"
CONFIG = """c = get_config()
c.CourseDirectory.course_id = "wordorder_lab"
c.ExecutePreprocessor.timeout = 300  # seconds a cell: some tests ask about every small bag
"""
"""What nbgrader is told, beside the folders."""
POINTS = 2
WRITTEN_POINTS = 4


@dataclass(frozen=True)
class Sheet:
    """The homework of one session: exercises by number, what they need, a question to write on."""

    session: int
    title: str
    exercises: tuple[str, ...]
    setup: str
    written: str
    expected: str


SHEETS = (
    Sheet(
        1,
        "A bag of words",
        ("00.1", "00.3", "01.1", "01.2"),
        "import wordorder_lab as wl\n"
        "from wordorder_lab.check import check, nb_01\n"
        "from wordorder_lab.plots import table\n\n"
        'held_out = wl.load_corpus("gazette").dev[:100]',
        "A friend tells you: *my system has 30 BLEU in word ordering, and on a translation task 30 "
        "is not bad at all.* What do you have to ask before you can say whether 30 is good here? "
        "Name two things, and say of each how it moves the number.",
        "The floor: a random order of the same bags is far above 0, since the words are right "
        "and phrases are kept whole. The units: with base noun phrases in one piece a random order "
        "of the Penn sample has 27.4, in single words 1.2. (Also: cased or lower-cased, which "
        "corpus, how long the sentences, tags given or not.)",
    ),
    Sheet(
        2,
        "Transitions, a beam, early update",
        ("20.1", "20.2", "20.3", "20.4", "20.5", "21.1"),
        "from wordorder_lab.check import check",
        "Early update throws the rest of a training sentence away. Why can that be better than "
        "learning from all of it? And what is lost by it?",
        "Once gold has been cut, the best state at the end was reached from a beam that had no "
        "right state in it: comparing it with gold may reward or punish actions of which none was "
        "the mistake, and the best state may even score less than gold. What is lost: the actions "
        "behind the update teach nothing in this pass, so learning takes more epochs, above all "
        "for long sentences and narrow beams.",
    ),
    Sheet(
        3,
        "An agenda, and learning that guides it",
        ("12.1", "12.3", "11.1", "11.2", "31.4"),
        "from wordorder_lab.check import check",
        "Best-first search may hand over a sentence in which words are missing; a beam of "
        "transitions never does. Why? And what would you tell the user of the first one?",
        "A transition sequence ends when the bag is empty and one tree stands on the stack, after "
        "2n - 1 actions whatever happens. An agenda has no such end: at its limit the goal may "
        "not have been popped, and the answer is put together from edges that do not overlap. Tell "
        "the user how the search ended and which words are missing, and that a higher limit or a "
        "wider chart may find them.",
    ),
    Sheet(
        4,
        "Categories",
        ("01.3", "01.4", "10.2", "10.3", "13.2", "13.3"),
        "from wordorder_lab.check import check, nb_13\nfrom wordorder_lab.plots import table",
        "Two edges have the same words in the same order and the same category. The chart keeps "
        "one of them. When is nothing lost by that, and when is something?",
        "Nothing is lost if every later step sees the two alike: the same category, the same "
        "words used, and the same in all that features look at (head, outer words and tags). "
        "Something is lost where a feature can see more than the signature says, or where the one "
        "that was dropped would have been the gold one in training.",
    ),
    Sheet(
        5,
        "Counting, and whose fault it was",
        ("30.1", "30.3", "30.4", "30.6", "31.1", "31.5"),
        "from wordorder_lab.check import check, nb_30\nfrom wordorder_lab.plots import table",
        "On 100 sentences you find 30 search errors with a beam of 4. You make the beam 64; now "
        "there are 2, and BLEU is as it was. Explain.",
        "The search now finds what the model likes best, and what it likes is not the reference: "
        "the search errors have become model errors. A wider beam helps only as far as the model "
        "is right; what is needed is another model (features, data, learning with that beam).",
    ),
    Sheet(
        6,
        "Making sentences shorter",
        ("40.1", "40.2", "40.4", "41.1", "41.2", "41.3"),
        "from wordorder_lab.check import check, nb_40, nb_41\n"
        "from wordorder_lab.plots import rules, table, trees\n"
        "import wordorder_lab as wl\n\n\n"
        "def text_of(tree):\n"
        '    """The words of a tree."""\n'
        '    return " ".join(tree.leaves())',
        "A system that deletes nothing has a high F1 of words. Why, and what should stand beside "
        "that score in every table?",
        "Its recall is 1, and its precision is the reference's compression rate, so with "
        "references that keep 70 % of the words F1 is 0.82. Beside it belong the compression rate "
        "of system and reference, a floor such as *keep all* at the same rate, and a measure of "
        "grammar or sense such as relation F1 or judges.",
    ),
)


def main(folder: str = "build/homework") -> int:
    """Write both versions of all sheets below this folder."""
    for sheet in SHEETS:
        teacher = notebook_of(sheet)
        for version, notebook in (("source", teacher), ("release", released(teacher))):
            path = Path(folder) / version / f"session_{sheet.session}"
            path.mkdir(parents=True, exist_ok=True)
            with replacing(path / f"homework_{sheet.session}.ipynb") as part:
                part.write_text(nbformat.writes(notebook), encoding="utf-8")
    with replacing(Path(folder) / "nbgrader_config.py") as part:
        part.write_text(CONFIG, encoding="utf-8")
    print(f"wrote {len(SHEETS)} sheets, {folder}/source and {folder}/release")
    return 0


def notebook_of(sheet: Sheet) -> Any:
    """The teacher's version of a sheet, with solutions."""
    cells = [_locked(new_markdown_cell(_head(sheet)), f"head_{sheet.session}")]
    cells.append(_locked(new_code_cell(sheet.setup), f"setup_{sheet.session}"))
    for number in sheet.exercises:
        cells += exercise_cells(number, sheet.setup)
    asked = f"**Write.** {sheet.written}\n\n*{WRITTEN_POINTS} points, graded by hand.*"
    cells.append(_locked(new_markdown_cell(asked), f"written_{sheet.session}_asks"))
    answer = new_markdown_cell(f"{BEGIN}\n{sheet.expected}\n{END}")
    cells.append(
        _marked(
            answer, f"written_{sheet.session}", grade=True, solution=True, points=WRITTEN_POINTS
        )
    )
    for cell in cells:  # always the same file from the same question
        cell.id = hashlib.sha256(cell.metadata.nbgrader.grade_id.encode()).hexdigest()[:8]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel})


def released(teacher: Any) -> Any:
    """The same sheet as a class gets it: whatever stands between the marks has been cleared."""
    notebook = nbformat.from_dict(teacher)
    for cell in notebook.cells:
        if cell.metadata.nbgrader.solution:
            stub = STUB if cell.cell_type == "code" else (WRITE_HERE,)
            cell.source = cleared(cell.source, stub)
    return notebook


def cleared(source: str, stub: Sequence[str] = STUB) -> str:
    """A source with ``stub`` in place of each marked solution, as far to the right as that was.

    Raises ``ValueError`` where a mark has no partner.
    """
    lines, inside = [], False
    for line in source.splitlines():
        if line.strip() == BEGIN and not inside:
            inside = True
            indent = line[: len(line) - len(line.lstrip())]
            lines += [indent + one for one in stub]
        elif line.strip() == END and inside:
            inside = False
        elif line.strip() in (BEGIN, END):
            raise ValueError(f"{line.strip()} has no partner in {source!r}")
        elif not inside:
            lines.append(line)
    if inside:
        raise ValueError(f"{BEGIN} has no partner in {source!r}")
    return "\n".join(lines)


# --- one exercise ---------------------------------------------------------------------------------


def exercise_cells(number: str, setup: str) -> list[Any]:
    """What is asked, what it needs, the answer, the test. ``ValueError`` for an unknown number."""
    asked, needed, blank = asked_in_notebook(number)
    solved, call, helpers = solved_elsewhere(number, known=defined(setup))
    name = number.replace(".", "_")
    asked = f"{asked}\n\n*{POINTS} points.*"
    cells = [_locked(new_markdown_cell(asked), f"asks_{name}")]
    for i, code in enumerate(needed):
        cells.append(_locked(new_code_cell(code), f"shows_{name}_{i}"))
    answer = new_code_cell(answer_source(blank, solved, helpers))
    cells.append(_marked(answer, f"answer_{name}", solution=True))
    test = f"verdict = {call}\nassert verdict.right, verdict.text\nprint(verdict.text)"
    cells.append(
        _marked(new_code_cell(test), f"test_{name}", grade=True, locked=True, points=POINTS)
    )
    return cells


def asked_in_notebook(number: str) -> tuple[str, list[str], str]:
    """The question's text, the code that shows what it is about, and the blank to be filled in."""
    (path,) = NOTEBOOKS.glob(f"{number.split('.')[0]}_*.py")
    text, found = "", False
    needed: list[str] = []
    for cell in jupytext.read(path).cells:
        if cell.cell_type == "markdown":
            parts = re.split(r"(?m)^(?=\*\*\d\d\.\d+)", cell.source)
            mine = [p for p in parts if re.match(rf"\*\*{re.escape(number)}(?!\d)", p)]
            if mine:
                text, found = mine[0].strip(), True
        elif found and f'check("{number}"' in cell.source:
            return text, needed, _before_check(cell.source)
        elif found:
            needed.append(cell.source)
    raise ValueError(f"{path.name} asks no exercise {number}")


def solved_elsewhere(number: str, known: set[str]) -> tuple[str, str, str]:
    """The solution, the call that checks it, and what of the file's head the solution uses."""
    (path,) = (NOTEBOOKS / "solutions").glob(f"{number.split('.')[0]}_*.py")
    code = [cell.source for cell in jupytext.read(path).cells if cell.cell_type == "code"]
    (place,) = (i for i, one in enumerate(code) if f'check("{number}"' in one)
    cell, before = code[place], "\n".join(code[:place])
    call = ast.get_source_segment(cell, ast.parse(cell).body[-1])
    solved = _before_check(cell)
    wanted = _names(ast.parse(solved)) - defined(solved)
    used: list[str] = []
    for statement in reversed(ast.parse(before).body):
        if defined(source := ast.get_source_segment(before, statement) or "") & wanted - known:
            wanted = (wanted | _names(statement)) - defined(source)
            used.insert(0, source)
    imports = [source for source in used if source.startswith(("import ", "from "))]
    others = [source for source in used if source not in imports]
    return solved, call or "", "\n\n\n".join(["\n".join(imports)] * bool(imports) + others)


def answer_source(blank: str, solved: str, helpers: str) -> str:
    """The teacher's answer cell: of one function the first line stays, all else is cleared.

    Elsewhere the blank stands above as a comment, so that a class knows which names are asked for.
    """
    body = ast.parse(solved).body
    if len(body) == 1 and isinstance(body[0], ast.FunctionDef) and not helpers:
        first = body[0].body[0].lineno - 1
        lines = solved.splitlines()
        return "\n".join([*lines[:first], f"    {BEGIN}", *lines[first:], f"    {END}"])
    comment = [f"# {line}".rstrip() for line in (blank or _blank_of(solved)).splitlines()]
    solution = "\n\n\n".join(part for part in (helpers, solved) if part)
    return "\n".join([*comment, BEGIN, solution, END])


def defined(source: str) -> set[str]:
    """The names that a piece of code gives a meaning to, those inside its functions left out."""
    names: set[str] = set()
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name.split(".")[0] for alias in statement.names}
        elif isinstance(statement, ast.FunctionDef):
            names.add(statement.name)
        elif isinstance(statement, ast.Assign):
            stored = (node for target in statement.targets for node in ast.walk(target))
            names |= {node.id for node in stored if isinstance(node, ast.Name)}
    return names


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _before_check(source: str) -> str:
    """A cell without its last statement, which hands the answer in."""
    last = ast.parse(source).body[-1]
    return "\n".join(source.splitlines()[: last.lineno - 1]).strip()


def _blank_of(solved: str) -> str:
    """``name = ...`` for each name that a solution defines, where the notebook has none."""
    return "\n".join(f"{name} = ..." for name in sorted(defined(solved)))


# --- cells and their marks ------------------------------------------------------------------------


def _head(sheet: Sheet) -> str:
    books = sorted({number.split(".")[0] for number in sheet.exercises})
    files = [path.name for book in books for path in NOTEBOOKS.glob(f"{book}_*.ipynb")]
    points = POINTS * len(sheet.exercises) + WRITTEN_POINTS
    named = ", ".join(f"`{file}`" for file in files)
    return (
        f"# Homework {sheet.session}: {sheet.title}\n\n**{points} points.** The exercises are "
        f"those of {named}; have these open beside you, as some questions point to a section of "
        "theirs. Write your answers where `raise NotImplementedError()` stands, and delete that "
        "line. The names that are asked for stand above it. The cell below each answer tells you "
        "whether it is right, and gives a hint if not."
    )


def _locked(cell: Any, grade_id: str) -> Any:
    return _marked(cell, grade_id, locked=True)


def _marked(
    cell: Any,
    grade_id: str,
    *,
    grade: bool = False,
    solution: bool = False,
    locked: bool = False,
    points: int | None = None,
) -> Any:
    """nbgrader's mark on a cell, schema 3; ``points`` stand where something is graded."""
    marks: dict[str, Any] = {"grade": grade, "grade_id": grade_id, "locked": locked}
    marks |= {"schema_version": 3, "solution": solution, "task": False}
    if points is not None:
        marks["points"] = points
    cell.metadata.nbgrader = nbformat.from_dict(marks)
    return cell


def graded(notebook: Any) -> Iterator[Any]:
    """The cells of a sheet that carry points."""
    return (cell for cell in notebook.cells if cell.metadata.nbgrader.grade)


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
