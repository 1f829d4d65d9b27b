"""The glossary: each of its words has an address, so that other pages can point at it."""

from __future__ import annotations

import re

from site_pages.page import ROOT, Page, front

WRITTEN = ROOT / "notebooks" / "glossary.md"
TERM = re.compile(r"^\*\*([^*]+)\*\* .+$", re.MULTILINE)
OTHER = re.compile(r"(?<!\*)\*([^*\n]+)\*(?!\*)")
NOTEBOOK = re.compile(r"\]\((\w+)\.ipynb\)")


TAGS = ("glossary", "beam", "early update", "gold", "edge", "hypothesis", "signature")
"""Words for which it comes first; of others it is mostly the page that does something with them."""


def pages() -> list[Page]:
    """The page: all words as links, then each with links to the others that it names."""
    title, _, text = WRITTEN.read_text(encoding="utf-8").partition("\n\n")
    names = TERM.findall(text)
    index = " · ".join(f"[{name}](#{address(name)})" for name in names)

    def linked(other: re.Match[str]) -> str:
        name = other.group(1)
        return f"[{other.group()}](#{address(name)})" if name in names else other.group()

    def addressed(term: re.Match[str]) -> str:
        return f"{OTHER.sub(linked, term.group())}\n{{ #{address(term.group(1))} }}"

    text = NOTEBOOK.sub(r"](index.md#\1)", TERM.sub(addressed, text))
    return [
        Page("learn/glossary.md", f"{front('Glossary', tags=TAGS)}{title}\n\n{index}\n\n{text}")
    ]


def address(term: str) -> str:
    """Where a word stands on the page, behind the ``#``."""
    return re.sub(r"[^a-z0-9]+", "-", term.lower())
