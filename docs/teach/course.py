"""The course as one folder to hand out: notebooks, sheets, slides, homework, an exam with its key.

    python docs/teach/course.py build/course                    all of it
    python docs/teach/course.py build/course --students         without whatever holds an answer
    python docs/teach/course.py build/course --exam 17          only the exam of seed 17, with key
    python docs/teach/course.py build/course --notebooks        only what make lab opens

``students/`` has notebooks without twins, solutions and asserts, sheets as PDF and pages that play;
``teacher/`` has slides with speaker's notes, solutions, homework for nbgrader, keys and the exam.
No answer is stored: keys are worked out by the engines when the folder is made. A notebook in which
somebody has worked is left as it is. Without a browser the sheets are HTML alone, to print.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import grammar_items
import jupytext
import nbformat
import ordering_items
from drawn import KINDS, SEEDS, drawn
from nbconvert.filters import markdown2html

from wordorder_lab.commands.bench_players import FLAGS, find_browser
from wordorder_lab.runtime.atomic import replacing
from wordorder_lab.widgets.page import filled

TEACH = Path(__file__).resolve().parent
NOTEBOOKS = TEACH.parents[1] / "notebooks"
MODULES = (ordering_items, grammar_items)
"""What enters the kinds of questions."""
EXAM = "bleu actions early dead_ends agenda update pairs cut_by_beta fault permutation tree margin"
SHEETS = ("bleu", "beam", "agenda", "update", "chart", "tree")
SHEET_SEED = SEEDS - 1
"""No exam has this one, as everybody sees the sheets."""
PRACTICE = 0
"""The seed of the exam that everybody may see."""
SIZES = {"": "11pt", "_large": "16pt"}
KEPT = re.compile(r" (?=\.[\n*])|(?<=\bC) (?==)|(?<=\bC =) |(?<=\(\d,) |(?<=\(-\d,) ")
"""Where a line does not end: before a full stop that is a word, in C = 1, in a pair of numbers."""
MINE = ".made.json"
"""Notebooks as they were made: what has another sum now is somebody's work."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the folder, or the part that was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=Path("build/course"))
    parser.add_argument("--students", action="store_true", help="only what students may have")
    parser.add_argument("--notebooks", action="store_true", help="only their notebooks")
    parser.add_argument(
        "--seed", type=int, default=PRACTICE, help=f"of the exam, below {SHEET_SEED}"
    )
    parser.add_argument("--exam", type=int, metavar="SEED", help="only this exam, with its key")
    given = parser.parse_args(arguments)
    seed = given.seed if given.exam is None else given.exam
    if not 0 <= seed < SHEET_SEED:
        parser.error(f"the seed of an exam is a number from 0 to {SHEET_SEED - 1}, not {seed}")
    students, teacher = given.folder / "students", given.folder / "teacher"
    if given.exam is not None:
        exam(seed, teacher / "exam")
        return 0
    notebooks(students)
    if given.notebooks:
        return 0
    sheets(students / "sheets")
    players(students / "players", None if given.students else teacher / "slides")
    index(students)
    if not given.students:
        for_teachers(teacher, seed)
    print(f"the course is in {given.folder}")
    return 0


def for_teachers(folder: Path, seed: int) -> None:
    """Keys, solutions, homework, the exam, projects."""
    import homework  # needs the solutions, which a clone for students may lack

    keys = f"# Keys of the sheets\n\n{answered(SHEETS, SHEET_SEED)}"
    printed(folder / "keys_of_sheets", "Keys of the sheets", [keys])
    exam(seed, folder / "exam")
    solutions = folder / "solutions"
    solutions.mkdir(parents=True, exist_ok=True)
    for path in sorted((NOTEBOOKS / "solutions").glob("[0-9]*.py")):
        with replacing(solutions / f"{path.stem}.ipynb") as part:
            part.write_text(nbformat.writes(jupytext.read(path)), encoding="utf-8")
    homework.main(str(folder / "homework"))
    printed(folder / "projects", "Projects", [_text("projects.md")])


# --- exam and sheets ------------------------------------------------------------------------------


def exam(seed: int, folder: Path) -> None:
    """Write an exam and its key with rubric."""
    names = EXAM.split()
    points = sum(KINDS[name].points for name in names)
    minutes = sum(KINDS[name].minutes for name in names)
    head = (
        f"# Exam {seed}\n\n{len(names)} questions, {points} points, 90 minutes ({minutes} to work "
        "on, the rest to look it through). Paper and pencil, a calculator, half a page of your own "
        "notes. Show how you came to your numbers: steps get points, too."
    )
    for suffix, size in SIZES.items():
        paper = folder / f"exam_{seed}{suffix}"
        printed(paper, f"Exam {seed}", [head, asked(names, seed)], size)
    told = "\n\n".join([f"# Exam {seed}: key and rubric", answered(names, seed)])
    printed(folder / f"exam_{seed}_key", f"Key of exam {seed}", [told])


def sheets(folder: Path) -> None:
    """Write the sheets to work on by hand, each in two sizes of type."""
    for name in SHEETS:
        item, title = drawn(name, SHEET_SEED), KINDS[name].name
        form = f'<div class="form">\n\n{item.form}\n\n</div>'
        text = f"# {title}\n\nSession {KINDS[name].session} · Name:\n\n{item.asks}\n\n{form}"
        for suffix, size in SIZES.items():
            printed(folder / f"{name}{suffix}", title, [text], size)


