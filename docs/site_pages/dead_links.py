"""Links that lead nowhere, in all pages of the built site.

MkDocs looks at its own alone; those of notebooks and of the gallery come from other programs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote

ELSEWHERE = re.compile(r"[a-z]+:", re.IGNORECASE)
"""How a link at another host begins, or at something inside the page."""
ANYWHERE = "404.html"
"""The one page that is shown at any place, so that its links begin at the root."""
LINK = re.compile(r'\b(?:href|src)="([^"]*)"')
PLACE = re.compile(r'\b(?:id|name)="([^"]+)"')
SCRIPT = re.compile(r"<script\b[^>]*>.*?</script>", re.DOTALL)


def dead_links(site: Path) -> list[str]:
    """Each link at a file or a place in one that is not there: ``page: link``."""
    _places.cache_clear()
    return [
        f"{page.relative_to(site)}: {link}"
        for page in sorted(site.rglob("*.html"))
        if page.name != ANYWHERE
        for link in sorted(_links(page))
        if not ELSEWHERE.match(link) and not _is_there(page, link)
    ]


def _links(page: Path) -> Iterator[str]:
    text = SCRIPT.sub("", page.read_text(encoding="utf-8"))
    yield from {unescape(link) for link in LINK.findall(text)}


def _is_there(page: Path, link: str) -> bool:
    name, _, place = link.partition("#")
    name = name.partition("?")[0]
    target = page.parent / unquote(name) if name else page
    if name.startswith("/"):  # a site may stand in a folder
        return False
    if not target.is_file():
        return (target / "index.html").is_file()
    at_top = not place or target.suffix != ".html"
    return at_top or not {place, unquote(place)}.isdisjoint(_places(target.resolve()))


@cache
def _places(page: Path) -> frozenset[str]:
    return frozenset(unescape(name) for name in PLACE.findall(page.read_text(encoding="utf-8")))
