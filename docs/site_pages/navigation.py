"""The site's navigation: sections in order, in each the pages that are there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SECTIONS: dict[str, tuple[str, ...]] = {
    "Start": ("index.md", "find.md", "cite.md", "data.md", "licences.md"),
    "Try": ("try.md",),
    "Learn": ("learn/",),
    "Teach": ("teach/",),
    "Do": ("do/",),
    "Reference": ("reference/",),
    "Papers": ("papers/",),
    "Results": ("results/",),
    "Gallery": ("gallery.md",),
}
"""Section -> pages, or folders with all that is in them; what is not there is left out."""
UNDER: dict[str, str] = {
    "reference/python/": "Python",
    "reference/command_line/": "Command line",
}
"""Folders of a section that have a heading of their own."""
PAPER = re.compile(r"results/([a-z-]+)-((?:19|20)\d\d)(?:-|\.)")
"""Authors and year in the name of an experiment; who stands alone there had company."""
LINK = re.compile(r"\]\(([\w/]+\.md)\)")


def navigation(docs: Path, generated: Sequence[str]) -> list[Any]:
    """What MkDocs wants as ``nav``: of the files below ``docs`` and of the generated ones."""
    written = [path.relative_to(docs).as_posix() for path in sorted(docs.rglob("*.md"))]
    there = [*dict.fromkeys([*written, *generated])]
    nav: list[Any] = []
    for title, wanted in SECTIONS.items():
        found = [path for name in wanted for path in _matching(name, there)]
        if found:
            found = _as_listed(docs, found)
            nav.append({title: _grouped(found)})
    return nav


def _matching(wanted: str, there: Sequence[str]) -> list[str]:
    """The page of this name, or all in this folder: its index first."""
    if not wanted.endswith("/"):
        return [wanted] if wanted in there else []
    found = [path for path in there if path.startswith(wanted)]
    return sorted(found, key=lambda path: (not path.endswith("/index.md"), path))


def _as_listed(docs: Path, paths: Sequence[str]) -> list[str]:
    """Pages as the index that comes first names them, if one is written; the others behind."""
    index = docs / paths[0]
    if not (paths[0].endswith("/index.md") and index.exists()):
        return list(paths)
    links = LINK.findall(index.read_text(encoding="utf-8"))
    listed = [f"{paths[0].removesuffix('index.md')}{link}" for link in dict.fromkeys(links)]
    places = {path: i for i, path in enumerate([paths[0], *listed])}
    return sorted(paths, key=lambda path: places.get(path, len(places)))


def _heading(path: str) -> str:
    """The heading in its section under which a page stands: its folder's, or its paper's."""
    if (paper := PAPER.match(path)) is not None:
        authors, year = paper.groups()
        *others, last = (name.capitalize() for name in authors.split("-"))
        names = f"{', '.join(others)} & {last}" if others else f"{last} et al."
        return f"{names} ({year})"
    return next((title for folder, title in UNDER.items() if path.startswith(folder)), "")


def _grouped(paths: Sequence[str]) -> list[Any]:
    groups: dict[str, list[str]] = {}
    plain: list[str] = []
    for path in paths:
        heading = _heading(path)
        if heading:
            groups.setdefault(heading, []).append(path)
        else:
            plain.append(path)
    return [*plain, *({title: inside} for title, inside in groups.items())]
