"""The notebooks: an index of them, and the pages that ``make pages`` has made, with a way back.

Each of those pages has a quarter of a megabyte of styles and its players' code inside, so that it
can be sent alone. On the site they share them. Where no pages were made the index says so; the site
is whole without them.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from site_pages.page import ROOT, Page, escaped, front, with_way_back
from site_pages.shared_player import with_shared_parts

SHOWN = ROOT / "build" / "pages"
PICTURE = "../pictures/player.png"
SHARED = 4000
"""Signs from which on a style is a file of its own."""
OWN_STYLE = '<link rel="stylesheet" href="../assets/notebook.css">\n'
STYLE = re.compile(r"<style\b[^>]*>(.*?)</style>", re.DOTALL)


def pages() -> list[Page]:
    """The index: each notebook's title and its first sentence, a link where its page is made."""
    parts = [front("Notebooks"), "# Notebooks\n", _about()]
    for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")):
        title, first = _opening(path)
        made = (SHOWN / f"{path.stem}.html").exists()
        name = f"[{escaped(title)}]({path.stem}.html)" if made else escaped(title)
        parts.append(f"**{name}** `{path.stem}`\n:   {first}\n")
    if (SHOWN / "glossary.html").exists():
        parts.append("The words that are used: [glossary](glossary.html).")
    return [Page("learn/index.md", "\n".join(parts))]


def copied() -> dict[str, Path]:
    """Place on the site -> file, of the pictures that the notebooks' pages need."""
    kept = sorted(SHOWN.rglob("*")) if SHOWN.is_dir() else []
    return {
        f"learn/{path.relative_to(SHOWN).as_posix()}": path
        for path in kept
        if path.suffix in {".png", ".svg"}
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

    for path in sorted(SHOWN.glob("*.html")):
        page, parts = with_shared_parts(STYLE.sub(shared, path.read_text(encoding="utf-8")))
        page = page.replace("</head>", OWN_STYLE + "</head>", 1)
        found[f"learn/{path.name}"] = with_way_back(page, "index.html", "Notebooks")
        found |= {f"assets/{name}": text for name, text in parts.items()}
    return found


def _about() -> str:
    if SHOWN.is_dir():
        return (
            "Run, with players that play here. `make lab` opens the same notebooks to work in.\n\n"
            f"![A player at the end of a search, as the notebooks have them]({PICTURE})\n"
        )
    return "`make pages` runs them and makes a page of each; `make lab` opens them to work in.\n"


def _opening(path: Path) -> tuple[str, str]:
    """Title and first sentence of a notebook's first cell."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "".join(cells[0]["source"])
    title, _, rest = text.lstrip("# ").partition("\n")
    plain = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", " ".join(rest.split()))
    return title.strip(), escaped(re.split(r"(?<=[.?!]) ", plain)[0])
