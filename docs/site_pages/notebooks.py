"""The notebooks: an index of them, and the pages that ``make pages`` has made, with a way back.

Each of those pages has a quarter of a megabyte of styles and its players' code inside, so that it
can be sent alone. On the site they share them. Where no pages were made the index says so; the site
is whole without them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from site_pages import lite_site
from site_pages.page import ROOT, Page, escaped, front, with_way_back
from site_pages.shared_player import with_shared_parts

SHOWN = ROOT / "build" / "pages"
PICTURE = "../pictures/player.png"
SHARED = 4000
"""Signs from which on a style is a file of its own."""
WIDE = '<div style="overflow-x: auto"'
"""How the box begins in which a wide tree is moved: on the site by keys, too."""
OWN_STYLE = '<link rel="stylesheet" href="../assets/notebook.css">\n'
IN_A_TAB: dict[str, str] = json.loads(
    Path(__file__).with_name("notebooks_in_a_tab.json").read_text(encoding="utf-8")
)
"""Notebook -> what is slow, or does not run, where Python runs in a browser."""
OPENING = re.compile(
    r"# ([^\n]+)\n.*?\*\*(\d+ minutes)\.?\*\*.*?you can\n\n(.+?)(?:\n\n|\n?\Z)", re.DOTALL
)
"""A notebook's first cell: title, minutes, and the list of what one can do after it."""
HEADING = re.compile(r"^## (?:\d+ · )?(.+)$", re.MULTILINE)
SECTION = re.compile(r'<h2 id="([^"]+)"')
STYLE = re.compile(r"<style\b[^>]*>(.*?)</style>", re.DOTALL)


def pages() -> list[Page]:
    """The index: what each notebook teaches and its sections, linked where its page is made."""
    parts = [front("Notebooks"), "# Notebooks\n", _about()]
    for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        told = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
        title, minutes, aims = _opening(told[0])
        made = SHOWN / f"{path.stem}.html"
        name = f"[{title}]({made.name})" if made.exists() else title
        parts.append(f"## {name} {{ #{path.stem} }}\n")
        parts.append(f"`{path.stem}`, {minutes}. After it you can {aims}\n")
        parts.append(f"{_sections(told, made)}\n")
        if place := lite_site.address(path.stem):
            parts.append(f"[Run this notebook here](../{place}). {_said(path.stem)}\n")
    return [Page("learn/index.md", "\n".join(parts))]


def copied() -> dict[str, Path]:
    """Place on the site -> file, of the pictures and solutions that the notebooks' pages need."""
    kept = sorted(SHOWN.rglob("*")) if SHOWN.is_dir() else []
    return {
        f"learn/{path.relative_to(SHOWN).as_posix()}": path
        for path in kept
        if path.suffix in {".png", ".svg"} or path.match("solutions/*.py")
    }


def written() -> dict[str, str]:
    """Place on the site -> text, of the notebooks' pages and of what they share."""
    found: dict[str, str] = {}

    def shared(match: re.Match[str]) -> str:
        text = match.group(1)
        if len(text) < SHARED:
            return match.group()
        name = f"style-{hashlib.sha256(text.encode()).hexdigest()[:8]}.css"
        found[f"learn/{name}"] = text
        return f'<link rel="stylesheet" href="{name}">'

    for path in sorted(SHOWN.glob("[0-9]*.html")):
        page, parts = with_shared_parts(STYLE.sub(shared, path.read_text(encoding="utf-8")))
        page = page.replace("</head>", OWN_STYLE + "</head>", 1)
        page = page.replace(f"{WIDE}>", f'{WIDE} tabindex="0">')
        page = with_way_back(page, "index.html", "Notebooks")
        found[f"learn/{path.name}"] = _with_way_to_run(page, path.stem)
        found |= {f"assets/{name}": text for name, text in parts.items()}
    return found


def _with_way_to_run(page: str, notebook: str) -> str:
    place = lite_site.address(notebook)
    if place is None:
        return page
    link = f' · <a href="../{place}">Run this notebook here</a>. {escape(_said(notebook))}'
    return page.replace("</nav>", f"{link}</nav>", 1)


def _said(notebook: str) -> str:
    """What to know before a notebook is run in a browser."""
    return IN_A_TAB.get(notebook, "")


def _about() -> str:
    words = "Words that are new stand in the [glossary](glossary.md).\n"
    if SHOWN.is_dir():
        return (
            "Run, with players that play here. `make lab` opens the same notebooks to work in. "
            f"{words}\n![A player at the end of a search, as the notebooks have them]({PICTURE})\n"
        )
    return f"`make pages` runs them and makes a page of each; `make lab` opens them. {words}"


def _opening(text: str) -> tuple[str, str, str]:
    """Title, minutes and aims of a notebook, as its first cell says them.

    Raises ``ValueError`` where the cell does not say them.
    """
    found = OPENING.match(text)
    if found is None:
        raise ValueError(f"a notebook begins with no title, minutes and aims: {text[:80]!r}")
    title, minutes, aims = found.groups()
    plain = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", re.sub(r"^- ", "", aims, flags=re.MULTILINE))
    return escaped(title), minutes, escaped(" ".join(plain.split()))


def _sections(told: Sequence[str], made: Path) -> str:
    """The headings of a notebook in a line: links at the page's sections, if the page is made."""
    names = [escaped(name) for text in told for name in HEADING.findall(text)]
    if not made.exists():
        return " · ".join(names)
    places = SECTION.findall(made.read_text(encoding="utf-8"))
    return " · ".join(
        f"[{name}]({made.name}#{place})" for name, place in zip(names, places, strict=True)
    )
