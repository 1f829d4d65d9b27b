"""The gallery's pages, where ``make site`` has made them, each with a way back to the site."""

from __future__ import annotations

import html
import re

from site_pages.page import ROOT, Page, escaped, front, with_way_back

MADE = ROOT / "build" / "gallery"
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
ABOUT = (
    "A page for each player, each with a question that it answers; the models behind them are "
    "small and trained on the Gazette.\n\n"
)
OWN = (
    "\nMake it yourself, also with a model of your own:\n\n"
    "    wordorder-lab gallery build/gallery\n"
)


def pages() -> list[Page]:
    """A page with the gallery's picture and its questions, or how it is made."""
    text = f"{front('Gallery')}# Gallery\n\n{ABOUT}"
    if (MADE / "index.html").exists():
        picture = "![The gallery: a card for each player](pictures/gallery.png)"
        text += f"[{picture}](gallery/index.html)\n\n"
        text += "[Open the gallery](gallery/index.html), or one of its pages:\n\n"
        text += "".join(
            f"- [{escaped(question)}](gallery/{name})\n" for name, question in questions()
        )
    return [Page("gallery.md", text + OWN)]


def questions() -> list[tuple[str, str]]:
    """Each player's file, and the question that is its title; in the order of the names."""
    found = []
    for path in sorted(MADE.glob("*.html")):
        title = TITLE.search(path.read_text(encoding="utf-8"))
        if path.name != "index.html" and title is not None:
            found.append((path.name, html.unescape(title.group(1)).strip()))
    return found


def written() -> dict[str, str]:
    """Place on the site -> text, of the gallery's pages; each can be sent alone."""
    found = {}
    for path in sorted(MADE.glob("*.html")):
        page = path.read_text(encoding="utf-8")
        found[f"gallery/{path.name}"] = with_way_back(page, "../gallery.html", "Gallery")
    return found
