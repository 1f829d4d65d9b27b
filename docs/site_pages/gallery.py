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

KNOB = "<!-- a sweep of the gallery -->"
"""Where it stands on the front page."""
SWEEP = "sweep.html"
TITLE = re.compile("<title>(.*?)</title>")


def knob() -> str:
    """The gallery's sweep without its players, to turn on the front page; nothing where there is
    no gallery. Its page says how high it is."""
    path = MADE / SWEEP
    if not path.exists():
        return ""
    title = TITLE.findall(path.read_text(encoding="utf-8"))[0]
    return (
        f'<h2 id="a-knob-to-turn">{title}</h2>\n'
        f'<iframe id="knob" src="gallery/{SWEEP}" title="{title}" loading="lazy" '
        'sandbox="allow-scripts" style="width: 100%; height: 30rem; border: 0"></iframe>\n'
        "<script>addEventListener('message', (event) => {\n"
        "const frame = document.getElementById('knob'), height = event.data?.wordorderHeight;\n"
        "if (event.source === frame.contentWindow && height > 0)\n"
        "frame.style.height = `${Math.min(900, height)}px`;\n"
        "});\n"
        "document.getElementById('knob').src += '#small';</script>\n"
        f'<p>Six searches of one bag: move the slider. <a href="gallery/{SWEEP}">The whole page</a>'
        " plays each of them, step by step.</p>\n"
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
