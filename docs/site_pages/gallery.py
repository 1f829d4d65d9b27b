"""The gallery's pages, where ``make site`` has made them, each with a way back to the site; its
index is a page of the site."""

from __future__ import annotations

import re

from site_pages.page import ROOT, Page, front, with_way_back

MADE = ROOT / "build" / "gallery"
INDEX = "index.html"
SHOWN = re.compile(r"<style>(?:(?!</style>).)*?\.gallery.*?</style>|<main.*?</main>", re.DOTALL)
"""What the site shows of the index: its own style, and all cards."""
LINK = re.compile(r'href="(?=[\w-]+\.html")')
ABOUT = (
    "A page for each player, each with a question that it answers; the models behind them are "
    "small and trained on the Gazette. Each picture opens a search that you can step through, "
    "forward and back. Make the gallery yourself, also with a model of your own:\n\n"
    "    wordorder-lab gallery build/gallery\n"
)


def pages() -> list[Page]:
    """The index with all its cards, or how it is made."""
    index = MADE / INDEX
    shown = SHOWN.findall(index.read_text(encoding="utf-8")) if index.exists() else []
    cards = LINK.sub('href="gallery/', "\n".join(shown))
    return [Page("gallery.md", f"{front('Gallery')}# Gallery\n\n{ABOUT}", cards)]


def written() -> dict[str, str]:
    """Place on the site -> text, of the gallery's pages; each can be sent alone."""
    found = {}
    for path in sorted(MADE.glob("*.html")):
        page = path.read_text(encoding="utf-8")
        found[f"gallery/{path.name}"] = with_way_back(page, "../gallery.html", "Gallery")
    return found
