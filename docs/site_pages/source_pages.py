"""Where a file of ours is shown: one page a file."""

from __future__ import annotations

from collections.abc import Sequence

from site_pages.page import ROOT, Page, front


def pages(names: Sequence[str]) -> list[Page]:
    """A page for each of these files; the search does not look into them."""
    return [Page(page_of(name), _text(name)) for name in dict.fromkeys(names)]


def page_of(name: str) -> str:
    """The page of a file: ``source/wordorder_lab/transition/beam.md``."""
    return f"source/{name.removesuffix('.py')}.md"


def link_to(name: str, folder: str) -> str:
    """A link to a file's page from a page in ``folder``, one level deep."""
    return f"[the file]({'../' if folder else ''}{page_of(name)})"


def _text(name: str) -> str:
    code = (ROOT / name).read_text(encoding="utf-8").rstrip()
    title = name.rpartition("/")[2]
    return f"{front(title, search=False)}# {title}\n\n`{name}`\n\n``````python\n{code}\n``````\n"
