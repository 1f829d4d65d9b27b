"""From a paper's figure or table to the file, the test and the notebook: the map, with links."""

from __future__ import annotations

import re

from site_pages.notebooks import SHOWN
from site_pages.page import PACKAGE, ROOT, Page
from site_pages.source_pages import page_of

MAP = "papers/index.md"
"""The map in ``docs/``, kept by hand; the tests hold every row of it to the files."""


def pages() -> list[Page]:
    """The map, each file of it a link to its page: it takes the place of the one kept by hand."""
    return [Page(MAP, linked(map_text()))]


def map_text() -> str:
    """The map as it is kept. Raises ``FileNotFoundError`` if there is none."""
    return (ROOT / "docs" / MAP).read_text(encoding="utf-8")


def linked(text: str) -> str:
    """The text with a link at each file that has a page, and at each notebook that is shown."""
    return re.sub(r"`([^`\n]+)`", _link, text)


def _link(match: re.Match[str]) -> str:
    name = match.group(1).split("::")[0]
    stem = name.removeprefix("notebooks/").removesuffix(".ipynb")
    if name == f"notebooks/{stem}.ipynb" and (SHOWN / f"{stem}.html").exists():
        return f"[`{stem}`](../learn/{stem}.html)"
    if _is_ours(name):
        return f"[`{match.group(1)}`](../{page_of(name)})"
    return match.group()


def files_named() -> list[str]:
    """All Python files of the package that the map names, in order, each once."""
    names = (name.split("::")[0] for name in re.findall(r"`([^`\n]+)`", map_text()))
    return [name for name in dict.fromkeys(names) if _is_ours(name)]


def _is_ours(name: str) -> bool:
    """Whether this is a file of the package; tests have no pages of their own."""
    return name.startswith(f"{PACKAGE}/") and name.endswith(".py") and (ROOT / name).is_file()
