"""The notebooks: an index of them, and the pages that ``make pages`` has made, copied as they are.

Where no pages were made the index says so; the site is whole without them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from site_pages.page import ROOT, Page, escaped, front

SHOWN = ROOT / "build" / "pages"


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
    """Place on the site -> file, of all that the notebooks' pages need."""
    if not SHOWN.is_dir():
        return {}
    kept = (path for path in sorted(SHOWN.rglob("*")) if path.suffix in {".html", ".png", ".svg"})
    return {f"learn/{path.relative_to(SHOWN).as_posix()}": path for path in kept}


def _about() -> str:
    if SHOWN.is_dir():
        return "Run, with players that play here. `make lab` opens the same notebooks to work in.\n"
    return "`make pages` runs them and makes a page of each; `make lab` opens them to work in.\n"


def _opening(path: Path) -> tuple[str, str]:
    """Title and first sentence of a notebook's first cell."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "".join(cells[0]["source"])
    title, _, rest = text.lstrip("# ").partition("\n")
    plain = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", " ".join(rest.split()))
    return title.strip(), escaped(re.split(r"(?<=[.?!]) ", plain)[0])