def asked(names: Sequence[str], seed: int) -> str:
    """Questions with their weights, as Markdown."""
    return "\n\n".join(
        _section(number, name, drawn(name, seed).asks) for number, name in enumerate(names, 1)
    )


def answered(names: Sequence[str], seed: int) -> str:
    """The same with keys, worked out now, and what earns how many points."""
    parts = []
    for number, name in enumerate(names, 1):
        item = drawn(name, seed)
        earned = "\n".join(f"- **{points}**: {what}" for points, what in item.rubric)
        told = f"{item.asks}\n\n**Key**\n\n{item.key}\n\n{earned}"
        parts.append(_section(number, name, told, "key"))
    return "\n\n".join(parts)


def _section(number: int, name: str, text: str, look: str = "asked") -> str:
    one = KINDS[name]
    weight = f"{one.points} points, {one.minutes} minutes, session {one.session}"
    return (
        f'<section class="{look}">\n\n## {number} · {one.name} ({weight})\n\n{text}\n\n</section>'
    )


def printed(path: Path, title: str, parts: Sequence[str], size: str = SIZES[""]) -> None:
    """Write Markdown as HTML and, by a headless browser, as PDF beside it."""
    page, pdf = shown(path, title, parts, size), path.with_suffix(".pdf")
    if (browser := find_browser()) is None:
        print(f"no browser to print {page}: name one in $WORDORDER_LAB_BROWSER, or print it there")
        return
    with replacing(pdf) as part:
        to = [f"--print-to-pdf={part}", "--no-pdf-header-footer", page.resolve().as_uri()]
        subprocess.run([browser, *FLAGS, *to], check=True, capture_output=True, timeout=120)


def shown(path: Path, title: str, parts: Sequence[str], size: str = SIZES[""]) -> Path:
    """Write Markdown as HTML, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    body = markdown2html(KEPT.sub("\N{NO-BREAK SPACE}", "\n\n".join(parts)))
    with replacing(page := path.with_suffix(".html")) as part:
        part.write_text(filled(TEACH / "sheet.html", title=title, size=size, body=body), "utf-8")
    return page


# --- players, notebooks, index --------------------------------------------------------------------


def players(students: Path, slides: Path | None) -> None:
    """Write quizzes and slides for students; with the notes of who presents, to ``slides``."""
    import lectures

    for number in lectures.SESSIONS:
        lectures.pages(number, students, told=False)
        if slides:
            lectures.pages(number, slides)


def notebooks(folder: Path) -> None:
    """Write the notebooks as students get them; one in which somebody has worked stays as it is."""
    folder.mkdir(parents=True, exist_ok=True)
    record = folder / MINE
    made: dict[str, str] = json.loads(record.read_text("utf-8")) if record.is_file() else {}
    for path in sorted(NOTEBOOKS.glob("[0-9][0-9]_*.py")):
        page = folder / f"{path.stem}.ipynb"
        if page.is_file() and made.get(page.name) != _sum(page.read_bytes()):
            print(f"kept {page}: somebody has worked in it")
            continue
        text = nbformat.writes(for_students(path)).encode()
        with replacing(page) as part:
            part.write_bytes(text)
        made[page.name] = _sum(text)
    with replacing(record) as part:
        part.write_text(json.dumps(made, indent=1, sort_keys=True), "utf-8")
    shutil.copyfile(NOTEBOOKS / "glossary.md", folder / "glossary.md")
    shutil.copytree(NOTEBOOKS / "views", folder / "views", dirs_exist_ok=True)


def _sum(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def for_students(path: Path) -> Any:
    """A notebook without the cells that only check it, and without links to solutions."""
    notebook = jupytext.read(path)
    notebook.metadata.pop("jupytext", None)
    shown = [cell for cell in notebook.cells if "hidden" not in cell.metadata.get("tags", ())]
    for number, cell in enumerate(shown):
        if cell.cell_type == "markdown":
            cell.source = re.sub(r"\[Solutions\]\([^)]*\) ·\s*", "", cell.source)
        cell.id = _sum(f"{number} {cell.source}".encode())[:8]
    notebook.cells = shown
    return notebook


def index(folder: Path) -> None:
    """Write the page that leads to all of it, session by session."""
    shown(folder / "index", "The course", ["# The course", *_sessions()])


def _sessions() -> Iterator[str]:
    rows = re.findall(r"^\| \[(\d)\]\(.*?\) \| (.*?) \|.*\| (.*?) \|$", _text("index.md"), re.M)
    for number, title, books in rows:
        lines = [f"- notebook [{name}]({name}.ipynb)" for name in re.findall(r"`(\w+)`", books)]
        lines += [
            f"- sheet [{KINDS[name].name}](sheets/{name}.pdf), "
            f"[in large type](sheets/{name}_large.pdf)"
            for name in SHEETS
            if KINDS[name].session == int(number)
        ]
        lines += [f"- [slides](players/lecture_{number}.html), [quiz](players/quiz_{number}.html)"]
        yield f"## {number} · {title}\n\n" + "\n".join(lines)


def _text(name: str) -> str:
    return (TEACH / name).read_text(encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
