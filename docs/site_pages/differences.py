"""All points in which we differ from a paper, collected from the docstrings of the files."""

from __future__ import annotations

import ast
import re
from collections import Counter

from site_pages.page import PACKAGE, ROOT, Page, escaped, front
from site_pages.source_pages import link_to

MARKS = ("paper silent", "text against figure", "our reading")
HEADING = "\nDifferences\n"


def pages() -> list[Page]:
    """One page: how many points there are of each mark, and the points, file by file."""
    found = notes()
    counts = Counter(mark for points in found.values() for mark, _ in points)
    parts = [
        front("Differences"),
        "# Where we differ from the papers\n",
        "The closing note of each file, in one place. A point says that the *paper* is *silent*, "
        "that its *text* goes *against* a *figure* (or is misprinted), or what *our reading* is.\n",
        "; ".join(f"{counts[mark]} × *{mark}*" for mark in MARKS) + f"; {len(found)} files.\n",
    ]
    for name, points in found.items():
        parts.append(f"## `{name.removeprefix(PACKAGE + '/')}`\n\n{link_to(name, 'papers')}\n")
        parts += [*(f"- {escaped(text)}" for _, text in points), ""]
    return [Page("papers/differences.md", "\n".join(parts))]


def notes() -> dict[str, list[tuple[str, str]]]:
    """File -> its points in order, each with its mark; of all files that have a note.

    Raises ``ValueError`` for a point without one of the marks.
    """
    found = {}
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        _, heading, note = said.partition(HEADING)
        if heading:
            points = [" ".join(point.split()) for point in re.split(r"(?:^|\n)- ", note)[1:]]
            found[name] = [(_mark(name, point), point) for point in points]
    return found


def _mark(name: str, point: str) -> str:
    for mark in MARKS:
        if f"*{mark}*" in point.lower():
            return mark
    raise ValueError(f"{name}: no mark in the point {point[:60]!r}: say one of {', '.join(MARKS)}")
