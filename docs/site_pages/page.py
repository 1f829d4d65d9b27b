"""A generated page, and what texts of ours need before they are Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "wordorder_lab"


class Page(NamedTuple):
    """A page: where it stands, its Markdown, and HTML that follows as it is."""

    path: str
    markdown: str
    html: str = ""


def escaped(text: str) -> str:
    """Text in which no sign but backticks and stars means anything to Markdown.

    Double backticks, as docstrings have them, become single ones. Code stays as it is, also what
    is indented behind a blank line.
    """
    blocks = re.split(r"(\n\n {4}.*?(?=\n\n\S|\Z))", text, flags=re.DOTALL)
    return "".join(b if i % 2 else _plain(b) for i, b in enumerate(blocks))


def _plain(text: str) -> str:
    pieces = re.split(r"(``.+?``|`.+?`)", text, flags=re.DOTALL)
    for i, piece in enumerate(pieces):
        code = i % 2 == 1
        pieces[i] = f"`{piece.strip('`')}`" if code else re.sub(r"([<\[\]_|])", r"\\\1", piece)
    return "".join(pieces)


def front(title: str, *, search: bool = True, wide: bool = False) -> str:
    """The head of a page: its title, whether the search shall find it, and whether it takes the
    room of the lists beside it."""
    more = "" if search else "search:\n  exclude: true\n"
    more += "hide: [navigation, toc]\n" if wide else ""
    return f"---\ntitle: {title!r}\n{more}---\n\n"


def row(*cells: str) -> str:
    """A row of a Markdown table."""
    return "| " + " | ".join(cell.replace("\n", " ") for cell in cells) + " |"


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A Markdown table."""
    return "\n".join([row(*head), row(*["---"] * len(head)), *(row(*one) for one in rows)]) + "\n"


BODY = re.compile(r"<body\b[^>]*>")


def with_way_back(html: str, section: str, called: str) -> str:
    """A page that another program made, with links to its section and to the site's first page."""
    links = f'<a href="{section}">{called}</a> · <a href="../index.html">wordorder_lab</a>'
    style = "padding: .3rem 1rem; font: 1rem/1.4 system-ui, sans-serif"
    bar = f'\n<nav aria-label="Site" style="{style}">{links}</nav>'
    return BODY.sub(lambda body: body.group() + bar, html, count=1)
