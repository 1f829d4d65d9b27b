"""The notebooks: an index of them, and those that ``make pages`` has run, as pages of the site.

Each of those pages has a quarter of a megabyte of styles and its players' code inside, so that it
can be sent alone. On the site they have the site's own style, tabs and search, and share the code.
Where no pages were made the index says so; the site is whole without them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

from site_pages import lite_site
from site_pages.page import ROOT, Page, escaped, front
from site_pages.shared_player import with_shared_parts

SHOWN = ROOT / "build" / "pages"
PICTURE = "../pictures/player.png"
WIDE = '<div style="overflow-x: auto"'
"""How the box begins in which a wide tree is moved: on the site by keys, too."""
OWN_STYLE = '<link rel="stylesheet" href="../assets/notebook.css">\n'
IN_A_TAB: dict[str, dict[str, Any]] = json.loads(
    Path(__file__).with_name("notebooks_in_a_tab.json").read_text(encoding="utf-8")
)
"""Notebook -> whether it ``runs`` to its end where Python runs in a browser, and what is ``said``
of it: how long it took, what does not run, and why."""
OPENING = re.compile(
    r"# ([^\n]+)\n.*?\*\*(\d+ minutes)\.?\*\*.*?you can\n\n(.+?)(?:\n\n|\n?\Z)", re.DOTALL
)
"""A notebook's first cell: title, minutes, and the list of what one can do after it."""
HEADING = re.compile(r"^## (?:\d+ · )?(.+)$", re.MULTILINE)
SECTION = re.compile(r'<h2 id="([^"]+)"')
MAIN = re.compile(r"<main>(.*?)</main>", re.DOTALL)
TITLED = re.compile(r'<h([1-3]) id="([^"]+)">(.*?)<a class="', re.DOTALL)


def pages() -> list[Page]:
    """The index: what each notebook teaches and its sections, linked where its page is made."""
    parts = [front("Notebooks"), "# Notebooks\n", _about()]
    for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")):
        told = _told(path)
        title, minutes, aims = _opening(told[0])
        made = SHOWN / f"{path.stem}.html"
        name = f"[{title}]({path.stem}.md)" if made.exists() else title
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


def shown() -> list[Page]:
    """A page of the site for each notebook that was run: with its tabs, search and contents."""
    return [
        Page(f"learn/{path.stem}.md", _before(path.stem), _framed(path)[0])
        for path in sorted(SHOWN.glob("[0-9]*.html"))
    ]


def written() -> dict[str, str]:
    """Place on the site -> text, of what the players of these pages share."""
    found = [_framed(path)[1] for path in sorted(SHOWN.glob("[0-9]*.html"))]
    return {f"assets/{name}": text for parts in found for name, text in parts.items()}


def contents(html: str) -> Any:
    """The headings of a notebook's page as MkDocs nests them: level, id, name, children."""
    above: list[dict[str, Any]] = [{"level": 0, "children": []}]
    for level, place, name in TITLED.findall(html):
        plain = unescape(re.sub(r"<[^>]+>", "", name))
        one = {"level": int(level), "id": unescape(place), "name": plain, "children": []}
        while above[-1]["level"] >= one["level"]:
            above.pop()
        above[-1]["children"].append(one)
        above.append(one)
    return above[0]["children"]


@cache
def _framed(path: Path) -> tuple[str, dict[str, str]]:
    """What stands between the bars of the site, and the scripts that players share."""
    html, parts = with_shared_parts(path.read_text(encoding="utf-8"))
    main = MAIN.search(html)
    if main is None:
        raise ValueError(f"{path} is no page of a notebook")
    body = re.sub(
        r'(<a )class="anchor-link"', r'\1class="headerlink" title="Link to here"', main[1]
    )
    body = body.replace(f"{WIDE}>", f'{WIDE} tabindex="0">')
    scripts = "".join(re.findall(r"<script\b.*?</script>", html[main.end() :], re.DOTALL))
    return f'{OWN_STYLE}<div class="notebook">{body}</div>{scripts if parts else ""}', parts


def _before(notebook: str) -> str:
    """The head of a page, and where the notebook runs in a tab."""
    title, _, _ = _opening(_told(ROOT / "notebooks" / f"{notebook}.ipynb")[0])
    head = front(title.replace("\\", ""))
    if place := lite_site.address(notebook):
        head += f"[Run this notebook here](../{place}). {_said(notebook)}\n"
    return head


def _said(notebook: str) -> str:
    """What to know before a notebook is run in a browser."""
    return str(IN_A_TAB[notebook]["said"])


def _about() -> str:
    words = "Words that are new stand in the [glossary](glossary.md).\n"
    if SHOWN.is_dir():
        return (
            "Run, with players that play here. `make lab` opens the same notebooks to work in. "
            f"{words}\n![A player at the end of a search, as the notebooks have them]({PICTURE})\n"
        )
    return f"`make pages` runs them and makes a page of each; `make lab` opens them. {words}"


def _told(path: Path) -> list[str]:
    """The texts of a notebook, cell by cell."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]


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
        f"[{name}]({made.stem}.md#{place})" for name, place in zip(names, places, strict=True)
    )
